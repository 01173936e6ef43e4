// Reads finished and running runs, for the history and the data export.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Lane } from '../metering/metering.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'
import type { FileEdit } from './edits/apply/apply.ts'
import type { Omission } from './prompt/context.ts'
import type { AgentRunId, AgentRunKind, AgentRunStatus, EditedFile } from './sql.ts'

/** Facts of a result that have no column. Loops store more than these. */
export type RunDetails = {
  status?: 'complete' | 'partial'
  warnings?: string[]
  context?: { included: string[]; omitted: Omission[] }
}

export type AgentRunRow<Edit extends EditedFile = FileEdit> = {
  id: AgentRunId
  userId: UserId
  kind: AgentRunKind
  status: AgentRunStatus
  stopReason: string | null
  errorCode: string | null
  prompt: string
  lane: Lane
  model: string
  sandbox: 'none' | 'local' | 'docker'
  testCmd: string | null
  maxIters: number
  iterations: number
  verified: boolean
  costMinor: bigint
  plan: string
  summary: string
  edits: Edit[]
  review: Record<string, unknown> | null
  details: RunDetails
  createdAt: Date
  finishedAt: Date | null
}

export type RunFilter = { kind: AgentRunKind | null; status: AgentRunStatus | null }

/** Newest first, with truncated texts and without file contents. */
export function listRuns(
  tx: Tx,
  org: OrgId,
  { kind, status }: RunFilter,
  before: TimeCursor | null,
  textMax: number,
  limit: number,
): Promise<AgentRunRow<EditedFile>[]> {
  return tx.content.rows<AgentRunRow<EditedFile>>`
    select id, user_id as "userId", kind, status, stop_reason as "stopReason", error_code as "errorCode",
           left(prompt, ${textMax}) as prompt, lane, model, sandbox, left(test_command, ${textMax}) as "testCmd",
           max_iterations as "maxIters", iterations, verified, cost_minor as "costMinor", left(plan, ${textMax}) as plan,
           left(summary, ${textMax}) as summary, files as edits, null::json as review, '{}'::json as details,
           created_at as "createdAt", finished_at as "finishedAt"
    from agent_runs
    where org_id = ${org}
      and (${kind}::text is null or kind = ${kind})
      and (${status}::text is null or status = ${status})
      and (${before?.at ?? null}::timestamptz is null
           or (created_at, id) < (${before?.at ?? null}::timestamptz, ${before?.id ?? ''}))
    order by created_at desc, id desc limit ${limit}`
}

export function findRun(tx: Tx, org: OrgId, id: string): Promise<AgentRunRow | undefined> {
  return tx.content.maybe<AgentRunRow>`
    select id, user_id as "userId", kind, status, stop_reason as "stopReason", error_code as "errorCode", prompt, lane, model,
           sandbox, test_command as "testCmd", max_iterations as "maxIters", iterations, verified,
           cost_minor as "costMinor", plan, summary, edits, review, details, created_at as "createdAt",
           finished_at as "finishedAt"
    from agent_runs where org_id = ${org} and id = ${id}`
}

export type ExportedRun = { id: string; createdAt: Date }

/** At most `limit` runs, and no further ones once the texts reach `bytes`. */
export function listRunsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number, bytes: number) {
  return tx.content.rows<ExportedRun>`
    with following as (
      select id, created_at, octet_length(prompt) + octet_length(plan) + octet_length(summary) + octet_length(edits::text)
             + octet_length(details::text) as bytes
      from agent_runs where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
      order by created_at, id limit ${limit}),
    sized as (select id, sum(bytes) over (order by created_at, id) - bytes as earlier_bytes from following)
    select id, user_id as "userId", kind, status, stop_reason as "stopReason", error_code as "errorCode", prompt, lane, model,
           sandbox, test_command as "testCmd", max_iterations as "maxIters", iterations, verified,
           cost_minor as "costMinor", plan, summary, edits, review, details, created_at as "createdAt",
           finished_at as "finishedAt"
    from agent_runs where id in (select id from sized where earlier_bytes < ${bytes}) order by created_at, id`
}
