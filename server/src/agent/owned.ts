import type { Owned } from '../platform/owned.ts'
import { byTimeAndSize } from '../platform/owned-readers.ts'
import { type Run, runsAfter } from './owned-sql.ts'

export const agentOwned: Owned = {
  exports: { agentRuns: byTimeAndSize(runsAfter, ({ createdAt, id }: Run) => [createdAt, id]) },
  tables: ['agent_runs'],
}
