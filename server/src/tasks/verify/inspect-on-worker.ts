// Inspects the change of a turn on a worker thread: large changes, or lines that are made to be slow, would delay all requests.
import type { OrgId } from '../../kernel/ids.ts'
import { runTask, TaskTimeout, task } from '../../platform/workers/workers.ts'
import type { ChangeInput, ChangeInspection } from './inspect-change.ts'
import { VerificationEnded } from './run-tests.ts'

const INSPECT = task<ChangeInput, ChangeInspection>(new URL('./inspect-task.ts', import.meta.url))
const TIMEOUT_MS = 60_000

/** A change that cannot be inspected in time is not verified. */
export async function inspectOnWorker(
  owner: OrgId,
  { before, after, changedPaths, command, request }: ChangeInput,
  signal: AbortSignal,
): Promise<ChangeInspection> {
  const input = { before, after, changedPaths, command, request }
  try {
    return await runTask(INSPECT, input, { timeoutMs: TIMEOUT_MS, owner, signal })
  } catch (error) {
    if (error instanceof TaskTimeout) throw new VerificationEnded('timed_out')
    throw error
  }
}
