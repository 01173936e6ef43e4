// Returns: refunds at the provider and disputes at the payer's bank. Each return that the provider reports moves money here
// once.
import { issueCreditNote } from '../../../invoices/invoices.ts'
import { after } from '../../../kernel/clock.ts'
import { format, money } from '../../../kernel/money.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { debit, readBalances } from '../../../wallet/wallet.ts'
import type { ProviderReturn } from '../../rails/rail.ts'
import { resolveByKey } from '../../sql/payment-cases.ts'
import { endFrozen, type PaymentReturn, returnsOf, upsertReturnedAmount } from '../../sql/payment-returns.ts'
import { setNextCheck } from '../../sql/payment-status.ts'
import { lockPayment, type Payment } from '../../sql/payments.ts'
import { disputeMail, disputeWonMail, mailPayer, returnMail } from '../customer-mail.ts'
import { recordAudit, type SettlementTrigger } from '../settlement.ts'
import { alertStaff, openCase } from '../staff-alerts.ts'
import { createFreeze, disputeCaseKey, releaseFreeze } from './dispute-freeze.ts'

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
  { trigger, isAnnounced }: { trigger: SettlementTrigger; isAnnounced: boolean },
): Promise<boolean> {
  return app.db.tx('platform', async (tx) => {
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
  })
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
  if (known && known.state !== 'frozen') return false
  switch (reported.state) {
    case 'open':
      return known ? false : freezeDisputed(app, tx, payment, reported, trigger)
    case 'kept':
      return known ? releaseWon(app, tx, payment, known, trigger) : false
    case 'returned':
      return takeReturned(app, tx, payment, reported, known, trigger)
  }
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
  const frozenMinor = await createFreeze(app, tx, payment, { key, amountMinor })
  await setNextCheck(tx, reference, after(tx.now, DISPUTE_CHECK_AFTER))
  const amount = format(money(amountMinor, currency))
  const frozen = format(money(frozenMinor, currency))
  const summary = `The payer disputes ${amount} of this payment with their bank. ${frozen} is frozen in the wallet.`
  await openCase(tx, { key: disputeCaseKey(reference, key), kind: 'dispute', payment, amountMinor, summary })
  await alertStaff(app, tx, payment, 'A payment is disputed', [
    summary,
    'Answer the dispute at the provider before its deadline. Its decision is applied here automatically.',
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
  await resolveByKey(tx, disputeCaseKey(reference, key), note)
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
  { key, amountMinor: reportedMinor }: ProviderReturn,
  known: PaymentReturn | undefined,
  trigger: SettlementTrigger,
): Promise<boolean> {
  const { reference, orgId, currency, capturedMinor, returnedMinor, refundedMinor } = payment
  const leftMinor = capturedMinor - returnedMinor
  const amountMinor = minOf(reportedMinor, leftMinor)
  if (amountMinor <= 0n) return known ? endEmptyFreeze(app, tx, payment, known) : false
  // A top-up may have paid a bill from the wallet.
  const handler = app.paymentHandlers[payment.purpose] ?? app.paymentHandlers.bill
  await handler?.lock(tx, payment)
  if (known) await releaseFreeze(app, tx, payment, known)
  const { postedMinor: takenMinor, entryId } = await debit(app, tx, {
    orgId,
    amountMinor,
    leastMinor: 1n,
    source: 'topup',
    ref: reference,
    cause: `return ${reference} ${key}`,
    account: 'reversals',
  })
  const shortMinor = amountMinor - takenMinor
  // Partial returns add up to the whole payment: handle it as a reversal.
  if (amountMinor === leftMinor) await handler?.onReversed(app, tx, payment, shortMinor)
  const notedMinor = maxOf(minOf(amountMinor, leftMinor - refundedMinor), 0n)
  const note = notedMinor > 0n ? await creditReturn(tx, payment, key, notedMinor) : null
  const frozenMinor = known?.amountMinor ?? 0n
  await upsertReturnedAmount(tx, payment, {
    ...{ key, amountMinor, takenMinor, entryId, frozenMinor, notedMinor: note ? notedMinor : 0n },
  })
  const summary = summaryOf(key, { amountMinor, takenMinor, shortMinor, currency })
  if (shortMinor > 0n || reportedMinor > amountMinor)
    await openCase(tx, {
      ...{ key: `shortfall ${reference} ${key}`, kind: 'shortfall', payment, summary },
      amountMinor: maxOf(reportedMinor - takenMinor, 1n),
    })
  if (known) await resolveByKey(tx, disputeCaseKey(reference, key), summary)
  await alertStaff(app, tx, payment, 'A payment was returned to its payer', [
    summary,
    ...(note ? [`Credit note ${note.number} was issued.`] : []),
  ])
  const { balanceMinor } = await readBalances(tx, orgId)
  const mail = returnMail(app, payment, { amountMinor, takenMinor, note, balanceMinor })
  await mailPayer(app, tx, payment, mail)
  const creditNote = note?.number ?? null
  await recordAudit(tx, payment, 'payments.return', {
    key,
    amountMinor,
    takenMinor,
    shortMinor,
    creditNote,
    how: trigger,
  })
  return true
}

/** The lost dispute concerns money that was returned before: nothing is left to debit. */
async function endEmptyFreeze(app: App, tx: Tx, payment: Payment, known: PaymentReturn): Promise<boolean> {
  const { reference } = payment
  await releaseFreeze(app, tx, payment, known)
  await endFrozen(tx, reference, known, 'reversed')
  const note = 'The disputed money was returned to the payer before the dispute was decided.'
  await resolveByKey(tx, disputeCaseKey(reference, known.key), note)
  return true
}

function creditReturn(tx: Tx, { orgId, reference }: Payment, key: string, amountMinor: bigint) {
  const reason = key.startsWith('dispute:')
    ? 'The payer’s bank decided the dispute in favour of the payer.'
    : 'The payment provider refunded part of the payment.'
  return issueCreditNote(tx, { orgId, reference, amountMinor, reason, cause: `return ${reference} ${key}` })
}

function summaryOf(
  key: string,
  {
    amountMinor,
    takenMinor,
    shortMinor,
    currency,
  }: { amountMinor: bigint; takenMinor: bigint; shortMinor: bigint; currency: Payment['currency'] },
): string {
  const amount = (minor: bigint) => format(money(minor, currency))
  const what = key.startsWith('dispute:') ? 'A dispute was lost' : 'The provider refunded part of the payment'
  const missing = shortMinor > 0n ? `; ${amount(shortMinor)} is spent or reserved` : ''
  return `${what}: ${amount(amountMinor)} was returned to the payer, ${amount(takenMinor)} was taken from the wallet${missing}.`
}

const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const maxOf = (a: bigint, b: bigint): bigint => (a > b ? a : b)
