// Content placements for tests, created directly without a move.

import { newId, type OrgId } from '@cowrie/server/src/kernel/ids.ts'
import { applyContentMigrations } from '@cowrie/server/src/platform/db/migrations/content-migrations.ts'
import { migrateDedicatedDatabase } from '@cowrie/server/src/platform/db/migrations/migrate.ts'
import { readContentMigrations } from '@cowrie/server/src/platform/db/migrations/sql-files.ts'
import { withPool } from '@cowrie/server/src/platform/db/pool.ts'
import type { Db, Sql } from '@cowrie/server/src/platform/db/tx.ts'
import { createDatabase } from '../harness/harness.ts'

export type Owner = { readonly url: string; readonly sql: Sql; readonly clock: { now(): Date } }

/** An organisation in the shared tables. */
export async function makeOrg({ sql, clock }: Owner): Promise<OrgId> {
  const org = newId('org')
  await sql.rows`insert into orgs (id, name, type, tier, currency, created_at)
    values (${org}, 'Ada', 'individual', 'individual', 'NGN', ${clock.now()})`
  return org
}

/** Places the organisation in a schema and returns its role. Existing rows stay in the shared tables. */
export async function placeInSchema(owner: Owner, org: OrgId): Promise<string> {
  const { role } = await owner.sql.one<{ role: string }>`select content_schema(${org}) as role`
  const files = readContentMigrations()
  await withPool(owner.url, (pool) => applyContentMigrations(pool, 1, files, org))
  await setPlacement(owner, org, 'schema', role)
  return role
}

/** Places the organisation in a dedicated database and returns its URL. */
export async function placeInDatabase(owner: Owner, org: OrgId): Promise<string> {
  const url = await createDatabase(null)
  await migrateDedicatedDatabase(url)
  await setPlacement(owner, org, 'dedicated', null)
  return url
}

export async function setPlacement(
  { sql, clock }: Owner,
  org: OrgId,
  place: 'schema' | 'dedicated',
  role: string | null,
): Promise<void> {
  await sql.rows`
    insert into content_places (org_id, place, role_name, begun_at) values (${org}, ${place}, ${role}, ${clock.now()})
    on conflict (org_id) do update set place = excluded.place, role_name = excluded.role_name`
}

/** Writes a content row as the service does. */
export const insertThread = (db: Db, org: OrgId, id: string): Promise<void> =>
  db.tx(org, (tx) => insertThreadIn(tx, org, id))

export async function insertThreadIn(tx: { content: Sql; now: Date }, org: OrgId, id: string): Promise<void> {
  await tx.content.rows`
    insert into chat_threads (id, org_id, user_id, mode, created_at, updated_at)
    values (${id}, ${org}, 'usr_1', 'general', ${tx.now}, ${tx.now})`
}

/** The ids of all rows that the scope of an organisation shows. */
export const readThreadIds = (db: Db, org: OrgId): Promise<string[]> =>
  db.tx(org, (tx) => selectThreadIds(tx.content))

export async function selectThreadIds(sql: Sql): Promise<string[]> {
  const rows = await sql.rows<{ id: string }>`select id from chat_threads order by id`
  return rows.map(({ id }) => id)
}
