// Upstreams that send malformed answers: the caller gets a clean error in its own wire and pays nothing.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { type FakeAnswer, gate, type StreamPiece } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import {
  type Customer,
  eventsIn,
  type OpenAiApi,
  spentBy,
  startOpenAiApi,
  textIn,
} from '@cowrie/testkit/gateway/openai-api.ts'
import OpenAI from 'openai'
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
const RESPONSES = '/v1/responses'
const messages = [{ role: 'user' as const, content: 'Say hello, please.' }]
const hello = { model: 'open', messages }
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const clientOf = ({ key }: { key: string }) =>
  new OpenAI({ apiKey: key, baseURL: `${api.address}/v1`, maxRetries: 0 })

const chunk = (choice: object): StreamPiece => ({
  data: { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'small-1', choices: [choice] },
})
const raw = (bytes: string | Buffer): StreamPiece => ({ raw: bytes })
const half = { index: 0, id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a' } }

const BEGINNING = chunk({ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null })

const MALFORMED: [string, StreamPiece[]][] = [
  ['a truncated event', [raw('data: {"id":"c","choices":[{"delta":{"content":"Hal\n\n')]],
  ['an event that is not JSON', [raw('data: oops\n\n')]],
  ['an event that is not an object', [{ data: 42 }]],
  [
    'bytes that are not UTF-8',
    [raw(Buffer.from('data: {"choices":[{"delta":{"content":"\xff\xfe"}}]}\n\n', 'latin1'))],
  ],
  ['choices that are not a list', [{ data: { id: 'c', choices: 'none' } }]],
  ['a delta that is not an object', [chunk({ index: 0, delta: 'Hello', finish_reason: null })]],
  ['content that is a number', [chunk({ index: 0, delta: { content: 7 }, finish_reason: null })]],
  ['tool calls that are not a list', [chunk({ index: 0, delta: { tool_calls: {} }, finish_reason: null })]],
  ['a finish reason that is a number', [chunk({ index: 0, delta: {}, finish_reason: 1 })]],
  ['an error object', [{ data: { error: { message: 'boom' } } }]],
  ['an event over the size limit', [raw('data: '), raw(Buffer.alloc(3 * 1024 * 1024, 'x'))]],
  [
    'truncated tool call arguments',
    [
      chunk({ index: 0, delta: { tool_calls: [half] }, finish_reason: null }),
      chunk({ index: 0, delta: {}, finish_reason: 'tool_calls' }),
    ],
  ],
]

describe('a malformed event in the middle of a stream', () => {
  test.for(MALFORMED)('(%s) reaches a chat client as an error, and costs nothing', async ([, pieces]) => {
    const pause = gate()
    api.upstream.script({ pieces: ['Good ', pause.opened, ...pieces, 'morning.'], usage })
    const stream = await clientOf(ada).chat.completions.create({ ...hello, stream: true })
    pause.open()
    const received: string[] = []
    const reading = (async () => {
      for await (const { choices } of stream) received.push(choices[0]?.delta.content ?? '')
    })()
    await expect(reading).rejects.toMatchObject({ code: 'upstream_failed' })
    await expect(reading).rejects.toBeInstanceOf(OpenAI.APIError)
    expect(received.join('')).toBe('Good ')
    expect(await spentBy(api, ada)).toBe(0n)
  })

  test.for(MALFORMED)(
    '(%s) reaches a responses client as a failed response, and costs nothing',
    async ([, pieces]) => {
      const pause = gate()
      api.upstream.script({ pieces: ['Good ', pause.opened, ...pieces, 'morning.'], usage })
      const response = await api.stream(ada, RESPONSES, { model: 'open', input: 'Hello', stream: true })
      pause.open()
      const events = eventsIn(await response.text())
      expect(events.at(-1)).toMatchObject({
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'upstream_failed' } },
      })
      expect(await spentBy(api, ada)).toBe(0n)
    },
  )

  test('of a native responses stream ends it with an error, and costs nothing', async () => {
    api.server.clock.advance({ hours: 1 })
    const delta = 'data: {"type":"response.output_text.delta","delta":"Good"}\n\n'
    for (const bad of [
      'data: {"type":"respon\n\n',
      'data: 7\n\n',
      'data: {"type":"error","message":"x"}\n\n',
    ]) {
      const body = `${delta}${bad}${delta}`
      api.upstream.on(RESPONSES.slice(3), () => ({ headers: { 'content-type': 'text/event-stream' }, body }))
      const reply = await api.post(ada, RESPONSES, { model: 'open', input: 'Hello', stream: true })
      expect(reply.text).toContain('upstream_failed')
      expect(reply.text).not.toContain(bad)
    }
    expect(await spentBy(api, ada)).toBe(0n)
  })
})

test.for<[string, FakeAnswer]>([
  [
    'an HTML page with status 200',
    { headers: { 'content-type': 'text/html' }, body: `<html>\n\n${'<p>Welcome</p>\n\n'.repeat(20_000)}` },
  ],
  ['truncated tool call arguments', { toolCalls: [{ name: 'read', arguments: '{"path":"a' }], usage }],
  [
    'bytes that are not UTF-8',
    {
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(
        '{"choices":[{"index":0,"message":{"content":"\xff"},"finish_reason":"stop"}]}',
        'latin1',
      ),
    },
  ],
])('%s for an answer costs nothing, streamed or not', async ([, answer]) => {
  for (const stream of [false, true]) {
    api.upstream.script(answer)
    const reply = await api.post(ada, CHAT, { ...hello, stream })
    expect(reply.text).toContain('upstream_failed')
    expect(reply.text).not.toContain('Welcome')
  }
  expect(await spentBy(api, ada)).toBe(0n)
})

test('tool call arguments that the output limit cut are passed on and charged', async () => {
  api.upstream.script({ toolCalls: [{ name: 'read', arguments: '{"path":"a' }], finish: 'length', usage })
  expect((await api.post(ada, CHAT, hello)).status).toBe(200)
  expect(await spentBy(api, ada)).toBe(15n)
})

test('a stream with [DONE] and no finish reason gets one, so that clients accept the charged answer', async () => {
  api.upstream.script({ pieces: [BEGINNING, 'Good morning.'], finish: null, usage })
  const completion = await clientOf(ada).chat.completions.stream(hello).finalChatCompletion()
  expect(completion.choices[0]).toMatchObject({
    message: { content: 'Good morning.' },
    finish_reason: 'stop',
  })
  expect(await spentBy(api, ada)).toBe(15n)
})

test('keep-alive events are not passed on', async () => {
  api.upstream.script({
    pieces: ['Good ', raw('data:\n\n'), { data: { type: 'ping' } }, raw('event: ping\n\n'), 'morning.'],
    usage,
  })
  const text = await (await api.stream(ada, CHAT, { ...hello, stream: true })).text()
  expect(text).not.toContain('ping')
  expect(textIn(eventsIn(text))).toBe('Good morning.')
  expect(await spentBy(api, ada)).toBe(15n)
})

describe('an upstream that compresses its answers', () => {
  const completion = {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'small-1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Good morning.' }, finish_reason: 'stop' }],
    usage,
  }
  const events =
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: 'Good morning.' }, finish_reason: 'stop' }], usage })}\n\n` +
    'data: [DONE]\n\n'

  test.for([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const)('with %s is supported, streamed or not', async ([encoding, compress]) => {
    const headers = { 'content-encoding': encoding, 'content-type': 'application/json' }
    api.upstream.script({ headers, body: compress(JSON.stringify(completion)) })
    expect((await api.post(ada, CHAT, hello)).body).toMatchObject(completion)
    api.upstream.script({
      headers: { ...headers, 'content-type': 'text/event-stream' },
      body: compress(events),
    })
    const text = await (await api.stream(ada, CHAT, { ...hello, stream: true })).text()
    expect(textIn(eventsIn(text))).toBe('Good morning.')
    expect(await spentBy(api, ada)).toBe(30n)
  })

  test.for<[string, string, Buffer]>([
    ['and truncates it', 'gzip', gzipSync(JSON.stringify(completion)).subarray(0, 60)],
    ['with a wrong content encoding', 'gzip', Buffer.from(JSON.stringify(completion))],
    ['with an unknown content encoding', 'lzma', Buffer.from(JSON.stringify(completion))],
  ])('%s fails, and costs nothing', async ([, encoding, body]) => {
    api.upstream.fallback(() => ({
      headers: { 'content-encoding': encoding, 'content-type': 'application/json' },
      body,
    }))
    const reply = await api.post(ada, CHAT, hello)
    expect(reply).toMatchObject({ status: 502, body: { error: { code: 'upstream_failed' } } })
    expect(await spentBy(api, ada)).toBe(0n)
  })
})

describe('a field that the upstream omits is filled in', () => {
  const bare = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
    usage,
  }
  const filled = { id: expect.stringMatching(/^chatcmpl/), created: expect.any(Number), model: 'small-1' }

  test('in a complete answer', async () => {
    api.upstream.script({ body: bare })
    const { body } = await api.post(ada, CHAT, hello)
    expect(body).toMatchObject({ ...filled, object: 'chat.completion', choices: bare.choices, usage })
  })

  test('in every chunk of a stream, with one id', async () => {
    const piece = (delta: object, finish_reason: string | null = null) => ({
      data: { choices: [{ index: 0, delta, finish_reason }] },
    })
    api.upstream.script({
      pieces: [piece({ content: 'Good ' }), piece({ content: 'morning.' }), piece({}, 'stop')],
      finish: null,
      usage: 'none',
    })
    const asked = { ...hello, stream: true, stream_options: { include_usage: true } }
    const events = eventsIn(await (await api.stream(ada, CHAT, asked)).text())
    expect(events).toHaveLength(4)
    for (const event of events) expect(event).toMatchObject({ ...filled, object: 'chat.completion.chunk' })
    expect(new Set(events.map(({ id }) => id)).size).toBe(1)
    expect(textIn(events)).toBe('Good morning.')
  })
})

describe('an upstream that returns one JSON object for a stream request', () => {
  test('is streamed to a responses client through chat completions', async () => {
    api.upstream.script({ text: 'Good morning.', whole: true, usage })
    const final = await clientOf(ada).responses.stream({ model: 'open', input: 'Hello' }).finalResponse()
    expect(final).toMatchObject({ output_text: 'Good morning.', status: 'completed' })
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test('is streamed to a responses client of native responses', async () => {
    api.server.clock.advance({ hours: 1 })
    const output = [
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Good morning.', annotations: [] }],
      },
      {
        id: 'fc_1',
        type: 'function_call',
        status: 'completed',
        call_id: 'call_1',
        name: 'read',
        arguments: '{}',
      },
    ]
    const response = {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'small-1',
      output,
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    }
    api.upstream.on('/responses', () => ({ body: response }))
    const stream = clientOf(ada).responses.stream({ model: 'open', input: 'Hello' })
    const deltas: string[] = []
    stream.on('response.output_text.delta', ({ delta }) => deltas.push(delta))
    const final = await stream.finalResponse()
    expect(deltas.join('')).toBe('Good morning.')
    expect(final).toMatchObject({ id: 'resp_1', output, usage: { total_tokens: 15, cost_minor: 15 } })
    expect(await spentBy(api, ada)).toBe(15n)
  })
})

describe('embeddings have the requested encoding', () => {
  const vector = [0.5, -0.25, 1]
  const packed = Buffer.from(new Float32Array(vector).buffer).toString('base64')
  const listOf = (embedding: unknown) => ({
    body: {
      object: 'list',
      model: 'small-1',
      data: [{ object: 'embedding', index: 0, embedding }],
      usage: { prompt_tokens: 3, total_tokens: 3 },
    },
  })

  test.for<[string, unknown, unknown]>([
    ['base64', vector, packed],
    ['base64', packed, packed],
    ['float', packed, vector],
    ['float', vector, vector],
  ])('%s of %o', async ([encoding_format, given, expected]) => {
    api.upstream.on('/embeddings', () => listOf(given))
    const { body } = await api.post(ada, '/v1/embeddings', { model: 'open', input: 'text', encoding_format })
    expect(body).toMatchObject({ data: [{ embedding: expected }] })
    expect(await spentBy(api, ada)).toBe(3n)
  })

  test.for<[string, unknown]>([
    ['values that are not numbers', [0.5, 'x']],
    ['nothing', null],
    ['invalid base64', 'not base64!'],
  ])('and %s fail, and cost nothing', async ([, given]) => {
    api.upstream.on('/embeddings', () => listOf(given))
    expect((await api.post(ada, '/v1/embeddings', { model: 'open', input: 'text' })).status).toBe(502)
    expect(await spentBy(api, ada)).toBe(0n)
  })
})

describe('an answer that the content filter of the upstream ended', () => {
  const filtered = { text: 'Well, ', finish: 'content_filter', usage }

  test('has its finish reason for a chat client', async () => {
    api.upstream.script(filtered, filtered)
    expect((await api.post(ada, CHAT, hello)).body).toMatchObject({
      choices: [{ finish_reason: 'content_filter' }],
    })
    const text = await (await api.stream(ada, CHAT, { ...hello, stream: true })).text()
    expect(text).toContain('"finish_reason":"content_filter"')
  })

  test('is incomplete for a responses client', async () => {
    const incomplete = { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
    api.upstream.script(filtered, filtered)
    expect((await api.post(ada, RESPONSES, { model: 'open', input: 'Hello' })).body).toMatchObject(incomplete)
    const response = await api.stream(ada, RESPONSES, { model: 'open', input: 'Hello', stream: true })
    expect(eventsIn(await response.text()).at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: incomplete,
    })
  })
})

test.for([CHAT, RESPONSES])(
  'an endless answer at %s is cut near its limit as `length` and costs no more than that',
  async (path) => {
    api.upstream.script({ pieces: ['and so on it goes, '], endless: true })
    const response = await api.stream(ada, path, {
      ...hello,
      input: 'Hello',
      max_tokens: 200,
      max_output_tokens: 200,
      stream: true,
    })
    const text = await response.text()
    expect(text.length).toBeLessThan(150_000)
    expect(text).toMatch(/"finish_reason":"length"|"reason":"max_output_tokens"/)
    const cost = await spentBy(api, ada)
    expect(cost).toBeGreaterThan(200n)
    expect(cost).toBeLessThan(260n)
  },
)
