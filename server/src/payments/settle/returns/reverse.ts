// A payment that the provider took back as a whole.
import { issueCreditNote } from '../../../invoices/invoices.ts'
import { format, money } from '../../../kernel/money.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { debit } from '../../../wallet/wallet.ts'
import { openCase } from '../../admin/cases.ts'
import { creditedMinorOf } from '../../sql/payment-returns.ts'
import { markReversed } from '../../sql/payment-status.ts'
import type { Payment } from '../../sql/payments.ts'
import { reversalMail } from '../customer-mail.ts'
import {
  REASON_CHARACTERS_MAX,
  recordAudit,
  type Settlement,
  type SettlementTrigger,
  withoutCredit,
} from '../settlement.ts'
import { alertStaff } from '../staff-alerts.ts'
import { endFreezes } from './dispute-freeze.ts'

const NOTHING = { movedMinor: 0n }

/**
 * Takes back what is free of it. What is spent or reserved stays the customer's work done, and our loss to look into. What
 * staff refunded from it is no reason to take less: a refund is in the wallet, and not with the payer.
 */
export async function reversePayment(
  app: App,
  tx: Tx,
  payment: Payment,
  why: string,
  trigger: SettlementTrigger,
): Promise<Settlement> {
  const { reference, orgId, capturedMinor, returnedMinor, currency } = payment
  // What went back in part before was taken then.
  const owedMinor = capturedMinor - returnedMinor
  // What was topped up may have paid a bill from the wallet.
  const handler = app.paymentHandlers[payment.purpose] ?? app.paymentHandlers.bill
  await handler?.lock(tx, payment)
  await endFreezes(app, tx, payment, 'reversed')
  const { movedMinor: takenMinor } =
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
  await handler?.onReversed(app, tx, payment, shortMinor)
  const said = `${format(money(takenMinor, currency))} of ${format(money(owedMinor, currency))} were taken back.`
  const reason = `${why.slice(0, REASON_CHARACTERS_MAX - said.length - 1)} ${said}`
  await markReversed(tx, reference, reason)
  const note = await creditRest(tx, payment)
  if (shortMinor > 0n)
    await openCase(tx, {
      key: `shortfall ${reference} reversal`,
      kind: 'shortfall',
      payment,
      amountMinor: shortMinor,
      summary: `The payment was reversed, and ${format(money(shortMinor, currency))} of it are spent or reserved.`,
    })
  await alertStaff(app, tx, payment, 'A payment was reversed', [
    reason,
    shortMinor > 0n
      ? `${format(money(shortMinor, currency))} could not be taken back: they are spent or reserved.`
      : 'Nothing is missing.',
    ...(note === null ? [] : [`Credit note ${note.number} was issued.`]),
  ])
  const settlement = await withoutCredit(tx, payment, 'settled', true)
  const told = reversalMail(app, payment, takenMinor, note, settlement.balanceMinor)
  await app.mail.send(tx, { to: payment.email, ...told })
  await recordAudit(tx, payment, 'payments.reverse', {
    takenMinor,
    shortMinor,
    creditNote: note?.number ?? null,
    how: trigger,
  })
  return settlement
}

/** What its invoice said is owed no longer, apart from what refunds and part returns have credited already. */
async function creditRest(tx: Tx, payment: Payment) {
  const { orgId, reference, capturedMinor, refundedMinor } = payment
  const amountMinor = capturedMinor - refundedMinor - (await creditedMinorOf(tx, reference))
  if (amountMinor === 0n) return null
  const reason = 'The payment provider took the payment back.'
  return issueCreditNote(tx, { orgId, reference, amountMinor, reason, cause: `reversal ${reference}` })
}
