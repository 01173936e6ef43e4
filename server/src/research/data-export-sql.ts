// Exports the research of one organisation. Sources, findings and pages are ordered by run, then by number.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export type ExportedResearchRun = { id: string; createdAt: Date }
export type ExportedPart = { runId: string; runCreatedAt: Date; n: number }

export function runsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.content.rows<ExportedResearchRun>`
    select id, user_id as "userId", question, depth, project_id as "projectId", conversation_id as "conversationId",
           follow_up_of as "followUpOf", options, needs, clarification, status,
           stop_reason as "stopReason", phase, lane_mode as "laneMode", limits, budget_minor as "budgetMinor",
           aside_minor as "asideMinor", spent_minor as "spentMinor", refunded_minor as "refundedMinor", turns, plan,
           error_code as "errorCode", report, created_at as "createdAt", started_at as "startedAt",
           deadline_at as "deadlineAt", finished_at as "finishedAt"
    from research_runs where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

export function sourcesAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  const { run, n } = parsePartId(after)
  return tx.content.rows<ExportedPart>`
    select s.run_id as "runId", r.created_at as "runCreatedAt", s.n, s.pass, s.url, s.title, s.snippet, s.status, s.reason,
           s.final_url as "finalUrl", s.content_type as "contentType", s.language, s.published_on as "publishedOn", s.sha256,
           s.characters, s.is_cut as "isCut", s.fetched_at as "fetchedAt"
    from research_runs r join research_sources s on s.run_id = r.id
    where r.org_id = ${org} and r.created_at >= ${after.at} and (r.created_at, s.run_id, s.n) > (${after.at}, ${run}, ${n})
    order by r.created_at, s.run_id, s.n limit ${limit}`
}

export function findingsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  const { run, n } = parsePartId(after)
  return tx.content.rows<ExportedPart>`
    select f.run_id as "runId", r.created_at as "runCreatedAt", f.ordinal as n, f.sub as subquestion, f.claim, f.quote, f.kind,
           f.sources
    from research_runs r join research_findings f on f.run_id = r.id
    where r.org_id = ${org} and r.created_at >= ${after.at}
      and (r.created_at, f.run_id, f.ordinal) > (${after.at}, ${run}, ${n})
    order by r.created_at, f.run_id, f.ordinal limit ${limit}`
}

/** At most `limit` pages, and none after their texts exceed `bytes`. */
export function pagesAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number, bytes: number) {
  const { run, n } = parsePartId(after)
  return tx.content.rows<ExportedPart>`
    with following as (
      select p.run_id, r.created_at, p.n, octet_length(p.text) as bytes
      from research_runs r join research_pages p on p.run_id = r.id
      where r.org_id = ${org} and r.created_at >= ${after.at} and (r.created_at, p.run_id, p.n) > (${after.at}, ${run}, ${n})
      order by r.created_at, p.run_id, p.n limit ${limit}),
    sized as (select run_id, created_at, n, sum(bytes) over (order by created_at, run_id, n) - bytes as earlier_bytes
              from following)
    select p.run_id as "runId", s.created_at as "runCreatedAt", p.n, p.text
    from sized s join research_pages p on p.run_id = s.run_id and p.n = s.n
    where s.earlier_bytes < ${bytes} order by s.created_at, p.run_id, p.n`
}

/** The id of a part in the export cursor. */
export const toPartId = ({ runId, n }: Pick<ExportedPart, 'runId' | 'n'>): string => `${runId} ${n}`

function parsePartId({ id }: TimeCursor): { run: string; n: number } {
  const [run = '', n = '0'] = id.split(' ')
  return { run, n: Number(n) }
}
