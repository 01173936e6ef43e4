// Team members: listing, adding, changing and removing. Owners may do everything; admins may not change owners or their
// own caps.

import { randomInt } from 'node:crypto'
import { type AuditEvent, record } from '../audit/audit.ts'
import {
  endSessionsIn,
  languageById,
  lockUser,
  openAccountWithoutOrg,
  openPersonalOrg,
  revokeKeys,
  type User,
  userByEmail,
} from '../identity/identity.ts'
import { assert } from '../kernel/assert.ts'
import { before } from '../kernel/clock.ts'
import { normaliseEmail } from '../kernel/email.ts'
import { ApiError, invalidFields } from '../kernel/errors.ts'
import { isId, type OrgId, type UserId } from '../kernel/ids.ts'
import { type Currency, describeCurrency, fromMajor } from '../kernel/money.ts'
import {
  belongsSomewhere,
  countMembers,
  countOwners,
  deleteMembership,
  insertInvited,
  lockOrg,
  setMemberRole,
  setSeatCap,
} from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../platform/attempts/attempts.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import { decodeTimeCursor, toPage } from '../platform/http/page.ts'
import { openLeaveToken, sendInvitation } from './invitations.ts'
import * as sql from './members-sql.ts'
import { type LockedTeam, withTeamLock } from './teams.ts'

export async function listMembers(
  app: App,
  orgId: OrgId,
  query: { limit: number; cursor?: string | undefined },
) {
  const rows = await sql.listMembers(app.db.direct, orgId, decodeTimeCursor(query.cursor), query.limit + 1)
  const { items, nextCursor } = toPage(rows, query.limit, (member) => [member.joinedAt, member.userId])
  return { members: items, nextCursor }
}

// Per user over all teams, because adding an address without an account opens one.
const ADDITIONS: AttemptLimit = { name: 'teams.additions', most: 100, withinSeconds: 3_600 }

type NewMemberInput = { email: string; role: 'admin' | 'member'; capNaira?: string | undefined }

/**
 * Adds a member by email address. An address without an account gets one that only the reader of the mailbox can open.
 * Replies, lists and response times do not reveal the difference until the member opens the team.
 */
export function addMember(app: App, actor: Actor, orgId: OrgId, input: NewMemberInput, ip: string) {
  return withTeamLock(app, actor, orgId, 'admin', async (tx, { org }) => {
    const seatCapMinor = parseCap(input.capNaira, org.currency) ?? null
    const { allowed, retryAfter } = await countAttempt(app, tx, ADDITIONS, actor.userId)
    if (!allowed)
      throw new ApiError('too_many_attempts', {
        error: 'You have added too many members. Wait for the time in Retry-After.',
        retryAfter,
      })
    const user = await findOrOpenAccount(tx, input.email, actor)
    // Lock order: the account before its memberships, sessions and keys.
    await lockUser(tx, user.id)
    if (await sql.memberById(tx, orgId, user.id)) throw new ApiError('already_member')
    const occupied = await countMembers(tx, orgId)
    if (occupied >= org.seatAllotment)
      throw new ApiError('seats_exceeded', { allotment: org.seatAllotment, occupied })
    await revokeAccess(tx, user.id, orgId)
    await insertInvited(tx, orgId, { userId: user.id, role: input.role, seatCapMinor })
    const member = await requireMember(tx, orgId, user.id)
    const { mailed } = await sendInvitation(app, tx, org, { ...member, verified: user.verified }, actor.email)
    await record(tx, {
      orgId,
      actor,
      ip,
      action: 'teams.members.add',
      target: user.id,
      metadata: { email: user.email, role: input.role, seatCapMinor },
    })
    return { ok: true as const, member, mailed }
  })
}

export function resendInvitation(app: App, actor: Actor, orgId: OrgId, userId: string, ip: string) {
  return withTeamLock(app, actor, orgId, 'admin', async (tx, { org }) => {
    const member = await requireMember(tx, orgId, userId)
    if (!member.pending)
      throw new ApiError('already_member', {
        error: 'This person has already joined. There is no open invitation.',
      })
    const verified = (await userByEmail(tx, member.email))?.verified === true
    const { mailed, retryAfter } = await sendInvitation(app, tx, org, { ...member, verified }, actor.email)
    if (!mailed)
      throw new ApiError('too_many_attempts', {
        error: 'Too many invitations were sent. Wait for the time in Retry-After.',
        retryAfter,
      })
    await record(tx, { orgId, actor, ip, action: 'teams.members.invite', target: userId })
    return { ok: true as const, member, mailed }
  })
}

type Edit = { role?: 'admin' | 'member' | undefined; capNaira?: string | null | undefined }

export function changeMember(app: App, actor: Actor, orgId: OrgId, userId: string, edit: Edit, ip: string) {
  return withTeamLock(app, actor, orgId, 'admin', async (tx, locked) => {
    const before = await requireMember(tx, orgId, userId)
    requireAuthority(locked, before)
    const cap = parseCap(edit.capNaira, locked.org.currency)
    if (cap !== undefined && userId === actor.userId && locked.own.role !== 'owner')
      throw new ApiError('forbidden', {
        error: 'You cannot change your own cap. Ask an owner or another admin.',
      })
    const role = edit.role ?? before.role
    const seatCapMinor = cap === undefined ? before.seatCapMinor : cap
    if (before.role === 'owner' && role !== 'owner') await requireAnotherOwner(tx, orgId)
    return applyEdit(tx, actor, orgId, before, { role, seatCapMinor }, { action: 'teams.members.change', ip })
  })
}

/** Makes a member an additional owner. The previous owner can then leave the team. */
export function transferTeam(app: App, actor: Actor, orgId: OrgId, userId: string, ip: string) {
  return withTeamLock(app, actor, orgId, 'owner', async (tx) => {
    const before = await requireMember(tx, orgId, userId)
    if (before.pending) throw new ApiError('invitation_pending')
    const { seatCapMinor } = before
    return applyEdit(
      tx,
      actor,
      orgId,
      before,
      { role: 'owner', seatCapMinor },
      { action: 'teams.transfer', ip },
    )
  })
}

export function removeMember(app: App, actor: Actor, orgId: OrgId, userId: string, ip: string) {
  return withTeamLock(app, actor, orgId, 'admin', async (tx, locked) => {
    const member = await requireMember(tx, orgId, userId)
    requireAuthority(locked, member)
    return endMembership(tx, actor, locked, member, { action: 'teams.members.remove', ip })
  })
}

/** Leaves a team with the link from the mail about the membership. No sign-in is needed. */
export function leaveByLink(app: App, token: string, ip: string) {
  const { orgId, userId, joinedAtMs } = openLeaveToken(app, token)
  return app.db.tx(orgId, async (tx) => {
    const org = await lockOrg(tx, orgId)
    const member = await sql.memberById(tx, orgId, userId)
    if (!org || member?.joinedAt.getTime() !== joinedAtMs) throw new ApiError('link_invalid')
    const actor = { kind: 'user' as const, userId, email: member.email }
    return endMembership(tx, actor, { org }, member, { action: 'teams.leave', ip })
  })
}

export function leaveTeam(app: App, actor: Actor, orgId: OrgId, ip: string) {
  return withTeamLock(app, actor, orgId, 'member', (tx, locked) =>
    endMembership(tx, actor, locked, locked.own, { action: 'teams.leave', ip }),
  )
}

type AuditTrace = { action: string; ip: string }

async function applyEdit(
  tx: Tx,
  actor: Actor,
  orgId: OrgId,
  before: sql.Member,
  { role, seatCapMinor }: Pick<sql.Member, 'role' | 'seatCapMinor'>,
  trace: AuditTrace,
) {
  const member = { ...before, role, seatCapMinor }
  // An edit without changes is not audited.
  if (role !== before.role || seatCapMinor !== before.seatCapMinor) {
    if (role !== before.role) await setMemberRole(tx, orgId, before.userId, role)
    if (seatCapMinor !== before.seatCapMinor) await setSeatCap(tx, orgId, before.userId, seatCapMinor)
    await record(tx, {
      orgId,
      actor,
      ...trace,
      target: before.userId,
      metadata: {
        from: { role: before.role, seatCapMinor: before.seatCapMinor },
        to: { role, seatCapMinor },
      },
    })
  }
  return { ok: true as const, member }
}

/** Ends the membership with its sessions and keys. A user without another organisation gets a personal one. */
async function endMembership(
  tx: Tx,
  actor: AuditEvent['actor'],
  { org }: Pick<LockedTeam, 'org'>,
  member: sql.Member,
  trace: AuditTrace,
) {
  const { userId, email, name, role } = member
  if (role === 'owner') await requireAnotherOwner(tx, org.id)
  // Without the lock, two teams that remove the same user concurrently would each see the other's membership.
  await lockUser(tx, userId)
  await deleteMembership(tx, org.id, userId)
  await revokeAccess(tx, userId, org.id)
  if (!(await belongsSomewhere(tx, userId)))
    await openPersonalOrg(tx, userId, { email, name, currency: org.currency })
  await record(tx, { orgId: org.id, actor, ...trace, target: userId, metadata: { email, role } })
  return { ok: true as const }
}

/**
 * Ends sessions and keys. Also called before a membership starts: a session opened during an earlier removal must not
 * become valid again.
 */
async function revokeAccess(tx: Tx, userId: UserId, orgId: OrgId): Promise<void> {
  await endSessionsIn(tx, userId, orgId)
  await revokeKeys(tx, userId, orgId)
}

async function requireMember(tx: Tx, orgId: OrgId, userId: string): Promise<sql.Member> {
  const member = isId('usr', userId) ? await sql.memberById(tx, orgId, userId) : undefined
  if (!member) throw new ApiError('not_found', { error: 'No member of the team has this id.' })
  return member
}

function requireAuthority({ own }: LockedTeam, member: sql.Member): void {
  if (member.role === 'owner' && own.role !== 'owner')
    throw new ApiError('forbidden', { error: 'Only an owner can change or remove an owner.' })
}

/** Call under the team lock, before an owner loses the role. */
async function requireAnotherOwner(tx: Tx, orgId: OrgId): Promise<void> {
  if ((await countOwners(tx, orgId)) < 2) throw new ApiError('last_owner')
}

const IDS_WITHIN_DAYS = 365

/**
 * Ids contain their creation time. A random time in the last year hides that the account is new. Until an invited person
 * chooses a language, they get that of the inviter.
 */
async function findOrOpenAccount(tx: Tx, email: string, { userId }: Actor): Promise<User> {
  const idAt = before(tx.now, { seconds: randomInt(IDS_WITHIN_DAYS * 86_400) })
  await openAccountWithoutOrg(tx, {
    email,
    verified: false,
    idAt,
    language: await languageById(tx, userId),
  })
  const user = await userByEmail(tx, normaliseEmail(email))
  assert(user, 'an address that cannot be inserted has an account')
  return user
}

/** Converts major units to minor units. Undefined if not given, null for no cap. */
function parseCap(capNaira: string | null | undefined, currency: Currency): bigint | null | undefined {
  if (capNaira === undefined || capNaira === null) return capNaira
  const amount = fromMajor(capNaira, currency)
  const { minorUnit, minorName } = describeCurrency(currency)
  if (!amount)
    throw invalidFields({
      path: 'capNaira',
      message:
        minorUnit === 1
          ? `must be a whole number: ${currency} has no smaller unit`
          : `must have at most ${String(minorUnit).length - 1} decimals: the smallest unit of ${currency} is the ${minorName}`,
    })
  return amount.minor
}
