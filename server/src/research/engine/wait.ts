// Pauses a run until its user answers. The report reserve is released meanwhile, so that nothing is held while nothing is done.
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { releaseByPrefix } from '../../wallet/wallet.ts'
import type { RunEvent } from '../run-events.ts'
import { type RunRecord, saveWait } from '../runs-sql.ts'
import type { RunNeeds } from '../types.ts'

/** Returns the event for the caller to append. */
export async function pauseRun(
  app: App,
  tx: Tx,
  run: Pick<RunRecord, 'id' | 'orgId' | 'asideHoldId'>,
  needs: RunNeeds,
  questions: readonly string[] = [],
): Promise<RunEvent> {
  await releaseByPrefix(app, tx, { orgId: run.orgId, prefix: `${run.id}.aside` })
  await saveWait(tx, run, needs, needs === 'answer' ? { questions, answer: null } : null)
  return { kind: 'needs', needs, questions }
}
