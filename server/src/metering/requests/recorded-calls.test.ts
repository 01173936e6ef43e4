// Every model call has a row in the request log: the direct calls of all APIs, and the work of the service.

import { type ModelProviders, startModelProviders } from '@cowrie/testkit/gateway/model-providers.ts'
import type { Customer } from '@cowrie/testkit/gateway/openai-api.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { flushRequestLog } from './request-log.ts'

type Row = Record<string, unknown> & { ttftMs: number | null; ledgerId: string | null; requestId: string }

let api: ModelProviders
let ada: Customer
beforeAll(async () => {
  api = await startModelProviders()
})
afterAll(() => api.close())
beforeEach(async () => {
  api.upstream.reset()
  api.upstream.fallback(() => ({ text: 'Good morning.', usage }))
  ada = await api.customer()
})

const usage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 40 },
}
const messages = [{ role: 'user', content: 'Say hello, please: a very private text.' }]

async function rowsOf({ bearer }: { bearer: string } = ada): Promise<Row[]> {
  await flushRequestLog(api.server.app)
  const { body } = await api.server.call<{ requests: Row[] }>('GET', '/usage/requests', { as: { bearer } })
  return body.requests
}

async function onlyRow(): Promise<Row> {
  const rows = await rowsOf()
  expect(rows).toHaveLength(1)
  return rows[0] as Row
}

const CHARGED = {
  model: 'open',
  provider: 'default',
  tokens: { input: 60, cachedInput: 40, cacheWrite: 0, output: 20 },
  costMinor: 120n,
  status: 200,
  code: null,
}
const FREE = { tokens: { input: 0, cachedInput: 0, cacheWrite: 0, output: 0 }, costMinor: 0n, ledgerId: null }

describe.for<[path: string, body: object]>([
  ['/v1/chat/completions', { model: 'open', messages }],
  ['/v1/responses', { model: 'open', input: 'Hello' }],
  ['/v1/messages', { model: 'open', max_tokens: 500, messages }],
])('POST %s', ([path, body]) => {
  test('has a row that leads to its ledger entry', async () => {
    const { status, headers } = await api.post(ada, path, body)
    expect(status).toBe(200)
    const row = await onlyRow()
    expect(row).toMatchObject({ ...CHARGED, route: `POST ${path}`, userId: ada.userId, ttftMs: null })
    expect(row.keyId).toMatch(/^key_/)
    expect(row.requestId).toBe(headers['x-request-id'])
    const entry = await api.server.call('GET', `/wallet/ledger/${row.ledgerId}`, { as: ada })
    expect(entry).toMatchObject({ status: 200, body: { entry: { amountMinor: 120n } } })
  })

  test('as a stream has the time to its first token', async () => {
    await (await api.stream(ada, path, { ...body, stream: true })).text()
    const row = await onlyRow()
    expect(row).toMatchObject({ route: `POST ${path}`, status: 200 })
    expect(row.ttftMs).toBeGreaterThanOrEqual(0)
    expect(row.durationMs).toBeGreaterThanOrEqual(row.ttftMs ?? 0)
    expect(await api.server.app.metrics.exposition()).toMatch(
      /^cowrie_model_first_token_seconds_count\{model="open"\} [1-9]/m,
    )
  })
})

test('embeddings have a row', async () => {
  await api.post(ada, '/v1/embeddings', { model: 'open', input: 'Hello, hello' })
  expect(await onlyRow()).toMatchObject({
    route: 'POST /v1/embeddings',
    tokens: { input: 3, output: 0 },
    costMinor: 3n,
    status: 200,
  })
})

test('a model of the catalogue has its id, the provider that answered, and its token classes', async () => {
  await api.putModel('pair', ['openai', 'anthropic'])
  api.openai.script({ status: 500, body: {} })
  api.anthropic.script({
    text: 'Hello.',
    usage: {
      input_tokens: 100,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 20,
      output_tokens: 10,
    },
  })
  await api.post(ada, '/v1/messages', { model: 'pair', max_tokens: 500, messages })
  expect(await onlyRow()).toMatchObject({
    model: 'pair',
    provider: 'anthropic',
    tokens: { input: 100, cachedInput: 60, cacheWrite: 20, output: 10 },
    // 100 × 1 + 60 × 0.1 + 20 × 1.25 + 10 × 5 kobo.
    costMinor: 181n,
    status: 200,
  })
})

test('a retry under a key is one call and one row', async () => {
  const headers = { 'idempotency-key': 'k-1' }
  const ask = () =>
    api.server.call('POST', '/v1/chat/completions', {
      as: { bearer: ada.key },
      body: { model: 'open', messages },
      headers,
    })
  await ask()
  await ask()
  expect(await onlyRow()).toMatchObject(CHARGED)
})

describe('a call that fails', () => {
  test('at the provider is free and has the code of its error', async () => {
    api.upstream.fallback(() => ({ status: 500, body: {} }))
    const { status } = await api.post(ada, '/v1/chat/completions', { model: 'open', messages })
    expect(status).toBe(503)
    expect(await onlyRow()).toMatchObject({ ...FREE, status: 503, code: 'upstream_unavailable' })
  })

  test('because the wallet is empty has a row without tokens', async () => {
    const poor = await api.customer(0n)
    await api.post(poor, '/v1/chat/completions', { model: 'open', messages })
    expect(await rowsOf(poor)).toEqual([
      expect.objectContaining({ ...FREE, status: 402, code: 'insufficient_funds', model: 'open' }),
    ])
  })

  test('because the budget of its key is spent has a row of that key', async () => {
    const key = await api.server.key(ada, ['agent:run'])
    await api.server.sql.rows`update api_keys set budget_minor = 1 where id = ${key.id}`
    await api.post({ key: key.bearer }, '/v1/chat/completions', { model: 'open', messages })
    expect(await onlyRow()).toMatchObject({
      ...FREE,
      keyId: key.id,
      status: 402,
      code: 'key_budget_exceeded',
    })
  })

  test('because its budget is too low has a row', async () => {
    const thread = await api.server.call<{ id: string }>('POST', '/chat/threads', { as: ada, body: {} })
    const body = { prompt: 'Hello', maxMinor: 1 }
    await api.server.call('POST', `/chat/threads/${thread.body.id}/messages`, { as: ada, body })
    expect(await onlyRow()).toMatchObject({ ...FREE, route: 'chat', status: 402, code: 'budget_too_low' })
  })

  test('because its client left before the first output has the status 499', async () => {
    const leave = new AbortController()
    api.upstream.fallback(() => {
      leave.abort()
      return { hang: true }
    })
    await api
      .stream(ada, '/v1/chat/completions', { model: 'open', messages, stream: true }, leave.signal)
      .catch(() => undefined)
    await expect.poll(() => rowsOf()).toHaveLength(1)
    expect(await onlyRow()).toMatchObject({ ...FREE, status: 499, code: 'client_disconnected' })
  })

  test('before a model is chosen has no row', async () => {
    await api.post(ada, '/v1/chat/completions', { model: 'unknown', messages })
    expect(await rowsOf()).toEqual([])
  })
})

describe('work of the service', () => {
  test('a chat answer has a row with its request', async () => {
    const thread = await api.server.call<{ id: string }>('POST', '/chat/threads', { as: ada, body: {} })
    const path = `/chat/threads/${thread.body.id}/messages`
    const { headers } = await api.server.call('POST', path, { as: ada, body: { prompt: 'Hello' } })
    const row = await onlyRow()
    expect(row).toMatchObject({ ...CHARGED, route: 'chat', keyId: null, requestId: headers['x-request-id'] })
    expect(row.ledgerId).toMatch(/^led_/)
    expect(row.ttftMs).toBeGreaterThanOrEqual(0)
  })

  test('an agent run whose answer is unusable has the tokens of its call, without a charge', async () => {
    api.upstream.fallback(() => ({ text: ' ', usage }))
    await api.server.call('POST', '/agent/run', { as: ada, body: { prompt: 'Say nothing.' } })
    const [row] = await rowsOf()
    expect(row).toMatchObject({ route: 'agent.run', costMinor: 0n, ledgerId: null })
  })
})

test('no row has text of a prompt or an answer', async () => {
  await giveCredit(api.server, ada.orgId, 1_000n)
  await api.post(ada, '/v1/chat/completions', { model: 'open', messages })
  await rowsOf()
  const rows = await api.server.sql.rows<{ text: string }>`select r::text as text from request_log r`
  expect(rows.length).toBeGreaterThan(0)
  for (const { text } of rows) expect(text).not.toMatch(/private|morning|Hello/)
})
