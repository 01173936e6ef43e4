// A request to an upstream and what comes back, byte for byte. Tries again while nothing has been seen of an answer,
// keeps the time, and lets nothing through that repeats our key.
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { type Target, UpstreamFailed } from '../model-request.ts'
import { getPool } from './connection-pool.ts'
import { decodeContent } from './content-decoding.ts'
import { type CallLimits, computeLimits, DeadlineTimer } from './deadlines.ts'
import { createKeyLeakDetector } from './key-leak.ts'
import { hasOnlyComments, isAccountRejection, isRetryable, retryAfterSeconds } from './response-status.ts'
import { UpstreamExchange, type UpstreamHead } from './upstream-exchange.ts'

export type SendOptions = {
  /** Whoever asks has gone: the connection is closed at once. */
  readonly signal: AbortSignal
  readonly promptTokens: number
  /** Where the whole answer comes at once: how much that may be. It has the time for it before its first byte. */
  readonly unstreamedTokens?: number
  /** Tighter limits than those for models that think. */
  readonly limits?: Pick<CallLimits, 'firstByteMs' | 'totalMs'> | undefined
}

/** Embeddings need no thought: what is not there soon will not come, and routes that wait for them answer within two minutes. */
export const EMBEDDING_LIMITS = { firstByteMs: 25_000, totalMs: 110_000 } as const

/** Read it to its end, finish it or close it; until then it holds a connection. */
export type UpstreamReply = UpstreamHead & {
  /** The bytes that have come since, waiting for some; null at the end. Throws `UpstreamFailed`, or any error once `signal` has aborted. */
  read(): Promise<Buffer | null>
  readonly body: AsyncIterable<Buffer>
  /** The answer is complete; what else comes must come soon. */
  limitRemaining(withinMs: number): void
  /** The answer is complete, and the connection is kept if the rest of it ends soon. */
  finish(): void
  /** Nothing more is wanted: the connection is closed at once. */
  close(): void
}

const RETRIES_MAX = 2
const RETRY_WAIT_MS = 200
const RETRY_AFTER_SECONDS_MAX = 5
/** Comments before the first word: more than this, and it is an answer of some kind. */
const COMMENT_BYTES_MAX = 64 * 1024

/**
 * Resolves when the first visible byte is here, or with a refusal of the request itself (4xx, 501). Whatever is about us or
 * about the upstream (no connection, too much to do, an error of its own, our key) is thrown as `UpstreamFailed`.
 */
export async function sendUpstream(
  app: App,
  target: Target,
  path: string,
  body: string | Buffer,
  { signal, promptTokens, unstreamedTokens: wholeTokens = 0, limits: tighter }: SendOptions,
): Promise<UpstreamReply> {
  const limits = computeLimits(app, { promptTokens, wholeTokens }, tighter)
  const call = new Call(app, target, limits, signal)
  try {
    for (let attempt = 0; ; attempt++) {
      const outcome = await call.attempt(path, body)
      if ('reply' in outcome) return outcome.reply
      const { failure } = outcome
      const waitMs = RETRY_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2)
      const askedMs = (failure.retryAfter ?? 0) * 1000
      const isLate = call.watch.elapsedMs + Math.max(waitMs, askedMs) >= limits.firstByteMs
      if (attempt === RETRIES_MAX || isLate || askedMs > RETRY_AFTER_SECONDS_MAX * 1000) throw failure
      app.log.warn({ err: failure, attempt }, 'inference.request.retried')
      await sleep(Math.max(waitMs, askedMs), undefined, { signal })
    }
  } catch (error) {
    call.end()
    throw error
  }
}

// Made once: every call ends with it, and a trace of where costs more than the rest of the ending.
const NO_LONGER_WANTED = new Error('no longer wanted')

/** What all tries have in common: the time, whoever waits, and the exchange that is under way. */
class Call {
  readonly watch: DeadlineTimer
  readonly #app: App
  readonly #target: Target
  readonly #limits: CallLimits
  readonly #signal: AbortSignal
  #exchange: UpstreamExchange | undefined

  constructor(app: App, target: Target, limits: CallLimits, signal: AbortSignal) {
    signal.throwIfAborted()
    this.#app = app
    this.#target = target
    this.#limits = limits
    this.#signal = signal
    this.watch = new DeadlineTimer(limits, (failure) => this.#exchange?.abort(failure))
    signal.addEventListener('abort', this.#leave)
  }

  readonly #leave = (): void => this.#exchange?.abort(new Error('whoever asked has gone'))

  /** Over: nothing is watched any more. A connection that is still busy is closed. */
  end(): void {
    this.watch.stop()
    this.#signal.removeEventListener('abort', this.#leave)
    this.#exchange?.abort(NO_LONGER_WANTED)
  }

  async attempt(
    path: string,
    body: string | Buffer,
  ): Promise<{ reply: UpstreamReply } | { failure: UpstreamFailed }> {
    try {
      const exchange = this.#dispatch(path, body)
      const head = await exchange.head
      if (isAccountRejection(head.status)) throw this.#refused(head)
      if (isRetryable(head.status)) {
        this.#letGo(exchange)
        const retryAfter = retryAfterSeconds(head.headers, this.#app.clock.now())
        const reason = `the upstream answered with status ${head.status}`
        return {
          failure: new UpstreamFailed('unavailable', reason, retryAfter === undefined ? {} : { retryAfter }),
        }
      }
      return { reply: await this.#reply(exchange, head) }
    } catch (error) {
      this.#signal.throwIfAborted()
      if (error instanceof UpstreamFailed) throw error
      const reason = 'the upstream was not reached or broke off before its first word'
      return { failure: new UpstreamFailed('unavailable', reason, { cause: error }) }
    }
  }

  #letGo(exchange: UpstreamExchange): void {
    exchange.drain()
    this.#exchange = undefined
  }

  #dispatch(path: string, body: string | Buffer): UpstreamExchange {
    const { baseUrl, apiKey } = this.#target
    const exchange = new UpstreamExchange()
    this.#exchange = exchange
    const pool = getPool(baseUrl, this.#limits.connectMs)
    pool.dispatch(
      {
        method: 'POST',
        path: `${new URL(baseUrl).pathname.replace(/\/+$/, '')}${path}`,
        body,
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream, application/json',
          'user-agent': 'cowrie',
          ...(apiKey && { authorization: `Bearer ${apiKey}` }),
        },
      },
      exchange,
    )
    return exchange
  }

  #refused({ status }: UpstreamHead): UpstreamFailed {
    const { host } = new URL(this.#target.baseUrl)
    this.#app.log.error({ status, host }, 'inference.account.rejected')
    return new UpstreamFailed('unavailable', `the upstream refuses us with status ${status}`, {
      refusedWith: status,
    })
  }

  /** Waits for the first visible byte; what stands before it goes first. */
  async #reply(exchange: UpstreamExchange, head: UpstreamHead): Promise<UpstreamReply> {
    const isLeak = createKeyLeakDetector(this.#target.apiKey)
    const read = decodeContent(head.headers['content-encoding'], () => exchange.read())
    const next = async (): Promise<Buffer | null> => {
      const chunk = await read()
      if (!chunk || !isLeak(chunk)) return chunk
      this.#app.log.error({ host: new URL(this.#target.baseUrl).host }, 'inference.response.key_echoed')
      throw new UpstreamFailed('failed', 'the upstream repeats our key')
    }
    let first = await next()
    while (first && first.length < COMMENT_BYTES_MAX && hasOnlyComments(first)) {
      this.watch.extendForComment()
      const more = await next()
      if (!more) break
      first = Buffer.concat([first, more])
    }
    return this.#replyFrom(head, exchange, first, next)
  }

  #replyFrom(
    head: UpstreamHead,
    exchange: UpstreamExchange,
    first: Buffer | null,
    next: () => Promise<Buffer | null>,
  ): UpstreamReply {
    let early: Buffer | null = first
    let isOver = first === null
    this.watch.pause()
    if (isOver) this.end()
    const close = () => {
      isOver = true
      this.end()
    }
    const finish = () => {
      this.#letGo(exchange)
      close()
    }
    const read = async (): Promise<Buffer | null> => {
      if (isOver) return null
      if (early) {
        const chunk = early
        early = null
        return chunk
      }
      this.watch.waitForNextBytes()
      try {
        const chunk = await next()
        if (chunk) this.watch.pause()
        else {
          isOver = true
          this.end()
        }
        return chunk
      } catch (error) {
        isOver = true
        this.end()
        if (error instanceof UpstreamFailed || this.#signal.aborted) throw error
        throw new UpstreamFailed('failed', 'the upstream broke off in the middle of its answer', {
          cause: error,
        })
      }
    }
    const hurry = (withinMs: number) => this.watch.shorten(withinMs)
    return { ...head, read, body: chunksOf(read, close), limitRemaining: hurry, finish, close }
  }
}

async function* chunksOf(read: () => Promise<Buffer | null>, close: () => void): AsyncGenerator<Buffer> {
  try {
    for (let chunk = await read(); chunk; chunk = await read()) yield chunk
  } finally {
    close()
  }
}
