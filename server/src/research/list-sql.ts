// Runs as their organisation looks back on them.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'
import type { RunRecord } from './runs-sql.ts'

export type ResearchRunSummary = Pick<
  RunRecord,
  | 'id'
  | 'userId'
  | 'question'
  | 'depth'
  | 'projectId'
  | 'conversationId'
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

/** Which runs: those in these projects, or in all, and those in none, or only those in one; from a place in the list on. */
export type ResearchRunFilter = {
  readonly projects: 'all' | readonly string[]
  readonly only: string | null
  readonly before: TimeCursor
  readonly limit: number
}

/** The newest first. */
export function listRuns(tx: Tx, org: OrgId, { projects, only, before, limit }: ResearchRunFilter) {
  const [inAll, ids] = projects === 'all' ? [true, []] : [false, projects]
  return tx.content.rows<ResearchRunSummary>`
    select id, user_id as "userId", question, depth, project_id as "projectId", conversation_id as "conversationId", status,
           stop_reason as "stopReason", phase, lane_mode as "laneMode", budget_minor as "budgetMinor",
           spent_minor as "spentMinor", refunded_minor as "refundedMinor", error_code as "errorCode",
           created_at as "createdAt", finished_at as "finishedAt"
    from research_runs
    where org_id = ${org} and (created_at, id) < (${before.at}, ${before.id})
      and (project_id is null or ${inAll}::boolean or project_id = any(${ids}::text[]))
      and (${only}::text is null or project_id = ${only})
    order by created_at desc, id desc limit ${limit}`
}
