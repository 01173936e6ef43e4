// What the system knows about processes: enough to tell a living one from a dead one whose pid was given away again.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

const hasProc = existsSync('/proc/self/stat')

/**
 * A mark that no other process with the same pid can have: when it started, and in which boot of the machine.
 * Undefined when there is no such process, or only its zombie.
 */
export function processIdentity(pid: number): string | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return hasProc ? birthMarkFromProc(pid) : birthMarkFromPs(pid)
}

/** Whether this living process is a PostgreSQL that works in the given cluster folder. */
export function isServerOf(pid: number, cluster: string): boolean {
  if (processIdentity(pid) === undefined) return false
  if (!hasProc) return ps(pid, 'command').includes(cluster)
  const there = identityOf(`/proc/${pid}/cwd`)
  return isPostgres(pid) && there !== undefined && there === identityOf(cluster)
}

/** All living processes of the cluster; none where the system cannot tell (there, PostgreSQL itself checks its shared memory). */
export function serverProcessesOf(cluster: string): number[] {
  if (!hasProc) return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isPostgres(pid) && isServerOf(pid, cluster))
}

/** Whether the pid is taken at all: by a living process, by anybody's, or by a zombie. PostgreSQL asks the same way. */
export function isPidInUse(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Sends a signal; a process that is gone already is what the sender wanted. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

function birthMarkFromProc(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The name of the program stands in brackets and may hold anything, so the fields are counted from the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startedAtTicks] = [fields[0], fields[19]]
  if (state === 'Z' || state === 'X' || startedAtTicks === undefined) return undefined
  return `${readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? 'boot'} ${startedAtTicks}`
}

function birthMarkFromPs(pid: number): string | undefined {
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
    // ps ends with 1 when there is no such process.
    if (error instanceof Error && 'status' in error && error.status === 1) return ''
    throw error
  }
}

function isPostgres(pid: number): boolean {
  return readIfThere(`/proc/${pid}/comm`)?.trim() === 'postgres'
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path)
    return `${dev} ${ino}`
  } catch (error) {
    if (isNotForUs(error)) return undefined
    throw error
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isNotForUs(error)) return undefined
    throw error
  }
}

/** The process ended while we looked (ENOENT, ESRCH), or belongs to somebody else (EACCES, EPERM). */
const isNotForUs = (error: unknown): boolean =>
  ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '')
