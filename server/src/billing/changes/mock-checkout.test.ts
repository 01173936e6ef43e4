import type { CurrentReply, SubscriptionReply } from '@cowrie/testkit/billing/subscription.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('with test money a script subscribes, upgrades and buys seats without a browser', async () => {
  const as = await server.person()
  const post = (path: string, body: object = {}) => server.call<SubscriptionReply>('POST', path, { as, body })
  const { body } = await post('/subscription/checkout', { planCode: 'pro' })
  expect(await post('/wallet/verify', { reference: body.reference })).toMatchObject({
    body: { status: 'settled', creditedMinor: 0n, balanceMinor: 0n },
  })
  const now = await server.call<CurrentReply>('GET', '/subscription', { as })
  expect(now.body).toMatchObject({ subscription: { status: 'active' }, includedRemainingMinor: 1_000_000n })
  expect(await post('/subscription/change', { planCode: 'team' })).toMatchObject({
    body: { changed: true, chargedMinor: 2_250_000n },
  })
  expect(await post('/subscription/seats', { seats: 6 })).toMatchObject({ body: { chargedMinor: 600_000n } })
  const cancelled = await server.call<SubscriptionReply>('POST', '/subscription/cancel', { as })
  expect(cancelled).toMatchObject({ status: 200, body: { cancelAtPeriodEnd: true } })
  const invoices = await server.call<{ invoices: { totalMinor: bigint }[] }>('GET', '/invoices', { as })
  expect(invoices.body.invoices.map(({ totalMinor }) => totalMinor)).toEqual([600_000n, 2_250_000n, 950_000n])
  const topups = await server.call<{ topups: object[] }>('GET', '/wallet/topups', { as })
  expect(topups.body.topups).toEqual([])
})

test('a plan that cannot be renewed returns a clear error and can be cancelled', async () => {
  const as = await server.person()
  const post = (path: string, body: object = {}) => server.call<SubscriptionReply>('POST', path, { as, body })
  const { body } = await post('/subscription/checkout', { planCode: 'pro' })
  await post('/wallet/verify', { reference: body.reference })
  server.clock.advance({ days: 40 })
  expect(await post('/subscription/change', { planCode: 'team' })).toMatchObject({
    status: 409,
    body: {
      code: 'change_in_progress',
      error: expect.stringMatching(/no card provider is configured. Cancel it and start a new one/),
    },
  })
  expect(await post('/subscription/cancel')).toMatchObject({ status: 200 })
  expect(await post('/subscription/checkout', { planCode: 'pro' })).toMatchObject({ status: 200 })
})
