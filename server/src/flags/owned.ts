import { assert } from '../kernel/assert.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Owned } from '../platform/owned.ts'
import { flagsSeenBy } from './flags.ts'
import { findOrg } from './sql.ts'

export const flagsOwned: Owned = {
  facts: { flags: seen },
  tables: ['flag_overrides'],
}

/** As its members see them: what was decided for it is part of that. */
async function seen(app: App, tx: Tx, orgId: OrgId): Promise<object> {
  const org = await findOrg(tx, orgId)
  assert(org, 'what is exported exists')
  return flagsSeenBy(app, { orgId, tier: org.tier })
}
