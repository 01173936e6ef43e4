// Invoices for their organisation: pages for the app, a CSV file for bookkeeping.
import { ApiError } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { decodeTimeCursor, type TimeCursor, toPage } from '../platform/http/page.ts'
import { type Cell, toCsvLine } from '../platform/http/reply/csv.ts'
import type { Language } from '../platform/texts/language.ts'
import { translated } from '../platform/texts/texts.ts'
import {
  type Buyer,
  type CreditNoteId,
  type InvoiceId,
  type InvoiceLine,
  linesIn,
  type NewInvoice,
  type Party,
  taxesIn,
} from './document.ts'
import { creditNoteUrl, receiptUrl } from './receipt/links.ts'
import type { Tax } from './tax/tax.ts'

export type InvoiceSearch = {
  from?: Date | undefined
  to?: Date | undefined
  cursor?: string | undefined
}

export const NOTES_SHOWN_MAX = 50

export async function listInvoices(
  app: App,
  orgId: OrgId,
  search: InvoiceSearch & { limit: number },
  language: Language = 'en',
) {
  const { items, notes, nextCursor } = await readPage(app, orgId, search, search.limit)
  return {
    invoices: items.map((invoice) => viewOf(app, invoice, notes.get(invoice.id) ?? [], language)),
    nextCursor,
  }
}

export function getInvoice(app: App, orgId: OrgId, id: string, language: Language) {
  return app.db.tx(orgId, async (tx) => {
    const { invoice, notes } = await findInvoice(tx, orgId, id)
    return viewOf(app, invoice, notes, language)
  })
}

/** An invoice of this organisation with its credit notes. An invoice of another organisation is not found. */
export async function findInvoice(tx: Tx, orgId: OrgId, id: string) {
  const invoice = await invoiceById(tx, orgId, id)
  if (!invoice) throw new ApiError('not_found')
  return { invoice, notes: await creditNotesOf(tx, orgId, [invoice.id], NOTES_SHOWN_MAX) }
}

const EXPORT_ROWS_MAX = 10_000
const EXPORT_PAGE_ROWS = 1_000

/** The CSV file, newest first. The cursor continues a list that exceeds the limit. */
export async function exportInvoices(app: App, orgId: OrgId, search: InvoiceSearch) {
  const lines = [toCsvLine(COLUMNS.map(([name]) => name))]
  let cursor = search.cursor ?? null
  for (let rows = 0; rows < EXPORT_ROWS_MAX; rows += EXPORT_PAGE_ROWS) {
    const at = { ...search, cursor: cursor ?? undefined }
    const { items, nextCursor } = await readPage(app, orgId, at, EXPORT_PAGE_ROWS)
    for (const invoice of items) lines.push(toCsvLine(COLUMNS.map(([, cellOf]) => cellOf(invoice))))
    cursor = nextCursor
    if (cursor === null) break
  }
  return { csv: lines.join(''), nextCursor: cursor }
}

const COLUMNS: readonly (readonly [name: string, cellOf: (invoice: Invoice) => Cell])[] = [
  ['issuedAt', ({ issuedAt }) => issuedAt],
  ['number', ({ number }) => number],
  ['status', ({ status }) => status],
  ['subject', ({ subject }) => subject],
  ['description', ({ lines }) => lines.map(({ description }) => description).join('; ')],
  ['currency', ({ currency }) => currency],
  ['subtotalMinor', ({ subtotalMinor }) => subtotalMinor],
  ['taxMinor', ({ taxMinor }) => taxMinor],
  ['totalMinor', ({ totalMinor }) => totalMinor],
  ['creditedMinor', ({ creditedMinor }) => creditedMinor],
  ['country', ({ buyer }) => buyer.country],
  ['taxes', ({ taxes }) => taxes.map(({ name, amountMinor }) => `${name} ${amountMinor}`).join('; ')],
  ['method', ({ method }) => method],
  ['reference', ({ reference }) => reference],
  ['mode', ({ mode }) => mode],
  ['paidAt', ({ paidAt }) => paidAt],
  ['id', ({ id }) => id],
]

const BEGINNING = new Date(0)
const END = new Date('9999-12-31T23:59:59.999Z')
const NEWEST: TimeCursor = { at: END, id: '' }

async function readPage(app: App, orgId: OrgId, { from, to, cursor }: InvoiceSearch, limit: number) {
  const before = cursor === undefined ? NEWEST : decodeTimeCursor(cursor)
  return app.db.tx(orgId, async (tx) => {
    const span = { from: from ?? BEGINNING, until: to ?? END }
    const rows = await invoicesBefore(tx, orgId, span, before, limit + 1)
    const page = toPage(rows, limit, ({ issuedAt, id }) => [issuedAt, id])
    return { ...page, notes: await notesFor(tx, orgId, page.items) }
  })
}

async function notesFor(tx: Tx, orgId: OrgId, invoices: readonly Invoice[]) {
  const credited = invoices.filter(({ creditedMinor }) => creditedMinor > 0n).map(({ id }) => id)
  const notes = credited.length === 0 ? [] : await creditNotesOf(tx, orgId, credited, NOTES_SHOWN_MAX)
  return Map.groupBy(notes, ({ invoiceId }) => invoiceId)
}

function viewOf(app: App, invoice: Invoice, notes: readonly CreditNote[], language: Language) {
  // The seller and the buyer appear on the document only.
  const { seller: _, buyer, reason: __, voidedAt: ___, ...shown } = invoice
  return {
    ...shown,
    lines: linesIn(language, invoice.lines),
    taxes: taxesIn(language, invoice.taxes),
    method: invoice.method && translated(language, invoice.method),
    country: buyer.country,
    receiptUrl: receiptUrl(app, invoice.id),
    creditNotes: notes.map(({ id, number, totalMinor, reason, issuedAt }) => ({
      id,
      number,
      totalMinor,
      reason: translated(language, reason),
      issuedAt,
      receiptUrl: creditNoteUrl(app, id),
    })),
  }
}

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

export type CreditNote = {
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

export type DateRange = { readonly from: Date; readonly until: Date }

/** Before the cursor, newest first. */
export function invoicesBefore(
  tx: Tx,
  org: OrgId,
  { from, until }: DateRange,
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

/** At most `limit` notes per invoice, in the order of issue. */
export function creditNotesOf(
  tx: Tx,
  org: OrgId,
  invoices: readonly string[],
  limit: number,
): Promise<CreditNote[]> {
  return tx.rows<CreditNote>`
    select n.id, n.invoice_id as "invoiceId", n.number, n.subtotal_minor as "subtotalMinor", n.tax_minor as "taxMinor",
           n.total_minor as "totalMinor", n.taxes, n.reason, n.issued_at as "issuedAt"
    from unnest(${invoices}::text[]) as wanted (id)
      cross join lateral (
        select id, invoice_id, number, seq, subtotal_minor, tax_minor, total_minor, taxes, reason, issued_at
        from credit_notes where invoice_id = wanted.id and org_id = ${org} order by seq limit ${limit}) n
    order by n.seq`
}

export function findCreditNote(tx: Tx, org: OrgId, id: string): Promise<CreditNote | undefined> {
  return tx.maybe<CreditNote>`
    select id, invoice_id as "invoiceId", number, subtotal_minor as "subtotalMinor", tax_minor as "taxMinor",
           total_minor as "totalMinor", taxes, reason, issued_at as "issuedAt"
    from credit_notes where org_id = ${org} and id = ${id}`
}
