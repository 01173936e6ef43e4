// Our own people do not decide about an organisation of theirs.
import { ApiError } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import { findMembership } from '../orgs/orgs.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'

/**
 * Refuses a member of the organisation. A super admin may: who can make anybody staff is not held up by this, and where there
 * is only one of us nobody else could. The organisation's own audit log shows it.
 */
export async function requireOutsider(tx: Tx, actor: Actor, org: OrgId): Promise<void> {
  if (actor.staffRole === 'super_admin') return
  if (await findMembership(tx, org, actor.userId))
    throw new ApiError('forbidden', {
      error: 'You are a member of this organisation; somebody who is not must decide.',
    })
}
