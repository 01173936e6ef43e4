// Repeat payments: a payer paid more than once under one reference. Each further transaction becomes a payment with its own
// ledger entry, invoice and receipt.
import { createHash } from 'node:crypto'
import type { Tx } from '../../platform/db/tx.ts'
import type { PaidTransaction, ProviderStatus } from '../rails/rail.ts'
import { insertRepeat, lockPayment, type Payment } from '../sql/payments.ts'

/** The paid transactions other than the payment's own. */
export function repeatTransactions(
  { transactionId, repeatOf }: Payment,
  paid: Extract<ProviderStatus, { status: 'paid' }>,
): PaidTransaction[] {
  if (transactionId === null || repeatOf !== null) return []
  const first = paid.transactionId === null ? [] : [{ ...paid, transactionId: paid.transactionId }]
  return [...first, ...(paid.others ?? [])]
    .filter((each) => each.transactionId !== transactionId)
    .map(({ transactionId: id, amountMinor, currency, live, unclearReturn }) => ({
      ...{ transactionId: id, amountMinor, currency, live },
      ...(unclearReturn && { unclearReturn }),
    }))
}

/** Creates the repeat and locks it; null when it exists already. */
export async function createRepeat(
  tx: Tx,
  payment: Payment,
  { transactionId, amountMinor, currency }: PaidTransaction,
): Promise<Payment | null> {
  const isSameCurrency = currency === null || currency === payment.currency
  const isNew = await insertRepeat(tx, payment, {
    reference: repeatReference(payment.reference, transactionId),
    amountMinor: (isSameCurrency && amountMinor) || payment.amountMinor,
  })
  return isNew ? ((await lockPayment(tx, repeatReference(payment.reference, transactionId))) ?? null) : null
}

/** Derived from the transaction, so that it is stable. It has the length of all references. */
export const repeatReference = (reference: string, transactionId: string): string =>
  `tr${createHash('sha256').update(`${reference} ${transactionId}`).digest('hex').slice(0, 26)}`
