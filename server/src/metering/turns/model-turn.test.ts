import {
  type FakeReply,
  type FakeUpstream,
  gate,
  startFakeUpstream,
} from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { RESTARTING } from '../../platform/http/reply/sse.ts'
import type { ModelRoute } from '../routing.ts'
import { type ModelTurn, runModelTurn, settleFinished, settleFinishedIn } from './model-turn.ts'

let upstream: FakeUpstream
let server: TestServer
/** A server with a short idle timeout. The other one has a long one, because a busy machine may pause for a second. */
let hasty: TestServer
let ada: Person

beforeAll(async () => {
  upstream = await startFakeUpstream()
  server = await startTestServer()
  hasty = await startTestServer({
    url: server.url,
    clock: server.clock,
    variables: { SERVICE_UPSTREAM_FIRST_BYTE_MS: '1000', SERVICE_UPSTREAM_IDLE_MS: '1000' },
  })
})
afterAll(async () => {
  await hasty.close()
  await server.close()
  await upstream.close()
})
beforeEach(async () => {
  // Calls that an earlier test left open would count in this one.
  await expect.poll(() => upstream.open).toBe(0)
  upstream.reset()
  ada = await server.person()
  await giveCredit(server, ada.orgId, 100_000n)
})

const route = (rest: Partial<ModelRoute> = {}): ModelRoute => ({
  lane: 'open',
  modelId: 'open',
  provider: 'default',
  key: 'default/small-1',
  classPrices: null,
  contextTokens: 128_000,
  outputTokens: null,
  alternatives: [],
  model: 'small-1',
  target: { baseUrl: upstream.url, apiKey: 'sk-canary' },
  isModelPinned: false,
  ...rest,
})
const ask = (rest: Partial<ModelTurn> = {}): ModelTurn => ({
  orgId: ada.orgId,
  userId: ada.userId,
  keyId: null,
  currency: 'NGN',
  ref: newId('gen'),
  source: 'chat',
  route: route(),
  messages: [{ role: 'user', content: 'How much is the fish?' }],
  outputCeiling: 1_000,
  leastOutput: 16,
  spentMicroKobo: 0n,
  signal: new AbortController().signal,
  ...rest,
})
const wallet = async () => {
  const { body } = await server.call<{ balanceMinor: bigint; heldMinor: bigint }>('GET', '/wallet', {
    as: ada,
  })
  return body
}
const refusal = (error: unknown) => (error as { code?: string }).code

test('the worst case is held while the model writes, and the real usage is charged', async () => {
  const door = gate()
  upstream.script({
    pieces: ['A lot', door.opened],
    usage: { prompt_tokens: 1_000, completion_tokens: 9 },
  })
  const heard: string[] = []
  const taking = runModelTurn(
    server.app,
    ask({
      messages: [{ role: 'user', content: 'word '.repeat(2_000) }],
      onText: (text) => void heard.push(text),
    }),
  )
  await expect.poll(() => heard).toEqual(['A lot'])
  const during = await wallet()
  expect(during.heldMinor).toBeGreaterThan(90)
  expect(during.balanceMinor).toBe(100_000n)
  door.open()
  const taken = await taking
  expect(taken.answer).toMatchObject({ text: 'A lot', finish: 'stop' })
  // 1,009 tokens at 90,000 kobo per million cost 90.81 kobo.
  expect(await settleFinished(server.app, taken)).toMatchObject({ chargedMinor: 91n })
  expect(await wallet()).toMatchObject({ balanceMinor: 99_909n, heldMinor: 0n })
})

test('the caller is notified of the hold once, even if another route answers', async () => {
  const { provider, target } = route()
  const second = { key: 'default/small-2', model: 'small-2', provider, target }
  upstream.script(
    { status: 500, body: {} },
    { text: 'Yes.', usage: { prompt_tokens: 10, completion_tokens: 3 } },
  )
  let held = 0
  const alternatives = [{ ...second, providerId: provider, region: null, priority: 1, weight: 1 }]
  const taken = await runModelTurn(
    server.app,
    ask({ route: route({ alternatives }), onHeld: () => void held++ }),
  )
  expect(taken.answer.text).toBe('Yes.')
  expect(upstream.requests.map(({ body }) => body.model)).toEqual(['small-1', 'small-2'])
  expect(held).toBe(1)
})

test('a run is rounded up once, regardless of its number of turns', async () => {
  let spentMicroKobo = 0n
  let charged = 0n
  for (let turn = 0; turn < 4; turn++) {
    upstream.script({ text: 'Yes.', usage: { prompt_tokens: 10, completion_tokens: 3 } })
    const outcome = await settleFinished(server.app, await runModelTurn(server.app, ask({ spentMicroKobo })))
    spentMicroKobo = outcome.spentMicroKobo
    charged += outcome.chargedMinor
  }
  // 52 tokens cost 4.68 kobo.
  expect(charged).toBe(5n)
})

describe('nothing is charged and nothing stays held', () => {
  async function isFree(by: TestServer, reply: FakeReply, code: string): Promise<void> {
    upstream.fallback(() => reply)
    const failed = await runModelTurn(by.app, ask()).catch(refusal)
    expect(failed).toContain(code)
    expect(await wallet()).toMatchObject({ balanceMinor: 100_000n, heldMinor: 0n })
    expect(by.logged.join('')).not.toContain('sk-canary')
  }

  test.for<[string, FakeReply, string]>([
    [
      'when the model disconnects in the middle',
      { pieces: ['Half a', 'sentence'], cutAfter: 1 },
      'upstream_',
    ],
    ['when the answer is empty', { text: '' }, 'upstream_failed'],
    [
      'when our key is wrong',
      { status: 401, body: { error: { message: 'bad key sk-canary' } } },
      'upstream_',
    ],
  ])('%s', ([, reply, code]) => isFree(server, reply, code))

  test('when the model stops sending', () => isFree(hasty, { hangAfter: 0 }, 'upstream_unavailable'))

  test('when the reader of the text fails', async () => {
    const failing = runModelTurn(
      server.app,
      ask({
        onHeld: () => {
          throw new Error('the stream is closed')
        },
      }),
    )
    await expect(failing).rejects.toThrow('the stream is closed')
    expect(upstream.requests).toHaveLength(0)
    expect(await wallet()).toMatchObject({ heldMinor: 0n })
  })

  test('when the service shuts down, also after the first text', async () => {
    const caller = new AbortController()
    upstream.script({ pieces: ['Some words', new Promise(() => undefined)] })
    const taking = runModelTurn(
      server.app,
      ask({ signal: caller.signal, onText: () => caller.abort(RESTARTING) }),
    )
    expect(await taking.catch(refusal)).toBe('upstream_unavailable')
    expect(await wallet()).toMatchObject({ balanceMinor: 100_000n, heldMinor: 0n })
  })

  test('when the customer stops before the first text', async () => {
    const caller = new AbortController()
    upstream.script({ hang: true })
    const taking = runModelTurn(server.app, ask({ signal: caller.signal }))
    await expect.poll(() => upstream.requests).toHaveLength(1)
    caller.abort()
    const taken = await taking
    expect(taken).toMatchObject({ used: null, answer: { finish: 'stopped', text: '' } })
    const outcome = await server.app.db.tx(ada.orgId, (tx) => settleFinishedIn(server.app, tx, taken))
    expect(outcome).toMatchObject({ chargedMinor: 0n, spentMicroKobo: 0n })
    expect(await wallet()).toMatchObject({ balanceMinor: 100_000n, heldMinor: 0n })
  })
})

test('a customer who stops pays for the delivered text, and the model call is aborted', async () => {
  const caller = new AbortController()
  upstream.script({ pieces: ['These words were read.', new Promise(() => undefined), 'These were not.'] })
  const taken = await runModelTurn(server.app, ask({ signal: caller.signal, onText: () => caller.abort() }))
  expect(taken.answer).toMatchObject({ text: 'These words were read.', finish: 'stopped' })
  expect(taken.used?.outputTokens).toBe(5)
  await expect.poll(() => upstream.aborted).toBe(1)
  expect((await settleFinished(server.app, taken)).chargedMinor).toBeGreaterThan(0n)
})

describe('before the request', () => {
  test('an unaffordable turn is rejected with the required and the available amount', async () => {
    const poor = await server.person()
    const failed = await runModelTurn(server.app, ask({ orgId: poor.orgId, userId: poor.userId })).catch(
      (e) => e,
    )
    expect(failed).toMatchObject({ code: 'insufficient_funds', detail: { availableMinor: 0n } })
    expect(upstream.requests).toHaveLength(0)
  })

  test('the output is limited to the affordable length', async () => {
    const poor = await server.person()
    await giveCredit(server, poor.orgId, 10n)
    await settleFinished(
      server.app,
      await runModelTurn(server.app, ask({ orgId: poor.orgId, userId: poor.userId })),
    )
    const [sent] = upstream.requests
    expect(Number(sent?.body.max_tokens)).toBeLessThan(112)
    expect(Number(sent?.body.max_tokens)).toBeGreaterThanOrEqual(16)
  })

  test('the maximum cost limits the output, and rejects a turn that it does not cover', async () => {
    const failed = await runModelTurn(server.app, ask({ maxMinor: 1n })).catch((error) => error)
    expect(failed).toMatchObject({ code: 'budget_too_low', detail: { maxMinor: 1n } })
    const { requiredMinor } = (failed as { detail: { requiredMinor: bigint } }).detail
    const taken = await runModelTurn(server.app, ask({ maxMinor: requiredMinor }))
    expect(taken.turn.maxMinor).toBeLessThanOrEqual(requiredMinor)
    expect((await settleFinished(server.app, taken)).chargedMinor).toBeLessThanOrEqual(requiredMinor)
  })
})

describe('an organisation with a pinned model', () => {
  test('never receives the answer of another model, and does not pay for it', async () => {
    upstream.script({ text: 'From far away', model: 'elsewhere-1' })
    const heard: string[] = []
    const onText = (text: string) => void heard.push(text)
    const failed = runModelTurn(server.app, ask({ route: route({ isModelPinned: true }), onText }))
    expect(await failed.catch(refusal)).toBe('upstream_failed')
    expect(heard).toEqual([])
    expect(await wallet()).toMatchObject({ balanceMinor: 100_000n, heldMinor: 0n })
  })

  test('accepts a version of its model', async () => {
    upstream.script({ text: 'From home', model: 'small-1-2026-11-01' })
    const taken = await runModelTurn(server.app, ask({ route: route({ isModelPinned: true }) }))
    expect(taken.answer.text).toBe('From home')
    await settleFinished(server.app, taken)
  })
})
