// Every statement about attempts.
import type { Sql } from '../db/tx.ts'

export type Counted = { count: number; resets_at: Date }

/** Counts one more in the window that is open, or opens one. A single statement: replicas cannot count past each other. */
export function count(db: Sql, name: string, subject: string, now: Date, resetsAt: Date): Promise<Counted> {
  return db.one<Counted>`
    insert into attempts as a (name, subject, count, resets_at) values (${name}, ${subject}, 1, ${resetsAt})
    on conflict (name, subject) do update set
      count = case when a.resets_at <= ${now} then 1 else least(a.count + 1, 1000000) end,
      resets_at = case when a.resets_at <= ${now} then excluded.resets_at else a.resets_at end
    returning count, resets_at`
}

export function look(db: Sql, name: string, subject: string, now: Date): Promise<Counted | undefined> {
  return db.maybe<Counted>`
    select count, resets_at from attempts where name = ${name} and subject = ${subject} and resets_at > ${now}`
}

export async function forget(db: Sql, name: string, subject: string): Promise<void> {
  await db.rows`delete from attempts where name = ${name} and subject = ${subject}`
}

export async function sweep(db: Sql, endedBefore: Date, most: number): Promise<number> {
  const gone = await db.rows`
    delete from attempts where (name, subject) in
      (select name, subject from attempts where resets_at < ${endedBefore} limit ${most}) returning name`
  return gone.length
}
