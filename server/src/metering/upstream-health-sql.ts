// SQL of rejected upstream keys.
import type { Sql, Tx } from '../platform/db/tx.ts'

export type StoredRefusal = { status: number; since: Date }

/** Records a rejection. True when staff must be alerted: a new incident, and no alert about this key since `quietSince`. */
export async function insertRefusal(
  tx: Tx,
  digest: string,
  status: number,
  quietSince: Date,
): Promise<boolean> {
  const inserted = await tx.rows`
    insert into upstream_refusals (digest, status, since, alerted_at)
    values (${digest}, ${status}, ${tx.now}, ${tx.now}) on conflict (digest) do nothing returning digest`
  if (inserted.length > 0) return true
  const { isAlert } = await tx.one<{ isAlert: boolean }>`
    with known as (
      select digest, since, alerted_at, cleared_at is not null as is_over,
             cleared_at is not null and alerted_at < ${quietSince} as is_alert
      from upstream_refusals where digest = ${digest} for update)
    update upstream_refusals as refusal
    set status = ${status}, cleared_at = null,
        since = case when known.is_over then ${tx.now} else known.since end,
        alerted_at = case when known.is_alert then ${tx.now} else known.alerted_at end
    from known where refusal.digest = known.digest
    returning known.is_alert as "isAlert"`
  return isAlert
}

export async function clearRefusal(db: Sql, digest: string, now: Date): Promise<void> {
  await db.rows`
    update upstream_refusals set cleared_at = ${now} where digest = ${digest} and cleared_at is null`
}

export function openRefusal(db: Sql, digest: string): Promise<StoredRefusal | undefined> {
  return db.maybe<StoredRefusal>`
    select status, since from upstream_refusals where digest = ${digest} and cleared_at is null`
}
