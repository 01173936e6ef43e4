// A dedicated database records its owner organisation before any content. A changed URL may lead to the database of another
// organisation, to an empty one, or to the shared one. A database without the right owner is never read, written or dropped.
import { present } from '../../../kernel/assert.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import type { Pool, Statements } from '../../db/pool.ts'

export type DatabaseOwner = {
  readonly org: string | null
  /** Whether it is the shared database, or has tables of this service but no owner record. */
  readonly isTaken: boolean
}

export async function readOwner(sql: Statements): Promise<DatabaseOwner> {
  const [found] = await sql.rows<{ isShared: boolean; isUsed: boolean; hasOwner: boolean }>`
    select to_regclass('public.orgs') is not null as "isShared",
      to_regclass('public.schema_migrations') is not null as "isUsed",
      to_regclass('public.content_owner') is not null as "hasOwner"`
  const { isShared, isUsed, hasOwner } = present(found, 'a select without a table has one row')
  const [owner] = hasOwner
    ? await sql.rows<{ org: string }>`select org_id as org from public.content_owner`
    : []
  return { org: isShared ? null : (owner?.org ?? null), isTaken: isShared || (isUsed && !owner) }
}

export async function requireOwner(sql: Statements, org: OrgId): Promise<void> {
  if ((await readOwner(sql)).org !== org) throw new Error(`The database does not belong to ${org}.`)
}

/** Records the owner of an unused database. Succeeds if the organisation already owns it. */
export async function claimDatabase(sql: Pool, lock: number, org: OrgId): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.rows`select pg_advisory_xact_lock(${lock})`
    const found = await readOwner(tx)
    if (found.isTaken) throw new Error(`The database is already in use and does not belong to ${org}.`)
    if (found.org === null) {
      await tx.rows`create table public.content_owner (is_one boolean primary key default true check (is_one), org_id text not null)`
      await tx.rows`insert into public.content_owner (org_id) values (${org})`
    }
    await requireOwner(tx, org)
  })
}
