import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { byTime } from '../platform/data-export-readers.ts'
import { attachmentsAfter, type ExportedRow, projectMembersAfter, projectsAfter } from './data-export-sql.ts'
import { eraseOrgFiles } from './erase-files.ts'

const toCursor = ({ createdAt, id }: ExportedRow): [Date, string] => [createdAt, id]

export const projectsTenantData: TenantData<App> = {
  exports: {
    projects: byTime(projectsAfter, toCursor),
    projectMembers: byTime(projectMembersAfter, ({ addedAt, projectId, userId }) => [
      addedAt,
      `${projectId} ${userId}`,
    ]),
    // Without content, which can be far larger than all other exported data. Each file is downloaded by its URL.
    attachments: byTime(attachmentsAfter, toCursor),
  },
  tables: ['projects', 'project_members', 'attachments'],
  // Runs in the closing transaction: the storage keys are deleted with the rows.
  close: (_app, tx, { orgId }) => eraseOrgFiles(tx, orgId),
}
