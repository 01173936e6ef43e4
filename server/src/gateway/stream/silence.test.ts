// An upstream that is silent for long before its first text: the stream opens with keep-alives, and later failures are events.

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
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../platform/config.ts'

let api: OpenAiApi
let ada: Customer
beforeAll(async () => {
  api = await startOpenAiApi({ SERVICE_UPSTREAM_SILENCE_MS: '100' })
})
afterAll(() => api.close())
beforeEach(async () => {
  api.upstream.reset()
  ada = await api.customer()
})

const messages = [{ role: 'user' as const, content: 'Think, please.' }]
const CALLS: [string, object][] = [
  ['/v1/chat/completions', { model: 'open', messages, stream: true }],
  ['/v1/responses', { model: 'open', input: 'Think, please.', stream: true }],
]
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

test.for(CALLS)(
  'headers and a keep-alive of %s arrive while the upstream is silent',
  async ([path, body]) => {
    const thinking = gate()
    api.upstream.script({ pieces: [thinking.opened, 'Good morning.'], usage })
    const response = await api.stream(ada, path, body)
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(': keep-alive\n\n')
    thinking.open()
    let text = ''
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
      text += Buffer.from(piece.value).toString()
    expect(text).toContain('Good morning.')
    expect(await spentBy(api, ada)).toBe(15n)
  },
)

test('a failure after the silence is an error event for a chat client, and costs nothing', async () => {
  const thinking = gate()
  api.upstream.script({ pieces: [thinking.opened], finish: null, done: 0, usage: 'none' })
  const client = new OpenAI({ apiKey: ada.key, baseURL: `${api.address}/v1`, maxRetries: 0 })
  const stream = await client.chat.completions.create({ model: 'open', messages, stream: true })
  thinking.open()
  await expect(Array.fromAsync(stream)).rejects.toMatchObject({ code: expect.stringMatching(/^upstream_/) })
  expect(await spentBy(api, ada)).toBe(0n)
})

test('a failure after the silence is a failed response, and costs nothing', async () => {
  const thinking = gate()
  api.upstream.script({ pieces: [thinking.opened], finish: null, done: 0, usage: 'none' })
  const response = await api.stream(ada, '/v1/responses', { model: 'open', input: 'Think.', stream: true })
  thinking.open()
  const [event, ...more] = eventsIn(await response.text())
  expect(more).toEqual([])
  expect(event).toMatchObject({
    type: 'response.failed',
    response: { status: 'failed', error: { code: expect.stringMatching(/^upstream_/) } },
  })
  expect(await spentBy(api, ada)).toBe(0n)
})

test('keep-alives are not stored under a key', async () => {
  const thinking = gate()
  api.upstream.script({ pieces: [thinking.opened, 'Good morning.'], usage })
  const call = () =>
    fetch(`${api.address}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ada.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'k',
      },
      body: JSON.stringify({ model: 'open', messages, stream: true }),
    })
  const response = await call()
  thinking.open()
  const text = await response.text()
  expect(text).toContain(': keep-alive')
  const replayed = await (await call()).text()
  expect(replayed).toBe(text.replaceAll(': keep-alive\n\n', ''))
  expect(textIn(eventsIn(replayed))).toBe('Good morning.')
})

test('by default a model has minutes for its first text, and a stream opens within ten seconds', () => {
  const { upstreamTimeouts } = readConfig({}, '1')
  expect(upstreamTimeouts).toMatchObject({ firstByteMs: 300_000, silenceMs: 10_000, totalMs: 600_000 })
})
