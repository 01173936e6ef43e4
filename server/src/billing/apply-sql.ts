// What a change writes to the subscription.
import type { Tx } from '../platform/db/tx.ts'
import type { Subscription, SubscriptionId } from './sql.ts'

/** Writes all that may change, and counts the version up. */
export async function updateSubscription(tx: Tx, s: Subscription): Promise<void> {
  await tx.one`
    update subscriptions set plan_code = ${s.planCode}, interval = ${s.interval}, status = ${s.status},
      rate_card_version = ${s.rateCardVersion}, seats = ${s.seats}, seats_paid = ${s.seatsPaid},
      is_comped = ${s.isComped}, refunded_minor = ${s.refundedMinor}, anchor = ${s.anchor}, period_start = ${s.periodStart}, period_end = ${s.periodEnd},
      allowance_due_at = ${s.allowanceDueAt}, cancel_at_period_end = ${s.cancelAtPeriodEnd},
      scheduled_plan_code = ${s.scheduledPlanCode}, scheduled_interval = ${s.scheduledInterval},
      version = ${s.version}, ended_at = ${s.endedAt}
    where id = ${s.id} and version = ${s.version} - 1 returning id`
}

export async function insertSubscription(tx: Tx, s: Subscription): Promise<void> {
  await tx.rows`
    insert into subscriptions (id, org_id, plan_code, interval, status, rate_card_version, currency, seats, seats_paid,
      is_comped, anchor, period_start, period_end, allowance_due_at, version, created_at)
    values (${s.id}, ${s.orgId}, ${s.planCode}, ${s.interval}, ${s.status}, ${s.rateCardVersion}, ${s.currency},
      ${s.seats}, ${s.seatsPaid}, ${s.isComped}, ${s.anchor}, ${s.periodStart}, ${s.periodEnd}, ${s.allowanceDueAt},
      ${s.version}, ${s.createdAt})`
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

export async function setStatus(tx: Tx, id: SubscriptionId, status: 'past_due'): Promise<void> {
  await tx.rows`update subscriptions set status = ${status}, allowance_due_at = null where id = ${id}`
}
