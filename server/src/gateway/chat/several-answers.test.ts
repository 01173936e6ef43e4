import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type Customer, type OpenAiApi, spentBy, startOpenAiApi } from '@cowrie/testkit/gateway/openai-api.ts'
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

const CHAT = '/v1/chat/completions'
const hello = { model: 'open', messages: [{ role: 'user', content: 'Hello' }] }

describe('several answers to one request', () => {
  const chunk = (index: number, content: string | null, finish_reason: string | null = null) => ({
    data: {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'small-1',
      choices: [{ index, delta: content === null ? {} : { content }, finish_reason }],
    },
  })
  const usage = { prompt_tokens: 10, completion_tokens: 8, total_tokens: 18 }

  test('are held and charged together, and streamed to the end of the last one', async () => {
    const pause = gate()
    api.upstream.script({
      pieces: [
        chunk(0, 'One'),
        chunk(1, 'Two'),
        chunk(0, null, 'stop'),
        pause.opened,
        chunk(1, ' more'),
        chunk(1, null, 'stop'),
      ],
      finish: null,
      usage,
    })
    const response = await api.stream(ada, CHAT, { ...hello, n: 2, max_tokens: 100, stream: true })
    // 100 tokens for each answer, and the prompt.
    await expect.poll(async () => (await api.money(ada)).heldMinor).toBeGreaterThan(200n)
    pause.open()
    const text = await response.text()
    expect(text).toContain(' more')
    expect(api.upstream.requests.at(-1)?.body).toMatchObject({ n: 2, max_tokens: 100 })
    expect(await spentBy(api, ada)).toBe(18n)
  })

  test('more than requested are a failure of the upstream and cost nothing', async () => {
    api.upstream.script({ pieces: [chunk(0, 'One'), chunk(2, 'Three')], usage })
    const text = await (await api.stream(ada, CHAT, { ...hello, n: 2, stream: true })).text()
    expect(text).toContain('upstream_failed')
    expect(await spentBy(api, ada)).toBe(0n)
  })
})
