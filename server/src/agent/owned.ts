import type { Owned } from '../platform/owned.ts'
import { byTimeAndSize } from '../platform/owned-readers.ts'
import { type ExportedRun, listRunsAfter } from './owned-sql.ts'

export const agentTenantData: Owned = {
  exports: { agentRuns: byTimeAndSize(listRunsAfter, ({ createdAt, id }: ExportedRun) => [createdAt, id]) },
  tables: ['agent_runs'],
}
