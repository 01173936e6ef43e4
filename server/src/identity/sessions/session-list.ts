// A user's open sessions, and ending them remotely.
import { record } from '../../audit/audit.ts'
import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Id, UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { SESSION_IDLE } from './session-cookie.ts'
import { logout } from './sessions.ts'
import type { SignInMethod } from './sessions-sql.ts'

/** Open sessions, last seen first. */
export async function listSessions(app: App, actor: Actor) {
  const now = app.clock.now()
  const sessions = await activeSessions(app.db.direct, actor.userId, now, before(now, SESSION_IDLE))
  return { sessions: sessions.map((each) => ({ ...each, current: each.id === actor.sessionId })) }
}

/** Ends one of the caller's sessions on every replica. Throws `not_found` for sessions of other users. */
export async function endSession(app: App, actor: Actor, id: string, request: RequestInfo): Promise<void> {
  if (id === actor.sessionId) return logout(app, actor, request)
  await app.db.tx('platform', async (tx) => {
    const ended = await revokeOne(tx, actor.userId, id, before(tx.now, SESSION_IDLE))
    if (!ended) throw new ApiError('not_found')
    await record(tx, {
      orgId: actor.orgId,
      actor,
      ip: request.address,
      action: 'me.sessions.end',
      target: id,
    })
  })
}

/** Ends all other sessions and returns their number. */
export function endOtherSessions(app: App, actor: Actor, request: RequestInfo): Promise<number> {
  return app.db.tx('platform', async (tx) => {
    const ended = await revokeOthers(tx, actor.userId, actor.sessionId, before(tx.now, SESSION_IDLE))
    if (ended > 0)
      await record(tx, {
        orgId: actor.orgId,
        actor,
        ip: request.address,
        action: 'me.sessions.endOthers',
        target: actor.userId,
        metadata: { ended },
      })
    return ended
  })
}

type ListedSession = {
  id: Id<'ses'>
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
  ip: string
  userAgent: string
  method: SignInMethod
}

// Sign-in enforces the same maximum.
const SESSIONS_LISTED = 100

function activeSessions(db: Sql, user: UserId, now: Date, idleSince: Date): Promise<ListedSession[]> {
  return db.rows<ListedSession>`
    select id, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt", ip,
           user_agent as "userAgent", method
    from sessions
    where user_id = ${user} and revoked_at is null and expires_at > ${now} and last_seen_at > ${idleSince}
    order by last_seen_at desc, id desc limit ${SESSIONS_LISTED}`
}

async function revokeOne(tx: Tx, user: UserId, id: string, idleSince: Date): Promise<boolean> {
  const ended = await tx.rows`
    update sessions set revoked_at = ${tx.now}
    where id = ${id} and user_id = ${user} and revoked_at is null and expires_at > ${tx.now}
      and last_seen_at > ${idleSince}
    returning id`
  return ended.length === 1
}

async function revokeOthers(tx: Tx, user: UserId, except: string | null, idleSince: Date): Promise<number> {
  const ended = await tx.rows`
    update sessions set revoked_at = ${tx.now}
    where user_id = ${user} and revoked_at is null and expires_at > ${tx.now} and last_seen_at > ${idleSince}
      and id is distinct from ${except}
    returning id`
  return ended.length
}
