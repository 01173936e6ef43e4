import { type Subscriber, subscriber } from '@cowrie/testkit/billing/renewal.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import type { FakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo } from '@cowrie/testkit/payments/payment-fixture.ts'
import { beforeAll, expect, test } from 'vitest'
import { sendExpiryNotices } from './card-expiry.ts'

let bank: FakePaystack
let server: TestServer

const world = useWorld()
beforeAll(() => {
  ;({ bank, server } = world)
})

const notices = async (email: string) =>
  (await mailsTo(server, email)).filter(({ subject }) => subject.includes('expires soon'))
const expiring = async (who: Subscriber, month: number, year = 2026) => {
  await server.sql.rows`update cards set exp_month = ${month}, exp_year = ${year} where org_id = ${who.orgId}`
}

test('owners and admins are notified once, thirty days before the card of their plan expires', async () => {
  const ada = await subscriber(server, bank, { type: 'team', planCode: 'team' })
  const [admin, member] = [await server.member(ada.orgId, 'admin'), await server.member(ada.orgId, 'member')]
  await expiring(ada, 12)
  await server.sql.rows`update orgs set name = 'evil.example' where id = ${ada.orgId}`
  expect(server.clock.now().toISOString()).toMatch(/^2026-11-15/)
  await sendExpiryNotices(server.app)
  expect(await notices(ada.email)).toEqual([])
  server.clock.advance({ days: 17 })
  await sendExpiryNotices(server.app)
  await sendExpiryNotices(server.app)
  const [told, ...more] = await notices(ada.email)
  expect(told?.text).toContain('the plan of evil example')
  expect(told).toMatchObject({
    subject: `The card ending in ${ada.last4} expires soon`,
    text: expect.stringContaining('at the end of 12/2026'),
  })
  expect(more).toEqual([])
  expect(await notices(admin.email)).toHaveLength(1)
  expect(await notices(member.email)).toEqual([])
})

test('organisations without a paid plan, or without an expiring default card, get no notice', async () => {
  const [free, comped, gone] = [
    await subscriber(server, bank, { planCode: 'free' }),
    await subscriber(server, bank, { isComped: true }),
    await subscriber(server, bank),
  ]
  for (const who of [free, comped, gone]) await expiring(who, 11)
  await server.sql.rows`
    update cards set removed_at = ${server.clock.now()}, is_default = false where org_id = ${gone.orgId}`
  await sendExpiryNotices(server.app)
  for (const { email } of [free, comped, gone]) expect(await notices(email)).toEqual([])
})
