// A user's open sessions, and ending them remotely.
import { record } from '../../audit/audit.ts'
import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { SESSION_IDLE } from './session-cookie.ts'
import * as sql from './session-list-sql.ts'
import { logout } from './sessions.ts'

/** Open sessions, last seen first. */
export async function listSessions(app: App, actor: Actor) {
  const now = app.clock.now()
  const sessions = await sql.activeSessions(app.db.direct, actor.userId, now, before(now, SESSION_IDLE))
  return { sessions: sessions.map((each) => ({ ...each, current: each.id === actor.sessionId })) }
}

/** Ends one of the caller's sessions on every replica. Throws `not_found` for sessions of other users. */
export async function endSession(app: App, actor: Actor, id: string, request: RequestInfo): Promise<void> {
  if (id === actor.sessionId) return logout(app, actor, request)
  await app.db.tx('platform', async (tx) => {
    const ended = await sql.endSession(tx, actor.userId, id, before(tx.now, SESSION_IDLE))
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
    const ended = await sql.endOthers(tx, actor.userId, actor.sessionId, before(tx.now, SESSION_IDLE))
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
