// Every client format with every provider format, over a real service.
import { type ModelProviders, startModelProviders } from '@cowrie/testkit/gateway/model-providers.ts'
import { type Customer, spentBy } from '@cowrie/testkit/gateway/openai-api.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

type Json = Record<string, unknown>
type ProviderName = 'openai' | 'anthropic' | 'gemini'

let api: ModelProviders
let ada: Customer
beforeAll(async () => {
  api = await startModelProviders()
  for (const name of ['openai', 'anthropic', 'gemini'] as const) await api.putModel(`on-${name}`, [name])
})
afterAll(() => api.close())
beforeEach(async () => {
  for (const provider of [api.openai, api.anthropic, api.gemini]) provider.reset()
  ada = await api.customer()
})

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const ARGUMENTS = '{"path":"a.txt"}'

type Client = {
  readonly path: (model: string, isStream: boolean) => string
  /** A conversation with a tool call and its result. */
  readonly body: (model: string, isStream: boolean) => Json
  /** The text and the tool calls of an answer, whole or streamed. */
  readonly textIn: (text: string) => string
  readonly errorIn: (body: Json) => unknown
}

const jsonIn = (text: string): Json[] => {
  if (!/^(?:event|data|:)/m.test(text)) return [JSON.parse(text) as Json].flat() as Json[]
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as Json)
}
/** All strings below these field names, joined. */
const stringsIn = (value: unknown, names: ReadonlySet<string>, isIn = false): string => {
  if (typeof value === 'string') return isIn ? value : ''
  if (Array.isArray(value)) return value.map((each) => stringsIn(each, names, isIn)).join('')
  if (value === null || typeof value !== 'object') return ''
  return Object.entries(value)
    .map(([name, each]) => stringsIn(each, names, names.has(name)))
    .join('')
}

const CLIENTS: Readonly<Record<string, Client>> = {
  chat: {
    path: () => '/v1/chat/completions',
    body: (model, stream) => ({
      model,
      stream,
      ...(stream && { stream_options: { include_usage: true } }),
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Read a.txt.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: ARGUMENTS } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'forty-two' },
      ],
      tools: [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters: SCHEMA } }],
    }),
    textIn: (text) => stringsIn(jsonIn(text), new Set(['content'])),
    errorIn: (body) => (body.error as Json).param,
  },
  responses: {
    path: () => '/v1/responses',
    body: (model, stream) => ({
      model,
      stream,
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'Read a.txt.' },
        { type: 'function_call', call_id: 'call_1', name: 'read', arguments: ARGUMENTS },
        { type: 'function_call_output', call_id: 'call_1', output: 'forty-two' },
      ],
      tools: [{ type: 'function', name: 'read', description: 'Reads.', parameters: SCHEMA }],
    }),
    textIn: (text) => {
      const events = jsonIn(text)
      const whole = events.find(({ object }) => object === 'response')
      if (whole) return stringsIn(whole.output, new Set(['text']))
      return events.map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : '')).join('')
    },
    errorIn: (body) => (body.error as Json).param,
  },
  anthropic: {
    path: () => '/v1/messages',
    body: (model, stream) => ({
      model,
      stream,
      max_tokens: 1_000,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: 'Read a.txt.' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a.txt' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'forty-two' }] },
      ],
      tools: [{ name: 'read', description: 'Reads.', input_schema: SCHEMA }],
    }),
    textIn: (text) => stringsIn(jsonIn(text), new Set(['text'])),
    errorIn: (body) => (body.error as Json).message,
  },
  gemini: {
    path: (model, isStream) =>
      `/v1beta/models/${model}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: () => ({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Read a.txt.' }] },
        { role: 'model', parts: [{ functionCall: { name: 'read', args: { path: 'a.txt' } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'read', response: { result: 'forty-two' } } }] },
      ],
      tools: [
        { functionDeclarations: [{ name: 'read', description: 'Reads.', parametersJsonSchema: SCHEMA }] },
      ],
    }),
    textIn: (text) => stringsIn(jsonIn(text), new Set(['text'])),
    errorIn: (body) => (body.error as Json).message,
  },
}

const PROVIDERS = ['openai', 'anthropic', 'gemini'] as const
const PAIRS = Object.keys(CLIENTS).flatMap((client) =>
  PROVIDERS.map((provider) => [client, provider] as const),
)
const clientOf = (name: string): Client => CLIENTS[name] as Client

async function ask(
  client: Client,
  model: string,
  isStream: boolean,
  as = ada,
  body = client.body(model, isStream),
) {
  const response = await api.stream(as, client.path(model, isStream), body)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** 1,000 prompt tokens, of which 600 were cached and 100 written to the cache, and 50 output tokens. */
const USAGE: Readonly<Record<ProviderName, Json>> = {
  openai: {
    prompt_tokens: 1_000,
    completion_tokens: 50,
    total_tokens: 1_050,
    prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 100 },
  },
  anthropic: {
    input_tokens: 300,
    cache_creation_input_tokens: 100,
    cache_read_input_tokens: 600,
    output_tokens: 50,
  },
  gemini: {
    promptTokenCount: 1_000,
    cachedContentTokenCount: 600,
    candidatesTokenCount: 50,
    totalTokenCount: 1_050,
  },
}
/** 300 × 1 + 600 × 0.1 + 100 × 1.25 + 50 × 5 kobo. Gemini does not report writes: 400 × 1 + 600 × 0.1 + 50 × 5. */
const COST: Readonly<Record<ProviderName, bigint>> = { openai: 735n, anthropic: 735n, gemini: 710n }

describe.for(PAIRS)('a %s client with a provider of the format %s', ([name, provider]) => {
  const client = clientOf(name)
  const long = 'word '.repeat(1_200)

  test.for([true, false])('gets the answer and pays each token class (stream: %s)', async (isStream) => {
    api[provider].script({ text: 'The answer is forty-two.', usage: USAGE[provider] })
    const body = client.body(`on-${provider}`, isStream)
    const reply = await ask(client, `on-${provider}`, isStream, ada, withText(body, long))
    expect(reply.status, reply.text).toBe(200)
    expect(client.textIn(reply.text)).toBe('The answer is forty-two.')
    expect(await spentBy(api, ada)).toBe(COST[provider])
    expect(reply.text.includes(`key-of-${provider}`)).toBe(false)
    // Customers see the model by the name that they used.
    expect(reply.text).not.toContain(`-at-${provider}`)
    const sent = JSON.stringify(api[provider].requests.at(-1)?.body)
    for (const part of ['Be brief.', 'Read a.txt.', 'a.txt', 'forty-two', 'Reads.'])
      expect(sent).toContain(part)
  })

  test('gets tool calls', async () => {
    const toolCalls = [{ name: 'read', arguments: ARGUMENTS }]
    api[provider].script({ text: 'Looking.', toolCalls }, { text: 'Looking.', toolCalls })
    for (const isStream of [true, false]) {
      const reply = await ask(client, `on-${provider}`, isStream)
      expect(reply.status, reply.text).toBe(200)
      expect(reply.text).toContain('read')
      expect(reply.text).toContain('a.txt')
    }
  })

  test('pays nothing when the provider fails, before or in the middle of its answer', async () => {
    api[provider].fallback(() => ({ pieces: ['Half of ', 'it '], cutAfter: 2 }))
    const cut = await ask(client, `on-${provider}`, true)
    expect(cut.text).toMatch(/upstream_|UNAVAILABLE|api_error|overloaded/)
    api[provider].fallback(() => ({ status: 500, body: { error: { message: 'broken' } } }))
    const refused = await ask(client, `on-${provider}`, false)
    expect(refused.status).toBe(503)
    expect(await spentBy(api, ada)).toBe(0n)
    expect((await api.money(ada)).heldMinor).toBe(0n)
  })
})

test.for(
  ['anthropic', 'gemini'].flatMap((client) => [
    { client, isStream: false },
    { client, isStream: true },
  ]),
)(
  'a tool call that is no JSON object costs nothing: $client, stream $isStream',
  async ({ client, isStream }) => {
    for (const wrong of ['{"path":"a.txt",}', '[1, 2]', 'read it']) {
      api.openai.script({ toolCalls: [{ name: 'read', arguments: wrong }] })
      const reply = await ask(CLIENTS[client] as Client, 'on-openai', isStream)
      expect(reply.text).toContain('upstream_failed')
    }
    expect(await spentBy(api, ada)).toBe(0n)
  },
)

/** Adds text to the prompt, so that the scripted usage is plausible. */
function withText(body: Json, text: string): Json {
  if ('contents' in body) return { ...body, systemInstruction: { parts: [{ text: `Be brief. ${text}` }] } }
  if ('input' in body) return { ...body, instructions: `Be brief. ${text}` }
  if ('system' in body) return { ...body, system: `Be brief. ${text}` }
  const [, ...rest] = body.messages as Json[]
  return { ...body, messages: [{ role: 'system', content: `Be brief. ${text}` }, ...rest] }
}
