// The runs of one organisation as they are handed over: whole, with the files that came of them.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export type ExportedRun = { id: string; createdAt: Date }

/** At most so many, and no more once the texts of those before have these bytes. */
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
