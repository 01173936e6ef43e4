// One process per session. The lock names its process; a lock whose process is gone is taken over.
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { Failure } from '../errors.ts'
import { isRecord } from '../system/state-file.ts'

export type SessionLock = {
  /** Throws if another process has taken the session over. */
  check(): void
  release(): void
}

type Holder = {
  readonly pid: number
  readonly host: string
  readonly nonce: string
  /** When the process started, in a form that only this system understands: after a reboot its id may be that of another one. */
  readonly startedAt: string | null
}

const RENEW_MS = 30_000
/** For a holder on another computer, whose processes cannot be asked. */
const REMOTE_AGE_MAX_MS = 10 * 60_000

export async function takeLock(path: string): Promise<SessionLock> {
  const nonce = randomBytes(8).toString('hex')
  const own: Holder = { pid: process.pid, host: hostname(), nonce, startedAt: startOf(process.pid) }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${nonce}`
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 })
  try {
    while (!(await isLinked(draft, path))) {
      const found = await readFile(path, 'utf8').catch(() => null)
      if (found === null) continue
      const holder = parse(found)
      if (isAlive(holder, path)) throw busy(holder)
      await removeStale(path, found, `${path}.${nonce}.stale`)
    }
  } finally {
    await rm(draft, { force: true })
  }
  held.add(nonce)
  const renewal = setInterval(() => renew(path, nonce), RENEW_MS)
  renewal.unref()
  return {
    check() {
      const holder = readHolder(path)
      if (holder?.nonce !== nonce) throw busy(holder)
    },
    release() {
      clearInterval(renewal)
      held.delete(nonce)
      if (readHolder(path)?.nonce === nonce) rmSync(path, { force: true })
    },
  }
}

/** Whether a process works on the session now. */
export function isLocked(path: string): boolean {
  const holder = readHolder(path)
  return holder !== null && isAlive(holder, path)
}

/** The locks of this process. */
const held = new Set<string>()

/** A link is created by one process only, and with its content. */
async function isLinked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    // A file system without links: some Android and network folders.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EACCES') throw error
    return writeFile(path, await readFile(draft), { flag: 'wx', mode: 0o600 }).then(
      () => true,
      (failure: NodeJS.ErrnoException) => {
        if (failure.code === 'EEXIST') return false
        throw failure
      },
    )
  }
}

/** Another process may have taken the stale lock over in between: its new lock is put back. */
async function removeStale(path: string, stale: string, aside: string): Promise<void> {
  await rename(path, aside).catch(() => undefined)
  const moved = await readFile(aside, 'utf8').catch(() => stale)
  if (moved !== stale) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}

function renew(path: string, nonce: string): void {
  try {
    const now = new Date()
    if (readHolder(path)?.nonce === nonce) utimesSync(path, now, now)
  } catch {
    // `check` reports a lost lock.
  }
}

function readHolder(path: string): Holder | null {
  try {
    return parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

function isAlive(holder: Holder | null, path: string): boolean {
  // Without links, a lock is empty for a moment.
  if (holder === null) return ageOf(path) < RENEW_MS
  if (holder.host !== hostname()) return ageOf(path) < REMOTE_AGE_MAX_MS
  if (holder.pid === process.pid) return held.has(holder.nonce)
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return holder.startedAt === null || holder.startedAt === startOf(holder.pid)
}

function ageOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? Date.now() - found.mtimeMs : Number.POSITIVE_INFINITY
}

/** Linux: the boot and the ticks since then. Null where this is unknown. */
function startOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program is in brackets and may contain anything.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return ticks === undefined ? null : `${boot} ${ticks}`
  } catch {
    return null
  }
}

const busy = (holder: Holder | null): Failure =>
  new Failure(
    'session_busy',
    holder === null
      ? 'This session is open in another terminal.'
      : `This session is open in another terminal (process ${holder.pid} on ${holder.host}).`,
    { next: 'Continue there, or close it first. "cowrie" without "resume" starts another session.' },
  )

function parse(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text)
    return isHolder(value) ? value : null
  } catch {
    return null
  }
}

const isHolder = (value: unknown): value is Holder =>
  isRecord(value) &&
  Number.isInteger(value.pid) &&
  typeof value.host === 'string' &&
  typeof value.nonce === 'string' &&
  (value.startedAt === null || typeof value.startedAt === 'string')
