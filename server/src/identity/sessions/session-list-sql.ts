// SQL of the session list: open sessions of one user.
import type { Id, UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { SignInMethod } from './sessions.ts'

export type ListedSession = {
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

export function activeSessions(db: Sql, user: UserId, now: Date, idleSince: Date): Promise<ListedSession[]> {
  return db.rows<ListedSession>`
    select id, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt", ip,
           user_agent as "userAgent", method
    from sessions
    where user_id = ${user} and revoked_at is null and expires_at > ${now} and last_seen_at > ${idleSince}
    order by last_seen_at desc, id desc limit ${SESSIONS_LISTED}`
}

export async function endSession(tx: Tx, user: UserId, id: string, idleSince: Date): Promise<boolean> {
  const ended = await tx.rows`
    update sessions set revoked_at = ${tx.now}
    where id = ${id} and user_id = ${user} and revoked_at is null and expires_at > ${tx.now}
      and last_seen_at > ${idleSince}
    returning id`
  return ended.length === 1
}

export async function endOthers(
  tx: Tx,
  user: UserId,
  except: string | null,
  idleSince: Date,
): Promise<number> {
  const ended = await tx.rows`
    update sessions set revoked_at = ${tx.now}
    where user_id = ${user} and revoked_at is null and expires_at > ${tx.now} and last_seen_at > ${idleSince}
      and id is distinct from ${except}
    returning id`
  return ended.length
}
