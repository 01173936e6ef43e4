// Starts a subscription. A free or comped plan starts at once. A paid plan starts when its page is paid; until then
// it waits as `incomplete` beside the current subscription.
import { record } from '../../audit/audit.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { checkCardLimit, startCardPayment } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { REPLACED_REASON } from '../bills/bill-payment.ts'
import { type Bill, type BillId, lockBill, lockOpenCheckout, openBill } from '../bills/bills.ts'
import { isPaidFromWallet, payFromWallet, unpaidError } from '../bills/pay-from-wallet.ts'
import type { Interval } from '../calendar.ts'
import { findActiveComp } from '../plans/comps.ts'
import { type Plan, planOf, planRateCard } from '../plans/plans.ts'
import type { Effect } from '../quotes/effect.ts'
import { type Quote, quoteStart } from '../quotes/quote.ts'
import { endSubscription, startSubscription } from '../subscriptions/lifecycle.ts'
import { isFree } from '../subscriptions/subscription-plan.ts'
import {
  type BilledOrg,
  findLiveSubscription,
  lockSubscription,
  type SubscriptionId,
} from '../subscriptions/subscriptions.ts'
import { viewCurrentSubscription, viewSubscription } from '../subscriptions/view.ts'
import { lockBilledOrg, requireEnoughSeats, requirePlanCode } from './change-context.ts'
import { billIdOf } from './pay-change.ts'

export type CheckoutInput = {
  readonly planCode: string
  readonly interval: Interval
  /** The price that the customer saw. */
  readonly maxMinor?: bigint | undefined
}
type CheckoutCall = { readonly actor: Actor; readonly once: Once; readonly ip: string }

export async function checkOut(app: App, actor: Actor, input: CheckoutInput, once: Once, ip: string) {
  const { orgId } = actor
  const call = { actor, once, ip }
  const bill = await app.db.tx(orgId, (tx) => openCheckout(app, tx, call, input))
  if (!bill) return once.commit(orgId, (tx) => activateWithoutPayment(app, tx, call, input))
  if (bill.status === 'open' && isPaidFromWallet(bill.currency)) return payNowFromWallet(app, bill, once)
  if (bill.status === 'open') {
    const page = await openPage(app, actor, bill)
    return once.commit(orgId, async () => page)
  }
  // An earlier call with the same idempotency key stopped before its answer. The page was paid or expired since.
  if (bill.status === 'abandoned')
    throw new ApiError('payment_refused', { reason: bill.reason ?? 'It was not paid in time.' })
  return once.commit(orgId, async (tx) => ({
    activated: true as const,
    subscription: await viewCurrentSubscription(tx, orgId),
  }))
}

/** In currencies without card payments the wallet pays. A balance that is too low starts nothing. */
async function payNowFromWallet(app: App, bill: Bill, once: Once) {
  const { orgId } = bill
  const collected = await payFromWallet(app, bill)
  if (collected.outcome !== 'paid') {
    await app.db.tx(orgId, (tx) => abandonCheckout(app, tx, bill, collected.reason))
    throw unpaidError(bill, collected.reason)
  }
  return once.commit(orgId, async (tx) => ({
    activated: true as const,
    subscription: await viewCurrentSubscription(tx, orgId),
  }))
}

/** The bill of a paid plan, or its open checkout if there is one; null if the plan costs nothing. */
async function openCheckout(
  app: App,
  tx: Tx,
  call: CheckoutCall,
  input: CheckoutInput,
): Promise<Bill | null> {
  const { orgId } = call.actor
  const org = await lockBilledOrg(tx, orgId)
  const earlier = await lockBill(tx, billIdOf(call.once))
  if (earlier) return earlier
  const plan = await requireAvailablePlan(app, tx, org, call, input)
  if (await isFreeOfCharge(tx, call.actor, plan)) return null
  const paid = { isComped: false, occupied: org.occupied }
  const quote = quoteStart(plan, planRateCard(app), tx.now, paid)
  const { chargeNowMinor } = quote
  if (input.maxMinor !== undefined && chargeNowMinor > input.maxMinor)
    throw new ApiError('price_changed', { toldMinor: input.maxMinor, chargeNowMinor })
  const open = await lockOpenCheckout(tx, orgId, { planCode: plan.code, interval: plan.interval })
  const isSame = open?.amountMinor === chargeNowMinor && open.currency === plan.currency
  return isSame ? open : beginCheckout(app, tx, call, plan, quote)
}

async function activateWithoutPayment(app: App, tx: Tx, call: CheckoutCall, input: CheckoutInput) {
  const { actor, ip } = call
  const { orgId } = actor
  const org = await lockBilledOrg(tx, orgId)
  const plan = await requireAvailablePlan(app, tx, org, call, input)
  // The earlier transaction found no charge; the comp was revoked since.
  if (!(await isFreeOfCharge(tx, actor, plan))) throw new ApiError('change_in_progress')
  const live = await findLiveSubscription(tx, actor.orgId)
  if (live) await endSubscription(app, tx, live, REPLACED_REASON)
  const isComped = plan.amountMinor > 0n
  // A comp is always monthly.
  const soldPlan = isComped ? planOf(planRateCard(app), plan.code, 'month', plan.currency) : plan
  const { occupied } = org
  const { effect } = quoteStart(soldPlan, planRateCard(app), tx.now, { isComped, occupied })
  const started = { id: newId('sub', tx.now.getTime()), orgId, currency: plan.currency, isComped }
  const subscription = await startSubscription(app, tx, { ...started, status: 'active' }, effect)
  const metadata = { planCode: plan.code, interval: soldPlan.interval, isComped }
  await record(tx, { orgId, actor, ip, action: 'subscription.checkout', target: started.id, metadata })
  return { activated: true as const, subscription: await viewSubscription(tx, subscription) }
}

/** The plan, if it can start: no other paid or comped subscription is live, and every member gets a seat. */
async function requireAvailablePlan(
  app: App,
  tx: Tx,
  org: BilledOrg,
  { actor }: CheckoutCall,
  { planCode, interval }: CheckoutInput,
): Promise<Plan> {
  const plan = planOf(planRateCard(app), requirePlanCode(planCode), interval, org.currency)
  const live = await findLiveSubscription(tx, actor.orgId)
  if (live?.status === 'past_due') throw new ApiError('subscription_past_due')
  if (live && (!isFree(live) || plan.amountMinor === 0n)) throw new ApiError('subscription_exists')
  requireEnoughSeats(plan, org)
  return plan
}

const isFreeOfCharge = async (tx: Tx, { orgId }: Actor, plan: Plan): Promise<boolean> =>
  plan.amountMinor === 0n || (await findActiveComp(tx, orgId, tx.now))?.planCode === plan.code

/** As long as the payment page of the provider is valid. */
const PAGE_VALID_FOR = { hours: 24 }

async function beginCheckout(
  app: App,
  tx: Tx,
  { actor, once, ip }: CheckoutCall,
  plan: Plan,
  { effect, lines, chargeNowMinor: amountMinor }: Quote & { effect: Effect },
): Promise<Bill> {
  const { orgId, userId } = actor
  const { currency } = plan
  if (!isPaidFromWallet(currency)) await checkCardLimit(tx, orgId)
  const started = { id: newId('sub', tx.now.getTime()), orgId, currency, isComped: false }
  const subscription = await startSubscription(app, tx, { ...started, status: 'incomplete' }, effect)
  const bill = await openBill(tx, {
    ...{
      id: billIdOf(once),
      orgId,
      subscriptionId: subscription.id,
      kind: 'checkout',
      currency,
      amountMinor,
    },
    ...{ lines, effect, baseVersion: subscription.version, userId, periodStart: null },
    deadline: after(tx.now, PAGE_VALID_FOR),
  })
  if (!bill) throw new ApiError('change_in_progress')
  const metadata = { billId: bill.id, planCode: plan.code, interval: plan.interval, amountMinor }
  await record(tx, { orgId, actor, ip, action: 'subscription.checkout', target: subscription.id, metadata })
  return bill
}

const RETRYABLE: ReadonlySet<string> = new Set(['rail_unavailable', 'change_in_progress'])

/** Opens one page per bill. A repeated call returns the same page. */
async function openPage(app: App, { orgId, userId, org, email }: Actor, bill: Bill) {
  const { id: billId, amountMinor, currency, effect } = bill
  try {
    const { reference, authorizationUrl } = await startCardPayment(app, {
      ...{ reference: `sc${billId.slice('bill_'.length)}`, purpose: 'bill', billId, orgId, userId, email },
      ...{ orgName: org.name, amountMinor, currency, description: `Cowrie ${effect.planCode} plan` },
    })
    return { authorizationUrl, reference }
  } catch (error) {
    // A retryable error keeps the bill open; any other error abandons it.
    if (!(error instanceof ApiError) || RETRYABLE.has(error.code)) throw error
    await app.db.tx(orgId, (tx) => abandonCheckout(app, tx, bill, error.message))
    throw error
  }
}

/** Ends a checkout whose page will not be paid. A late payment can still fulfil its bill. */
export async function abandonCheckout(
  app: App,
  tx: Tx,
  { id, orgId, subscriptionId }: Pick<Bill, 'id' | 'orgId' | 'subscriptionId'>,
  reason: string,
): Promise<void> {
  await lockBilledOrg(tx, orgId)
  if ((await lockBill(tx, id))?.status !== 'open') return
  await endSubscription(app, tx, await lockSubscription(tx, subscriptionId), reason)
}

const BATCH = 200

/** Abandons one batch of expired checkouts; the next run continues. Returns how many. */
export async function abandonExpiredCheckouts(app: App, signal?: AbortSignal): Promise<number> {
  const expired = await app.db.tx('platform', (tx) => findExpiredCheckouts(tx, BATCH))
  let count = 0
  for (const checkout of expired) {
    if (signal?.aborted) break
    await app.db.tx(checkout.orgId, (tx) => abandonCheckout(app, tx, checkout, 'It was not paid in time.'))
    count++
  }
  return count
}

type ExpiredCheckout = { id: BillId; orgId: OrgId; subscriptionId: SubscriptionId }

/** Open checkouts past their deadline without an undecided payment, oldest first. */
function findExpiredCheckouts(tx: Tx, limit: number): Promise<ExpiredCheckout[]> {
  return tx.rows<ExpiredCheckout>`
    select b.id, b.org_id as "orgId", b.subscription_id as "subscriptionId" from bills b
    where b.kind = 'checkout' and b.status = 'open' and b.deadline <= ${tx.now}
      and not exists (select from payments p where p.bill_id = b.id and p.status in ('pending', 'review'))
    order by b.deadline, b.id limit ${limit}`
}
