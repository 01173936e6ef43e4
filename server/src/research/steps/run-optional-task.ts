// Runs work that a step can do without: on a worker thread, with a timeout, and without a result on failure.
import { setTimeout } from 'node:timers/promises'
import { ApiError } from '../../kernel/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import { runTask, type Task } from '../../platform/workers/workers.ts'

export type TaskContext = {
  /** A `RunContext` has these. */
  readonly app: { readonly log: Log }
  readonly work: { readonly signal: AbortSignal }
  readonly orgId: string
}

const BUSY_TRIES = 6
const BUSY_PAUSE_MS = 250

/**
 * The result of the task, or `failed` on errors and timeouts. Retries while all threads are busy. Throws only if the
 * job is aborted.
 */
export async function runOptionalTask<I, O>(
  { app, orgId, work: { signal } }: TaskContext,
  task: Task<I, O>,
  input: I,
  timeoutMs: number,
): Promise<{ readonly value: O } | 'failed'> {
  for (let tries = 1; ; tries++)
    try {
      return { value: await runTask(task, input, { timeoutMs, signal, owner: orgId }) }
    } catch (error) {
      signal.throwIfAborted()
      const isBusy = error instanceof ApiError && error.code === 'busy'
      if (!isBusy || tries >= BUSY_TRIES) {
        app.log.warn({ err: error, orgId }, 'research.task.failed')
        return 'failed'
      }
      await setTimeout(BUSY_PAUSE_MS * 2 ** (tries - 1), undefined, { signal })
    }
}
