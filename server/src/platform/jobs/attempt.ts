// One attempt at a job: as long as it may take, and no longer than that by much.
import { assert } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../app.ts'
import { redactText } from '../log/log.ts'
import { DEFAULTS, type JobKind } from './job-kind.ts'
import type { TakenJob } from './sql.ts'

export type AttemptOutcome =
  | { readonly result: 'done' }
  | { readonly result: 'failed'; readonly error: string }
  | { readonly result: 'lost' | 'stopped' }

/** Why an attempt was told to end. */
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
 * Runs the kind's work and says how it ended; never throws. Once interrupted, the work has `patienceMs` to come to an
 * end. Work that does not listen is then left to itself: its job may run a second time beside it.
 */
export async function attemptJob(
  app: App,
  kind: JobKind,
  taken: TakenJob,
  interrupt: AbortController,
  patienceMs: number,
): Promise<AttemptOutcome> {
  const { id, payload, attempt, org, fence } = taken
  const timeoutMs = kind.timeoutMs ?? DEFAULTS.timeoutMs
  const timer = setTimeout(() => {
    interrupt.abort(new Interruption('failed', `the attempt took longer than ${timeoutMs} ms`))
  }, timeoutMs)
  const impatience = waitAfterAbort(interrupt.signal, patienceMs)
  try {
    const work = kind.run(app, { id, payload, attempt, org, fence, signal: interrupt.signal })
    const ended = await Promise.race([work.then(asDone, asFailed), impatience.over])
    return interrupt.signal.aborted ? asInterrupted(interrupt.signal.reason) : ended
  } catch (error) {
    // A kind that throws before its first await.
    return asFailed(error)
  } finally {
    clearTimeout(timer)
    impatience.forget()
  }
}

/** The message alone, without secrets and bounded: a stack or a driver's fields may carry what the job carried. */
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
  assert(reason instanceof Interruption, 'attempts are interrupted by an Interruption')
  return reason.result === 'failed' ? asFailed(reason) : { result: reason.result }
}

/** Resolves some time after the signal aborts. */
function waitAfterAbort(
  signal: AbortSignal,
  patienceMs: number,
): { over: Promise<AttemptOutcome>; forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<AttemptOutcome>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => resolve(asInterrupted(signal.reason)), patienceMs)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  const forget = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
  return { over: promise, forget }
}
