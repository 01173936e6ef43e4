// What happens when a bill is paid, or is not. The money is in the wallet by then: it is taken from there for what it paid
// for, once, or stays the customer's where that was paid or given up before.
import { record } from '../audit/audit.ts'
import { type InvoiceId, issueInvoice, payInvoice } from '../invoices/invoices.ts'
import { assert, present } from '../kernel/assert.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { CardSeen, PaidFor, PaymentFact } from '../platform/paid-for.ts'
import { debit } from '../wallet/wallet.ts'
import { allowanceAt } from './allowance.ts'
import { type Applied, applyEffect, endSubscription } from './apply.ts'
import { lockSubscription } from './apply-sql.ts'
import { abandonBill, type Bill, lockBill, markPaid, noteReason } from './bills.ts'
import { storeCard } from './cards.ts'
import { billStanding } from './cards-sql.ts'
import { giveUpCheckout, isFree, liveSubscription, REPLACED } from './checkout.ts'
import { keptMail, paidMail } from './mails.ts'
import { isLeft } from './pay-change.ts'
import { planOf } from './plans.ts'
import { type Effect, type Line, quoteStart } from './quote.ts'
import { lockOrg, type Subscription } from './sql.ts'
import { recordEnd } from './unpaid.ts'

export const billPurpose: PaidFor = {
  source: 'subscription',

  async hold(tx, { orgId }) {
    await lockOrg(tx, orgId)
  },

  async settled(app, tx, payment, card) {
    const bill = await billOf(tx, payment)
    const subscription = await lockSubscription(tx, bill.subscriptionId)
    const live = await liveSubscription(tx, bill)
    const settled = isWelcome(bill, payment, subscription, live, tx.now)
      ? await carryOut(app, tx, { payment, bill, subscription, live, card })
      : await keep(app, tx, { payment, bill, card })
    // A stored card that was charged is known; one that was shown on a page is new.
    if (card && payment.cardId === null) await storeCard(app, tx, payment, card)
    return settled
  },

  async reversed(app, tx, payment, shortMinor) {
    const bill = await billOf(tx, payment)
    const subscription = await lockSubscription(tx, bill.subscriptionId)
    // What stayed in the wallet was taken from there; only what the running period was bought with ends it.
    const paidBy = (await billStanding(tx, bill.id))?.paidBy
    const isRunning = paidBy === payment.reference && bill.effect.periodEnd > tx.now
    if (shortMinor === 0n || !isRunning || subscription.status === 'canceled') return
    const ended = await endSubscription(app, tx, subscription, TAKEN_BACK)
    await recordEnd(app, tx, ended, TAKEN_BACK)
  },

  async failed(app, tx, payment, reason) {
    const bill = await billOf(tx, payment)
    if (bill.status !== 'open') return
    if (bill.kind === 'checkout') return giveUpCheckout(app, tx, bill, reason)
    if (bill.kind !== 'renewal' && isLeft(bill, tx.now)) return abandonBill(tx, bill, reason)
    // Somebody waits for it, and may try another card.
    await noteReason(tx, bill, reason)
  },
}

const TAKEN_BACK = 'Its payment was taken back, and the wallet does not cover it.'

const billOf = async (tx: Tx, { billId, reference }: PaymentFact): Promise<Bill> =>
  present(await lockBill(tx, billId ?? ''), `${reference} pays a bill`)

/** Whether what was paid for can still be had, and is the same as when its price was told. */
function isWelcome(
  bill: Bill,
  payment: PaymentFact,
  subscription: Subscription,
  live: Subscription | undefined,
  now: Date,
): boolean {
  if (bill.status === 'paid' || payment.amountMinor !== bill.amountMinor) return false
  if (payment.currency !== bill.currency) return false
  // Also late, as long as there is nothing else that is paid for.
  if (bill.kind === 'checkout') return live === undefined || isFree(live)
  const { status, version, periodEnd } = subscription
  if (subscription.id !== live?.id) return false
  if (bill.kind === 'renewal') return bill.status === 'open' && periodEnd <= bill.effect.periodStart
  return status === 'active' && version === bill.baseVersion && periodEnd > now
}

type Paid = { readonly payment: PaymentFact; readonly bill: Bill; readonly card: CardSeen | null }
type Welcome = Paid & { readonly subscription: Subscription; readonly live: Subscription | undefined }

async function carryOut(app: App, tx: Tx, { payment, bill, subscription, live, card }: Welcome) {
  const { orgId, reference, amountMinor } = payment
  const cause = `bill ${bill.id}`
  const account = 'subscriptions'
  const taken = await debit(app, tx, {
    ...{ orgId, amountMinor, source: 'subscription', ref: reference, cause, account },
  })
  assert(taken.movedMinor === amountMinor, `${reference} has just brought what ${bill.id} takes`)
  if (bill.kind === 'checkout' && live) await endSubscription(app, tx, live, REPLACED)
  const { effect, lines } =
    bill.kind === 'checkout'
      ? startingNow(bill, tx.now)
      : { ...bill, effect: effectNow(bill, subscription, tx.now) }
  const after = await applyEffect(app, tx, subscription, effect, cause, appliedOf(bill))
  const invoiceId = await invoiceOf(app, tx, { payment, bill, card }, lines)
  await markPaid(tx, bill, invoiceId)
  await app.mail.send(tx, { to: payment.email, ...paidMail(app, payment, bill, after, invoiceId) })
  const { kind } = bill
  const { planCode, interval, seats } = after
  await record(tx, {
    ...{ orgId, actor: { kind: 'system' }, action: 'subscription.paid', target: after.id },
    metadata: { billId: bill.id, kind, planCode, interval, seats, amountMinor, reference },
  })
  return { keptMinor: 0n, invoiceId }
}

/** Who pays a page late does not lose the time in between. */
function startingNow(bill: Bill, now: Date): { effect: Effect; lines: readonly Line[] } {
  const { planCode, interval, rateCardVersion } = bill.effect
  const plan = planOf(rateCardVersion, planCode, interval, bill.currency)
  const { effect, lines, chargeNowMinor } = quoteStart(plan, rateCardVersion, now, false)
  assert(chargeNowMinor === bill.amountMinor, `${bill.id} was told the price of its rate card`)
  return { effect, lines }
}

/** A month may have begun since its price was told; a renewal always begins one. */
const effectNow = ({ kind, effect }: Bill, subscription: Subscription, now: Date): Effect =>
  kind === 'renewal' ? effect : { ...effect, allowanceMinor: allowanceAt(subscription, effect, now) }

/** What is paid for is not given away; seats leave all else as it is. */
const appliedOf = ({ kind }: Bill): Applied =>
  kind === 'seats' ? { keepsSchedule: true } : { isComped: false }

/** A renewal has its open invoice; all else gets one now. */
async function invoiceOf(
  app: App,
  tx: Tx,
  { payment, bill, card }: Paid,
  lines: readonly Line[],
): Promise<InvoiceId> {
  const { orgId, reference, currency, mode } = payment
  const method = methodOf(card)
  if (bill.invoiceId) {
    await payInvoice(tx, bill.invoiceId, { reference, method, mode })
    return bill.invoiceId
  }
  const { id } = await issueInvoice(app, tx, {
    ...{ orgId, subject: bill.kind, cause: bill.id, currency, lines, mode, reference, method },
    status: 'paid',
  })
  return id
}

/** Nobody pays twice, and nothing that was paid is lost. */
async function keep(app: App, tx: Tx, { payment, bill, card }: Paid) {
  const { orgId, reference, currency, amountMinor, mode } = payment
  const reason = 'Something else was paid or changed before.'
  if (bill.kind === 'checkout') await giveUpCheckout(app, tx, bill, reason)
  else if (bill.kind !== 'renewal') await abandonBill(tx, bill, reason)
  const { id: invoiceId } = await issueInvoice(app, tx, {
    ...{ orgId, subject: 'credit', cause: reference, currency, mode, reference, status: 'paid' },
    lines: [{ description: 'Added to your wallet', quantity: 1, amountMinor }],
    method: methodOf(card),
  })
  await app.mail.send(tx, { to: payment.email, ...keptMail(app, payment, invoiceId) })
  await record(tx, {
    ...{ orgId, actor: { kind: 'system' }, action: 'subscription.kept', target: bill.subscriptionId },
    metadata: { billId: bill.id, amountMinor, reference },
  })
  return { keptMinor: amountMinor, invoiceId }
}

const methodOf = (card: CardSeen | null): string => (card ? `${card.brand} ending in ${card.last4}` : 'Card')
