// Applies the files of migrations/content to each content schema: to `public` and to the schema of every isolated organisation.

import type { Pool, Statements } from '../pool.ts'
import { underMigrationLock } from './migration-lock.ts'
import type { Migration } from './sql-files.ts'

type Pending = { place: string; version: number }

/**
 * Migrates all content schemas of a database, and `newSchema` from scratch. Each file is one transaction per schema, so a killed
 * process leaves no file half applied. A database without content schemas is not changed.
 */
export async function applyContentMigrations(
  sql: Pool,
  lock: number,
  files: readonly Migration[],
  newSchema: string | null = null,
): Promise<string[]> {
  const [content] = await sql.rows<{
    found: boolean
  }>`select to_regclass('public.content_migrations') is not null as found`
  if (!content?.found) return []
  await rejectChangedFiles(sql, files)
  const applied: string[] = []
  // The usual case at start needs one read and no lock.
  while (await nextPending(sql, files, newSchema)) {
    const name = await underMigrationLock(sql, lock, async (tx) => {
      const next = await nextPending(tx, files, newSchema)
      const file = files.find(({ version }) => version === next?.version)
      return next && file ? applyFile(tx, file, next.place) : null
    })
    if (name) applied.push(name)
  }
  return applied
}

/** Roles belong to a server, not to a database. After a restore on another server, the roles of the schemas are missing. */
export async function restoreRoles(sql: Pool, lock: number): Promise<void> {
  const [places] = await sql.rows<{
    found: boolean
  }>`select to_regclass('public.content_places') is not null as found`
  if (!places?.found) return
  const [missing] = await sql.rows`
    select org_id from public.content_places
    where place = 'schema' and role_name is not null and not exists (select from pg_roles where rolname = role_name) limit 1`
  if (!missing) return
  await underMigrationLock(sql, lock, async (tx) => {
    await tx.rows`
      update public.content_places set role_name = public.content_schema(org_id)
      where place = 'schema' and role_name is not null and not exists (select from pg_roles where rolname = role_name)`
  })
}

/** The versions that are applied to a content schema, in order. */
export async function readContentVersions(sql: Statements, schema: string): Promise<number[]> {
  const rows = await sql.rows<{ version: number }>`
    select version from public.content_migrations where place = ${schema} order by version`
  return rows.map(({ version }) => version)
}

async function applyFile(tx: Statements, file: Migration, place: string): Promise<string> {
  await tx.rows`select set_config('search_path', case ${place}::text when 'public' then 'public' else format('%I, public', ${place}::text) end, true)`
  await tx.unsafe(file.text)
  await tx.rows`
    insert into public.content_migrations (place, version, name, checksum)
    values (${place}, ${file.version}, ${file.name}, ${file.checksum})`
  return `${place}/${file.name}`
}

async function nextPending(
  sql: Statements,
  files: readonly Migration[],
  newSchema: string | null,
): Promise<Pending | undefined> {
  const versions = files.map(({ version }) => version)
  const [next] = await sql.rows<Pending>`
    select p.place, f.version
    from (select place from public.content_migrations union select 'public' union select ${newSchema}::text) p
    cross join unnest(${versions}::int[]) f (version)
    where p.place is not null
      and not exists (select from public.content_migrations m where m.place = p.place and m.version = f.version)
    order by f.version, p.place limit 1`
  return next
}

/** Content migrations that the shared database had before they were separate files have an empty checksum. */
async function rejectChangedFiles(sql: Statements, files: readonly Migration[]): Promise<void> {
  const [changed] = await sql.rows<{ name: string }>`
    select f.name
    from unnest(${files.map(({ version }) => version)}::int[],
                ${files.map(({ name }) => name)}::text[],
                ${files.map(({ checksum }) => checksum)}::text[]) f (version, name, checksum)
    join public.content_migrations m on m.version = f.version and m.checksum not in ('', f.checksum)
    limit 1`
  if (changed)
    throw new Error(
      `The migration content/${changed.name} was changed after it was applied to this database. Restore the file and add a new migration.`,
    )
}
