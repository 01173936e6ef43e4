// Tasks whose tools the caller runs, approvals, and who may see a task.
import { createHash } from 'node:crypto'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { byStep, calls, resultsIn, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let world: TaskWorld
let ada: Person
beforeAll(async () => {
  world = await startTaskWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.upstream.reset()
  ada = await world.customer()
})

const CLIENT = { kind: 'client', name: 'my-laptop' }
const send = (task: string, results: object[], as = ada) =>
  world.server.call<{ accepted: string[]; ignored: string[]; status: string }>(
    'POST',
    `/tasks/${task}/tool-results`,
    { as, body: { results } },
  )

test('a turn waits for the results of the caller, takes each once, and continues when it has all', async () => {
  world.upstream.fallback(
    byStep(
      calls(['read', { path: 'a.js' }], ['list', {}]),
      calls(['edit', { path: 'a.js', edits: [{ find: 'x', replace: 'y' }] }]),
      'Done.',
    ),
  )
  const task = await world.create(ada, CLIENT)
  const turn = await world.turn(ada, task, { prompt: 'Rename x.' })
  expect(turn).toMatchObject({ status: 'waiting' })
  const { needs } = await world.read(ada, task)
  expect(needs).toMatchObject([
    { kind: 'tool', tool: 'read', input: { path: 'a.js' } },
    { kind: 'tool', tool: 'list' },
  ])
  const [read, list] = needs.map(({ callId }) => callId)
  expect((await send(task, [{ callId: read, ok: true, output: 'let x' }])).body).toEqual({
    accepted: [read],
    ignored: [],
    status: 'waiting',
  })
  const again = await send(task, [
    { callId: read, ok: true, output: 'something else' },
    { callId: list, ok: true, output: 'a.js' },
  ])
  expect(again.body).toEqual({ accepted: [list], ignored: [read], status: 'queued' })
  await world.perform()
  expect(resultsIn(world.upstream.requests.at(-1) as never)).toEqual(['let x', 'a.js'])
  const [edit] = (await world.read(ada, task)).needs
  const patch = '--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-let x\n+let y\n'
  await send(task, [{ callId: edit?.callId, ok: true, output: 'edited', changes: [{ path: 'a.js', patch }] }])
  await world.perform()
  expect(await world.read(ada, task)).toMatchObject({
    status: 'idle',
    turns: [{ stopReason: 'completed', summary: 'Done.' }],
  })
  const { body } = await world.server.call('GET', `/tasks/${task}/diff`, { as: ada })
  expect(body).toMatchObject({ added: 1, removed: 1, files: [{ path: 'a.js', action: 'update', patch }] })
  expect(await world.events(ada, task)).toContainEqual(
    expect.objectContaining({ kind: 'needs_tool', tool: 'read' }),
  )
})

test('an unknown call is a 404, and nothing of its request is stored', async () => {
  world.upstream.fallback(byStep(calls(['list', {}]), 'Done.'))
  const task = await world.create(ada, CLIENT)
  await world.turn(ada, task)
  const [need] = (await world.read(ada, task)).needs
  const mixed = await send(task, [
    { callId: need?.callId, ok: true, output: 'a.js' },
    { callId: 'call_9_9', ok: true, output: '' },
  ])
  expect(mixed).toMatchObject({ status: 404, body: { code: 'not_found', callId: 'call_9_9' } })
  expect((await world.read(ada, task)).needs).toHaveLength(1)
  const files = await world.create(ada, { 'a.js': '' })
  expect((await send(files, [{ callId: 'call_1_2', ok: true, output: '' }])).status).toBe(409)
})

test('secrets in results never reach the model, and are listed', async () => {
  world.upstream.fallback(byStep(calls(['read', { path: 'pay.js' }]), 'Done.'))
  const key = `sk_live_${createHash('sha256').update('a test').digest('hex').slice(0, 40)}`
  const task = await world.create(ada, CLIENT)
  await world.turn(ada, task)
  const [need] = (await world.read(ada, task)).needs
  await send(task, [{ callId: need?.callId, ok: true, output: `const key = '${key}'` }])
  await world.perform()
  expect(JSON.stringify(world.upstream.requests)).not.toContain(key)
  expect((await world.read(ada, task)).turns[0]?.withheld).toHaveLength(1)
})

test('a caller that never answers ends the turn after a day', async () => {
  world.upstream.fallback(byStep(calls(['list', {}]), 'Done.'))
  const task = await world.create(ada, CLIENT)
  await world.turn(ada, task)
  world.server.clock.advance({ hours: 26 })
  await world.perform()
  expect((await world.read(ada, task)).turns).toMatchObject([{ status: 'finished', stopReason: 'abandoned' }])
})

const WORKFLOW = ['create', { path: '.github/workflows/ci.yml', content: 'on: push\n' }] as const

test.for([
  { allow: true, content: 'on: push\n' },
  { allow: false, content: null },
])('a file that runs by itself needs an approval (allowed: $allow)', async ({ allow, content }) => {
  world.upstream.fallback(byStep(calls([...WORKFLOW]), 'Done.'))
  const task = await world.create(ada, { 'a.js': '' })
  expect(await world.turn(ada, task)).toMatchObject({ status: 'waiting' })
  expect(await world.file(ada, task, '.github/workflows/ci.yml')).toBeNull()
  const [need] = (await world.read(ada, task)).needs
  expect(need).toMatchObject({ kind: 'approval', tool: 'create' })
  const decide = () =>
    world.server.call('POST', `/tasks/${task}/approvals`, {
      as: ada,
      body: { approvalId: need?.callId, allow },
    })
  expect((await decide()).status).toBe(200)
  expect((await decide()).status).toBe(200)
  await world.perform()
  expect(await world.file(ada, task, '.github/workflows/ci.yml')).toBe(content)
  expect((await world.read(ada, task)).turns).toMatchObject([{ stopReason: 'completed' }])
})

test('strangers see nothing of a task, and its owner can archive and delete it', async () => {
  const task = await world.create(ada, { 'a.js': '' })
  const eve = await world.customer()
  const routes = [
    ['GET', ''],
    ['GET', '/diff'],
    ['GET', '/files/a.js'],
    ['POST', '/stop'],
    ['DELETE', ''],
  ] as const
  for (const [method, path] of routes)
    expect((await world.server.call(method, `/tasks/${task}${path}`, { as: eve })).status).toBe(404)
  await world.server.call('PATCH', `/tasks/${task}`, { as: ada, body: { archived: true, title: 'Old' } })
  const list = (query: string) =>
    world.server.call<{ tasks: { id: string }[] }>('GET', `/tasks${query}`, { as: ada })
  expect((await list('')).body.tasks).toEqual([])
  expect((await list('?archived=true')).body.tasks).toMatchObject([{ id: task, title: 'Old' }])
  expect((await world.server.call('DELETE', `/tasks/${task}`, { as: ada })).status).toBe(200)
  expect((await world.server.call('GET', `/tasks/${task}`, { as: ada })).status).toBe(404)
})

test('a turn whose caller sends results now and then is not abandoned', async () => {
  world.upstream.fallback(
    byStep(calls(['read', { path: 'a' }], ['read', { path: 'b' }], ['read', { path: 'c' }]), 'Done.'),
  )
  const task = await world.create(ada, CLIENT)
  await world.turn(ada, task)
  for (const { callId } of (await world.read(ada, task)).needs.slice(0, 2)) {
    world.server.clock.advance({ hours: 13 })
    await send(task, [{ callId, ok: true, output: 'x' }])
    await world.perform()
  }
  expect(await world.read(ada, task)).toMatchObject({ status: 'waiting' })
})

test('edits that the caller made are paid, even if a failure of the provider ends the turn', async () => {
  world.upstream.fallback(byStep(calls(['create', { path: 'a.js', content: 'x' }]), { text: '' }))
  const task = await world.create(ada, CLIENT)
  await world.turn(ada, task)
  const [call] = (await world.read(ada, task)).needs
  await send(task, [{ callId: call?.callId, ok: true, output: 'created' }])
  for (let attempt = 0; attempt < 8; attempt++) {
    await world.perform()
    world.server.clock.advance({ minutes: 5 })
  }
  const [turn] = (await world.read(ada, task)).turns
  expect(turn).toMatchObject({ stopReason: 'upstream_failed', refundedMinor: 0n })
  expect(turn?.spentMinor).toBeGreaterThan(0n)
})
