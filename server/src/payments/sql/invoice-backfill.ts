// Settled payments without an invoice, and their refunds.
import type { InvoiceId } from '../../invoices/invoices.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db/tx.ts'

export type UninvoicedPayment = {
  reference: string
  orgId: OrgId
  channel: string
  mode: 'live' | 'mock'
  currency: Currency
  capturedMinor: bigint
  refundedMinor: bigint
  settledAt: Date
  reversedAt: Date | null
}

/** The oldest settlement first. Only top-ups: all other payments get their invoice with the settlement. */
export async function listUninvoiced(tx: Tx, most: number): Promise<string[]> {
  const rows = await tx.rows<{ reference: string }>`
    select reference from payments where status = 'settled' and invoice_id is null and purpose = 'topup'
    order by settled_at limit ${most}`
  return rows.map(({ reference }) => reference)
}

/** Locks the payment until the transaction ends. Undefined if it has an invoice by now. */
export function lockUninvoiced(tx: Tx, reference: string): Promise<UninvoicedPayment | undefined> {
  return tx.maybe<UninvoicedPayment>`
    select reference, org_id as "orgId", channel, mode, currency, captured_minor as "capturedMinor",
           refunded_minor as "refundedMinor", settled_at as "settledAt", reversed_at as "reversedAt"
    from payments where reference = ${reference} and status = 'settled' and invoice_id is null for update`
}

export async function setInvoice(tx: Tx, reference: string, invoice: InvoiceId): Promise<void> {
  await tx.rows`update payments set invoice_id = ${invoice} where reference = ${reference}`
}

export function refundsOf(tx: Tx, reference: string) {
  return tx.rows<{
    id: string
    amountMinor: bigint
    reason: string
    createdAt: Date
  }>`
    select id, amount_minor as "amountMinor", reason, created_at as "createdAt"
    from wallet_refunds where reference = ${reference} order by created_at, id`
}
