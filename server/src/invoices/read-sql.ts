// Invoices and credit notes as they are read.
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'
import type { Buyer, CreditNoteId, InvoiceId, InvoiceLine, NewInvoice, Party } from './document.ts'
import type { Tax } from './tax.ts'

export type Invoice = {
  id: InvoiceId
  number: string
  status: 'paid' | 'open' | 'void'
  subject: NewInvoice['subject']
  mode: 'live' | 'mock'
  currency: Currency
  subtotalMinor: bigint
  taxMinor: bigint
  totalMinor: bigint
  creditedMinor: bigint
  lines: InvoiceLine[]
  taxes: Tax[]
  seller: Party
  buyer: Buyer
  reference: string | null
  method: string | null
  reason: string | null
  issuedAt: Date
  paidAt: Date | null
  voidedAt: Date | null
}

export type Note = {
  id: CreditNoteId
  invoiceId: InvoiceId
  number: string
  subtotalMinor: bigint
  taxMinor: bigint
  totalMinor: bigint
  taxes: Tax[]
  reason: string
  issuedAt: Date
}

export type Span = { readonly from: Date; readonly until: Date }

/** Before a place, newest first. */
export function listInvoices(
  tx: Tx,
  org: OrgId,
  { from, until }: Span,
  before: TimeCursor,
  limit: number,
): Promise<Invoice[]> {
  return tx.rows<Invoice>`
    select id, number, status, subject, mode, currency, subtotal_minor as "subtotalMinor", tax_minor as "taxMinor",
           total_minor as "totalMinor", credited_minor as "creditedMinor", lines, taxes, seller, buyer, reference, method,
           reason, issued_at as "issuedAt", paid_at as "paidAt", voided_at as "voidedAt"
    from invoices
    where org_id = ${org} and (issued_at, id) < (${before.at}, ${before.id})
      and issued_at >= ${from} and issued_at < ${until}
    order by issued_at desc, id desc limit ${limit}`
}

export function invoiceById(tx: Tx, org: OrgId, id: string): Promise<Invoice | undefined> {
  return tx.maybe<Invoice>`
    select id, number, status, subject, mode, currency, subtotal_minor as "subtotalMinor", tax_minor as "taxMinor",
           total_minor as "totalMinor", credited_minor as "creditedMinor", lines, taxes, seller, buyer, reference, method,
           reason, issued_at as "issuedAt", paid_at as "paidAt", voided_at as "voidedAt"
    from invoices where org_id = ${org} and id = ${id}`
}

/** The notes of these invoices, at most so many of each, in the order they were issued. */
export function notesOf(tx: Tx, org: OrgId, invoices: readonly string[], most: number): Promise<Note[]> {
  return tx.rows<Note>`
    select n.id, n.invoice_id as "invoiceId", n.number, n.subtotal_minor as "subtotalMinor", n.tax_minor as "taxMinor",
           n.total_minor as "totalMinor", n.taxes, n.reason, n.issued_at as "issuedAt"
    from unnest(${invoices}::text[]) as wanted (id)
      cross join lateral (
        select id, invoice_id, number, seq, subtotal_minor, tax_minor, total_minor, taxes, reason, issued_at
        from credit_notes where invoice_id = wanted.id and org_id = ${org} order by seq limit ${most}) n
    order by n.seq`
}

export function noteById(tx: Tx, org: OrgId, id: string): Promise<Note | undefined> {
  return tx.maybe<Note>`
    select id, invoice_id as "invoiceId", number, subtotal_minor as "subtotalMinor", tax_minor as "taxMinor",
           total_minor as "totalMinor", taxes, reason, issued_at as "issuedAt"
    from credit_notes where org_id = ${org} and id = ${id}`
}
