import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { bySeq } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'

export const invoicesTenantData: TenantData<App> = {
  facts: { billingDetails: async (_app, tx, org) => (await billingDetails(tx, org)) ?? null },
  exports: { invoices: bySeq(invoicesAfter), creditNotes: bySeq(creditNotesAfter) },
  tables: ['billing_details', 'invoices', 'credit_notes', 'einvoice_submissions'],
  withheld: { document_counters: 'the last document shows the last number' },
}

export function invoicesAfter(tx: Tx, org: OrgId, after: bigint, limit: number) {
  return tx.rows<{ seq: bigint }>`
    select i.seq, i.id, i.number, i.status, i.subject, i.mode, i.currency, i.subtotal_minor as "subtotalMinor",
           i.tax_minor as "taxMinor", i.total_minor as "totalMinor", i.credited_minor as "creditedMinor", i.lines, i.taxes,
           i.seller, i.buyer, i.reference, i.method, i.reason, i.issued_at as "issuedAt", i.paid_at as "paidAt",
           i.voided_at as "voidedAt", e.authority as "taxAuthority", e.authority_id as "taxAuthorityId"
    from invoices i left join einvoice_submissions e on e.invoice_id = i.id and e.credit_note_id is null
    where i.org_id = ${org} and i.seq > ${after} order by i.seq limit ${limit}`
}

export function creditNotesAfter(tx: Tx, org: OrgId, after: bigint, limit: number) {
  return tx.rows<{ seq: bigint }>`
    select n.seq, n.id, n.invoice_id as "invoiceId", n.number, n.subtotal_minor as "subtotalMinor", n.tax_minor as "taxMinor",
           n.total_minor as "totalMinor", n.taxes, n.reason, n.issued_at as "issuedAt", e.authority as "taxAuthority",
           e.authority_id as "taxAuthorityId"
    from credit_notes n left join einvoice_submissions e on e.credit_note_id = n.id
    where n.org_id = ${org} and n.seq > ${after} order by n.seq limit ${limit}`
}

export function billingDetails(tx: Tx, org: OrgId) {
  return tx.maybe<{ updatedAt: Date }>`
    select legal_name as "legalName", address, tax_id as "taxId", country, updated_at as "updatedAt"
    from billing_details where org_id = ${org}`
}
