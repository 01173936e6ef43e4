// SQL of flags.
import type { OrgId, UserId } from '../kernel/ids.ts'
import { json, type Sql, type Tx } from '../platform/db/tx.ts'
import type { TierOverrides } from './evaluate.ts'

export type Flag = {
  key: string
  description: string
  defaultEnabled: boolean
  tierOverrides: TierOverrides
  updatedAt: Date
}
export type StoredFlag = Flag & { madeAtRevision: bigint }
/** A change of an override; `enabled` is null when it was cleared. */
export type OverrideChange = { revision: bigint; key: string; orgId: string; enabled: boolean | null }
export type Override = { key: string; orgId: OrgId; enabled: boolean; updatedAt: Date }

export const FLAGS_MAX = 500

export const readRevision = (sql: Sql) => sql.one<{ revision: bigint }>`select revision from flag_revision`

export function readFlags(sql: Sql): Promise<StoredFlag[]> {
  return sql.rows<StoredFlag>`
    select key, description, default_enabled as "defaultEnabled", tier_overrides as "tierOverrides",
           updated_at as "updatedAt", made_at_revision as "madeAtRevision"
    from flags order by key limit ${FLAGS_MAX}`
}

/** The last change of the previous page. */
export type OverridePosition = Pick<OverrideChange, 'revision' | 'key' | 'orgId'>

/**
 * Changes of overrides after a position and up to a revision, in order. Needs the `platform` tenant scope.
 */
export function listChangesAfter(
  tx: Tx,
  after: OverridePosition,
  until: bigint,
  limit: number,
): Promise<OverrideChange[]> {
  return tx.rows<OverrideChange>`
    select revision, flag_key as key, org_id as "orgId", enabled from flag_overrides
    where (revision, flag_key, org_id) > (${after.revision}::bigint, ${after.key}, ${after.orgId})
      and revision <= ${until}
    order by revision, flag_key, org_id limit ${limit}`
}

export function listFlags(tx: Tx, afterKey: string, limit: number): Promise<Flag[]> {
  return tx.rows<Flag>`
    select key, description, default_enabled as "defaultEnabled", tier_overrides as "tierOverrides",
           updated_at as "updatedAt"
    from flags where key > ${afterKey} order by key limit ${limit}`
}

/** The newest overrides of each flag, at most `most` per flag. */
export function newestOverrides(tx: Tx, keys: readonly string[], most: number): Promise<Override[]> {
  return tx.rows<Override>`
    select o.flag_key as key, o.org_id as "orgId", o.enabled, o.updated_at as "updatedAt"
    from unnest(${keys}::text[]) wanted (key)
    cross join lateral (
      select flag_key, org_id, enabled, updated_at, revision from flag_overrides
      where flag_key = wanted.key and enabled is not null order by revision desc limit ${most}) o
    order by o.flag_key, o.revision desc`
}

export function listOverrides(tx: Tx, key: string, afterOrg: string, limit: number): Promise<Override[]> {
  return tx.rows<Override>`
    select flag_key as key, org_id as "orgId", enabled, updated_at as "updatedAt" from flag_overrides
    where flag_key = ${key} and enabled is not null and org_id > ${afterOrg} order by org_id limit ${limit}`
}

/** Serialises changes of flags, so that each sees the value it replaces. */
export const lockForChange = (tx: Tx): Promise<void> => tx.lock('flags')

export function findFlag(tx: Tx, key: string): Promise<Flag | undefined> {
  return tx.maybe<Flag>`
    select key, description, default_enabled as "defaultEnabled", tier_overrides as "tierOverrides",
           updated_at as "updatedAt"
    from flags where key = ${key}`
}

export const countFlags = (tx: Tx) => tx.one<{ count: bigint }>`select count(*) as count from flags`

export async function saveFlag(tx: Tx, flag: Flag, by: UserId): Promise<void> {
  await tx.rows`
    insert into flags (key, description, default_enabled, tier_overrides, updated_at, updated_by)
    values (${flag.key}, ${flag.description}, ${flag.defaultEnabled}, ${json(flag.tierOverrides)}, ${flag.updatedAt}, ${by})
    on conflict (key) do update set description = excluded.description, default_enabled = excluded.default_enabled,
      tier_overrides = excluded.tier_overrides, updated_at = excluded.updated_at, updated_by = excluded.updated_by`
}

export async function deleteFlag(tx: Tx, key: string): Promise<void> {
  await tx.rows`delete from flags where key = ${key}`
}

export function findOverride(tx: Tx, key: string, orgId: OrgId) {
  return tx.maybe<{ enabled: boolean | null }>`
    select enabled from flag_overrides where flag_key = ${key} and org_id = ${orgId}`
}

export async function saveOverride(
  tx: Tx,
  key: string,
  orgId: OrgId,
  enabled: boolean | null,
  by: UserId,
): Promise<void> {
  await tx.rows`
    insert into flag_overrides (flag_key, org_id, enabled, updated_at, updated_by)
    values (${key}, ${orgId}, ${enabled}, ${tx.now}, ${by})
    on conflict (flag_key, org_id) do update set enabled = excluded.enabled, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by`
}
