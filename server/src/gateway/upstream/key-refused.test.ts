// An upstream that rejects our key: customers pay nothing and get a clear error, and staff are alerted once.

import { type OpenAiApi, spentBy, startOpenAiApi } from '@cowrie/testkit/gateway/openai-api.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo } from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inferenceSettings } from '../../models/settings.ts'

let api: OpenAiApi
let operator: Person
let support: Person
beforeAll(async () => {
  api = await startOpenAiApi()
  operator = await api.server.person({ staff: 'operator' })
  support = await api.server.person({ staff: 'support' })
})
afterAll(() => api.close())
beforeEach(() => api.upstream.reset())

const hello = { model: 'open', messages: [{ role: 'user', content: 'Hello' }] }
const refusing = { status: 401, body: { error: { message: 'Incorrect API key provided' } } }
const ask = async (as = api.customer()) => api.post(await as, '/v1/chat/completions', hello)
const feature = async () => {
  const { body } = await api.server.call<{ features: { key: string; live: boolean; detail: string }[] }>(
    'GET',
    '/admin/posture',
    { as: operator },
  )
  return body.features.find(({ key }) => key === 'inference')
}
const alertsTo = async ({ email }: Person) =>
  (await mailsTo(api.server, email)).filter(({ subject }) => subject.includes('rejects our key')).length

test('the error says that nothing was charged, and suggests no quick retry', async () => {
  for (const status of [401, 403]) {
    api.upstream.script({ ...refusing, status })
    const ada = await api.customer()
    const { status: answered, body } = await api.post(ada, '/v1/chat/completions', hello)
    expect(answered).toBe(503)
    const { error } = body as { error: { message: string; code: string } }
    expect(error.code).toBe('upstream_refused')
    expect(error.message).toContain('nothing was charged')
    expect(error.message).not.toMatch(/try again/i)
    expect(await spentBy(api, ada)).toBe(0n)
  }
})

test('posture reports it until a call succeeds, and staff who can change the key get one mail', async () => {
  api.upstream.script(refusing, refusing, refusing)
  for (let count = 0; count < 3; count++) await ask()
  expect(await feature()).toMatchObject({ live: false, detail: expect.stringContaining('status 401') })
  expect([await alertsTo(operator), await alertsTo(support)]).toEqual([1, 0])

  expect((await ask()).status).toBe(200)
  await expect.poll(feature).toMatchObject({ live: true })
  api.upstream.script(refusing)
  await ask()
  expect(await feature()).toMatchObject({ live: false })
  // No second mail within the hour.
  expect([await alertsTo(operator), await alertsTo(support)]).toEqual([1, 0])
})

test('another key has no recorded rejection', async () => {
  api.upstream.script(refusing)
  await ask()
  expect(await feature()).toMatchObject({ live: false })
  const { app } = api.server
  await app.db.tx('platform', (tx) =>
    app.settings.set(tx, inferenceSettings.settings.upstream_api_key, 'a-new-key-for-tests', {
      email: 'ops@example.com',
    }),
  )
  await app.settings.refresh()
  expect(await feature()).toMatchObject({ live: true })
})

test('chat and agent runs return the same error', async () => {
  const ada = await api.customer()
  api.upstream.script(refusing)
  const run = await api.server.call('POST', '/agent/run', { as: ada, body: { prompt: 'Do it.' } })
  expect(run).toMatchObject({ status: 503, body: { code: 'upstream_refused' } })
  expect(await feature()).toMatchObject({ live: false })
})
