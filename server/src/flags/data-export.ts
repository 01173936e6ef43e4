import { assert } from '../kernel/assert.ts'
import type { OrgId } from '../kernel/ids.ts'
import { findOrg } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import type { Tx } from '../platform/db/tx.ts'
import { evaluateFlags } from './flags.ts'

export const flagsData: TenantData<App> = {
  facts: { flags: exportFlags },
  tables: ['flag_overrides'],
}

/** Exports the flags as the organisation's members see them, overrides included. */
async function exportFlags(app: App, tx: Tx, orgId: OrgId): Promise<object> {
  const org = await findOrg(tx, orgId)
  assert(org && !org.closed, 'an exported organisation is open')
  return evaluateFlags(app, { orgId, tier: org.tier })
}
