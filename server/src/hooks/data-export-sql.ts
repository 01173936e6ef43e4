// Where one organisation wants to be told, as it is handed over: without the secrets that sign.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export type Listed = { id: string; createdAt: Date }

export function endpointsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<Listed>`
    select id, url, events, description, enabled, disabled_reason as "disabledReason", failing_since as "failingSince",
           created_at as "createdAt", updated_at as "updatedAt"
    from hook_endpoints where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}
