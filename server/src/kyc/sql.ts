// SQL of business verification.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { KycStatus } from '../orgs/orgs.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export type KycRecord = {
  orgId: OrgId
  orgName: string
  businessName: string
  registrationNumber: string
  contactEmail: string
  documentRef: string
  reviewerNotes: string
  status: KycStatus
  submittedAt: Date
  reviewedAt: Date | null
}

export type Submission = Pick<
  KycRecord,
  'businessName' | 'registrationNumber' | 'contactEmail' | 'documentRef'
>

/** A new submission replaces the earlier one and its review. */
export async function submit(tx: Tx, org: OrgId, by: UserId, it: Submission): Promise<void> {
  await tx.rows`
    insert into kyc_records (org_id, business_name, registration_number, contact_email, document_ref, status,
                             submitted_by, submitted_at)
    values (${org}, ${it.businessName}, ${it.registrationNumber}, ${it.contactEmail}, ${it.documentRef}, 'pending',
            ${by}, ${tx.now})
    on conflict (org_id) do update set
      business_name = excluded.business_name, registration_number = excluded.registration_number,
      contact_email = excluded.contact_email, document_ref = excluded.document_ref, status = excluded.status,
      submitted_by = excluded.submitted_by, submitted_at = excluded.submitted_at,
      reviewer_notes = '', reviewed_by = null, reviewed_at = null`
}

export async function review(
  tx: Tx,
  org: OrgId,
  by: UserId,
  { status, notes }: { status: 'verified' | 'rejected'; notes: string },
): Promise<void> {
  await tx.rows`
    update kyc_records set status = ${status}, reviewer_notes = ${notes}, reviewed_by = ${by}, reviewed_at = ${tx.now}
    where org_id = ${org}`
}

export function findRecord(tx: Tx, org: OrgId) {
  return tx.maybe<KycRecord>`
    select r.org_id as "orgId", o.name as "orgName", r.business_name as "businessName",
           r.registration_number as "registrationNumber", r.contact_email as "contactEmail",
           r.document_ref as "documentRef", r.reviewer_notes as "reviewerNotes", r.status,
           r.submitted_at as "submittedAt", r.reviewed_at as "reviewedAt"
    from kyc_records r join org_profiles o on o.id = r.org_id
    where r.org_id = ${org}`
}

/** Records of all organisations, oldest submission first. Needs the `platform` tenant scope. */
export function listRecords(
  tx: Tx,
  status: KycStatus | null,
  after: TimeCursor,
  limit: number,
): Promise<KycRecord[]> {
  return tx.rows<KycRecord>`
    select r.org_id as "orgId", o.name as "orgName", r.business_name as "businessName",
           r.registration_number as "registrationNumber", r.contact_email as "contactEmail",
           r.document_ref as "documentRef", r.reviewer_notes as "reviewerNotes", r.status,
           r.submitted_at as "submittedAt", r.reviewed_at as "reviewedAt"
    from kyc_records r join org_profiles o on o.id = r.org_id
    where (${status}::text is null or r.status = ${status}) and (r.submitted_at, r.org_id) > (${after.at}, ${after.id})
    order by r.submitted_at, r.org_id limit ${limit}`
}

export async function listOwnerEmails(tx: Tx, org: OrgId, most: number): Promise<string[]> {
  const rows = await tx.rows<{ email: string }>`
    select u.email from org_members m join user_profiles u on u.id = m.user_id
    where m.org_id = ${org} and m.role = 'owner' order by m.created_at, m.user_id limit ${most}`
  return rows.map(({ email }) => email)
}

/** The submission for the data export. */
export function findExportedRecord(tx: Tx, org: OrgId) {
  return tx.maybe<{ status: string }>`
    select business_name as "businessName", registration_number as "registrationNumber", contact_email as "contactEmail",
           document_ref as "documentRef", status, submitted_by as "submittedBy", submitted_at as "submittedAt",
           reviewer_notes as "reviewerNotes", reviewed_at as "reviewedAt"
    from kyc_records where org_id = ${org}`
}
