import type { Owned } from '../platform/owned.ts'
import { byTime } from '../platform/owned-readers.ts'
import { attachmentsAfter, type ExportedRow, projectMembersAfter, projectsAfter } from './data-export-sql.ts'
import { eraseOrgFiles } from './erase-files.ts'

const toCursor = ({ createdAt, id }: ExportedRow): [Date, string] => [createdAt, id]

export const projectsTenantData: Owned = {
  exports: {
    projects: byTime(projectsAfter, toCursor),
    projectMembers: byTime(projectMembersAfter, ({ addedAt, projectId, userId }) => [
      addedAt,
      `${projectId} ${userId}`,
    ]),
    // Without their bytes, which can be many times as long as all the rest: each is downloaded by its address.
    attachments: byTime(attachmentsAfter, toCursor),
  },
  tables: ['projects', 'project_members', 'attachments'],
  // In the transaction of the closing: later there is nothing left that says where the bytes are.
  close: (_app, tx, { orgId }) => eraseOrgFiles(tx, orgId),
}
