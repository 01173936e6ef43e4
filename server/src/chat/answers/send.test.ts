import { planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import {
  type Body,
  createThread,
  deltasOf,
  framesOf,
  readFunds,
  readThread,
  type Thread,
} from '@cowrie/testkit/chat/chat.ts'
import { type FakeUpstream, gate, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { costOf, priceOf } from '../../metering/metering.ts'

let upstream: FakeUpstream
let server: TestServer
let ada: Person
let thread: Thread

beforeAll(async () => {
  upstream = await startFakeUpstream()
  server = await startTestServer({
    variables: {
      SERVICE_UPSTREAM_BASE_URL: upstream.url,
      SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
      SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
      SERVICE_UPSTREAM_CONTEXT_TOKENS: '8000',
    },
  })
})
beforeEach(async () => {
  upstream.reset()
  ada = await server.person()
  await giveCredit(server, ada.orgId, 100_000n)
  thread = await createThread(server, ada)
})
afterAll(async () => {
  await server.close()
  await upstream.close()
})

const send = (body: Body, key?: string, as: { bearer: string } = ada) =>
  server.call('POST', `/chat/threads/${thread.id}/messages`, {
    as,
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
const messages = async () => (await readThread(server, ada, thread)).messages
const priceOfTokens = (tokens: bigint) => costOf(priceOf(server.app, 'open', 'NGN'), Number(tokens))
const usage = () => server.sql.rows<{ tokens: bigint; cost: bigint; source: string }>`
  select tokens, cost_minor as cost, source from usage_points where org_id = ${ada.orgId}`

describe('a message', () => {
  test('streams its answer and is charged exactly', async () => {
    upstream.script('An answer of several words, streamed.')
    const { status, text, headers } = await send({ prompt: 'How are you?' })
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('text/event-stream')
    const frames = framesOf(text)
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, i) => i + 1))
    expect(deltasOf(frames)).toBe('An answer of several words, streamed.')
    const [point] = await usage()
    const last = frames.at(-1)
    expect(last).toMatchObject({
      message: {
        role: 'assistant',
        content: 'An answer of several words, streamed.',
        lane: 'open',
        model: 'small-1',
        status: 'complete',
        costMinor: point?.cost,
      },
      costMinor: point?.cost,
      balanceMinor: 100_000n - (point?.cost ?? 0n),
      finish: 'stop',
      context: { messages: 0, dropped: 0 },
    })
    expect(point?.cost).toBe(priceOfTokens(point?.tokens ?? 0n))
    expect(point).toMatchObject({ source: 'chat' })
    expect(await readFunds(server, ada)).toMatchObject({ balanceMinor: last?.balanceMinor, heldMinor: 0n })
    expect(await messages()).toMatchObject([
      { id: last?.userMessage?.id, role: 'user', content: 'How are you?', costMinor: 0n, lane: null },
      last?.message,
    ])
  })

  test('sends the history to the model, sets the thread title and unarchives the thread', async () => {
    await server.call('PATCH', `/chat/threads/${thread.id}`, { as: ada, body: { archived: true } })
    upstream.script('First answer.', { status: 401 }, 'Third answer.')
    await send({ prompt: 'First question. More.' })
    await send({ prompt: 'Second question.' })
    await server.sql
      .rows`update chat_messages set content = 'Half an' where thread_id = ${thread.id} and status = 'failed'`
    const last = framesOf((await send({ prompt: 'Third question.' })).text).at(-1)
    expect(last?.context).toEqual({ messages: 3, dropped: 0 })
    const asked = upstream.requests.at(-1)?.body.messages as { role: string; content: string }[]
    expect(asked.slice(1)).toEqual([
      { role: 'user', content: 'First question. More.' },
      { role: 'assistant', content: 'First answer.' },
      { role: 'user', content: 'Second question.\n\nThird question.' },
    ])
    expect(await readThread(server, ada, thread)).toMatchObject({ title: 'First question', archived: false })
  })

  test('never replaces a title set by the user', async () => {
    await server.call('PATCH', `/chat/threads/${thread.id}`, { as: ada, body: { title: 'Mine' } })
    await send({ prompt: 'Something else' })
    expect((await readThread(server, ada, thread)).title).toBe('Mine')
  })

  test('uses the frontier lane and its price on request', async () => {
    const last = framesOf((await send({ prompt: 'Think', frontier: true })).text).at(-1)
    expect(last?.message).toMatchObject({ lane: 'frontier', model: 'big-1' })
    const [point] = await usage()
    const price = priceOf(server.app, 'frontier', 'NGN')
    expect(last?.costMinor).toBe(costOf(price, Number(point?.tokens)))
  })

  test('removes NUL and lone surrogates, which PostgreSQL cannot store', async () => {
    upstream.script({ pieces: ['a\0b', '\0', 'c\ud83d', '!'] })
    const frames = framesOf((await send({ prompt: 'NUL?' })).text)
    expect(deltasOf(frames)).toBe('abc\ufffd!')
    expect(frames.at(-1)?.message?.content).toBe('abc\ufffd!')
    expect((await messages()).at(-1)?.content).toBe('abc\ufffd!')
  })
})

describe('a message that is refused', () => {
  test('for insufficient funds leaves no rows and calls no model', async () => {
    const poor = await server.person()
    thread = await createThread(server, poor)
    const refused = await send({ prompt: 'Hello' }, 'poor', poor)
    expect(refused).toMatchObject({
      status: 402,
      body: { code: 'insufficient_funds', availableMinor: 0n },
    })
    expect(upstream.requests).toEqual([])
    expect(await readThread(server, poor, thread)).toEqual({ ...thread, messages: [], messagesCursor: null })
  })

  test('for a budget that is too low leaves no rows; a sufficient budget limits the answer', async () => {
    expect(await send({ prompt: 'Hello', maxMinor: 1n })).toMatchObject({
      status: 402,
      body: { code: 'budget_too_low' },
    })
    expect(await messages()).toEqual([])
    upstream.fallback(() => 'word '.repeat(5_000))
    const last = framesOf((await send({ prompt: 'Hello', maxMinor: 60n })).text).at(-1)
    expect(last?.finish).toBe('length')
    expect(last?.costMinor).toBeLessThanOrEqual(60n)
    expect(last?.costMinor).toBeGreaterThan(0n)
  })

  test('for a prompt over the limit of the model or the service', async () => {
    expect(await send({ prompt: 'word '.repeat(12_000) })).toMatchObject({
      status: 400,
      body: { code: 'prompt_too_long' },
    })
    expect((await send({ prompt: 'x'.repeat(200_001) })).status).toBe(400)
    expect((await send({ prompt: '' })).status).toBe(400)
    expect(await messages()).toEqual([])
  })

  test('for an organisation bound to a region', async () => {
    await server.sql.rows`update orgs set residency_region = 'ng' where id = ${ada.orgId}`
    expect(await send({ prompt: 'Hello' })).toMatchObject({
      status: 451,
      body: { code: 'residency_blocked' },
    })
    expect(await messages()).toEqual([])
  })

  test('for a suspended organisation', async () => {
    await server.sql.rows`update orgs set suspended_at = ${server.clock.now()} where id = ${ada.orgId}`
    expect(await send({ prompt: 'Hello' })).toMatchObject({ status: 403, body: { code: 'org_suspended' } })
  })

  test('for a full thread', async () => {
    await server.sql.rows`
      insert into chat_messages (id, org_id, thread_id, role, content, status, created_at, beat_at)
      select 'msg_' || ${thread.id} || n, ${ada.orgId}, ${thread.id}, 'user', 'x', 'complete', ${server.clock.now()}, ${server.clock.now()}
      from generate_series(1, 1999) n`
    expect(await send({ prompt: 'Hello' })).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
  })

  test('for a thread with a running answer', async () => {
    const held = gate()
    upstream.script({ pieces: ['Slow', held.opened, ' answer'] })
    const first = send({ prompt: 'One' })
    await expect.poll(() => upstream.requests.length).toBe(1)
    expect(await send({ prompt: 'Two' })).toMatchObject({ status: 409, body: { code: 'thread_busy' } })
    held.open()
    expect(framesOf((await first).text).at(-1)?.message?.content).toBe('Slow answer')
    expect(await messages()).toHaveLength(2)
    expect(upstream.requests).toHaveLength(1)
  })
})

test('one of many concurrent messages is answered, and the others get thread_busy', async () => {
  const held = gate()
  upstream.fallback(() => ({ pieces: ['a', held.opened, 'b'] }))
  const busy: number[] = []
  const all = Array.from({ length: 6 }, async (_, i) => {
    const { status } = await send({ prompt: `Number ${i}` })
    if (status === 409) busy.push(status)
  })
  await expect.poll(() => busy).toHaveLength(5)
  held.open()
  await Promise.all(all)
  expect(busy).toHaveLength(5)
  expect(await usage()).toHaveLength(1)
})

describe('an answer that fails', () => {
  test('before its first token costs nothing', async () => {
    upstream.script({ status: 401 })
    const { status, text } = await send({ prompt: 'Hello' })
    expect(status).toBe(200)
    const [last] = framesOf(text)
    expect(last?.code).toBe('upstream_refused')
    expect(await messages()).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: '', status: 'failed', costMinor: 0n, errorCode: last?.code },
    ])
    expect(await readFunds(server, ada)).toMatchObject({ balanceMinor: 100_000n, heldMinor: 0n })
    expect(await readThread(server, ada, thread)).toMatchObject({ busy: false })
  })

  test('is replaced by the retry with the same key', async () => {
    upstream.script({ status: 401 }, 'Whole.')
    await send({ prompt: 'Hello' }, 'again')
    expect(await messages()).toHaveLength(2)
    const last = framesOf((await send({ prompt: 'Hello' }, 'again')).text).at(-1)
    expect(last?.message?.status).toBe('complete')
    expect(await messages()).toMatchObject([{ role: 'user' }, { content: 'Whole.', status: 'complete' }])
    expect(await usage()).toHaveLength(1)
  })
})

describe('an incomplete answer', () => {
  test('is cut at the output limit and costs at most the held amount', async () => {
    upstream.script({ pieces: ['and so on it goes, '], endless: true })
    const last = framesOf((await send({ prompt: 'Go on.' })).text).at(-1)
    expect(last).toMatchObject({ finish: 'length', message: { status: 'stopped', errorCode: 'length' } })
    expect(last?.message?.content.length).toBeLessThan(100_000)
    const [point] = await usage()
    expect(point?.tokens).toBeLessThan(4_096n + 500n)
    expect(await messages()).toMatchObject([{ role: 'user' }, { status: 'stopped', errorCode: 'length' }])
  })

  test('reports that a content filter ended it', async () => {
    upstream.script({ text: 'Well, first of all', finish: 'content_filter' })
    const last = framesOf((await send({ prompt: 'How?' })).text).at(-1)
    expect(last).toMatchObject({
      finish: 'content_filter',
      message: { content: 'Well, first of all', status: 'stopped', errorCode: 'content_filter' },
    })
  })
})

test('an orphaned answer does not block the next question', async () => {
  await server.sql.rows`
    insert into chat_messages (id, org_id, thread_id, role, content, status, created_at, beat_at)
    values (${`msg_${thread.id}`}, ${ada.orgId}, ${thread.id}, 'assistant', '', 'running', ${server.clock.now()}, ${server.clock.now()})`
  expect((await send({ prompt: 'Hello' })).status).toBe(409)
  server.clock.advance({ minutes: 3 })
  expect((await send({ prompt: 'Hello' })).status).toBe(200)
  expect(await messages()).toMatchObject([{ status: 'failed' }, { role: 'user' }, { status: 'complete' }])
})

test('a quote limits the price for an hour, even if prices rise', async () => {
  const root = await server.person({ staff: 'super_admin' })
  const price = async (value: number) => {
    await server.call('PUT', '/admin/settings/price_open_kobo_per_1m', { as: root, body: { value } })
    await server.app.settings.refresh()
  }
  const body = { prompt: 'How much will this be?' }
  const { body: quote } = await server.call<Record<string, bigint>>(
    'POST',
    `/chat/threads/${thread.id}/quote`,
    {
      as: ada,
      body,
    },
  )
  await price(180_000)
  upstream.script({ text: 'A lot.', usage: { prompt_tokens: 900, completion_tokens: 4_000 } })
  const last = framesOf((await send(body)).text).at(-1)
  await price(90_000)
  expect(last?.costMinor).toBeGreaterThan(0n)
  expect(last?.costMinor).toBeLessThanOrEqual(quote.maxMinor ?? 0n)
})

test('a quote is never below the final price, for any history and any usage that the provider reports', async () => {
  const claims = ['none', { prompt_tokens: 10 ** 9, completion_tokens: 10 ** 9 }, undefined]
  for (const [i, claim] of claims.entries()) {
    const body = { prompt: `Question ${i} ${'with words '.repeat(i * 40)}` }
    const path = `/chat/threads/${thread.id}/quote`
    const { body: quote } = await server.call<Record<string, bigint>>('POST', path, { as: ada, body })
    expect(quote).toMatchObject({ lane: 'open', model: 'small-1', affordable: true })
    upstream.script({ text: 'word '.repeat(100 * (i + 1)), ...(claim !== undefined && { usage: claim }) })
    const last = framesOf((await send(body)).text).at(-1)
    expect(last?.costMinor).toBeLessThanOrEqual(quote.maxMinor ?? 0n)
    expect(last?.costMinor).toBeGreaterThan(0n)
    expect(quote.minMinor).toBeLessThanOrEqual(quote.maxMinor ?? 0n)
  }
  const poor = await server.person()
  const own = await createThread(server, poor)
  const asked = { as: poor, body: { prompt: 'Hello' } }
  expect(await server.call('POST', `/chat/threads/${own.id}/quote`, asked)).toMatchObject({
    status: 200,
    body: { affordable: false, balanceMinor: 0n },
  })
})

describe('a secret in a conversation', () => {
  const KEY = planted('aws-key-id').secret
  const asked = () => upstream.requests.map(({ body }) => JSON.stringify(body.messages)).join('\n')

  test('is hidden from the model in this and later turns, and is reported', async () => {
    upstream.script('Fine.', 'Still fine.')
    const prompt = `Is this valid?\n${KEY}`
    const quote = await server.call('POST', `/chat/threads/${thread.id}/quote`, { as: ada, body: { prompt } })
    const withheld = [{ path: 'prompt', line: 2, reason: 'AWS access key' }]
    expect(quote.body).toMatchObject({ withheld })
    expect(framesOf((await send({ prompt })).text).at(-1)).toMatchObject({ withheld })
    expect(framesOf((await send({ prompt: 'And now?' })).text).at(-1)).toMatchObject({
      withheld: [{ path: 'conversation', reason: 'AWS access key' }],
    })
    expect(upstream.requests).toHaveLength(2)
    expect(asked()).not.toContain(KEY)
    expect((await messages())[0]?.content).toBe(prompt)
  })

  test('is sent to the model when the caller allows it', async () => {
    upstream.script('Fine.')
    await send({ prompt: KEY, allowSecrets: true })
    expect(asked()).toContain(KEY)
  })
})
