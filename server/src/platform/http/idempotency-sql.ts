// Every statement of the idempotency records.
import type { Id, OrgId, UserId } from '../../kernel/ids.ts'
import type { Sql } from '../db/tx.ts'

type Place = { userId: UserId; route: string; key: string }
type Held = Place & { fence: bigint }
export type Found = {
  id: Id<'idem'>
  fingerprint: string
  state: 'running' | 'free' | 'done'
  status: number | null
  content_type: string | null
  body: string | null
  /** The organisation that keeps the body among its content; null where it stands here. */
  kept_in: OrgId | null
  detached_at: Date | null
  claimed_at: Date
}

/** Takes the key when it is new, free or stale. One statement, so two replicas cannot both succeed. */
export function claim(
  db: Sql,
  {
    userId,
    route,
    key,
    id,
    fingerprint,
    now,
    staleBefore,
  }: Place & { id: Id<'idem'>; fingerprint: string; now: Date; staleBefore: Date },
) {
  return db.maybe<{ id: Id<'idem'>; fence: bigint }>`
    insert into idempotency_keys as held (user_id, route, key, id, fingerprint, state, fence, claimed_at, created_at)
    values (${userId}, ${route}, ${key}, ${id}, ${fingerprint}, 'running', 1, ${now}, ${now})
    on conflict (user_id, route, key) do update
      set state = 'running', fence = held.fence + 1, claimed_at = excluded.claimed_at, detached_at = null
      where held.fingerprint = excluded.fingerprint
        and (held.state = 'free' or (held.state = 'running' and held.claimed_at < ${staleBefore}))
    returning id, fence`
}

export function find(db: Sql, { userId, route, key }: Place): Promise<Found | undefined> {
  return db.maybe<Found>`
    select id, fingerprint, state, status, content_type, body, kept_in, detached_at, claimed_at from idempotency_keys
    where user_id = ${userId} and route = ${route} and key = ${key}`
}

/** Stores the outcome; false when another process has taken the key over in the meantime. */
export async function finish(
  db: Sql,
  { userId, route, key, fence }: Held,
  outcome: { status: number; contentType: string; text: string; keptIn?: OrgId | null },
  now: Date,
): Promise<boolean> {
  const rows = await db.rows`
    update idempotency_keys
    set state = 'done', status = ${outcome.status}, content_type = ${outcome.contentType}, body = ${outcome.text},
        kept_in = ${outcome.keptIn ?? null}, finished_at = ${now}
    where user_id = ${userId} and route = ${route} and key = ${key} and fence = ${fence} and state = 'running'
    returning id`
  return rows.length === 1
}

export async function release(db: Sql, { userId, route, key, fence }: Held): Promise<void> {
  await db.rows`
    update idempotency_keys set state = 'free'
    where user_id = ${userId} and route = ${route} and key = ${key} and fence = ${fence} and state = 'running'`
}

/** The work goes on: nobody takes the key over meanwhile. */
export async function renew(db: Sql, { userId, route, key, fence }: Held, now: Date): Promise<void> {
  await db.rows`
    update idempotency_keys set claimed_at = ${now}
    where user_id = ${userId} and route = ${route} and key = ${key} and fence = ${fence} and state = 'running'`
}

/** The work goes on, and nobody is listening any more. */
export async function detach(db: Sql, { userId, route, key, fence }: Held, now: Date): Promise<void> {
  await db.rows`
    update idempotency_keys set detached_at = ${now}
    where user_id = ${userId} and route = ${route} and key = ${key} and fence = ${fence} and state = 'running'`
}

export async function forget(db: Sql, { userId, route, key, fence }: Held): Promise<void> {
  await db.rows`
    delete from idempotency_keys
    where user_id = ${userId} and route = ${route} and key = ${key} and fence = ${fence} and state = 'running'`
}

/** Forgets outcomes that nobody will ask for again. Money references stay unique for ever in their own tables. */
export async function sweep(db: Sql, finishedBefore: Date, most: number): Promise<number> {
  const rows = await db.rows`
    delete from idempotency_keys
    where (user_id, route, key) in (
      select user_id, route, key from idempotency_keys
      where coalesce(finished_at, claimed_at) < ${finishedBefore} limit ${most})
    returning id`
  return rows.length
}
