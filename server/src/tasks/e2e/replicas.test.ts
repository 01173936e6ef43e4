// Two replicas on one database: turns start, stop and stream on either, and a lost replica is replaced without a second charge.
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { byStep, calls, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const FILES = { 'a.txt': 'one\n' }
const WRITE = calls(['create', { path: 'b.txt', content: 'two\n' }])

let world: TaskWorld
let other: TestServer
let ada: Person
beforeAll(async () => {
  const sandbox = { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off' }
  world = await startTaskWorld({ variables: sandbox })
  other = await startTestServer({
    url: world.server.url,
    clock: world.server.clock,
    variables: {
      ...sandbox,
      SERVICE_UPSTREAM_BASE_URL: world.upstream.url,
      SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
      SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
    },
  })
})
afterAll(async () => {
  await other.close()
  await world.close()
})
beforeEach(async () => {
  world.upstream.reset()
  ada = await world.customer()
})

const startOn = (server: TestServer, task: string, key: string) =>
  server.call<{ turnId: string; code?: string }>('POST', `/tasks/${task}/turns`, {
    as: ada,
    body: { prompt: 'Do it.' },
    headers: { 'idempotency-key': `${key}-${task}` },
  })
const holdsOf = (task: string) =>
  world.server.sql.rows<{ ref: string; state: string; charged: bigint }>`
    select ref, state, charged_minor as charged from holds
    where split_part(ref, '.', 1) in (select id from task_turns where task_id = ${task}) order by created_at, id`

/** Reads the stream of a task until an event has finished the turn. */
async function follow(address: string, task: string, onEvent: (event: Streamed) => void): Promise<void> {
  const { body } = await fetch(`${address}/tasks/${task}/stream?after=0`, {
    headers: { authorization: `Bearer ${ada.bearer}` },
  })
  let text = ''
  for await (const bytes of body ?? []) {
    text += Buffer.from(bytes).toString()
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1]
      const event = data === undefined ? undefined : (JSON.parse(data) as Streamed)
      if (event?.seq !== undefined) onEvent(event)
      if (event?.status === 'finished') return
    }
  }
}
type Streamed = { seq: number; kind: string; status?: string; text?: string }

test('a turn that one replica performs is streamed by the other while it is written', async () => {
  const first = gate()
  world.upstream.fallback(() => ({ pieces: ['The first half ', () => first.opened, 'and the second.'] }))
  const task = await world.create(ada, FILES)
  const seen: Streamed[] = []
  const following = follow(await other.listen(), task, (event) => {
    seen.push(event)
    if (event.text?.startsWith('The first half')) first.open()
  })
  await world.start(ada, task)
  await Promise.all([world.perform(), following])
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, i) => i + 1))
  expect(seen.map(({ text = '' }) => text).join('')).toBe('The first half and the second.')
  expect(seen).toMatchObject(
    await world.events(ada, task).then((events) => events.map(({ kind }) => ({ kind }))),
  )
})

test('a stop on one replica ends the turn on the other after its step', async () => {
  const task = await world.create(ada, FILES)
  world.upstream.fallback(() => ({
    ...WRITE,
    pieces: [() => other.call('POST', `/tasks/${task}/stop`, { as: ada }), 'I write.'],
  }))
  expect(await world.turn(ada, task)).toMatchObject({ stopReason: 'stopped' })
  expect(world.upstream.requests).toHaveLength(1)
  expect((await holdsOf(task)).map(({ state }) => state)).toEqual(['settled'])
})

test('of several turns at once on both replicas exactly one starts', async () => {
  const task = await world.create(ada, FILES)
  const servers = [world.server, other, world.server, other, world.server, other]
  const replies = await Promise.all(servers.map((server, n) => startOn(server, task, `race-${n}`)))
  expect(replies.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409, 409])
  for (const { status, body } of replies) if (status === 409) expect(body.code).toBe('turn_running')
  await Promise.all([world.perform(), other.app.jobs.drain()])
  expect((await world.read(ada, task)).turns).toMatchObject([{ stopReason: 'completed' }])
  expect(world.upstream.requests).toHaveLength(1)
})

test('the same key on both replicas starts one turn', async () => {
  const task = await world.create(ada, FILES)
  const replies = await Promise.all([world.server, other].map((server) => startOn(server, task, 'same')))
  const again = await startOn(other, task, 'same')
  expect(again.status).toBe(202)
  for (const { status, text, body } of replies)
    if (status === 202) expect(text).toBe(again.text)
    else expect([status, body.code]).toEqual([409, 'idempotency_in_progress'])
  await other.app.jobs.drain()
  expect((await world.read(ada, task)).turns).toMatchObject([{ id: again.body.turnId }])
})

test('results that arrive at the other replica continue the turn there', async () => {
  world.upstream.fallback(byStep(calls(['list', {}]), 'Done.'))
  const task = await world.create(ada, { kind: 'client', name: 'my-laptop' })
  await world.turn(ada, task)
  const results = [{ callId: 'call_1_2', ok: true, output: 'a.txt' }]
  await other.call('POST', `/tasks/${task}/tool-results`, { as: ada, body: { results } })
  await other.app.jobs.drain()
  expect((await world.read(ada, task)).turns).toMatchObject([{ stopReason: 'completed', summary: 'Done.' }])
})

test('a replica that stalls in a call is replaced: only the lost call is repeated, and its late answer is not charged', async () => {
  const stalled = gate()
  const arrived = gate()
  const script = byStep(WRITE, 'Done.')
  let asked = 0
  world.upstream.fallback((request) => {
    if (++asked !== 2) return script(request)
    arrived.open()
    return { pieces: ['Too ', () => stalled.opened, 'late.'] }
  })
  const task = await world.create(ada, FILES)
  await world.start(ada, task)
  const losing = world.perform()
  await arrived.opened
  // Its lease ends.
  world.server.clock.advance({ minutes: 3 })
  await other.app.jobs.drain()
  const view = await world.read(ada, task)
  expect(view.turns).toMatchObject([{ stopReason: 'completed', summary: 'Done.' }])
  stalled.open()
  await losing
  expect(asked).toBe(3)
  const holds = await holdsOf(task)
  expect(holds.map(({ ref, state }) => [ref.split('.').slice(1).join('.'), state])).toEqual([
    ['1.1', 'settled'],
    ['3.1', expect.stringMatching(/^(released|expired)$/)],
    ['3.2', 'settled'],
  ])
  const charged = holds.reduce((sum, each) => sum + (each.charged ?? 0n), 0n)
  expect(await world.read(ada, task)).toEqual(view)
  expect(view.spentMinor).toBe(charged)
  const { held } = await world.server.sql.one<{ held: bigint }>`
    select held_minor as held from wallets where org_id = ${ada.orgId}`
  expect(held).toBe(0n)
  expect(await world.file(ada, task, 'b.txt')).toBe('two\n')
})
