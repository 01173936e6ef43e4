// SQL of research runs and their steps.

import type { Id, OrgId, UserId } from '../kernel/ids.ts'
import { toJson } from '../kernel/json.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'
import type { HoldId } from '../wallet/wallet.ts'
import type { RunLimits } from './pricing/run-limits.ts'
import type {
  Clarification,
  Depth,
  ResearchLaneMode,
  ResearchPlan,
  ResearchRunId,
  ResearchStopReason,
  RunNeeds,
  RunOptions,
} from './types.ts'

export type ResearchStatus = 'running' | 'completed' | 'cancelled' | 'failed'
export type ResearchPhase = 'queued' | 'plan' | 'search' | 'read' | 'extract' | 'gap' | 'report' | 'done'

export type ReportFile = { id: string; name: string; contentType: string; bytes: number }
export type StoredReport = { files: ReportFile[] }

export type RunRecord = {
  id: ResearchRunId
  orgId: OrgId
  userId: UserId
  question: string
  depth: Depth
  projectId: string | null
  conversationId: Id<'thr'> | null
  followUpOf: ResearchRunId | null
  options: RunOptions
  needs: RunNeeds | null
  clarification: Clarification | null
  status: ResearchStatus
  stopReason: ResearchStopReason | null
  phase: ResearchPhase
  laneMode: ResearchLaneMode
  limits: RunLimits
  nonce: string
  budgetMinor: bigint
  asideMinor: bigint
  asideHoldId: HoldId
  spentMinor: bigint
  refundedMinor: bigint
  turns: number
  usedMicroKobo: bigint
  plan: ResearchPlan | null
  failures: number
  errorCode: string | null
  report: StoredReport | null
  createdAt: Date
  startedAt: Date | null
  deadlineAt: Date | null
  finishedAt: Date | null
}

/** Identifies a run within its organisation. */
export type RunKey = Pick<RunRecord, 'id' | 'orgId'>

export type NewResearchRun = Pick<
  RunRecord,
  | 'id'
  | 'orgId'
  | 'userId'
  | 'question'
  | 'depth'
  | 'projectId'
  | 'conversationId'
  | 'followUpOf'
  | 'options'
  | 'laneMode'
  | 'limits'
  | 'nonce'
  | 'budgetMinor'
  | 'asideMinor'
  | 'asideHoldId'
>

export async function insertRun(tx: Tx, run: NewResearchRun): Promise<void> {
  await tx.content.rows`
    insert into research_runs (id, org_id, user_id, question, depth, project_id, conversation_id, follow_up_of, options,
                               status, phase, lane_mode, limits, nonce, budget_minor, aside_minor, aside_hold_id, created_at)
    values (${run.id}, ${run.orgId}, ${run.userId}, ${run.question}, ${run.depth}, ${run.projectId}, ${run.conversationId},
            ${run.followUpOf}, ${toJson(run.options)}::text::json, 'running', 'queued', ${run.laneMode}, ${toJson(run.limits)}::text::json, ${run.nonce}, ${run.budgetMinor},
            ${run.asideMinor}, ${run.asideHoldId}, ${tx.now})`
}

/** Runs that wait for their user do not count. */
export async function countUnfinished(tx: Tx, org: OrgId): Promise<number> {
  const { open } = await tx.content.one<{ open: number }>`
    select count(*)::int as open from research_runs where org_id = ${org} and finished_at is null and needs is null`
  return open
}

export function findRun(tx: Tx, org: OrgId, id: string) {
  return tx.content.maybe<RunRecord>`
    select id, org_id as "orgId", user_id as "userId", question, depth, project_id as "projectId",
           conversation_id as "conversationId", follow_up_of as "followUpOf", options, needs, clarification, status,
           stop_reason as "stopReason", phase, lane_mode as "laneMode", limits, nonce, budget_minor as "budgetMinor", aside_minor as "asideMinor", aside_hold_id as "asideHoldId",
           spent_minor as "spentMinor", refunded_minor as "refundedMinor", turns,
           used_micro_kobo as "usedMicroKobo", plan, failures, error_code as "errorCode", report, created_at as "createdAt",
           started_at as "startedAt", deadline_at as "deadlineAt", finished_at as "finishedAt"
    from research_runs where id = ${id} and org_id = ${org}`
}

/** Locks the run until the transaction ends, so that only one caller finishes it. */
export function lockRun(tx: Tx, org: OrgId, id: string) {
  return tx.content.maybe<Pick<RunRecord, 'status' | 'finishedAt' | 'spentMinor' | 'needs'>>`
    select status, needs, finished_at as "finishedAt", spent_minor as "spentMinor"
    from research_runs where id = ${id} and org_id = ${org} for update`
}

/** Sets the start time and the deadline, once. */
export async function markStarted(tx: Tx, run: RunKey, deadlineAt: Date): Promise<void> {
  await tx.content.rows`
    update research_runs set started_at = ${tx.now}, deadline_at = ${deadlineAt}
    where id = ${run.id} and org_id = ${run.orgId} and started_at is null and needs is null`
}

export async function setPhase(tx: Tx, run: RunKey, phase: ResearchPhase): Promise<void> {
  await tx.content.rows`
    update research_runs set phase = ${phase} where id = ${run.id} and org_id = ${run.orgId}`
}

export async function savePlan(tx: Tx, run: RunKey, plan: ResearchPlan): Promise<void> {
  await tx.content.rows`
    update research_runs set plan = ${toJson(plan)}::text::json where id = ${run.id} and org_id = ${run.orgId}`
}

/** The clock of the run stops until it is resumed. */
export async function saveWait(
  tx: Tx,
  run: RunKey,
  needs: RunNeeds,
  clarification: Clarification | null,
): Promise<void> {
  await tx.content.rows`
    update research_runs
    set needs = ${needs}, asked_at = ${tx.now}, started_at = null, deadline_at = null,
        clarification = coalesce(${clarification && toJson(clarification)}::text::json, clarification)
    where id = ${run.id} and org_id = ${run.orgId}`
}

/** `deadlineAt` holds until a worker starts the clock again. */
export async function saveResumed(
  tx: Tx,
  run: RunKey,
  clarification: Clarification | null,
  deadlineAt: Date,
): Promise<void> {
  await tx.content.rows`
    update research_runs
    set needs = null, asked_at = null, deadline_at = ${deadlineAt},
        clarification = coalesce(${clarification && toJson(clarification)}::text::json, clarification)
    where id = ${run.id} and org_id = ${run.orgId}`
}

/** Runs whose user has not answered since an instant. */
export function listWaitingBefore(tx: Tx, before: Date, most: number) {
  return tx.content.rows<{ id: ResearchRunId; orgId: OrgId }>`
    select id, org_id as "orgId" from research_runs
    where needs is not null and asked_at < ${before} order by asked_at limit ${most}`
}

/** The first reason wins. */
export async function saveStopReason(tx: Tx, run: RunKey, reason: ResearchStopReason): Promise<void> {
  await tx.content.rows`
    update research_runs set stop_reason = coalesce(stop_reason, ${reason}) where id = ${run.id} and org_id = ${run.orgId}`
}

export type RunSpending = Pick<RunRecord, 'spentMinor' | 'turns' | 'usedMicroKobo'>

export async function saveSpending(tx: Tx, run: RunKey, spent: RunSpending): Promise<void> {
  await tx.content.rows`
    update research_runs
    set spent_minor = ${spent.spentMinor}, turns = ${spent.turns},
        used_micro_kobo = ${spent.usedMicroKobo}
    where id = ${run.id} and org_id = ${run.orgId}`
}

export async function saveReserveHold(tx: Tx, run: RunKey, hold: HoldId): Promise<void> {
  await tx.content.rows`
    update research_runs set aside_hold_id = ${hold} where id = ${run.id} and org_id = ${run.orgId}`
}

/** Returns the number of failures so far. */
export async function countFailure(tx: Tx, run: RunKey): Promise<number> {
  const row = await tx.content.maybe<{ failures: number }>`
    update research_runs set failures = failures + 1 where id = ${run.id} and org_id = ${run.orgId} returning failures`
  return row?.failures ?? 0
}

export async function resetFailures(tx: Tx, run: RunKey): Promise<void> {
  await tx.content.rows`
    update research_runs set failures = 0 where id = ${run.id} and org_id = ${run.orgId} and failures > 0`
}

/** False if it was already cancelled or finished. */
export async function markCancelled(tx: Tx, org: OrgId, id: string): Promise<boolean> {
  const row = await tx.content.maybe<{ id: string }>`
    update research_runs set status = 'cancelled', stop_reason = 'cancelled'
    where id = ${id} and org_id = ${org} and status = 'running' and finished_at is null returning id`
  return row !== undefined
}

export type RunEnding = {
  status: Exclude<ResearchStatus, 'running'>
  stopReason: ResearchStopReason
  errorCode: string | null
  report: StoredReport | null
  refundedMinor: bigint
}

/** False if it was already finished. */
export async function markFinished(tx: Tx, run: RunKey, ending: RunEnding): Promise<boolean> {
  const row = await tx.content.maybe<{ id: string }>`
    update research_runs
    set status = ${ending.status}, stop_reason = ${ending.stopReason}, error_code = ${ending.errorCode}, phase = 'done',
        report = ${ending.report && toJson(ending.report)}::text::json, refunded_minor = ${ending.refundedMinor},
        needs = null, asked_at = null, finished_at = ${tx.now}
    where id = ${run.id} and org_id = ${run.orgId} and finished_at is null returning id`
  return row !== undefined
}

/** Runs that are still unfinished long after their deadline, because their job died. */
export function listUnfinishedBefore(tx: Tx, before: Date, most: number) {
  return tx.content.rows<{ id: ResearchRunId; orgId: OrgId }>`
    select id, org_id as "orgId" from research_runs
    where finished_at is null and needs is null and coalesce(deadline_at, created_at) < ${before} order by created_at limit ${most}`
}

/** Deletes finished runs that were created before an instant, with all their rows. */
export function deleteFinishedBefore(tx: Tx, createdBefore: Date, most: number) {
  return tx.content.rows<{ id: ResearchRunId; orgId: OrgId }>`
    delete from research_runs
    where id in (select id from research_runs where finished_at is not null and created_at < ${createdBefore}
                 order by created_at limit ${most})
    returning id, org_id as "orgId"`
}

export async function deleteRun(tx: Tx, org: OrgId, id: string): Promise<void> {
  await tx.content.rows`delete from research_runs where id = ${id} and org_id = ${org}`
}

export type StepRecord = { step: string; outcome: unknown }

export function listFinishedSteps(tx: Tx, { id, orgId }: RunKey) {
  return tx.content.rows<StepRecord>`
    select step, outcome from research_steps
    where run_id = ${id} and org_id = ${orgId} and done_at is not null order by done_at, step`
}

/** Counts a dispatch of the step, and returns its number. */
export async function dispatchStep(tx: Tx, { id, orgId }: RunKey, step: string): Promise<number> {
  const { dispatches } = await tx.content.one<{ dispatches: number }>`
    insert into research_steps (run_id, step, org_id, dispatches, began_at) values (${id}, ${step}, ${orgId}, 1, ${tx.now})
    on conflict (run_id, step) do update set dispatches = research_steps.dispatches + 1
    returning dispatches`
  return dispatches
}

/** False if the step was already finished. Its results must not be saved again. */
export async function finishStep(
  tx: Tx,
  { id, orgId }: RunKey,
  step: string,
  outcome: unknown,
): Promise<boolean> {
  const row = await tx.content.maybe<{ step: string }>`
    insert into research_steps (run_id, step, org_id, began_at, done_at, outcome)
    values (${id}, ${step}, ${orgId}, ${tx.now}, ${tx.now}, ${toJson(outcome)}::text::json)
    on conflict (run_id, step) do update set done_at = excluded.done_at, outcome = excluded.outcome
      where research_steps.done_at is null
    returning step`
  return row !== undefined
}

export type ResearchRunSummary = Pick<
  RunRecord,
  | 'id'
  | 'userId'
  | 'question'
  | 'depth'
  | 'projectId'
  | 'conversationId'
  | 'followUpOf'
  | 'needs'
  | 'status'
  | 'stopReason'
  | 'phase'
  | 'laneMode'
  | 'budgetMinor'
  | 'spentMinor'
  | 'refundedMinor'
  | 'errorCode'
  | 'createdAt'
  | 'finishedAt'
>

const FOLLOW_UPS_MAX = 100

export function listFollowUps(tx: Tx, { id, orgId }: RunKey) {
  return tx.content.rows<Pick<RunRecord, 'id' | 'question' | 'status' | 'createdAt'>>`
    select id, question, status, created_at as "createdAt" from research_runs
    where follow_up_of = ${id} and org_id = ${orgId} order by created_at, id limit ${FOLLOW_UPS_MAX}`
}

/** `projects` limits runs in projects, `only` selects one project, `before` is the cursor. */
export type ResearchRunFilter = {
  readonly projects: 'all' | readonly string[]
  readonly only: string | null
  readonly before: TimeCursor
  readonly limit: number
}

/** Newest first. */
export function listRuns(tx: Tx, org: OrgId, { projects, only, before, limit }: ResearchRunFilter) {
  const [inAll, ids] = projects === 'all' ? [true, []] : [false, projects]
  return tx.content.rows<ResearchRunSummary>`
    select id, user_id as "userId", question, depth, project_id as "projectId", conversation_id as "conversationId",
           follow_up_of as "followUpOf", needs, status, stop_reason as "stopReason", phase, lane_mode as "laneMode", budget_minor as "budgetMinor",
           spent_minor as "spentMinor", refunded_minor as "refundedMinor", error_code as "errorCode",
           created_at as "createdAt", finished_at as "finishedAt"
    from research_runs
    where org_id = ${org} and (created_at, id) < (${before.at}, ${before.id})
      and (project_id is null or ${inAll}::boolean or project_id = any(${ids}::text[]))
      and (${only}::text is null or project_id = ${only})
    order by created_at desc, id desc limit ${limit}`
}
