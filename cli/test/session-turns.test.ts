// Sessions against the real service with a scripted model.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@cowrie/sdk'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { byStep, calls, resultsIn } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listSessions } from '../src/session/stored.ts'
import { createTransport } from '../src/session/transport.ts'
import type { Toolbox } from '../src/session/types.ts'
import { collect, notesOf, ofKind, type SessionFolder, turn } from './session-place.ts'
import { createTestToolbox } from './session-tools.ts'
import { type SessionWorld, startSessionWorld } from './session-world.ts'

let stage: SessionWorld
let ada: Person
let place: SessionFolder
beforeAll(async () => {
  stage = await startSessionWorld()
})
afterAll(() => stage.close())
beforeEach(async () => {
  stage.world.upstream.reset()
  ada = await stage.world.customer()
  place = stage.place()
})
const lastResults = () => resultsIn(stage.world.upstream.requests.at(-1) as never)
const textOf = (lines: number) => Array.from({ length: lines }, (_, i) => `line ${i} of the file\n`).join('')

test('a turn runs its calls here, shows them, and ends with its cost', async () => {
  stage.world.upstream.fallback(
    byStep(
      calls(['read', { path: 'a.txt' }], ['list', {}]),
      calls(['create', { path: 'b.txt', content: 'b' }], ['run', { command: 'npm test' }]),
      'Done.',
    ),
  )
  writeFileSync(join(place.root, 'a.txt'), 'hello')
  const toolbox = createTestToolbox(place.root)
  const session = await stage.open(place, ada, toolbox, { budgetMinor: 90_000n })
  const price = await session.price({ prompt: 'Write b.', model: null })
  expect(price).toMatchObject({ maxMinor: 90_000n, passesBudget: false, affordable: true })
  const run = collect()
  const outcome = await session.runTurn(turn('Write b.'), run)
  expect(outcome).toMatchObject({ stopReason: 'completed', summary: 'Done.', verified: false })
  expect(outcome.spentMinor).toBeGreaterThan(0n)
  expect(lastResults()).toEqual(['hello', 'list done', 'created', 'exit code 0\nworking'])
  expect(place.lines('ran.txt')).toEqual(['npm test'])
  expect(ofKind(run, 'report').map(({ call, report }) => [call.tool, report.ok])).toEqual([
    ['read', true],
    ['list', true],
    ['create', true],
    ['run', true],
  ])
  expect(ofKind(run, 'text')).toMatchObject([{ isNew: true, text: 'Done.' }])
  expect(run.events.at(-1)).toEqual({ kind: 'ended', outcome })
  expect(session.meter).toMatchObject({ spentMinor: outcome.spentMinor, budgetMinor: 90_000n })
  expect(session.openTurnId).toBeNull()
  const { spentMinor } = await stage.world.read(ada, session.taskId)
  expect(session.meter.spentMinor).toBe(spentMinor)
  await session.close()
  expect(await listSessions({ state: place.state }, place.root)).toMatchObject({
    sessions: [{ taskId: session.taskId, title: 'Write b.', spentMinor, isOpen: false, isBusy: false }],
    damaged: [],
  })
})

test('calls that only read run together; others wait for each other in the order of the model', async () => {
  stage.world.upstream.fallback(
    byStep(
      calls(
        ['read', { path: '1' }],
        ['read', { path: '2' }],
        ['run', { command: 'sleep 20' }],
        ['read', { path: '3' }],
        ['create', { path: 'b', content: 'b' }],
      ),
      'Done.',
    ),
  )
  const both = Promise.withResolvers<void>()
  const toolbox = createTestToolbox(place.root, {
    async during({ callId }) {
      if (callId === 'call_1_3') both.resolve()
      if (callId === 'call_1_2') await both.promise
    },
  })
  const session = await stage.open(place, ada, toolbox)
  await session.runTurn(turn('Go.'), collect())
  const [first, second, run, third, create] = ['2', '3', '4', '5', '6'].map((n) => `call_1_${n}`)
  expect(new Set(toolbox.trace.slice(0, 2))).toEqual(new Set([`+${first}`, `+${second}`]))
  expect(toolbox.trace.slice(4)).toEqual([
    `+${run}`,
    `-${run}`,
    `+${third}`,
    `-${third}`,
    `+${create}`,
    `-${create}`,
  ])
  await session.close()
})

/** Opens a session and records the results that it sends. */
async function openRecorded(toolbox: Toolbox) {
  const transport = createTransport()
  const sent: Record<string, unknown>[][] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    if (String(input).endsWith('/tool-results')) sent.push(JSON.parse(String(init?.body)).results)
    return transport.fetch(input, init)
  }
  const client = createClient({ baseUrl: stage.url, key: ada.bearer, fetch })
  return { sent, session: await stage.open(place, ada, toolbox, { client, bytes: transport.bytes }) }
}

test('a file that was read before is sent as the difference, and the model sees it whole', async () => {
  stage.world.upstream.fallback(
    byStep(calls(['read', { path: 'a.txt' }]), calls(['read', { path: 'a.txt' }]), 'Done.'),
  )
  const texts = [textOf(400), `${textOf(200)}new\n${textOf(400)}`]
  const toolbox = createTestToolbox(place.root, {
    during: async () => writeFileSync(join(place.root, 'a.txt'), texts.shift() ?? ''),
  })
  const { session, sent } = await openRecorded(toolbox)
  await session.runTurn(turn('Read it twice.'), collect())
  expect(sent.map(([result]) => Object.keys(result ?? {}))).toEqual([
    ['callId', 'ok', 'output'],
    ['callId', 'ok', 'base', 'sha256', 'delta'],
  ])
  expect(JSON.stringify(sent[1]).length).toBeLessThan(250)
  expect(lastResults()[1]).toBe(`${textOf(200)}new\n${textOf(400)}`)
  await session.close()
})

test('a result that the service has changed is no base: the next one is sent whole', async () => {
  stage.world.upstream.fallback(
    byStep(calls(['read', { path: 'a.txt' }]), calls(['read', { path: 'a.txt' }]), 'Done.'),
  )
  const secret = `sk_live_${createHash('sha256').update('a test').digest('hex').slice(0, 40)}`
  writeFileSync(join(place.root, 'a.txt'), `${textOf(300)}const key = '${secret}'\n`)
  const { session, sent } = await openRecorded(createTestToolbox(place.root))
  expect(await session.runTurn(turn('Read it twice.'), collect())).toMatchObject({ stopReason: 'completed' })
  expect(sent.map(([result]) => 'base' in (result ?? {}))).toEqual([false, true, false])
  expect(lastResults()[1]).toContain('line 299 of the file')
  expect(JSON.stringify(stage.world.upstream.requests)).not.toContain(secret)
  await session.close()
})

test('a call that needs a decision is asked about, one after another, and a declined or refused one does not run', async () => {
  stage.world.upstream.fallback(
    byStep(
      calls(
        ['run', { command: 'rm x' }],
        ['run', { command: 'ls' }],
        ['create', { path: '/etc/x', content: '' }],
      ),
      'Done.',
    ),
  )
  const toolbox = createTestToolbox(place.root, {
    assess: ({ tool, input }) =>
      tool === 'create'
        ? { kind: 'refused', reason: 'The path is outside of the folder.' }
        : { kind: 'ask', about: 'command', subject: String(input.command), preview: [], patterns: [] },
  })
  const session = await stage.open(place, ada, toolbox)
  const asked: string[] = []
  const run = collect({
    decide: async (_, { subject }) => {
      asked.push(subject)
      return subject === 'ls' ? { allow: true } : { allow: false, reason: 'too dangerous' }
    },
  })
  await session.runTurn(turn('Go.'), run)
  expect(asked).toEqual(['rm x', 'ls'])
  expect(place.lines('ran.txt')).toEqual(['ls'])
  expect(lastResults()).toEqual([
    expect.stringContaining('The user declined this call: too dangerous.'),
    'exit code 0\nworking',
    expect.stringContaining('The path is outside of the folder.'),
  ])
  await session.close()
})

test('a stopped turn ends soon, its command is stopped, and the next turn tells the model', async () => {
  stage.world.upstream.fallback(
    byStep(
      calls(['create', { path: 'b.txt', content: 'b' }], ['run', { command: 'sleep 60000' }]),
      'Done.',
      'Done.',
    ),
  )
  const session = await stage.open(place, ada, createTestToolbox(place.root))
  const stop = new AbortController()
  const run = collect({
    signal: stop.signal,
    onEvent: (event) => {
      run.events.push(event)
      if (event.kind === 'output') stop.abort()
    },
  })
  const outcome = await session.runTurn(turn('Go.'), run)
  expect(outcome).toMatchObject({ stopReason: 'stopped' })
  expect(ofKind(run, 'report').at(-1)?.report).toMatchObject({ ok: false, summary: 'stopped' })
  expect(session.openTurnId).toBeNull()
  const asked = stage.world.upstream.requests.length
  expect(await session.runTurn(turn('And now?'), collect())).toMatchObject({ stopReason: 'completed' })
  const request = JSON.stringify(stage.world.upstream.requests.at(-1)?.body)
  expect(stage.world.upstream.requests).toHaveLength(asked + 1)
  expect(request).toContain('The user stopped this call before it had finished.')
  expect(request).toContain('sleep 60000')
  await session.close()
})

test('a turn that was started on the web is continued here', async () => {
  stage.world.upstream.fallback(byStep('Hello.', calls(['read', { path: 'a.txt' }]), 'Read.'))
  writeFileSync(join(place.root, 'a.txt'), 'hello')
  const session = await stage.open(place, ada, createTestToolbox(place.root))
  const { spentMinor } = await session.runTurn(turn('Hi.'), collect())
  const started = await stage.world.start(ada, session.taskId, { prompt: 'Read a.' })
  await expect(session.runTurn(turn('Something else.'), collect())).rejects.toMatchObject({
    code: 'turn_running',
  })
  expect(session.openTurnId).toBe(started)
  const run = collect()
  const outcome = await session.runTurn(null, run)
  expect(outcome).toMatchObject({ turnId: started, stopReason: 'completed', summary: 'Read.' })
  expect(notesOf(run)).toEqual(['elsewhere'])
  expect(session.meter.spentMinor).toBe(spentMinor + outcome.spentMinor)
  await session.close()
})

test('the cost of a web turn that ran without the session is counted, and refresh finds an open one', async () => {
  stage.world.upstream.fallback(byStep('One.', 'Two.', 'Three.', calls(['list', {}]), 'Four.'))
  const session = await stage.open(place, ada, createTestToolbox(place.root))
  await session.runTurn(turn('1'), collect())
  await stage.world.start(ada, session.taskId, { prompt: '2' })
  await expect.poll(async () => (await stage.world.read(ada, session.taskId)).status).toBe('idle')
  await session.runTurn(turn('3'), collect())
  expect(session.meter.spentMinor).toBe((await stage.world.read(ada, session.taskId)).spentMinor)
  const started = await stage.world.start(ada, session.taskId, { prompt: '4' })
  await session.refresh()
  expect(session.openTurnId).toBe(started)
  await session.runTurn(null, collect())
  await session.close()
})

test('the budget of the session is that of the task, and a turn above the shown price is refused', async () => {
  stage.world.upstream.fallback(() => 'Done.')
  const session = await stage.open(place, ada, createTestToolbox(place.root), { budgetMinor: 1_000n })
  const price = await session.price({ prompt: 'Go.', model: null })
  expect(price.maxMinor).toBe(1_000n)
  await expect(session.runTurn(turn('Go.', { maxMinor: 1_001n }), collect())).rejects.toMatchObject({
    code: 'above_shown_price',
  })
  expect(stage.world.upstream.requests).toEqual([])
  await session.setBudget(2_000n)
  expect(session.meter.budgetMinor).toBe(2_000n)
  expect(await stage.world.read(ada, session.taskId)).toMatchObject({ budgetMinor: 2_000n })
  await session.price({ prompt: 'Go.', model: null })
  const { spentMinor } = await session.runTurn(turn('Go.', { maxMinor: 2_000n }), collect())
  await expect(session.setBudget(spentMinor - 1n)).rejects.toMatchObject({
    code: 'budget_too_low',
    leastMinor: spentMinor,
  })
  await session.setBudget(spentMinor + 1n)
  expect(await session.price({ prompt: 'Go.', model: null })).toMatchObject({
    maxMinor: 1n,
    passesBudget: true,
    affordable: false,
  })
  await session.close()
})

test('an empty wallet ends with a clear error, and nothing is left behind', async () => {
  const poor = await stage.world.customer(0n)
  const session = await stage.open(place, poor, createTestToolbox(place.root), { title: 'Kept' })
  await expect(session.runTurn(turn('Go.'), collect())).rejects.toMatchObject({ status: 402 })
  expect(session.openTurnId).toBeNull()
  await session.close()
  const again = await stage.open(place, poor, createTestToolbox(place.root), { taskId: session.taskId })
  expect([again.openTurnId, again.notices]).toEqual([null, []])
  await again.close()
})

test('tools and conventions of this computer reach the model, also after they changed', async () => {
  stage.world.upstream.fallback(() => 'Done.')
  const toolbox = createTestToolbox(place.root)
  toolbox.text = 'Use tabs.'
  toolbox.definitions.push({
    name: 'todo',
    description: 'The list of things to do.',
    inputSchema: { type: 'object', properties: {} },
    isReadOnly: false,
  })
  const session = await stage.open(place, ada, toolbox)
  await session.runTurn(turn('1'), collect())
  const first = JSON.stringify(stage.world.upstream.requests.at(-1)?.body)
  expect(first).toContain('Use tabs.')
  expect(first).toContain('"todo"')
  toolbox.text = 'Use spaces.'
  toolbox.definitions.length = 0
  await session.runTurn(turn('2', { mode: 'plan' }), collect())
  const second = JSON.stringify(stage.world.upstream.requests.at(-1)?.body)
  expect(second).toContain('Use spaces.')
  expect(second).not.toContain('"todo"')
  await session.close()
})

test('a second terminal gets an error that names the first', async () => {
  const session = await stage.open(place, ada, createTestToolbox(place.root), { title: 'Kept' })
  const again = () => stage.open(place, ada, createTestToolbox(place.root), { taskId: session.taskId })
  await expect(again()).rejects.toMatchObject({
    code: 'session_busy',
    message: `This session is open in another terminal (process ${process.pid} on ${hostname()}).`,
  })
  await session.close()
  await (await again()).close()
})
