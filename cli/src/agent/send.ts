// Sends a recorded request and waits for its outcome. A lost reply is requested again with the same key: the service
// returns the stored outcome and charges nothing twice.
import { type AgentRunLoopBody, type AgentRunLoopFrame, type AgentRunRequest, CowrieError } from '@cowrie/sdk'
import { type Context, textOf } from '../command.ts'
import type { Result } from '../results/result.ts'
import { outcomeOfLoop, outcomeOfRun, type RunOutcome } from './outcome.ts'
import { hasReply, mayHaveTakenEffect, shouldResend, streamCutError, waitMs } from './recovery.ts'

export type SendOutcome =
  | { readonly kind: 'ended'; readonly ended: RunOutcome }
  /** Rejected by the service; nothing was charged. */
  | { readonly kind: 'refused'; readonly error: CowrieError }
  /** Unknown; it can be looked up later. */
  | { readonly kind: 'unknown'; readonly error: CowrieError }

export type Watch = {
  frame(frame: AgentRunLoopFrame): Promise<void>
  /** The connection was lost; the outcome is requested again. */
  lost(): void
  /** The user pressed Ctrl-C. */
  stopping(): void
}

/** A connection silent for this long may be dead; the call is repeated. */
const RUN_ATTEMPT_MS = 150_000
const LOOP_BEGIN_MS = 60_000
/** How long the service may be unreachable. */
const SILENCE_MS = 180_000
/** A loop takes at most 25 minutes, a run 11. */
const ALL_MS = 35 * 60_000
/** How long to wait after Ctrl-C. */
const STOP_MS = 60_000
/** By then the service has noticed that we disconnected. */
const NOTICED_AFTER_MS = 500

/** `isAgain`: it was sent before, and may have started. */
export async function send(
  context: Context,
  result: Result,
  watch: Watch,
  isAgain: boolean,
): Promise<SendOutcome> {
  const sending = new Sending(context, result, watch)
  try {
    return await sending.toItsEnd(isAgain)
  } finally {
    sending.letGo()
  }
}

class Sending {
  readonly #context: Context
  readonly #result: Result
  readonly #watch: Watch
  readonly #stop = () => this.#stopSoon()
  /** Aborts the open connection. */
  #line = new AbortController()
  #timer: ReturnType<typeof setTimeout>
  #isStopped = false
  /** The service returned the run's id, so it has stored the key. */
  #runId: string | null
  #heardAtMs: number

  constructor(context: Context, result: Result, watch: Watch) {
    this.#context = context
    this.#result = result
    this.#watch = watch
    this.#runId = result.runId
    this.#heardAtMs = context.machine.nowMs()
    const seconds = Number(textOf(context.values, 'timeout') ?? Number.NaN)
    this.#timer = this.#endAfter(Number.isNaN(seconds) ? ALL_MS : seconds * 1_000)
    context.signal?.addEventListener('abort', this.#stop, { once: true })
  }

  async toItsEnd(isAgain: boolean): Promise<SendOutcome> {
    const { machine } = this.#context
    let mayHaveBegun = isAgain || this.#runId !== null
    for (let tries = 0; ; tries++) {
      const line = this.#line.signal
      const failure = await this.#attempt(line)
      if (!(failure instanceof CowrieError)) return { kind: 'ended', ended: failure }
      mayHaveBegun ||= this.#runId !== null
      if (!shouldResend(failure, mayHaveBegun))
        return { kind: mayHaveTakenEffect(failure, mayHaveBegun) ? 'unknown' : 'refused', error: failure }
      if (hasReply(failure)) this.#heardAtMs = machine.nowMs()
      const isTooLong = this.#line.signal.aborted || machine.nowMs() - this.#heardAtMs > SILENCE_MS
      // A call stopped before the service confirmed it could start by being resent.
      if (isTooLong || (this.#isStopped && this.#runId === null)) return { kind: 'unknown', error: failure }
      if (!this.#isStopped && tries === 0) this.#watch.lost()
      mayHaveBegun = true
      await this.#pause(this.#isStopped ? NOTICED_AFTER_MS : waitMs(failure, tries))
    }
  }

  letGo(): void {
    clearTimeout(this.#timer)
    this.#context.signal?.removeEventListener('abort', this.#stop)
  }

  /** The outcome, or why it is unknown. */
  async #attempt(signal: AbortSignal): Promise<RunOutcome | CowrieError> {
    try {
      return this.#result.kind === 'run' ? await this.#run(signal) : await this.#loop(signal)
    } catch (error) {
      if (error instanceof CowrieError) return error
      if (signal.aborted) return streamCutError()
      throw error
    }
  }

  async #run(signal: AbortSignal): Promise<RunOutcome> {
    const { idempotencyKey } = this.#result
    const options = { idempotencyKey, retries: 0, timeoutMs: RUN_ATTEMPT_MS, signal }
    return outcomeOfRun(this.#result, await this.#context.client.agent.run(bodyOf(this.#result), options))
  }

  async #loop(signal: AbortSignal): Promise<RunOutcome> {
    const { idempotencyKey } = this.#result
    const options = { idempotencyKey, retries: 0, timeoutMs: LOOP_BEGIN_MS, signal }
    for await (const frame of this.#context.client.agent.runLoop(loopBodyOf(this.#result), options)) {
      this.#heardAtMs = this.#context.machine.nowMs()
      if ('result' in frame) return outcomeOfLoop(this.#result, frame)
      if ('start' in frame) this.#runId = frame.start.id
      await this.#watch.frame(frame)
    }
    throw streamCutError()
  }

  /** A loop ends after its step, and its outcome is requested again. A run is one step: wait for its answer. */
  #stopSoon(): void {
    this.#isStopped = true
    this.#watch.stopping()
    clearTimeout(this.#timer)
    if (this.#result.kind === 'loop') {
      const open = this.#line
      this.#line = new AbortController()
      open.abort()
    }
    this.#timer = this.#endAfter(STOP_MS)
  }

  /** Ends early on Ctrl-C. */
  async #pause(ms: number): Promise<void> {
    const { machine, signal } = this.#context
    await machine.sleep(ms, this.#isStopped ? undefined : signal).catch((error: unknown) => {
      if (!this.#isStopped) throw error
    })
  }

  #endAfter(ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#line.abort(), ms)
  }
}

/** Identical for every attempt, so that the service recognises it. */
const bodyOf = ({
  prompt,
  sent,
  order: { repo, frontier, allowSecrets, maxMinor },
}: Result): AgentRunRequest => ({
  prompt,
  context: [...sent],
  ...(repo !== undefined && { repo }),
  ...(frontier === null ? {} : { frontier }),
  ...(allowSecrets && { allowSecrets }),
  maxMinor,
})

function loopBodyOf(result: Result): AgentRunLoopBody {
  const { loop } = result.order
  if (!loop) return bodyOf(result)
  const { sandbox, testCmd, maxIters, allowTestEdits } = loop
  return { ...bodyOf(result), sandbox, ...(testCmd === null ? {} : { testCmd }), maxIters, allowTestEdits }
}
