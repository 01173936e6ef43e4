// The official Google client library against this API.
import { type FakeReply, gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import {
  type Customer,
  eventsIn,
  type OpenAiApi,
  spentBy,
  startOpenAiApi,
} from '@cowrie/testkit/gateway/openai-api.ts'
import { ApiError, GoogleGenAI } from '@google/genai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let api: OpenAiApi
let ada: Customer
beforeAll(async () => {
  api = await startOpenAiApi({ SERVICE_UPSTREAM_SILENCE_MS: '100' })
  const root = await api.server.person({ staff: 'super_admin' })
  await api.server.call('PUT', `/admin/models/${encodeURIComponent('deepseek/v3:free')}`, {
    as: root,
    body: {
      lane: 'open',
      title: 'DeepSeek',
      routes: [{ providerId: 'prv_default', upstreamModel: 'small-1' }],
      contextTokens: 64_000,
      outputTokens: 8_000,
      capabilities: ['tools', 'reasoning'],
      price: { input: 1_000_000, output: 2_000_000, cachedInput: 500_000, cacheWrite: 1_500_000 },
    },
  })
})
afterAll(() => api.close())
beforeEach(async () => {
  api.upstream.reset()
  ada = await api.customer()
})

const clientOf = ({ key }: { key: string }) =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: api.address } })
const contents = 'Say hello, please.'
const body = { contents: [{ role: 'user', parts: [{ text: contents }] }] }
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

describe('the client', () => {
  test('reads a complete answer', async () => {
    api.upstream.script({ text: 'Good morning.', usage })
    const reply = await clientOf(ada).models.generateContent({ model: 'open', contents })
    expect(reply.text).toBe('Good morning.')
    expect(reply.candidates?.[0]?.finishReason).toBe('STOP')
    expect(reply.usageMetadata).toMatchObject({
      promptTokenCount: 10,
      candidatesTokenCount: 5,
      totalTokenCount: 15,
    })
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test('reads a stream with a function call', async () => {
    const toolCalls = [{ id: 'call_1', name: 'read', arguments: '{"path":"a.ts"}' }]
    api.upstream.script({ text: 'I will look.', toolCalls, usage })
    const tools = [{ functionDeclarations: [{ name: 'read', parametersJsonSchema: { type: 'object' } }] }]
    const config = { tools, systemInstruction: 'You review code.' }
    const stream = await clientOf(ada).models.generateContentStream({ model: 'open', contents, config })
    const parts = (await Array.fromAsync(stream)).flatMap(
      (chunk) => chunk.candidates?.[0]?.content?.parts ?? [],
    )
    expect(parts.map(({ text = '' }) => text).join('')).toBe('I will look.')
    expect(parts.find(({ functionCall }) => functionCall)).toMatchObject({
      functionCall: { name: 'read', args: { path: 'a.ts' } },
    })
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test('uses a model whose id has a slash and a colon', async () => {
    api.upstream.script({ text: 'Good morning.', usage })
    const model = 'deepseek/v3:free'
    const client = clientOf(ada)
    expect((await client.models.generateContent({ model, contents })).text).toBe('Good morning.')
    expect(await spentBy(api, ada)).toBe(20n)
    expect(await client.models.get({ model })).toMatchObject({
      name: 'models/deepseek/v3:free',
      displayName: 'DeepSeek',
      inputTokenLimit: 64_000,
      outputTokenLimit: 8_000,
      supportedActions: ['generateContent', 'streamGenerateContent', 'countTokens'],
    })
  })

  test('counts tokens without a charge or a call to the provider', async () => {
    const { totalTokens } = await clientOf(ada).models.countTokens({ model: 'open', contents })
    expect(totalTokens).toBeGreaterThan(4)
    const whole = {
      ...body,
      model: 'models/open',
      systemInstruction: { parts: [{ text: 'You review code.' }] },
    }
    const counted = await api.post(ada, '/v1beta/models/open:countTokens', { generateContentRequest: whole })
    expect(Number(counted.body.totalTokens)).toBeGreaterThan(Number(totalTokens))
    expect(api.upstream.requests).toEqual([])
    expect(await spentBy(api, ada)).toBe(0n)
  })

  test('lists the models in pages', async () => {
    const pager = await clientOf(ada).models.list({ config: { pageSize: 1 } })
    const names = (await Array.fromAsync(pager)).map(({ name }) => name)
    expect(names).toEqual(['models/open', 'models/frontier', 'models/deepseek/v3:free'])
  })

  test('gets errors that it understands', async () => {
    const refused = clientOf(ada).models.generateContent({ model: 'gemini-9', contents })
    await expect(refused).rejects.toBeInstanceOf(ApiError)
    await expect(refused).rejects.toMatchObject({ status: 404 })
    await expect(refused).rejects.toThrow('open, frontier, deepseek')
    const tuned = clientOf(ada).models.generateContent({ model: 'tunedModels/mine', contents })
    await expect(tuned).rejects.toThrow('NOT_FOUND')
  })

  test('gets an error in a stream that fails in the middle, which costs nothing', async () => {
    api.upstream.script({ pieces: ['Good '], finish: null, done: 0, usage: 'none' })
    const stream = await clientOf(ada).models.generateContentStream({ model: 'open', contents })
    await expect(Array.fromAsync(stream)).rejects.toThrow('UNAVAILABLE')
    expect(await spentBy(api, ada)).toBe(0n)
  })
})

describe('a stream without alt=sse is a JSON array', () => {
  const STREAM = '/v1beta/models/open:streamGenerateContent'
  const FAILING: FakeReply = { pieces: ['Good '], finish: null, done: 0, usage: 'none' }
  type Chunk = { candidates?: { content: { parts: { text?: string }[] } }[]; error?: object }
  const textIn = (chunks: Chunk[]) =>
    chunks.flatMap(({ candidates = [] }) => candidates[0]?.content.parts ?? []).map(({ text = '' }) => text)

  test('of the same pieces', async () => {
    api.upstream.script({ text: 'Good morning.', usage }, { text: 'Good morning.', usage })
    const array = await api.stream(ada, STREAM, body)
    expect(array.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const chunks = (await array.json()) as Chunk[]
    expect(textIn(chunks).join('')).toBe('Good morning.')
    expect(chunks.at(-1)).toMatchObject({ usageMetadata: { totalTokenCount: 15, costMinor: 15 } })
    const events = await api.stream(ada, `${STREAM}?alt=sse`, body)
    expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(eventsIn(await events.text())).toHaveLength(chunks.length)
  })

  test('that a keep-alive and an error leave valid', async () => {
    const thinking = gate()
    api.upstream.script({ ...FAILING, pieces: [thinking.opened] })
    const response = await api.stream(ada, STREAM, body)
    expect(response.status).toBe(200)
    thinking.open()
    expect(await response.json()).toMatchObject([{ error: { code: 502, status: 'UNAVAILABLE' } }])

    api.upstream.script(FAILING)
    const cut = (await (await api.stream(ada, STREAM, body)).json()) as Chunk[]
    expect(textIn(cut.slice(0, -1)).join('')).toBe('Good ')
    expect(cut.at(-1)?.error).toMatchObject({ details: [{ reason: 'upstream_failed' }] })
    expect(await spentBy(api, ada)).toBe(0n)
  })

  test('that a retry with the same key gets again', async () => {
    api.upstream.script({ text: 'Good morning.', usage })
    const ask = (query = '') =>
      fetch(`${api.address}${STREAM}?key=${ada.key}${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'one-intent' },
        body: JSON.stringify(body),
      })
    const first = await (await ask()).text()
    const replay = await ask()
    expect(replay.headers.get('idempotency-replayed')).toBe('true')
    expect(replay.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await replay.text()).toBe(first)
    expect((await ask('&alt=sse')).status).toBe(422)
    expect(await spentBy(api, ada)).toBe(15n)
  })
})
