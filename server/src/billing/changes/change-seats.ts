// Changes the number of seats. More seats are charged for the rest of the period. Fewer seats lower the next
// renewal.
import { record } from '../../audit/audit.ts'
import { present } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import type { Bill } from '../bills/bills.ts'
import { quoteToCharge, seatsTarget } from '../quotes/previews.ts'
import { quoteSeats } from '../quotes/quote.ts'
import { applyEffect } from '../subscriptions/lifecycle.ts'
import { soldPlan } from '../subscriptions/subscription-plan.ts'
import { viewCurrentSubscription, viewSubscription } from '../subscriptions/view.ts'
import { type ChangeContext, lockForChange } from './change-context.ts'
import {
  type ChangeIntent,
  findEarlierBill,
  openChangeBill,
  payChange,
  reconcileOverdueChange,
} from './pay-change.ts'

export async function changeSeats(app: App, actor: Actor, seats: number, once: Once, ip: string) {
  const { orgId } = actor
  const intent: ChangeIntent = { actor, once, ip, action: 'subscription.seats' }
  await reconcileOverdueChange(app, intent)
  const bill = await app.db.tx(orgId, (tx) => openSeatsBill(app, tx, intent, seats))
  if (!bill) return once.commit(orgId, (tx) => changeWithoutCharge(app, tx, intent, seats))
  await payChange(app, bill)
  return once.commit(orgId, async (tx) => ({
    seats,
    chargedMinor: bill.amountMinor,
    subscription: await viewCurrentSubscription(tx, orgId),
  }))
}

/** The bill for more seats; null if they cost nothing now. */
async function openSeatsBill(app: App, tx: Tx, intent: ChangeIntent, seats: number): Promise<Bill | null> {
  const earlier = await findEarlierBill(tx, intent, (effect) => effect.seats === seats)
  if (earlier) return earlier
  const context = await lockForChange(app, tx, intent.actor.orgId)
  requireValidSeats(context, seats)
  const quote = await quoteFor(tx, context, seats)
  return quote.chargeNowMinor > 0n ? openChangeBill(app, tx, intent, context, quote) : null
}

async function changeWithoutCharge(app: App, tx: Tx, { actor, ip, action }: ChangeIntent, seats: number) {
  const context = await lockForChange(app, tx, actor.orgId)
  requireValidSeats(context, seats)
  const { subscription: before } = context
  const { orgId, id, version } = before
  if (seats === before.seats)
    return { seats, chargedMinor: 0n, subscription: await viewSubscription(tx, before) }
  const { chargeNowMinor, effect } = await quoteFor(tx, context, seats)
  // The earlier transaction found no charge; the subscription has changed since.
  if (chargeNowMinor > 0n) throw new ApiError('change_in_progress')
  const after = await applyEffect(app, tx, before, effect, `seats ${id} ${version}`, { keepsSchedule: true })
  await record(tx, { orgId, actor, ip, action, target: id, metadata: { seats, before: before.seats } })
  return { seats, chargedMinor: 0n, subscription: await viewSubscription(tx, after) }
}

/** Every member keeps a seat. A plan without seats for sale, and a comped plan, have a fixed number. */
export function requireValidSeats(
  { subscription, pricing: { occupied } }: ChangeContext,
  seats: number,
): void {
  const plan = soldPlan(subscription)
  const isIncluded = plan.seatPriceMinor === 0n && seats === plan.seatAllotment
  if (isIncluded) return
  if (seats < occupied) throw new ApiError('seats_below_occupied', { occupied })
  if (plan.seatPriceMinor === 0n) throw new ApiError('seats_not_sold')
  const { isComped, seatsPaid } = subscription
  const limit = Math.max(plan.seatAllotment, seatsPaid)
  if (isComped && seats > limit)
    throw new ApiError('seats_not_sold', {
      error: `Your ${plan.name} plan is free of charge and includes ${limit} seats. Choose a paid plan to buy more.`,
    })
}

/** The price that was quoted within the last hour, or the current price. */
async function quoteFor(tx: Tx, { subscription, pricing }: ChangeContext, seats: number) {
  const quote = await quoteToCharge(tx, subscription, seatsTarget(seats), () =>
    quoteSeats(subscription, seats, pricing),
  )
  const effect = present(quote.effect, `a change of seats of ${subscription.id} has an effect`)
  return { ...quote, effect }
}
