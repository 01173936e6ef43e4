// The work and the memory that one task can cost: attachments, differences and reverts.
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { byStep, calls, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import { findTask } from '../tasks-sql.ts'
import { run as compare } from '../workspace/compare-task.ts'
import { readTaskDetail } from './read-task.ts'

let world: TaskWorld
let ada: Person
beforeAll(async () => {
  world = await startTaskWorld()
  ada = await world.customer()
})
afterAll(() => world.close())
beforeEach(() => world.upstream.reset())

const MIB = 1024 * 1024

/** Counts the characters of all rows that are read. */
function counting(tx: Tx): { tx: Tx; read: () => number } {
  let characters = 0
  const seen = <T>(value: T): T => {
    characters +=
      JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each))?.length ?? 0
    return value
  }
  const content: Sql = {
    rows: async (text, ...values) => seen(await tx.content.rows(text, ...values)),
    one: async (text, ...values) => seen(await tx.content.one(text, ...values)),
    maybe: async (text, ...values) => seen(await tx.content.maybe(text, ...values)),
  }
  return { tx: { ...tx, content }, read: () => characters }
}

describe('attachments', () => {
  const stop = (task: string) => world.server.call('POST', `/tasks/${task}/stop`, { as: ada })

  test('are read by the worker of a turn, and not by a list of turns', async () => {
    const task = await world.create(ada, { 'a.txt': 'x' })
    const attachments = [
      { name: 'notes.txt', content: `the words of the notes ${'a'.repeat(300_000)}` },
      { name: 'more.txt', content: 'more words' },
    ]
    await world.start(ada, task, { attachments })
    await stop(task)
    const { characters, detail } = await world.server.app.db.tx(ada.orgId, async (tx) => {
      const counted = counting(tx)
      const found = await findTask(counted.tx, ada.orgId, task)
      if (!found) throw new Error('the task is there')
      return { detail: await readTaskDetail(counted.tx, found), characters: counted.read() }
    })
    expect(detail.turns).toMatchObject([{ attachments: [{ name: 'notes.txt' }, { name: 'more.txt' }] }])
    expect(characters).toBeLessThan(10_000)
    await world.turn(ada, task, { prompt: 'Go on.' })
    const sent = JSON.stringify(world.upstream.requests.at(-1)?.body)
    expect(sent).toContain('the words of the notes')
    expect(sent).toContain('more words')
  })

  test('of all turns of a task are limited, also of turns that were stopped', async () => {
    const task = await world.create(ada, { 'a.txt': 'x' })
    const start = (attachments: object[], key: string) =>
      world.server.call('POST', `/tasks/${task}/turns`, {
        as: ada,
        body: { prompt: 'Do it.', attachments },
        headers: { 'idempotency-key': key },
      })
    await world.start(ada, task, { attachments: [{ name: 'a.txt', content: 'a' }] })
    await stop(task)
    await world.server.sql.rows`
      update task_turns set attachment_bytes = ${64 * MIB - 1_000} where task_id = ${task}`
    expect(await start([{ name: 'b.txt', content: 'b'.repeat(1_001) }], 'too-large')).toMatchObject({
      status: 400,
      body: { code: 'invalid_fields', fields: [{ path: 'attachments' }] },
    })
    expect((await start([{ name: 'b.txt', content: 'b'.repeat(1_000) }], 'fits')).status).toBe(202)
    await stop(task)
  })
})

describe('a difference', () => {
  type Difference = {
    files: { path: string; patch: string; isWhole: boolean }[]
    skipped: { path: string; reason: string }[]
  }
  const diff = (task: string) => world.server.call<Difference>('GET', `/tasks/${task}/diff`, { as: ada })
  const lines = (count: number, word: string) =>
    Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join('')

  test('of many rewritten files is computed while other requests are answered', async () => {
    const count = rounds(3, 16)
    const paths = Array.from({ length: count }, (_, i) => `f${i}.txt`)
    const task = await world.create(ada, Object.fromEntries(paths.map((path) => [path, lines(900, 'old')])))
    const after = lines(900, 'new')
    await world.server.sql.rows`
      insert into task_changes (task_id, n, org_id, path, content, at)
      select ${task}, n, ${ada.orgId}, 'f' || (n - 1) || '.txt', ${after}, now() from generate_series(1, ${count}) as n`
    await world.server.sql.rows`update tasks set changes = ${count} where id = ${task}`
    let isDone = false
    const compared = diff(task).finally(() => {
      isDone = true
    })
    let answered = 0
    while (!isDone && answered <= 5) {
      await world.read(ada, task)
      answered++
    }
    expect(answered).toBeGreaterThan(5)
    const { files } = (await compared).body
    expect(files.map(({ path }) => path)).toEqual([...paths].sort())
    expect(files.at(-1)?.patch).toContain('-old 899\n+new 0\n')
    expect([files[0]?.isWhole, files.at(-1)?.isWhole]).toEqual([false, isSoak])
  })

  test('of many files has one limit of work, and files beyond it are shown as replaced', () => {
    const before = Buffer.from(lines(90, 'old'))
    const files = ['a', 'b', 'c', 'd'].map((path) => ({ path, before, after: lines(90, 'new') }))
    const compared = compare({ files, patchBytesMax: MIB }, 2 * 180 ** 2)
    expect(compared.files.map(({ isWhole }) => isWhole)).toEqual([false, false, true, true])
    expect(compared.files.at(-1)?.patch).toContain('-old 89\n+new 0\n')
  })

  test('of a client workspace ends at the size limit, and names the other files', async () => {
    const task = await world.create(ada, { kind: 'client', name: 'laptop' })
    await world.server.sql.rows`
      insert into task_changes (task_id, n, org_id, path, patch, at)
      select ${task}, n, ${ada.orgId}, 'f' || (n % 10) || '.txt', '+' || repeat('x', 1000000), now()
      from generate_series(1, 19) as n`
    await world.server.sql.rows`update tasks set changes = 19 where id = ${task}`
    const { files, skipped } = (await diff(task)).body
    expect(files).toHaveLength(8)
    expect(skipped).toHaveLength(10)
    expect(skipped[0]).toEqual({ path: 'f9.txt', reason: 'too_large' })
  })
})

describe('a revert', () => {
  const edited = async () => {
    const edit = (find: string, replace: string) =>
      calls(['edit', { path: 'a.txt', edits: [{ find, replace }] }])
    world.upstream.fallback(byStep(edit('one', 'two'), 'Done.', edit('two', 'three'), 'Done.'))
    const task = await world.create(ada, { 'a.txt': 'one\n' })
    return { task, turns: [await world.turn(ada, task), await world.turn(ada, task)] as const }
  }
  const revert = (task: string, turnId: string) =>
    world.server.call('POST', `/tasks/${task}/revert`, { as: ada, body: { turnId } })

  test('stores no content again, however often it is repeated', async () => {
    const { task, turns } = await edited()
    const sizeOf = () => world.server.sql.one`
      select sum(octet_length(content))::int as bytes from task_changes where task_id = ${task}`
    const size = await sizeOf()
    for (const [turn, content] of [
      [turns[0], 'two\n'],
      [turns[1], 'three\n'],
      [turns[0], 'two\n'],
    ] as const) {
      expect(await revert(task, turn.id)).toMatchObject({ status: 200, body: { changed: ['a.txt'] } })
      expect(await world.file(ada, task, 'a.txt')).toBe(content)
    }
    expect(await sizeOf()).toEqual(size)
    world.upstream.fallback(byStep('x', 'x', 'x', 'x', calls(['read', { path: 'a.txt' }]), 'It is two.'))
    await world.turn(ada, task)
    expect(JSON.stringify(world.upstream.requests.at(-1)?.body)).toContain('two')
  })

  test('counts towards the changes that a task can have', async () => {
    const { task, turns } = await edited()
    await world.server.sql.rows`update tasks set changes = 5000 where id = ${task}`
    expect(await revert(task, turns[0].id)).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
    expect(await world.file(ada, task, 'a.txt')).toBe('three\n')
  })
})
