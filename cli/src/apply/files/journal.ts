// Write-ahead journal: stores the planned writes before the first file changes, so that a later command can roll back after
// a crash. It is also the lock. After all writes it becomes the record for "undo".
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../errors.ts'
import type { FileState } from './find-file.ts'
import { whyRejected } from './path-rules.ts'

/** One file before and after; at least one is present. */
export type Step = {
  readonly path: string
  readonly before: FileState | null
  readonly after: FileState | null
}

export type Journal = {
  /** The id shown to the user: of a result, or one derived from a patch. */
  readonly id: string
  readonly createdAt: string
  /** Part of the temporary file names, unique to this write. */
  readonly nonce: string
  readonly steps: readonly Step[]
  /** Folders created for this write, outermost first. */
  readonly folders: readonly string[]
}

/** The writing process. It counts as dead when the process is gone or after ten minutes; a write takes seconds. */
type Writer = { readonly pid: number; readonly host: string; readonly startedAt: number }

export type AbandonedJournal = { readonly journal: Journal | null; readonly isAlive: boolean }

const AGE_MAX_MS = 10 * 60_000
const NAME = 'journal.json'

/** Journals of this process. */
const heldJournals = new Set<string>()

export const journalIn = (home: string): string => join(home, NAME)

/** Takes the lock and stores the planned writes. */
export async function beginJournal(
  home: string,
  journal: Journal,
  { hostName, now }: { hostName: string; now: () => Date },
): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 })
  const writer: Writer = { pid: process.pid, host: hostName, startedAt: now().getTime() }
  const file = await open(journalIn(home), 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? busyError(home) : error
  })
  try {
    await file.writeFile(`${JSON.stringify(writer)}\n`)
    await file.writeFile(`${JSON.stringify(journal)}\n`)
    await file.sync()
    heldJournals.add(journalIn(home))
  } finally {
    await file.close()
  }
}

/** A journal left by another command; null without one. */
export async function readJournal(
  home: string,
  { hostName, now }: { hostName: string; now: () => Date },
): Promise<AbandonedJournal | null> {
  const path = journalIn(home)
  const found = await stat(path).catch(() => null)
  if (!found) return null
  const [first = '', second = '', end] = (await readFile(path, 'utf8')).split('\n')
  const writer = parse(first, isWriter)
  const ageMs = now().getTime() - (writer?.startedAt ?? found.mtimeMs)
  const isAlive =
    Math.abs(ageMs) < AGE_MAX_MS && (!writer || writer.host !== hostName || isRunning(writer.pid, path))
  // An incomplete journal means that no file was written yet.
  return { journal: end === undefined ? null : parse(second, isJournal), isAlive }
}

export async function readRecord(path: string): Promise<Journal | null> {
  const [, second = ''] = (await readFile(path, 'utf8')).split('\n')
  return parse(second, isJournal)
}

export async function dropJournal(home: string): Promise<void> {
  await rm(journalIn(home), { force: true })
  release(home)
}

/** The journal was removed, or this process has given it up. */
export const release = (home: string): void => void heldJournals.delete(journalIn(home))

export const busyError = (home: string): Failure =>
  new Failure('apply_busy', 'Another command is writing files here.', {
    next: `Retry in a moment. If no command is running, remove ${journalIn(home)}.`,
  })

function isRunning(pid: number, path: string): boolean {
  // After a reboot another process may have the same id.
  if (pid === process.pid) return heldJournals.has(path)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function parse<T>(text: string, isRight: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRight(value) ? value : null
  } catch {
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isWriter = (value: unknown): value is Writer =>
  isObject(value) &&
  Number.isInteger(value.pid) &&
  typeof value.host === 'string' &&
  typeof value.startedAt === 'number'

const isState = (value: unknown): value is FileState | null =>
  value === null ||
  (isObject(value) &&
    typeof value.text === 'string' &&
    Number.isInteger(value.mode) &&
    (value.encoding === undefined || value.encoding === 'latin1'))

/** A malicious repository may contain a journal, so its paths are checked too. */
const isPath = (value: unknown): value is string => typeof value === 'string' && whyRejected(value) === null

const isJournal = (value: unknown): value is Journal =>
  isObject(value) &&
  typeof value.id === 'string' &&
  typeof value.createdAt === 'string' &&
  typeof value.nonce === 'string' &&
  /^[0-9a-f]+$/.test(value.nonce) &&
  Array.isArray(value.folders) &&
  value.folders.every(isPath) &&
  Array.isArray(value.steps) &&
  value.steps.every(
    (step) => isObject(step) && isPath(step.path) && isState(step.before) && isState(step.after),
  )
