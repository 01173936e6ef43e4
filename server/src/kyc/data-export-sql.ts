// What an organisation has shown of its business, as it is handed over.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export function findExportedRecord(tx: Tx, org: OrgId) {
  return tx.maybe<{ status: string }>`
    select business_name as "businessName", registration_number as "registrationNumber", contact_email as "contactEmail",
           document_ref as "documentRef", status, submitted_by as "submittedBy", submitted_at as "submittedAt",
           reviewer_notes as "reviewerNotes", reviewed_at as "reviewedAt"
    from kyc_records where org_id = ${org}`
}
