// Reset of a password by mailed link, and change of a known password.
import { record } from '../../audit/audit.ts'
import {
  dropLinks,
  endSessions,
  ensureOwnOrg,
  type LinkKind,
  lockUser,
  type MailedLink,
  peekLink,
  rotateSession,
  setPassword,
  type User,
  useLink,
  userById,
  verifyUser,
} from '../../identity/identity.ts'
import { ApiError } from '../../kernel/errors.ts'
import { homeOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { denyUncollectedApprovals } from '../device/decision.ts'
import { endPending } from '../email-change/sql.ts'
import { removeGithubLink } from '../github/login.ts'
import { dropConfirmations } from '../github/sql.ts'
import { passwordChangedMail } from '../link/mails.ts'
import { dropChallenges } from '../second-factor/challenge.ts'
import { announceVerification } from '../verification.ts'
import { countChange, forgetChanges } from './attempt-limits.ts'
import { checkPassword, hashPassword, verifyPassword } from './passwords.ts'

// An invitation sets only the first password of an account that was opened for it.
const KINDS: readonly LinkKind[] = ['reset', 'invitation']

/**
 * Sets a password with a mailed link and confirms the address. It opens no session. The second factor stays; the link to
 * GitHub goes.
 */
export async function resetPassword(
  app: App,
  request: RequestInfo,
  { token, password }: { token: string; password: string },
): Promise<void> {
  // Check the token before the expensive hash.
  const found = await peekLink(app.db.direct, KINDS, token, app.clock.now())
  const owner = found && (await userById(app.db.direct, found.userId))
  if (!owner || isStaleInvitation(found, owner)) throw new ApiError('link_invalid')
  checkPassword(password, owner.email)
  const hash = await hashPassword(app, password)
  await app.db.tx('platform', async (tx) => {
    const link = await useLink(tx, KINDS, token)
    if (!link || isStaleInvitation(link, link.user)) throw new ApiError('link_invalid')
    const { user } = link
    await verifyUser(tx, user.id)
    // An invited user opens the team; other users start in a personal organisation.
    if (!user.verified && link.kind === 'reset') {
      await ensureOwnOrg(tx, user)
      await announceVerification(app, tx, request, user)
    }
    await endSessions(tx, user.id)
    const unlinked = await removeGithubLink(tx, request, user)
    await replacePassword(app, tx, user, hash, request, unlinked)
    await record(tx, {
      orgId: await homeOrg(tx, user.id),
      actor: { kind: 'user', userId: user.id, email: user.email },
      ip: request.address,
      action: 'auth.password.reset',
      target: user.id,
    })
  })
}

/** An invitation lives for days. It stops working once the address is confirmed in another way. */
const isStaleInvitation = ({ kind }: Pick<MailedLink, 'kind'>, { verified }: User): boolean =>
  kind === 'invitation' && verified

/** Replaces the password of a signed-in user who knows it. The session gets a new token; all others end. */
export async function changePassword(
  app: App,
  actor: Actor,
  request: RequestInfo,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> {
  checkPassword(newPassword, actor.email, 'newPassword')
  const before = await userById(app.db.direct, actor.userId)
  const stored = before?.passwordHash ?? null
  if (!(await verifyPassword(app, stored, currentPassword, () => countChange(app, actor.userId))))
    throw new ApiError('wrong_credentials', { error: 'The current password is wrong; check it.' })
  await forgetChanges(app, actor.userId)
  const hash = await hashPassword(app, newPassword)
  await app.db.tx('platform', async (tx) => {
    const user = await lockUser(tx, actor.userId)
    if (user?.passwordHash !== stored) throw new ApiError('wrong_credentials')
    await endSessions(tx, user.id, actor.sessionId)
    await rotateSession(app, tx, actor, request, 'expired')
    await replacePassword(app, tx, user, hash, request)
    await record(tx, {
      orgId: actor.orgId,
      actor,
      ip: request.address,
      action: 'auth.password.change',
      target: user.id,
    })
  })
}

/** Also ends links, challenges, approvals and a change of the address, which could still open the account. */
async function replacePassword(
  app: App,
  tx: Tx,
  user: User,
  hash: string,
  request: RequestInfo,
  unlinked: string | null = null,
): Promise<void> {
  await setPassword(tx, user.id, hash)
  await dropLinks(tx, user.id, ['verify', 'reset', 'magic', 'invitation'])
  await dropChallenges(tx, user.id)
  await denyUncollectedApprovals(tx, user.id)
  await dropConfirmations(tx, user.id)
  // The link to cancel it still works: the person may open it later.
  await endPending(tx, user.id, 'replaced')
  await app.mail.send(
    tx,
    passwordChangedMail(app, user.email, { at: tx.now, address: request.address, unlinked }),
  )
}
