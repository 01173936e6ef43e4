// Measures the memory of a process tree. Used for runs without a control group: per-process limits count reserved
// memory, and runtimes reserve gigabytes that they never use.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Whether this kernel lists the children of a process. */
export const canMeasureTrees = (): boolean => existsSync(`/proc/self/task/${process.pid}/children`)

/** Resident, shared and swapped memory of the tree, without program and library pages. */
export function treeMemoryBytes(pid: number): number {
  let bytes = 0
  const waiting = [pid]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    bytes += ownMemoryBytes(next)
    waiting.push(...childrenOf(next))
  }
  return bytes
}

function ownMemoryBytes(pid: number): number {
  const lines = readWhileAlive(() => readFileSync(`/proc/${pid}/status`, 'utf8'), '')
  const kibibytes = lines.matchAll(/^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm)
  return [...kibibytes].reduce((sum, [, count]) => sum + Number(count) * 1_024, 0)
}

/** Each thread lists the children that it started. */
function childrenOf(pid: number): number[] {
  const threads = readWhileAlive(() => readdirSync(`/proc/${pid}/task`), [])
  return threads.flatMap((thread) =>
    readWhileAlive(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'), '')
      .split(' ')
      .filter((word) => word !== '')
      .map(Number),
  )
}

/** A process may end between two reads. */
function readWhileAlive<T>(read: () => T, ended: T): T {
  try {
    return read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return ended
    throw error
  }
}
