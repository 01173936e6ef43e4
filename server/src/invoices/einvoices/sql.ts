// SQL of the registrations. The statements of jobs and staff need platform scope.
import type { Id, OrgId } from '../../kernel/ids.ts'
import { newId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import { json, type Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { Buyer, CreditNoteId, InvoiceId, InvoiceLine, Party } from '../document.ts'
import type { Tax } from '../tax/tax.ts'
import type { AuthorityName } from './authority.ts'
import type { AcceptedOutcome } from './outcome.ts'

export type SubmissionId = Id<'ein'>
export const STATES = ['waiting', 'sent', 'accepted', 'rejected', 'unclear'] as const
export type SubmissionState = (typeof STATES)[number]

/**
 * Only money from outside, with the tax of the seller's country, in its currency. Payments from the wallet were registered with
 * the top-up. Other currencies would need an exchange rate.
 */
export function insertForInvoice(
  tx: Tx,
  invoice: InvoiceId,
  { name, country, currency }: { name: AuthorityName; country: string; currency: Currency },
) {
  return tx.maybe<{ id: SubmissionId }>`
    insert into einvoice_submissions (id, org_id, invoice_id, authority, state, due_at, created_at)
    select ${newId('ein', tx.now.getTime())}, org_id, id, ${name}, 'waiting', ${tx.now}, ${tx.now}
    from invoices where id = ${invoice} and status = 'paid' and mode = 'live' and reference is not null and total_minor > 0
      and currency = ${currency} and buyer ->> 'country' = ${country}
    on conflict do nothing returning id`
}

/** Locks the registration of the invoice: its acceptance wakes every credit note, or the credit note sees that it is accepted. */
export function insertForCreditNote(tx: Tx, note: CreditNoteId, invoice: InvoiceId) {
  return tx.maybe<{ id: SubmissionId; isInvoiceAccepted: boolean }>`
    insert into einvoice_submissions (id, org_id, invoice_id, credit_note_id, authority, state, due_at, created_at)
    select ${newId('ein', tx.now.getTime())}, org_id, invoice_id, ${note}, authority, 'waiting',
           case when state = 'accepted' then ${tx.now}::timestamptz end, ${tx.now}
    from (select org_id, invoice_id, authority, state from einvoice_submissions
          where invoice_id = ${invoice} and credit_note_id is null for update) registered
    on conflict do nothing returning id, due_at is not null as "isInvoiceAccepted"`
}

export type Submission = {
  id: SubmissionId
  orgId: OrgId
  invoiceId: InvoiceId
  creditNoteId: CreditNoteId | null
  authority: AuthorityName
  state: SubmissionState
  serial: bigint | null
  key: string | null
  sentAt: Date | null
  pendingId: string | null
  attempts: number
  busyUntil: Date | null
}

export function lockSubmission(tx: Tx, id: string): Promise<Submission | undefined> {
  return tx.maybe<Submission>`
    select id, org_id as "orgId", invoice_id as "invoiceId", credit_note_id as "creditNoteId", authority, state, serial,
           document_key as key, sent_at as "sentAt", pending_id as "pendingId", attempts, busy_until as "busyUntil"
    from einvoice_submissions where id = ${id} for update`
}

export type DocumentContent = {
  number: string
  issuedAt: Date
  currency: Currency
  seller: Party
  buyer: Buyer
  method: string | null
  /** Null: a credit note, which has one line. */
  lines: InvoiceLine[] | null
  taxes: Tax[]
  subtotalMinor: bigint
  taxMinor: bigint
  totalMinor: bigint
  /** Of a credit note. */
  invoiceNumber: string | null
  invoiceTotalMinor: bigint
  invoiceIssuedAt: Date
  /** The registration of the invoice. */
  invoiceKey: string | null
  invoiceSerial: bigint | null
  invoiceAuthorityId: string | null
  invoiceStamp: Record<string, string> | null
}

export function readDocument(tx: Tx, id: SubmissionId): Promise<DocumentContent> {
  return tx.one<DocumentContent>`
    select coalesce(n.number, i.number) as number, coalesce(n.issued_at, i.issued_at) as "issuedAt", i.currency, i.seller,
           i.buyer, i.method, case when n.id is null then i.lines end as lines, coalesce(n.taxes, i.taxes) as taxes,
           coalesce(n.subtotal_minor, i.subtotal_minor) as "subtotalMinor", coalesce(n.tax_minor, i.tax_minor) as "taxMinor",
           coalesce(n.total_minor, i.total_minor) as "totalMinor", case when n.id is not null then i.number end as "invoiceNumber",
           i.total_minor as "invoiceTotalMinor", i.issued_at as "invoiceIssuedAt", o.document_key as "invoiceKey",
           o.serial as "invoiceSerial", o.authority_id as "invoiceAuthorityId", o.stamp as "invoiceStamp"
    from einvoice_submissions s join invoices i on i.id = s.invoice_id
      left join credit_notes n on n.id = s.credit_note_id
      left join einvoice_submissions o on o.invoice_id = s.invoice_id and o.credit_note_id is null and n.id is not null
    where s.id = ${id}`
}

/** The next serial, and the key unless another document has it. The caller holds the lock of the authority's numbers. */
export function nextNumber(tx: Tx, authority: AuthorityName, key: string) {
  return tx.one<{ serial: bigint; isTaken: boolean }>`
    select coalesce((select serial from einvoice_submissions where authority = ${authority} and serial is not null
                     order by serial desc limit 1), 0) + 1 as serial,
           exists (select from einvoice_submissions where authority = ${authority} and document_key = ${key}) as "isTaken"`
}

/** Starts an attempt: from now on the document may have reached the authority. */
export async function startAttempt(
  tx: Tx,
  id: SubmissionId,
  { serial, key, busyUntil }: { serial: bigint; key: string; busyUntil: Date },
): Promise<void> {
  await tx.rows`
    update einvoice_submissions set state = 'sent', serial = ${serial}, document_key = ${key},
      sent_at = coalesce(sent_at, ${tx.now}), attempts = attempts + 1, busy_until = ${busyUntil}
    where id = ${id}`
}

/** Every outcome names its attempt: a later attempt has taken over otherwise, and nothing changes. */
type Attempt = { readonly id: SubmissionId; readonly attempt: number }

export async function markAccepted(
  tx: Tx,
  { id, attempt }: Attempt,
  accepted: AcceptedOutcome,
): Promise<boolean> {
  const row = await tx.maybe`
    update einvoice_submissions set state = 'accepted', authority_id = ${accepted.id}, qr = ${accepted.qr},
      stamp = ${json(accepted.stamp)}, failure = null, reasons = '[]', decided_at = ${tx.now}, due_at = null, busy_until = null
    where id = ${id} and attempts = ${attempt} and state = 'sent' returning id`
  return row !== undefined
}

export async function markUndecided(
  tx: Tx,
  { id, attempt }: Attempt,
  state: 'rejected' | 'unclear',
  { failure, reasons }: { failure: string | null; reasons: readonly string[] },
): Promise<boolean> {
  const row = await tx.maybe`
    update einvoice_submissions set state = ${state}, failure = ${failure}, reasons = ${json(reasons)}, decided_at = ${tx.now},
      due_at = null, busy_until = null
    where id = ${id} and attempts = ${attempt} and state = 'sent' returning id`
  return row !== undefined
}

/** Plans the next attempt. `reached` is false when the authority certainly does not have the document. */
export async function markRetried(
  tx: Tx,
  { id, attempt }: Attempt,
  retry: { dueAt: Date; failure: string | null; reached: boolean; pendingId: string | null },
): Promise<boolean> {
  const row = await tx.maybe`
    update einvoice_submissions set state = ${retry.reached ? 'sent' : 'waiting'}, due_at = ${retry.dueAt},
      failure = ${retry.failure}, busy_until = null, pending_id = coalesce(${retry.pendingId}, pending_id),
      sent_at = case when ${retry.reached} then sent_at end
    where id = ${id} and attempts = ${attempt} and state = 'sent' returning id`
  return row !== undefined
}

/** Credit notes wait for their invoice. */
export function wakeCreditNotes(tx: Tx, invoice: InvoiceId, limit: number) {
  return tx.rows<{ id: SubmissionId }>`
    update einvoice_submissions set due_at = ${tx.now}
    where id in (select id from einvoice_submissions where invoice_id = ${invoice} and credit_note_id is not null
                   and state = 'waiting' and due_at is null order by id limit ${limit})
    returning id`
}

/** Submissions whose job was lost, oldest first. */
export function overdue(tx: Tx, authority: AuthorityName, dueBefore: Date, limit: number) {
  return tx.rows<{ id: SubmissionId }>`
    select id from einvoice_submissions
    where state in ('waiting', 'sent') and due_at < ${dueBefore} and authority = ${authority}
      and (busy_until is null or busy_until < ${tx.now})
    order by due_at limit ${limit}`
}

/** Staff retry: a rejected document is sent again, an unclear one is looked up first. The serial and the key stay. */
export async function restart(tx: Tx, id: SubmissionId, isRejected: boolean): Promise<void> {
  await tx.rows`
    update einvoice_submissions set state = case when ${isRejected} then 'waiting' else 'sent' end, attempts = 0,
      sent_at = case when ${isRejected} then null else sent_at end,
      pending_id = case when ${isRejected} then null else pending_id end,
      reasons = '[]', failure = null, decided_at = null, due_at = ${tx.now}, busy_until = null
    where id = ${id}`
}

export type ListedSubmission = {
  id: SubmissionId
  orgId: OrgId
  orgName: string
  invoiceId: InvoiceId
  creditNoteId: CreditNoteId | null
  number: string
  currency: Currency
  totalMinor: bigint
  authority: AuthorityName
  state: SubmissionState
  authorityId: string | null
  qr: string | null
  attempts: number
  failure: string | null
  reasons: string[]
  createdAt: Date
  sentAt: Date | null
  dueAt: Date | null
  decidedAt: Date | null
}

/** Newest first. */
export function listSubmissions(
  tx: Tx,
  state: SubmissionState | null,
  before: TimeCursor | null,
  limit: number,
): Promise<ListedSubmission[]> {
  return tx.rows<ListedSubmission>`
    select s.id, s.org_id as "orgId", o.name as "orgName", s.invoice_id as "invoiceId", s.credit_note_id as "creditNoteId",
           coalesce(n.number, i.number) as number, i.currency, coalesce(n.total_minor, i.total_minor) as "totalMinor",
           s.authority, s.state, s.authority_id as "authorityId", s.qr, s.attempts, s.failure, s.reasons,
           s.created_at as "createdAt", s.sent_at as "sentAt", s.due_at as "dueAt", s.decided_at as "decidedAt"
    from einvoice_submissions s join invoices i on i.id = s.invoice_id left join credit_notes n on n.id = s.credit_note_id
      join org_profiles o on o.id = s.org_id
    where (${state}::text is null or s.state = ${state})
      and (${before?.at ?? null}::timestamptz is null
           or (s.created_at, s.id) < (${before?.at ?? null}::timestamptz, ${before?.id ?? null}::text))
    order by s.created_at desc, s.id desc limit ${limit}`
}

export type Registration = {
  authority: string
  authorityId: string | null
  qr: string | null
}

/** The registration of an invoice, or of a credit note; undefined where there is none. */
export function registrationOf(
  tx: Tx,
  org: OrgId,
  invoice: InvoiceId,
  note: CreditNoteId | null,
): Promise<Registration | undefined> {
  return tx.maybe<Registration>`
    select authority, authority_id as "authorityId", qr from einvoice_submissions
    where org_id = ${org} and invoice_id = ${invoice} and credit_note_id is not distinct from ${note}::text`
}
