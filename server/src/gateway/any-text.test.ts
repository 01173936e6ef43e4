// Text of tools may come from binary files. Files may have more pages than their bytes show.
import { type ModelProviders, startModelProviders } from '@cowrie/testkit/gateway/model-providers.ts'
import { type Customer, spentBy } from '@cowrie/testkit/gateway/openai-api.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let api: ModelProviders
let ada: Customer
beforeAll(async () => {
  api = await startModelProviders()
  await api.putModel('claude', ['anthropic'])
})
afterAll(() => api.close())
beforeEach(async () => {
  api.anthropic.reset()
  ada = await api.customer()
})

const BINARY = 'PK\u0003\u0000\u0000 \ud800 end'

describe('text from a binary file', () => {
  test.for<[string, object]>([
    ['/v1/chat/completions', { messages: [{ role: 'user', content: BINARY }] }],
    ['/v1/responses', { input: BINARY, store: true }],
    ['/v1/messages', { max_tokens: 50, messages: [{ role: 'user', content: BINARY }] }],
    ['/v1beta/models/claude:generateContent', { contents: [{ role: 'user', parts: [{ text: BINARY }] }] }],
  ])('is passed on by %s', async ([path, body]) => {
    const reply = await api.post(ada, path, { model: 'claude', ...body })
    expect(reply.status, reply.text).toBe(200)
    expect(JSON.stringify(api.anthropic.requests.at(-1)?.body)).toContain('PK')
  })

  test.for<[string, object]>([
    ['the model', { model: BINARY, input: 'x' }],
    ['the previous response', { model: 'claude', input: 'x', previous_response_id: `resp_${BINARY}` }],
  ])('is refused in %s', async ([, body]) => {
    const { status } = await api.post(ada, '/v1/responses', body)
    expect([400, 404]).toContain(status)
  })
})

test('the reported tokens of a file are charged up to the hold', async () => {
  const source = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' }
  const ask = (usage: object) => {
    api.anthropic.script({ text: 'It has many pages.', usage })
    return api.post(ada, '/v1/messages', {
      model: 'claude',
      max_tokens: 10_000,
      messages: [{ role: 'user', content: [{ type: 'document', source }] }],
    })
  }
  expect((await ask({ input_tokens: 30_000, output_tokens: 10 })).status).toBe(200)
  // One kobo for each token of the prompt and five for each of the output.
  expect(await spentBy(api, ada)).toBe(30_050n)
  expect((await ask({ input_tokens: 190_000, output_tokens: 10 })).status).toBe(200)
  const held = (await spentBy(api, ada)) - 30_050n
  expect(held).toBeGreaterThan(50_000n)
  expect(held).toBeLessThan(60_000n)
})
