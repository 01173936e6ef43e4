// Ends a loop: stores the run once, and builds the last frame from the stored row.

import { setTimeout as pause } from 'node:timers/promises'
import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { LEASE } from '../../kernel/lease.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { CommittedReply, Once } from '../../platform/http/idempotency/idempotency.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import { credit, readBalances } from '../../wallet/wallet.ts'
import { emitRunFinished, endEarlierAttempts, releaseRunHolds } from '../run/lifecycle.ts'
import { reviewEdits } from '../run/review.ts'
import type { AgentRunId } from '../sql.ts'
import { toTestCounts } from './iteration.ts'
import { toLoopRecord } from './loop-record.ts'
import { findBestAttempt } from './retry-policy.ts'
import type { LoopFrame, LoopStopReason, ResultFrame } from './schema.ts'
import * as sql from './sql.ts'
import type { AgentLoop, AttemptState } from './state.ts'
import { findAddedTests, findDecisiveChanges } from './test-integrity/decisive-files.ts'

/**
 * Ends the run and stores the last frame under its idempotency key, in one transaction. Refuses if another process
 * ended the run; its outcome stands.
 */
export async function commitEnd(
  loop: AgentLoop,
  stopReason: LoopStopReason,
): Promise<CommittedReply<LoopFrame>> {
  const { app, plan } = loop
  const { orgId } = plan.actor
  const end = await buildEnd(loop, stopReason)
  const seq = loop.progressStream.nextSeq()
  try {
    return await plan.once.commit(orgId, async (tx) => {
      if (!(await storeEnd(loop, tx, end))) throw new ApiError('work_ended')
      return readLastFrame(tx, orgId, plan.id, seq)
    })
  } catch (error) {
    // Another process took over the key and waits for this run to end.
    if (error instanceof ApiError && error.code === 'idempotency_in_progress')
      await app.db.tx(orgId, (tx) => storeEnd(loop, tx, end))
    throw error
  }
}

/** Ends the run. Refunds its charges if the sandbox failed. Returns false if the run was already over. */
async function storeEnd({ app, plan, state }: AgentLoop, tx: Tx, end: sql.LoopEnd): Promise<boolean> {
  const { orgId } = plan.actor
  const ended = await sql.endLoop(tx, orgId, end)
  if (ended.length === 0) return false
  if (end.isFree && state.chargedMinor > 0n)
    await credit(app, tx, {
      orgId,
      amountMinor: state.chargedMinor,
      source: 'agent',
      ref: plan.id,
      cause: `sandbox_failed ${plan.id}`,
      account: 'refunds',
    })
  await emitRunFinished(tx, ended)
  return true
}

async function buildEnd(loop: AgentLoop, stopReason: LoopStopReason): Promise<sql.LoopEnd> {
  const { plan } = loop
  const { workspace, verdict } = chooseFinalState(loop, stopReason)
  const isVerified = stopReason === 'verified'
  const isModified = findDecisiveChanges(plan.base, workspace, plan.request.testCmd ?? '').length > 0
  if (isVerified && findAddedTests(plan.base, workspace).length > 0) loop.state.warnings.add('tests_added')
  const written = toLoopRecord(loop, workspace, {
    ...(verdict && toTestCounts(verdict)),
    ...(verdict?.evidence &&
      (isVerified || verdict.evidence === 'passed-before') && { evidence: verdict.evidence }),
    ...(isModified && { testsModified: true }),
  })
  const review = await reviewEdits(loop.app, written.edits, plan.base, plan.actor.orgId)
  const status = toRunStatus(loop, stopReason)
  const isFree = stopReason === 'sandbox_failed'
  return { ...written, id: plan.id, review, stopReason, verified: isVerified, status, isFree }
}

/** Stores the last frame of a finished loop under the key. */
export function commitStoredOutcome(
  once: Once,
  orgId: OrgId,
  id: AgentRunId,
  seq: number,
): Promise<CommittedReply<LoopFrame>> {
  return once.commit(orgId, (tx) => readLastFrame(tx, orgId, id, seq))
}

async function readLastFrame(tx: Tx, orgId: OrgId, id: AgentRunId, seq: number): Promise<LoopFrame> {
  const row = await sql.findLoop(tx, orgId, id)
  if (!row || row.status === 'running') throw new ApiError('work_ended')
  return toResultFrame(row, (await readBalances(tx, orgId)).balanceMinor, seq)
}

/** Ends the loop if its heartbeat timed out. Returns whether the loop is over. */
export async function interruptIfStale(app: App, orgId: OrgId, id: AgentRunId): Promise<boolean> {
  const silentSince = before(app.clock.now(), LEASE)
  const { row, interrupted } = await app.db.tx(orgId, async (tx) => {
    const interrupted = await sql.interruptLoop(tx, orgId, id, silentSince)
    await emitRunFinished(tx, interrupted)
    return { row: await sql.findLoop(tx, orgId, id), interrupted }
  })
  for (const attempt of interrupted) await releaseRunHolds(app, orgId, attempt)
  return row?.status !== 'running'
}

/** A cancelled loop ends with its current files; a finished one with its best attempt. */
function chooseFinalState(
  { state }: AgentLoop,
  stopReason: LoopStopReason,
): Pick<AttemptState, 'workspace' | 'verdict'> {
  const attempts = state.attempts.slice(1)
  const best = attempts[findBestAttempt(attempts)]
  const last = attempts.at(-1)
  if (stopReason === 'verified' && last) return last
  const isWhole =
    attempts.length === state.iterations && stopReason !== 'cancelled' && stopReason !== 'interrupted'
  return isWhole && best ? best : { workspace: state.workspace, verdict: null }
}

function toRunStatus({ state }: AgentLoop, stopReason: LoopStopReason): 'completed' | 'cancelled' | 'failed' {
  if (stopReason === 'cancelled' || stopReason === 'interrupted') return 'cancelled'
  return state.iterations === 0 ? 'failed' : 'completed'
}

function toResultFrame(row: sql.LoopRow, balanceMinor: bigint, seq: number): ResultFrame {
  const { id, plan, edits, summary, lane, model, costMinor, review } = row
  const { status, warnings, context, withheld, tests, evidence, testsModified } = row.details
  const stopReason = row.stopReason ?? 'interrupted'
  return {
    seq,
    result: {
      id,
      plan,
      edits,
      summary,
      lane,
      model,
      costMinor,
      balanceMinor,
      ...(review && { review: { ...review } }),
      ...(status && { status }),
      ...(warnings && { warnings: [...warnings] }),
      ...(context && { context: { included: [...context.included], omitted: [...context.omitted] } }),
      ...(withheld && { withheld: [...withheld] }),
    },
    verified: row.verified,
    iterations: row.iterations,
    // Includes loops whose process died.
    cancelled: row.status === 'cancelled' || stopReason === 'interrupted',
    totalCostMinor: costMinor,
    balanceMinor,
    stopReason,
    id,
    ...(testsModified && { testsModified }),
    ...(evidence && { evidence }),
    ...(tests && { tests }),
  }
}

const LOOK_AGAIN_MS = 500

/**
 * The outcome of an earlier loop under this key, or null if there was none or it charged nothing. Waits for a loop
 * that still runs in another process.
 */
export async function replayOutcome(
  app: App,
  { orgId }: Actor,
  once: Once,
  open: () => EventStream,
): Promise<CommittedReply<LoopFrame> | null> {
  const id = await app.db.tx(orgId, (tx) => sql.findLoopByIntent(tx, orgId, once.id))
  if (!id) return null
  while (!(await interruptIfStale(app, orgId, id))) await pauseUnlessDisconnected(open().closed)
  const row = await app.db.tx(orgId, (tx) => sql.findLoop(tx, orgId, id))
  if (row && row.iterations > 0) return commitStoredOutcome(once, orgId, id, 1)
  await endEarlierAttempts(app, orgId, once)
  return null
}

/** Terminates: a loop has a time limit, and one without a heartbeat is over. */
async function pauseUnlessDisconnected(closed: AbortSignal): Promise<void> {
  await pause(LOOK_AGAIN_MS)
  if (closed.aborted) throw new ApiError('idempotency_in_progress')
}
