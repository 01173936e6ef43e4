// Locates dedicated databases. A database is created only as the target of a move: if it is lost later, it must not be replaced by
// an empty one. Its owner record is checked before it is used, migrated or dropped.
import type { Clock } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { OrgId } from '../../../kernel/ids.ts'
import { databaseNameIn, withDatabase } from '../../db/connection-url.ts'
import { codeOf } from '../../db/errors.ts'
import { MIGRATION_LOCK, migrateDedicatedDatabase } from '../../db/migrations/migrate.ts'
import type { DedicatedDatabase } from '../../db/placement/dedicated-pools.ts'
import type { Log } from '../../log/log.ts'
import { readContentTables } from '../content-tables.ts'
import { dropTables } from '../move/move-sql.ts'
import { createDatabase, dropDatabase, verifyAccess, withConnection } from './database-admin.ts'
import { claimDatabase, readOwner, requireOwner } from './database-owner.ts'

export type DedicatedDatabasesOptions = {
  /** The shared database, with the rights of its owner. */
  url: string
  /** The URL of dedicated databases, with `{org}` for the organisation id. Null: on the server of the shared database. */
  dedicatedUrl: string | null
  clock: Clock
  log: Log
}

/**
 * Returns the migrated database of an organisation and the role for its sessions. Successful results are cached, failures are
 * not.
 */
export type DedicatedDatabases = {
  (org: OrgId): Promise<DedicatedDatabase>
  /** The same without the cache. Creates the database if it is missing or empty, and verifies access. */
  create(org: OrgId): Promise<DedicatedDatabase>
  /** Fails for a database that does not belong to the organisation. */
  drop(org: OrgId): Promise<void>
  /** Whether a database exists that belongs to the organisation. */
  exists(org: OrgId): Promise<boolean>
}

export function createDedicatedDatabases(options: DedicatedDatabasesOptions): DedicatedDatabases {
  const ready = new Map<OrgId, Promise<DedicatedDatabase>>()
  const cache = (org: OrgId, preparing: Promise<DedicatedDatabase>): Promise<DedicatedDatabase> => {
    const database = preparing.catch((error) => {
      if (ready.get(org) === database) ready.delete(org)
      options.log.warn({ orgId: org, err: error }, 'content.dedicated_database.unavailable')
      throw error instanceof ApiError ? error : new ApiError('database_unavailable')
    })
    ready.set(org, database)
    return database
  }
  return Object.assign((org: OrgId) => ready.get(org) ?? cache(org, prepare(options, org)), {
    create: (org: OrgId) => cache(org, create(options, org)),
    exists: (org: OrgId) => exists(dedicatedUrlOf(options, org), org),
    async drop(org: OrgId) {
      ready.delete(org)
      await drop(options, org)
    },
  })
}

/** From a URL without `{org}` only the server is used, so that organisations never share a database. */
export function dedicatedUrlOf({ url, dedicatedUrl }: DedicatedDatabasesOptions, org: OrgId): string {
  if (dedicatedUrl?.includes('{org}')) return dedicatedUrl.replaceAll('{org}', org)
  return withDatabase(dedicatedUrl ?? url, `cowrie_${org}`)
}

/** A database on the same server, from which others are created and dropped: the shared database, or `postgres`. */
function maintenanceUrlOf(options: DedicatedDatabasesOptions, org: OrgId): string {
  return options.dedicatedUrl === null ? options.url : withDatabase(dedicatedUrlOf(options, org), 'postgres')
}

const databaseNameOf = (url: string): string => decodeURIComponent(databaseNameIn(url))

async function prepare(options: DedicatedDatabasesOptions, org: OrgId): Promise<DedicatedDatabase> {
  const url = dedicatedUrlOf(options, org)
  await withConnection(url, (sql) => requireOwner(sql, org))
  return { url, role: (await migrateDedicatedDatabase(url)).role }
}

/** Records the owner before the migration, so that a crash never leaves tables without an owner. */
async function create(options: DedicatedDatabasesOptions, org: OrgId): Promise<DedicatedDatabase> {
  const url = dedicatedUrlOf(options, org)
  const claim = () => withConnection(url, (sql) => claimDatabase(sql, MIGRATION_LOCK, org))
  try {
    await claim()
  } catch (error) {
    if (codeOf(error) !== NO_SUCH_DATABASE) throw error
    await createDatabase(maintenanceUrlOf(options, org), databaseNameOf(url))
    await claim()
  }
  const database = { url, role: (await migrateDedicatedDatabase(url)).role }
  await verifyAccess(database, org)
  return database
}

async function exists(url: string, org: OrgId): Promise<boolean> {
  try {
    return await withConnection(url, async (sql) => (await readOwner(sql)).org === org)
  } catch (error) {
    if (codeOf(error) === NO_SUCH_DATABASE) return false
    throw error
  }
}

/** Drops the tables when the database itself may not be dropped. */
async function drop(options: DedicatedDatabasesOptions, org: OrgId): Promise<void> {
  const url = dedicatedUrlOf(options, org)
  try {
    await withConnection(url, (sql) => requireOwner(sql, org))
    if (await dropDatabase(maintenanceUrlOf(options, org), databaseNameOf(url))) return
    await withConnection(url, async (sql) => {
      const tables = await readContentTables({ sql, schema: 'public' })
      await dropTables(
        sql,
        tables.map(({ name }) => name),
      )
    })
  } catch (error) {
    if (codeOf(error) !== NO_SUCH_DATABASE) throw error
  }
}

const NO_SUCH_DATABASE = '3D000'
