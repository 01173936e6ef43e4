// Finishes a run in one transaction: closes it, releases its holds, appends the last event and emits the webhook.

import { emit } from '../../hooks/hooks.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { closeStream } from '../../platform/streams/streams.ts'
import { credit, releaseByPrefix } from '../../wallet/wallet.ts'
import { appendEvents, type RunEvent } from '../run-events.ts'
import { findRun, lockRun, markFinished, type RunEnding, type RunRecord } from '../runs-sql.ts'
import { skipQueuedSources } from '../sources-sql.ts'

/**
 * False if the run was already finished. A run that failed through our fault refunds its cost to the wallet, even if
 * a plan paid for it.
 */
export async function finishRun(
  app: App,
  tx: Tx,
  run: Pick<RunRecord, 'id' | 'orgId' | 'depth'>,
  ending: Omit<RunEnding, 'refundedMinor'>,
  events: readonly RunEvent[] = [],
): Promise<boolean> {
  const { id, orgId } = run
  const locked = await lockRun(tx, orgId, id)
  if (!locked || locked.finishedAt !== null) return false
  // The report reserve, and the hold of a turn whose process died or lost its lease.
  await releaseByPrefix(app, tx, { orgId, prefix: `${id}.` })
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

/** Finishes a cancelled run that no worker has started. False if a worker has it; that worker finishes the run. */
export function finishUnstarted(app: App, org: OrgId, id: string): Promise<boolean> {
  return app.db.tx(org, async (tx) => {
    // A worker that starts this run waits for this lock, or has started it already.
    await lockRun(tx, org, id)
    const run = await findRun(tx, org, id)
    if (!run || run.startedAt !== null || run.status !== 'cancelled') return false
    return finishRun(app, tx, run, CANCELLED)
  })
}
