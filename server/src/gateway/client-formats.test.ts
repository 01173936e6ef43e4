// Keys and errors in the ways of each client API: OpenAI, Anthropic and Gemini.
import { type Customer, type OpenAiApi, startOpenAiApi } from '@cowrie/testkit/gateway/openai-api.ts'
import type { Reply, TestRequest } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maintenanceMode } from '../platform/settings/platform-settings.ts'

let api: OpenAiApi
let ada: Customer
let poor: Customer
beforeAll(async () => {
  api = await startOpenAiApi()
  ada = await api.customer()
  poor = await api.customer(0n)
})
afterAll(() => api.close())

type Format = 'openai' | 'anthropic' | 'gemini'
type Endpoint = { readonly path: string; readonly body: object; readonly headers?: Record<string, string> }
const FORMATS: readonly Format[] = ['openai', 'anthropic', 'gemini']
const message = { role: 'user', content: 'Say hello, please.' }
const CALLS: Readonly<Record<Format, (model: string) => Endpoint>> = {
  openai: (model) => ({ path: '/v1/chat/completions', body: { model, messages: [message] } }),
  anthropic: (model) => ({ path: '/v1/messages', body: { model, max_tokens: 100, messages: [message] } }),
  gemini: (model) => ({
    path: `/v1beta/models/${model}:generateContent`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Say hello, please.' }] }] },
  }),
}
const LISTS: Readonly<Record<Format, Omit<Endpoint, 'body'>>> = {
  openai: { path: '/v1/models' },
  anthropic: { path: '/v1/models', headers: { 'anthropic-version': '2023-06-01' } },
  gemini: { path: '/v1beta/models' },
}

const bearer = ({ key }: { key: string }) => ({ headers: { authorization: `Bearer ${key}` } })
const ask = (format: Format, how: TestRequest, model = 'open') => {
  const { path, body } = CALLS[format](model)
  return api.server.call('POST', path, { body, ...how })
}

describe.for(FORMATS)('a key for the %s API', (format) => {
  const { path, headers = {} } = LISTS[format]
  const list = (how: TestRequest) =>
    api.server.call('GET', path, { ...how, headers: { ...headers, ...how.headers } })

  test.for(['x-api-key', 'x-goog-api-key'])('may be sent as %s', async (name) => {
    expect((await list({ headers: { [name]: ada.key } })).status).toBe(200)
    expect((await ask(format, { headers: { [name]: ada.key } })).status).toBe(200)
    expect((await list({ headers: { [name]: `${ada.key}x` } })).status).toBe(401)
  })

  test('may be sent in several places, if it is the same', async () => {
    const all = { authorization: `Bearer ${ada.key}`, 'x-api-key': ada.key, 'x-goog-api-key': ada.key }
    expect((await list({ headers: all })).status).toBe(200)
    const empty = { authorization: `Bearer ${ada.key}`, 'x-api-key': '' }
    expect((await list({ headers: empty })).status).toBe(200)
    const refused = await list({ headers: { ...all, 'x-api-key': poor.key } })
    expect(refused.status).toBe(401)
    expect(messageOf(refused)).toMatch(/several different API keys/)
    expect((await list({ headers: { authorization: 'Basic x', 'x-api-key': ada.key } })).status).toBe(401)
  })

  test('in the query is for Gemini only', async () => {
    const { status } = await list({ query: { key: ada.key } })
    expect(status).toBe(format === 'gemini' ? 200 : 401)
    const other = await list({ query: { key: ada.key }, headers: { 'x-goog-api-key': poor.key } })
    expect(other.status).toBe(format === 'gemini' ? 401 : 200)
  })

  test('needs no proof of the origin, unlike a cookie', async () => {
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await ask(format, { headers: { ...foreign, 'x-api-key': ada.key } })).status).toBe(200)
    expect((await ask(format, { headers: { ...foreign, 'x-api-key': '' } })).status).toBe(403)
  })
})

test('a key in an address or a header of another API is never logged', () => {
  api.server.app.log.flush()
  expect(api.server.logged.length).toBeGreaterThan(10)
  for (const line of api.server.logged) expect(line).not.toContain(ada.key.slice(-20))
})

test('these headers are no credentials elsewhere', async () => {
  const reply = await api.server.call('GET', '/wallet', { headers: { 'x-api-key': ada.key } })
  expect(reply.status).toBe(401)
})

const KINDS: Readonly<Record<number, Readonly<Record<Format, string>>>> = {
  400: { openai: 'invalid_request_error', anthropic: 'invalid_request_error', gemini: 'INVALID_ARGUMENT' },
  401: { openai: 'authentication_error', anthropic: 'authentication_error', gemini: 'UNAUTHENTICATED' },
  402: { openai: 'insufficient_quota', anthropic: 'billing_error', gemini: 'FAILED_PRECONDITION' },
  403: { openai: 'permission_error', anthropic: 'permission_error', gemini: 'PERMISSION_DENIED' },
  404: { openai: 'invalid_request_error', anthropic: 'not_found_error', gemini: 'NOT_FOUND' },
  405: { openai: 'invalid_request_error', anthropic: 'invalid_request_error', gemini: 'INVALID_ARGUMENT' },
  413: { openai: 'invalid_request_error', anthropic: 'request_too_large', gemini: 'INVALID_ARGUMENT' },
  415: { openai: 'invalid_request_error', anthropic: 'invalid_request_error', gemini: 'INVALID_ARGUMENT' },
  429: { openai: 'rate_limit_error', anthropic: 'rate_limit_error', gemini: 'RESOURCE_EXHAUSTED' },
  502: { openai: 'server_error', anthropic: 'api_error', gemini: 'UNAVAILABLE' },
  503: { openai: 'server_error', anthropic: 'overloaded_error', gemini: 'UNAVAILABLE' },
}

type WireErrorBody = { message: string; type: string; status: string; details: { reason: string }[] }
const errorOf = ({ body }: Reply) => body.error as WireErrorBody & Record<string, unknown>
const messageOf = (reply: Reply): string => errorOf(reply).message

function expectError(format: Format, reply: Reply, status: number, code: string): void {
  expect(reply.status).toBe(status)
  const kind = KINDS[status]?.[format]
  const error = errorOf(reply)
  expect(error.message).toMatch(/\S.*\.$/)
  const requestId = reply.headers['x-request-id']
  expect(reply.headers['x-should-retry']).toBe(status === 401 ? 'false' : undefined)
  if (format === 'openai')
    expect(reply.body).toMatchObject({ error: { type: kind, code, param: error.param }, requestId })
  else if (format === 'anthropic') {
    expect(reply.body).toMatchObject({ type: 'error', error: { type: kind, code }, request_id: requestId })
    expect(reply.headers['request-id']).toBe(requestId)
  } else {
    expect(error).toMatchObject({ code: status, status: kind })
    expect(error.details[0]).toMatchObject({
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: code,
      domain: 'cowrie',
    })
    expect(error.details).toContainEqual(expect.objectContaining({ requestId }))
  }
}

describe.for(FORMATS)('the %s API refuses in its format', (format) => {
  const { path } = CALLS[format]('open')
  const list = LISTS[format]
  const call = (how: TestRequest) => api.server.call('POST', path, { ...bearer(ada), ...how })

  test('requests without a valid key or scope', async () => {
    expectError(format, await ask(format, {}), 401, 'unauthenticated')
    expectError(format, await ask(format, bearer({ key: 'wrong' })), 401, 'unauthenticated')
    const listed = await api.server.call('GET', list.path, { headers: list.headers ?? {} })
    expectError(format, listed, 401, 'unauthenticated')
    const reader = await api.server.key(ada, ['wallet:read'])
    expectError(format, await ask(format, bearer({ key: reader.bearer })), 403, 'insufficient_scope')
  })

  test('calls that the wallet does not cover', async () => {
    const refused = await ask(format, bearer(poor))
    expectError(format, refused, 402, 'insufficient_funds')
    expect(JSON.stringify(refused.body)).toContain('requiredMinor')
  })

  test('unknown models, and names the available ones', async () => {
    const unknown = await ask(format, bearer(ada), 'gpt-9')
    expectError(format, unknown, 404, 'model_not_found')
    expect(messageOf(unknown)).toContain('open, frontier')
    const one = await api.server.call('GET', `${list.path}/gpt-9`, {
      headers: { ...bearer(ada).headers, ...list.headers },
    })
    expectError(format, one, 404, 'model_not_found')
    expect(messageOf(one)).toContain('open, frontier')
  })

  test('unknown addresses and methods', async () => {
    const below = { openai: '/v1/audio/speech', anthropic: '/v1/messages/batches', gemini: '/v1beta/files' }
    expectError(format, await api.server.call('GET', below[format], bearer(ada)), 404, 'not_found')
    const put = await api.server.call('PUT', path, bearer(ada))
    expectError(format, put, 405, 'method_not_allowed')
  })

  test('bodies that are too large, malformed or of another type', async () => {
    const large = JSON.stringify({ x: 'x'.repeat(8 * 1024 * 1024) })
    expectError(format, await call({ raw: large }), 413, 'body_too_large')
    expectError(format, await call({ raw: '{"model": ' }), 400, 'malformed_json')
    const plain = { ...bearer(ada).headers, 'content-type': 'text/plain' }
    expectError(format, await call({ raw: 'hello', headers: plain }), 415, 'unsupported_media_type')
    const wrong = await call({ body: format === 'gemini' ? { contents: 5 } : { model: 'open', messages: 5 } })
    expectError(format, wrong, 400, 'invalid_fields')
    expect(messageOf(wrong)).toMatch(/^(messages|contents|max_tokens): /)
  })

  test('failures of the provider, without its words', async () => {
    api.upstream.fallback(() => ({ status: 500, body: { error: { message: 'canary of the provider' } } }))
    const broken = await ask(format, bearer(ada))
    expectError(format, broken, 503, 'upstream_unavailable')
    expect(broken.text).not.toContain('canary')
    api.upstream.reset()
  })

  test('work during maintenance', async () => {
    const { app } = api.server
    const set = async (value: boolean) => {
      await app.db.tx('platform', (tx) =>
        app.settings.set(tx, maintenanceMode, value, { email: 'ops@example.com' }),
      )
      await app.settings.refresh()
    }
    await set(true)
    const refused = await ask(format, bearer(ada))
    await set(false)
    expectError(format, refused, 503, 'maintenance')
  })
})

test('a rate limit is refused in the format of each API, with the time to wait', async () => {
  const strict = await startOpenAiApi({ SERVICE_RATE_LIMIT_GLOBAL: '1/60' })
  await strict.server.call('GET', '/v1/models')
  for (const format of FORMATS) {
    const { path, headers = {} } = LISTS[format]
    const reply = await strict.server.call('GET', path, { headers })
    expectError(format, reply, 429, 'rate_limited')
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    const unknown = await strict.server.call('GET', `${path}/nothing/here`, { headers })
    expectError(format, unknown, 429, 'rate_limited')
  }
  await strict.close()
})
