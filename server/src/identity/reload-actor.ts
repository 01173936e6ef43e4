// Checks the access of a caller again while a long reply is being sent.
import { findMembership } from '../orgs/orgs.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import { isInAllowList } from './allowed-addresses.ts'
import { isLiveKey } from './keys/keys-sql.ts'
import { findOpenSession } from './sessions/sessions-sql.ts'

/**
 * The caller with the role of this moment. Null after a sign-out, for a revoked key, and for a user who is no longer a member
 * or must now use the single sign-on of the organisation or another address.
 */
export async function reloadActor(tx: Tx, actor: Actor): Promise<Actor | null> {
  const { orgId, userId, keyId, sessionId, ssoOrgId } = actor
  const membership = await findMembership(tx, orgId, userId)
  if (!membership) return null
  if (keyId !== null && !(await isLiveKey(tx, orgId, keyId))) return null
  if (sessionId !== null && !(await findOpenSession(tx, sessionId))) return null
  if (sessionId !== null && membership.ssoRequired && ssoOrgId !== orgId) return null
  if (!isInAllowList(actor.address, membership.ipAllowList)) return null
  return { ...actor, role: membership.role }
}
