// Creates, verifies and drops dedicated databases on their server.
import type { OrgId } from '../../../kernel/ids.ts'
import { codeOf } from '../../db/errors.ts'
import type { DedicatedDatabase } from '../../db/placement/dedicated-pools.ts'
import { setTenantScope } from '../../db/placement/placement-sql.ts'
import { openPool, type Pool, quoteIdentifier } from '../../db/pool.ts'
import { readContentTables } from '../content-tables.ts'

/** A server that has not answered by then is considered unavailable. */
const CONNECTED_MAX_MS = 15_000

/** Opens one connection with the rights of the user in the URL, for the duration of `work`. */
export async function withConnection<T>(url: string, work: (sql: Pool) => Promise<T>): Promise<T> {
  const sql = openPool(url, { connectTimeoutMs: 5_000 })
  return whileOpen(sql, () => work(sql))
}

/** Creates a database that only its owner can connect to. Succeeds if another process has just created it. */
export async function createDatabase(maintenanceUrl: string, name: string): Promise<void> {
  await withConnection(maintenanceUrl, async (sql) => {
    try {
      // template1 cannot be copied while it has connections, and its encoding may not be UTF8.
      await sql.unsafe(`create database ${quoteIdentifier(name)} template template0 encoding 'UTF8'`)
    } catch (error) {
      if (!EXISTS.has(codeOf(error))) throw error
    }
    await sql.unsafe(`revoke all on database ${quoteIdentifier(name)} from public`)
  })
}

/** Reads every content table with the role of the service, so that a role that cannot be set is found before the move. */
export async function verifyAccess({ url, role }: DedicatedDatabase, org: OrgId): Promise<void> {
  const tables = await withConnection(url, (sql) => readContentTables({ sql, schema: 'public' }))
  const pool = openPool(url, { statementTimeoutMs: 5_000, session: role ? { role } : {} })
  await whileOpen(pool, () =>
    pool.begin(async (tx) => {
      await setTenantScope(tx, org)
      for (const { name } of tables) await tx.unsafe(`select from public.${quoteIdentifier(name)} limit 1`)
    }),
  )
}

/** False when the user may not drop it. True when it does not exist. */
export async function dropDatabase(maintenanceUrl: string, name: string): Promise<boolean> {
  return withConnection(maintenanceUrl, async (sql) => {
    try {
      await sql.unsafe(`drop database if exists ${quoteIdentifier(name)} with (force)`)
      return true
    } catch (error) {
      if (codeOf(error) === '42501') return false
      throw error
    }
  })
}

async function whileOpen<T>(
  sql: { end(options: { timeout: number }): Promise<void> },
  work: () => Promise<T>,
): Promise<T> {
  // Destroying the connections fails all waiting statements.
  const timer = setTimeout(() => void sql.end({ timeout: 0 }), CONNECTED_MAX_MS)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
    await sql.end({ timeout: 1 })
  }
}

const EXISTS = new Set(['42P04', '23505'])
