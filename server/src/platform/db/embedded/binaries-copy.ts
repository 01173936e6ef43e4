// A copy of PostgreSQL's programs in a place that the server's user can read and nobody else can change.
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
  /** Makes what the package lacks; run on each copy before it is used. */
  finish: (root: string) => boolean
  /** Folders to try, best first. */
  places?: readonly string[]
}

/** The copy stays for later starts and is checked before each use. */
export function copyBinaries(
  root: string,
  user: ServerUser,
  { log, finish, places = usualPlaces() }: CopyOptions,
): string {
  const name = `cowrie-postgres-${versionOf(root)}-${basename(root)}-${user.uid}`
  const reasons: string[] = []
  for (const place of places) {
    try {
      const parent = realpathSync(place)
      assertSafe(parent, user)
      const copy = join(parent, name)
      if (!isIntact(root, copy)) {
        log(`copying the database's programs to ${copy}`)
        install(root, copy, user, finish)
      }
      finish(copy)
      return copy
    } catch (error) {
      reasons.push(`${place}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(`found no place for the database's programs that its user can read:\n${reasons.join('\n')}`)
}

/** Folders for temporary files come last: a long-running server would miss what cleaners take from there. */
const usualPlaces = (): string[] => ['/var/cache', join(homedir(), '.cache'), tmpdir(), '/var/tmp']

/** Nobody but root and us may be able to exchange the folder below our feet. */
function assertSafe(parent: string, user: ServerUser): void {
  if (!canEnter(user, parent)) throw new Error('the user of the database cannot go there')
  for (let path = parent; ; path = dirname(path)) {
    const { uid, mode } = statSync(path)
    const shared = (mode & 0o022) !== 0 && (mode & 0o1000) === 0
    if (shared || (uid !== 0 && uid !== process.getuid?.())) throw new Error(`others could change ${path}`)
    if (dirname(path) === path) return
  }
}

/** Ours, closed to others, and every file there in full size. A folder of somebody else's under our name is refused. */
function isIntact(source: string, copy: string): boolean {
  const found = lstatSync(copy, { throwIfNoEntry: false })
  if (!found) return false
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(`${copy} is not ours alone; remove it`)
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
    // A place mounted without the right to execute shows here and not as a riddle later.
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

/** Renames, so that no start ever sees half a copy. What was there goes aside first; it was not intact. */
function putInPlace(draft: string, copy: string): void {
  const aside = `${draft}.old`
  try {
    renameSync(copy, aside)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  try {
    renameSync(draft, copy)
  } catch (error) {
    // Another process put the same copy there between the two steps.
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
  }
  rmSync(aside, { recursive: true, force: true })
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
