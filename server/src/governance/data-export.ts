import { present } from '../kernel/assert.ts'
import type { OrgId } from '../kernel/ids.ts'
import { findIpAllowList, findOrg } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { OrgClosure, TenantData } from '../platform/data-export.ts'
import type { Tx } from '../platform/db/tx.ts'

export const governanceTenantData: TenantData<App> = {
  facts: { org: exportedOrg },
  withheld: { content_places: '`org.dataIsolation` tells where the content is stored' },
  mayClose: closureObstacle,
}

async function exportedOrg(app: App, tx: Tx, orgId: OrgId): Promise<object> {
  const org = await orgOf(tx, orgId)
  const { id, name, type, tier, currency, plan, subscriptionStatus, seatAllotment, kycStatus } = org
  const { allowedLanes, allowedModels, residencyRegion, ssoRequired, groupRoleMap } = org
  const { suspendedAt, suspendedReason, createdBy, createdAt } = org
  return {
    ...{ id, name, type, tier, currency, planCode: plan, subscriptionStatus, seatAllotment, kycStatus },
    ...{ allowedLanes, allowedModels, residencyRegion, ssoRequired, groupRoleMap },
    ...{ suspendedAt, suspendedReason, createdBy, createdAt },
    ipAllowList: await findIpAllowList(tx, orgId),
    dataIsolation: (await app.content.placementOf(tx, orgId)).isolation,
  }
}

/** An owner must not escape a suspension by closing the organisation and opening another. */
async function closureObstacle(_app: App, tx: Tx, { orgId }: OrgClosure): Promise<string | null> {
  const { suspended } = await orgOf(tx, orgId)
  return suspended ? 'The organisation is suspended. Ask support to resolve the suspension first.' : null
}

const orgOf = async (tx: Tx, orgId: OrgId) => present(await findOrg(tx, orgId), 'the organisation exists')
