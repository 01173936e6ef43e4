// How long we wait for an upstream: for its first words, for the next ones, and for all of them.
import type { App } from '../app.ts'
import { UpstreamFailed } from './question.ts'

export type Limits = {
  readonly connectMs: number
  /** Until the first visible byte, all tries together. */
  readonly firstByteMs: number
  /** The same for an upstream that shows signs of life meanwhile. */
  readonly firstByteAliveMs: number
  readonly idleMs: number
  readonly totalMs: number
}

const READING_TOKENS_PER_SECOND = 2_000
const READING_MS_MAX = 60_000

/** A long prompt takes time to read. An answer that is not streamed has its first byte when it is complete. */
export function limitsFor(
  app: App,
  { promptTokens, isStream }: { promptTokens: number; isStream: boolean },
): Limits {
  const { connectMs, firstByteMs, idleMs, totalMs } = app.config.upstreamTimeouts
  const readingMs = Math.min(READING_MS_MAX, (promptTokens / READING_TOKENS_PER_SECOND) * 1000)
  const patientMs = isStream ? Math.min(totalMs, firstByteMs + readingMs) : totalMs
  return {
    connectMs,
    firstByteMs: patientMs,
    firstByteAliveMs: Math.min(totalMs, 2 * patientMs),
    idleMs,
    totalMs,
  }
}

/**
 * Watches one call. It costs nothing per chunk: a timer runs to the earliest deadline there was, and when it fires it looks
 * whether that deadline still stands.
 */
export class Watch {
  readonly #limits: Limits
  readonly #expire: (failure: UpstreamFailed) => void
  readonly #startedMs = performance.now()
  #deadlineMs: number
  #reason = 'did not begin to answer in time'
  #timer: NodeJS.Timeout | undefined
  #firesAtMs = Number.POSITIVE_INFINITY

  constructor(limits: Limits, expire: (failure: UpstreamFailed) => void) {
    this.#limits = limits
    this.#expire = expire
    this.#deadlineMs = this.#startedMs + limits.firstByteMs
    this.#arm()
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs
  }

  /** It lives, but has said nothing yet. */
  heardComment(): void {
    const { firstByteMs, firstByteAliveMs } = this.#limits
    const nowMs = performance.now()
    this.#deadlineMs = Math.min(this.#startedMs + firstByteAliveMs, nowMs + firstByteMs)
  }

  /** From now on we wait for the next bytes. */
  waitForMore(): void {
    this.#reason = 'fell silent in the middle of its answer'
    this.#deadlineMs = performance.now() + this.#limits.idleMs
    if (this.#firesAtMs > this.#deadlineMs) this.#arm()
  }

  /** Whoever reads is busy: the upstream is not to blame for that. */
  holdOn(): void {
    this.#deadlineMs = Number.POSITIVE_INFINITY
  }

  /** Only a little more may come, and soon. */
  hurry(withinMs: number): void {
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
    const reason = isTotal ? 'took longer than a call may take' : this.#reason
    this.#expire(new UpstreamFailed('unavailable', `the upstream ${reason}`))
  }

  #nextDeadlineMs(): number {
    return Math.min(this.#deadlineMs, this.#startedMs + this.#limits.totalMs)
  }
}
