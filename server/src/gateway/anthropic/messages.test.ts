// The official Anthropic client library against this API.
import Anthropic from '@anthropic-ai/sdk'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type Customer, type OpenAiApi, spentBy, startOpenAiApi } from '@cowrie/testkit/gateway/openai-api.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let api: OpenAiApi
let ada: Customer
beforeAll(async () => {
  api = await startOpenAiApi({ SERVICE_UPSTREAM_SILENCE_MS: '100' })
  const root = await api.server.person({ staff: 'super_admin' })
  for (const id of ['claude-large', 'deepseek/v3:free'])
    await api.server.call('PUT', `/admin/models/${encodeURIComponent(id)}`, {
      as: root,
      body: {
        lane: 'open',
        title: `The model ${id}`,
        routes: [{ providerId: 'prv_default', upstreamModel: 'small-1' }],
        contextTokens: 200_000,
        outputTokens: 8_000,
        price: { input: 1_000_000, output: 2_000_000, cachedInput: 500_000, cacheWrite: 1_500_000 },
        ...(id === 'claude-large' && { aliases: ['claude-*'] }),
      },
    })
})
afterAll(() => api.close())
beforeEach(async () => {
  api.upstream.reset()
  ada = await api.customer()
})

const clientOf = ({ key }: { key: string }) =>
  new Anthropic({ apiKey: key, baseURL: api.address, maxRetries: 0 })
const messages = [{ role: 'user' as const, content: 'Say hello, please.' }]
const hello = { model: 'open', max_tokens: 100, messages }
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

describe('the client', () => {
  test('reads a complete answer with its cost, and the id of the request', async () => {
    api.upstream.script({ text: 'Good morning.', usage })
    const { data, response, request_id } = await clientOf(ada).messages.create(hello).withResponse()
    expect(data).toMatchObject({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Good morning.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5 },
    })
    expect(response.headers.get('x-cowrie-cost-minor')).toBe('15')
    expect(request_id).toBe(response.headers.get('x-request-id'))
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test('reads a stream with tool calls, through the beta address with its headers', async () => {
    const calls = [{ id: 'call_1', name: 'read', arguments: '{"path":"a.ts"}' }]
    api.upstream.script({ text: 'I will look.', toolCalls: calls, usage })
    const tools = [{ name: 'read', input_schema: { type: 'object' as const } }]
    const stream = clientOf(ada).beta.messages.stream({ ...hello, tools, betas: ['some-beta-2026-01-01'] })
    const final = await stream.finalMessage()
    expect(final.stop_reason).toBe('tool_use')
    expect(final.content).toMatchObject([
      { type: 'text', text: 'I will look.' },
      { type: 'tool_use', name: 'read', input: { path: 'a.ts' } },
    ])
    expect(final.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 })
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test('counts tokens without a charge or a call to the provider', async () => {
    const client = clientOf(ada)
    const short = await client.messages.countTokens({ model: 'open', messages })
    const system = 'You are a careful reviewer of code.'
    const long = await client.messages.countTokens({ model: 'claude-9', messages, system })
    expect(short.input_tokens).toBeGreaterThan(4)
    expect(long.input_tokens).toBeGreaterThan(short.input_tokens + 5)
    expect(api.upstream.requests).toEqual([])
    expect(await spentBy(api, ada)).toBe(0n)
  })

  test('lists the models in pages, and reads one by its id or an alias', async () => {
    const client = clientOf(ada)
    const ids = ['open', 'frontier', 'claude-large', 'deepseek/v3:free']
    expect((await Array.fromAsync(client.models.list({ limit: 1 }))).map(({ id }) => id)).toEqual(ids)
    const page = await client.models.list({ before_id: 'deepseek/v3:free', limit: 2 })
    expect(page).toMatchObject({ has_more: true, first_id: 'frontier', last_id: 'claude-large' })
    expect(await client.models.retrieve('claude-sonnet-4-5')).toEqual({
      type: 'model',
      id: 'claude-large',
      display_name: 'The model claude-large',
      created_at: '2026-11-01T00:00:00Z',
      max_input_tokens: 200_000,
      max_tokens: 8_000,
    })
    expect(await client.models.retrieve('deepseek/v3:free')).toMatchObject({ id: 'deepseek/v3:free' })
    await expect(client.models.list({ after_id: 'gpt-9' })).rejects.toThrow('after_id')
  })

  test('gets an error that names the models for an unknown one', async () => {
    const refused = clientOf(ada).messages.create({ ...hello, model: 'gpt-9' })
    await expect(refused).rejects.toBeInstanceOf(Anthropic.NotFoundError)
    await expect(refused).rejects.toThrow('open, frontier, claude-large')
    await expect(clientOf(ada).models.retrieve('gpt-9')).rejects.toThrow('open, frontier, claude-large')
  })

  test('gets the field that is wrong', async () => {
    const content = [{ type: 'text' as const, text: 5 as unknown as string }]
    const refused = clientOf(ada).messages.create({ ...hello, messages: [{ role: 'user', content }] })
    await expect(refused).rejects.toBeInstanceOf(Anthropic.BadRequestError)
    await expect(refused).rejects.toThrow('messages.0.content.0.text')
    expect(api.upstream.requests).toEqual([])
  })

  test('gets an error event for a failure in the middle, which costs nothing', async () => {
    api.upstream.script({ pieces: ['Good '], finish: null, done: 0, usage: 'none' })
    const stream = await clientOf(ada).messages.create({ ...hello, stream: true })
    await expect(Array.fromAsync(stream)).rejects.toMatchObject({
      error: { type: 'error', error: { type: 'api_error', code: 'upstream_failed' } },
    })
    expect(await spentBy(api, ada)).toBe(0n)
  })
})

test('a silent upstream opens the stream with a ping, which the client ignores', async () => {
  const thinking = gate()
  api.upstream.script({ pieces: [thinking.opened, 'Good morning.'], usage })
  const response = await api.stream(ada, '/v1/messages', { ...hello, stream: true })
  const reader = response.body?.getReader()
  const first = Buffer.from((await reader?.read())?.value ?? []).toString()
  expect(first).toBe('event: ping\ndata: {"type":"ping"}\n\n')
  await reader?.cancel()
  thinking.open()

  const again = gate()
  api.upstream.script({ pieces: [again.opened, 'Good morning.'], usage })
  const stream = await clientOf(ada).messages.create({ ...hello, stream: true })
  again.open()
  const types = (await Array.fromAsync(stream)).map(({ type }) => type)
  expect(types[0]).toBe('message_start')
  expect(types.at(-1)).toBe('message_stop')
})

test('a retry with the same key gets the same stream, and is charged once', async () => {
  api.upstream.script({ text: 'Good morning.', usage })
  const ask = () =>
    fetch(`${api.address}/v1/messages?beta=true`, {
      method: 'POST',
      headers: { 'x-api-key': ada.key, 'content-type': 'application/json', 'idempotency-key': 'one-intent' },
      body: JSON.stringify({ ...hello, stream: true }),
    })
  const first = await (await ask()).text()
  const replay = await ask()
  expect(replay.headers.get('idempotency-replayed')).toBe('true')
  expect(replay.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(await replay.text()).toBe(first)
  expect(first).toContain('event: message_stop')
  expect(await spentBy(api, ada)).toBe(15n)
})
