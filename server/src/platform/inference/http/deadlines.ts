// How long we wait for an upstream: for its first words, for the next ones, and for all of them.
import type { App } from '../../app.ts'
import { UpstreamFailed } from '../model-request.ts'

export type CallLimits = {
  readonly connectMs: number
  /** Until the first visible byte, all tries together. */
  readonly firstByteMs: number
  /** The same for an upstream that shows signs of life meanwhile. */
  readonly firstByteAliveMs: number
  readonly idleMs: number
  readonly totalMs: number
}

/**
 * A bound of ours ended the call, not the upstream. Whoever has passed something on by then may count it as an answer that
 * was cut; whoever has nothing yet treats it as any other failure.
 */
export class LimitReached extends UpstreamFailed {}

const READING_TOKENS_PER_SECOND = 2_000
const READING_MS_MAX = 60_000

// A slow model. One that is slower is given up in the middle of an answer that nobody could see coming.
const WRITING_TOKENS_PER_SECOND = 30

/**
 * A long prompt takes time to read. An answer that comes in one piece has its first byte when all of it is written:
 * `wholeTokens` are what it may have then; 0 for one that is streamed.
 */
export function computeLimits(
  app: App,
  { promptTokens, wholeTokens }: { promptTokens: number; wholeTokens: number },
  tighter?: Pick<CallLimits, 'firstByteMs' | 'totalMs'>,
): CallLimits {
  const { connectMs, idleMs, ...most } = app.config.upstreamTimeouts
  const firstByteMs = Math.min(most.firstByteMs, tighter?.firstByteMs ?? most.firstByteMs)
  const totalMs = Math.min(most.totalMs, tighter?.totalMs ?? most.totalMs)
  const readingMs = Math.min(READING_MS_MAX, (promptTokens / READING_TOKENS_PER_SECOND) * 1000)
  const writingMs = (wholeTokens / WRITING_TOKENS_PER_SECOND) * 1000
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
 * Watches one call. It costs nothing per chunk: a timer runs to the earliest deadline there was, and when it fires it looks
 * whether that deadline still stands.
 */
export class DeadlineTimer {
  readonly #limits: CallLimits
  readonly #expire: (failure: UpstreamFailed) => void
  readonly #startedMs = performance.now()
  #deadlineMs: number
  #reason = 'did not begin to answer in time'
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

  /** It lives, but has said nothing yet. */
  extendForComment(): void {
    const { firstByteMs, firstByteAliveMs } = this.#limits
    const nowMs = performance.now()
    this.#deadlineMs = Math.min(this.#startedMs + firstByteAliveMs, nowMs + firstByteMs)
  }

  /** From now on we wait for the next bytes. */
  waitForNextBytes(): void {
    this.#reason = 'fell silent in the middle of its answer'
    this.#deadlineMs = performance.now() + this.#limits.idleMs
    if (this.#firesAtMs > this.#deadlineMs) this.#arm()
  }

  /** Whoever reads is busy: the upstream is not to blame for that. */
  pause(): void {
    this.#deadlineMs = Number.POSITIVE_INFINITY
  }

  /** Only a little more may come, and soon. */
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
        ? new LimitReached('unavailable', 'the upstream took longer than a call may take')
        : new UpstreamFailed('unavailable', `the upstream ${this.#reason}`),
    )
  }

  #nextDeadlineMs(): number {
    return Math.min(this.#deadlineMs, this.#startedMs + this.#limits.totalMs)
  }
}
