// The user's side of a device login: view, approve or deny.
import type { z } from 'zod'
import { record } from '../../audit/audit.ts'
import { requireOpenSession } from '../../identity/identity.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { checkAttempt, countAttempt } from '../../platform/attempts/attempts.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Actor, hasScope } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import type { DeviceRequest } from './schema.ts'
import * as sql from './sql.ts'
import { formatUserCode, normaliseUserCode } from './user-code.ts'

const WRONG_CODES = { name: 'device.code', most: 10, withinSeconds: 900 }

export function getDeviceLogin(
  app: App,
  actor: Actor,
  typed: string,
): Promise<z.input<typeof DeviceRequest>> {
  return withLoginByCode(app, actor, typed, async (_tx, login) => {
    const { userCode, clientName, scopes, address, userAgent, createdAt, expiresAt, status } = login
    return {
      userCode: formatUserCode(userCode),
      clientName,
      scopes,
      address,
      userAgent,
      createdAt,
      expiresAt,
      status,
    }
  })
}

/** Grants the requested scopes that the user has, in the active organisation. */
export async function approveDeviceLogin(
  app: App,
  actor: Actor,
  request: RequestInfo,
  typed: string,
): Promise<void> {
  await withLoginByCode(app, actor, typed, async (tx, login) => {
    // A key from this session would bypass the organisation's single sign-on.
    if (actor.needsSso) return new ApiError('sso_required')
    if (actor.isAddressRefused) return new ApiError('org_address_not_allowed')
    if (login.status === 'approved' || login.status === 'done') return null
    if (login.status === 'denied') return new ApiError('already_decided')
    // A call must not approve after its session has ended, for example by a password change.
    await requireOpenSession(tx, actor)
    await decide(tx, actor, request, login, 'approved')
    return null
  })
}

/** Also revokes an approval whose key was not collected. */
export async function denyDeviceLogin(
  app: App,
  actor: Actor,
  request: RequestInfo,
  typed: string,
): Promise<void> {
  await withLoginByCode(app, actor, typed, async (tx, login) => {
    if (login.status === 'denied') return null
    if (login.status === 'done') return new ApiError('already_decided')
    await decide(tx, actor, request, login, 'denied')
    return null
  })
}

/** Denies approved requests whose key was not collected, for example after a password change. */
export const denyUncollectedApprovals = (tx: Tx, userId: UserId): Promise<void> =>
  sql.denyApprovedBy(tx, userId)

async function decide(
  tx: Tx,
  actor: Actor,
  request: RequestInfo,
  login: sql.DeviceLogin,
  status: 'approved' | 'denied',
): Promise<void> {
  const { userId, orgId } = actor
  const scopes = login.scopes.filter((scope) => hasScope(actor, scope))
  await sql.decide(tx, login.id, { status, userId, orgId, scopes })
  await record(tx, {
    orgId,
    actor,
    ip: request.address,
    action: status === 'approved' ? 'auth.device.approve' : 'auth.device.deny',
    target: login.id,
    metadata: { clientName: login.clientName, scopes, from: login.address },
  })
}

/**
 * Runs `work` on the request with this code. A lock per user counts wrong codes one by one, so that
 * concurrent calls get no extra guesses. Requests decided by another user are not found.
 */
async function withLoginByCode<T>(
  app: App,
  actor: Actor,
  typed: string,
  work: (tx: Tx, login: sql.DeviceLogin) => Promise<T | ApiError>,
): Promise<T> {
  const outcome = await app.db.tx('platform', async (tx) => {
    await tx.lock(`device codes typed by ${actor.userId}`)
    const { allowed, retryAfter } = await checkAttempt(app, tx, WRONG_CODES, actor.userId)
    if (!allowed) return new ApiError('too_many_attempts', { retryAfter })
    const login = await sql.lockByUserCode(tx, normaliseUserCode(typed))
    if (login && (login.userId === null || login.userId === actor.userId)) return work(tx, login)
    await countAttempt(app, tx, WRONG_CODES, actor.userId)
    return new ApiError('not_found', {
      error:
        'This code is wrong or has expired. Compare it with the code in your program, or start again there.',
    })
  })
  // Thrown after the commit: an error inside the transaction would undo the count.
  if (outcome instanceof ApiError) throw outcome
  return outcome
}
