import type { TenantData } from '../platform/data-export.ts'
import { byTime } from '../platform/data-export-readers.ts'
import { endpointsAfter, type Listed } from './data-export-sql.ts'
import { deleteOrgEndpoints } from './endpoints/endpoints-sql.ts'

export const hooksTenantData: TenantData = {
  exports: { webhookEndpoints: byTime(endpointsAfter, ({ createdAt, id }: Listed) => [createdAt, id]) },
  tables: ['hook_endpoints'],
  withheld: {
    hook_events: 'what was told for thirty days; each of the facts is in its own list',
    hook_deliveries: 'how the telling went, for thirty days',
  },
  close: async (_app, tx, { orgId }) => {
    await deleteOrgEndpoints(tx, orgId)
  },
  // What was told by a transaction that was under way when the organisation was closed.
  erase: (app, orgId) => app.db.tx(orgId, (tx) => deleteOrgEndpoints(tx, orgId)),
}
