// Timeouts of a model call: to the first byte, between bytes, and in total.
import type { App } from '../../app.ts'
import { UpstreamFailed } from '../model-request.ts'

export type CallLimits = {
  readonly connectMs: number
  /** To the first byte of the answer, over all attempts. */
  readonly firstByteMs: number
  /** The same for an upstream that sends comments meanwhile. */
  readonly firstByteAliveMs: number
  readonly idleMs: number
  readonly totalMs: number
}

/**
 * One of our limits ended the call. A caller with a partial answer may treat it as truncated. A caller without one treats
 * it as any other failure.
 */
export class LimitReached extends UpstreamFailed {}

const READING_TOKENS_PER_SECOND = 2_000
const READING_MS_MAX = 60_000

// The output rate of a slow model. A slower model may time out when it does not stream.
const WRITING_TOKENS_PER_SECOND = 30

/**
 * Adds time for a long prompt, and for an answer that is not streamed: its first byte comes when all of it is written.
 * `unstreamedTokens` is the maximum length of such an answer; 0 for a stream.
 */
export function computeLimits(
  app: App,
  { promptTokens, unstreamedTokens }: { promptTokens: number; unstreamedTokens: number },
  stricter?: Pick<CallLimits, 'firstByteMs' | 'totalMs'>,
): CallLimits {
  const { connectMs, idleMs, ...most } = app.config.upstreamTimeouts
  const firstByteMs = Math.min(most.firstByteMs, stricter?.firstByteMs ?? most.firstByteMs)
  const totalMs = Math.min(most.totalMs, stricter?.totalMs ?? most.totalMs)
  const readingMs = Math.min(READING_MS_MAX, (promptTokens / READING_TOKENS_PER_SECOND) * 1000)
  const writingMs = (unstreamedTokens / WRITING_TOKENS_PER_SECOND) * 1000
  const patientMs = Math.min(totalMs, firstByteMs + readingMs + writingMs)
  return {
    connectMs,
    firstByteMs: patientMs,
    firstByteAliveMs: Math.min(totalMs, 2 * patientMs),
    idleMs,
    totalMs,
  }
}

/**
 * Enforces the deadlines of one call. A chunk only updates a field: the timer runs to an earlier deadline, and when it
 * fires it checks the current one.
 */
export class DeadlineTimer {
  readonly #limits: CallLimits
  readonly #expire: (failure: UpstreamFailed) => void
  readonly #startedMs = performance.now()
  #deadlineMs: number
  #reason = 'did not start its answer in time'
  #timer: NodeJS.Timeout | undefined
  #firesAtMs = Number.POSITIVE_INFINITY

  constructor(limits: CallLimits, expire: (failure: UpstreamFailed) => void) {
    this.#limits = limits
    this.#expire = expire
    this.#deadlineMs = this.#startedMs + limits.firstByteMs
    this.#arm()
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs
  }

  /** A comment arrived: the upstream is alive but has not started its answer. */
  extendForComment(): void {
    const { firstByteMs, firstByteAliveMs } = this.#limits
    const nowMs = performance.now()
    this.#deadlineMs = Math.min(this.#startedMs + firstByteAliveMs, nowMs + firstByteMs)
  }

  /** Starts the timeout for the next bytes. */
  waitForNextBytes(): void {
    this.#reason = 'stopped sending before the end of its answer'
    this.#deadlineMs = performance.now() + this.#limits.idleMs
    if (this.#firesAtMs > this.#deadlineMs) this.#arm()
  }

  /** Stops the timeout between bytes while the reader is busy. */
  pause(): void {
    this.#deadlineMs = Number.POSITIVE_INFINITY
  }

  /** Ends the call within this time, unless an earlier deadline applies. */
  shorten(withinMs: number): void {
    this.#deadlineMs = Math.min(this.#deadlineMs, performance.now() + withinMs)
    if (this.#firesAtMs > this.#deadlineMs) this.#arm()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #arm(): void {
    clearTimeout(this.#timer)
    const nowMs = performance.now()
    const waitMs = Math.max(1, Math.ceil(this.#nextDeadlineMs() - nowMs))
    this.#firesAtMs = nowMs + waitMs
    this.#timer = setTimeout(() => this.#fired(), waitMs)
  }

  #fired(): void {
    const nowMs = performance.now()
    if (nowMs < this.#nextDeadlineMs()) {
      this.#arm()
      return
    }
    const isTotal = nowMs >= this.#startedMs + this.#limits.totalMs
    this.#expire(
      isTotal
        ? new LimitReached('unavailable', 'the upstream exceeded the total time of a call')
        : new UpstreamFailed('unavailable', `the upstream ${this.#reason}`),
    )
  }

  #nextDeadlineMs(): number {
    return Math.min(this.#deadlineMs, this.#startedMs + this.#limits.totalMs)
  }
}
