// Webhook endpoints in the data export of an organisation, without their secrets, and their deletion.

import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { byTime } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'
import { deleteOrgEndpoints } from './endpoints/endpoints-sql.ts'

type ExportRow = { id: string; createdAt: Date }

export const hooksTenantData: TenantData<App> = {
  exports: { webhookEndpoints: byTime(endpointsAfter, ({ createdAt, id }: ExportRow) => [createdAt, id]) },
  tables: ['hook_endpoints'],
  withheld: {
    hook_events: 'events of the last thirty days; every fact is in another list',
    hook_deliveries: 'delivery results of the last thirty days',
  },
  close: async (_app, tx, { orgId }) => {
    await deleteOrgEndpoints(tx, orgId)
  },
  // Deletes events of transactions that were still running when the organisation was closed.
  erase: (app, orgId) => app.db.tx(orgId, (tx) => deleteOrgEndpoints(tx, orgId)),
}

function endpointsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportRow>`
    select id, url, events, description, enabled, disabled_reason as "disabledReason", failing_since as "failingSince",
           created_at as "createdAt", updated_at as "updatedAt"
    from hook_endpoints where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}
