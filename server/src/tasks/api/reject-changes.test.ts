// Rejected changes disappear on every device and for the next turn, once, and only with the rights of the task.
import { createHash } from 'node:crypto'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { byStep, calls, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let world: TaskWorld
let ada: Person
beforeAll(async () => {
  world = await startTaskWorld({ variables: { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off' } })
  ada = await world.customer()
})
afterAll(() => world.close())
beforeEach(() => world.upstream.reset())

type Difference = {
  change: number
  before: number
  changed: string[]
  files: { path: string; action: string; patch: string; sha256: string | null }[]
  code?: string
  paths?: string[]
}
const call = (method: string, path: string, body?: object, key?: string, as: { bearer: string } = ada) =>
  world.server.call<Difference>(method, path, {
    as,
    ...(body && { body }),
    ...(key && { headers: { 'idempotency-key': key } }),
  })
const diff = async (task: string, query = '') => (await call('GET', `/tasks/${task}/diff${query}`)).body
const reject = (task: string, files: object[], more: object = {}, key?: string) =>
  call('POST', `/tasks/${task}/reject`, { files, ...more }, key)
const sha = (text: string) => createHash('sha256').update(text).digest('hex')

const MIDDLE = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('')
const BEFORE = `one\n${MIDDLE}two\n`
const AFTER = `ONE\n${MIDDLE}TWO\n`
const FIRST = { oldStart: 1, newStart: 1 }
const EDIT = calls(
  [
    'edit',
    {
      path: 'a.txt',
      edits: [
        { find: 'one\n', replace: 'ONE\n' },
        { find: 'two\n', replace: 'TWO\n' },
      ],
    },
  ],
  ['create', { path: 'b.txt', content: 'new\n' }],
  ['delete', { path: 'c.txt' }],
)

/** A task with two hunks in a.txt, a new b.txt and a deleted c.txt. */
async function changedTask(as = ada): Promise<{ task: string; turnId: string }> {
  world.upstream.fallback(byStep(EDIT, 'Done.', 'Done again.', 'And again.'))
  const task = await world.create(as, { 'a.txt': BEFORE, 'c.txt': 'gone\n' })
  const { id } = await world.turn(as, task)
  return { task, turnId: id }
}

test('a rejected hunk is gone for everyone, the model learns of it, and the rest stays', async () => {
  const { task } = await changedTask()
  const [a] = (await diff(task)).files
  expect(a?.sha256).toBe(sha(AFTER))
  const { status, body } = await reject(task, [{ path: 'a.txt', sha256: sha(AFTER), hunks: [FIRST] }])
  const left = `one\n${MIDDLE}TWO\n`
  expect([status, body.changed, body.before, body.change]).toEqual([200, ['a.txt'], 3, 4])
  expect(body.files).toMatchObject([{ path: 'a.txt', action: 'update', sha256: sha(left) }])
  expect(await world.file(ada, task, 'a.txt')).toBe(left)
  expect((await diff(task)).files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  const events = (await world.events(ada, task)).filter(({ turnId }) => turnId === null)
  expect(events).toMatchObject([
    { kind: 'status', note: 'rejected' },
    { kind: 'change', path: 'a.txt', action: 'update', added: 1, removed: 1, step: null },
  ])
  await world.turn(ada, task, { prompt: 'Go on.' })
  const sent = JSON.stringify(world.upstream.requests.at(-1)?.body.messages)
  expect(sent).toContain('reverted or rejected changes in these files: a.txt.')
})

test('whole files return: edited, created and deleted ones, and an undo brings the changes back', async () => {
  const { task } = await changedTask()
  const all = await diff(task)
  const { body } = await reject(
    task,
    all.files.map(({ path, sha256 }) => ({ path, sha256 })),
  )
  expect([body.changed, body.files]).toEqual([['a.txt', 'b.txt', 'c.txt'], []])
  expect((await diff(task)).files).toEqual([])
  expect(await world.file(ada, task, 'b.txt')).toBeNull()
  expect(await world.file(ada, task, 'c.txt')).toBe('gone\n')
  const undo = { change: body.before, ifChange: body.change }
  expect(await call('POST', `/tasks/${task}/revert`, undo)).toMatchObject({ status: 200 })
  expect((await diff(task)).files).toEqual(all.files)
  // A second undo is too late: the files have changed.
  expect(await call('POST', `/tasks/${task}/revert`, undo)).toMatchObject({
    status: 409,
    body: { code: 'files_changed' },
  })
  await world.turn(ada, task, { prompt: 'Go on.' })
  const sent = JSON.stringify(world.upstream.requests.at(-1)?.body.messages)
  expect(sent).not.toContain('a.txt, b.txt')
})

test('everything can be reverted to the state before all changes, and to no later state than now', async () => {
  const { task } = await changedTask()
  const revert = (body: object) => call('POST', `/tasks/${task}/revert`, body)
  expect((await revert({ change: 4 })).status).toBe(400)
  expect((await revert({})).status).toBe(400)
  const { body } = await revert({ change: 0 })
  expect(body).toEqual({ changed: ['a.txt', 'b.txt', 'c.txt'], change: 6 })
  expect((await diff(task)).files).toEqual([])
  expect((await revert({ change: 3 })).body).toMatchObject({ change: 9 })
  expect((await diff(task)).files.length).toBe(3)
})

test('with a turn, only what changed after it is rejected', async () => {
  const { task, turnId } = await changedTask()
  world.upstream.fallback(
    byStep(
      EDIT,
      'Done.',
      calls(['edit', { path: 'b.txt', edits: [{ find: 'new', replace: 'newer' }] }]),
      'Done again.',
    ),
  )
  await world.turn(ada, task, { prompt: 'Change b.' })
  const { body } = await reject(task, [{ path: 'b.txt', sha256: sha('newer\n'), hunks: [FIRST] }], {
    from: turnId,
  })
  expect(body).toMatchObject({ changed: ['b.txt'], files: [] })
  expect(await world.file(ada, task, 'b.txt')).toBe('new\n')
  expect((await diff(task, `?from=${turnId}`)).files).toEqual([])
})

test('stale, unknown and unclean requests change nothing and name the reason', async () => {
  const { task } = await changedTask()
  const good = { path: 'a.txt', sha256: sha(AFTER) }
  const refused = async (files: object[]) => {
    const { status, body } = await reject(task, files)
    return [status, body.code, body.paths]
  }
  expect(await refused([good, { path: 'b.txt', sha256: sha('old\n') }])).toEqual([
    409,
    'files_changed',
    ['b.txt'],
  ])
  expect(await refused([{ ...good, hunks: [{ oldStart: 5, newStart: 5 }] }])).toEqual([
    409,
    'files_changed',
    ['a.txt'],
  ])
  for (const files of [
    [],
    [good, good],
    [{ ...good, hunks: [] }],
    [{ path: 'other.txt', sha256: null }],
    [{ path: '../a.txt', sha256: null }],
    [{ path: 'a.txt', sha256: 'abc' }],
  ])
    expect([files, (await refused(files)).slice(0, 2)]).toEqual([files, [400, 'invalid_fields']])
  expect((await diff(task)).change).toBe(3)
})

test('of two rejections of the same file one succeeds, and of different files both', async () => {
  const { task } = await changedTask()
  const a = { path: 'a.txt', sha256: sha(AFTER), hunks: [FIRST] }
  const replies = await Promise.all([reject(task, [a]), reject(task, [a])])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  const left = sha(`one\n${MIDDLE}TWO\n`)
  const both = await Promise.all([
    reject(task, [{ path: 'a.txt', sha256: left }]),
    reject(task, [{ path: 'b.txt', sha256: sha('new\n') }]),
  ])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect((await diff(task)).files.map(({ path }) => path)).toEqual(['c.txt'])
})

test('a repeated request with the same key gets the same reply and changes nothing more', async () => {
  const { task } = await changedTask()
  const files = [{ path: 'a.txt', sha256: sha(AFTER), hunks: [FIRST] }]
  const first = await reject(task, files, {}, 'reject-once')
  const second = await reject(task, files, {}, 'reject-once')
  expect([second.status, second.text]).toEqual([200, first.text])
  expect((await diff(task)).change).toBe(4)
})

test('a running turn, a client workspace, another member and a key without the scope are refused', async () => {
  const { task } = await changedTask()
  const files = [{ path: 'a.txt', sha256: sha(AFTER) }]
  const key = await world.server.call<{ key: string }>('POST', '/auth/keys', {
    as: ada,
    body: { name: 'reader', scopes: ['wallet:read'] },
  })
  const reader = { bearer: key.body.key }
  const stranger = await world.customer()
  const as = (who: { bearer: string }) => call('POST', `/tasks/${task}/reject`, { files }, undefined, who)
  expect(await as(reader)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  expect(await as(stranger)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  await world.start(ada, task, { prompt: 'Go on.' })
  expect(await reject(task, files)).toMatchObject({ status: 409, body: { code: 'turn_running' } })
  await call('POST', `/tasks/${task}/stop`)
  expect((await reject(task, files)).status).toBe(200)
  const client = await world.create(ada, { kind: 'client', name: 'laptop' })
  expect(await reject(client, files)).toMatchObject({ status: 409, body: { code: 'is_client_workspace' } })
})

test('a task stores a limited number of changes, and of bytes of rejected hunks', async () => {
  const { task } = await changedTask()
  const files = [{ path: 'a.txt', sha256: sha(AFTER), hunks: [FIRST] }]
  const { sql } = world.server
  await sql.rows`update tasks set changes = 5000 where id = ${task}`
  expect(await reject(task, files)).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
  await sql.rows`update tasks set changes = 3 where id = ${task}`
  await sql.rows`
    insert into task_changes (task_id, n, org_id, path, content, is_original, at)
    values (${task}, 900, ${ada.orgId}, 'large.txt', repeat('x', ${64 * 1024 * 1024 - 10}), false, now())`
  expect(await reject(task, files)).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
  // A whole file needs no room.
  expect((await reject(task, [{ path: 'a.txt', sha256: sha(AFTER) }])).status).toBe(200)
})
