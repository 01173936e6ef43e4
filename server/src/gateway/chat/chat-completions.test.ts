import { type FakeReply, gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import {
  CANARY,
  type Customer,
  eventsIn,
  type OpenAiApi,
  spentBy,
  startOpenAiApi,
  textIn,
} from '@cowrie/testkit/gateway/openai-api.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let api: OpenAiApi
let ada: Customer
beforeAll(async () => {
  api = await startOpenAiApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  api.upstream.reset()
  ada = await api.customer()
})

const CHAT = '/v1/chat/completions'
const messages = [{ role: 'user', content: 'Say hello, please.' }]
const hello = { model: 'open', messages }
const used = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
})
const sent = () => api.upstream.requests.at(-1)?.body ?? {}

describe('a complete answer', () => {
  test('is that of the upstream, and its headers contain its cost', async () => {
    api.upstream.script({ text: 'Good morning.', usage: used(11, 4) })
    const reply = await api.post(ada, CHAT, { ...hello, temperature: 0.5 })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      model: 'small-1',
      choices: [{ message: { content: 'Good morning.' }, finish_reason: 'stop' }],
      usage: used(11, 4),
    })
    expect(reply.headers).toMatchObject({
      'x-cowrie-cost-minor': '15',
      'x-cowrie-balance-minor': '999985',
      'x-cowrie-lane': 'open',
    })
    expect(sent()).toMatchObject({ model: 'small-1', messages, temperature: 0.5, max_tokens: 8192 })
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test('is explained like every other charge', async () => {
    await api.post(ada, CHAT, hello)
    const { body } = await api.server.call<{ entries: object[] }>('GET', '/wallet/ledger', {
      as: { bearer: ada.bearer },
    })
    expect(body.entries[0]).toMatchObject({ source: 'gateway' })
  })

  test.for([
    ['frontier', 'big-1', 'frontier', 60n],
    ['cowrie/frontier', 'big-1', 'frontier', 60n],
    ['cowrie/open', 'small-1', 'open', 6n],
  ] as const)('for %s comes from %s at the price of its lane', async ([model, served, lane, cost]) => {
    api.upstream.script({ text: 'Yes.', usage: used(4, 2) })
    const reply = await api.post(ada, CHAT, { ...hello, model })
    expect(reply.headers['x-cowrie-lane']).toBe(lane)
    expect(reply.body.model).toBe(served)
    expect(await spentBy(api, ada)).toBe(cost)
  })

  test('for frontier comes from open when the policy allows only that, and the reply names the model', async () => {
    await api.server.sql.rows`update orgs set allowed_lanes = '{open}' where id = ${ada.orgId}`
    const reply = await api.post(ada, CHAT, { ...hello, model: 'frontier' })
    expect(reply.headers['x-cowrie-lane']).toBe('open')
    expect(reply.body.model).toBe('small-1')
  })

  test('passes tools and their calls through, with numbers unchanged', async () => {
    const parameters = {
      type: 'object',
      properties: { priceMinor: { multipleOf: 0.5, exampleMinor: 10.25 } },
    }
    const tools = [{ type: 'function', function: { name: 'buy', parameters } }]
    api.upstream.script({ toolCalls: [{ name: 'buy', arguments: '{"priceMinor":5}' }], usage: used(9, 9) })
    const reply = await api.post(ada, CHAT, { ...hello, tools, tool_choice: 'auto' })
    expect(sent()).toMatchObject({ tools, tool_choice: 'auto' })
    expect(reply.body).toMatchObject({
      choices: [{ finish_reason: 'tool_calls', message: { tool_calls: [{ function: { name: 'buy' } }] } }],
    })
    expect(await spentBy(api, ada)).toBe(18n)
  })

  test('asks the upstream to store nothing, to buy nothing and to use its default tier', async () => {
    const reply = await api.post(ada, CHAT, {
      ...hello,
      store: true,
      metadata: { a: 'b' },
      service_tier: 'priority',
      models: ['big-1'],
      provider: { order: ['dear'] },
      plugins: [{ id: 'web' }],
      web_search_options: {},
      best_of: 20,
      modalities: ['audio'],
      prediction: { type: 'content', content: 'x' },
      tools: [{ type: 'web_search' }, { google_search: {} }],
      tool_choice: 'auto',
    })
    expect(Object.keys(sent()).sort()).toEqual(['max_tokens', 'messages', 'model', 'stream'])
    const ignored = String(reply.headers['x-cowrie-ignored']).split(', ').sort()
    expect(ignored).toEqual([
      'best_of',
      'metadata',
      'modalities',
      'models',
      'plugins',
      'prediction',
      'provider',
      'service_tier',
      'store',
      'tools[google_search]',
      'tools[web_search]',
      'web_search_options',
    ])
  })

  test('names no field that is passed on or changes nothing, and at most 20 others', async () => {
    const passed = { top_k: 5, reasoning: { effort: 'low' }, reasoning_effort: 'low', n: 1, seed: 1 }
    const reply = await api.post(ada, CHAT, {
      ...hello,
      ...passed,
      store: false,
      service_tier: 'auto',
      metadata: null,
    })
    expect(sent()).toMatchObject(passed)
    expect(reply.headers).not.toHaveProperty('x-cowrie-ignored')
    const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field_${at}`, at]))
    const many = await api.post(ada, CHAT, { ...hello, ...unknown })
    expect(String(many.headers['x-cowrie-ignored']).split(', ')).toHaveLength(20)
  })

  test.for<[string, unknown]>([
    ['is missing', 'none'],
    ['is null', null],
    ['is negative', used(-5, 3)],
    ['is a fraction', used(1.5, 3)],
    ['is text', { prompt_tokens: '9', completion_tokens: '9' }],
    ['has more output than the limit', used(9, 1_000_000)],
    ['has more prompt than was sent', used(1_000_000, 9)],
    ['is zero for a text', used(9, 0)],
  ])('whose usage %s is counted by us', async ([, usage]) => {
    api.upstream.script({ text: 'Good morning to all of you.', usage })
    const reply = await api.post(ada, CHAT, hello)
    const { prompt_tokens, completion_tokens, total_tokens } = reply.body.usage as ReturnType<typeof used>
    expect(prompt_tokens).toBeGreaterThan(3)
    expect(prompt_tokens).toBeLessThan(25)
    expect(completion_tokens).toBeGreaterThan(3)
    expect(completion_tokens).toBeLessThan(25)
    expect(await spentBy(api, ada)).toBe(BigInt(total_tokens))
  })
})

describe('a stream', () => {
  test('is passed on byte for byte, with nothing added', async () => {
    api.upstream.script({ pieces: ['Good ', 'morning, ', '"Ada"\n'], usage: used(10, 5) })
    const response = await api.stream(ada, CHAT, { ...hello, stream: true })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(response.headers.get('x-cowrie-lane')).toBe('open')
    const text = await response.text()
    const events = eventsIn(text)
    expect(textIn(events)).toBe('Good morning, "Ada"\n')
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
    expect(text).not.toContain('usage')
    expect(sent()).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test('with requested usage contains its cost', async () => {
    api.upstream.script({ text: 'Good morning.', usage: { ...used(10, 5), extra: 'kept' } })
    const asked = { ...hello, stream: true, stream_options: { include_usage: true } }
    const events = eventsIn(await (await api.stream(ada, CHAT, asked)).text())
    expect(events.at(-1)).toMatchObject({
      choices: [],
      usage: { ...used(10, 5), extra: 'kept', cost_minor: 15, balance_minor: 999_985 },
    })
    expect(events.filter((event) => event.usage)).toHaveLength(1)
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test.for<[string, Exclude<FakeReply, string>, bigint]>([
    ['in its last chunk', { usageIn: 'last' }, 15n],
    ['in every chunk', { usageIn: 'every' }, 15n],
    ['with carriage returns', { lineEnd: '\r\n' }, 15n],
    ['with carriage returns alone', { lineEnd: '\r' }, 15n],
    ['with a byte order mark', { byteOrderMark: true }, 15n],
    ['without a space after the colon', { tight: true }, 15n],
    ['in packets of seven bytes', { packetBytes: 7 }, 15n],
    ['with two end markers', { done: 2 }, 15n],
    ['without an end marker', { done: 0 }, 15n],
    [
      'after comments',
      { pieces: [{ comment: 'PROCESSING' }, 'Good ', { comment: 'still' }, 'mörning 👋.'] },
      15n,
    ],
    ['as one JSON object', { whole: true }, 15n],
  ])('that reports usage %s arrives completely and is charged by it', async ([, how, cost]) => {
    api.upstream.script({ pieces: ['Good ', 'mörning 👋.'], usage: used(10, 5), ...how })
    const asked = { ...hello, stream: true, stream_options: { include_usage: true } }
    const text = await (await api.stream(ada, CHAT, asked)).text()
    expect(textIn(eventsIn(text.replaceAll('data:{', 'data: {').replaceAll('\r', '')))).toBe(
      'Good mörning 👋.',
    )
    expect(text.match(/\[DONE\]/g)).toHaveLength(1)
    expect(await spentBy(api, ada)).toBe(cost)
  })

  test.for<[string, unknown]>([
    ['none', 'none'],
    ['an implausible one', used(10, 999_999)],
  ])('with %s for usage is counted by us, and reports that count', async ([, usage]) => {
    api.upstream.script({ pieces: ['One, two, ', 'three, \\"four\\".'], usage })
    const asked = { ...hello, stream: true, stream_options: { include_usage: true } }
    const events = eventsIn(await (await api.stream(ada, CHAT, asked)).text())
    const [{ total_tokens = 0, cost_minor = 0 } = {}] = events
      .slice(-1)
      .map(({ usage: told }) => told as { total_tokens: number; cost_minor: number })
    expect(total_tokens).toBeGreaterThan(8)
    expect(total_tokens).toBeLessThan(50)
    expect(BigInt(cost_minor)).toBe(await spentBy(api, ada))
    expect(cost_minor).toBe(total_tokens)
  })

  test('whose client disconnects stops the upstream and costs the prompt and the delivered text', async () => {
    const pause = gate()
    api.upstream.script({ pieces: ['One two three four five six seven. ', pause.opened, 'never heard'] })
    const leaving = new AbortController()
    const response = await api.stream(ada, CHAT, { ...hello, stream: true }, leaving.signal)
    const reader = response.body?.getReader()
    await reader?.read()
    leaving.abort()
    await expect.poll(() => api.upstream.aborted).toBe(1)
    const cost = await spentBy(api, ada)
    pause.open()
    expect(cost).toBeGreaterThan(10n)
    expect(cost).toBeLessThan(50n)
  })

  const BEGINNING = {
    choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
  }
  test.for<[string, Exclude<FakeReply, string>]>([
    ['before any byte', { hang: true }],
    ['before the first text', { pieces: [{ data: BEGINNING }, 'never said'], hangAfter: 1 }],
  ])('whose client disconnects %s costs nothing', async ([, how]) => {
    api.upstream.script(how)
    const leaving = new AbortController()
    const asking = api.stream(ada, CHAT, { ...hello, stream: true }, leaving.signal)
    await expect.poll(() => api.upstream.requests.length).toBe(1)
    // One whole other call later, the output has arrived.
    await api.post(await api.customer(0n), CHAT, hello)
    leaving.abort()
    await expect(asking).rejects.toThrow()
    await expect.poll(() => api.upstream.open).toBe(0)
    expect(await spentBy(api, ada)).toBe(0n)
  })
})

test('a complete answer whose client has gone is aborted and costs nothing', async () => {
  api.upstream.script({ hang: true })
  const leaving = new AbortController()
  const asking = api.stream(ada, CHAT, hello, leaving.signal)
  await expect.poll(() => api.upstream.requests.length).toBe(1)
  leaving.abort()
  await expect(asking).rejects.toThrow()
  await expect.poll(() => api.upstream.open).toBe(0)
  expect(await spentBy(api, ada)).toBe(0n)
})

describe('a failure of the upstream before the first text is an error that costs nothing:', () => {
  test.for<[string, Exclude<FakeReply, string>, number, string]>([
    [
      'our key is rejected',
      { status: 401, body: { error: { message: `bad key ${CANARY}` } } },
      503,
      'upstream_refused',
    ],
    [
      'it is overloaded',
      { status: 429, headers: { 'retry-after': '9' }, body: {} },
      503,
      'upstream_unavailable',
    ],
    [
      'its model does not exist',
      { status: 404, body: { error: { message: 'no such model' } } },
      503,
      'upstream_unavailable',
    ],
    ['it returns invalid text', { body: 'nonsense' }, 502, 'upstream_failed'],
    ['it returns truncated JSON', { body: '{"choices":[{"mess' }, 502, 'upstream_failed'],
    ['it returns an empty answer', { text: '' }, 502, 'upstream_failed'],
    ['it returns our key', { text: `Your key is ${CANARY}.` }, 502, 'upstream_failed'],
    [
      'it rejects our account',
      { status: 400, body: { error: { message: 'Your account is not active' } } },
      502,
      'upstream_failed',
    ],
  ])('%s', async ([, how, status, code]) => {
    for (const stream of [false, true]) {
      api.upstream.script(how, how, how)
      const reply = await api.post(ada, CHAT, { ...hello, stream })
      expect(reply.status).toBe(status)
      expect(reply.body).toMatchObject({ error: { code, type: 'server_error' } })
      expect(reply.text).not.toContain(CANARY)
      api.upstream.reset()
    }
    expect(await spentBy(api, ada)).toBe(0n)
    expect(api.server.logged.join('')).not.toContain(CANARY)
  })

  test('its retry delay is passed on', async () => {
    api.upstream.script({ status: 429, headers: { 'retry-after': '9' }, body: {} })
    expect((await api.post(ada, CHAT, hello)).headers['retry-after']).toBe('9')
  })
})

test('an error about the input of the caller is passed on', async () => {
  const message = "Invalid schema for function 'buy': type is missing."
  api.upstream.script({ status: 400, body: { error: { message, code: 'invalid_function_parameters' } } })
  const reply = await api.post(ada, CHAT, { ...hello, stream: true })
  expect(reply).toMatchObject({ status: 400, body: { error: { message, type: 'invalid_request_error' } } })
  expect(await spentBy(api, ada)).toBe(0n)
})

test('a prompt that is too long is rejected with the code that clients expect', async () => {
  const body = { error: { message: 'too much', code: 'context_length_exceeded' } }
  api.upstream.script({ status: 400, body })
  const reply = await api.post(ada, CHAT, hello)
  expect(reply).toMatchObject({ status: 400, body: { error: { code: 'context_length_exceeded' } } })
})

test('an upstream with another name for the output limit is called with that name', async () => {
  const message = "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
  api.upstream.script({ status: 400, body: { error: { message } } })
  const reply = await api.post(ada, CHAT, { ...hello, model: 'frontier', max_tokens: 50 })
  expect(reply.status).toBe(200)
  expect(sent()).toMatchObject({ max_completion_tokens: 50 })
  expect(sent()).not.toHaveProperty('max_tokens')
})

describe('a failure of the upstream in the middle ends the stream with an error and costs nothing:', () => {
  type Failing = (pause: Promise<void>) => FakeReply
  async function expectFailure(at: OpenAiApi, failing: Failing) {
    const bisi = await at.customer()
    const pause = gate()
    at.upstream.script(failing(pause.opened))
    const response = await at.stream(bisi, CHAT, { ...hello, max_tokens: 100, stream: true })
    expect(response.status).toBe(200)
    pause.open()
    const text = await response.text()
    const code = expect.stringMatching(/^upstream_/)
    expect(eventsIn(text).at(-1)).toMatchObject({ error: { type: 'server_error', code } })
    expect(text).not.toContain(CANARY)
    expect(text).not.toContain('out of memory')
    expect(await spentBy(at, bisi)).toBe(0n)
    await expect.poll(() => at.upstream.open).toBe(0)
  }

  test.for<[string, Failing]>([
    ['it disconnects', (pause) => ({ pieces: ['Good ', pause, 'morning', 'x'], cutAfter: 2 })],
    ['it ends without a finish reason', () => ({ pieces: ['Good '], finish: null, done: 0, usage: 'none' })],
    [
      'it reports an error',
      (pause) => ({ pieces: ['Good ', pause, { data: { error: { message: 'out of memory', code: 500 } } }] }),
    ],
    ['it returns our key', (pause) => ({ pieces: ['Good ', pause, CANARY] })],
  ])('%s', async ([, failing]) => {
    await expectFailure(api, failing)
  })

  test('it stops sending', async () => {
    // A separate server, so that a slow machine does not count as silence in the others.
    const impatient = await startOpenAiApi({ SERVICE_UPSTREAM_IDLE_MS: '300' })
    await expectFailure(impatient, () => ({ pieces: ['Good ', 'morning'], hangAfter: 1 }))
    await impatient.close()
  })
})
