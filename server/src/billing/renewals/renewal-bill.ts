// The bill of a renewal. Each period has one. It follows changes of the subscription until a payment is in
// progress.
import { type InvoiceId, issueInvoice, voidInvoice } from '../../invoices/invoices.ts'
import { after } from '../../kernel/clock.ts'
import { oldestOpenPaymentOf } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import { json, type Tx } from '../../platform/db/tx.ts'
import { abandonBill, type Bill, lockBill, lockOpenBills, openBill, setInvoice } from '../bills/bills.ts'
import { isPaidFromWallet, walletMode } from '../bills/pay-from-wallet.ts'
import type { Effect } from '../quotes/effect.ts'
import type { Quote } from '../quotes/quote.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import { DECLINES_MAX, FINAL_CHALLENGE_WAIT, MISSED_AFTER, UNDECIDED_MAX } from './dunning.ts'
import {
  hasUntriedCard,
  type RetryState,
  readRetryState,
  reopenRenewal,
  rewriteBill,
} from './renewals-sql.ts'

/** The price of a renewal, and the state of the subscription after it. */
export type RenewalQuote = Pick<Quote, 'chargeNowMinor' | 'lines'> & { readonly effect: Effect }

export type BillReadiness =
  /** The bill can be charged; null if the renewal is free. */
  | { readonly is: 'ready'; readonly bill: Bill | null }
  /** Another attempt is running, or the next attempt is not due yet. */
  | { readonly is: 'busy' }
  /** A payment must be reconciled first. */
  | { readonly is: 'unreconciled'; readonly reference: string }
  /** That payment is still undecided. */
  | { readonly is: 'undecided' }
  /** All attempts failed. */
  | { readonly is: 'exhausted' }

/** Prepares the bill of a renewal for an attempt. `isReconciled`: its undecided payment was checked just now. */
export async function prepareBill(
  app: App,
  tx: Tx,
  subscription: Subscription,
  renewal: RenewalQuote,
  isReconciled: boolean,
): Promise<BillReadiness> {
  const earlier = await findOpenRenewal(tx, subscription)
  if (!earlier) return openRenewalBill(app, tx, subscription, renewal)
  const retry = await readRetryState(tx, earlier.id)
  if (isBusy(retry, tx.now)) return { is: 'busy' }

  const isSame = isSamePeriod(earlier, renewal)
  const hasNoAttemptLeft = isSame && (await isExhausted(tx, subscription, earlier, retry))
  if (!hasNoAttemptLeft && isSame && isStillValid(earlier, renewal)) return { is: 'ready', bill: earlier }
  const undecided = await oldestOpenPaymentOf(tx, earlier.id)
  if (undecided && !isReconciled) return { is: 'unreconciled', reference: undecided.reference }
  const isRecent = undecided !== undefined && tx.now < after(undecided.createdAt, FINAL_CHALLENGE_WAIT)
  if (hasNoAttemptLeft) return { is: isRecent ? 'undecided' : 'exhausted' }
  if (undecided && !isOld(earlier, tx.now)) return { is: 'undecided' }
  if (isSame) return { is: 'ready', bill: await updateBill(app, tx, subscription, earlier, renewal) }
  await abandonBill(tx, earlier, 'The subscription changed without this renewal.')
  return openRenewalBill(app, tx, subscription, renewal)
}

export async function findOpenRenewal(tx: Tx, { id }: Subscription): Promise<Bill | undefined> {
  return (await lockOpenBills(tx, id)).find(({ kind }) => kind === 'renewal')
}

async function openRenewalBill(
  app: App,
  tx: Tx,
  subscription: Subscription,
  renewal: RenewalQuote,
): Promise<BillReadiness> {
  const { id: subscriptionId, orgId, currency, version: baseVersion } = subscription
  const { chargeNowMinor: amountMinor, lines, effect } = renewal
  if (amountMinor === 0n) return { is: 'ready', bill: null }
  const bill = await openBill(tx, {
    ...{ orgId, subscriptionId, kind: 'renewal', currency, amountMinor, lines, effect, baseVersion },
    userId: null,
    periodStart: effect.periodStart,
    deadline: null,
  })
  if (!bill) return reopenBill(app, tx, subscription, renewal)
  await attachInvoice(app, tx, bill, bill.id)
  return { is: 'ready', bill }
}

/**
 * The period already has a bill. A paid one ends the matter. An abandoned one is reopened, for example after the
 * clock was set back.
 */
async function reopenBill(
  app: App,
  tx: Tx,
  subscription: Subscription,
  renewal: RenewalQuote,
): Promise<BillReadiness> {
  const { chargeNowMinor: amountMinor, lines, effect } = renewal
  const abandoned = await reopenRenewal(tx, subscription.id, effect.periodStart, {
    amountMinor,
    lines: json(lines),
    effect: json(effect),
    baseVersion: subscription.version,
  })
  const bill = abandoned && (await lockBill(tx, abandoned.id))
  if (!bill) return { is: 'busy' }
  await attachInvoice(app, tx, bill, `${bill.id} after ${abandoned.endedAt.toISOString()}`)
  return { is: 'ready', bill }
}

/** The subscription changed since the bill was created, and the bill is unpaid. */
async function updateBill(
  app: App,
  tx: Tx,
  { version }: Subscription,
  bill: Bill,
  { chargeNowMinor: amountMinor, lines, effect }: RenewalQuote,
): Promise<Bill> {
  await rewriteBill(tx, bill.id, {
    amountMinor,
    lines: json(lines),
    effect: json(effect),
    baseVersion: version,
  })
  if (bill.invoiceId)
    await voidInvoice(tx, bill.invoiceId, 'The subscription was changed before it was paid.')
  const rewritten = (await lockBill(tx, bill.id)) ?? bill
  await attachInvoice(app, tx, rewritten, `${bill.id} ${version}`)
  return rewritten
}

async function attachInvoice(app: App, tx: Tx, bill: Bill, cause: string): Promise<InvoiceId> {
  const { orgId, currency, lines } = bill
  const { id } = await issueInvoice(app, tx, {
    ...{ orgId, subject: 'renewal', cause, currency, lines },
    ...{ mode: isPaidFromWallet(currency) ? walletMode(app) : 'live', status: 'open' },
    ...{ reference: null, method: null },
    isTaxed: !isPaidFromWallet(currency),
  })
  await setInvoice(tx, bill, id)
  return id
}

const isBusy = ({ busyUntil, nextAttemptAt }: RetryState, now: Date): boolean =>
  (busyUntil !== null && busyUntil > now) || (nextAttemptAt !== null && nextAttemptAt > now)

const isSamePeriod = ({ periodStart }: Bill, { effect, chargeNowMinor }: RenewalQuote): boolean =>
  chargeNowMinor > 0n && periodStart?.getTime() === effect.periodStart.getTime()

/**
 * After the last decline only a newly added card is worth another attempt. A missed attempt, for example while the
 * organisation was suspended, is made up for before the subscription ends.
 */
async function isExhausted(
  tx: Tx,
  { status }: Subscription,
  bill: Bill,
  retry: RetryState,
): Promise<boolean> {
  const { declines, nextAttemptAt } = retry
  if (nextAttemptAt !== null && tx.now >= after(nextAttemptAt, MISSED_AFTER)) return false
  if (status === 'past_due' && isOld(bill, tx.now)) return true
  return declines >= DECLINES_MAX && !(await hasUntriedCard(tx, bill.id))
}

const isOld = ({ createdAt }: Bill, now: Date): boolean => now >= after(createdAt, UNDECIDED_MAX)

/** Also if the price rose: the customer is never charged more than was billed. */
const isStillValid = (
  { amountMinor, effect: billedEffect }: Bill,
  { chargeNowMinor, effect }: RenewalQuote,
): boolean =>
  amountMinor <= chargeNowMinor &&
  billedEffect.planCode === effect.planCode &&
  billedEffect.interval === effect.interval
