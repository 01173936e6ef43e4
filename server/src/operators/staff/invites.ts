// Staff invitations: sending, revoking and accepting.

import { hash, randomBytes } from 'node:crypto'
import { record } from '../../audit/audit.ts'
import {
  allStaff,
  dropLinks,
  endSessions,
  ensureOwnOrg,
  insertStaff,
  lockUser,
  openAccount,
  setPassword,
  setStaffRole,
  type User,
  userByEmail,
  verifyUser,
} from '../../identity/identity.ts'
import { present } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { normaliseEmail } from '../../kernel/email.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId, type UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor, StaffTier } from '../../platform/http/actor.ts'
import { plainMail } from '../../platform/mail/mail.ts'
import { checkPassword, hashPassword } from '../../sign-in/sign-in.ts'
import * as sql from './invites-sql.ts'
import { changeStaff, lockStaff, recordStaffChange, requireCapacity } from './staff.ts'

const INVITE_DAYS = 7

/** Mails a single-use invitation. Revokes earlier ones to the same address. */
export function inviteStaff(app: App, actor: Actor, address: string, role: StaffTier, ip: string) {
  const email = normaliseEmail(address)
  const token = randomBytes(32).toString('base64url')
  return changeStaff(app, actor, async (tx, staff) => {
    if (staff.some((each) => each.email === email)) throw new ApiError('already_staff')
    await sql.revokeInvitesTo(tx, email)
    await requireCapacity(tx, staff)
    const id = newId('oin')
    const expiresAt = after(tx.now, { days: INVITE_DAYS })
    await sql.insertInvite(tx, {
      id,
      email,
      role,
      tokenHash: hashOf(token),
      invitedBy: actor.userId,
      expiresAt,
    })
    await app.mail.send(tx, inviteMail(app, email, actor.email, role, token))
    await recordStaffChange(tx, actor, ip, 'operators.invite', id, { email, role })
    return {
      invite: { id, email, role, expiresAt, createdAt: tx.now, invitedByEmail: actor.email },
      ...(app.config.environment !== 'production' && { devToken: token }),
    }
  })
}

export function revokeInvite(app: App, actor: Actor, id: string, ip: string): Promise<void> {
  return changeStaff(app, actor, async (tx) => {
    const invite = await sql.revokeInvite(tx, id)
    if (!invite) throw new ApiError('not_found')
    await recordStaffChange(tx, actor, ip, 'operators.revokeInvite', id, {
      email: invite.email,
      role: invite.role,
    })
  })
}

/**
 * Consumes an invitation and grants staff access to the account of its address. The token proves control of the mailbox,
 * so an unverified account is claimed and gets the new password.
 */
export async function acceptInvite(
  app: App,
  { token, password }: { token: string; password?: string | undefined },
  ip: string,
) {
  const tokenHash = hashOf(token)
  const invite = await sql.findInvite(app.db.direct, tokenHash, app.clock.now())
  if (!invite) throw new ApiError('invite_invalid')
  const account = await userByEmail(app.db.direct, invite.email)
  const passwordHash = account?.verified ? null : await hashNewPassword(app, password, invite.email)
  return app.db.tx('platform', async (tx) => {
    await lockStaff(tx)
    const used = await sql.consumeInvite(tx, tokenHash)
    if (!used) throw new ApiError('invite_invalid')
    const userId = await openOrClaimAccount(tx, used.email, passwordHash)
    const role = await promote(tx, app.config.rootAdminEmail, userId, used.role)
    await record(tx, {
      orgId: null,
      actor: { kind: 'user', userId, email: used.email },
      ip,
      action: 'operators.acceptInvite',
      target: userId,
      metadata: { invite: used.id, role },
    })
    return { ok: true as const, userId, role }
  })
}

function hashNewPassword(app: App, password: string | undefined, email: string): Promise<string> {
  if (password === undefined) throw new ApiError('password_required')
  checkPassword(password, email)
  return hashPassword(app, password)
}

/** Opens or verifies the account of the address. `passwordHash` is null for a verified account. */
async function openOrClaimAccount(tx: Tx, email: string, passwordHash: string | null): Promise<UserId> {
  const opened = passwordHash && (await openAccount(tx, { email, verified: true, passwordHash }))
  if (opened) return opened.userId
  const { id } = present(await userByEmail(tx, email), 'an address that cannot be inserted has an account')
  const user: User = present(await lockUser(tx, id), 'accounts are never deleted')
  if (user.verified) return id
  // The earlier registrant never proved control of the address, so their password, links and sessions are revoked.
  await setPassword(tx, id, present(passwordHash, 'a verified account stays verified'))
  await dropLinks(tx, id, ['verify', 'reset', 'magic', 'invitation'])
  await endSessions(tx, id)
  await verifyUser(tx, id)
  // Staff start in a personal organisation, not in a team that invited the address.
  await ensureOwnOrg(tx, user)
  return id
}

const RANKS: Record<StaffTier, number> = {
  support: 1,
  billing: 1,
  compliance: 1,
  operator: 2,
  super_admin: 3,
}

/** Returns the resulting tier. An invitation never lowers a tier that was granted later. */
async function promote(
  tx: Tx,
  rootEmail: string | null,
  userId: UserId,
  role: StaffTier,
): Promise<StaffTier> {
  const held = (await allStaff(tx, rootEmail)).find((each) => each.userId === userId)?.role
  if (held && RANKS[held] >= RANKS[role]) return held
  if (held) await setStaffRole(tx, userId, role)
  else await insertStaff(tx, userId, role)
  return role
}

function inviteMail(app: App, to: string, by: string, role: StaffTier, token: string) {
  return {
    to,
    ...plainMail(
      'You are invited to join the Cowrie staff',
      [
        `${by} invites you to join the Cowrie platform staff as ${role.replace('_', ' ')}.`,
        `The invitation can be used once and expires in ${INVITE_DAYS} days. If you did not expect it, ignore this mail.`,
      ],
      { label: 'Accept the invitation', url: `${app.config.baseUrl}/app/operator-invite#token=${token}` },
    ),
  }
}

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')
