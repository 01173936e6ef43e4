// Pays for a change. The bill is opened under the lock of the organisation and charged to stored cards outside of
// it; the settlement applies the change. A retry with the same idempotency key continues with the same bill.
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
import { type ChangeContext, lockBilledOrg } from './change-context.ts'

/** The caller of a change, and its audit action. */
export type ChangeIntent = {
  readonly actor: Actor
  readonly once: Once
  readonly ip: string
  readonly action: 'subscription.change' | 'subscription.seats'
}

/** How long a change that waits for its payment blocks other changes. */
const PAYMENT_WINDOW = { minutes: 30 }

/** The same for every retry of an idempotency key. */
export const billIdOf = ({ id }: Pick<Once, 'id'>): BillId => `bill_${id.slice('idem_'.length)}`

/** Whether the effect of a bill is the requested change. */
type IsSame = (effect: Effect, subscription: Subscription) => boolean

/**
 * The bill of an earlier call: with the same key, or one that waits for the owner at the bank. Abandons a bill past
 * its deadline without an open payment, because its price is outdated.
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
 * Reconciles the payment of another overdue change before a new change starts. Throws `change_in_progress` if it
 * was paid: the subscription is no longer the one that the caller saw.
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
      error:
        'An earlier change of this subscription has just been paid. Reload the subscription and try again.',
    })
}

/** A caller who lost the page of the bank repeats the request and gets the same page. */
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

/** Opens the bill and records who requested it. Charges nothing yet. */
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

/** Card charges have a maximum. */
function requireChargeable(amountMinor: bigint, currency: Currency): void {
  const maxMinor = cardRange(currency)?.maxMinor
  if (maxMinor === undefined || amountMinor <= maxMinor) return
  const most = format(money(maxMinor, currency))
  throw new ApiError('card_declined', {
    error: `This costs more than ${most}, the maximum of a card charge. Make a smaller change or contact us.`,
    reason: `A card charge is limited to ${most}.`,
  })
}

/** Charges the cards. Returns after the bill is paid and applied; throws the error for any other outcome. */
export async function payChange(app: App, bill: Bill): Promise<void> {
  const collected = bill.status === 'open' ? await collectBill(app, bill, 0, 'owner') : null
  const refusal = await app.db.tx(bill.orgId, (tx) => concludeCharge(tx, bill, collected))
  if (refusal) throw refusal
}

/** The stored bill overrules the result of the charge: a webhook may have settled it first. */
async function concludeCharge(
  tx: Tx,
  { id, orgId }: Bill,
  collected: CollectResult | null,
): Promise<ApiError | null> {
  await lockBilledOrg(tx, orgId)
  const bill = present(await lockBill(tx, id), 'a bill is never deleted')
  if (bill.status === 'paid') return null
  switch (collected?.outcome) {
    case 'paid':
      return new ApiError('change_in_progress', {
        error: 'The subscription was changed before this was paid. The payment is in your wallet.',
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

/** Ends the call while the payment is undecided. Its later settlement or failure decides the bill. */
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

/** Whether no caller waits for the bill any more, so that the payment handler decides about it. */
export const isLeftToProvider = (bill: Bill, now: Date): boolean => bill.attempts > 0 || isOverdue(bill, now)
