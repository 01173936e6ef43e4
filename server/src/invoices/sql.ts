// SQL that writes invoices and credit notes.
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import { json, type Tx } from '../platform/db/tx.ts'
import type { CreditNoteId, CreditNoteRow, InvoiceId, InvoiceRow } from './document.ts'
import type { Tax } from './tax/tax.ts'

export type DocumentSeries = 'invoice' | 'credit_note'

/** Draws the next number of a series and locks the counter until the transaction ends. */
export async function drawNumber(tx: Tx, org: OrgId, series: DocumentSeries): Promise<bigint> {
  const { last } = await tx.one<{ last: bigint }>`
    insert into document_counters (org_id, series, last) values (${org}, ${series}, 1)
    on conflict (org_id, series) do update set last = document_counters.last + 1
    returning last`
  return last
}

/** Returns the number that was drawn last. */
export async function returnNumber(tx: Tx, org: OrgId, series: DocumentSeries): Promise<void> {
  await tx.rows`
    update document_counters set last = last - 1 where org_id = ${org} and series = ${series}`
}

type InvoiceContext = {
  earlierId: InvoiceId | null
  earlierNumber: string | null
  name: string
  address: string | null
  taxId: string | null
  country: string | null
}

/** The buyer details, and the existing invoice for this cause. */
export function readInvoiceContext(tx: Tx, org: OrgId, cause: string): Promise<InvoiceContext> {
  return tx.one<InvoiceContext>`
    select i.id as "earlierId", i.number as "earlierNumber", coalesce(d.legal_name, o.name) as name, d.address,
           d.tax_id as "taxId", d.country
    from org_profiles o left join billing_details d on d.org_id = o.id
      left join invoices i on i.cause = ${cause} and i.org_id = o.id
    where o.id = ${org}`
}

export async function insertInvoice(tx: Tx, row: InvoiceRow): Promise<void> {
  await tx.rows`
    insert into invoices (id, org_id, seq, number, status, subject, cause, currency, subtotal_minor, tax_minor,
      total_minor, lines, taxes, seller, buyer, mode, reference, method, issued_at, paid_at)
    values (${row.id}, ${row.orgId}, ${row.seq}, ${row.number}, ${row.status}, ${row.subject}, ${row.cause},
      ${row.currency}, ${row.subtotalMinor}, ${row.taxMinor}, ${row.totalMinor}, ${json(row.lines)}, ${json(row.taxes)},
      ${json(row.seller)}, ${json(row.buyer)}, ${row.mode}, ${row.reference}, ${row.method}, ${row.issuedAt},
      ${row.status === 'paid' ? row.issuedAt : null})`
}

export type PaidInvoice = {
  readonly invoiceId: InvoiceId
  readonly orgId: OrgId
  readonly number: string
  readonly totalMinor: bigint
  readonly currency: Currency
}

export function markPaid(
  tx: Tx,
  id: InvoiceId,
  paid: { reference: string | null; method: string | null; mode?: 'live' | 'mock' },
) {
  return tx.maybe<PaidInvoice>`
    update invoices set status = 'paid', paid_at = ${tx.now}, reference = ${paid.reference}, method = ${paid.method},
      mode = coalesce(${paid.mode ?? null}, mode)
    where id = ${id} and status = 'open'
    returning id as "invoiceId", org_id as "orgId", number, total_minor as "totalMinor", currency`
}

export function markVoid(tx: Tx, id: InvoiceId, reason: string) {
  return tx.maybe<{ id: InvoiceId }>`
    update invoices set status = 'void', voided_at = ${tx.now}, reason = ${reason}
    where id = ${id} and status = 'open' returning id`
}

export function readPaymentState(tx: Tx, id: InvoiceId) {
  return tx.maybe<{
    status: 'paid' | 'open' | 'void'
    reference: string | null
  }>`
    select status, reference from invoices where id = ${id}`
}

type CreditableInvoice = {
  id: InvoiceId
  currency: Currency
  totalMinor: bigint
  creditedMinor: bigint
  taxes: Tax[]
}

/** Locks the invoice that a payment paid until the transaction ends. */
export function lockPaidInvoice(
  tx: Tx,
  org: OrgId,
  reference: string,
): Promise<CreditableInvoice | undefined> {
  return tx.maybe<CreditableInvoice>`
    select id, currency, total_minor as "totalMinor", credited_minor as "creditedMinor", taxes
    from invoices where org_id = ${org} and reference = ${reference} and status = 'paid' for update`
}

export function findCreditNoteByCause(tx: Tx, org: OrgId, cause: string) {
  return tx.maybe<{ id: CreditNoteId; number: string }>`
    select id, number from credit_notes where org_id = ${org} and cause = ${cause}`
}

export async function insertCreditNote(tx: Tx, row: CreditNoteRow): Promise<void> {
  await tx.rows`
    insert into credit_notes (id, org_id, seq, number, invoice_id, cause, subtotal_minor, tax_minor, total_minor, taxes,
      reason, issued_at)
    values (${row.id}, ${row.orgId}, ${row.seq}, ${row.number}, ${row.invoiceId}, ${row.cause}, ${row.subtotalMinor},
      ${row.taxMinor}, ${row.totalMinor}, ${json(row.taxes)}, ${row.reason}, ${row.issuedAt})`
}

export async function addCredited(tx: Tx, id: InvoiceId, amountMinor: bigint): Promise<void> {
  await tx.rows`update invoices set credited_minor = credited_minor + ${amountMinor} where id = ${id}`
}

export async function invoiceStatus(
  tx: Tx,
  org: OrgId,
  id: string,
): Promise<'paid' | 'open' | 'void' | null> {
  const row = await tx.maybe<{ status: 'paid' | 'open' | 'void' }>`
    select status from invoices where id = ${id} and org_id = ${org}`
  return row?.status ?? null
}

/** The invoice of a payment. */
export function findInvoice(
  tx: Tx,
  org: OrgId,
  reference: string,
): Promise<{ id: InvoiceId; number: string } | undefined> {
  return tx.maybe<{ id: InvoiceId; number: string }>`
    select id, number from invoices where org_id = ${org} and reference = ${reference} order by id limit 1`
}
