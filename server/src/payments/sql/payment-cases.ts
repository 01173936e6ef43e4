// Statements on the payment_cases table. All need platform scope.
import { type Id, newId, type OrgId } from '../../kernel/ids.ts'
import { json, type Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'

export type CaseId = Id<'pcs'>
export type CaseKind =
  | 'shortfall'
  | 'dispute'
  | 'unclear_return'
  | 'unread_message'
  | 'reconciliation'
  | 'refund'
  | 'paybill'

export type PaymentCase = {
  id: CaseId
  kind: CaseKind
  orgId: OrgId | null
  reference: string | null
  amountMinor: bigint | null
  currency: string | null
  summary: string
  /** Of a reconciliation: what was compared. Of the paybill: the receipt. */
  evidence: Record<string, unknown> | null
  openedAt: Date
  resolvedAt: Date | null
  resolvedBy: string | null
  note: string | null
}

export type NewCase = Pick<PaymentCase, 'kind' | 'orgId' | 'reference' | 'amountMinor' | 'summary'> & {
  key: string
  evidence?: object
}

/** True when the case is new: a key opens one case. */
export async function insertCase(tx: Tx, it: NewCase): Promise<boolean> {
  const inserted = await tx.maybe`
    insert into payment_cases (id, case_key, kind, org_id, reference, amount_minor, summary, evidence, opened_at)
    values (${newId('pcs', tx.now.getTime())}, ${it.key}, ${it.kind}, ${it.orgId}, ${it.reference}, ${it.amountMinor},
            ${it.summary}, ${it.evidence ? json(it.evidence) : null}, ${tx.now})
    on conflict (case_key) do nothing
    returning id`
  return inserted !== undefined
}

/**
 * Opens the case of a difference, and opens it again if a later reconciliation had closed it. True when it was not open.
 * A case that staff closed stays closed.
 */
export async function openDifferenceCase(tx: Tx, it: NewCase, evidence: object): Promise<boolean> {
  const opened = await tx.maybe`
    insert into payment_cases (id, case_key, kind, org_id, reference, amount_minor, summary, evidence, opened_at)
    values (${newId('pcs', tx.now.getTime())}, ${it.key}, ${it.kind}, ${it.orgId}, ${it.reference}, ${it.amountMinor},
            ${it.summary}, ${json(evidence)}, ${tx.now})
    on conflict (case_key) do update set resolved_at = null, note = null, summary = excluded.summary,
      evidence = excluded.evidence
    where payment_cases.resolved_at is not null and payment_cases.resolved_by is null
    returning id`
  return opened !== undefined
}

export type OpenDifference<Evidence> = { id: CaseId; key: string; evidence: Evidence }

/** Open cases of an account, oldest first. */
export function openDifferences<Evidence>(
  tx: Tx,
  rail: string,
  account: string,
  after: string | null,
  limit: number,
): Promise<OpenDifference<Evidence>[]> {
  return tx.rows<OpenDifference<Evidence>>`
    select id, case_key as key, evidence from payment_cases
    where kind = 'reconciliation' and resolved_at is null and evidence->>'rail' = ${rail}
      and evidence->>'account' = ${account} and (${after}::text is null or id > ${after})
    order by id limit ${limit}`
}

/** Newest first. */
export function listCases(
  tx: Tx,
  isOpen: boolean | null,
  reference: string | null,
  before: TimeCursor | null,
  limit: number,
): Promise<PaymentCase[]> {
  return tx.rows<PaymentCase>`
    select c.id, c.kind, c.org_id as "orgId", c.reference, c.amount_minor as "amountMinor", p.currency, c.summary, c.evidence,
           c.opened_at as "openedAt", c.resolved_at as "resolvedAt", c.resolved_by as "resolvedBy", c.note
    from payment_cases c left join payments p on p.reference = c.reference
    where (${isOpen}::boolean is null or (c.resolved_at is null) = ${isOpen})
      and (${reference}::text is null or c.reference = ${reference})
      and (${before?.at ?? null}::timestamptz is null
           or (c.opened_at, c.id) < (${before?.at ?? null}::timestamptz, ${before?.id ?? null}::text))
    order by c.opened_at desc, c.id desc limit ${limit}`
}

/** Locks the case until the transaction ends. */
export function lockCase(tx: Tx, id: CaseId) {
  return tx.maybe<Pick<PaymentCase, 'id' | 'orgId' | 'reference' | 'kind' | 'resolvedAt'> & { key: string }>`
    select id, org_id as "orgId", reference, kind, resolved_at as "resolvedAt", case_key as key
    from payment_cases where id = ${id} for update`
}

export async function resolveById(tx: Tx, id: CaseId, by: string, note: string): Promise<void> {
  await tx.rows`
    update payment_cases set resolved_at = ${tx.now}, resolved_by = ${by}, note = ${note} where id = ${id}`
}

/** Closes a case by the provider's decision, without staff. */
export async function resolveByKey(tx: Tx, key: string, note: string): Promise<void> {
  await tx.rows`
    update payment_cases set resolved_at = ${tx.now}, note = ${note} where case_key = ${key} and resolved_at is null`
}
