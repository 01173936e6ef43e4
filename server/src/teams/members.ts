// Team members: listing, adding, changing and removing. Owners may do everything; admins may not change owners or their
// own caps.

import { randomInt } from 'node:crypto'
import { record } from '../audit/audit.ts'
import { languageById, openAccountWithoutOrg, type User, userByEmail } from '../identity/identity.ts'
import { assert } from '../kernel/assert.ts'
import { before } from '../kernel/clock.ts'
import { normaliseEmail } from '../kernel/email.ts'
import { ApiError, invalidFields } from '../kernel/errors.ts'
import { isId, type OrgId } from '../kernel/ids.ts'
import { type Currency, describeCurrency, fromMajor } from '../kernel/money.ts'
import { lockOrg } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../platform/attempts/attempts.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import { decodeTimeCursor, toPage } from '../platform/http/page.ts'
import { openLeaveToken, sendInvitation } from './invitations.ts'
import * as sql from './members-sql.ts'
import { changeMembership, endMembership, startMembership } from './membership.ts'
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
    const member = await startMembership(tx, org, { userId: user.id, role: input.role, seatCapMinor })
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
    const trace = { actor, action: 'teams.members.change', ip }
    const member = await changeMembership(tx, locked.org, before, { role, seatCapMinor }, trace)
    return { ok: true as const, member }
  })
}

/** Makes a member an additional owner. The previous owner can then leave the team. */
export function transferTeam(app: App, actor: Actor, orgId: OrgId, userId: string, ip: string) {
  return withTeamLock(app, actor, orgId, 'owner', async (tx, { org }) => {
    const before = await requireMember(tx, orgId, userId)
    if (before.pending) throw new ApiError('invitation_pending')
    const { seatCapMinor } = before
    const trace = { actor, action: 'teams.transfer', ip }
    const member = await changeMembership(tx, org, before, { role: 'owner', seatCapMinor }, trace)
    return { ok: true as const, member }
  })
}

export function removeMember(app: App, actor: Actor, orgId: OrgId, userId: string, ip: string) {
  return withTeamLock(app, actor, orgId, 'admin', async (tx, locked) => {
    const member = await requireMember(tx, orgId, userId)
    requireAuthority(locked, member)
    await endMembership(tx, locked.org, member, { actor, action: 'teams.members.remove', ip })
    return { ok: true as const }
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
    await endMembership(tx, org, member, { actor, action: 'teams.leave', ip })
    return { ok: true as const }
  })
}

export function leaveTeam(app: App, actor: Actor, orgId: OrgId, ip: string) {
  return withTeamLock(app, actor, orgId, 'member', async (tx, { org, own }) => {
    await endMembership(tx, org, own, { actor, action: 'teams.leave', ip })
    return { ok: true as const }
  })
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
