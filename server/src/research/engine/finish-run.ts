// The end of a run, whatever it is: one transaction that closes it, lets go of what is held, and says so.

import { emit } from '../../hooks/hooks.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { closeStream } from '../../platform/streams/streams.ts'
import { credit, releaseIn } from '../../wallet/wallet.ts'
import { appendEvents, type RunEvent } from '../run-events.ts'
import { findRun, lockRun, markFinished, type RunEnding, type RunRecord } from '../runs-sql.ts'
import { skipQueuedSources } from '../sources-sql.ts'

/** False when it had ended before. A run that failed through our fault gives back what it cost, into the wallet also where the plan has paid. */
export async function finishRun(
  app: App,
  tx: Tx,
  run: Pick<RunRecord, 'id' | 'orgId' | 'asideHoldId' | 'depth'>,
  ending: Omit<RunEnding, 'refundedMinor'>,
  events: readonly RunEvent[] = [],
): Promise<boolean> {
  const { id, orgId } = run
  const locked = await lockRun(tx, orgId, id)
  if (!locked || locked.finishedAt !== null) return false
  await releaseIn(app, tx, { orgId, holdId: run.asideHoldId })
  const refundedMinor = ending.status === 'failed' ? locked.spentMinor : 0n
  if (refundedMinor > 0n) await refund(app, tx, run, refundedMinor)
  await skipQueuedSources(tx, run, ending.status === 'cancelled' ? 'cancelled' : 'deadline')
  await markFinished(tx, run, { ...ending, refundedMinor })
  const { status, stopReason } = ending
  const { spentMinor } = locked
  await appendEvents(tx, id, [...events, { kind: 'done', status, stopReason, spentMinor }])
  await closeStream(tx, id)
  await emit(tx, {
    orgId,
    type: 'research.finished',
    data: { runId: id, status, stopReason, depth: run.depth, spentMinor, refundedMinor },
  })
  return true
}

async function refund(
  app: App,
  tx: Tx,
  { id, orgId }: Pick<RunRecord, 'id' | 'orgId'>,
  amountMinor: bigint,
): Promise<void> {
  await credit(app, tx, {
    orgId,
    amountMinor,
    source: 'research',
    account: 'refunds',
    ref: id,
    cause: `research ${id} failed`,
  })
}

export const CANCELLED: Omit<RunEnding, 'refundedMinor'> = {
  status: 'cancelled',
  stopReason: 'cancelled',
  errorCode: null,
  report: null,
}

export const FAILED: Omit<RunEnding, 'refundedMinor'> = {
  status: 'failed',
  stopReason: 'error',
  errorCode: 'internal',
  report: null,
}

/** A run that nobody has begun to work on ends at once when it is cancelled. False when somebody works on it, who will end it. */
export function finishUnstarted(app: App, org: OrgId, id: string): Promise<boolean> {
  return app.db.tx(org, async (tx) => {
    // Whoever begins to work on it waits here, or has begun.
    await lockRun(tx, org, id)
    const run = await findRun(tx, org, id)
    if (!run || run.startedAt !== null || run.status !== 'cancelled') return false
    return finishRun(app, tx, run, CANCELLED)
  })
}
