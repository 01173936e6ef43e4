// SQL of the health of providers.
import type { Sql, Tx } from '../../platform/db/tx.ts'

export type StoredHealth = {
  providerId: string
  status: 'healthy' | 'degraded' | 'down'
  since: Date
  failures: number
  isRejected: boolean
  lastError: string | null
  lastUsedAt: Date | null
}

export function readHealth(sql: Sql): Promise<StoredHealth[]> {
  return sql.rows<StoredHealth>`
    select provider_id as "providerId", status, since, failures, is_rejected as "isRejected", last_error as "lastError",
           last_used_at as "lastUsedAt"
    from provider_health`
}

/** Serialises changes of one provider, also before its row exists. */
export async function lockHealth(tx: Tx, providerId: string): Promise<StoredHealth | undefined> {
  await tx.lock(`provider health ${providerId}`)
  return tx.maybe<StoredHealth>`
    select provider_id as "providerId", status, since, failures, is_rejected as "isRejected", last_error as "lastError",
           last_used_at as "lastUsedAt"
    from provider_health where provider_id = ${providerId}`
}

export async function saveHealth(tx: Tx, health: StoredHealth): Promise<void> {
  const { providerId, status, since, failures, isRejected, lastError, lastUsedAt } = health
  await tx.rows`
    insert into provider_health (provider_id, status, since, failures, is_rejected, last_error, last_used_at, updated_at)
    values (${providerId}, ${status}, ${since}, ${failures}, ${isRejected}, ${lastError}, ${lastUsedAt}, ${tx.now})
    on conflict (provider_id) do update set status = excluded.status, since = excluded.since, failures = excluded.failures,
      is_rejected = excluded.is_rejected, last_error = excluded.last_error, last_used_at = excluded.last_used_at,
      updated_at = excluded.updated_at`
}

/** A changed or deleted provider starts again without a known status. */
export async function deleteHealth(tx: Tx, providerId: string): Promise<void> {
  await tx.rows`delete from provider_health where provider_id = ${providerId}`
}
