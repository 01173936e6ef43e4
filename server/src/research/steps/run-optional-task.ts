// Work that a step can do without: on a thread, within a time, and without an answer when that is not to be had.
import { setTimeout } from 'node:timers/promises'
import { ApiError } from '../../kernel/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import { runTask, type Task } from '../../platform/workers/workers.ts'

export type TaskContext = {
  /** A `Working` has these. */
  readonly app: { readonly log: Log }
  readonly work: { readonly signal: AbortSignal }
  readonly orgId: string
}

const BUSY_TRIES = 6
const BUSY_PAUSE_MS = 250

/**
 * What the task makes of it, or `failed` when it breaks or takes too long. Threads that are all taken are asked for again.
 * Throws only when the work is given up.
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
