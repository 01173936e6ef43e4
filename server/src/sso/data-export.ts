import { endSsoSessions } from '../identity/identity.ts'
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { deleteSso, exportConnection, exportDomains } from './sql.ts'

export const ssoData: TenantData<App> = {
  facts: {
    sso: async (_app, tx, org) => ({
      connection: (await exportConnection(tx, org)) ?? null,
      domains: await exportDomains(tx, org),
    }),
  },
  tables: ['sso_connections', 'sso_domains'],
  async close(_app, tx, { orgId }) {
    await deleteSso(tx, orgId)
    // Also ends sessions that have switched to another organisation.
    await endSsoSessions(tx, orgId)
  },
}
