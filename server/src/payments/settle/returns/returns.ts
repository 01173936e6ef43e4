// Returns: refunds at the provider and disputes at the payer's bank. Each return that the provider reports moves money here
// once.
import { issueCreditNote } from '../../../invoices/invoices.ts'
import { after } from '../../../kernel/clock.ts'
import { format, money } from '../../../kernel/money.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { debit, readBalances } from '../../../wallet/wallet.ts'
import { setDeadline } from '../../disputes/sql.ts'
import type { ProviderReturn } from '../../rails/rail.ts'
import { findOwnRefund, isRecordedByStaff, releaseRefund } from '../../refunds/own-refund.ts'
import { setReturnKey } from '../../refunds/sql.ts'
import { endFrozen, type PaymentReturn, returnsOf, upsertReturnedAmount } from '../../sql/payment-returns.ts'
import { setNextCheck } from '../../sql/payment-status.ts'
import { lockPayment, type Payment } from '../../sql/payments.ts'
import { disputeMail, disputeWonMail, mailPayer, returnMail, sourceRefundMail } from '../customer-mail.ts'
import { recordAudit, type SettlementTrigger } from '../settlement.ts'
import { alertStaff, openCase } from '../staff-alerts.ts'
import { closeDisputeCases, createFreeze, disputeCaseKey, releaseFreeze } from './dispute-freeze.ts'

/** The provider's list may lag behind its webhook, so it is fetched again. */
const RECHECK_AFTER = { hours: 1 }
const DISPUTE_CHECK_AFTER = { hours: 24 }

/**
 * Applies the returns of a settled payment and says whether anything changed. `isAnnounced`: a webhook announced a
 * return.
 */
export function applyReturns(
  app: App,
  reference: string,
  returns: readonly ProviderReturn[],
  context: ReturnContext,
): Promise<boolean> {
  return app.db.tx('platform', (tx) => applyReturnsIn(app, tx, reference, returns, context))
}

type ReturnContext = { readonly trigger: SettlementTrigger; readonly isAnnounced: boolean }

/** Like `applyReturns`, in the caller's transaction. */
export async function applyReturnsIn(
  app: App,
  tx: Tx,
  reference: string,
  returns: readonly ProviderReturn[],
  { trigger, isAnnounced }: ReturnContext,
): Promise<boolean> {
  const before = await lockPayment(tx, reference)
  if (before?.status !== 'settled' || before.reversedAt !== null) return false
  if (isAnnounced) await setNextCheck(tx, reference, after(tx.now, RECHECK_AFTER))
  const known = new Map((await returnsOf(tx, reference)).map((each) => [each.key, each]))
  let changed = false
  // Pages of a provider's list can shift between calls, so a return may be listed twice.
  for (const each of new Map(returns.map((one) => [one.key, one])).values()) {
    // Read again: the previous return changed the payment.
    const payment = (await lockPayment(tx, reference)) ?? before
    changed = (await applyReturn(app, tx, payment, each, known.get(each.key), trigger)) || changed
  }
  if (changed) tx.afterCommit(() => app.metrics.payment(before.rail, 'returned'))
  return changed
}

/** A decided return never changes again, whatever a late status says. */
async function applyReturn(
  app: App,
  tx: Tx,
  payment: Payment,
  reported: ProviderReturn,
  known: PaymentReturn | undefined,
  trigger: SettlementTrigger,
): Promise<boolean> {
  if (known && known.state !== 'frozen') return endRepeated(app, tx, payment, reported)
  switch (reported.state) {
    case 'open':
      if (!known) return freezeDisputed(app, tx, payment, reported, trigger)
      if (reported.dueAt) await setDeadline(tx, payment.reference, known.key, reported.dueAt)
      return false
    case 'kept':
      return known ? releaseWon(app, tx, payment, known, trigger) : false
    case 'returned':
      return (await isRecordedByStaff(tx, payment.reference, reported))
        ? false
        : takeReturned(app, tx, payment, reported, known, trigger)
  }
}

/** A refund of ours whose return was debited before, as that of another one. */
async function endRepeated(app: App, tx: Tx, payment: Payment, reported: ProviderReturn): Promise<boolean> {
  const own = reported.state === 'returned' ? await findOwnRefund(tx, payment, reported) : null
  const isOurs = own !== null && (reported.ourId === own.id || reported.key === `refund:${own.providerId}`)
  if (!isOurs || !(await releaseRefund(app, tx, own, { state: 'done', detail: null }))) return false
  await setReturnKey(tx, own.id, reported.key)
  return true
}

async function freezeDisputed(
  app: App,
  tx: Tx,
  payment: Payment,
  reported: ProviderReturn,
  trigger: SettlementTrigger,
) {
  const { reference, currency, capturedMinor, returnedMinor } = payment
  const amountMinor = minOf(reported.amountMinor, capturedMinor - returnedMinor)
  if (amountMinor <= 0n) return false
  const { key } = reported
  await app.paymentHandlers[payment.purpose]?.lock(tx, payment)
  const frozenMinor = await createFreeze(app, tx, payment, { ...reported, amountMinor })
  await setNextCheck(tx, reference, after(tx.now, DISPUTE_CHECK_AFTER))
  const amount = format(money(amountMinor, currency))
  const frozen = format(money(frozenMinor, currency))
  const summary = `The payer disputes ${amount} of this payment with their bank. ${frozen} is frozen in the wallet.`
  await openCase(tx, { key: disputeCaseKey(reference, key), kind: 'dispute', payment, amountMinor, summary })
  await alertStaff(app, tx, payment, 'A payment is disputed', [
    summary,
    'Answer the dispute before the deadline of the provider. Its decision is applied here automatically.',
    `See ${app.config.baseUrl}/app/ops/disputes.`,
  ])
  await mailPayer(app, tx, payment, disputeMail(app, payment, amountMinor, frozenMinor))
  await recordAudit(tx, payment, 'payments.dispute', { key, amountMinor, frozenMinor, how: trigger })
  return true
}

async function releaseWon(
  app: App,
  tx: Tx,
  payment: Payment,
  known: PaymentReturn,
  trigger: SettlementTrigger,
) {
  const { reference } = payment
  const { key, amountMinor } = known
  await releaseFreeze(app, tx, payment, known)
  await endFrozen(tx, reference, known, 'kept')
  const note = 'The dispute was decided in our favour, and the frozen money was released.'
  await closeDisputeCases(tx, reference, key, note)
  await alertStaff(app, tx, payment, 'A dispute was won', [note])
  await mailPayer(app, tx, payment, disputeWonMail(app, payment, amountMinor))
  await recordAudit(tx, payment, 'payments.dispute_won', { key, amountMinor, how: trigger })
  return true
}

/** Debits the available balance, never money on hold. A case for staff records the rest. */
async function takeReturned(
  app: App,
  tx: Tx,
  payment: Payment,
  reported: ProviderReturn,
  known: PaymentReturn | undefined,
  trigger: SettlementTrigger,
): Promise<boolean> {
  const { key, amountMinor: reportedMinor } = reported
  const { reference, orgId, currency, capturedMinor, returnedMinor, refundedMinor } = payment
  const leftMinor = capturedMinor - returnedMinor
  const amountMinor = minOf(reportedMinor, leftMinor)
  if (amountMinor <= 0n) return takeTwice(app, tx, payment, reported, known)
  // A top-up may have paid a bill from the wallet.
  const handler = app.paymentHandlers[payment.purpose] ?? app.paymentHandlers.bill
  await handler?.lock(tx, payment)
  if (known) await releaseFreeze(app, tx, payment, known)
  const own = await findOwnRefund(tx, payment, reported)
  if (own) {
    const providerId = key.slice('refund:'.length)
    await releaseRefund(app, tx, own, { state: 'done', detail: null, providerId })
  }
  const { postedMinor: takenMinor, entryId } = await debit(app, tx, {
    orgId,
    amountMinor,
    leastMinor: 1n,
    source: 'topup',
    ref: reference,
    cause: `${own ? 'refund_to_source' : 'return'} ${reference} ${key}`,
    account: 'reversals',
  })
  const shortMinor = amountMinor - takenMinor
  // Partial returns add up to the whole payment: handle it as a reversal.
  if (amountMinor === leftMinor) await handler?.onReversed(app, tx, payment, shortMinor)
  const notedMinor = maxOf(minOf(amountMinor, leftMinor - refundedMinor), 0n)
  const note = notedMinor > 0n ? await creditReturn(tx, payment, key, notedMinor, own?.reason) : null
  const frozenMinor = known?.amountMinor ?? 0n
  await upsertReturnedAmount(tx, payment, {
    ...{ key, amountMinor, takenMinor, entryId, frozenMinor, notedMinor: note ? notedMinor : 0n },
  })
  if (own) await setReturnKey(tx, own.id, key)
  const summary = summaryOf(key, { amountMinor, takenMinor, shortMinor, currency, isOurs: own !== null })
  if (shortMinor > 0n || reportedMinor > amountMinor)
    await openCase(tx, {
      ...{ key: `shortfall ${reference} ${key}`, kind: 'shortfall', payment, summary },
      amountMinor: maxOf(reportedMinor - takenMinor, 1n),
    })
  if (known) await closeDisputeCases(tx, reference, key, summary)
  await alertStaff(app, tx, payment, 'A payment was returned to its payer', [
    summary,
    ...(note ? [`Credit note ${note.number} was issued.`] : []),
  ])
  const { balanceMinor } = await readBalances(tx, orgId)
  const returned = { amountMinor, takenMinor, note, balanceMinor }
  const mail = own ? sourceRefundMail(app, payment, returned) : returnMail(app, payment, returned)
  await mailPayer(app, tx, payment, mail)
  const creditNote = note?.number ?? null
  await recordAudit(tx, payment, 'payments.return', {
    key,
    amountMinor,
    takenMinor,
    shortMinor,
    creditNote,
    ...(own && { refundId: own.id }),
    how: trigger,
  })
  return true
}

/** The return concerns money that was returned before: nothing is left to debit. The payer may have got it twice. */
async function takeTwice(
  app: App,
  tx: Tx,
  payment: Payment,
  { key, amountMinor }: ProviderReturn,
  known: PaymentReturn | undefined,
): Promise<boolean> {
  const { reference, currency } = payment
  const amount = format(money(amountMinor, currency))
  const isNew = await openCase(tx, {
    ...{ key: `shortfall ${reference} ${key}`, kind: 'shortfall', payment, amountMinor },
    summary: `The provider returned ${amount} of a payment that it had returned completely before. Check whether the payer got it twice.`,
  })
  if (!known) return isNew
  await releaseFreeze(app, tx, payment, known)
  await endFrozen(tx, reference, known, 'reversed')
  const note = 'The disputed money was returned to the payer before the dispute was decided.'
  await closeDisputeCases(tx, reference, known.key, note)
  return true
}

function creditReturn(
  tx: Tx,
  { orgId, reference }: Payment,
  key: string,
  amountMinor: bigint,
  reasonOfStaff: string | undefined,
) {
  const ofProvider = key.startsWith('dispute:')
    ? 'The payer’s bank decided the dispute in favour of the payer.'
    : 'The payment provider refunded part of the payment.'
  const reason = reasonOfStaff ?? ofProvider
  return issueCreditNote(tx, { orgId, reference, amountMinor, reason, cause: `return ${reference} ${key}` })
}

function summaryOf(
  key: string,
  {
    amountMinor,
    takenMinor,
    shortMinor,
    currency,
    isOurs,
  }: {
    amountMinor: bigint
    takenMinor: bigint
    shortMinor: bigint
    currency: Payment['currency']
    isOurs: boolean
  },
): string {
  const amount = (minor: bigint) => format(money(minor, currency))
  const ofRefund = isOurs ? 'Our refund was paid' : 'The provider refunded part of the payment'
  const what = key.startsWith('dispute:') ? 'A dispute was lost' : ofRefund
  const missing = shortMinor > 0n ? `; ${amount(shortMinor)} is spent or reserved` : ''
  return `${what}: ${amount(amountMinor)} was returned to the payer, ${amount(takenMinor)} was taken from the wallet${missing}.`
}

const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const maxOf = (a: bigint, b: bigint): bigint => (a > b ? a : b)
