// Starts, changes and ends memberships under the lock of the organisation. Members, owners and directory services use it.
import { type AuditActor, record } from '../audit/audit.ts'
import { endSessionsIn, lockUser, openPersonalOrg, revokeKeys } from '../identity/identity.ts'
import { assert } from '../kernel/assert.ts'
import { ApiError } from '../kernel/errors.ts'
import type { OrgId, UserId } from '../kernel/ids.ts'
import {
  belongsSomewhere,
  countMembers,
  countOwners,
  deleteMembership,
  insertInvited,
  type MemberTerms,
  type Org,
  setMemberRole,
  setSeatCap,
} from '../orgs/orgs.ts'
import type { Tx } from '../platform/db/tx.ts'
import * as sql from './members-sql.ts'

/** The audit entry of a change. The caller of `startMembership` writes its own, because it also sends the mail. */
export type AuditTrace = { actor: AuditActor; action: string; ip: string; metadata?: object }

/** The member is pending until they open the organisation. */
export async function startMembership(tx: Tx, org: Org, terms: MemberTerms): Promise<sql.Member> {
  // Lock order: the account before its memberships, sessions and keys.
  await lockUser(tx, terms.userId)
  if (await sql.memberById(tx, org.id, terms.userId)) throw new ApiError('already_member')
  const occupied = await countMembers(tx, org.id)
  if (occupied >= org.seatAllotment)
    throw new ApiError('seats_exceeded', { allotment: org.seatAllotment, occupied })
  await revokeAccess(tx, terms.userId, org.id)
  await insertInvited(tx, org.id, terms)
  const member = await sql.memberById(tx, org.id, terms.userId)
  assert(member, 'a membership that was just inserted exists')
  return member
}

export async function changeMembership(
  tx: Tx,
  org: Org,
  before: sql.Member,
  { role, seatCapMinor }: Pick<sql.Member, 'role' | 'seatCapMinor'>,
  { metadata, ...trace }: AuditTrace,
): Promise<sql.Member> {
  // An edit without changes is not audited.
  if (role === before.role && seatCapMinor === before.seatCapMinor) return before
  if (before.role === 'owner' && role !== 'owner') await requireAnotherOwner(tx, org.id)
  if (role !== before.role) await setMemberRole(tx, org.id, before.userId, role)
  if (seatCapMinor !== before.seatCapMinor) await setSeatCap(tx, org.id, before.userId, seatCapMinor)
  await record(tx, {
    orgId: org.id,
    ...trace,
    target: before.userId,
    metadata: {
      from: { role: before.role, seatCapMinor: before.seatCapMinor },
      to: { role, seatCapMinor },
      ...metadata,
    },
  })
  return { ...before, role, seatCapMinor }
}

/** Ends the membership with its sessions and keys. A user without another organisation gets a personal one. */
export async function endMembership(
  tx: Tx,
  org: Org,
  member: sql.Member,
  { metadata, ...trace }: AuditTrace,
): Promise<void> {
  const { userId, email, name, role } = member
  if (role === 'owner') await requireAnotherOwner(tx, org.id)
  // Without the lock, two teams that remove the same user concurrently would each see the other's membership.
  await lockUser(tx, userId)
  await deleteMembership(tx, org.id, userId)
  await revokeAccess(tx, userId, org.id)
  if (!(await belongsSomewhere(tx, userId)))
    await openPersonalOrg(tx, userId, { email, name, currency: org.currency })
  await record(tx, { orgId: org.id, ...trace, target: userId, metadata: { email, role, ...metadata } })
}

/**
 * Ends sessions and keys. Also called before a membership starts: a session opened during an earlier removal must not
 * become valid again.
 */
async function revokeAccess(tx: Tx, userId: UserId, orgId: OrgId): Promise<void> {
  await endSessionsIn(tx, userId, orgId)
  await revokeKeys(tx, userId, orgId)
}

async function requireAnotherOwner(tx: Tx, orgId: OrgId): Promise<void> {
  if ((await countOwners(tx, orgId)) < 2) throw new ApiError('last_owner')
}
