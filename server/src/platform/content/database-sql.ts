// Databases of organisations' own: made, and dropped, on the server that keeps them.
import { connectionOptions } from '../db/address.ts'
import { postgres } from '../db/driver.ts'
import { codeOf } from '../db/faults.ts'

/** One connection with the rights of whom the URL names, for as long as the work lasts. */
export async function connected<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const [address, overrides] = connectionOptions(url)
  const sql = postgres(address, {
    ...overrides,
    max: 1,
    onnotice: () => undefined,
    connect_timeout: 5,
    fetch_types: false,
  })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Makes a database that only its owner may enter. One that another process has just made is as good. */
export async function createDatabase(maintenanceUrl: string, name: string): Promise<void> {
  await connected(maintenanceUrl, async (sql) => {
    try {
      // The usual template cannot be copied while anybody looks at it.
      await sql.unsafe(`create database ${quoted(name)} template template0`)
    } catch (error) {
      if (!EXISTS.has(codeOf(error))) throw error
    }
    await sql.unsafe(`revoke all on database ${quoted(name)} from public`)
  })
}

/** Says whether we were allowed to. One that is not there is dropped already. */
export async function dropDatabase(maintenanceUrl: string, name: string): Promise<boolean> {
  return connected(maintenanceUrl, async (sql) => {
    try {
      await sql.unsafe(`drop database if exists ${quoted(name)} with (force)`)
      return true
    } catch (error) {
      if (codeOf(error) === '42501') return false
      throw error
    }
  })
}

const EXISTS = new Set(['42P04', '23505'])
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
