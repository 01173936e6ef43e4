// Statements on runs. Those of loops are in loop/sql.ts.
import type { ErrorCode } from '../kernel/errors.ts'
import type { Id, OrgId, UserId } from '../kernel/ids.ts'
import { toJson } from '../kernel/json.ts'
import type { Lane } from '../metering/metering.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { FileEdit } from './edits/apply/apply.ts'

export type AgentRunId = Id<'agr'>
export type AgentRunKind = 'run' | 'loop'
export type AgentRunStatus = 'running' | 'completed' | 'cancelled' | 'failed'

export type NewAgentRun = {
  readonly id: AgentRunId
  readonly orgId: OrgId
  readonly userId: UserId
  readonly kind: AgentRunKind
  readonly intentId: Id<'idem'>
  readonly prompt: string
  readonly lane: Lane
  readonly model: string
  readonly sandbox: 'none' | 'local' | 'docker'
  readonly testCommand: string | null
  readonly maxIterations: number
}

export async function insertRun(tx: Tx, run: NewAgentRun): Promise<void> {
  await tx.content.rows`
    insert into agent_runs (id, org_id, user_id, kind, intent_id, status, prompt, lane, model, sandbox, test_command,
                            max_iterations, created_at, beat_at)
    values (${run.id}, ${run.orgId}, ${run.userId}, ${run.kind}, ${run.intentId}, 'running', ${run.prompt}, ${run.lane},
            ${run.model}, ${run.sandbox}, ${run.testCommand}, ${run.maxIterations}, ${tx.now}, ${tx.now})`
}

/** The data of the `run.finished` event. */
export type FinishedRun = {
  id: AgentRunId
  orgId: OrgId
  kind: AgentRunKind
  status: AgentRunStatus
  stopReason: string | null
  iterations: number
  verified: boolean
  costMinor: bigint
  lane: Lane
}

/**
 * Ends earlier attempts under an idempotency key, so that the next one can use it. `interrupted` were still running.
 */
export async function endEarlierAttempts(
  tx: Tx,
  org: OrgId,
  intent: Id<'idem'>,
): Promise<{ interrupted: FinishedRun[]; attempts: RunAttempt[] }> {
  const interrupted = await tx.content.rows<FinishedRun>`
    update agent_runs
    set intent_id = null, status = 'failed', stop_reason = 'interrupted', finished_at = ${tx.now}
    where intent_id = ${intent} and org_id = ${org} and status = 'running'
    returning id, org_id as "orgId", kind, status, stop_reason as "stopReason", iterations, verified,
              cost_minor as "costMinor", lane`
  const others = await tx.content.rows<RunAttempt>`
    update agent_runs set intent_id = null where intent_id = ${intent} and org_id = ${org} returning id, iterations`
  return { interrupted, attempts: [...interrupted, ...others] }
}

export type RunAttempt = Pick<FinishedRun, 'id' | 'iterations'>

/** Renews the heartbeat of a run. Returns whether a member has asked to stop it. */
export async function recordHeartbeat(tx: Tx, org: OrgId, id: AgentRunId): Promise<boolean> {
  const row = await tx.content.maybe<{ isStopRequested: boolean }>`
    update agent_runs set beat_at = ${tx.now} where id = ${id} and org_id = ${org} and status = 'running'
    returning stop_requested_at is not null as "isStopRequested"`
  return row?.isStopRequested === true
}

export type StoppableRun = { userId: UserId; status: AgentRunStatus; isStopRequested: boolean }

export function findStoppableRun(tx: Tx, org: OrgId, id: string): Promise<StoppableRun | undefined> {
  return tx.content.maybe<StoppableRun>`
    select user_id as "userId", status, stop_requested_at is not null as "isStopRequested"
    from agent_runs where id = ${id} and org_id = ${org}`
}

/** Returns false if the run is already over. */
export async function requestStop(tx: Tx, org: OrgId, id: string): Promise<boolean> {
  const rows = await tx.content.rows`
    update agent_runs set stop_requested_at = coalesce(stop_requested_at, ${tx.now})
    where id = ${id} and org_id = ${org} and status = 'running'
    returning id`
  return rows.length === 1
}

export type CompletedRun = {
  readonly status: 'completed' | 'cancelled'
  readonly costMinor: bigint
  readonly plan: string
  readonly summary: string
  readonly edits: readonly FileEdit[]
  readonly review: object | null
  readonly details: object
}

/** Undefined if another attempt took over the key. A slow run that was already marked as interrupted still counts. */
export async function completeRun(
  tx: Tx,
  org: OrgId,
  { id, intentId }: Pick<NewAgentRun, 'id' | 'intentId'>,
  outcome: CompletedRun,
): Promise<FinishedRun | undefined> {
  const stopReason = outcome.status === 'cancelled' ? 'cancelled' : null
  return tx.content.maybe<FinishedRun>`
    update agent_runs
    set status = ${outcome.status}, stop_reason = ${stopReason}, error_code = null, iterations = 1, cost_minor = ${outcome.costMinor},
        plan = ${outcome.plan}, summary = ${outcome.summary}, edits = ${toJson(outcome.edits)}::text::json,
        files = ${toJson(toEditedFiles(outcome.edits))}::text::json,
        review = ${outcome.review && toJson(outcome.review)}::text::json, details = ${toJson(outcome.details)}::text::json,
        finished_at = ${tx.now}
    where id = ${id} and org_id = ${org} and intent_id = ${intentId}
    returning id, org_id as "orgId", kind, status, stop_reason as "stopReason", iterations, verified,
              cost_minor as "costMinor", lane`
}

export type EditedFile = Pick<FileEdit, 'path' | 'action'>

/** The summary of edits that lists show. */
export const toEditedFiles = (edits: readonly FileEdit[]): EditedFile[] =>
  edits.map(({ path, action }) => ({ path, action }))

export function failRun(tx: Tx, org: OrgId, id: AgentRunId, errorCode: ErrorCode): Promise<FinishedRun[]> {
  return tx.content.rows<FinishedRun>`
    update agent_runs set status = 'failed', stop_reason = 'error', error_code = ${errorCode}, finished_at = ${tx.now}
    where id = ${id} and org_id = ${org} and status = 'running'
    returning id, org_id as "orgId", kind, status, stop_reason as "stopReason", iterations, verified,
              cost_minor as "costMinor", lane`
}

/** Ends runs without a heartbeat since `silentSince`, and returns them. */
export function endSilentRuns(tx: Tx, silentSince: Date, most: number): Promise<FinishedRun[]> {
  return tx.content.rows<FinishedRun>`
    update agent_runs set status = 'failed', stop_reason = 'interrupted', finished_at = ${tx.now}
    where id in (
      select id from agent_runs where status = 'running' and beat_at < ${silentSince}
      order by beat_at limit ${most} for update skip locked)
    returning id, org_id as "orgId", kind, status, stop_reason as "stopReason", iterations, verified,
              cost_minor as "costMinor", lane`
}

export async function deleteRuns(tx: Tx, finishedBefore: Date, most: number): Promise<number> {
  const rows = await tx.content.rows`
    delete from agent_runs
    where id in (select id from agent_runs where finished_at < ${finishedBefore} order by finished_at limit ${most})
    returning id`
  return rows.length
}
