// What a server leaves in its cluster when it, or its parent, was killed.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, isPidInUse, isServerOf, serverProcessesOf, signal } from './processes.ts'
import { pollUntil } from './timeouts.ts'

/** How long an orphan may take to end by itself. A fast shutdown that began during recovery can hang for ever. */
const PATIENCE_MS = 2_000
const FORCE_MS = 3_000

/**
 * Sees to it that no server runs in the cluster and that none seems to. The owner of the folder calls this, so
 * whatever still runs there has lost its parent.
 */
export async function stopStaleServer(cluster: string, log: (line: string) => void): Promise<void> {
  const text = readPidFile(cluster)
  if (text === undefined) return
  const pid = Number.parseInt(text, 10)
  if (isServerOf(pid, cluster)) log(`waiting for the last database server (pid ${pid}) to end`)
  // Children of a dead server end when they notice; one that is busy computing does not, and holds the shared memory.
  await end(() => [...new Set([...(isServerOf(pid, cluster) ? [pid] : []), ...serverProcessesOf(cluster)])])
  // PostgreSQL would take a zombie or a stranger with this pid for a living server, and an empty file for a starting one.
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

/** Patience, then SIGQUIT, then SIGKILL: PostgreSQL recovers from each of them. */
async function end(living: () => number[]): Promise<void> {
  const isOver = (): boolean => living().length === 0
  if (await pollUntil(PATIENCE_MS, isOver)) return
  for (const name of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const pid of living()) signal(pid, name)
    if (await pollUntil(FORCE_MS, isOver)) return
  }
  throw new Error(
    `processes ${living().join(', ')} of the last database server do not end; end them and start again`,
  )
}
