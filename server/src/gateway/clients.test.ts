// The official OpenAI client library against this API.
import { gzipSync } from 'node:zlib'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import {
  CANARY,
  type Customer,
  type OpenAiApi,
  spentBy,
  startOpenAiApi,
} from '@cowrie/testkit/gateway/openai-api.ts'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inferenceSettings } from '../models/settings.ts'
import type { Setting } from '../platform/settings/settings.ts'

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

const clientOf = ({ key }: { key: string }) =>
  new OpenAI({ apiKey: key, baseURL: `${api.address}/v1`, maxRetries: 0 })
const messages = [{ role: 'user' as const, content: 'Say hello, please.' }]
const hello = { model: 'open', messages }
/** The first chunk of real services. */
const BEGINNING = {
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'small-1',
  choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
}
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

async function set(setting: Setting<string>, value: string): Promise<void> {
  const { app } = api.server
  await app.db.tx('platform', (tx) => app.settings.set(tx, setting, value, { email: 'ops@example.com' }))
  await app.settings.refresh()
}

describe('the client', () => {
  test('reads a complete answer', async () => {
    api.upstream.script({ text: 'Good morning.', usage })
    const { data, response } = await clientOf(ada).chat.completions.create(hello).withResponse()
    expect(data.choices[0]?.message.content).toBe('Good morning.')
    expect(response.headers.get('x-cowrie-cost-minor')).toBe('15')
  })

  test('reads a long compressed answer, and may compress its requests', async () => {
    const long = 'Good morning. '.repeat(200)
    api.upstream.script({ text: long, usage })
    const sentEncodings: (string | null)[] = []
    const client = new OpenAI({
      apiKey: ada.key,
      baseURL: `${api.address}/v1`,
      maxRetries: 0,
      fetch: (url, init) => {
        const headers = new Headers(init?.headers)
        headers.set('content-encoding', 'gzip')
        sentEncodings.push(headers.get('content-encoding'))
        return fetch(url, { ...init, headers, body: gzipSync(String(init?.body)) })
      },
    })
    const { data, response } = await client.chat.completions.create(hello).withResponse()
    expect(data.choices[0]?.message.content).toBe(long)
    expect(response.headers.get('content-encoding')).not.toBeNull()
    expect(sentEncodings).toEqual(['gzip'])
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test('reads a stream with tool calls and usage', async () => {
    const call = { name: 'read', arguments: '{"path":"a"}' }
    api.upstream.script({ pieces: [{ data: BEGINNING }, 'Look'], toolCalls: [call], usage })
    const stream = clientOf(ada).chat.completions.stream({
      ...hello,
      tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }],
      stream_options: { include_usage: true },
    })
    const completion = await stream.finalChatCompletion()
    expect(completion.choices[0]?.message).toMatchObject({
      content: 'Look',
      tool_calls: [{ function: call }],
    })
    expect(completion.usage).toMatchObject({ ...usage, cost_minor: 15 })
    expect(await spentBy(api, ada)).toBe(15n)
  })

  test('reads a response, complete and streamed', async () => {
    const client = clientOf(ada)
    const response = await client.responses.create({ model: 'open', input: 'Say hello, please.' })
    expect(response.output_text).toBe('Hello from the fake model.')

    api.upstream.script({ pieces: ['Look'], toolCalls: [{ name: 'read', arguments: '{}' }], usage })
    const tools = [{ type: 'function' as const, name: 'read', parameters: { type: 'object' }, strict: false }]
    const stream = client.responses.stream({ model: 'open', input: 'Say hello, please.', tools })
    const final = await stream.finalResponse()
    expect(final.output.map(({ type }) => type)).toEqual(['message', 'function_call'])
    expect(final.usage?.total_tokens).toBe(15)
  })

  test('reads base64 embeddings', async () => {
    const { data } = await clientOf(ada).embeddings.create({ model: 'open', input: 'text' })
    expect(data[0]?.embedding).toHaveLength(64)
    expect(Math.hypot(...(data[0]?.embedding ?? []))).toBeCloseTo(1, 3)
  })

  test('lists the models with their prices, and reads one', async () => {
    const client = clientOf(ada)
    const { data } = await client.models.list()
    expect(data).toMatchObject([
      {
        id: 'open',
        object: 'model',
        context_window: 128_000,
        currency: 'NGN',
        price_per_1m_minor: 1_000_000,
      },
      { id: 'frontier', price_per_1m_minor: 10_000_000 },
    ])
    expect(await client.models.retrieve('cowrie/open')).toMatchObject({ id: 'cowrie/open' })
    await expect(client.models.retrieve('gpt-9')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    })
  })

  test('gets an error for a failure in the middle', async () => {
    api.upstream.script({ pieces: ['Good '], finish: null, done: 0, usage: 'none' })
    const stream = await clientOf(ada).chat.completions.create({ ...hello, stream: true })
    const all = Array.fromAsync(stream)
    await expect(all).rejects.toMatchObject({ code: 'upstream_failed' })
    expect(await spentBy(api, ada)).toBe(0n)
  })
})

describe('is rejected', () => {
  const refused = (as: { key: string }, body: object = hello) =>
    clientOf(as)
      .chat.completions.create(body as typeof hello)
      .catch((error: unknown) => error)

  test('without a known key', async () => {
    expect(await refused({ key: 'csk_nobody' })).toBeInstanceOf(OpenAI.AuthenticationError)
  })

  test('with a key without the scope', async () => {
    const { bearer } = await api.server.key(ada, ['wallet:read'])
    expect(await refused({ key: bearer })).toBeInstanceOf(OpenAI.PermissionDeniedError)
  })

  test('without enough money, before anything is sent, with the missing amount and the address to top up', async () => {
    const poor = await api.customer(20n)
    const error = (await refused(poor)) as InstanceType<typeof OpenAI.APIError>
    expect(error).toMatchObject({ status: 402, code: 'insufficient_funds', type: 'insufficient_quota' })
    expect(error.error).toMatchObject({ availableMinor: 20, requiredMinor: expect.any(Number) })
    expect(error.message).toContain('http://cowrie.test/app/wallet')
    expect(api.upstream.requests).toEqual([])
    expect(await api.money(poor)).toEqual({ balanceMinor: 20n, heldMinor: 0n })
  })

  test('over the monthly cap of its member', async () => {
    await api.server.sql.rows`update memberships set seat_cap_minor = 10 where user_id = ${ada.userId}`
    expect(await refused(ada)).toMatchObject({ status: 402, code: 'member_cap_reached' })
  })

  test('for an unknown model, with the field that names it', async () => {
    const error = await refused(ada, { ...hello, model: 'gpt-9' })
    expect(error).toBeInstanceOf(OpenAI.NotFoundError)
    expect(error).toMatchObject({ code: 'model_not_found', param: 'model', type: 'invalid_request_error' })
  })

  test.for<[string, object, string]>([
    ['no messages', { messages: [] }, 'messages'],
    ['invalid messages', { messages: ['hello'] }, 'messages'],
    ['nine answers', { n: 9 }, 'n'],
    ['no output tokens', { max_tokens: 0 }, 'max_tokens'],
    ['a fraction of a token', { max_completion_tokens: 1.5 }, 'max_completion_tokens'],
    ['an invalid stream field', { stream: 'yes' }, 'stream'],
  ])('with %s', async ([, rest, param]) => {
    const error = await refused(ada, { ...hello, ...rest })
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({ param })
  })

  test('with a body of more than 8 MiB', async () => {
    const content = 'x'.repeat(8 * 1024 * 1024)
    const reply = await api.post(ada, '/v1/chat/completions', {
      ...hello,
      messages: [{ role: 'user', content }],
    })
    expect(reply).toMatchObject({ status: 413, body: { error: { code: 'body_too_large' } } })
  })

  test('while its organisation is suspended, but may list the models', async () => {
    await api.server.sql
      .rows`update orgs set suspended_at = ${api.server.clock.now()} where id = ${ada.orgId}`
    expect(await refused(ada)).toMatchObject({ status: 403, code: 'org_suspended' })
    expect((await clientOf(ada).models.list()).data).toHaveLength(2)
  })

  test('when the residency region has no model', async () => {
    await api.server.sql.rows`update orgs set residency_region = 'NG' where id = ${ada.orgId}`
    expect(await refused(ada)).toMatchObject({ status: 451, code: 'residency_blocked' })
  })
})

test('an organisation with a residency region never receives the text of another model', async () => {
  await set(inferenceSettings.settings.upstream_open_noprc_model, 'local-1')
  await api.server.sql.rows`update orgs set residency_region = 'NG' where id = ${ada.orgId}`
  for (const stream of [false, true]) {
    api.upstream.script({ text: 'Fine.', usage })
    expect((await api.post(ada, '/v1/chat/completions', { ...hello, stream })).status).toBe(200)
    api.upstream.script({ text: 'From far away.', model: 'other-1' })
    const reply = await api.post(ada, '/v1/chat/completions', { ...hello, stream })
    expect(reply).toMatchObject({ status: 502 })
    expect(reply.text).not.toContain('far away')
  }
  expect(await spentBy(api, ada)).toBe(30n)
})

test('an unaffordable output is shortened to the affordable length', async () => {
  const poor = await api.customer(200n)
  const reply = await api.post(poor, '/v1/chat/completions', { ...hello, max_tokens: 5_000 })
  expect(reply.status).toBe(200)
  const ceiling = Number(api.upstream.requests.at(-1)?.body.max_tokens)
  expect(ceiling).toBeGreaterThanOrEqual(16)
  expect(ceiling).toBeLessThan(200)
})

test('a caller with twenty open streams is rejected before another request is sent', async () => {
  const pause = gate()
  api.upstream.fallback(() => ({ pieces: [pause.opened, 'Good morning.'], usage }))
  const twenty = Array.from({ length: 20 }, () =>
    api.stream(ada, '/v1/chat/completions', { ...hello, stream: true }),
  )
  await expect.poll(() => api.upstream.requests.length).toBe(20)
  const reply = await api.post(ada, '/v1/chat/completions', { ...hello, stream: true })
  expect(reply).toMatchObject({ status: 429, body: { error: { code: 'too_many_streams' } } })
  expect(api.upstream.requests).toHaveLength(20)
  pause.open()
  for (const response of await Promise.all(twenty)) await response.text()
  expect(await spentBy(api, ada)).toBe(300n)
})

test('a session may use it as well as a key', async () => {
  const reply = await api.server.call('POST', '/v1/chat/completions', { as: ada, body: hello })
  expect(reply.status).toBe(200)
})

describe('without an upstream', () => {
  beforeAll(() => set(inferenceSettings.settings.upstream_base_url, ''))
  afterAll(() => set(inferenceSettings.settings.upstream_base_url, api.upstream.url))

  test('the development model answers in the same formats and is charged by its tokens', async () => {
    const client = clientOf(ada)
    const whole = await client.chat.completions.create(hello)
    expect(whole.choices[0]?.message.content).toMatch(/\S/)
    const asked = { ...hello, stream_options: { include_usage: true } }
    const streamed = await client.chat.completions.stream(asked).finalChatCompletion()
    expect(streamed.choices[0]?.message.content).toBe(whole.choices[0]?.message.content)
    expect(streamed.usage?.total_tokens).toBe(whole.usage?.total_tokens)
    const response = await client.responses
      .stream({ model: 'open', input: 'Say hello, please.' })
      .finalResponse()
    expect(response.output_text).toMatch(/\S/)
    const tokens = Number(whole.usage?.total_tokens) * 2 + Number(response.usage?.total_tokens)
    expect(await spentBy(api, ada)).toBe(BigInt(tokens))
  })

  test('texts with the same words have similar vectors', async () => {
    const input = ['parse the HTTP body', 'parseHttpBody', 'a wallet of cowrie shells']
    const { data, usage: read } = await clientOf(ada).embeddings.create({ model: 'open', input })
    const [first = [], second = [], third = []] = data.map(({ embedding }) => embedding)
    const near = (a: number[], b: number[]) => a.reduce((sum, each, place) => sum + each * (b[place] ?? 0), 0)
    expect(first).toHaveLength(512)
    expect(near(first, first)).toBeCloseTo(1, 4)
    expect(near(first, second)).toBeGreaterThan(near(first, third) + 0.3)
    expect(await spentBy(api, ada)).toBe(BigInt(read.total_tokens))
  })
})

test('our key was never leaked', () => {
  expect(api.server.logged.join('')).not.toContain(CANARY)
})
