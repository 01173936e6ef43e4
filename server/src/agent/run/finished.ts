// Runs that ended are told to who listens, in the transaction of their end, however they ended.
import { emit } from '../../hooks/hooks.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { FinishedRun } from '../sql.ts'

export async function emitRunFinished(tx: Tx, ended: readonly FinishedRun[]): Promise<void> {
  for (const { id, orgId, ...data } of ended)
    await emit(tx, { orgId, type: 'run.finished', data: { runId: id, ...data } })
}
