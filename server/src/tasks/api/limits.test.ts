// The work and the memory that one task can cost: attachments, differences and reverts.
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import { findTask } from '../tasks-sql.ts'
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
