// Issues credit notes. A credit note reduces an invoice; the invoice itself never changes.
import { assert } from '../kernel/assert.ts'
import { newId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { CreditNoteId, NewCreditNote } from './document.ts'
import { creditNoteNumber } from './document.ts'
import { queueCreditNote } from './einvoices/queue.ts'
import * as sql from './sql.ts'
import { splitCredit } from './tax/tax.ts'

/**
 * Credits a part of the invoice of a payment. Returns the existing note for the same cause, and null if the payment
 * has no invoice.
 */
export async function issueCreditNote(
  tx: Tx,
  note: NewCreditNote,
): Promise<{ id: CreditNoteId; number: string } | null> {
  const { orgId, amountMinor } = note
  const invoice = await sql.lockPaidInvoice(tx, orgId, note.reference)
  if (!invoice) return null
  const earlier = await sql.findCreditNoteByCause(tx, orgId, note.cause)
  if (earlier) return earlier
  const { id: invoiceId, totalMinor, creditedMinor, currency, taxes } = invoice
  assert(
    amountMinor > 0n && creditedMinor + amountMinor <= totalMinor,
    `${invoiceId} is credited within its total`,
  )
  const seq = await sql.drawNumber(tx, orgId, 'credit_note')
  const issued = { id: newId('crn'), number: creditNoteNumber(orgId, seq) }
  await sql.insertCreditNote(tx, {
    ...note,
    ...issued,
    seq,
    invoiceId,
    totalMinor: amountMinor,
    // With the tax rates of the invoice.
    ...splitCredit(creditedMinor, amountMinor, currency, taxes),
    issuedAt: note.issuedAt ?? tx.now,
  })
  await sql.addCredited(tx, invoiceId, amountMinor)
  await queueCreditNote(tx, issued.id, invoiceId)
  return issued
}
