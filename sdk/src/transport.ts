// From a call to its outcome: the request is built once and sent until it succeeds or must not be tried again.
import { CowrieError } from './errors.ts'
import { exchange, type Reply } from './exchange.ts'
import { toJson } from './json.ts'
import type { CallOptions } from './operation.ts'
import { RETRIES_DEFAULT, RETRIES_MAX, wait, waitBeforeRetry } from './retry.ts'
import { SDK_VERSION } from './version.ts'

export type ClientOptions = {
  /** Where the service is, such as `https://cowrie.example`. Empty in a page of the service itself. */
  readonly baseUrl: string
  /** An API key. A signed-in browser needs none: its cookie goes along. */
  readonly key?: string | undefined
  readonly fetch?: typeof fetch | undefined
  readonly retries?: number | undefined
  readonly timeoutMs?: number | undefined
  /** A stream that says nothing for so long, not even that it is alive, counts as broken. */
  readonly streamSilenceMs?: number | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type Call = {
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>> | undefined
  /** JSON text. */
  readonly body?: string | undefined
  readonly accept?: string
  readonly options?: CallOptions | undefined
}

export type Transport = {
  /** Sends the call and reads its reply; both are repeated together when that is safe. */
  send<T>(call: Call, read: (reply: Reply) => Promise<T>): Promise<T>
}

/** A browser says itself what it is, and asks another origin for leave before it sends what a page says. */
const IS_PAGE = 'document' in globalThis || 'WorkerGlobalScope' in globalThis
const TIMEOUT_DEFAULT_MS = 120_000
/** The service says something at least every 15 s. */
const STREAM_SILENCE_DEFAULT_MS = 60_000
const TIMER_MAX_MS = 2 ** 31 - 1

export function createTransport(client: ClientOptions): Transport {
  const baseUrl = checkBaseUrl(client.baseUrl)
  if (client.key !== undefined && !/^[\x21-\x7e]{1,1000}$/.test(client.key))
    throw new TypeError('key must be visible ASCII characters without spaces')
  const standing = {
    ...client.headers,
    ...(client.key === undefined ? {} : { authorization: `Bearer ${client.key}` }),
  }

  async function send<T>(call: Call, read: (reply: Reply) => Promise<T>): Promise<T> {
    const { signal, idempotencyKey, headers } = call.options ?? {}
    const request = {
      method: call.method,
      url: baseUrl + call.path + queryText(call.query),
      headers: headersOf(call, { ...standing, ...headers }),
      body: call.body,
      signal,
      timeoutMs: bounded(
        'timeoutMs',
        call.options?.timeoutMs ?? client.timeoutMs ?? TIMEOUT_DEFAULT_MS,
        1,
        TIMER_MAX_MS,
      ),
      streamSilenceMs: bounded(
        'streamSilenceMs',
        client.streamSilenceMs ?? STREAM_SILENCE_DEFAULT_MS,
        1,
        TIMER_MAX_MS,
      ),
      fetch: client.fetch ?? globalThis.fetch,
    }
    // Anything else could happen twice: an answer that was lost on its way is no sign that nothing was done.
    const repeatable = call.method === 'GET' || call.method === 'HEAD' || idempotencyKey !== undefined
    const retries = bounded(
      'retries',
      call.options?.retries ?? client.retries ?? RETRIES_DEFAULT,
      0,
      RETRIES_MAX,
    )
    const attempts = repeatable ? retries + 1 : 1

    for (let attempt = 1; ; attempt++) {
      try {
        return await read(await exchange(request))
      } catch (failure) {
        if (!(failure instanceof CowrieError)) throw failure
        failure.idempotencyKey = idempotencyKey ?? null
        const waitMs = attempt < attempts ? waitBeforeRetry(failure, attempt) : null
        if (waitMs === null) throw failure
        await wait(waitMs, signal)
      }
    }
  }

  return { send }
}

function headersOf(
  { accept = 'application/json', body, options }: Call,
  given: Record<string, string>,
): Headers {
  const headers = new Headers({ accept })
  if (!IS_PAGE) headers.set('user-agent', `cowrie-sdk/${SDK_VERSION}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (options?.idempotencyKey !== undefined)
    headers.set('idempotency-key', checkIdempotencyKey(options.idempotencyKey))
  for (const [name, value] of Object.entries(given)) headers.set(name, value)
  return headers
}

export const bodyText = (body: unknown): string | undefined => (body === undefined ? undefined : toJson(body))

function queryText(query: Readonly<Record<string, unknown>> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null)
        search.append(name, item instanceof Date ? item.toISOString() : String(item))
  const text = search.toString()
  return text && `?${text}`
}

function checkBaseUrl(baseUrl: string): string {
  if (baseUrl !== '' && !/^https?:\/\/[^?#\s]+$/.test(baseUrl))
    throw new TypeError('baseUrl must be an http or https address without query, or empty')
  return baseUrl.replace(/\/+$/, '')
}

function checkIdempotencyKey(key: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters')
  return key
}

function bounded(name: string, value: number, min: number, max: number): number {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new RangeError(`${name} must be a whole number from ${min} to ${max}`)
  return value
}
