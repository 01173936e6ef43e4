import { type OpenAiApi, startOpenAiApi } from '@cowrie/testkit/gateway/openai-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { after } from '../kernel/clock.ts'
import { readBalances, reserve } from '../wallet/wallet.ts'

let api: OpenAiApi
beforeAll(async () => {
  api = await startOpenAiApi()
})
afterAll(() => api.close())

test('a retry after a crash uses the money that the lost attempt had held', async () => {
  const ada = await api.customer()
  const { server } = api
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  api.upstream.fallback(() => ({ text: 'Good morning.', usage }))
  const call = (key: string) =>
    server.call('POST', '/v1/chat/completions', {
      as: { bearer: ada.key },
      body: { model: 'open', messages: [{ role: 'user', content: 'Hello' }] },
      headers: { 'idempotency-key': key },
    })
  expect((await call('pattern')).status).toBe(200)

  // The state that a killed process leaves: the key is running, and all money is held under its reference.
  const { orgId, userId } = ada
  const now = server.clock.now()
  await server.sql.rows`
    insert into idempotency_keys
      (user_id, route, key, id, fingerprint, state, fence, claimed_at, created_at, lease_until)
    select user_id, route, 'lost', 'idem_lost', fingerprint, 'running', 1, ${now}, ${now}, ${after(now, { seconds: 20 })}
    from idempotency_keys where key = 'pattern' and user_id = ${userId}`
  const { availableMinor: left } = await readBalances(server.app.db.direct, orgId)
  const held = await reserve(server.app, {
    ...{ orgId, userId, ref: 'gen_lost.1', source: 'gateway' as const, amountMinor: left, terms: {} },
    deadline: after(now, { minutes: 10 }),
  })
  expect(held.ok).toBe(true)
  expect(await call('lost')).toMatchObject({ status: 409, headers: { 'retry-after': '20' } })

  server.clock.advance({ seconds: 20 })
  expect((await call('lost')).status).toBe(200)
  expect(await readBalances(server.app.db.direct, orgId)).toMatchObject({ heldMinor: 0n })
})
