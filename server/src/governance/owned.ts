import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Closing, Owned } from '../platform/owned.ts'
import { orgOf } from './owned-sql.ts'

export const governanceOwned: Owned = {
  facts: {
    org: async (app, tx, org) => ({
      ...(await orgOf(tx, org)),
      dataIsolation: (await app.content.homeOf(tx, org)).isolation,
    }),
  },
  withheld: { content_places: 'where it is kept is said by `org.dataIsolation`' },
  mayClose: problemWith,
}

/** A suspension is not shaken off by closing one organisation and going on in the next. */
async function problemWith(_app: App, tx: Tx, { orgId }: Closing): Promise<string | null> {
  const { suspendedAt } = await orgOf(tx, orgId)
  return suspendedAt === null ? null : 'The organisation is suspended; ask support to decide about it first.'
}
