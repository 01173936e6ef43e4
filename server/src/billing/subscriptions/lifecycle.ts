// The only writer of subscriptions. Keeps the plan of the organisation and the allowance in the wallet in step.
// Callers hold the lock of the organisation (`lockOrg`).
import { assert, present } from '../../kernel/assert.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { findOrg, setPlan } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { grantIncluded, lockWallet, readBalances } from '../../wallet/wallet.ts'
import { abandonOpenBills } from '../bills/bills.ts'
import { monthAt } from '../calendar.ts'
import { orgSeats, orgTier } from '../plans/entitlements.ts'
import type { Effect } from '../quotes/effect.ts'
import { soldPlan } from './subscription-plan.ts'
import type { Subscription, SubscriptionId } from './subscriptions.ts'

export type EffectOptions = {
  /** A change of seats keeps the scheduled change; any other change replaces it. */
  readonly keepsSchedule?: boolean
  /** Default: unchanged. */
  readonly isComped?: boolean
}

/**
 * Applies an effect: the subscription becomes active, with the next version. `cause` is globally unique (`bill
 * bill_…`) and makes the grant of the allowance idempotent.
 */
export async function applyEffect(
  app: App,
  tx: Tx,
  before: Subscription,
  { allowanceMinor, ...effect }: Effect,
  cause: string,
  { keepsSchedule = false, isComped = before.isComped }: EffectOptions = {},
): Promise<Subscription> {
  const schedule = keepsSchedule
    ? {}
    : { cancelAtPeriodEnd: false, scheduledPlanCode: null, scheduledInterval: null }
  // A change to a year in the first second of a month keeps the anchor, but further months follow: compare the
  // interval as well.
  const isSameMonth =
    allowanceMinor === 0n &&
    effect.anchor.getTime() === before.anchor.getTime() &&
    effect.interval === before.interval
  const after = await saveVersion(tx, before, {
    ...effect,
    ...schedule,
    isComped,
    refundedMinor: keepsSchedule ? before.refundedMinor : 0n,
    status: 'active',
    endedAt: null,
    allowanceDueAt: isSameMonth ? before.allowanceDueAt : nextAllowanceDate(effect, tx.now),
  })
  if (!isSameMonth) await grantAllowance(app, tx, after, allowanceMinor, cause)
  return after
}

/** Ends a subscription at once: abandons its open bills and revokes the remaining allowance. */
export async function endSubscription(
  app: App,
  tx: Tx,
  before: Subscription,
  reason: string,
): Promise<Subscription> {
  assert(before.status !== 'canceled', `${before.id} has not ended before`)
  await abandonOpenBills(tx, before.id, reason)
  const wasLive = before.status !== 'incomplete'
  const after = await saveVersion(tx, before, {
    status: 'canceled',
    endedAt: tx.now,
    allowanceDueAt: null,
    scheduledPlanCode: null,
    scheduledInterval: null,
  })
  if (wasLive) await revokeAllowance(app, tx, after, `end ${after.id}`)
  return after
}

/** A renewal was declined: the plan stays, but the allowance waits for the payment. The version does not change. */
export async function markPastDue(app: App, tx: Tx, before: Subscription): Promise<Subscription> {
  if (before.status === 'past_due') return before
  const cause = `past due ${before.id} ${before.periodEnd.toISOString()}`
  await updateStatus(tx, before.id, 'past_due')
  const after: Subscription = { ...before, status: 'past_due', allowanceDueAt: null }
  await updateOrgPlan(tx, after)
  await revokeAllowance(app, tx, after, cause)
  return after
}

/** Schedules the change at the end of the period. Counts as a new version. */
export const schedule = (
  tx: Tx,
  before: Subscription,
  plan: Pick<Subscription, 'cancelAtPeriodEnd' | 'scheduledPlanCode' | 'scheduledInterval'>,
): Promise<Subscription> => saveVersion(tx, before, plan)

/**
 * Records a staff refund of the current period. It lowers the credit of saved quotes, so it counts as a new
 * version.
 */
export const recordRefund = (tx: Tx, before: Subscription, amountMinor: bigint): Promise<Subscription> =>
  saveVersion(tx, before, { refundedMinor: before.refundedMinor + amountMinor })

/** Inserts a first subscription: active, or incomplete and without any effect until it is paid. */
export async function startSubscription(
  app: App,
  tx: Tx,
  started: Pick<Subscription, 'id' | 'orgId' | 'currency' | 'isComped'> & { status: 'active' | 'incomplete' },
  { allowanceMinor, ...effect }: Effect,
): Promise<Subscription> {
  const isLive = started.status === 'active'
  const subscription: Subscription = {
    ...started,
    ...effect,
    allowanceDueAt: isLive ? nextAllowanceDate(effect, tx.now) : null,
    refundedMinor: 0n,
    cancelAtPeriodEnd: false,
    scheduledPlanCode: null,
    scheduledInterval: null,
    version: 1,
    createdAt: tx.now,
    endedAt: null,
  }
  await insertSubscription(tx, subscription)
  if (!isLive) return subscription
  await updateOrgPlan(tx, subscription)
  await grantAllowance(app, tx, subscription, allowanceMinor, `start ${subscription.id}`)
  return subscription
}

async function saveVersion(
  tx: Tx,
  before: Subscription,
  changed: Partial<Subscription>,
): Promise<Subscription> {
  const after: Subscription = { ...before, ...changed, version: before.version + 1 }
  await updateSubscription(tx, after)
  if (before.status !== 'incomplete' || after.status === 'active') await updateOrgPlan(tx, after)
  return after
}

/** Copies the plan to the organisation, where every request reads it. */
async function updateOrgPlan(tx: Tx, subscription: Subscription): Promise<void> {
  const { orgId, status, planCode, seats } = subscription
  const { type } = present(await findOrg(tx, orgId), 'a subscription belongs to an organisation')
  const plan = status === 'canceled' ? null : soldPlan(subscription)
  await setPlan(tx, orgId, {
    plan: plan && planCode,
    subscriptionStatus: status,
    planTier: orgTier(plan, type),
    seatAllotment: orgSeats(plan, type, seats),
  })
}

/** The start of the next allowance month; null if the period ends before it. */
function nextAllowanceDate(
  { anchor, periodStart, periodEnd }: Pick<Effect, 'anchor' | 'periodStart' | 'periodEnd'>,
  now: Date,
): Date | null {
  const { end } = monthAt(anchor, periodStart > now ? periodStart : now)
  return end < periodEnd ? end : null
}

async function grantAllowance(
  app: App,
  tx: Tx,
  after: Subscription,
  allowanceMinor: bigint | null,
  cause: string,
): Promise<void> {
  const { orgId, id } = after
  const amountMinor =
    allowanceMinor === null
      ? soldPlan(after).includedUsageMinor
      : atLeastZero((await lockRemainingAllowance(tx, orgId)) + allowanceMinor)
  await grantIncluded(app, tx, { orgId, amountMinor, ref: id, cause: `allowance ${cause}` })
}

/** The remaining allowance of this month, locked until the transaction ends. */
async function lockRemainingAllowance(tx: Tx, org: OrgId): Promise<bigint> {
  await lockWallet(tx, org)
  return (await readBalances(tx, org)).includedRemainingMinor
}

async function revokeAllowance(app: App, tx: Tx, { orgId, id }: Subscription, cause: string): Promise<void> {
  await grantIncluded(app, tx, { orgId, amountMinor: 0n, ref: id, cause: `allowance ${cause}` })
}

const atLeastZero = (minor: bigint): bigint => (minor > 0n ? minor : 0n)

/** Writes all mutable columns if the version is the expected one. */
async function updateSubscription(tx: Tx, s: Subscription): Promise<void> {
  await tx.one`
    update subscriptions set plan_code = ${s.planCode}, interval = ${s.interval}, status = ${s.status},
      rate_card_version = ${s.rateCardVersion}, seats = ${s.seats}, seats_paid = ${s.seatsPaid},
      is_comped = ${s.isComped}, refunded_minor = ${s.refundedMinor}, anchor = ${s.anchor}, period_start = ${s.periodStart}, period_end = ${s.periodEnd},
      allowance_due_at = ${s.allowanceDueAt}, cancel_at_period_end = ${s.cancelAtPeriodEnd},
      scheduled_plan_code = ${s.scheduledPlanCode}, scheduled_interval = ${s.scheduledInterval},
      version = ${s.version}, ended_at = ${s.endedAt}
    where id = ${s.id} and version = ${s.version} - 1 returning id`
}

async function insertSubscription(tx: Tx, s: Subscription): Promise<void> {
  await tx.rows`
    insert into subscriptions (id, org_id, plan_code, interval, status, rate_card_version, currency, seats, seats_paid,
      is_comped, anchor, period_start, period_end, allowance_due_at, version, created_at)
    values (${s.id}, ${s.orgId}, ${s.planCode}, ${s.interval}, ${s.status}, ${s.rateCardVersion}, ${s.currency},
      ${s.seats}, ${s.seatsPaid}, ${s.isComped}, ${s.anchor}, ${s.periodStart}, ${s.periodEnd}, ${s.allowanceDueAt},
      ${s.version}, ${s.createdAt})`
}

async function updateStatus(tx: Tx, id: SubscriptionId, status: 'past_due'): Promise<void> {
  await tx.rows`update subscriptions set status = ${status}, allowance_due_at = null where id = ${id}`
}
