// How often somebody may try something: wrong passwords, codes, mails to one address. Counted in the database, so
// that more replicas do not mean more guesses. Requests as such are counted per client address by the rate limits.
import { after } from '../../kernel/clock.ts'
import type { App } from '../app.ts'
import type { Sql } from '../db/tx.ts'
import * as sql from './sql.ts'

export type AttemptLimit = {
  /** What is tried, such as `login.account`. */
  readonly name: string
  readonly most: number
  readonly withinSeconds: number
}
export type AttemptVerdict = { readonly allowed: boolean; readonly retryAfter: number }

/** Counts one attempt about `subject` and says whether it was still allowed. `db` is a transaction or `app.db.direct`. */
export async function countAttempt(
  app: App,
  db: Sql,
  limit: AttemptLimit,
  subject: string,
): Promise<AttemptVerdict> {
  const now = app.clock.now()
  const counted = await sql.count(
    db,
    limit.name,
    hashSubject(app, limit, subject),
    now,
    after(now, { seconds: limit.withinSeconds }),
  )
  return verdict(limit, counted.count <= limit.most, counted.resets_at, now)
}

/** Whether one more would be allowed, without counting it. */
export async function checkAttempt(
  app: App,
  db: Sql,
  limit: AttemptLimit,
  subject: string,
): Promise<AttemptVerdict> {
  const now = app.clock.now()
  const counted = await sql.look(db, limit.name, hashSubject(app, limit, subject), now)
  return verdict(limit, (counted?.count ?? 0) < limit.most, counted?.resets_at ?? now, now)
}

/** After a success: the next attempt is the first again. */
export async function resetAttempts(app: App, db: Sql, limit: AttemptLimit, subject: string): Promise<void> {
  await sql.forget(db, limit.name, hashSubject(app, limit, subject))
}

export const sweepAttempts = (app: App, most: number): Promise<number> =>
  sql.sweep(app.db.direct, app.clock.now(), most)

// Addresses of people who never had an account do not belong into a table.
const hashSubject = (app: App, { name }: AttemptLimit, subject: string): string =>
  app.secrets.digest(subject, `attempts ${name}`)

const verdict = (
  { withinSeconds }: AttemptLimit,
  allowed: boolean,
  resetsAt: Date,
  now: Date,
): AttemptVerdict => ({
  allowed,
  retryAfter: allowed
    ? 0
    : Math.min(withinSeconds, Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1000))),
})
