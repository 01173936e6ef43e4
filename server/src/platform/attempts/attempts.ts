// Limits attempts such as wrong passwords, codes, or mails to one address. Counted in the database, so that more replicas
// do not allow more guesses. The rate limits count requests per client address.
import { after } from '../../kernel/clock.ts'
import type { App } from '../app.ts'
import type { Sql } from '../db/tx.ts'

export type AttemptLimit = {
  /** The kind of attempt, such as `login.account`. */
  readonly name: string
  readonly most: number
  readonly withinSeconds: number
}
export type AttemptVerdict = { readonly allowed: boolean; readonly retryAfter: number }

/** Counts one attempt for `subject` and returns whether it is allowed. `db` is a transaction or `app.db.direct`. */
export async function countAttempt(
  app: App,
  db: Sql,
  limit: AttemptLimit,
  subject: string,
): Promise<AttemptVerdict> {
  const now = app.clock.now()
  const counted = await insertAttempt(
    db,
    limit.name,
    hashSubject(app, limit, subject),
    now,
    after(now, { seconds: limit.withinSeconds }),
  )
  return verdict(limit, counted.count <= limit.most, counted.resets_at, now)
}

/** Whether another attempt would be allowed, without counting it. */
export async function checkAttempt(
  app: App,
  db: Sql,
  limit: AttemptLimit,
  subject: string,
): Promise<AttemptVerdict> {
  const now = app.clock.now()
  const counted = await findAttempts(db, limit.name, hashSubject(app, limit, subject), now)
  return verdict(limit, (counted?.count ?? 0) < limit.most, counted?.resets_at ?? now, now)
}

/** Takes back one counted attempt of the open window, because it did not fail. */
export async function uncountAttempt(app: App, db: Sql, limit: AttemptLimit, subject: string): Promise<void> {
  const now = app.clock.now()
  const hashed = hashSubject(app, limit, subject)
  const left = await db.rows`
    update attempts set count = count - 1
    where name = ${limit.name} and subject = ${hashed} and resets_at > ${now} and count > 1 returning count`
  if (left.length > 0) return
  await db.rows`
    delete from attempts
    where name = ${limit.name} and subject = ${hashed} and resets_at > ${now} and count = 1`
}

/** Resets the count after a success. */
export async function resetAttempts(app: App, db: Sql, limit: AttemptLimit, subject: string): Promise<void> {
  await deleteAttempts(db, limit.name, hashSubject(app, limit, subject))
}

export const sweepAttempts = (app: App, most: number): Promise<number> =>
  deleteEnded(app.db.direct, app.clock.now(), most)

// Hashed, so that the table contains no addresses of people without an account.
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

type AttemptCount = { count: number; resets_at: Date }

/** Counts one attempt in the open window, or opens a new one. One statement, so that concurrent attempts are all counted. */
function insertAttempt(
  db: Sql,
  name: string,
  subject: string,
  now: Date,
  resetsAt: Date,
): Promise<AttemptCount> {
  return db.one<AttemptCount>`
    insert into attempts as a (name, subject, count, resets_at) values (${name}, ${subject}, 1, ${resetsAt})
    on conflict (name, subject) do update set
      count = case when a.resets_at <= ${now} then 1 else least(a.count + 1, 1000000) end,
      resets_at = case when a.resets_at <= ${now} then excluded.resets_at else a.resets_at end
    returning count, resets_at`
}

function findAttempts(db: Sql, name: string, subject: string, now: Date): Promise<AttemptCount | undefined> {
  return db.maybe<AttemptCount>`
    select count, resets_at from attempts where name = ${name} and subject = ${subject} and resets_at > ${now}`
}

async function deleteAttempts(db: Sql, name: string, subject: string): Promise<void> {
  await db.rows`delete from attempts where name = ${name} and subject = ${subject}`
}

async function deleteEnded(db: Sql, endedBefore: Date, most: number): Promise<number> {
  const gone = await db.rows`
    delete from attempts where (name, subject) in
      (select name, subject from attempts where resets_at < ${endedBefore} limit ${most}) returning name`
  return gone.length
}
