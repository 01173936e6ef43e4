// Sessions over networks that break, and a service that restarts.
import { readdirSync, writeFileSync } from 'node:fs'
import { json, type ReplyWriter, startFakeService } from '@cowrie/testkit/fakes/service.ts'
import { type Person, startTestServer } from '@cowrie/testkit/harness/harness.ts'
import { byStep, calls } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sessionFiles, sessionsFolder } from '../src/session/session-files.ts'
import { listSessions } from '../src/session/stored.ts'
import { type DroppingProxy, startDroppingProxy } from './dropping-proxy.ts'
import { type Relay, startRelay } from './relay.ts'
import { collect, notesOf, ofKind, type SessionFolder, turn } from './session-place.ts'
import { createTestToolbox } from './session-tools.ts'
import { openIn, type SessionWorld, startSessionWorld } from './session-world.ts'

let stage: SessionWorld
let line: DroppingProxy
let relay: Relay
let ada: Person
let place: SessionFolder
beforeAll(async () => {
  stage = await startSessionWorld()
  line = await startDroppingProxy(stage.url)
  relay = await startRelay(stage.url)
})
afterAll(async () => {
  await line.close()
  await relay.close()
  await stage.close()
})
beforeEach(async () => {
  stage.world.upstream.reset()
  line.reconnect()
  line.called.length = 0
  ada = await stage.world.customer()
  place = stage.place()
})

const SCRIPT = byStep(
  calls(['read', { path: 'a.txt' }]),
  calls(['create', { path: 'b.txt', content: 'b' }], ['run', { command: 'test' }]),
  'Done.',
)
const open = (toolbox = createTestToolbox(place.root), taskId?: string) =>
  openIn(place, { url: line.url, bearer: ada.bearer }, toolbox, { taskId })

test('lost answers change nothing: each call runs once, each step is paid once', async () => {
  stage.world.upstream.fallback(SCRIPT)
  const session = await open()
  const path = `/tasks/${session.taskId}`
  line.drop(`POST ${path}/turns`, 'whole', 'whole')
  line.drop(`POST ${path}/tool-results`, 'whole', 'whole')
  const run = collect()
  const outcome = await session.runTurn(turn('Go.'), run)
  expect(outcome).toMatchObject({ stopReason: 'completed' })
  expect(stage.world.upstream.requests).toHaveLength(3)
  expect(place.lines('ran.txt')).toEqual(['test'])
  expect(place.lines('edits.txt')).toHaveLength(1)
  expect((await stage.world.read(ada, session.taskId)).turns).toHaveLength(1)
  expect(ofKind(run, 'text').map(({ text }) => text)).toEqual(['Done.'])
  await session.close()
})

test('a connection that breaks after every event is only a detour', async () => {
  stage.world.upstream.fallback(SCRIPT)
  const session = await openIn(
    place,
    { url: relay.url, bearer: ada.bearer },
    createTestToolbox(place.root, { during: async () => relay.cut() }),
  )
  const run = collect({
    onEvent(event) {
      run.events.push(event)
      if (event.kind === 'call' || event.kind === 'report' || event.kind === 'meter') relay.cut()
    },
  })
  expect(await session.runTurn(turn('Go.'), run)).toMatchObject({ stopReason: 'completed' })
  expect(stage.world.upstream.requests).toHaveLength(3)
  expect(place.lines('ran.txt')).toEqual(['test'])
  expect(ofKind(run, 'text').map(({ text }) => text)).toEqual(['Done.'])
  await session.close()
})

test('a service that restarts in the middle of a turn is waited for', async () => {
  stage.world.upstream.fallback(SCRIPT)
  const session = await openIn(
    place,
    { url: relay.url, bearer: ada.bearer },
    createTestToolbox(place.root, {
      async during({ tool }) {
        if (tool === 'run') relay.leadTo(null)
      },
    }),
  )
  const running = session.runTurn(turn('Go.'), collect())
  await expect.poll(() => place.lines('ran.txt')).toEqual(['test'])
  const next = await startTestServer({
    url: stage.world.server.url,
    background: true,
    variables: stage.variables,
  })
  relay.leadTo(await next.listen())
  expect(await running).toMatchObject({ stopReason: 'completed' })
  expect(stage.world.upstream.requests).toHaveLength(3)
  await session.close()
  relay.leadTo(stage.url)
  await next.close()
})

test('a network that is away is named once, and the turn continues when it is back', async () => {
  stage.world.upstream.fallback(SCRIPT)
  const session = await open(
    createTestToolbox(place.root, {
      async during({ tool }) {
        if (tool === 'run') line.disconnect()
      },
    }),
  )
  const run = collect({
    onEvent(event) {
      run.events.push(event)
      if (event.kind === 'note' && event.note === 'offline') line.reconnect()
    },
  })
  expect(await session.runTurn(turn('Go.'), run)).toMatchObject({ stopReason: 'completed' })
  expect(notesOf(run)).toEqual(['offline', 'online'])
  expect(place.lines('ran.txt')).toEqual(['test'])
  await session.close()
})

test('a turn whose end was missed is shown by the next process', async () => {
  stage.world.upstream.fallback(() => {
    relay.leadTo(null)
    return 'Done.'
  })
  const session = await openIn(place, { url: relay.url, bearer: ada.bearer }, createTestToolbox(place.root))
  const left = session.runTurn(turn('Go.'), collect())
  left.catch(() => undefined)
  await expect
    .poll(async () => (await stage.world.read(ada, session.taskId)).turns[0]?.status)
    .toBe('finished')
  await session.close()
  await left.catch(() => undefined)
  relay.leadTo(stage.url)
  const again = await open(undefined, session.taskId)
  const run = collect()
  expect(await again.runTurn(null, run)).toMatchObject({ stopReason: 'completed', summary: 'Done.' })
  expect(notesOf(run)).toEqual(['resumed'])
  expect(ofKind(run, 'text').map(({ text }) => text)).toEqual(['Done.'])
  expect(again.openTurnId).toBeNull()
  expect(again.meter.spentMinor).toBe((await stage.world.read(ada, session.taskId)).spentMinor)
  await again.close()
})

test('a stopped turn that cannot be reached is stopped by the next process', async () => {
  stage.world.upstream.fallback(SCRIPT)
  const session = await open(
    createTestToolbox(place.root, {
      async during({ tool }) {
        if (tool === 'run') line.disconnect()
      },
    }),
  )
  const stop = new AbortController()
  const run = collect({
    signal: stop.signal,
    onEvent: (event) => void (event.kind === 'output' && stop.abort()),
  })
  const running = session.runTurn(turn('Go.'), run).catch((error: Error) => error)
  await expect.poll(() => stop.signal.aborted).toBe(true)
  await session.close()
  expect(await running).toBeInstanceOf(Error)
  line.reconnect()
  const again = await open(undefined, session.taskId)
  expect(again.openTurnId).not.toBeNull()
  expect(await again.runTurn(null, collect())).toMatchObject({ stopReason: 'stopped' })
  expect(stage.world.upstream.requests).toHaveLength(2)
  await again.close()
})

test('a revoked key ends the turn with a clear error, and the session can be opened with another one', async () => {
  stage.world.upstream.fallback(SCRIPT)
  const key = await stage.world.server.key(ada, ['agent:run', 'wallet:read'])
  const toolbox = createTestToolbox(place.root, {
    async during({ tool }) {
      if (tool === 'run')
        await stage.world.server.sql.rows`update api_keys set revoked_at = now() where id = ${key.id}`
    },
  })
  const session = await openIn(place, { url: line.url, bearer: key.bearer }, toolbox)
  await expect(session.runTurn(turn('Go.'), collect())).rejects.toMatchObject({ status: 401 })
  await session.close()
  const again = await open(undefined, session.taskId)
  expect(await again.runTurn(null, collect())).toMatchObject({ stopReason: 'policy' })
  expect(place.lines('ran.txt')).toEqual(['test'])
  await again.close()
})

test('a damaged state file is renamed and named, and its session continues', async () => {
  stage.world.upstream.fallback(SCRIPT)
  const session = await stage.open(place, ada, createTestToolbox(place.root), { title: 'Kept' })
  await session.close()
  const folder = sessionsFolder({ state: place.state }, place.root)
  const { state } = sessionFiles(folder, session.taskId)
  writeFileSync(state, '{"version":1,"tas')
  const listed = await listSessions({ state: place.state }, place.root)
  expect(listed.sessions).toEqual([])
  expect(listed.damaged).toEqual([expect.stringMatching(/\.json\.damaged-[0-9a-f]{8}$/)])
  writeFileSync(state, 'null')
  const again = await open(undefined, session.taskId)
  expect(again.notices).toEqual([expect.stringContaining('cannot be read. It was moved to')])
  expect(await again.runTurn(turn('Go.'), collect())).toMatchObject({ stopReason: 'completed' })
  await again.close()
  expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toHaveLength(2)
})

test('a session that was deleted is named as such', async () => {
  const session = await open()
  await session.close()
  await stage.world.server.call('DELETE', `/tasks/${session.taskId}`, { as: ada })
  await expect(open(undefined, session.taskId)).rejects.toMatchObject({ code: 'session_gone' })
})

test('a busy service is asked again after its Retry-After', async () => {
  const task = {
    id: `tsk_${'0'.repeat(26)}`,
    title: 'New task',
    workspace: { kind: 'client' },
    ...{ budgetMinor: null, spentMinor: 0, turns: [], needs: [], lastSeq: 0 },
  }
  const busy: ReplyWriter = json(503, { error: 'Later.', code: 'busy' }, { 'retry-after': '0' })
  const me = json(200, { userId: 'usr_1', currency: { code: 'NGN' }, balanceMinor: 5 })
  const service = await startFakeService(busy, me, busy, busy, json(201, task))
  const session = await openIn(place, { url: service.url, bearer: 'csk_test' }, createTestToolbox(place.root))
  expect([session.taskId, service.requests.length]).toEqual([task.id, 5])
  const keys = service.requests.slice(2).map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(1)
  await session.close()
  await service.close()
})
