// Issues, pays and voids invoices, in the transaction of the payment.
import { emit } from '../hooks/hooks.ts'
import { assert } from '../kernel/assert.ts'
import { newId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { InvoiceId, NewInvoice } from './document.ts'
import { invoiceNumber } from './document.ts'
import { queueInvoice } from './einvoices/queue.ts'
import * as sql from './sql.ts'
import { countryOfCurrency } from './tax/countries.ts'
import { splitTax, taxPartsOf } from './tax/tax.ts'

const REASON_CHARACTERS_MAX = 500

/**
 * Draws the next number and inserts the invoice. Returns the existing invoice for the same cause. The counter stays
 * locked until the transaction ends, so call this at the end of it.
 */
export async function issueInvoice(
  app: App,
  tx: Tx,
  { isTaxed = true, ...invoice }: NewInvoice,
): Promise<{ id: InvoiceId; number: string }> {
  const { orgId, cause, currency } = invoice
  const seq = await sql.drawNumber(tx, orgId, 'invoice')
  // Read after the counter is locked: an earlier call with the same cause has committed.
  const { earlierId, earlierNumber, ...buyer } = await sql.readInvoiceContext(tx, orgId, cause)
  if (earlierId !== null && earlierNumber !== null) {
    await sql.returnNumber(tx, orgId, 'invoice')
    return { id: earlierId, number: earlierNumber }
  }
  const issuedAt = invoice.issuedAt ?? tx.now
  const country = buyer.country ?? countryOfCurrency(currency)
  const totalMinor = invoice.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  const issued = { id: newId('inv'), number: invoiceNumber(orgId, seq) }
  await sql.insertInvoice(tx, {
    ...invoice,
    ...issued,
    seq,
    totalMinor,
    ...splitTax(totalMinor, currency, isTaxed ? taxPartsOf(country, issuedAt) : []),
    seller: app.config.seller,
    buyer: { ...buyer, country },
    issuedAt,
  })
  // A backdated invoice is not reported.
  if (invoice.status === 'paid' && !invoice.issuedAt)
    await reportPaid(app, tx, { orgId, invoiceId: issued.id, number: issued.number, totalMinor, currency })
  return issued
}

/**
 * Marks an open invoice as paid. Only the payment decides whether it is live or test money. Repeating the same
 * payment changes nothing.
 */
export async function payInvoice(
  app: App,
  tx: Tx,
  id: InvoiceId,
  paid: { reference: string | null; method: string | null; mode?: 'live' | 'mock' },
): Promise<void> {
  const paidInvoice = await sql.markPaid(tx, id, paid)
  if (paidInvoice) return reportPaid(app, tx, paidInvoice)
  const found = await sql.readPaymentState(tx, id)
  assert(found?.status === 'paid' && found.reference === paid.reference, `${id} is paid by one payment`)
}

/** Voids an open invoice. Its number stays used. */
export async function voidInvoice(tx: Tx, id: InvoiceId, reason: string): Promise<void> {
  if (await sql.markVoid(tx, id, reason.slice(0, REASON_CHARACTERS_MAX))) return
  const found = await sql.readPaymentState(tx, id)
  assert(found?.status === 'void', `${id} was paid, and is credited instead of voided`)
}

async function reportPaid(app: App, tx: Tx, { orgId, ...paid }: sql.PaidInvoice): Promise<void> {
  await emit(tx, { orgId, type: 'invoice.paid', data: { ...paid, paidAt: tx.now } })
  await queueInvoice(app, tx, paid.invoiceId)
}
