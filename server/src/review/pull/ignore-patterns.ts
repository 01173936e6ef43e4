// Finds the changed files that the policy ignores. A pattern can take unbounded time, so matching runs on a worker thread with a
// timeout.
import { runTask, TaskTimeout, task } from '../../platform/workers/workers.ts'
import type { IgnoreInput } from './ignore-task.ts'

const ignoreTask = task<IgnoreInput, string[]>(new URL('./ignore-task.ts', import.meta.url))
const TIMEOUT_MS = 3_000

export type IgnoreLimits = {
  readonly signal?: AbortSignal | undefined
  readonly owner: string
  readonly timeoutMs?: number
}

/** Null after a timeout. */
export async function findIgnoredPaths(
  paths: readonly string[],
  patterns: readonly string[],
  { signal, owner, timeoutMs = TIMEOUT_MS }: IgnoreLimits,
): Promise<ReadonlySet<string> | null> {
  if (patterns.length === 0) return new Set()
  try {
    return new Set(await runTask(ignoreTask, { paths, patterns }, { timeoutMs, signal, owner }))
  } catch (error) {
    if (error instanceof TaskTimeout) return null
    throw error
  }
}
