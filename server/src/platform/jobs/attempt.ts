// Runs one attempt at a job within its timeout.
import { assert } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../app.ts'
import { redactText } from '../log/log.ts'
import { DEFAULTS, type JobKind } from './job-kind.ts'
import type { ClaimedJob } from './sql.ts'

export type AttemptOutcome =
  | { readonly result: 'done' }
  | { readonly result: 'failed'; readonly error: string }
  | { readonly result: 'lost' | 'stopped' }

/** The reason for interrupting an attempt. */
export class Interruption extends Error {
  readonly result: 'failed' | 'lost' | 'stopped'
  constructor(result: Interruption['result'], message: string) {
    super(message)
    this.name = 'Interruption'
    this.result = result
  }
}

const ERROR_CHARACTERS_MAX = 500

/**
 * Runs the job and returns its outcome; never throws. After an interruption the job has `graceMs` to end. A job that ignores the
 * signal is abandoned, and may run a second time while the first run continues.
 */
export async function attemptJob(
  app: App,
  kind: JobKind,
  job: ClaimedJob,
  interrupt: AbortController,
  graceMs: number,
): Promise<AttemptOutcome> {
  const { id, payload, attempt, org, fence, traceparent } = job
  const timeoutMs = kind.timeoutMs ?? DEFAULTS.timeoutMs
  const timer = setTimeout(() => {
    interrupt.abort(new Interruption('failed', `The attempt exceeded its timeout of ${timeoutMs} ms.`))
  }, timeoutMs)
  const grace = waitAfterAbort(interrupt.signal, graceMs)
  try {
    const work = kind.run(app, { id, payload, attempt, org, fence, traceparent, signal: interrupt.signal })
    const ended = await Promise.race([work.then(asDone, asFailed), grace.over])
    return interrupt.signal.aborted ? asInterrupted(interrupt.signal.reason) : ended
  } catch (error) {
    // The job threw synchronously.
    return asFailed(error)
  } finally {
    clearTimeout(timer)
    grace.forget()
  }
}

/** The redacted and truncated message only: a stack or the fields of a driver error may contain the payload. */
export function describeError(error: unknown): string {
  const named =
    error instanceof ApiError
      ? `${error.code}: ${error.message}`
      : error instanceof Error
        ? error.message
        : String(error)
  const text = redactText(named || 'an error without a message')
  return text.length > ERROR_CHARACTERS_MAX ? `${text.slice(0, ERROR_CHARACTERS_MAX)}…` : text
}

const asDone = (): AttemptOutcome => ({ result: 'done' })
const asFailed = (error: unknown): AttemptOutcome => ({ result: 'failed', error: describeError(error) })

function asInterrupted(reason: unknown): AttemptOutcome {
  assert(reason instanceof Interruption, 'attempts are interrupted with an Interruption')
  return reason.result === 'failed' ? asFailed(reason) : { result: reason.result }
}

/** `over` resolves `graceMs` after the signal aborts. */
function waitAfterAbort(
  signal: AbortSignal,
  graceMs: number,
): { over: Promise<AttemptOutcome>; forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<AttemptOutcome>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => resolve(asInterrupted(signal.reason)), graceMs)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  const forget = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
  return { over: promise, forget }
}
