// A change that costs something: its bill is opened under the lock, paid by a stored card outside of it, and the
// settlement does what was paid for. Whoever retries the same intent goes on with the same bill.
import { record } from '../../audit/audit.ts'
import { present } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { type Currency, format, money } from '../../kernel/money.ts'
import { cardRange, oldestOpenPaymentOf, reconcileCharge } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import {
  abandonBill,
  type Bill,
  type BillId,
  findChangeInProgress,
  findOverdueChange,
  isOverdue,
  lockBill,
  openBill,
  setAttempt,
} from '../bills/bills.ts'
import { type CollectResult, collectBill } from '../bills/collect.ts'
import { isPaidFromWallet, unpaidError } from '../bills/pay-from-wallet.ts'
import { chargeableCards } from '../cards/cards.ts'
import { requireBelowDeclineLimit } from '../cards/decline-limit.ts'
import type { Effect } from '../quotes/effect.ts'
import type { Quote } from '../quotes/quote.ts'
import { findCurrentSubscription, type Subscription } from '../subscriptions/subscriptions.ts'
import { type ChangeContext, lockBilledOrg } from './changeable.ts'

/** Who wants it, and under which name it is recorded. */
export type ChangeIntent = {
  readonly actor: Actor
  readonly once: Once
  readonly ip: string
  readonly action: 'subscription.change' | 'subscription.seats'
}

/** How long a change that waits for its bank keeps others from changing the subscription. */
const PAYMENT_WINDOW = { minutes: 30 }

/** The same for every retry of an intent. */
export const billIdOf = ({ id }: Pick<Once, 'id'>): BillId => `bill_${id.slice('idem_'.length)}`

/** Whether what a bill does to a subscription is what is wanted now. */
type IsSame = (effect: Effect, subscription: Subscription) => boolean

/**
 * The bill of what was begun before: by the same intent, or by another that waits for its owner at the bank. One whose
 * time is over and that nobody was charged for is given up: its price is not today's any more.
 */
export async function findEarlierBill(
  tx: Tx,
  intent: ChangeIntent,
  isSame: IsSame,
): Promise<Bill | undefined> {
  await lockBilledOrg(tx, intent.actor.orgId)
  const bill = (await lockBill(tx, billIdOf(intent.once))) ?? (await findChallengedBill(tx, intent, isSame))
  if (bill?.status !== 'open' || !isOverdue(bill, tx.now)) return bill
  if (await oldestOpenPaymentOf(tx, bill.id)) return bill
  await abandonBill(tx, bill, TOO_LATE)
  return { ...bill, status: 'abandoned', reason: TOO_LATE }
}

/**
 * A change of somebody else's whose time is over is asked about before another is begun over it. Throws
 * `change_in_progress` where it turns out to be paid: the subscription is not what the caller saw.
 */
export async function reconcileOverdueChange(
  app: App,
  { actor: { orgId }, once }: ChangeIntent,
): Promise<void> {
  const reference = await app.db.tx(orgId, async (tx) => {
    await lockBilledOrg(tx, orgId)
    const subscription = await findCurrentSubscription(tx, orgId)
    const bill = subscription && (await findOverdueChange(tx, subscription.id))
    return bill && bill.id !== billIdOf(once)
      ? (await oldestOpenPaymentOf(tx, bill.id))?.reference
      : undefined
  })
  if (reference === undefined) return
  const { outcome } = await reconcileCharge(app, { orgId, reference })
  if (outcome === 'paid')
    throw new ApiError('change_in_progress', {
      error: 'An earlier change of this subscription has just been paid; look at it again.',
    })
}

/** Who has lost the page of their bank asks again, and is sent there again. */
async function findChallengedBill(
  tx: Tx,
  { actor, action }: ChangeIntent,
  isSame: IsSame,
): Promise<Bill | undefined> {
  const subscription = await findCurrentSubscription(tx, actor.orgId)
  const open = subscription && (await findChangeInProgress(tx, subscription.id))
  if (!open || open.kind !== kindOf(action) || !isSame(open.effect, subscription)) return undefined
  return (await oldestOpenPaymentOf(tx, open.id))?.handOff?.authorizationUrl ? open : undefined
}

const TOO_LATE = 'It was not paid in time.'

/** Writes down what is to be paid, and by whom it was asked for. Nothing is charged yet. */
export async function openChangeBill(
  app: App,
  tx: Tx,
  { actor, once, ip, action }: ChangeIntent,
  { subscription }: ChangeContext,
  quote: Quote & { effect: Effect },
): Promise<Bill> {
  const { orgId, userId } = actor
  const { id: subscriptionId, currency, version: baseVersion } = subscription
  requireChargeable(quote.chargeNowMinor, currency)
  if (!isPaidFromWallet(currency)) await requireCards(app, tx, orgId)
  const kind = kindOf(action)
  const { chargeNowMinor: amountMinor, lines, effect } = quote
  const bill = await openBill(tx, {
    ...{ id: billIdOf(once), orgId, subscriptionId, kind, currency, amountMinor, lines, effect, baseVersion },
    userId,
    periodStart: null,
    deadline: after(tx.now, PAYMENT_WINDOW),
  })
  if (!bill) throw new ApiError('change_in_progress')
  const { planCode, interval, seats } = effect
  const metadata = { billId: bill.id, planCode, interval, seats, amountMinor }
  await record(tx, { orgId, actor, ip, action, target: subscriptionId, metadata })
  return bill
}

async function requireCards(app: App, tx: Tx, orgId: OrgId): Promise<void> {
  if ((await chargeableCards(app, tx, orgId)).length === 0) throw new ApiError('no_payment_method')
  await requireBelowDeclineLimit(app, tx, orgId)
}

const kindOf = (action: ChangeIntent['action']) => (action === 'subscription.seats' ? 'seats' : 'change')

/** A card takes only so much at a time. */
function requireChargeable(amountMinor: bigint, currency: Currency): void {
  const maxMinor = cardRange(currency)?.maxMinor
  if (maxMinor === undefined || amountMinor <= maxMinor) return
  const most = format(money(maxMinor, currency))
  throw new ApiError('card_declined', {
    error: `This costs more than the ${most} that a card takes at a time; change less at once, or write to us.`,
    reason: `A card takes at most ${most} at a time.`,
  })
}

/** Charges the cards for it. Returns when it is paid and done, and otherwise throws what has come of it. */
export async function payChange(app: App, bill: Bill): Promise<void> {
  const collected = bill.status === 'open' ? await collectBill(app, bill, 0, 'owner') : null
  const refusal = await app.db.tx(bill.orgId, (tx) => concludeCharge(tx, bill, collected))
  if (refusal) throw refusal
}

/** What the bill itself says goes before what the charging heard: a message of the provider's may have been faster. */
async function concludeCharge(
  tx: Tx,
  { id, orgId }: Bill,
  collected: CollectResult | null,
): Promise<ApiError | null> {
  await lockBilledOrg(tx, orgId)
  const bill = present(await lockBill(tx, id), 'a bill stays written down')
  if (bill.status === 'paid') return null
  switch (collected?.outcome) {
    case 'paid':
      return new ApiError('change_in_progress', {
        error: 'The subscription was changed before this was paid; what was paid is in your wallet.',
      })
    case 'challenged':
    case 'pending':
      return leaveUndecided(tx, bill, collected)
    case 'no_card':
      await abandonBill(tx, bill, 'There was no card to charge.')
      return new ApiError('no_payment_method')
    default: {
      const reason = collected?.reason ?? bill.reason ?? TOO_LATE
      await abandonBill(tx, bill, reason)
      return unpaidError(bill, reason)
    }
  }
}

type UndecidedCharge = Extract<CollectResult, { outcome: 'challenged' | 'pending' }>

/** Nobody waits for it here any more: what is heard about its payment later decides the bill. */
async function leaveUndecided(tx: Tx, bill: Bill, collected: UndecidedCharge): Promise<ApiError> {
  const isUndecided = bill.status === 'open' && (await oldestOpenPaymentOf(tx, bill.id))
  if (!isUndecided) {
    const reason = bill.reason ?? TOO_LATE
    await abandonBill(tx, bill, reason)
    return unpaidError(bill, reason)
  }
  await setAttempt(tx, bill, { attempts: bill.attempts + 1, nextAttemptAt: null })
  const { reference } = collected
  return collected.outcome === 'challenged'
    ? new ApiError('card_challenged', { authorizationUrl: collected.authorizationUrl, reference })
    : new ApiError('rail_unavailable', { reference })
}

/** Whether the outcome of a payment is left to whoever hears of it. */
export const isLeftToProvider = (bill: Bill, now: Date): boolean => bill.attempts > 0 || isOverdue(bill, now)
