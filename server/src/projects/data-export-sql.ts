// Exports the projects and files of one organisation.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export type ExportedRow = { id: string; createdAt: Date }

export function projectsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.content.rows<ExportedRow>`
    select id, name, created_by as "createdBy", created_at as "createdAt"
    from projects where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

export type ExportedProjectMember = { projectId: string; userId: string; addedAt: Date }

export function projectMembersAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.content.rows<ExportedProjectMember>`
    select project_id as "projectId", user_id as "userId", access, added_by as "addedBy", added_at as "addedAt"
    from project_members
    where org_id = ${org} and (added_at, project_id || ' ' || user_id) > (${after.at}, ${after.id})
    order by added_at, project_id || ' ' || user_id limit ${limit}`
}

export function attachmentsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.content.rows<ExportedRow>`
    select id, kind, project_id as "projectId", origin, name, content_type as "contentType", bytes, sha256,
           '/attachments/' || id as url, created_by as "createdBy", created_at as "createdAt"
    from attachments where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}
