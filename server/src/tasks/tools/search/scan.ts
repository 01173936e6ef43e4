// Searches the files of a workspace on a worker thread.
import type { ScanOutput, ScanQuery } from '@cowrie/workspace/search/scan.ts'
import { runTask, task } from '../../../platform/workers/workers.ts'
import type { ToolContext } from '../tool-types.ts'
import type { ScanInput } from './scan-task.ts'

const SCAN = task<ScanInput, ScanOutput>(new URL('./scan-task.ts', import.meta.url))
/** Only one slow match can take longer than the limit of the task itself. */
const TIMEOUT_MS = 12_000

/** Throws `TaskTimeout`. No path may be a file that holds secrets. */
export function scanWorkspace(
  { workspace, mask, orgId, signal, searchMs = TIMEOUT_MS }: ToolContext,
  paths: readonly string[],
  query: ScanQuery,
): Promise<ScanOutput> {
  const { folder, files } = workspace.tree
  const searched = new Set(paths)
  const overrides = new Map([...files].filter(([path]) => searched.has(path)))
  const input = { folder, paths, overrides, mask: mask.forWorker, query }
  return runTask(SCAN, input, { timeoutMs: searchMs, owner: orgId, signal })
}
