// The person's side of a device login: see what asks, then approve or deny it.
import type { z } from 'zod'
import { record } from '../../audit/audit.ts'
import { requireOpenSession } from '../../identity/identity.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { mayTry, tryOnce } from '../../platform/attempts/attempts.ts'
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

/** Grants what was asked for, at most what the person has, in the organisation they are in now. */
export async function approveDeviceLogin(
  app: App,
  actor: Actor,
  request: RequestInfo,
  typed: string,
): Promise<void> {
  await withLoginByCode(app, actor, typed, async (tx, login) => {
    // A key from another sign-on would be the way around the one that the organisation insists on.
    if (actor.needsSso) return new ApiError('sso_required')
    if (login.status === 'approved' || login.status === 'done') return null
    if (login.status === 'denied') return new ApiError('already_decided')
    // What a call began before its session ended, by a change of password say, is not finished after.
    await requireOpenSession(tx, actor)
    await decide(tx, actor, request, login, 'approved')
    return null
  })
}

/** Also takes an approval back, as long as the key was not collected. */
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

/** What somebody has approved and no program has collected yet is denied: their password was changed, say. */
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
 * Runs `work` on the request that has this code. Wrong codes are counted per person, one after another, so that many
 * at the same time are no more guesses. A request that somebody else has decided on does not exist for this one.
 */
async function withLoginByCode<T>(
  app: App,
  actor: Actor,
  typed: string,
  work: (tx: Tx, login: sql.DeviceLogin) => Promise<T | ApiError>,
): Promise<T> {
  const outcome = await app.db.tx('platform', async (tx) => {
    await tx.lock(`device codes typed by ${actor.userId}`)
    const { allowed, retryAfter } = await mayTry(app, tx, WRONG_CODES, actor.userId)
    if (!allowed) return new ApiError('too_many_attempts', { retryAfter })
    const login = await sql.lockByUserCode(tx, normaliseUserCode(typed))
    if (login && (login.userId === null || login.userId === actor.userId)) return work(tx, login)
    await tryOnce(app, tx, WRONG_CODES, actor.userId)
    return new ApiError('not_found', {
      error:
        'This code is wrong or has expired; compare it with the one your program shows, or start again there.',
    })
  })
  // Only now, because a refusal that is thrown in a transaction would not be counted.
  if (outcome instanceof ApiError) throw outcome
  return outcome
}
