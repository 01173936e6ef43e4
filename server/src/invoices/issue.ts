// Invoices come into being, are paid, or are given up, each in the transaction of the fact.
import { emit } from '../hooks/hooks.ts'
import { assert } from '../kernel/assert.ts'
import { newId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { InvoiceId, NewInvoice } from './document.ts'
import { invoiceNumber } from './document.ts'
import * as sql from './sql.ts'
import { countryOfCurrency } from './tax/countries.ts'
import { splitTax, taxPartsOf } from './tax/tax.ts'

const REASON_CHARACTERS_MAX = 500

/**
 * Draws the next number and writes the invoice. The same cause again gets the invoice that it has. Others of this
 * organisation wait for the number until the transaction ends, so it belongs at the end of one.
 */
export async function issueInvoice(
  app: App,
  tx: Tx,
  { isTaxed = true, ...invoice }: NewInvoice,
): Promise<{ id: InvoiceId; number: string }> {
  const { orgId, cause, currency } = invoice
  const seq = await sql.drawNumber(tx, orgId, 'invoice')
  // Asked while the counter is ours: whoever had the same cause before us has committed.
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
  // One that is dated back was news long ago.
  if (invoice.status === 'paid' && !invoice.issuedAt)
    await emitPaid(tx, { orgId, invoiceId: issued.id, number: issued.number, totalMinor, currency })
  return issued
}

/** An open invoice was paid, for certain only now with what kind of money. The same payment again changes nothing. */
export async function payInvoice(
  tx: Tx,
  id: InvoiceId,
  paid: { reference: string | null; method: string | null; mode?: 'live' | 'mock' },
): Promise<void> {
  const paidInvoice = await sql.markPaid(tx, id, paid)
  if (paidInvoice) return emitPaid(tx, paidInvoice)
  const found = await sql.readPaymentState(tx, id)
  assert(found?.status === 'paid' && found.reference === paid.reference, `${id} is paid by one payment`)
}

/** An open invoice will never be paid; its number stays used. */
export async function voidInvoice(tx: Tx, id: InvoiceId, reason: string): Promise<void> {
  if (await sql.markVoid(tx, id, reason.slice(0, REASON_CHARACTERS_MAX))) return
  const found = await sql.readPaymentState(tx, id)
  assert(found?.status === 'void', `${id} was paid, and is credited instead of given up`)
}

const emitPaid = (tx: Tx, { orgId, ...paid }: sql.PaidInvoice): Promise<void> =>
  emit(tx, { orgId, type: 'invoice.paid', data: { ...paid, paidAt: tx.now } })
