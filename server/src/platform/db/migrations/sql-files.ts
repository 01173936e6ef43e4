// The SQL files of this build: migrations, content migrations and functions.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { once } from '../../../kernel/once.ts'

/** A SQL file and the hash of its text. */
export type SqlFile = { name: string; text: string; checksum: string }
export type Migration = SqlFile & { version: number }

const FOLDER = new URL('../../../../migrations/', import.meta.url)
const FUNCTIONS = new URL('../../../../sql/functions/', import.meta.url)

/** Read once per process: they belong to the build. */
export const readMigrations = once(() => migrationsIn(FOLDER))
export const readContentMigrations = once(() => migrationsIn(new URL('content/', FOLDER)))
export const readFunctions = once(() => sqlFilesIn(FUNCTIONS, /^[a-z_]+\.sql$/))

function migrationsIn(folder: URL): readonly Migration[] {
  const files = sqlFilesIn(folder, /^\d{4}_[a-z0-9_]+\.sql$/)
  return files.map((file) => ({ ...file, version: Number(file.name.slice(0, 4)) }))
}

function sqlFilesIn(folder: URL, pattern: RegExp): readonly SqlFile[] {
  const names = readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()
  return names.map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}
