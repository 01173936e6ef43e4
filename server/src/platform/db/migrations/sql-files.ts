// The SQL files of this build: migrations, content migrations and functions.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** A SQL file and the hash of its text. */
export type SqlFile = { name: string; text: string; checksum: string }
export type Migration = SqlFile & { version: number }

const FOLDER = new URL('../../../../migrations/', import.meta.url)
const FUNCTIONS = new URL('../../../../sql/functions/', import.meta.url)

export const readContentMigrations = (): Promise<Migration[]> => readMigrations(new URL('content/', FOLDER))

export async function readMigrations(folder: URL = FOLDER): Promise<Migration[]> {
  const files = await readSqlFiles(folder, /^\d{4}_[a-z0-9_]+\.sql$/)
  return files.map((file) => ({ ...file, version: Number(file.name.slice(0, 4)) }))
}

export const readFunctions = (): Promise<SqlFile[]> => readSqlFiles(FUNCTIONS, /^[a-z_]+\.sql$/)

async function readSqlFiles(folder: URL, pattern: RegExp): Promise<SqlFile[]> {
  const names = (await readdir(folder)).filter((name) => pattern.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}
