import { endSsoSessions } from '../identity/identity.ts'
import type { Owned } from '../platform/owned.ts'
import { forgetSso, publicConnection, publicDomains } from './owned-sql.ts'

export const ssoOwned: Owned = {
  facts: {
    sso: async (_app, tx, org) => ({
      connection: (await publicConnection(tx, org)) ?? null,
      domains: await publicDomains(tx, org),
    }),
  },
  tables: ['sso_connections', 'sso_domains'],
  async close(_app, tx, { orgId }) {
    await forgetSso(tx, orgId)
    // In whichever organisation those are by now: who vouched for them is no more.
    await endSsoSessions(tx, orgId)
  },
}
