// Reads process information of the system, to distinguish a live process from another one that reuses its pid.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

const hasProc = existsSync('/proc/self/stat')

/**
 * The start time and boot id of a process, which no other process with the same pid has. Undefined when the process does not
 * exist or is a zombie.
 */
export function processIdentity(pid: number): string | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return hasProc ? identityFromProc(pid) : identityFromPs(pid)
}

/** Whether a live process is a PostgreSQL process of the given cluster. */
export function isServerOf(pid: number, cluster: string): boolean {
  if (processIdentity(pid) === undefined) return false
  if (!hasProc) return ps(pid, 'command').includes(cluster)
  const there = identityOf(`/proc/${pid}/cwd`)
  return isPostgres(pid) && there !== undefined && there === identityOf(cluster)
}

/** All live processes of the cluster. Empty without /proc: there PostgreSQL itself checks its shared memory. */
export function serverProcessesOf(cluster: string): number[] {
  if (!hasProc) return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isPostgres(pid) && isServerOf(pid, cluster))
}

/** Whether any process has the pid, including zombies and processes of other users. PostgreSQL uses the same check. */
export function isPidInUse(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Sends a signal. Succeeds when the process is already gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

function identityFromProc(pid: number): string | undefined {
  const stat = readIfExists(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The program name is in brackets and may contain anything, so the fields are counted from the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startedAtTicks] = [fields[0], fields[19]]
  if (state === 'Z' || state === 'X' || startedAtTicks === undefined) return undefined
  return `${readIfExists('/proc/sys/kernel/random/boot_id')?.trim() ?? 'boot'} ${startedAtTicks}`
}

function identityFromPs(pid: number): string | undefined {
  if (ps(pid, 'stat').startsWith('Z')) return undefined
  return ps(pid, 'lstart') || undefined
}

function ps(pid: number, column: string): string {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], {
      encoding: 'utf8',
      env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' },
    }).trim()
  } catch (error) {
    // ps exits with 1 when there is no such process.
    if (error instanceof Error && 'status' in error && error.status === 1) return ''
    throw error
  }
}

function isPostgres(pid: number): boolean {
  return readIfExists(`/proc/${pid}/comm`)?.trim() === 'postgres'
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path)
    return `${dev} ${ino}`
  } catch (error) {
    if (isGoneOrForeign(error)) return undefined
    throw error
  }
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isGoneOrForeign(error)) return undefined
    throw error
  }
}

/** The process ended meanwhile (ENOENT, ESRCH), or belongs to another user (EACCES, EPERM). */
const isGoneOrForeign = (error: unknown): boolean =>
  ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '')
