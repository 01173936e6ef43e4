import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { bySeq } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'

export const invoicesTenantData: TenantData<App> = {
  facts: { billingDetails: async (_app, tx, org) => (await billingDetails(tx, org)) ?? null },
  exports: { invoices: bySeq(invoicesAfter), creditNotes: bySeq(creditNotesAfter) },
  tables: ['billing_details', 'invoices', 'credit_notes'],
  withheld: { document_counters: 'the last document shows the last number' },
}

export function invoicesAfter(tx: Tx, org: OrgId, after: bigint, limit: number) {
  return tx.rows<{ seq: bigint }>`
    select seq, id, number, status, subject, mode, currency, subtotal_minor as "subtotalMinor", tax_minor as "taxMinor",
           total_minor as "totalMinor", credited_minor as "creditedMinor", lines, taxes, seller, buyer, reference, method,
           reason, issued_at as "issuedAt", paid_at as "paidAt", voided_at as "voidedAt"
    from invoices where org_id = ${org} and seq > ${after} order by seq limit ${limit}`
}

export function creditNotesAfter(tx: Tx, org: OrgId, after: bigint, limit: number) {
  return tx.rows<{ seq: bigint }>`
    select seq, id, invoice_id as "invoiceId", number, subtotal_minor as "subtotalMinor", tax_minor as "taxMinor",
           total_minor as "totalMinor", taxes, reason, issued_at as "issuedAt"
    from credit_notes where org_id = ${org} and seq > ${after} order by seq limit ${limit}`
}

export function billingDetails(tx: Tx, org: OrgId) {
  return tx.maybe<{ updatedAt: Date }>`
    select legal_name as "legalName", address, tax_id as "taxId", country, updated_at as "updatedAt"
    from billing_details where org_id = ${org}`
}
