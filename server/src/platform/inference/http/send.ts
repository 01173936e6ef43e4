// Sends a request to an upstream and returns the response bytes unchanged. Retries until the first byte of an answer,
// enforces timeouts, and stops a response that contains our API key.
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { errorType, withClientSpan } from '../../log/trace-context.ts'
import { type Target, UpstreamFailed } from '../model-request.ts'
import { getPool } from './connection-pool.ts'
import { decodeContent } from './content-decoding.ts'
import { type CallLimits, computeLimits, DeadlineTimer } from './deadlines.ts'
import { createKeyLeakDetector } from './key-leak.ts'
import { hasOnlyComments, isAccountRejection, isRetryable, retryAfterSeconds } from './response-status.ts'
import { UpstreamExchange, type UpstreamHead } from './upstream-exchange.ts'

export type SendOptions = {
  /** Aborting closes the connection immediately. */
  readonly signal: AbortSignal
  readonly promptTokens: number
  /** The maximum length of an answer that is not streamed. Extends the timeout to the first byte. */
  readonly unstreamedTokens?: number
  /** Stricter limits than those of chat models. */
  readonly limits?: Pick<CallLimits, 'firstByteMs' | 'totalMs'> | undefined
  /** Default: 2. A call with another provider to try passes 0. */
  readonly retries?: number | undefined
}

/** Embeddings need little time, and the routes that wait for them respond within two minutes. */
export const EMBEDDING_LIMITS = { firstByteMs: 25_000, totalMs: 110_000 } as const

/** Holds a connection until it is read to its end, finished or closed. */
export type UpstreamReply = UpstreamHead & {
  /** The next bytes; null at the end. Throws `UpstreamFailed`, or any error after `signal` has aborted. */
  read(): Promise<Buffer | null>
  readonly body: AsyncIterable<Buffer>
  /** The answer is complete. Limits the time for the remaining bytes. */
  limitRemaining(withinMs: number): void
  /** The answer is complete. The connection is kept if the remaining bytes end soon. */
  finish(): void
  /** Closes the connection immediately. */
  close(): void
}

const ANTHROPIC_VERSION = '2023-06-01'
const RETRIES_MAX = 2
const RETRY_WAIT_MS = 200
const RETRY_AFTER_SECONDS_MAX = 5
/** More bytes of comments than this are treated as an answer. */
const COMMENT_BYTES_MAX = 64 * 1024

/**
 * Resolves at the first byte of the answer, or with a rejection of the request itself (4xx, 501). Problems with the
 * upstream or our account are thrown as `UpstreamFailed`: no connection, overload, a server error, a rejected key.
 */
export async function sendUpstream(
  app: App,
  target: Target,
  path: string,
  body: string | Buffer,
  { signal, promptTokens, unstreamedTokens = 0, limits: stricter, retries = RETRIES_MAX }: SendOptions,
): Promise<UpstreamReply> {
  const limits = computeLimits(app, { promptTokens, unstreamedTokens }, stricter)
  const call = new Call(app, target, limits, signal)
  try {
    for (let attempt = 0; ; attempt++) {
      const outcome = await tracedAttempt(app, call, target, path, body)
      if ('reply' in outcome) return outcome.reply
      const { failure } = outcome
      const waitMs = RETRY_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2)
      const requestedMs = (failure.retryAfter ?? 0) * 1000
      const isLate = call.watch.elapsedMs + Math.max(waitMs, requestedMs) >= limits.firstByteMs
      if (attempt >= retries || isLate || requestedMs > RETRY_AFTER_SECONDS_MAX * 1000) throw failure
      app.log.warn({ err: failure, attempt }, 'inference.request.retried')
      await sleep(Math.max(waitMs, requestedMs), undefined, { signal })
    }
  } catch (error) {
    call.end()
    throw error
  }
}

/** A span up to the first byte of the answer. */
function tracedAttempt(app: App, call: Call, { baseUrl }: Target, path: string, body: string | Buffer) {
  const { hostname } = new URL(baseUrl)
  const attributes = { 'http.request.method': 'POST', 'server.address': hostname, 'url.template': path }
  return withClientSpan(app.tracing, `POST ${path}`, attributes, async (span) => {
    const outcome = await call.attempt(path, body, span.traceparent)
    if ('reply' in outcome) span.set({ 'http.response.status_code': outcome.reply.status })
    else span.set({ 'error.type': errorType(outcome.failure) })
    return outcome
  })
}

/** Bytes of an answer, and a check that each piece must pass. Apart, because every async function takes memory in every open stream. */
type CheckedBytes = {
  readonly readBytes: () => Promise<Buffer | null>
  readonly check: (chunk: Buffer | null) => Buffer | null
}

// Created once: every call ends with it, and capturing a stack is expensive.
const CALL_ENDED = new Error('the call has ended')

/** The state that all attempts of a call share: the deadlines, the abort signal and the current exchange. */
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
    signal.addEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => this.#exchange?.abort(new Error('the caller aborted the request'))

  /** Stops the timer and closes a connection that is still in use. */
  end(): void {
    this.watch.stop()
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#exchange?.abort(CALL_ENDED)
  }

  async attempt(
    path: string,
    body: string | Buffer,
    traceparent: string | undefined,
  ): Promise<{ reply: UpstreamReply } | { failure: UpstreamFailed }> {
    try {
      const exchange = this.#dispatch(path, body, traceparent)
      const head = await exchange.head
      if (isAccountRejection(head.status)) throw this.#refused(head)
      if (isRetryable(head.status)) {
        this.#drain(exchange)
        const retryAfter = retryAfterSeconds(head.headers, this.#app.clock.now())
        const reason = `the upstream returned status ${head.status}`
        return {
          failure: new UpstreamFailed('unavailable', reason, retryAfter === undefined ? {} : { retryAfter }),
        }
      }
      return { reply: await this.#reply(exchange, head) }
    } catch (error) {
      this.#signal.throwIfAborted()
      if (error instanceof UpstreamFailed) throw error
      const reason = 'the upstream was unreachable or disconnected before its answer'
      return { failure: new UpstreamFailed('unavailable', reason, { cause: error }) }
    }
  }

  #drain(exchange: UpstreamExchange): void {
    exchange.drain()
    this.#exchange = undefined
  }

  #dispatch(path: string, body: string | Buffer, traceparent: string | undefined): UpstreamExchange {
    const { baseUrl } = this.#target
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
          ...(traceparent !== undefined && { traceparent }),
          ...authHeaders(this.#target),
        },
      },
      exchange,
    )
    return exchange
  }

  #refused({ status }: UpstreamHead): UpstreamFailed {
    const { host } = new URL(this.#target.baseUrl)
    this.#app.log.error({ status, host }, 'inference.account.rejected')
    return new UpstreamFailed('unavailable', `the upstream rejected our account with status ${status}`, {
      rejectionStatus: status,
    })
  }

  /** Waits for the first byte of the answer. The comments before it are passed on first. */
  async #reply(exchange: UpstreamExchange, head: UpstreamHead): Promise<UpstreamReply> {
    const containsKey = createKeyLeakDetector(this.#target.apiKey)
    const read = decodeContent(head.headers['content-encoding'], () => exchange.read())
    const check = (chunk: Buffer | null): Buffer | null => {
      if (!chunk || !containsKey(chunk)) return chunk
      this.#app.log.error({ host: new URL(this.#target.baseUrl).host }, 'inference.response.key_echoed')
      throw new UpstreamFailed('failed', 'the response of the upstream contains our API key')
    }
    let first = check(await read())
    while (first && first.length < COMMENT_BYTES_MAX && hasOnlyComments(first)) {
      this.watch.extendForComment()
      const more = check(await read())
      if (!more) break
      first = Buffer.concat([first, more])
    }
    return this.#replyFrom(head, exchange, first, { readBytes: read, check })
  }

  #replyFrom(
    head: UpstreamHead,
    exchange: UpstreamExchange,
    first: Buffer | null,
    { readBytes, check }: CheckedBytes,
  ): UpstreamReply {
    let firstChunk: Buffer | null = first
    let isOver = first === null
    this.watch.pause()
    if (isOver) this.end()
    const close = () => {
      isOver = true
      this.end()
    }
    const finish = () => {
      this.#drain(exchange)
      close()
    }
    const read = async (): Promise<Buffer | null> => {
      if (isOver) return null
      if (firstChunk) {
        const chunk = firstChunk
        firstChunk = null
        return chunk
      }
      this.watch.waitForNextBytes()
      try {
        const chunk = check(await readBytes())
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
        throw new UpstreamFailed('failed', 'the upstream disconnected before the end of its answer', {
          cause: error,
        })
      }
    }
    const limitRemaining = (withinMs: number) => this.watch.shorten(withinMs)
    return { ...head, read, body: chunksOf(read, close), limitRemaining, finish, close }
  }
}

/** The credentials that each provider format expects. */
export function authHeaders({ apiKey, wire = 'openai' }: Target): Record<string, string> {
  const version: Record<string, string> =
    wire === 'anthropic' ? { 'anthropic-version': ANTHROPIC_VERSION } : {}
  if (!apiKey) return version
  if (wire === 'openai') return { authorization: `Bearer ${apiKey}` }
  return { ...version, [wire === 'anthropic' ? 'x-api-key' : 'x-goog-api-key']: apiKey }
}

async function* chunksOf(read: () => Promise<Buffer | null>, close: () => void): AsyncGenerator<Buffer> {
  try {
    for (let chunk = await read(); chunk; chunk = await read()) yield chunk
  } finally {
    close()
  }
}
