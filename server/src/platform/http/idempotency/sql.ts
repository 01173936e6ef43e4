// SQL statements of idempotency keys and their stored replies.
import type { Id, OrgId, UserId } from '../../../kernel/ids.ts'
import { codeOf } from '../../db/errors.ts'
import type { Sql, Tx } from '../../db/tx.ts'

type KeyRef = { userId: UserId; route: string; key: string }
type ClaimedKey = KeyRef & { fence: bigint }
export type StoredKey = {
  id: Id<'idem'>
  fingerprint: string
  state: 'running' | 'free' | 'done'
  status: number | null
  content_type: string | null
  body: string | null
  /** The organisation whose content database has the body; null when it is in this row. */
  kept_in: OrgId | null
  detached_at: Date | null
  claimed_at: Date
  lease_until: Date | null
}

export type NewClaim = KeyRef & { id: Id<'idem'>; fingerprint: string }

/** Claims those of the keys that are new, and returns their ids. Does not wait for the owners of other keys. */
export async function claimNew(
  db: Sql,
  asked: readonly NewClaim[],
  now: Date,
  leaseUntil: Date,
): Promise<Id<'idem'>[]> {
  // In the order of the keys, so that concurrent statements cannot deadlock.
  const rows = await db.rows<{ id: Id<'idem'> }>`
    insert into idempotency_keys
      (user_id, route, key, id, fingerprint, state, fence, claimed_at, created_at, lease_until)
    select user_id, route, key, id, fingerprint, 'running', 1, ${now}, ${now}, ${leaseUntil}
    from unnest(${asked.map(({ userId }) => userId)}::text[], ${asked.map(({ route }) => route)}::text[],
                ${asked.map(({ key }) => key)}::text[], ${asked.map(({ id }) => id)}::text[],
                ${asked.map(({ fingerprint }) => fingerprint)}::text[]) as asked (user_id, route, key, id, fingerprint)
    order by user_id, route, key
    on conflict (user_id, route, key) do nothing
    returning id`
  return rows.map(({ id }) => id)
}

/** Claims a new, free or abandoned key. One statement, so that two replicas cannot both succeed. */
export function claim(
  db: Sql,
  { userId, route, key, id, fingerprint }: NewClaim,
  { now, leaseUntil, staleBefore }: { now: Date; leaseUntil: Date; staleBefore: Date },
) {
  return db.maybe<{ id: Id<'idem'>; fence: bigint }>`
    insert into idempotency_keys as held
      (user_id, route, key, id, fingerprint, state, fence, claimed_at, created_at, lease_until)
    values (${userId}, ${route}, ${key}, ${id}, ${fingerprint}, 'running', 1, ${now}, ${now}, ${leaseUntil})
    on conflict (user_id, route, key) do update
      set state = 'running', fence = held.fence + 1, claimed_at = excluded.claimed_at, detached_at = null,
          lease_until = excluded.lease_until
      where held.fingerprint = excluded.fingerprint
        and (held.state = 'free'
             or (held.state = 'running' and (held.lease_until <= ${now} or held.claimed_at < ${staleBefore})))
    returning id, fence`
}

export function find(db: Sql, { userId, route, key }: KeyRef): Promise<StoredKey | undefined> {
  return db.maybe<StoredKey>`
    select id, fingerprint, state, status, content_type, body, kept_in, detached_at, claimed_at, lease_until
    from idempotency_keys
    where user_id = ${userId} and route = ${route} and key = ${key}`
}

const TAKEN_OVER = 'CW002'
export const isTakenOver = (error: unknown): boolean => codeOf(error) === TAKEN_OVER

/** Stores the outcome. The statement fails when another process has taken over the key. */
export async function finish(
  db: Sql,
  { userId, route, key, fence }: ClaimedKey,
  outcome: { status: number; contentType: string; text: string; keptIn?: OrgId | null },
  now: Date,
): Promise<void> {
  await db.rows`
    select idempotency_finish(${userId}, ${route}, ${key}, ${fence}, ${outcome.status}, ${outcome.contentType}, ${outcome.text},
                              ${outcome.keptIn ?? null}, ${now})`
}

export async function release(db: Sql, { userId, route, key, fence }: ClaimedKey): Promise<void> {
  await db.rows`
    update idempotency_keys set state = 'free'
    where user_id = ${userId} and route = ${route} and key = ${key} and fence = ${fence} and state = 'running'`
}

/** Restarts the stale limit and the lease of long work. */
export async function renew(
  db: Sql,
  { userId, route, key, fence }: ClaimedKey,
  now: Date,
  leaseUntil: Date,
): Promise<void> {
  await db.rows`
    update idempotency_keys set claimed_at = ${now}, lease_until = ${leaseUntil}
    where user_id = ${userId} and route = ${route} and key = ${key} and fence = ${fence} and state = 'running'`
}

/** Renews the leases of one process. A key that was taken over has another fence and is skipped. */
export async function renewLeases(
  db: Sql,
  held: readonly { readonly id: Id<'idem'>; readonly fence: bigint }[],
  leaseUntil: Date,
): Promise<void> {
  await db.rows`
    update idempotency_keys k set lease_until = ${leaseUntil}
    from unnest(${held.map(({ id }) => id)}::text[], ${held.map(({ fence }) => fence)}::bigint[]) as mine (id, fence)
    where k.id = mine.id and k.fence = mine.fence and k.state = 'running'`
}

/** Records that the client has disconnected while the work continues. */
export async function detach(db: Sql, { userId, route, key, fence }: ClaimedKey, now: Date): Promise<void> {
  await db.rows`
    update idempotency_keys set detached_at = ${now}
    where user_id = ${userId} and route = ${route} and key = ${key} and fence = ${fence} and state = 'running'`
}

export async function forget(db: Sql, { userId, route, key, fence }: ClaimedKey): Promise<void> {
  await db.rows`
    delete from idempotency_keys
    where user_id = ${userId} and route = ${route} and key = ${key} and fence = ${fence} and state = 'running'`
}

/** Many, because a key may be claimed again long after it was created. */
const OLDEST_KEYS = 2_000

/** When the oldest key was finished, or claimed if it is not. Looks at those that were created first. */
export async function oldestOutcome(db: Sql): Promise<Date | null> {
  const { at } = await db.one<{ at: Date | null }>`
    select min(coalesce(finished_at, claimed_at)) as at
    from (select finished_at, claimed_at from idempotency_keys order by created_at limit ${OLDEST_KEYS}) as first`
  return at
}

/** In the shared tables. */
export async function oldestReply(tx: Tx): Promise<Date | null> {
  return (await tx.content.one<{ at: Date | null }>`select min(kept_at) as at from kept_replies`).at
}

/** Deletes expired outcomes. Money references stay unique in their own tables. */
export async function sweep(db: Sql, finishedBefore: Date, most: number): Promise<number> {
  const rows = await db.rows`
    delete from idempotency_keys
    where (user_id, route, key) in (
      select user_id, route, key from idempotency_keys
      where created_at < ${finishedBefore} and coalesce(finished_at, claimed_at) < ${finishedBefore} limit ${most})
    returning id`
  return rows.length
}

/** A dedicated content database commits first, so a failed attempt may have left a row. */
export async function insertReply(tx: Tx, org: OrgId, id: Id<'idem'>, body: string): Promise<void> {
  await tx.content.rows`
    insert into kept_replies (id, org_id, body, kept_at) values (${id}, ${org}, ${body}, ${tx.now})
    on conflict (id) do update set body = excluded.body, kept_at = excluded.kept_at`
}

export async function findReply(tx: Tx, org: OrgId, id: Id<'idem'>): Promise<string | undefined> {
  const found = await tx.content.maybe<{ body: string }>`
    select body from kept_replies where id = ${id} and org_id = ${org}`
  return found?.body
}

export async function deleteReplies(tx: Tx, keptBefore: Date, most: number): Promise<number> {
  const rows = await tx.content.rows`
    delete from kept_replies where id in (select id from kept_replies where kept_at < ${keptBefore} limit ${most}) returning id`
  return rows.length
}
