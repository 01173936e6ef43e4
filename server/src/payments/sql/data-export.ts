// Payments of one organisation for its data export, without phones and payment pages.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'

export type ExportedPayment = { reference: string; createdAt: Date }

export function paymentsAfter(tx: Tx, org: OrgId, areTopups: boolean, after: TimeCursor, limit: number) {
  return tx.rows<ExportedPayment>`
    select reference, purpose, user_id as "userId", channel, rail, account, mode, currency, amount_minor as "amountMinor", email,
           status, reason, transaction_id as "transactionId", captured_minor as "capturedMinor",
           refunded_minor as "refundedMinor", returned_minor as "returnedMinor", disputed_minor as "disputedMinor",
           repeat_of as "repeatOf", reversed_at as "reversedAt", entry_id as "entryId",
           invoice_id as "invoiceId", card_id as "cardId", created_at as "createdAt", expires_at as "expiresAt",
           settled_at as "settledAt"
    from payments
    where org_id = ${org} and (purpose = 'topup') = ${areTopups} and (created_at, reference) > (${after.at}, ${after.id})
    order by created_at, reference limit ${limit}`
}

export type ExportedEntry = { id: string; createdAt: Date }

export function refundsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportedEntry>`
    select id, source, reference, amount_minor as "amountMinor", reason, entry_id as "entryId", created_at as "createdAt"
    from wallet_refunds where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

export function returnsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportedEntry>`
    select reference || ' ' || return_key as id, reference, return_key as "key", amount_minor as "amountMinor", state,
           taken_minor as "takenMinor", entry_id as "entryId", opened_at as "createdAt", decided_at as "decidedAt"
    from payment_returns
    where org_id = ${org} and (opened_at, reference || ' ' || return_key) > (${after.at}, ${after.id})
    order by opened_at, id limit ${limit}`
}

export function sourceRefundsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportedEntry>`
    select id, reference, amount_minor as "amountMinor", reason, state, return_key as "returnKey", created_at as "createdAt",
           decided_at as "decidedAt"
    from source_refunds where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

/** Counts the refunds to the payer that the provider has not decided. */
export async function countUndecidedRefunds(tx: Tx, org: OrgId): Promise<number> {
  const { n } = await tx.one<{ n: number }>`
    select count(*)::int as n from source_refunds where org_id = ${org} and decided_at is null`
  return n
}

/** Counts the open payments of an organisation. */
export function countOpen(tx: Tx, org: OrgId) {
  return tx.one<{ pending: number; review: number }>`
    select count(*) filter (where status = 'pending')::int as pending,
           count(*) filter (where status = 'review')::int as review
    from payments where org_id = ${org} and status in ('pending', 'review')`
}
