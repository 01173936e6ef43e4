// Which files of a change the owners of a repository want left alone. Their patterns can be written so that they take for ever, so
// they are tried on a thread, and not for long.
import { runTask, TaskTimeout, task } from '../../platform/workers/workers.ts'
import type { IgnoreInput } from './ignore-task.ts'

const ignoreTask = task<IgnoreInput, string[]>(new URL('./ignore-task.ts', import.meta.url))
const TIMEOUT_MS = 3_000

export type IgnoreLimits = {
  readonly signal?: AbortSignal | undefined
  readonly owner: string
  readonly timeoutMs?: number
}

/** Null when that took too long. */
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
