// Copies the PostgreSQL binaries to a folder that the user of the server can read and no other user can change.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { codeOf } from './processes.ts'
import { canEnter, type ServerUser, spawnAs } from './server-user.ts'

export type CopyOptions = {
  log: (line: string) => void
  /** Adds the links that the package lacks. Runs on each copy before its use. */
  finish: (root: string) => boolean
  /** Parent folders to try, best first. */
  parents?: readonly string[]
}

/** The copy is kept for later starts and verified before each use. */
export function copyBinaries(
  root: string,
  user: ServerUser,
  { log, finish, parents = defaultParents() }: CopyOptions,
): string {
  const name = `cowrie-postgres-${versionOf(root)}-${basename(root)}-${user.uid}`
  const reasons: string[] = []
  for (const candidate of parents) {
    try {
      const parent = realpathSync(candidate)
      assertSafe(parent, user)
      const copy = join(parent, name)
      if (!isIntact(root, copy)) {
        log(`copying the PostgreSQL binaries to ${copy}`)
        install(root, copy, user, finish)
      }
      finish(copy)
      return copy
    } catch (error) {
      reasons.push(`${candidate}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(`No folder is suitable for the PostgreSQL binaries:\n${reasons.join('\n')}`)
}

/** Temporary folders come last, because cleanup jobs may delete files there while the server runs. */
const defaultParents = (): string[] => ['/var/cache', join(homedir(), '.cache'), tmpdir(), '/var/tmp']

/** Only root and this user may be able to replace the folder. */
function assertSafe(parent: string, user: ServerUser): void {
  if (!canEnter(user, parent)) throw new Error('the user of the server has no access')
  for (let path = parent; ; path = dirname(path)) {
    const { uid, mode } = statSync(path)
    const shared = (mode & 0o022) !== 0 && (mode & 0o1000) === 0
    if (shared || (uid !== 0 && uid !== process.getuid?.())) throw new Error(`other users can change ${path}`)
    if (dirname(path) === path) return
  }
}

/** Whether this user owns the copy and every file has its full size. Throws when another user owns or can change it. */
function isIntact(source: string, copy: string): boolean {
  const found = lstatSync(copy, { throwIfNoEntry: false })
  if (!found) return false
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(`${copy} belongs to another user or is writable by others. Remove it.`)
  }
  return filesIn(source).every(
    (file) =>
      lstatSync(join(copy, file), { throwIfNoEntry: false })?.size === lstatSync(join(source, file)).size,
  )
}

function install(source: string, copy: string, user: ServerUser, finish: (root: string) => boolean): void {
  const draft = mkdtempSync(`${copy}.`)
  try {
    cpSync(join(source, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
    finish(draft)
    openToRead(draft)
    // Fails early on a file system that is mounted with noexec.
    execFileSync(join(draft, 'native/bin/postgres'), ['--version'], {
      ...spawnAs(user),
      cwd: draft,
      env: {},
      stdio: 'pipe',
    })
    putInPlace(draft, copy)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Renames, so that no start sees a partial copy. An earlier damaged copy is renamed out of the way first. */
function putInPlace(draft: string, copy: string): void {
  const damaged = `${draft}.old`
  try {
    renameSync(copy, damaged)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  try {
    renameSync(draft, copy)
  } catch (error) {
    // Another process installed the same copy between the two renames.
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
  }
  rmSync(damaged, { recursive: true, force: true })
}

function openToRead(path: string): void {
  const stats = lstatSync(path)
  if (stats.isSymbolicLink()) return
  const executable = stats.isDirectory() || basename(dirname(path)) === 'bin'
  chmodSync(path, executable ? 0o755 : 0o644)
  if (stats.isDirectory()) for (const name of readdirSync(path)) openToRead(join(path, name))
}

/** All files, as paths below the root. */
function filesIn(root: string): string[] {
  return readdirSync(join(root, 'native'), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}

function versionOf(root: string): string {
  const { version }: { version?: unknown } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (typeof version !== 'string') throw new Error(`${root} has no version`)
  return version
}
