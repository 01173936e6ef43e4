// The subscription record and its reads. Statements need the tenant scope of the organisation or of the platform.
import type { Id, OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { RateCardVersion } from '../../metering/metering.ts'
import { countMembers, lockOrg as lockOrgRow, type Org } from '../../orgs/orgs.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Interval } from '../calendar.ts'
import type { PlanCode } from '../plans/plans.ts'

export type SubscriptionId = Id<'sub'>
export type SubscriptionStatus = 'active' | 'past_due' | 'canceled' | 'incomplete'

export type Subscription = {
  id: SubscriptionId
  orgId: OrgId
  planCode: PlanCode
  interval: Interval
  status: SubscriptionStatus
  rateCardVersion: RateCardVersion
  currency: Currency
  seats: number
  seatsPaid: number
  isComped: boolean
  /** Staff refunds of the current period. */
  refundedMinor: bigint
  anchor: Date
  periodStart: Date
  periodEnd: Date
  allowanceDueAt: Date | null
  cancelAtPeriodEnd: boolean
  scheduledPlanCode: PlanCode | null
  scheduledInterval: Interval | null
  version: number
  createdAt: Date
  endedAt: Date | null
}

export type BilledOrg = Org & { readonly occupied: number }

/** The organisation and its number of members, under the lock that all billing work takes. */
export async function lockOrg(tx: Tx, id: OrgId): Promise<BilledOrg | undefined> {
  const org = await lockOrgRow(tx, id)
  // A separate statement: a statement that waited for the lock does not see members who joined in the meantime.
  return org && { ...org, occupied: await countMembers(tx, id) }
}

/** The live subscription, or else the newest one that waits for its first payment. */
export function findCurrentSubscription(tx: Tx, org: OrgId) {
  return tx.maybe<Subscription>`
    select id, org_id as "orgId", plan_code as "planCode", interval, status, rate_card_version as "rateCardVersion",
           currency, seats, seats_paid as "seatsPaid", is_comped as "isComped", refunded_minor as "refundedMinor",
           anchor, period_start as "periodStart",
           period_end as "periodEnd", allowance_due_at as "allowanceDueAt", cancel_at_period_end as "cancelAtPeriodEnd",
           scheduled_plan_code as "scheduledPlanCode", scheduled_interval as "scheduledInterval", version,
           created_at as "createdAt", ended_at as "endedAt"
    from subscriptions where org_id = ${org} and status <> 'canceled'
    order by status = 'incomplete', created_at desc limit 1`
}

/** The subscription that ended last. */
export function findLastSubscription(tx: Tx, org: OrgId) {
  return tx.maybe<Subscription>`
    select id, org_id as "orgId", plan_code as "planCode", interval, status, rate_card_version as "rateCardVersion",
           currency, seats, seats_paid as "seatsPaid", is_comped as "isComped", refunded_minor as "refundedMinor",
           anchor, period_start as "periodStart",
           period_end as "periodEnd", allowance_due_at as "allowanceDueAt", cancel_at_period_end as "cancelAtPeriodEnd",
           scheduled_plan_code as "scheduledPlanCode", scheduled_interval as "scheduledInterval", version,
           created_at as "createdAt", ended_at as "endedAt"
    from subscriptions where org_id = ${org} and ended_at is not null
    order by ended_at desc, version desc, created_at desc limit 1`
}

/** The members, the open renewal invoice and the pending change of a subscription. */
export function readBillingState(tx: Tx, { id, orgId }: Pick<Subscription, 'id' | 'orgId'>) {
  return tx.one<{
    occupied: number
    openInvoiceId: string | null
    nextAttemptAt: Date | null
    changeInProgress: boolean
  }>`
    select (select count(*)::int from org_members where org_id = ${orgId}) as occupied,
           r.invoice_id as "openInvoiceId", r.next_attempt_at as "nextAttemptAt",
           exists (select from bills where subscription_id = ${id} and status = 'open'
                     and kind in ('change', 'seats') and deadline > ${tx.now}) as "changeInProgress"
    from (values (1)) as always
    left join lateral (
      select invoice_id, next_attempt_at from bills
      where subscription_id = ${id} and status = 'open' and kind = 'renewal' order by period_start desc limit 1) r on true`
}

export async function findLiveSubscription(tx: Tx, org: OrgId): Promise<Subscription | undefined> {
  const current = await findCurrentSubscription(tx, org)
  return current?.status === 'incomplete' ? undefined : current
}

export function lockSubscription(tx: Tx, id: SubscriptionId) {
  return tx.one<Subscription>`
    select id, org_id as "orgId", plan_code as "planCode", interval, status, rate_card_version as "rateCardVersion",
           currency, seats, seats_paid as "seatsPaid", is_comped as "isComped", refunded_minor as "refundedMinor",
           anchor, period_start as "periodStart",
           period_end as "periodEnd", allowance_due_at as "allowanceDueAt", cancel_at_period_end as "cancelAtPeriodEnd",
           scheduled_plan_code as "scheduledPlanCode", scheduled_interval as "scheduledInterval", version,
           created_at as "createdAt", ended_at as "endedAt"
    from subscriptions where id = ${id} for update`
}
