// Where an organisation's own database is. It is made when content is to go there and at no other time: one that is lost later must not
// look like one that is empty. It says whose it is, and is asked for that before it is used, brought to this build's schema, or dropped.
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
  /** Where databases of their own are: `{org}` stands for the organisation's id. Null: beside the shared one. */
  dedicatedUrl: string | null
  clock: Clock
  log: Log
}

/**
 * Where an organisation's own database is, which is ready, and the role to work as there. Asked again, it is remembered; a failure
 * is not.
 */
export type DedicatedDatabases = {
  (org: OrgId): Promise<DedicatedDatabase>
  /** The same, made anew where it is missing or empty, and tried out. Nothing is remembered from before. */
  make(org: OrgId): Promise<DedicatedDatabase>
  /** Refuses a database that is not marked as this organisation's. */
  drop(org: OrgId): Promise<void>
  /** Whether there is a database that is marked as this organisation's. */
  isThere(org: OrgId): Promise<boolean>
}

export function createDedicatedDatabases(options: DedicatedDatabasesOptions): DedicatedDatabases {
  const ready = new Map<OrgId, Promise<DedicatedDatabase>>()
  const remember = (org: OrgId, making: Promise<DedicatedDatabase>): Promise<DedicatedDatabase> => {
    const address = making.catch((error) => {
      if (ready.get(org) === address) ready.delete(org)
      options.log.warn({ orgId: org, err: error }, 'content.dedicated_database.unavailable')
      throw error instanceof ApiError ? error : new ApiError('database_unavailable')
    })
    ready.set(org, address)
    return address
  }
  return Object.assign((org: OrgId) => ready.get(org) ?? remember(org, makeReady(options, org)), {
    make: (org: OrgId) => remember(org, make(options, org)),
    isThere: (org: OrgId) => isThere(dedicatedUrlOf(options, org), org),
    async drop(org: OrgId) {
      ready.delete(org)
      await drop(options, org)
    },
  })
}

/** A URL that leaves no room for the organisation names the server alone: no two ever share a database. */
export function dedicatedUrlOf({ url, dedicatedUrl }: DedicatedDatabasesOptions, org: OrgId): string {
  if (dedicatedUrl?.includes('{org}')) return dedicatedUrl.replaceAll('{org}', org)
  return withDatabase(dedicatedUrl ?? url, `cowrie_${org}`)
}

/** A database of the same server, to make and drop others from: ours where it is that server, else the one that all have. */
function maintenanceUrlOf(options: DedicatedDatabasesOptions, org: OrgId): string {
  return options.dedicatedUrl === null ? options.url : withDatabase(dedicatedUrlOf(options, org), 'postgres')
}

const databaseNameOf = (url: string): string => decodeURIComponent(databaseNameIn(url))

async function makeReady(options: DedicatedDatabasesOptions, org: OrgId): Promise<DedicatedDatabase> {
  const url = dedicatedUrlOf(options, org)
  await withConnection(url, (sql) => requireOwner(sql, org))
  return { url, role: (await migrateDedicatedDatabase(url)).role }
}

/** The mark comes before the ground, so that no crash leaves a ground that is nobody's. */
async function make(options: DedicatedDatabasesOptions, org: OrgId): Promise<DedicatedDatabase> {
  const url = dedicatedUrlOf(options, org)
  const marked = () => withConnection(url, (sql) => claimDatabase(sql, MIGRATION_LOCK, org))
  try {
    await marked()
  } catch (error) {
    if (codeOf(error) !== NO_SUCH_DATABASE) throw error
    await createDatabase(maintenanceUrlOf(options, org), databaseNameOf(url))
    await marked()
  }
  const address = { url, role: (await migrateDedicatedDatabase(url)).role }
  await verifyAccess(address, org)
  return address
}

async function isThere(url: string, org: OrgId): Promise<boolean> {
  try {
    return await withConnection(url, async (sql) => (await readOwner(sql)).org === org)
  } catch (error) {
    if (codeOf(error) === NO_SUCH_DATABASE) return false
    throw error
  }
}

/** Where the database itself may not be dropped its tables are. */
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
