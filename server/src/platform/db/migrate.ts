// Forward-only migrations: each file is one transaction, and only one process at a time applies one.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { applyToPlaces, restoreRoles } from './place-files-sql.ts'
import { openPool, type Pool, type Statements } from './statements.ts'

export type Migration = { version: number; name: string; text: string; checksum: string }
export type Migrated = { applied: string[]; role: string | null }

export const LOCK = 7_263_401
const FOLDER = new URL('../../../migrations/', import.meta.url)
/** What content needs of the shared database, wherever it stands. */
const GROUND = ['0001_walls.sql', '0027_content.sql']

/** A server that has stopped answering by then is given up on; one file of content may take minutes. */
const DEDICATED_MAX_MS = 600_000

const NO_WALL =
  'The role of DATABASE_URL may not create roles. Let it (alter role … createrole), or let a superuser run: grant set on parameter cowrie.reach to <role>'

/**
 * Brings the database to this build's schema and says which role the service should work as. Killed at any
 * moment, it leaves a prefix of the migrations applied in full; run by several processes at once, each file is
 * applied once. A database that is ahead of this build is left alone: old and new replicas overlap in a deploy.
 * The files of content follow, in every place of this database that has content.
 */
export async function migrate(
  url: string,
  migrations?: Migration[],
  log: (line: string) => void = () => undefined,
  contentFiles?: Migration[],
  timeoutMs?: number,
): Promise<Migrated> {
  const wanted = migrations ?? (await readMigrations())
  const sql = openPool(url)
  // What is destroyed fails all that waits for it.
  const impatience = timeoutMs && setTimeout(() => void sql.end({ timeout: 0 }), timeoutMs)
  try {
    await requireServerVersion(sql)
    const applied: string[] = []
    while (true) {
      const name = await applyNext(sql, wanted)
      if (!name) break
      applied.push(name)
      log(`migrated ${name}`)
    }
    applied.push(...(await applyToPlaces(sql, LOCK, contentFiles ?? (await readContentFiles()))))
    await restoreRoles(sql, LOCK)
    const role = await workingRole(sql)
    // What keeps content alone has no such functions.
    if (role === null && !migrations && !(await maySetReach(sql))) throw new Error(NO_WALL)
    return { applied, role }
  } finally {
    clearTimeout(impatience)
    await sql.end({ timeout: 5 })
  }
}

/** Brings a database that keeps the content of one organisation, and nothing else, to this build's schema. */
export async function migrateDedicated(url: string, contentFiles?: Migration[]): Promise<Migrated> {
  const ground = (await readMigrations()).filter(({ name }) => GROUND.includes(name))
  return migrate(url, ground, undefined, contentFiles, DEDICATED_MAX_MS)
}

export const readContentFiles = (): Promise<Migration[]> => readMigrations(new URL('content/', FOLDER))

export async function readMigrations(folder: URL = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return {
        version: Number(name.slice(0, 4)),
        name,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      }
    }),
  )
}

async function requireServerVersion(sql: Statements): Promise<void> {
  const [row] = await sql.rows<{ version: number }>`
    select current_setting('server_version_num')::int as version`
  if (row && row.version < 150000)
    throw new Error(`PostgreSQL 15 or newer is needed; this server is ${row.version}`)
}

/** Applies the next missing file in a transaction of its own, under the lock. Null when there is none. */
async function applyNext(sql: Pool, wanted: Migration[]): Promise<string | null> {
  if (await isUpToDate(sql, wanted)) return null
  return sql.begin(async (tx) => {
    await tx.rows`select pg_advisory_xact_lock(${LOCK})`
    await tx.rows`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`
    const next = pendingOf(
      wanted,
      await tx.rows<Applied>`select version, name, checksum from schema_migrations`,
    )[0]
    if (!next) return null
    await tx.unsafe((await maySetReach(tx)) ? next.text : withoutReach(next.text))
    await tx.rows`insert into schema_migrations (version, name, checksum) values (${next.version}, ${next.name}, ${next.checksum})`
    return next.name
  })
}

type Applied = { version: number; name: string; checksum: string }

/** The usual case at start, told by one read and without the lock. */
async function isUpToDate(sql: Statements, wanted: Migration[]): Promise<boolean> {
  const [row] = await sql.rows<{ found: boolean }>`
    select to_regclass('schema_migrations') is not null as found`
  if (!row?.found) return false
  return (
    pendingOf(wanted, await sql.rows<Applied>`select version, name, checksum from schema_migrations`)
      .length === 0
  )
}

function pendingOf(wanted: Migration[], applied: Applied[]): Migration[] {
  const done = new Map(applied.map((row) => [row.version, row]))
  for (const migration of wanted) {
    const row = done.get(migration.version)
    if (row && row.checksum !== migration.checksum)
      throw new Error(
        `migration ${migration.name} was changed after it was applied here; restore the file and add a new one`,
      )
  }
  return wanted.filter((migration) => !done.has(migration.version))
}

/** Functions set a parameter of ours only where a superuser makes them or has allowed it. */
async function maySetReach(sql: Statements): Promise<boolean> {
  const [row] = await sql.rows<{ allowed: boolean }>`
    select has_parameter_privilege('cowrie.reach', 'SET') as allowed`
  return row?.allowed === true
}

/** Elsewhere they are made without, and reach as far because of whose rights they have: see 0034. */
const withoutReach = (text: string): string => text.replaceAll(" set cowrie.reach = 'platform'", '')

async function workingRole(sql: Statements): Promise<string | null> {
  const [row] = await sql.rows<{ granted: boolean }>`
    select exists (select from pg_roles where rolname = 'cowrie_app' and pg_has_role(current_user, oid, 'member')) as granted`
  return row?.granted ? 'cowrie_app' : null
}
