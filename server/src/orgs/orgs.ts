// Organisations and their members: what the rest of the server may read and change of them.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type OrgPlan, type OrgPolicy, writePlan, writePolicy, writeTier } from './sql.ts'

export { type ChargeRefusal, chargeability, chargeabilityNow } from './chargeability.ts'
export {
  acceptInvitation,
  belongsElsewhere,
  belongsSomewhere,
  countMembers,
  countOwners,
  deleteInvited,
  deleteMembership,
  findMembership,
  hasJoinedElsewhere,
  holdMembership,
  homeOrg,
  insertInvited,
  insertMembership,
  type MemberTerms,
  orgsOfUser,
  personalOrg,
  setMemberRole,
  setSeatCap,
  shareMembership,
} from './members-sql.ts'
export {
  countOrgs,
  countTeamsCreatedBy,
  findIpAllowList,
  findOrg,
  type IpEntry,
  insertOrg,
  isOpenOrg,
  type KycStatus,
  lockOrg,
  markAddressRefused,
  markClosed,
  type Org,
  type OrgType,
  orgExists,
  renameOrg,
  setCurrency,
  setGithubSignIn,
  setIpAllowList,
  setKycStatus,
  setSuspension,
  shareOrg,
  type Tier,
} from './sql.ts'

/** Called under the lock of the organisation. */
export async function setPlan(tx: Tx, id: OrgId, plan: OrgPlan): Promise<void> {
  await writePlan(tx, id, plan)
  await writeTier(tx, id)
}

/** Called under the lock of the organisation. */
export async function setPolicy(tx: Tx, id: OrgId, policy: OrgPolicy): Promise<void> {
  await writePolicy(tx, id, policy)
  await writeTier(tx, id)
}
