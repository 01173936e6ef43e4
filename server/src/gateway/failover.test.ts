// A model with several providers: a failure before the first output moves the call to the next one.
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type ModelProviders, startModelProviders } from '@cowrie/testkit/gateway/model-providers.ts'
import { type Customer, eventsIn, spentBy } from '@cowrie/testkit/gateway/openai-api.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let api: ModelProviders
let ada: Customer
let count = 0
/** Each test has its own model, whose circuits are closed. */
const model = () => `pair-${count}`
beforeAll(async () => {
  api = await startModelProviders({ SERVICE_UPSTREAM_SILENCE_MS: '200' })
})
afterAll(() => api.close())
beforeEach(async () => {
  for (const provider of [api.upstream, api.openai, api.anthropic, api.gemini]) {
    await provider.revive()
    provider.reset()
  }
  count++
  await api.putModel(model(), ['openai', 'anthropic'])
  ada = await api.customer()
})

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const COST = 10n + 25n
const chat = (rest: object = {}) => ({
  model: model(),
  messages: [{ role: 'user', content: 'Hello' }],
  ...rest,
})
const ask = (body: object, headers: Record<string, string> = {}) =>
  fetch(`${api.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const answers = { text: 'From the second.', usage: { input_tokens: 10, output_tokens: 5 } }

describe('a call whose first provider', () => {
  test.for<[string, object]>([
    ['returns a server error', { status: 500, body: { error: { message: 'broken' } } }],
    [
      'is overloaded',
      { status: 429, headers: { 'retry-after': '30' }, body: { error: { message: 'slow down' } } },
    ],
    ['rejects our key', { status: 401, body: { error: { message: 'Incorrect API key' } } }],
    ['does not have the model', { status: 404, body: { error: { message: 'no such model' } } }],
    ['disconnects', { drop: true }],
    ['sends malformed bytes', { pieces: [{ raw: 'data: {"choices": 7}\n\n' }] }],
    ['ends its stream without an answer', { pieces: [], finish: null, done: 0, usage: 'none' }],
  ])('%s is answered by the second, and costs one answer', async ([, fault]) => {
    for (const stream of [true, false]) {
      api.openai.script(fault)
      api.anthropic.script(answers)
      const reply = await ask(chat({ stream }))
      const text = await reply.text()
      expect(reply.status, text).toBe(200)
      expect(text).toContain('From the')
    }
    expect(await spentBy(api, ada)).toBe(2n * COST)
    expect((await api.money(ada)).heldMinor).toBe(0n)
  })

  test('is not running is answered by the second', async () => {
    await api.openai.kill()
    api.anthropic.script(answers)
    expect((await ask(chat())).status).toBe(200)
    expect(await spentBy(api, ada)).toBe(COST)
  })

  test('is silent until its timeout is answered by the second, in the stream that is already open', async () => {
    const silence = gate()
    api.openai.script({ waitFor: silence.opened, status: 500, body: {} })
    api.anthropic.script(answers)
    const reply = await ask(chat({ stream: true }))
    silence.open()
    const text = await reply.text()
    expect(text).toContain(': keep-alive')
    expect(text).toContain('From the')
    expect(text).not.toContain('error')
    expect(await spentBy(api, ada)).toBe(COST)
  })

  test('fails after its first text is not repeated by another, and costs nothing', async () => {
    api.openai.script({ pieces: ['Half ', 'of it '], cutAfter: 2 })
    const text = await (await ask(chat({ stream: true }))).text()
    expect(eventsIn(text).at(-1)).toMatchObject({ error: { code: 'upstream_failed' } })
    expect(api.anthropic.requests).toEqual([])
    expect(await spentBy(api, ada)).toBe(0n)
  })

  test('rejects the input of the customer is not repeated by another', async () => {
    api.openai.script({ status: 400, body: { error: { message: 'temperature must be at most 2' } } })
    const reply = await ask(chat())
    expect(reply.status).toBe(400)
    expect(await reply.text()).toContain('temperature')
    expect(api.anthropic.requests).toEqual([])
  })

  test('rejects a tool whose name sounds like an account names the tool, and the model by its id', async () => {
    const said = `Invalid schema for function 'list_accounts' of the model ${model()}-at-openai`
    api.openai.script({ status: 400, body: { error: { message: said } } })
    const reply = await ask(chat())
    expect(reply.status).toBe(400)
    expect(await reply.text()).toContain(`'list_accounts' of the model ${model()}"`)
  })

  test.for([
    'User location is not supported for the API use.',
    'Your credit balance is too low.',
    'The project 12345 is suspended.',
  ])('rejects our account (%s) is answered by the second', async (message) => {
    api.openai.script({ status: 400, body: { error: { message } } })
    api.anthropic.script(answers)
    expect((await ask(chat())).status).toBe(200)
    expect(await spentBy(api, ada)).toBe(COST)
  })

  test('fails under an idempotency key stores only the answer of the second', async () => {
    api.openai.script({
      pieces: [{ raw: 'data: {"choices":[{"index":0,"delta":{"role":"assistant"}}]}\n\n' }],
      cutAfter: 1,
    })
    api.anthropic.script(answers)
    const first = await (await ask(chat({ stream: true }), { 'idempotency-key': `k-${count}` })).text()
    const second = await (await ask(chat({ stream: true }), { 'idempotency-key': `k-${count}` })).text()
    expect(second).toBe(first.replaceAll(': keep-alive\n\n', ''))
    expect(first).toContain('From the')
    expect(await spentBy(api, ada)).toBe(COST)
  })
})

test('after three failures the first provider is left alone, and a later trial brings it back', async () => {
  api.openai.fallback(() => ({ status: 500, body: {} }))
  api.anthropic.fallback(() => answers)
  for (let calls = 0; calls < 5; calls++) expect((await ask(chat())).status).toBe(200)
  expect(api.openai.requests).toHaveLength(3)
  api.openai.fallback(() => ({ text: 'Back again.', usage }))
  api.server.clock.advance({ seconds: 6 })
  // A count of tokens chooses a route without a call, and does not use up the trial.
  expect((await api.post(ada, '/v1/messages/count_tokens', chat())).status).toBe(200)
  expect(await (await ask(chat())).text()).toContain('Back again.')
  expect(await (await ask(chat())).text()).toContain('Back again.')
  expect(await spentBy(api, ada)).toBe(7n * COST)
})

test('a call that no provider can answer is an error that costs nothing', async () => {
  api.openai.fallback(() => ({ status: 500, body: {} }))
  api.anthropic.fallback(() => ({ drop: true }))
  const reply = await ask(chat())
  expect(reply.status).toBe(503)
  expect(await spentBy(api, ada)).toBe(0n)
  expect((await api.money(ada)).heldMinor).toBe(0n)
})

test('a field that one provider cannot express is answered by another that can', async () => {
  await api.putModel(model(), ['anthropic', 'openai'])
  api.openai.script({ text: 'With a seed.', usage })
  const reply = await ask(chat({ seed: 7, logit_bias: { 50256: -100 } }))
  expect(await reply.text()).toContain('With a seed.')
  expect(api.openai.requests.at(-1)?.body).toMatchObject({ logit_bias: { 50256: -100 } })
})

test('a field that no provider can express is a 400 that names it', async () => {
  await api.putModel(model(), ['anthropic'])
  const reply = await ask(chat({ logit_bias: { 50256: -100 } }))
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({ error: { param: 'logit_bias' } })
  expect(await spentBy(api, ada)).toBe(0n)
})

test('a lane uses its further routes when the provider of the settings fails', async () => {
  const { status, text } = await api.server.call('PUT', '/admin/models/open', {
    as: api.operator,
    body: { routes: [{ providerId: api.providerIds.gemini, upstreamModel: 'gemini-model' }] },
  })
  expect(status, text).toBe(200)
  api.upstream.fallback(() => ({ status: 500, body: {} }))
  api.gemini.fallback(() => ({
    text: 'The lane goes through.',
    usage: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  }))
  const reply = await ask(chat({ model: 'open' }))
  expect(await reply.text()).toContain('The lane goes through.')
  // The price of a lane does not depend on the provider.
  expect(await spentBy(api, ada)).toBe(15n)
})
