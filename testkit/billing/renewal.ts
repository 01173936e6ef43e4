// Subscribers with a card of the fake provider and a plan that started now.

import type { Interval } from '@cowrie/server/src/billing/calendar.ts'
import { type PlanCode, planOf } from '@cowrie/server/src/billing/plans/plans.ts'
import { quoteStart } from '@cowrie/server/src/billing/quotes/quote.ts'
import { endSubscription, startSubscription } from '@cowrie/server/src/billing/subscriptions/lifecycle.ts'
import { findCurrentSubscription, lockOrg } from '@cowrie/server/src/billing/subscriptions/subscriptions.ts'
import { newId, type OrgId } from '@cowrie/server/src/kernel/ids.ts'
import { reconcilePayment, startCardPayment } from '@cowrie/server/src/payments/payments.ts'
import type { FakePaystack } from '../fakes/payments/paystack.ts'
import type { Person, TestServer } from '../harness/harness.ts'

export const PRO_MINOR = 950_000n
export const PRO_INCLUDED = 1_000_000n

export type Subscriber = Person & { subscriptionId: `sub_${string}`; last4: string }
export type SubscriberOptions = {
  planCode?: PlanCode
  interval?: Interval
  type?: 'individual' | 'team'
  isComped?: boolean
  /** False for a subscriber without a card. */
  hasCard?: boolean
}

let count = 0

export async function subscriber(
  server: TestServer,
  bank: FakePaystack,
  {
    planCode = 'pro',
    interval = 'month',
    type = 'individual',
    isComped = false,
    hasCard = true,
  }: SubscriberOptions = {},
): Promise<Subscriber> {
  const person = await server.person({ type })
  const last4 = hasCard ? await addCard(server, bank, person) : 'none'
  const subscriptionId = newId('sub')
  const { app } = server
  await app.db.tx(person.orgId, async (tx) => {
    await lockOrg(tx, person.orgId)
    const plan = planOf('2026-11', planCode, interval, 'NGN')
    const { effect } = quoteStart(plan, '2026-11', tx.now, { isComped, occupied: 1 })
    const started = {
      id: subscriptionId,
      orgId: person.orgId,
      currency: 'NGN',
      isComped,
      status: 'active',
    } as const
    await startSubscription(app, tx, started, effect)
  })
  return { ...person, subscriptionId, last4 }
}

/** Stores another card. Returns its last four digits. */
export async function addCard(
  server: TestServer,
  bank: FakePaystack,
  { orgId, userId, email }: Person,
): Promise<string> {
  const last4 = String(1_000 + ++count)
  const reference = `sb${newId('x').slice(2)}`
  await startCardPayment(server.app, {
    ...{ reference, purpose: 'card', billId: null, orgId, userId, orgName: 'Somebody', email },
    ...{ amountMinor: 5_000n, currency: 'NGN', description: 'Card check' },
  })
  bank.cards.payWith(reference, { last4 })
  await reconcilePayment(server.app, reference, 'verify')
  return last4
}

export type SubscriptionRow = {
  status: string
  planCode: string
  interval: string
  isComped: boolean
  periodStart: Date
  periodEnd: Date
  allowanceDueAt: Date | null
}

export const readSubscriptionRow = (
  server: TestServer,
  { subscriptionId }: Subscriber,
): Promise<SubscriptionRow> =>
  server.sql.one<SubscriptionRow>`
    select status, plan_code as "planCode", interval, is_comped as "isComped", period_start as "periodStart",
           period_end as "periodEnd", allowance_due_at as "allowanceDueAt"
    from subscriptions where id = ${subscriptionId}`

export type RenewalBillRow = {
  id: string
  status: string
  amountMinor: bigint
  attempts: number
  declines: number
  nextAttemptAt: Date | null
  periodStart: Date
  invoiceId: string
  invoiceStatus: string
}

export const readRenewalBills = (
  server: TestServer,
  { subscriptionId }: Subscriber,
): Promise<RenewalBillRow[]> =>
  server.sql.rows<RenewalBillRow>`
    select b.id, b.status, b.amount_minor as "amountMinor", b.attempts, b.declines, b.next_attempt_at as "nextAttemptAt",
           b.period_start as "periodStart", b.invoice_id as "invoiceId", i.status as "invoiceStatus"
    from bills b left join invoices i on i.id = b.invoice_id
    where b.subscription_id = ${subscriptionId} and b.kind = 'renewal' order by b.period_start`

export async function walletOf(server: TestServer, { orgId }: Person) {
  return server.sql.one<{ balanceMinor: bigint; includedMinor: bigint }>`
    select balance_minor as "balanceMinor", included_minor as "includedMinor" from wallets where org_id = ${orgId}`
}

export const chargesOf = (bank: FakePaystack, { last4 }: Subscriber): number =>
  bank.cards.charges.filter((charge) => charge.last4 === last4).length

/** Ends all subscriptions, so that none is due in the next test. */
export async function endAllSubscriptions({ app, sql }: TestServer): Promise<void> {
  const live = await sql.rows<{ orgId: OrgId }>`
    select org_id as "orgId" from subscriptions where status in ('active', 'past_due')`
  for (const { orgId } of live)
    await app.db.tx(orgId, async (tx) => {
      await lockOrg(tx, orgId)
      const subscription = await findCurrentSubscription(tx, orgId)
      if (subscription) await endSubscription(app, tx, subscription, 'The test is over.')
    })
}
