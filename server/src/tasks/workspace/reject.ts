// Takes back hunks on a worker thread.
import type { OrgId } from '../../kernel/ids.ts'
import { runTask, task } from '../../platform/workers/workers.ts'
import type { RejectInput, RejectOutput } from './reject-task.ts'

const REJECT = task<RejectInput, RejectOutput>(new URL('./reject-task.ts', import.meta.url))
const TIMEOUT_MS = 25_000

export const rejectOnWorker = (owner: OrgId, input: RejectInput): Promise<RejectOutput> =>
  runTask(REJECT, input, { timeoutMs: TIMEOUT_MS, owner })
