// The limits of one call: time, bytes, money and upstream requests. The output up to a limit is charged.
import { setTimeout as pass } from 'node:timers/promises'
import { type FakeReply, gate, type StreamPiece } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import {
  type Customer,
  eventsIn,
  type OpenAiApi,
  spentBy,
  startOpenAiApi,
  textIn,
} from '@cowrie/testkit/gateway/openai-api.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countTokens } from '../platform/inference/tokens/count-tokens.ts'

let api: OpenAiApi
let ada: Customer
beforeAll(async () => {
  api = await startOpenAiApi({ SERVICE_UPSTREAM_CONTEXT_TOKENS: '60000' })
})
afterAll(() => api.close())
beforeEach(async () => {
  api.upstream.reset()
  ada = await api.customer()
})

const CHAT = '/v1/chat/completions'
const RESPONSES = '/v1/responses'
const hello = { model: 'open', messages: [{ role: 'user', content: 'Say hello, please.' }] }
const streamed = { ...hello, stream: true, stream_options: { include_usage: true } }
const sent = () => api.upstream.requests.at(-1)?.body ?? {}

const heard = async (path: string, body: object, at = api, as = ada) =>
  eventsIn(await (await at.stream(as, path, body)).text())
type Usage = { completion_tokens: number; total_tokens: number; cost_minor: number }

describe('an answer that one of our limits cut is charged as delivered, and marked as cut:', () => {
  const pause = () => pass(20)
  async function expectCut(how: FakeReply, at: OpenAiApi, as: Customer) {
    at.upstream.script(how)
    const events = await heard(CHAT, { ...streamed, max_tokens: 1_000 }, at, as)
    expect(events.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'length' }] })
    const usage = events.at(-1)?.usage as Usage
    expect(usage.completion_tokens).toBe(Math.min(1_000, countTokens(textIn(events))))
    expect(usage.completion_tokens).toBeGreaterThan(2)
    expect(await spentBy(at, as)).toBe(BigInt(usage.total_tokens))
    await expect.poll(() => at.upstream.open).toBe(0)
  }

  test('it exceeds the total time of a call', async () => {
    // A separate server, so that a busy machine does not cut other calls.
    const brief = await startOpenAiApi({
      SERVICE_UPSTREAM_TOTAL_MS: '2000',
      SERVICE_UPSTREAM_FIRST_BYTE_MS: '1900',
      SERVICE_UPSTREAM_IDLE_MS: '1900',
    })
    // The first token count is slow, and this call has little time.
    countTokens('warm')
    const how = { pieces: ['one two three ', pause], endless: true }
    await expectCut(how, brief, await brief.customer())
    await brief.close()
  })

  test('it never ends', async () => {
    await expectCut({ pieces: ['one two three '.repeat(1_000)], endless: true }, api, ada)
  })

  test('as a response through chat completions', async () => {
    api.upstream.script({ pieces: ['one two three '.repeat(1_000)], endless: true })
    const events = await heard(RESPONSES, { model: 'open', input: 'x', stream: true, max_output_tokens: 900 })
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'max_output_tokens' }, usage: { output_tokens: 900 } },
    })
    expect(await spentBy(api, ada)).toBeGreaterThan(900n)
  })

  test('as a native response of the upstream', async () => {
    // A missing Responses API is cached for a while.
    api.server.clock.advance({ hours: 1 })
    const delta = { type: 'response.output_text.delta', delta: 'one two three ' }
    const piece: StreamPiece = { raw: `data: ${JSON.stringify(delta)}\n\n` }
    api.upstream.on(RESPONSES.slice(3), () => ({ pieces: [piece, { raw: ': more\n\n' }], endless: true }))
    const events = await heard(RESPONSES, { model: 'open', input: 'x', stream: true, max_output_tokens: 900 })
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', usage: { output_tokens: 900 } },
    })
    expect(await spentBy(api, ada)).toBeGreaterThan(900n)
  })
})

test('an answer of long tokens within its limit is charged by its reported usage', async () => {
  const lines = Array.from({ length: 2_400 }, () => `${'-'.repeat(256)}\n`)
  const usage = { prompt_tokens: 10, completion_tokens: 12_000, total_tokens: 12_010 }
  api.upstream.script({ pieces: lines, usage })
  const events = await heard(CHAT, { ...streamed, max_tokens: 16_384 })
  expect(events.at(-1)).toMatchObject({ usage })
  expect(await spentBy(api, ada)).toBe(12_010n)
})

test('many bytes without an answer open the stream, and too many end it', async () => {
  const choices = [{ index: 0, delta: { audio: { data: 'QUJD'.repeat(25_000) } }, finish_reason: null }]
  let packets = 0
  const count = async () => void packets++
  api.upstream.script({ pieces: [{ data: { id: 'x', model: 'small-1', choices } }, count], endless: true })
  const response = await api.stream(ada, CHAT, { ...streamed, max_tokens: 16 })
  expect(response.status).toBe(200)
  expect(eventsIn(await response.text()).at(-1)).toMatchObject({ error: { code: 'upstream_failed' } })
  expect(packets).toBeLessThan(100)
  expect(await spentBy(api, ada)).toBe(0n)
})

describe('an output limit', () => {
  test.for<[string, object, number]>([
    ['above the maximum', { max_tokens: 9_000_000_000 }, 32_768],
    ['by its other name', { max_completion_tokens: 500_000 }, 32_768],
    ['within that', { max_tokens: 20_000 }, 20_000],
    ['by both names', { max_tokens: 20_000, max_completion_tokens: 300 }, 300],
  ])('%s is lowered to the allowed one', async ([, asked, ceiling]) => {
    await api.post(ada, CHAT, { ...hello, ...asked })
    expect(sent().max_tokens).toBe(ceiling)
  })

  test('leaves room for the prompt in the context window, but is never below the default', async () => {
    const long = (words: number) => ({ messages: [{ role: 'user', content: 'word '.repeat(words) }] })
    await api.post(ada, CHAT, { ...hello, ...long(35_000), max_tokens: 1_000_000 })
    expect(Number(sent().max_tokens)).toBeLessThan(25_000)
    expect(Number(sent().max_tokens)).toBeGreaterThan(8_192)
    await api.post(ada, CHAT, { ...hello, ...long(58_000), max_tokens: 1_000_000 })
    expect(sent().max_tokens).toBe(8_192)
  })

  test('of a response is lowered in the same way', async () => {
    await api.post(ada, RESPONSES, { model: 'open', input: 'x', max_output_tokens: 1_000_000 })
    expect(sent().max_tokens).toBe(32_768)
  })

  test('that one caller set too high does not change the dialect for others', async () => {
    api.upstream.fallback(({ body }) =>
      Number(body.max_tokens ?? 0) > 8_192
        ? { status: 400, body: { error: { message: 'max_tokens is not supported: use [1, 8192]' } } }
        : 'x',
    )
    await api.post(ada, CHAT, { ...hello, max_tokens: 500_000 })
    await api.post(await api.customer(), CHAT, { ...hello, max_tokens: 1 })
    expect(sent()).toMatchObject({ max_tokens: 1 })
    expect(sent()).not.toHaveProperty('max_completion_tokens')
  })
})

test('a caller may have twenty calls in progress, streamed or not, and the next is rejected', async () => {
  const pause = gate()
  api.upstream.fallback(() => ({ pieces: [pause.opened, 'x'] }))
  const calls = Array.from({ length: 20 }, (_, place) =>
    place % 2 ? api.post(ada, CHAT, hello) : api.post(ada, RESPONSES, { model: 'open', input: 'x' }),
  )
  await expect.poll(() => api.upstream.open).toBe(20)
  for (const [path, body] of [
    [CHAT, hello],
    [CHAT, streamed],
    ['/v1/embeddings', { model: 'open', input: 'x' }],
  ] as const) {
    const surplus = await api.post(ada, path, body)
    expect(surplus).toMatchObject({ status: 429, body: { error: { code: 'too_many_streams' } } })
    expect(Number(surplus.headers['retry-after'])).toBeGreaterThan(0)
  }
  pause.open()
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200))
  expect((await api.post(ada, CHAT, hello)).status).toBe(200)
})

describe('images', () => {
  const ask = (url: string, count = 1) => ({
    ...hello,
    max_tokens: 100,
    messages: [{ role: 'user', content: Array(count).fill({ type: 'image_url', image_url: { url } }) }],
  })
  const DOT = `data:image/png;base64,${'iVBORw0KGgo'.repeat(6)}`

  test('as URLs are rejected before anything is held or sent', async () => {
    const reply = await api.post(ada, CHAT, ask('https://x.io/a.png'))
    expect(reply).toMatchObject({
      status: 400,
      body: {
        error: { param: 'messages.0.content.0.image_url.url', message: expect.stringContaining('data:') },
      },
    })
    const content = [{ type: 'input_image', image_url: 'https://x.io/a.png' }]
    const other = await api.post(ada, RESPONSES, { model: 'open', input: [{ role: 'user', content }] })
    expect(other.status).toBe(400)
    expect(api.upstream.requests).toHaveLength(0)
    expect(await spentBy(api, ada)).toBe(0n)
  })

  test('as inline data cost the reported usage, regardless of their bytes', async () => {
    const usage = { prompt_tokens: 75_000, completion_tokens: 4, total_tokens: 75_004 }
    api.upstream.script({ text: 'Fifty pictures.', usage })
    await api.post(ada, CHAT, ask(DOT, 50))
    expect(await spentBy(api, ada)).toBe(75_004n)
  })

  test.for<[string, number]>([
    ['few bytes', 6],
    ['many', 60_000],
  ])('of %s are held and counted as 1,600 tokens each', async ([, times]) => {
    const pause = gate()
    api.upstream.script({ pieces: [pause.opened, 'Seen.'], usage: 'none' })
    const asking = api.post(ada, CHAT, ask(`data:image/png;base64,${'iVBORw0KGgo'.repeat(times)}`))
    await expect.poll(() => api.upstream.requests.length).toBe(1)
    const { heldMinor } = await api.money(ada)
    expect(heldMinor).toBeGreaterThan(1_700n)
    expect(heldMinor).toBeLessThan(1_900n)
    pause.open()
    await asking
    const spent = await spentBy(api, ada)
    expect(spent).toBeGreaterThan(1_600n)
    expect(spent).toBeLessThan(1_700n)
  })
})

test('log probabilities are not output', async () => {
  const alternatives = Array.from({ length: 20 }, (_, place) => ({ token: ` other${place}`, logprob: -1 }))
  const logprobs = { content: [{ token: 'one', logprob: -1, top_logprobs: alternatives }] }
  const message = { role: 'assistant', content: 'one two', reasoning: 'three', reasoning_content: 'three' }
  const choices = [{ index: 0, finish_reason: 'stop', message, logprobs }]
  api.upstream.script({ body: { id: 'x', object: 'chat.completion', model: 'small-1', choices } })
  const { body } = await api.post(ada, CHAT, { ...hello, logprobs: true, top_logprobs: 20 })
  expect(body.usage).toMatchObject({ completion_tokens: countTokens('one two') + countTokens('three') })
})

test('embeddings have the price of the open lane when the policy allows only the other', async () => {
  await api.server.sql.rows`update orgs set allowed_lanes = '{frontier}' where id = ${ada.orgId}`
  const { headers, body } = await api.post(ada, '/v1/embeddings', { model: 'frontier', input: 'some words' })
  expect(headers['x-cowrie-lane']).toBe('open')
  expect(await spentBy(api, ada)).toBe(BigInt((body.usage as { total_tokens: number }).total_tokens))
})

test('a missing item does not disable the native responses for others', async () => {
  api.server.clock.advance({ hours: 1 })
  const output = [{ type: 'message', content: [{ type: 'output_text', text: 'Hello.' }] }]
  const usage = { input_tokens: 3, output_tokens: 1, total_tokens: 4 }
  api.upstream.on('/responses', ({ body }) =>
    JSON.stringify(body).includes('item_reference')
      ? { status: 404, body: { error: { message: 'Item rs_x not found.' } } }
      : { body: { id: 'r', object: 'response', status: 'completed', model: 'small-1', output, usage } },
  )
  const input = [
    { role: 'user', content: 'x' },
    { type: 'item_reference', id: 'rs_x' },
  ]
  expect((await api.post(ada, RESPONSES, { model: 'open', input })).status).toBe(400)
  await api.post(await api.customer(), RESPONSES, { model: 'open', input: 'x' })
  expect(api.upstream.requests.at(-1)?.path).toBe('/responses')
})
