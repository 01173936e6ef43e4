import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import {
  CANARY,
  type Customer,
  eventsIn,
  type OpenAiApi,
  spentBy,
  startOpenAiApi,
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

const RESPONSES = '/v1/responses'
const ask = { model: 'open', input: 'Say hello, please.' }
const used = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
})
const streamOf = async (body: object) => eventsIn(await (await api.stream(ada, RESPONSES, body)).text())
const typesOf = (events: readonly Record<string, unknown>[]) => events.map(({ type }) => type)

describe('through an upstream with only chat completions', () => {
  test('a complete answer has the format of a response and costs its usage', async () => {
    api.upstream.script({ text: 'Good morning.', usage: used(10, 5) })
    const { status, body, headers } = await api.post(ada, RESPONSES, { ...ask, instructions: 'Be brief.' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      object: 'response',
      status: 'completed',
      model: 'small-1',
      store: false,
      output: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Good morning.' }] },
      ],
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15, cost_minor: 15 },
    })
    expect(headers['x-cowrie-cost-minor']).toBe('15')
    expect(api.upstream.requests.at(-1)?.body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Say hello, please.' },
    ])
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test('a stream has its events in order, with sequence numbers', async () => {
    api.upstream.script({ pieces: ['Good ', 'morning.'], usage: used(10, 5) })
    const events = await streamOf({ ...ask, stream: true })
    expect(typesOf(events)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, place) => place))
    expect(events.at(-1)).toMatchObject({
      response: {
        output: [{ content: [{ text: 'Good morning.' }] }],
        usage: { input_tokens: 10, output_tokens: 5, cost_minor: 15, balance_minor: 999_985 },
      },
    })
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test('tool calls are separate items, with their arguments as they come', async () => {
    const tools = [
      { type: 'function', name: 'read', description: 'Reads.', parameters: { type: 'object' }, strict: true },
      { type: 'web_search' },
    ]
    const toolCalls = [
      { name: 'read', arguments: '{"path":"a"}' },
      { name: 'read', arguments: '{"path":"b"}' },
    ]
    api.upstream.script({ pieces: ['Looking. '], toolCalls, usage: used(20, 10) })
    const events = await streamOf({
      ...ask,
      tools,
      tool_choice: { type: 'function', name: 'read' },
      stream: true,
    })
    expect(api.upstream.requests.at(-1)?.body).toMatchObject({
      tools: [{ type: 'function', function: { name: 'read', strict: true } }],
      tool_choice: { type: 'function', function: { name: 'read' } },
    })
    expect(typesOf(events).filter((type) => String(type).includes('function_call'))).toEqual([
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
    ])
    expect(events.at(-1)).toMatchObject({
      response: {
        output: [
          { type: 'message' },
          { type: 'function_call', call_id: 'call_0', name: 'read', arguments: '{"path":"a"}' },
          { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"b"}' },
        ],
      },
    })
  })

  test('an answer at its limit is incomplete', async () => {
    api.upstream.script({ text: 'Good', finish: 'length', usage: used(10, 16) })
    const { body } = await api.post(ada, RESPONSES, { ...ask, max_output_tokens: 16 })
    expect(body).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
    expect(api.upstream.requests.at(-1)?.body.max_tokens).toBe(16)
  })

  test('a failure in the middle is a separate event, and costs nothing', async () => {
    const pause = gate()
    const error = { error: { message: `out of memory at ${CANARY}` } }
    api.upstream.script({ pieces: ['Good ', pause.opened, { data: error }] })
    const response = await api.stream(ada, RESPONSES, { ...ask, stream: true })
    pause.open()
    const events = eventsIn(await response.text())
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'upstream_failed' } },
    })
    expect(await spentBy(api, ada)).toBe(0n)
  })

  test('a client that disconnects pays for the delivered text, and the upstream call is aborted', async () => {
    const pause = gate()
    api.upstream.script({ pieces: ['One two three four five. ', pause.opened, 'never heard'] })
    const leaving = new AbortController()
    const response = await api.stream(ada, RESPONSES, { ...ask, stream: true }, leaving.signal)
    await response.body?.getReader().read()
    leaving.abort()
    await expect.poll(() => api.upstream.aborted).toBe(1)
    const cost = await spentBy(api, ada)
    expect(cost).toBeGreaterThan(8n)
    expect(cost).toBeLessThan(50n)
    pause.open()
  })
})

describe('through an upstream with native responses', () => {
  const response = {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'small-1',
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'Good morning.' }] }],
    usage: {
      input_tokens: 10,
      output_tokens: 5,
      total_tokens: 15,
      output_tokens_details: { reasoning_tokens: 2 },
    },
  }
  // A missing Responses API is cached for a while.
  beforeEach(() => api.server.clock.advance({ hours: 1 }))

  test('an answer is that of the upstream, with its cost', async () => {
    api.upstream.on('/responses', () => ({ body: response }))
    const tools = [{ type: 'function', name: 'read' }, { type: 'web_search' }]
    const extra = { service_tier: 'flex', metadata: { a: 'b' } }
    const { body, headers } = await api.post(ada, RESPONSES, { ...ask, tools, include: ['x'], ...extra })
    expect(headers['x-cowrie-ignored']).toBe('tools[web_search], service_tier, metadata')
    expect(body).toMatchObject({ ...response, usage: { ...response.usage, cost_minor: 15 } })
    expect(api.upstream.requests.at(-1)?.body).toMatchObject({
      model: 'small-1',
      store: false,
      include: ['x'],
      max_output_tokens: 8192,
      tools: [{ type: 'function', name: 'read' }],
    })
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test('a stream is passed on, and its last event waits for the settlement', async () => {
    const say = (type: string, rest: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
    const text =
      say('response.created', { response: { ...response, status: 'in_progress', usage: null } }) +
      say('response.output_text.delta', { delta: 'Good morning.' }) +
      say('response.completed', { sequence_number: 2, response })
    api.upstream.on('/responses', () => ({ headers: { 'content-type': 'text/event-stream' }, body: text }))
    const events = await streamOf({ ...ask, stream: true })
    expect(typesOf(events)).toEqual(['response.created', 'response.output_text.delta', 'response.completed'])
    expect(events.at(-1)).toMatchObject({ response: { usage: { cost_minor: 15 } }, sequence_number: 2 })
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test('a reported failure costs nothing', async () => {
    const event = { type: 'response.failed', response: { ...response, error: { message: CANARY } } }
    const text = `data: {"type":"response.output_text.delta","delta":"Good"}\n\ndata: ${JSON.stringify(event)}\n\n`
    api.upstream.on('/responses', () => ({ headers: { 'content-type': 'text/event-stream' }, body: text }))
    const reply = await api.post(ada, RESPONSES, { ...ask, stream: true })
    expect(reply.text).toContain('upstream_failed')
    expect(reply.text).not.toContain(CANARY)
    expect(await spentBy(api, ada)).toBe(0n)
  })
})

test.for<[string, object, string]>([
  ['an earlier answer', { previous_response_id: 'resp_1' }, 'previous_response_id'],
  ['a conversation', { conversation: 'conv_1' }, 'conversation'],
  ['a stored prompt', { prompt: { id: 'pmpt_1' } }, 'prompt'],
  ['background work', { background: true }, 'background'],
  ['no input', { input: [] }, 'input'],
  ['a stored item', { input: [{ type: 'item_reference', id: 'x' }] }, 'input.0'],
])('%s is not supported, and the error names the field', async ([, rest, param]) => {
  const reply = await api.post(ada, RESPONSES, { ...ask, ...rest })
  expect(reply).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error', param } } })
  expect(await spentBy(api, ada)).toBe(0n)
})

describe('embeddings', () => {
  test('come from the upstream and cost their prompt tokens', async () => {
    const input = ['first text', 'second text']
    const { status, body } = await api.post(ada, '/v1/embeddings', { model: 'open', input, dimensions: 8 })
    expect(status).toBe(200)
    expect((body.data as { embedding: number[] }[]).map(({ embedding }) => embedding.length)).toEqual([8, 8])
    expect(await spentBy(api, ada)).toBe(BigInt((body.usage as { total_tokens: number }).total_tokens))
  })

  test.for<[string, object, number]>([
    ['no embeddings', { status: 404, body: {} }, 503],
    ['too few vectors', { body: { object: 'list', data: [] } }, 502],
    ['nonsense', { body: 'nonsense' }, 502],
  ])('of an upstream with %s are rejected and cost nothing', async ([, how, status]) => {
    api.upstream.on('/embeddings', () => how)
    expect((await api.post(ada, '/v1/embeddings', { model: 'open', input: 'text' })).status).toBe(status)
    expect(await spentBy(api, ada)).toBe(0n)
  })

  test.for<[string, unknown, number]>([
    ['a list of tokens', [1, 2, 3], 1],
    ['lists of tokens', [[1, 2], [3]], 2],
  ])('can be made of %s, which are counted where the upstream does not', async ([, input, count]) => {
    const embedding = [1, 0]
    const data = Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding }))
    api.upstream.on('/embeddings', () => ({ body: { object: 'list', model: 'small-1', data } }))
    const reply = await api.post(ada, '/v1/embeddings', { model: 'open', input })
    expect(reply).toMatchObject({ status: 200, body: { data: { length: count } } })
    expect(await spentBy(api, ada)).toBe(3n)
  })

  test.for<[string, unknown]>([
    ['texts and tokens', ['text', 3]],
    ['negative tokens', [1, -2]],
    ['nothing', ''],
    ['a list of nothing', []],
  ])('are not made of %s', async ([, input]) => {
    const reply = await api.post(ada, '/v1/embeddings', { model: 'open', input })
    expect(reply).toMatchObject({ status: 400, body: { error: { param: expect.stringMatching(/^input/) } } })
  })
})
