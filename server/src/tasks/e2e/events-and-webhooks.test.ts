// The view of other systems on a task: the events of its stream as the API describes them, and its webhooks.
import {
  addEndpoint,
  matchingSignatures,
  type Receiver,
  sendDue,
  startReceiver,
} from '@cowrie/testkit/fakes/webhook-receiver.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { byStep, calls, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { fromJson } from '../../kernel/json.ts'
import { appendEvents } from '../events.ts'
import { TaskFrame } from '../frame-schema.ts'
import type { TaskId } from '../types.ts'

let world: TaskWorld
let receiver: Receiver
let address: string
beforeAll(async () => {
  receiver = await startReceiver()
  world = await startTaskWorld({ variables: { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off' } })
  address = await world.server.listen()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

type Frame = z.output<typeof TaskFrame>

/** No field may be missing in the description. */
const strict = TaskFrame.options.map((option) => option.strict())
function expectDescribed(frame: Frame): void {
  const described = strict.find(({ shape }) => shape.kind.value === frame.kind)
  expect(described?.safeParse({ ...frame, at: new Date(frame.at) }).error, frame.kind).toBeUndefined()
}

/** The first events of the stream. */
async function readStream({ bearer }: Person, task: string, count: number, headers = {}): Promise<Frame[]> {
  const stop = new AbortController()
  const response = await fetch(`${address}/tasks/${task}/stream?after=0`, {
    headers: { authorization: `Bearer ${bearer}`, ...headers },
    signal: stop.signal,
  })
  const frames: Frame[] = []
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const [, id, data] = /^id: (\d+)\ndata: (.*)$/.exec(part) ?? []
      if (data === undefined) continue
      const frame = fromJson(data) as Frame
      expect(frame.seq).toBe(Number(id))
      frames.push(frame)
    }
    if (frames.length >= count) break
  }
  stop.abort()
  return frames.slice(0, count)
}

const WORKFLOW = '.github/workflows/ci.yml'
/** Few tokens and many characters. */
const LARGE = ' '.repeat(300_000)

test('every event is described field by field, and a browser continues after the last one', async () => {
  const ada = await world.customer()
  world.upstream.fallback(
    byStep(
      calls(['read', { path: 'a.js' }]),
      calls(['edit', { path: 'a.js', edits: [{ find: '1', replace: '2' }] }]),
      calls(['create', { path: WORKFLOW, content: 'on: push\n' }]),
      'Done.',
    ),
  )
  const task = await world.create(ada, { 'a.js': 'export const a = 1\n' })
  await world.turn(ada, task)
  const { needs } = await world.read(ada, task)
  expect(needs).toMatchObject([{ kind: 'approval', tool: 'create', input: { path: WORKFLOW } }])
  await approve(ada, task, needs[0]?.callId)
  await world.perform()
  const { turns } = await world.read(ada, task)
  await world.server.call('POST', `/tasks/${task}/revert`, { as: ada, body: { turnId: turns[0]?.id } })
  const { lastSeq } = await world.read(ada, task)
  const frames = await readStream(ada, task, lastSeq)
  expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, i) => i + 1))
  const all = [...frames, ...(await clientEvents(ada))]
  for (const frame of all) expectDescribed(frame)
  const described = strict.map(({ shape }) => shape.kind.value).filter((kind) => kind !== 'reasoning')
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(described))
  expect(await readStream(ada, task, 2, { 'last-event-id': String(lastSeq - 2) })).toEqual(frames.slice(-2))
})

const approve = (as: Person, task: string, approvalId: string | undefined, allow = true) =>
  world.server.call('POST', `/tasks/${task}/approvals`, { as, body: { approvalId, allow } })

async function clientEvents(ada: Person): Promise<Frame[]> {
  world.upstream.fallback(byStep(calls(['read', { path: 'a.js' }]), 'Read.'))
  const task = await world.create(ada, { kind: 'client', name: 'demo' })
  await world.turn(ada, task)
  const { lastSeq } = await world.read(ada, task)
  return readStream(ada, task, lastSeq)
}

test('the stream of a removed member ends, although the task is theirs, and so does that of a session that signs out', async () => {
  const ada = await world.customer()
  const member = await world.server.member(ada.orgId, 'member')
  const browser = world.server.visitor()
  await browser.call('POST', '/auth/dev-login', { body: { email: ada.email } })
  const cookie = `service_session=${browser.cookies.get('service_session')}`
  const follow = async (owner: Person, headers: Record<string, string>) => {
    const task = (await world.create(owner, { kind: 'client', name: 'demo' })) as TaskId
    const response = await fetch(`${address}/tasks/${task}/stream?after=0`, { headers })
    expect(response.status).toBe(200)
    const stream = { task, hasEnded: false }
    void response.text().finally(() => {
      stream.hasEnded = true
    })
    return stream
  }
  const streams = [
    await follow(member, { authorization: `Bearer ${member.bearer}` }),
    await follow(ada, { cookie }),
  ]
  await world.server.sql
    .rows`delete from memberships where user_id = ${member.userId} and org_id = ${ada.orgId}`
  expect((await browser.call('POST', '/auth/logout')).status).toBe(200)
  const { db } = world.server.app
  const continueAll = async () => {
    for (const { task } of streams)
      await db.tx(ada.orgId, (tx) => appendEvents(tx, task, null, [{ kind: 'status', status: 'queued' }]))
    return streams.map(({ hasEnded }) => hasEnded)
  }
  await expect.poll(continueAll).toEqual([true, true])
})

test('a call with a very large input is announced without it, and the input can be read', async () => {
  const ada = await world.customer()
  world.upstream.fallback(byStep(calls(['create', { path: 'b.txt', content: LARGE }]), 'Created.'))
  const task = await world.create(ada, { kind: 'client', name: 'demo' })
  await world.turn(ada, task)
  const { status, needs } = await world.read(ada, task)
  expect(status).toBe('waiting')
  const callId = needs[0]?.callId ?? ''
  const input = { path: 'b.txt', content: LARGE }
  expect(needs).toMatchObject([{ tool: 'create', input }])
  const event = (await world.events(ada, task)).find(({ kind }) => kind === 'needs_tool')
  expect(event).toMatchObject({ callId, input: null, isInputOmitted: true })
  const { body } = await world.server.call('GET', `/tasks/${task}/tool-results/${callId}`, { as: ada })
  expect(body).toMatchObject({ input, output: null })
})

test('a webhook tells once that a turn waits for an approval, and once that it ended', async () => {
  const ada = await world.customer()
  const path = `/${ada.orgId}`
  const { secret } = await addEndpoint(world.server, ada, receiver.url + path, {
    events: ['task.turn.finished', 'task.needs_approval'],
  })
  world.upstream.fallback(
    byStep(
      calls(['edit', { path: 'a.js', edits: [{ find: '1', replace: '2' }] }]),
      calls(['edit', { path: 'a.js', edits: [{ find: '2', replace: '3' }] }]),
      calls(['create', { path: WORKFLOW, content: 'on: push\n' }]),
      'Done.',
    ),
  )
  const task = await world.create(ada, { 'a.js': 'export const a = 1\n' })
  const { id: turnId } = await world.turn(ada, task)
  await sendDue(world.server)
  const [need] = (await world.read(ada, task)).needs
  const about = { taskId: task, turnId }
  const asked = {
    type: 'task.needs_approval',
    data: { ...about, approvalId: need?.callId, tool: 'create', reason: 'protected_file' },
  }
  expect(received(path)).toEqual([asked])
  // A repeated decision is no new fact.
  for (let time = 0; time < 2; time++) await approve(ada, task, need?.callId)
  await world.perform()
  await world.perform()
  await sendDue(world.server)
  const [turn] = (await world.read(ada, task)).turns
  const ended = { ...about, ordinal: 1, stopReason: 'completed', verified: false, changedFiles: 2 }
  expect(received(path)).toEqual([
    asked,
    { type: 'task.turn.finished', data: { ...ended, spentMinor: turn?.spentMinor } },
  ])
  for (const webhook of receiver.at(path)) {
    expect(matchingSignatures(secret, webhook)).toEqual([0])
    expect(webhook.text).not.toContain(WORKFLOW)
  }
})

test('the end of a turn with a declined call, and of a stopped turn, is reported once', async () => {
  const ada = await world.customer()
  const path = `/${ada.orgId}`
  await addEndpoint(world.server, ada, receiver.url + path, { events: ['task.turn.finished'] })
  world.upstream.fallback(byStep(calls(['create', { path: WORKFLOW, content: 'on: push\n' }]), 'I cannot.'))
  const declined = await world.create(ada, { 'a.js': '1' })
  await world.turn(ada, declined)
  await approve(ada, declined, (await world.read(ada, declined)).needs[0]?.callId, false)
  await world.perform()
  const stopped = await world.create(ada, { 'a.js': '1' })
  await world.start(ada, stopped)
  for (let time = 0; time < 2; time++) await world.server.call('POST', `/tasks/${stopped}/stop`, { as: ada })
  await world.perform()
  await sendDue(world.server)
  expect(received(path).map(({ data }) => data)).toMatchObject([
    { taskId: declined, stopReason: 'completed', changedFiles: 0 },
    { taskId: stopped, stopReason: 'stopped', changedFiles: 0, spentMinor: 0n },
  ])
})

const received = (path: string) => receiver.at(path).map(({ body: { type, data } }) => ({ type, data }))
