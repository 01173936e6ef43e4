// Responses that are stored, continued, read and deleted, over providers with and without the Responses API.
import { type ModelProviders, startModelProviders } from '@cowrie/testkit/gateway/model-providers.ts'
import { type Customer, eventsIn, spentBy } from '@cowrie/testkit/gateway/openai-api.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { forgetResponses } from './jobs.ts'

type Json = Record<string, unknown>
type Said = Json & { id: string; store: boolean; output: Json[]; usage: Json }

let api: ModelProviders
let ada: Customer
beforeAll(async () => {
  api = await startModelProviders()
  for (const name of ['openai', 'anthropic', 'gemini'] as const) await api.putModel(`on-${name}`, [name])
})
afterAll(() => api.close())
beforeEach(async () => {
  for (const provider of [api.openai, api.anthropic, api.gemini]) provider.reset()
  // A missing Responses API is remembered for a while.
  api.server.clock.advance({ hours: 1 })
  ada = await api.customer()
})

const RESPONSES = '/v1/responses'
const model = 'on-anthropic'
const create = async (body: object, as: { key: string } = ada) => {
  const reply = await api.post(as, RESPONSES, { model, ...body })
  return { ...reply, body: reply.body as Said }
}
const streamed = async (body: object) => {
  const reply = await api.stream(ada, RESPONSES, { model, stream: true, ...body })
  return eventsIn(await reply.text()) as (Json & { type: string; response: Said })[]
}
const get = (path: string, as: { key: string } = ada) =>
  api.server.call('GET', `${RESPONSES}/${path}`, { as: { bearer: as.key } })
const remove = (id: string, as: { key: string } = ada) =>
  api.server.call('DELETE', `${RESPONSES}/${id}`, { as: { bearer: as.key } })
const storedRows = (of = ada) =>
  api.server.sql.rows`select id from stored_responses where org_id = ${of.orgId}`
const sentTo = (name: 'openai' | 'anthropic' | 'gemini') => api[name].requests.at(-1)?.body ?? {}

describe('a stored response', () => {
  test.for([false, true])(
    'is continued with its items, without its instructions (stream: %s)',
    async (isStream) => {
      api.anthropic.script(
        { text: 'Your name is Ada.', usage: 'none' },
        { text: 'I said data: {} \u0000.', usage: 'none' },
      )
      const ask = async (body: object) =>
        isStream ? ((await streamed(body)).at(-1)?.response as Said) : (await create(body)).body
      const first = await ask({
        input: 'I am Ada. '.repeat(50),
        instructions: 'Be brief.',
        store: true,
        metadata: { a: 'b' },
      })
      const firstCost = await spentBy(api, ada)
      expect(first).toMatchObject({
        id: expect.stringMatching(/^resp_[0-9a-z]{26}$/),
        store: true,
        metadata: { a: 'b' },
      })
      const input = [{ role: 'user', content: [{ type: 'input_text', text: 'What did you say?' }] }]
      const second = await ask({ input, previous_response_id: first.id, store: true })
      expect(second).toMatchObject({ store: true, previous_response_id: first.id })
      expect(sentTo('anthropic')).toMatchObject({
        messages: [
          { role: 'user', content: [{ text: expect.stringContaining('I am Ada.') }] },
          { role: 'assistant', content: [{ text: 'Your name is Ada.' }] },
          { role: 'user', content: [{ text: 'What did you say?' }] },
        ],
      })
      expect(JSON.stringify(sentTo('anthropic'))).not.toContain('Be brief.')
      // The items of the first response are charged again, as a part of the prompt.
      expect((await spentBy(api, ada)) - firstCost).toBeGreaterThan(firstCost - 50n)

      const read = await get(second.id)
      expect(read).toMatchObject({ status: 200, body: { ...second, usage: expect.anything() } })
      expect(read.body).toMatchObject({
        status: 'completed',
        output: [{ content: [{ text: 'I said data: {} \u0000.' }] }],
      })
      const { body: items } = await get(`${second.id}/input_items?order=asc&limit=2`)
      expect(items).toMatchObject({
        object: 'list',
        data: [{ role: 'user', id: expect.stringMatching(/^msg_/) }, first.output[0]],
        has_more: true,
        last_id: first.output[0]?.id,
      })
      const rest = await get(`${second.id}/input_items?order=asc&after=${items.last_id}`)
      expect(rest.body).toMatchObject({ data: [{ ...input[0], id: expect.any(String) }], has_more: false })
      expect((await get(`${second.id}/input_items`)).body).toMatchObject({ first_id: rest.body.first_id })
      expect(await spentBy(api, ada)).toBe(1_000_000n - (await api.money(ada)).balanceMinor)
    },
  )

  test('has one id in all events of a stream, and is there when the stream ends', async () => {
    const events = await streamed({ input: 'Hello', store: true })
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, place) => place))
    const ids = new Set(events.flatMap(({ response }) => (response ? [response.id] : [])))
    expect([...ids]).toEqual([events.at(-1)?.response.id])
    expect((await get(String(events.at(-1)?.response.id))).status).toBe(200)
  })

  test('under a key is stored once, with the reply', async () => {
    const body = { model, input: 'Hello', store: true }
    const options = { as: { bearer: ada.key }, body, headers: { 'idempotency-key': newId('key') } }
    const [first, retry] = [
      await api.server.call('POST', RESPONSES, options),
      await api.server.call('POST', RESPONSES, options),
    ]
    expect(retry.text).toBe(first.text)
    expect(retry.headers['idempotency-replayed']).toBe('true')
    expect(await storedRows()).toEqual([{ id: first.body.id }])
  })

  test('is read, continued and deleted only by its owner, with any of their keys', async () => {
    const { body: mine } = await create({ input: 'Hello', store: true })
    const { bearer: otherKey } = await api.server.key(ada, ['agent:run'])
    const colleague = await api.server.member(ada.orgId, 'admin')
    const { bearer: foreignKey } = await api.server.key(colleague, ['agent:run'])
    expect((await get(mine.id, { key: otherKey })).status).toBe(200)
    for (const stranger of [{ key: foreignKey }, await api.customer()]) {
      for (const reply of [await get(mine.id, stranger), await remove(mine.id, stranger)])
        expect(reply).toMatchObject({ status: 404, body: { error: { type: 'invalid_request_error' } } })
      const continued = await create({ input: 'And?', previous_response_id: mine.id }, stranger)
      expect(continued).toMatchObject({
        status: 400,
        body: { error: { code: 'previous_response_not_found', param: 'previous_response_id' } },
      })
      expect(continued.text).toContain('store: true')
    }
    expect(await remove(mine.id, { key: otherKey })).toMatchObject({
      status: 200,
      body: { id: mine.id, object: 'response', deleted: true },
    })
    expect((await get(mine.id)).status).toBe(404)
    for (const id of [mine.id, 'resp_of_the_provider', `${mine.id}%`])
      expect(await create({ input: 'And?', previous_response_id: id })).toMatchObject({
        status: 400,
        body: { error: { code: 'previous_response_not_found' } },
      })
    expect((await get('resp_of_the_provider')).status).toBe(404)
    expect((await get(`${mine.id}?stream=true`)).status).toBe(400)
  })

  test('stays when the response before it is deleted, and expires after 30 days', async () => {
    const { body: first } = await create({ input: 'Hello', store: true })
    const { body: second } = await create({ input: 'And?', previous_response_id: first.id, store: true })
    await remove(first.id)
    expect((await create({ input: 'More?', previous_response_id: second.id })).status).toBe(200)
    api.server.clock.advance({ days: 29 })
    expect((await get(second.id)).status).toBe(200)
    api.server.clock.advance({ days: 2 })
    expect((await get(second.id)).status).toBe(404)
    expect(await forgetResponses(api.server.app)).toBeGreaterThan(0)
    expect(await storedRows()).toEqual([])
  })

  test('moves with the content of its organisation', async () => {
    const { body: before } = await create({ input: 'Hello', store: true })
    const policy = { as: api.operator, body: { dataIsolation: 'schema' } }
    expect((await api.server.call('PUT', `/orgs/${ada.orgId}/policy`, policy)).status).toBe(200)
    const { body: after } = await create({ input: 'And?', previous_response_id: before.id, store: true })
    expect(after).toMatchObject({ store: true, previous_response_id: before.id })
    expect((await get(after.id)).status).toBe(200)
    expect(await storedRows()).toEqual([])
    api.server.clock.advance({ days: 31 })
    expect(await forgetResponses(api.server.app)).toBe(2)
  })
})

describe('a response is not stored', () => {
  test('without `store: true`, and its `store` is false', async () => {
    const { body } = await create({ input: 'Hello' })
    expect(body.store).toBe(false)
    expect((await get(body.id)).status).toBe(404)
    expect(await storedRows()).toEqual([])
  })

  test('when it is too large or the organisation has too many, and its `store` is false', async () => {
    const image = `data:image/png;base64,${'A'.repeat(4_200_000)}`
    const large = {
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: image }] }],
      store: true,
    }
    const reply = await create(large)
    expect(reply).toMatchObject({ status: 200, body: { store: false } })
    expect(reply.headers['x-cowrie-ignored']).toBe('store')
    await api.server.sql.rows`
      insert into stored_responses (id, org_id, user_id, input, response, size_bytes, created_at)
      values (${newId('resp')}, ${ada.orgId}, ${ada.userId}, '[]', '{}', 536870912, ${api.server.clock.now()})`
    const full = await create({ input: 'Hello', store: true })
    expect(full).toMatchObject({ status: 200, body: { store: false, status: 'completed' } })
    expect(full.headers['x-cowrie-ignored']).toBe('store')
    expect((await streamed({ input: 'Hello', store: true })).at(-1)).toMatchObject({
      type: 'response.completed',
      response: { store: false, usage: { cost_minor: expect.anything() } },
    })
    expect(await storedRows()).toHaveLength(1)
    api.server.clock.advance({ days: 1, minutes: 1 })
    expect((await create({ input: 'Hello', store: true })).body.store).toBe(true)
  })

  test('when its database fails after the charge, and its `store` is false', async () => {
    const { sql } = api.server
    await sql.rows`alter table stored_responses add constraint closed check (size_bytes < 0) not valid`
    try {
      const reply = await create({ input: 'Hello', store: true })
      expect(reply).toMatchObject({ status: 200, body: { store: false } })
      expect(reply.headers['x-cowrie-ignored']).toBe('store')
      expect(await spentBy(api, ada)).toBeGreaterThan(0n)
      const headers = { 'idempotency-key': newId('key') }
      const keyed = { as: { bearer: ada.key }, body: { model, input: 'Hello', store: true }, headers }
      expect((await api.server.call('POST', RESPONSES, keyed)).status).toBe(500)
    } finally {
      await sql.rows`alter table stored_responses drop constraint closed`
    }
    expect(api.server.logged.join('')).toContain('metering.reply.keep_failed')
  })

  test('when the call fails, is not paid, or its client disconnects', async () => {
    api.anthropic.script({ pieces: ['Half of ', 'it '], cutAfter: 2 })
    expect((await streamed({ input: 'Hello', store: true })).at(-1)).toMatchObject({
      type: 'response.failed',
    })
    const poor = await api.customer(0n)
    expect((await create({ input: 'Hello', store: true }, poor)).status).toBe(402)
    api.anthropic.script({ pieces: ['One two three four. ', new Promise<void>(() => undefined), 'never'] })
    const leaving = new AbortController()
    const body = { model, input: 'Hello', store: true, stream: true }
    const response = await api.stream(ada, RESPONSES, body, leaving.signal)
    await response.body?.getReader().read()
    leaving.abort()
    expect(await spentBy(api, ada)).toBeGreaterThan(0n)
    expect(await storedRows()).toEqual([])
    expect(await storedRows(poor)).toEqual([])
  })
})

describe('with a provider that has the Responses API', () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA-proof' }
  const open = { type: 'reasoning', id: 'rs_2', summary: [{ type: 'summary_text', text: 'Hm.' }] }
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Good morning.', annotations: [] }],
  }
  const response = {
    id: 'resp_of_the_provider',
    object: 'response',
    status: 'completed',
    model: 'm',
    store: false,
    previous_response_id: null,
    output: [reasoning, open, message],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  }
  const say = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
  const events =
    say('response.created', { response: { ...response, output: [], status: 'in_progress', usage: null } }) +
    say('response.output_text.delta', { delta: 'Good morning.' }) +
    say('response.completed', { response })

  test.for([false, true])(
    'the provider stores nothing, and encrypted reasoning survives (stream: %s)',
    async (isStream) => {
      const reply = isStream
        ? { headers: { 'content-type': 'text/event-stream' }, body: events }
        : { body: response }
      api.openai.on('/responses', () => reply)
      const ask = async (body: object): Promise<Said> => {
        if (!isStream) return (await create({ model: 'on-openai', ...body })).body
        const said = await streamed({ model: 'on-openai', ...body })
        expect(new Set(said.flatMap(({ response: each }) => (each ? [each.id] : []))).size).toBe(1)
        expect(said.map(({ type }) => type)).toEqual([
          'response.created',
          'response.output_text.delta',
          'response.completed',
        ])
        return said.at(-1)?.response as Said
      }
      const first = await ask({ input: 'Hello', store: true, include: ['reasoning.encrypted_content'] })
      expect(first.id).toMatch(/^resp_[0-9a-z]{26}$/)
      expect(first).toMatchObject({ store: true, output: response.output, previous_response_id: null })
      expect(sentTo('openai')).toMatchObject({ store: false, input: 'Hello' })

      const second = await ask({ input: 'And?', previous_response_id: first.id, store: true })
      expect(second).toMatchObject({ store: true, previous_response_id: first.id })
      const { id: _, ...plain } = message
      const said = (text: string) => ({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text }],
      })
      expect(sentTo('openai')).toMatchObject({
        store: false,
        input: [said('Hello'), reasoning, plain, said('And?')],
      })
      expect(sentTo('openai')).not.toHaveProperty('previous_response_id')
      expect((await get(second.id)).body).toMatchObject({ id: second.id, output: response.output })
      // The conversation continues with a provider of another format.
      const moved = await create({ model: 'on-gemini', input: 'More?', previous_response_id: second.id })
      expect(moved.status, moved.text).toBe(200)
      expect(JSON.stringify(sentTo('gemini'))).toContain('Good morning.')
    },
  )
})

test.for<[string, object, string]>([
  ['conversation', { conversation: 'conv_1' }, 'previous_response_id'],
  ['background', { background: true }, 'background work is not supported'],
  ['prompt', { prompt: { id: 'pmpt_1' } }, 'send the instructions'],
])('%s stays refused, and the error says what to do', async ([param, rest, advice]) => {
  const reply = await create({ input: 'Hello', ...rest })
  expect(reply).toMatchObject({ status: 400, body: { error: { param } } })
  expect(reply.text).toContain(advice)
})
