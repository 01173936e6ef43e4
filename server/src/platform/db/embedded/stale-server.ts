// Cleans up after a server that was killed, or whose parent was killed.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, isPidInUse, isServerOf, serverProcessesOf, signal } from './processes.ts'
import { pollUntil } from './timeouts.ts'

/** How long an orphan may take to end by itself. A fast shutdown that began during recovery can hang forever. */
const GRACE_MS = 2_000
const FORCE_MS = 3_000

/**
 * Ensures that no server runs in the cluster and that no stale pid file remains. Only the owner of the folder calls this, so
 * every running server has lost its parent.
 */
export async function stopStaleServer(cluster: string, log: (line: string) => void): Promise<void> {
  const text = readPidFile(cluster)
  if (text === undefined) return
  const pid = Number.parseInt(text, 10)
  if (isServerOf(pid, cluster)) log(`waiting for the previous database server (pid ${pid}) to end`)
  // Children of a dead server end when they notice. One that is busy computing does not, and holds the shared memory.
  await end(() => [...new Set([...(isServerOf(pid, cluster) ? [pid] : []), ...serverProcessesOf(cluster)])])
  // PostgreSQL would mistake a zombie or an unrelated process with this pid for a live server, and an empty file for a starting one.
  if (!(pid > 0) || isPidInUse(pid)) rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

export function readPidFile(cluster: string): string | undefined {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Waits, then sends SIGQUIT, then SIGKILL. PostgreSQL recovers from each of them. */
async function end(living: () => number[]): Promise<void> {
  const isOver = (): boolean => living().length === 0
  if (await pollUntil(GRACE_MS, isOver)) return
  for (const name of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const pid of living()) signal(pid, name)
    if (await pollUntil(FORCE_MS, isOver)) return
  }
  throw new Error(
    `Processes ${living().join(', ')} of the previous database server do not end. End them and start again.`,
  )
}
