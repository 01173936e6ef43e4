// Statements of a loop on its run. Each one requires a running run: a run ended by the sweeper or by a retry with the
// same key is not changed.
import type { ErrorCode } from '../../kernel/errors.ts'
import type { Id, OrgId } from '../../kernel/ids.ts'
import { toJson } from '../../kernel/json.ts'
import type { Lane } from '../../metering/metering.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { FileEdit } from '../edits/apply/apply.ts'
import type { ContextReport } from '../prompt/context.ts'
import type { WithheldSecret } from '../prompt/secret-filter.ts'
import { type AgentRunId, type AgentRunStatus, type FinishedRun, toEditedFiles } from '../sql.ts'
import type { LoopStopReason } from './schema.ts'

/** Facts of a result that have no column. */
export type LoopDetails = {
  readonly status: 'complete' | 'partial'
  readonly warnings: readonly string[]
  readonly context: ContextReport
  readonly withheld: readonly WithheldSecret[]
  readonly tests?: { readonly passed: number; readonly failed: number }
  readonly evidence?: 'tests' | 'exit-code' | 'passed-before'
  readonly testsModified?: boolean
}

export type LoopRecord = {
  readonly plan: string
  readonly summary: string
  readonly edits: readonly FileEdit[]
  readonly details: LoopDetails
}

export type IterationRecord = LoopRecord & { readonly id: AgentRunId; readonly chargedMinor: bigint }

/**
 * Stores an iteration in the transaction that charges it. Returns false if the run is over; then nothing may be
 * charged.
 */
export async function storeIteration(tx: Tx, org: OrgId, iteration: IterationRecord): Promise<boolean> {
  const { id, chargedMinor, plan, summary, edits, details } = iteration
  const rows = await tx.content.rows`
    update agent_runs
    set iterations = iterations + 1, cost_minor = cost_minor + ${chargedMinor}, plan = ${plan},
        summary = ${summary}, edits = ${toJson(edits)}::text::json, files = ${toJson(toEditedFiles(edits))}::text::json,
        details = ${toJson(details)}::text::json, beat_at = ${tx.now}
    where id = ${id} and org_id = ${org} and status = 'running'
    returning id`
  return rows.length === 1
}

export type LoopEnd = LoopRecord & {
  readonly id: AgentRunId
  readonly status: Exclude<AgentRunStatus, 'running'>
  readonly stopReason: LoopStopReason
  readonly verified: boolean
  readonly review: object | null
  /** The charges are refunded in the same transaction. */
  readonly isFree: boolean
}

/** Returns no row if the run is already over. */
export function endLoop(tx: Tx, org: OrgId, end: LoopEnd): Promise<FinishedRun[]> {
  return tx.content.rows<FinishedRun>`
    update agent_runs
    set status = ${end.status}, stop_reason = ${end.stopReason}, verified = ${end.verified}, plan = ${end.plan},
        cost_minor = case when ${end.isFree} then 0 else cost_minor end,
        summary = ${end.summary}, edits = ${toJson(end.edits)}::text::json, files = ${toJson(toEditedFiles(end.edits))}::text::json,
        review = ${end.review && toJson(end.review)}::text::json, details = ${toJson(end.details)}::text::json,
        finished_at = ${tx.now}
    where id = ${end.id} and org_id = ${org} and status = 'running'
    returning id, org_id as "orgId", kind, status, stop_reason as "stopReason", iterations, verified,
              cost_minor as "costMinor", lane`
}

/** Charges stay, and the charged result stays the outcome of its key. */
export function failLoop(tx: Tx, org: OrgId, id: AgentRunId, errorCode: ErrorCode): Promise<FinishedRun[]> {
  return tx.content.rows<FinishedRun>`
    update agent_runs
    set status = 'failed', stop_reason = 'interrupted', error_code = ${errorCode}, finished_at = ${tx.now}
    where id = ${id} and org_id = ${org} and status = 'running'
    returning id, org_id as "orgId", kind, status, stop_reason as "stopReason", iterations, verified,
              cost_minor as "costMinor", lane`
}

/** Ends a loop whose heartbeat timed out, with its charged result. */
export function interruptLoop(tx: Tx, org: OrgId, id: AgentRunId, silentSince: Date): Promise<FinishedRun[]> {
  return tx.content.rows<FinishedRun>`
    update agent_runs set status = 'cancelled', stop_reason = 'interrupted', finished_at = ${tx.now}
    where id = ${id} and org_id = ${org} and status = 'running' and beat_at < ${silentSince}
    returning id, org_id as "orgId", kind, status, stop_reason as "stopReason", iterations, verified,
              cost_minor as "costMinor", lane`
}

export type LoopRow = {
  id: AgentRunId
  status: AgentRunStatus
  stopReason: LoopStopReason | null
  iterations: number
  verified: boolean
  lane: Lane
  model: string
  costMinor: bigint
  plan: string
  summary: string
  edits: FileEdit[]
  review: object | null
  details: Partial<LoopDetails>
}

export function findLoop(tx: Tx, org: OrgId, id: AgentRunId): Promise<LoopRow | undefined> {
  return tx.content.maybe<LoopRow>`
    select id, status, stop_reason as "stopReason", iterations, verified, lane, model, cost_minor as "costMinor", plan,
           summary, edits, review, details
    from agent_runs where id = ${id} and org_id = ${org}`
}

/** Running loops of an organisation with a recent heartbeat. */
export async function countLiveLoops(tx: Tx, org: OrgId, silentSince: Date): Promise<number> {
  const { count } = await tx.content.one<{ count: number }>`
    select count(*)::int as count from agent_runs
    where org_id = ${org} and kind = 'loop' and status = 'running' and beat_at >= ${silentSince}`
  return count
}

/** The loop that was started under an idempotency key. */
export async function findLoopByIntent(
  tx: Tx,
  org: OrgId,
  intent: Id<'idem'>,
): Promise<AgentRunId | undefined> {
  const row = await tx.content.maybe<{ id: AgentRunId }>`
    select id from agent_runs where intent_id = ${intent} and org_id = ${org} and kind = 'loop'`
  return row?.id
}
