// Change of the address of an account. It takes effect when the new mailbox confirms it; the old mailbox can cancel it before
// and undo it for seven days after.
import { hash, randomBytes } from 'node:crypto'
import { record } from '../../audit/audit.ts'
import {
  createLink,
  dropLinks,
  dropPassword,
  endSessions,
  isManagedBySso,
  lockUser,
  releaseUnverifiedEmail,
  requireOpenSession,
  requireRecentSignIn,
  setEmail,
  type User,
  userByEmail,
} from '../../identity/identity.ts'
import { after } from '../../kernel/clock.ts'
import { normaliseEmail } from '../../kernel/email.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { newId, type UserId } from '../../kernel/ids.ts'
import {
  belongsElsewhere,
  deleteInvited,
  findOrg,
  hasJoinedElsewhere,
  homeOrg,
  personalOrg,
  renameOrg,
} from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../../platform/attempts/attempts.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { denyUncollectedApprovals } from '../device/decision.ts'
import { removeGithubLink } from '../github/login.ts'
import { dropConfirmations } from '../github/sql.ts'
import { deletePasskeysSince } from '../passkey/sql.ts'
import { mayMail } from '../password/attempt-limits.ts'
import { dropChallenges } from '../second-factor/challenge.ts'
import { removeMfaSince } from '../second-factor/mfa.ts'
import { requireFactorOfStaff } from '../second-factor/step-up.ts'
import * as mails from './mails.ts'
import * as sql from './sql.ts'

const CONFIRM_WITHIN = { hours: 24 }
const UNDO_WITHIN = { days: 7 }
const REQUESTS: AttemptLimit = { name: 'email.change', most: 5, withinSeconds: 3_600 }

/** The reply is the same for an address that has an account; the mail to that address tells. */
export async function requestEmailChange(app: App, actor: Actor, request: RequestInfo, address: string) {
  requireRecentSignIn(app, actor)
  await requireFactorOfStaff(app, actor)
  const newEmail = normaliseEmail(address)
  if (newEmail === actor.email) throw invalidFields({ path: 'email', message: 'is your address already' })
  if (actor.email === app.config.rootAdminEmail)
    throw new ApiError('forbidden', {
      error:
        'The configuration names the root administrator by this address. Change SERVICE_ROOT_ADMIN_EMAIL first.',
    })
  if (actor.ssoOrgId !== null) throw new ApiError('email_managed_by_sso')
  await requireUnmanaged(app.db.direct, actor.email)
  await limitRequests(app, actor, request, newEmail)
  return app.db.tx('platform', async (tx) => {
    const user = await lockUser(tx, actor.userId)
    await requireOpenSession(tx, actor)
    if (user?.email !== actor.email) throw new ApiError('busy')
    await sql.endPending(tx, user.id, 'replaced')
    const [confirm, cancel] = [newToken(), newToken()]
    const expiresAt = after(tx.now, CONFIRM_WITHIN)
    await sql.insertChange(tx, {
      ...{ id: newId('emc'), userId: user.id, oldEmail: user.email, newEmail },
      ...{ confirmHash: hashOf(confirm), cancelHash: hashOf(cancel) },
      ...{ expiresAt, revertUntil: after(expiresAt, UNDO_WITHIN) },
    })
    const isFree = await isAvailable(app, tx, newEmail)
    const toNew = isFree
      ? mails.confirmEmailMail(app, newEmail, confirm)
      : mails.emailInUseMail(app, newEmail)
    await app.mail.send(tx, toNew)
    await app.mail.send(
      tx,
      mails.changeRequestedMail(app, user.email, { email: newEmail, token: cancel, from: request.address }),
    )
    await record(tx, {
      orgId: await homeOrg(tx, user.id),
      actor,
      ip: request.address,
      action: 'me.email.request',
      target: user.id,
    })
    return { ok: true as const, pendingEmail: { email: newEmail, expiresAt } }
  })
}

async function limitRequests(app: App, actor: Actor, request: RequestInfo, email: string): Promise<void> {
  const { allowed, retryAfter } = await countAttempt(app, app.db.direct, REQUESTS, actor.userId)
  if (!allowed) throw new ApiError('too_many_attempts', { retryAfter })
  // Counted for every address alike, so that it does not tell which has an account.
  if (!(await mayMail(app, 'email_change', email, request)))
    throw new ApiError('too_many_attempts', { retryAfter: 900 })
}

async function requireUnmanaged(db: Sql, email: string): Promise<void> {
  if (await isManagedBySso(db, email)) throw new ApiError('email_managed_by_sso')
}

export async function cancelEmailChange(app: App, actor: Actor, request: RequestInfo): Promise<void> {
  await app.db.tx('platform', async (tx) => {
    await lockUser(tx, actor.userId)
    await requireOpenSession(tx, actor)
    if (!(await sql.endPending(tx, actor.userId, 'closed'))) throw new ApiError('not_found')
    await record(tx, {
      orgId: await homeOrg(tx, actor.userId),
      actor,
      ip: request.address,
      action: 'me.email.cancel',
      target: actor.userId,
    })
  })
}

/**
 * With the token from the new mailbox and a session of the account. The token alone does not suffice: a stranger who requests the
 * address of another person hopes that this person opens the link.
 */
export function confirmEmailChange(
  app: App,
  actor: Actor,
  request: RequestInfo,
  token: string,
): Promise<void> {
  return withFreeAddress(app, async (tx) => {
    const confirmHash = hashOf(token)
    const change = await sql.findByConfirmation(tx, confirmHash)
    if (change && change.userId !== actor.userId)
      throw new ApiError('forbidden', {
        error: 'This link is for another account. Sign in with the account that asked for this address.',
      })
    const user = change && (await lockUser(tx, change.userId))
    await requireOpenSession(tx, actor)
    const undo = newToken()
    const revertUntil = after(tx.now, UNDO_WITHIN)
    if (!user || !(await sql.markDone(tx, confirmHash, hashOf(undo), revertUntil)))
      throw new ApiError('link_invalid')
    await requireUnmanaged(tx, user.email)
    if (!(await isAvailable(app, tx, change.newEmail))) throw new ApiError('email_taken')
    await moveAddress(tx, user, change.newEmail)
    await endSessions(tx, user.id, actor.sessionId)
    await closeOtherWays(tx, user.id)
    await app.mail.send(tx, mails.emailChangedMail(app, user.email, { email: change.newEmail, token: undo }))
    await recordEverywhere(tx, request, user, 'me.email.change', { from: user.email, to: change.newEmail })
  })
}

/** With a token from the old mailbox: cancels a change that waits, and undoes one that took effect. */
export function revertEmailChange(
  app: App,
  request: RequestInfo,
  token: string,
): Promise<{ ok: true; restored: boolean }> {
  return withFreeAddress(app, async (tx) => {
    const tokenHash = hashOf(token)
    const found = await sql.findByRevert(tx, tokenHash)
    const user = found && (await lockUser(tx, found.userId))
    // Another call may have decided before the lock.
    const change = user && (await sql.findByRevert(tx, tokenHash))
    if (!change) throw new ApiError('link_invalid')
    const restored = user.email !== change.oldEmail
    await sql.closeSince(tx, change)
    if (restored) await restoreAccount(app, tx, request, user, change)
    const action = restored ? 'me.email.undo' : 'me.email.cancel'
    await recordEverywhere(tx, request, user, action, { from: change.newEmail, to: change.oldEmail })
    return { ok: true as const, restored }
  })
}

/** The person who changed the address could sign in, so the password and everything newer than the request are removed. */
async function restoreAccount(
  app: App,
  tx: Tx,
  request: RequestInfo,
  user: User,
  { oldEmail, requestedAt }: sql.EmailChange,
): Promise<void> {
  if (!(await isRestorable(tx, oldEmail))) throw new ApiError('email_taken')
  await moveAddress(tx, user, oldEmail)
  await endSessions(tx, user.id)
  await dropPassword(tx, user.id)
  await closeOtherWays(tx, user.id)
  await deletePasskeysSince(tx, user.id, requestedAt)
  await removeMfaSince(tx, user.id, requestedAt)
  await removeGithubLink(tx, request, user)
  const { token } = await createLink(tx, { kind: 'reset', userId: user.id })
  await app.mail.send(tx, mails.emailRestoredMail(app, oldEmail, token))
}

/** Concurrent confirmations of one address end in its unique constraint. */
async function withFreeAddress<T>(app: App, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await app.db.tx('platform', work)
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_key')) throw new ApiError('email_taken')
    throw error
  }
}

async function moveAddress(tx: Tx, user: User, email: string): Promise<void> {
  await releaseUnverifiedEmail(tx, email)
  await setEmail(tx, user.id, email)
  await declineInvitations(tx, user)
  const own = await personalOrg(tx, user.id)
  // A person without a name has an organisation that is called like the address.
  if (own && (await findOrg(tx, own))?.name === user.email) await renameOrg(tx, own, email)
}

/** Anyone may invite an address. The list of members would show them the new one. */
async function declineInvitations(tx: Tx, { id, email }: User): Promise<void> {
  const actor = { kind: 'user' as const, userId: id, email }
  for (const { orgId, role } of await deleteInvited(tx, id))
    await record(tx, {
      orgId,
      actor,
      action: 'teams.leave',
      target: id,
      metadata: { email, role },
    })
}

/** A stranger may have registered the address without confirming it. That must not keep its owner from using it. */
async function isAvailable({ config }: App, tx: Tx, email: string): Promise<boolean> {
  // The configuration grants the role of a super admin by this address.
  if (email === config.rootAdminEmail) return false
  const holder = await userByEmail(tx, email)
  return !holder || (!holder.verified && !(await belongsElsewhere(tx, holder.id)))
}

/** A thief may have invited the address to a team, which must not keep its owner from an undo. */
async function isRestorable(tx: Tx, email: string): Promise<boolean> {
  const holder = await userByEmail(tx, email)
  return !holder || (!holder.verified && !(await hasJoinedElsewhere(tx, holder.id)))
}

/** Links, challenges and approvals that began under the previous address. */
async function closeOtherWays(tx: Tx, user: UserId): Promise<void> {
  await dropLinks(tx, user, ['verify', 'reset', 'magic', 'invitation'])
  await dropChallenges(tx, user)
  await denyUncollectedApprovals(tx, user)
  await dropConfirmations(tx, user)
}

/** In each organisation that the person has joined, in one order, because each entry locks a chain. */
async function recordEverywhere(
  tx: Tx,
  request: RequestInfo,
  user: User,
  action: string,
  metadata: { from: string; to: string },
): Promise<void> {
  const actor = { kind: 'user' as const, userId: user.id, email: user.email }
  for (const orgId of await sql.joinedOrgs(tx, user.id))
    await record(tx, { orgId, actor, ip: request.address, action, target: user.id, metadata })
}

const newToken = (): string => randomBytes(32).toString('base64url')
const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')
