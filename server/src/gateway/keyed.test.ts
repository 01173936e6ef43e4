// Calls with an Idempotency-Key: one charge for one intent, and the same bytes for every retry.

import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
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

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const messages = [{ role: 'user' as const, content: 'Say hello, please.' }]
const CALLS: [string, string, object][] = [
  ['a chat completion', '/v1/chat/completions', { model: 'open', messages }],
  [
    'a streamed chat completion',
    '/v1/chat/completions',
    { model: 'open', messages, stream: true, stream_options: { include_usage: true } },
  ],
  ['a response', '/v1/responses', { model: 'open', input: 'Hello' }],
  ['a streamed response', '/v1/responses', { model: 'open', input: 'Hello', stream: true }],
  ['embeddings', '/v1/embeddings', { model: 'open', input: 'Hello' }],
]

const call = (path: string, body: object, key: string, as = ada, signal?: AbortSignal) =>
  fetch(`${api.address}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as.key}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
const asked = () => api.upstream.requests.filter(({ path }) => path !== '/responses').length

describe.for(CALLS)('%s under a key', ([, path, body]) => {
  test('is made and charged once, and replayed byte for byte', async () => {
    api.upstream.fallback(() => ({ text: 'Good morning.', usage }))
    const first = await call(path, body, 'k-1')
    const text = await first.text()
    expect(first.status).toBe(200)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    const spent = await spentBy(api, ada)
    expect(spent).toBeGreaterThan(0n)

    const again = await call(path, body, 'k-1')
    expect(again.status).toBe(200)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(await again.text()).toBe(text)
    expect(await spentBy(api, ada)).toBe(spent)
    expect(asked()).toBe(1)
  })

  test('is rejected with another body, in the error format of OpenAI', async () => {
    await (await call(path, body, 'k-2')).text()
    const other = await call(path, { ...body, user: 'another' }, 'k-2')
    expect(other.status).toBe(422)
    expect(await other.json()).toMatchObject({
      error: { code: 'idempotency_key_reused', type: 'invalid_request_error' },
    })
  })

  test('that failed costs nothing, and the key can be used again', async () => {
    if (path === '/v1/embeddings') api.upstream.on('/embeddings', () => ({ body: 'nonsense' }))
    else api.upstream.script({ body: 'nonsense' })
    const failed = await call(path, body, 'k-4')
    expect(failed.status).toBe(502)
    expect(await failed.json()).toMatchObject({ error: { code: 'upstream_failed' } })
    expect(await spentBy(api, ada)).toBe(0n)
    api.upstream.reset()
    const second = await call(path, body, 'k-4')
    expect(second.status).toBe(200)
    expect(second.headers.get('idempotency-replayed')).toBeNull()
    await second.text()
    expect(await spentBy(api, ada)).toBeGreaterThan(0n)
  })
})

test.for(CALLS.slice(0, 4))('%s under a key is rejected while the first runs', async ([, path, body]) => {
  const pause = gate()
  api.upstream.fallback(() => ({ pieces: [pause.opened, 'Good morning.'], usage }))
  const first = call(path, body, 'k-3')
  await expect.poll(asked).toBe(1)
  const second = await call(path, body, 'k-3')
  expect(second.status).toBe(409)
  expect(await second.json()).toMatchObject({ error: { code: 'idempotency_in_progress' } })
  pause.open()
  const text = await (await first).text()
  expect(await (await call(path, body, 'k-3')).text()).toBe(text)
  expect(asked()).toBe(1)
})

test('a stream continues after a disconnect, and the retry gets all of it for one charge', async () => {
  const pause = gate()
  api.upstream.script({ pieces: ['Good ', pause.opened, 'morning.'], usage })
  const leaving = new AbortController()
  const [, path, body] = CALLS[1] ?? ['', '', {}]
  const response = await call(path, body, 'k-5', ada, leaving.signal)
  await response.body?.getReader().read()
  leaving.abort()
  const detached = () => api.server.sql.rows<object>`
    select 1 from idempotency_keys where user_id = ${ada.userId} and detached_at is not null`
  await expect.poll(async () => (await detached()).length).toBe(1)
  const retry = call(path, body, 'k-5')
  pause.open()
  const replayed = await retry
  expect(replayed.headers.get('idempotency-replayed')).toBe('true')
  const text = await replayed.text()
  expect(textIn(eventsIn(text))).toBe('Good morning.')
  expect(text).toMatch(/data: \[DONE\]\n\n$/)
  expect(await (await call(path, body, 'k-5')).text()).toBe(text)
  expect(asked()).toBe(1)
  expect(await spentBy(api, ada)).toBe(15n)
})

test('a complete answer continues after a disconnect, and the retry gets it as JSON for one charge', async () => {
  const pause = gate()
  api.upstream.script({ pieces: [pause.opened, 'Good morning.'], usage })
  const leaving = new AbortController()
  const [, path, body] = CALLS[0] ?? ['', '', {}]
  const first = call(path, body, 'k-6', ada, leaving.signal)
  await expect.poll(asked).toBe(1)
  leaving.abort()
  await expect(first).rejects.toThrow()
  await expect
    .poll(async () => {
      const rows = await api.server.sql.rows<object>`
        select 1 from idempotency_keys where user_id = ${ada.userId} and detached_at is not null`
      return rows.length
    })
    .toBe(1)
  const retry = call(path, body, 'k-6')
  pause.open()
  const replayed = await retry
  expect(replayed.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await replayed.json()).toMatchObject({ choices: [{ message: { content: 'Good morning.' } }] })
  expect(asked()).toBe(1)
  expect(await spentBy(api, ada)).toBe(15n)
})

test('a stream that fails after its first text frees the key and costs nothing', async () => {
  const pause = gate()
  api.upstream.script({ pieces: ['Good ', pause.opened, { raw: 'data: {"cho\n\n' }], usage })
  for (const [, path, body] of CALLS.filter(([name]) => name.includes('streamed'))) {
    const first = await call(path, body, 'k-7')
    pause.open()
    expect(await first.text()).toContain('upstream_failed')
    expect(await spentBy(api, ada)).toBe(0n)
    const second = await call(path, body, 'k-7')
    expect(second.headers.get('idempotency-replayed')).toBeNull()
    expect(await second.text()).toContain('fake model')
    ada = await api.customer()
    api.upstream.script({ pieces: ['Good ', pause.opened, { raw: 'data: {"cho\n\n' }], usage })
  }
})

test('the official client retries a stream under its key without paying twice', async () => {
  const client = new OpenAI({ apiKey: ada.key, baseURL: `${api.address}/v1`, maxRetries: 0 })
  api.upstream.script({ text: 'Good morning.', usage })
  const read = async () => {
    const options = { headers: { 'Idempotency-Key': 'k-8' } }
    const stream = await client.chat.completions.create({ model: 'open', messages, stream: true }, options)
    const chunks = await Array.fromAsync(stream)
    return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
  }
  expect([await read(), await read()]).toEqual(['Good morning.', 'Good morning.'])
  expect(await spentBy(api, ada)).toBe(15n)
})

test('the stored reply is content of the organisation, separate from the key', async () => {
  const [, path, body] = CALLS[1] ?? ['', '', {}]
  const text = await (await call(path, body, 'k-9')).text()
  const [key] = await api.server.sql.rows<{ id: string; body: string; kept_in: string }>`
    select id, body, kept_in from idempotency_keys where user_id = ${ada.userId}`
  expect(key).toMatchObject({ body: '', kept_in: ada.orgId })
  const kept = await api.server.sql.rows<{
    body: string
  }>`select body from kept_replies where id = ${key?.id ?? ''}`
  expect(kept).toEqual([{ body: text }])
})

test('eight concurrent calls under one key are charged once', async () => {
  const [, path, body] = CALLS[0] ?? ['', '', {}]
  api.upstream.fallback(() => ({ text: 'Good morning.', usage }))
  const replies = await Promise.all(Array.from({ length: 8 }, () => call(path, body, 'k-10')))
  const statuses = replies.map(({ status }) => status)
  expect(statuses).toContain(200)
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
  expect(await spentBy(api, ada)).toBe(15n)
})
