// Whether whoever asked for an export may still have it.
import type { OrgId, UserId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'

export async function isOwner(tx: Tx, org: OrgId, user: UserId): Promise<boolean> {
  const found = await tx.maybe`
    select 1 as found from memberships where org_id = ${org} and user_id = ${user} and role = 'owner'`
  return found !== undefined
}
