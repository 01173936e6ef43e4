// Reverses a payment that the provider returned in full.
import { issueCreditNote } from '../../../invoices/invoices.ts'
import { format, money } from '../../../kernel/money.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { debit } from '../../../wallet/wallet.ts'
import { endOwnRefund } from '../../refunds/own-refund.ts'
import { creditedMinorOf } from '../../sql/payment-returns.ts'
import { markReversed } from '../../sql/payment-status.ts'
import type { Payment } from '../../sql/payments.ts'
import { mailPayer, reversalMail } from '../customer-mail.ts'
import {
  REASON_CHARACTERS_MAX,
  recordAudit,
  type Settlement,
  type SettlementTrigger,
  withoutCredit,
} from '../settlement.ts'
import { alertStaff, openCase } from '../staff-alerts.ts'
import { endFreezes } from './dispute-freeze.ts'

const NOTHING = { postedMinor: 0n }

/**
 * Debits the available balance. Spent or reserved money is a loss that staff look into. Refunds by staff do not reduce the
 * debit: they went to the wallet, not to the payer.
 */
export async function reversePayment(
  app: App,
  tx: Tx,
  payment: Payment,
  why: string,
  trigger: SettlementTrigger,
): Promise<Settlement> {
  const { reference, orgId, capturedMinor, returnedMinor, currency } = payment
  // Earlier partial returns were debited already.
  const owedMinor = capturedMinor - returnedMinor
  // A top-up may have paid a bill from the wallet.
  const handler = app.paymentHandlers[payment.purpose] ?? app.paymentHandlers.bill
  await handler?.lock(tx, payment)
  await endFreezes(app, tx, payment, 'reversed')
  await endOwnRefund(app, tx, payment)
  const { postedMinor: takenMinor } =
    owedMinor === 0n
      ? NOTHING
      : await debit(app, tx, {
          orgId,
          amountMinor: owedMinor,
          leastMinor: 1n,
          source: 'topup',
          ref: reference,
          cause: `reversal ${reference}`,
          account: 'reversals',
        })
  const shortMinor = owedMinor - takenMinor
  // The partial return that completed the payment has called it.
  if (owedMinor > 0n) await handler?.onReversed(app, tx, payment, shortMinor)
  const debited = `${format(money(takenMinor, currency))} of ${format(money(owedMinor, currency))} was taken back.`
  const reason = `${why.slice(0, REASON_CHARACTERS_MAX - debited.length - 1)} ${debited}`
  await markReversed(tx, reference, reason)
  const note = await creditRest(tx, payment)
  if (shortMinor > 0n)
    await openCase(tx, {
      key: `shortfall ${reference} reversal`,
      kind: 'shortfall',
      payment,
      amountMinor: shortMinor,
      summary: `The payment was reversed, and ${format(money(shortMinor, currency))} of it is spent or reserved.`,
    })
  const settlement = await withoutCredit(tx, payment, 'settled', true)
  // Earlier returns of the whole amount have notified everyone.
  if (owedMinor > 0n) {
    await alertStaff(app, tx, payment, 'A payment was reversed', [
      reason,
      shortMinor > 0n
        ? `${format(money(shortMinor, currency))} could not be taken back: it is spent or reserved.`
        : 'Nothing is missing.',
      ...(note === null ? [] : [`Credit note ${note.number} was issued.`]),
    ])
    const mail = reversalMail(app, payment, takenMinor, note, settlement.balanceMinor)
    await mailPayer(app, tx, payment, mail)
  }
  await recordAudit(tx, payment, 'payments.reverse', {
    takenMinor,
    shortMinor,
    creditNote: note?.number ?? null,
    how: trigger,
  })
  return settlement
}

/** Credits the rest of the invoice, beyond earlier refunds and partial returns. */
async function creditRest(tx: Tx, payment: Payment) {
  const { orgId, reference, capturedMinor, refundedMinor } = payment
  const amountMinor = capturedMinor - refundedMinor - (await creditedMinorOf(tx, reference))
  if (amountMinor === 0n) return null
  const reason = 'The payment provider reversed the payment.'
  return issueCreditNote(tx, { orgId, reference, amountMinor, reason, cause: `reversal ${reference}` })
}
