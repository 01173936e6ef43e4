import type { Owned } from '../platform/owned.ts'
import { byTime } from '../platform/owned-readers.ts'
import { eraseAll } from './erase.ts'
import { attachmentsAfter, entriesAfter, type Listed, projectsAfter } from './owned-sql.ts'

const placeOf = ({ createdAt, id }: Listed): [Date, string] => [createdAt, id]

export const projectsOwned: Owned = {
  exports: {
    projects: byTime(projectsAfter, placeOf),
    projectMembers: byTime(entriesAfter, ({ addedAt, projectId, userId }) => [
      addedAt,
      `${projectId} ${userId}`,
    ]),
    // Without their bytes, which can be many times as long as all the rest: each is downloaded by its address.
    attachments: byTime(attachmentsAfter, placeOf),
  },
  tables: ['projects', 'project_members', 'attachments'],
  // In the transaction of the closing: later there is nothing left that says where the bytes are.
  close: (_app, tx, { orgId }) => eraseAll(tx, orgId),
}
