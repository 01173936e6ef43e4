// SQL for the data export of usage.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'

export type ExportedUsage = { id: string; at: Date }

export function usageAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportedUsage>`
    select id, user_id as "userId", at, lane, model, source, tokens, cost_minor as "costMinor",
           exact_cost::text as "exactCost"
    from usage_points where org_id = ${org} and (at, id) > (${after.at}, ${after.id})
    order by at, id limit ${limit}`
}
