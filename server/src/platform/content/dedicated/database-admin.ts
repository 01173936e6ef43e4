// Databases of organisations' own: made, tried out and dropped, on the server that keeps them.
import type { OrgId } from '../../../kernel/ids.ts'
import { codeOf } from '../../db/errors.ts'
import type { DedicatedDatabase } from '../../db/placement/dedicated-pools.ts'
import { setTenantScope } from '../../db/placement/placement-sql.ts'
import { openPool, type Pool, quoteIdentifier } from '../../db/pool.ts'
import { readContentTables } from '../content-tables.ts'

/** A server that has not answered by then is given up on. */
const CONNECTED_MAX_MS = 15_000

/** One connection with the rights of whom the URL names, for as long as the work lasts. */
export async function withConnection<T>(url: string, work: (sql: Pool) => Promise<T>): Promise<T> {
  const sql = openPool(url, { connectTimeoutMs: 5_000 })
  return whileOpen(sql, () => work(sql))
}

/** Makes a database that only its owner may enter. One that another process has just made is as good. */
export async function createDatabase(maintenanceUrl: string, name: string): Promise<void> {
  await withConnection(maintenanceUrl, async (sql) => {
    try {
      // The usual template cannot be copied while anybody looks at it, and may be of an encoding that cannot hold all words.
      await sql.unsafe(`create database ${quoteIdentifier(name)} template template0 encoding 'UTF8'`)
    } catch (error) {
      if (!EXISTS.has(codeOf(error))) throw error
    }
    await sql.unsafe(`revoke all on database ${quoteIdentifier(name)} from public`)
  })
}

/** Reads every table of content, opened as the service opens it: a role that it cannot take is found before it is needed. */
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

/** Says whether we were allowed to. One that is not there is dropped already. */
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
  // What is destroyed fails all that waits for it.
  const impatience = setTimeout(() => void sql.end({ timeout: 0 }), CONNECTED_MAX_MS)
  try {
    return await work()
  } finally {
    clearTimeout(impatience)
    await sql.end({ timeout: 1 })
  }
}

const EXISTS = new Set(['42P04', '23505'])
