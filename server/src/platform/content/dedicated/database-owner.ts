// Whose content a database keeps is written in it, before anything else. A URL can lead elsewhere than it did: to the database of
// somebody else, to an empty one, or to the shared one. What is not marked is not read, not written and not dropped.
import { present } from '../../../kernel/assert.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import type { Pool, Statements } from '../../db/pool.ts'

export type DatabaseOwner = {
  readonly org: string | null
  /** Whether the service itself, or something that nobody has marked, is there. */
  readonly isTaken: boolean
}

export async function readOwner(sql: Statements): Promise<DatabaseOwner> {
  const [found] = await sql.rows<{ isShared: boolean; isUsed: boolean; isMarked: boolean }>`
    select to_regclass('public.orgs') is not null as "isShared",
      to_regclass('public.schema_migrations') is not null as "isUsed",
      to_regclass('public.content_owner') is not null as "isMarked"`
  const { isShared, isUsed, isMarked } = present(found, 'a select without a table has one row')
  const [owner] = isMarked
    ? await sql.rows<{ org: string }>`select org_id as org from public.content_owner`
    : []
  return { org: isShared ? null : (owner?.org ?? null), isTaken: isShared || (isUsed && !owner) }
}

export async function requireOwner(sql: Statements, org: OrgId): Promise<void> {
  if ((await readOwner(sql)).org !== org) throw new Error(`this database is not marked as that of ${org}`)
}

/** Marks a database that nothing of ours is in. One that is marked already stays as it is. */
export async function claimDatabase(sql: Pool, lock: number, org: OrgId): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.rows`select pg_advisory_xact_lock(${lock})`
    const found = await readOwner(tx)
    if (found.isTaken) throw new Error(`what this database keeps is not that of ${org}`)
    if (found.org === null) {
      await tx.rows`create table public.content_owner (is_one boolean primary key default true check (is_one), org_id text not null)`
      await tx.rows`insert into public.content_owner (org_id) values (${org})`
    }
    await requireOwner(tx, org)
  })
}
