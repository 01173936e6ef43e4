// Connects an M-Pesa receipt to the prompt that it paid, so that the same receipt is never credited as a payment by hand.
import type { App } from '../../platform/app.ts'
import { openCase } from '../settle/staff-alerts.ts'
import { resolveByKey } from '../sql/payment-cases.ts'
import { lockPayment } from '../sql/payments.ts'
import * as sql from './sql.ts'

export const caseKeyOf = (receipt: string): string => `paybill ${receipt}`

/**
 * `claimed`: it is the receipt of this prompt. `refused`: the prompt has another receipt, or the receipt paid another payment.
 * `unpaid`: the prompt is not settled.
 */
export type Claim = 'claimed' | 'refused' | 'unpaid'

/** Stores the receipt of a settled prompt. Its contradictions become cases when a webhook of the prompt caused them. */
export function claimReceipt(app: App, receipt: string, reference: string): Promise<Claim> {
  return app.db.tx('platform', async (tx) => {
    // In this order, like the recording of a payment by hand.
    const stored = await sql.lockReceipt(tx, receipt)
    const payment = await lockPayment(tx, reference)
    if (payment?.status !== 'settled') return 'unpaid'
    await tx.lock(`payment daraja live ${receipt}`)
    const used = await sql.paymentOfTransaction(tx, receipt)
    const isOther = payment.transactionId !== null && payment.transactionId !== receipt
    if (isOther || (used && used.reference !== reference)) {
      await openCase(tx, {
        key: `receipts ${reference} ${receipt}`,
        kind: 'paybill',
        payment,
        summary: isOther
          ? `Payment ${reference} has the M-Pesa receipt ${payment.transactionId}, and ${receipt} was reported for it too. Find out who paid the second one.`
          : `The M-Pesa receipt ${receipt} was reported for payment ${reference} and was credited as ${used?.reference}. One of the two may be credited without money.`,
        evidence: { receipt },
      })
      return 'refused'
    }
    if (payment.transactionId === null) await sql.setReceiptOfPrompt(tx, reference, receipt)
    if (stored && (stored.state === 'received' || stored.state === 'unassigned')) {
      await sql.decideReceipt(tx, receipt, 'prompt', payment)
      await resolveByKey(tx, caseKeyOf(receipt), `It is the receipt of payment ${reference}.`)
    }
    return 'claimed'
  })
}
