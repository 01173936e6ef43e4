// Forward-only migrations: each file is one transaction under a lock. SQL functions are applied after them.
import { countWorkers, distribute, updateFunctions } from '../citus/distribute.ts'
import { openPool, type Pool, type Statements } from '../pool.ts'
import { applyContentMigrations, restoreRoles } from './content-migrations.ts'
import {
  asMigration,
  type LockPatience,
  underMigrationLock,
  underMigrationSession,
} from './migration-lock.ts'
import { isConcurrent } from './migration-rules.ts'
import { maySetScope, withoutScopeSetting } from './scope-setting.ts'
import {
  type Migration,
  readContentMigrations,
  readFunctions,
  readMigrations,
  type SqlFile,
} from './sql-files.ts'
import { statementsOf } from './sql-statements.ts'

export type MigrationResult = {
  applied: string[]
  role: string | null
  /** Whether Citus distributes the money of organisations over nodes. */
  isDistributed?: boolean
}

export type MigrateOptions = {
  /** Default: the files of `migrations`. */
  migrations?: readonly Migration[]
  /** Default: the files of `sql/functions`, or none where `migrations` is given. */
  functions?: readonly SqlFile[]
  /** Default: the files of `migrations/content`. */
  contentMigrations?: readonly Migration[]
  timeoutMs?: number
  locks?: LockPatience
}

export const MIGRATION_LOCK = 7_263_401
/** The files that a dedicated content database needs. */
const DEDICATED_MIGRATIONS = ['0001_walls.sql', '0027_content.sql', '0046_sql_functions.sql']
const DEDICATED_FUNCTIONS = ['content.sql', 'tenant_rls.sql']

/** One content migration may take minutes. A server that takes longer is considered dead. */
const DEDICATED_MAX_MS = 600_000

const NO_RLS =
  'The role in DATABASE_URL may not create roles, or the role cowrie_app belongs to another installation. Grant it (alter role … createrole), or have a superuser run: grant set on parameter cowrie.reach to <role>'

/**
 * Brings the database to the schema of this build and returns the role that the service should use. A process that is
 * killed leaves a prefix of the migrations applied in full. With several processes each file is applied once. A database
 * that is ahead of this build is left alone, because old and new replicas overlap in a deploy. Content migrations are
 * applied to every content schema of this database.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<MigrationResult> {
  const { timeoutMs } = options
  const migrations = options.migrations ?? readMigrations()
  const functions = options.functions ?? (options.migrations ? [] : readFunctions())
  const contentFiles = options.contentMigrations ?? readContentMigrations()
  const sql = openPool(url)
  // Destroying the connections fails every statement that waits.
  const timeout = timeoutMs && setTimeout(() => void sql.end({ timeout: 0 }), timeoutMs)
  try {
    await requireServerVersion(sql)
    const applied: string[] = []
    const next = () => applyNext(sql, migrations, options.locks)
    for (let name = await next(); name; name = await next()) applied.push(name)
    applied.push(...(await applyFunctions(sql, functions)))
    applied.push(...(await applyContentMigrations(sql, MIGRATION_LOCK, contentFiles)))
    await restoreRoles(sql, MIGRATION_LOCK)
    const isDistributed =
      functions.length > 0 && (await distribute(sql, (work) => underMigrationLock(sql, MIGRATION_LOCK, work)))
    const role = await workingRole(sql)
    // A dedicated content database has no security definer functions.
    if (role === null && !options.migrations && !(await maySetScope(sql))) throw new Error(NO_RLS)
    return { applied, role, isDistributed }
  } finally {
    clearTimeout(timeout)
    await sql.end({ timeout: 5 })
  }
}

/** Brings a dedicated database, which has only the content of one organisation, to the schema of this build. */
export async function migrateDedicatedDatabase(
  url: string,
  contentFiles?: readonly Migration[],
): Promise<MigrationResult> {
  const migrations = readMigrations()
  const functions = readFunctions()
  return migrate(url, {
    migrations: migrations.filter(({ name }) => DEDICATED_MIGRATIONS.includes(name)),
    functions: functions.filter(({ name }) => DEDICATED_FUNCTIONS.includes(name)),
    ...(contentFiles && { contentMigrations: contentFiles }),
    timeoutMs: DEDICATED_MAX_MS,
  })
}

async function requireServerVersion(sql: Statements): Promise<void> {
  const [row] = await sql.rows<{ version: number }>`
    select current_setting('server_version_num')::int as version`
  if (row && row.version < 150000)
    throw new Error(`PostgreSQL 15 or newer is required, but the server has version ${row.version}.`)
}

/** Applies the next missing migration in its own transaction, under the lock. Null when there is none. */
async function applyNext(
  sql: Pool,
  migrations: readonly Migration[],
  locks?: LockPatience,
): Promise<string | null> {
  if (await isUpToDate(sql, migrations)) return null
  const next = await underMigrationLock(
    sql,
    MIGRATION_LOCK,
    async (tx) => {
      await tx.rows`create table if not exists schema_migrations (
        version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`
      const pending = await nextPending(tx, migrations)
      if (!pending || isConcurrent(statementsOf(pending.text))) return pending
      await runFile(tx, pending)
      await recordApplied(tx, pending)
      return pending
    },
    locks,
  )
  if (!next || !isConcurrent(statementsOf(next.text))) return next?.name ?? null
  const isOurs = await buildConcurrently(sql, migrations, next, locks)
  return isOurs ? next.name : applyNext(sql, migrations, locks)
}

/**
 * Builds or drops indexes outside a transaction, so that writes continue. An interrupted file runs again from its start: it first
 * drops the invalid index that the interruption has left. False when another process has applied it.
 */
async function buildConcurrently(
  sql: Pool,
  migrations: readonly Migration[],
  file: Migration,
  locks?: LockPatience,
): Promise<boolean> {
  return underMigrationSession(
    sql,
    MIGRATION_LOCK,
    async () => {
      if ((await nextPending(sql, migrations))?.version !== file.version) return false
      for (const { text } of statementsOf(file.text)) await asMigration(file.name, sql.unsafe(text))
      await recordApplied(sql, file)
      return true
    },
    locks,
  )
}

const nextPending = async (sql: Statements, migrations: readonly Migration[]): Promise<Migration | null> =>
  pendingOf(migrations, await sql.rows<Applied>`select version, name, checksum from schema_migrations`)[0] ??
  null

async function recordApplied(sql: Statements, { version, name, checksum }: Migration): Promise<void> {
  await sql.rows`insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`
}

type Applied = { version: number; name: string; checksum: string }

/** The usual case at start needs one read and no lock. */
async function isUpToDate(sql: Statements, migrations: readonly Migration[]): Promise<boolean> {
  const [row] = await sql.rows<{ found: boolean }>`
    select to_regclass('schema_migrations') is not null as found`
  if (!row?.found) return false
  return (
    pendingOf(migrations, await sql.rows<Applied>`select version, name, checksum from schema_migrations`)
      .length === 0
  )
}

function pendingOf(migrations: readonly Migration[], applied: Applied[]): Migration[] {
  const done = new Map(applied.map((row) => [row.version, row]))
  for (const migration of migrations) {
    const row = done.get(migration.version)
    if (row && row.checksum !== migration.checksum)
      throw new Error(
        `The migration ${migration.name} was changed after it was applied to this database. Restore the file and add a new migration.`,
      )
  }
  return migrations.filter((migration) => !done.has(migration.version))
}

/**
 * Applies the function files whose text this database has never had, in one transaction under the lock. An earlier text is
 * not restored: a replica of an earlier release may start during a deploy. To go back to an earlier definition, give it a
 * new text, for example another comment.
 */
async function applyFunctions(sql: Pool, files: readonly SqlFile[]): Promise<string[]> {
  if ((await pendingFunctions(sql, files)).length === 0) return []
  return underMigrationLock(sql, MIGRATION_LOCK, async (tx) => {
    const pending = await pendingFunctions(tx, files)
    for (const file of pending) {
      await runFile(tx, file)
      await tx.rows`insert into sql_functions (name, checksum) values (${file.name}, ${file.checksum}) on conflict do nothing`
    }
    await updateFunctions(tx)
    return pending.map(({ name }) => `functions/${name}`)
  })
}

async function pendingFunctions(sql: Statements, files: readonly SqlFile[]): Promise<SqlFile[]> {
  if (files.length === 0 || (await lacksScopeSetting(sql))) return [...files]
  const known = await sql.rows<{ name: string; checksum: string }>`select name, checksum from sql_functions`
  const isKnown = (file: SqlFile) =>
    known.some(({ name, checksum }) => name === file.name && checksum === file.checksum)
  return files.filter((file) => !isKnown(file))
}

async function runFile(tx: Statements, { name, text }: SqlFile): Promise<void> {
  // Citus refuses to change types and tables in one transaction otherwise.
  const hasNodes = (await countWorkers(tx)) > 0
  if (hasNodes) await tx.unsafe(`set local citus.multi_shard_modify_mode = 'sequential'`)
  const allowed = (await maySetScope(tx)) ? text : withoutScopeSetting(text)
  if (!hasNodes) {
    await asMigration(name, tx.unsafe(allowed))
    return
  }
  // Citus sends the whole text that contains a statement to its nodes, which take one statement at a time.
  for (const statement of statementsOf(allowed)) await asMigration(name, tx.unsafe(statement.text))
}

/** Functions that were created before the role was allowed to set the parameter must be created again. */
async function lacksScopeSetting(sql: Statements): Promise<boolean> {
  if (!(await maySetScope(sql))) return false
  const [row] = await sql.rows<{ lacks: boolean }>`
    select exists (select from pg_proc where oid = to_regproc('public.wallet_apply_ops')
                   and array_to_string(coalesce(proconfig, '{}'), ',') not like '%cowrie.reach%') as lacks`
  return row?.lacks === true
}

async function workingRole(sql: Statements): Promise<string | null> {
  const [row] = await sql.rows<{ granted: boolean }>`
    select exists (select from pg_roles where rolname = 'cowrie_app' and pg_has_role(current_user, oid, 'member')) as granted`
  return row?.granted ? 'cowrie_app' : null
}
