// The tool `explore`: searches beside the conversation, within its limit.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@cowrie/sdk'
import type { FakeRequest } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { byStep, calls, resultsIn } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createConnection } from '../src/session/connection.ts'
import { createExploreTool, type ExploreTool } from '../src/session/explore.ts'
import { createTaskService } from '../src/session/service.ts'
import { createTransport } from '../src/session/transport.ts'
import { openToolbox } from '../src/tools/open-toolbox.ts'
import { collect, ofKind, turn } from './session-place.ts'
import { createTestToolbox } from './session-tools.ts'
import { type SessionWorld, startSessionWorld } from './session-world.ts'

let stage: SessionWorld
let ada: Person
let place: ReturnType<SessionWorld['place']>
beforeAll(async () => {
  stage = await startSessionWorld()
})
afterAll(() => stage.close())
beforeEach(async () => {
  stage.world.upstream.reset()
  ada = await stage.world.customer()
  place = stage.place()
  writeFileSync(join(place.root, 'a.txt'), 'the answer is 42\n')
})

const isSearch = (request: FakeRequest) => JSON.stringify(request.body).includes('Answer this question about')
const MAIN = byStep(
  calls(['explore', { question: 'What is the answer?' }], ['explore', { question: 'Who asked?' }]),
  'Done.',
)
const SEARCH = byStep(calls(['read', { path: 'a.txt' }]), 'It is 42, says a.txt:1.')
const script = () =>
  stage.world.upstream.fallback((request) => (isSearch(request) ? SEARCH(request) : MAIN(request)))

async function open(explore: ExploreTool, taskId?: string) {
  const toolbox = await openToolbox({
    root: place.root,
    folder: join(place.home, 'tools'),
    env: { PATH: process.env.PATH },
    home: place.home,
    isDataSaver: false,
    groups: [explore],
  })
  return stage.open(place, ada, toolbox, { explore, taskId, budgetMinor: 60_000n })
}
const spentOnAll = async () => {
  const { body } = await stage.world.server.call<{ tasks: { spentMinor: bigint }[] }>(
    'GET',
    '/tasks?archived=true',
    { as: ada },
  )
  return body.tasks.reduce((sum, { spentMinor }) => sum + spentMinor, 0n)
}

test('searches run beside the turn, return their summaries, and count for the session', async () => {
  script()
  const session = await open(createExploreTool())
  const run = collect()
  const outcome = await session.runTurn(turn('Find out.', { maxMinor: 50_000n }), run)
  expect(outcome).toMatchObject({ stopReason: 'completed' })
  const last = stage.world.upstream.requests.findLast((request) => !isSearch(request))
  expect(resultsIn(last as never)).toEqual(['It is 42, says a.txt:1.', 'It is 42, says a.txt:1.'])
  expect(ofKind(run, 'output').map(({ text }) => text)).toContain('read a.txt\n')
  const task = await stage.world.read(ada, session.taskId)
  const explored = await spentOnAll()
  expect(explored).toBeGreaterThan(0n)
  expect(session.meter.spentMinor).toBe(task.spentMinor + explored)
  expect(outcome.spentMinor).toBe(session.meter.spentMinor)
  // The turn and its searches together stay within what was shown.
  expect(task.turns[0]?.maxMinor).toBe(40_000n)
  await expect
    .poll(async () => (await stage.world.read(ada, session.taskId)).budgetMinor)
    .toBe(60_000n - explored)
  expect(session.meter.budgetMinor).toBe(60_000n)
  expect(await session.price({ prompt: 'More.', model: null })).toMatchObject({
    maxMinor: 60_000n - session.meter.spentMinor,
  })
  await session.close()
})

test('a budget that only just covers the turn leaves nothing for searches', async () => {
  stage.world.upstream.fallback(byStep('Done.'))
  const session = await open(createExploreTool())
  const { body: quote } = await stage.world.server.call<{ leastMinor: bigint }>(
    'POST',
    `/tasks/${session.taskId}/quote`,
    { as: ada, body: { prompt: 'Say hello.' } },
  )
  const maxMinor = quote.leastMinor + 1n
  await session.setBudget(maxMinor)
  await session.price({ prompt: 'Say hello.', model: null })
  await session.runTurn(turn('Say hello.', { maxMinor }), collect())
  expect((await stage.world.read(ada, session.taskId)).turns[0]?.maxMinor).toBe(maxMinor)
  await session.close()
})

test('a search can only read', async () => {
  const search = byStep(calls(['create', { path: 'b.txt', content: 'x' }]), 'I could not.')
  stage.world.upstream.fallback((request) => (isSearch(request) ? search(request) : MAIN(request)))
  const session = await open(createExploreTool())
  await session.runTurn(turn('Find out.'), collect())
  expect(place.read('b.txt')).toBeNull()
  await session.close()
})

test('a limit that is too small for a search costs nothing, and the model learns of it', async () => {
  script()
  const session = await open(createExploreTool())
  const price = await session.price({ prompt: 'Find out.', model: null })
  expect(price.affordable).toBe(true)
  const outcome = await session.runTurn(turn('Find out.', { maxMinor: 2_000n }), collect())
  expect(await spentOnAll()).toBe(0n)
  expect(outcome.spentMinor).toBe((await stage.world.read(ada, session.taskId)).spentMinor)
  const last = stage.world.upstream.requests.findLast((request) => !isSearch(request))
  expect(resultsIn(last as never)[0]).toContain('The search failed')
  await session.close()
})

test('a search whose process ended is continued by the next one, and paid once', async () => {
  script()
  const toolbox = createTestToolbox(place.root)
  const transport = createTransport()
  const client = createClient({ baseUrl: stage.url, key: ada.bearer, fetch: transport.fetch })
  const reserved: bigint[] = []
  const settled: bigint[] = []
  const attach = (closed: AbortSignal) => {
    const explore = createExploreTool()
    explore.attach({
      service: createTaskService(client),
      connection: createConnection(() => undefined),
      toolbox,
      folder: join(place.home, 'searches'),
      workspaceName: 'a laptop',
      model: null,
      closed,
      async reserve() {
        reserved.push(10_000n)
        return 10_000n
      },
      settle: async (_, __, spentMinor) => void settled.push(spentMinor),
    })
    return explore
  }
  const call = { callId: 'call_1_2', turnId: 'trn_1', tool: 'explore', input: { question: 'What?' } }
  const { signal } = new AbortController()
  const gone = new AbortController()
  const first = attach(gone.signal)
  const broken = await first.run(call, { signal, onOutput: () => gone.abort(new Error('killed')) })
  expect(broken).toMatchObject({ ok: false, output: 'The search failed: killed' })
  expect(settled).toEqual([])
  const again = await attach(signal).run(call, { signal })
  expect(again).toMatchObject({ ok: true, output: 'It is 42, says a.txt:1.' })
  expect(stage.world.upstream.requests).toHaveLength(2)
  expect([reserved.length, settled]).toEqual([1, [await spentOnAll()]])
  transport.close()
})

test('the cost of an abandoned search is counted before the next turn', async () => {
  script()
  const session = await open(createExploreTool())
  const run = collect({ onEvent: (event) => void (event.kind === 'output' && session.close()) })
  await expect(session.runTurn(turn('Find out.'), run)).rejects.toThrow('the session was closed')
  const again = await open(createExploreTool(), session.taskId)
  await again.runTurn(null, collect())
  await again.runTurn(turn('And now?'), collect())
  const task = await stage.world.read(ada, session.taskId)
  const { body } = await stage.world.server.call<{ tasks: { id: string; spentMinor: bigint }[] }>(
    'GET',
    '/tasks',
    {
      as: ada,
    },
  )
  const searches = body.tasks.filter(({ id }) => id !== session.taskId)
  const explored = searches.reduce((sum, { spentMinor }) => sum + spentMinor, await spentOnAll())
  expect(again.meter.spentMinor).toBe(task.spentMinor + explored)
  await again.close()
})
