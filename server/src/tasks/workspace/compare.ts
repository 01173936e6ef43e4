// Compares changed files on a worker thread.
import type { OrgId } from '../../kernel/ids.ts'
import { runTask, TaskTimeout, task } from '../../platform/workers/workers.ts'
import { type CompareInput, type CompareOutput, run } from './compare-task.ts'

const COMPARE = task<CompareInput, CompareOutput>(new URL('./compare-task.ts', import.meta.url))
const TIMEOUT_MS = 25_000

/** On a machine that is too busy to compare them, files are shown as replaced. */
export async function compareFiles(
  owner: OrgId,
  input: CompareInput,
  signal?: AbortSignal,
): Promise<CompareOutput> {
  try {
    return await runTask(COMPARE, input, { timeoutMs: TIMEOUT_MS, owner, signal })
  } catch (error) {
    if (error instanceof TaskTimeout) return run(input, 0)
    throw error
  }
}
