import {
  endAllSubscriptions,
  readSubscriptionRow,
  type Subscriber,
  subscriber,
} from '@cowrie/testkit/billing/renewal.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import type { FakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo } from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { before } from '../../kernel/clock.ts'
import { sendRenewalNotices } from './renewal-notice.ts'

const world = useWorld()
let server: TestServer
let bank: FakePaystack

beforeAll(() => {
  server = world.server
  bank = world.bank
})
afterEach(() => endAllSubscriptions(server))

const yearly = () => subscriber(server, bank, { interval: 'year', hasCard: false })

async function toTheLastWeek(someone: Subscriber, early = 0): Promise<Date> {
  const { periodEnd } = await readSubscriptionRow(server, someone)
  const at = before(periodEnd, { days: 7, ms: early })
  server.clock.advance({ ms: at.getTime() - server.clock.now().getTime() })
  return periodEnd
}

test('a yearly renewal is announced once, a week before, with its price', async () => {
  const someone = await yearly()
  const periodEnd = await toTheLastWeek(someone, 1)
  expect(await sendRenewalNotices(server.app)).toBe(0)

  server.clock.advance({ ms: 1 })
  const runs = await Promise.all([1, 2, 3].map(() => sendRenewalNotices(server.app)))
  expect(runs.reduce((sum, told) => sum + told, 0)).toBe(1)
  server.clock.advance({ days: 1 })
  expect(await sendRenewalNotices(server.app)).toBe(0)
  const mails = (await mailsTo(server, someone.email)).filter(({ subject }) =>
    subject.includes('will be charged'),
  )
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toMatch(/95,000\.00/)
  expect(mails[0]?.subject).toContain(periodEnd.toISOString().slice(0, 10))
})

test('cancelled and monthly subscriptions get no notice', async () => {
  const [canceled, monthly] = [await yearly(), await subscriber(server, bank, { hasCard: false })]
  await server.sql
    .rows`update subscriptions set cancel_at_period_end = true where id = ${canceled.subscriptionId}`
  await toTheLastWeek(monthly)
  expect(await sendRenewalNotices(server.app)).toBe(0)
  await toTheLastWeek(canceled)
  expect(await sendRenewalNotices(server.app)).toBe(0)
})
