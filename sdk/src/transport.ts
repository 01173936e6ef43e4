// Sends a call: builds the request once, and retries it until it succeeds or must not be sent again.
import { CowrieError } from './errors.ts'
import { exchange, type Reply } from './exchange.ts'
import { toJson } from './json.ts'
import type { CallOptions } from './operation.ts'
import { RETRIES_DEFAULT, RETRIES_MAX, wait, waitBeforeRetry } from './retry.ts'
import { SDK_VERSION } from './version.ts'

export type ClientOptions = {
  /** The address of the service, such as `https://cowrie.example`. Empty in a page of the service itself. */
  readonly baseUrl: string
  /** An API key. A signed-in browser needs none: it sends its cookie. */
  readonly key?: string | undefined
  readonly fetch?: typeof fetch | undefined
  readonly retries?: number | undefined
  readonly timeoutMs?: number | undefined
  /** A stream that sends nothing for this long, not even a keep-alive, counts as broken. */
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
  /** Sends the call and reads its reply. A retry repeats both. */
  send<T>(call: Call, read: (reply: Reply) => Promise<T>): Promise<T>
}

/** Browsers set User-Agent themselves, and a custom one would cause a CORS preflight. */
const IS_BROWSER = 'document' in globalThis || 'WorkerGlobalScope' in globalThis
const TIMEOUT_DEFAULT_MS = 120_000
/** The service sends a keep-alive at least every 15 s. */
const STREAM_SILENCE_DEFAULT_MS = 60_000
const TIMER_MAX_MS = 2 ** 31 - 1

export function createTransport(client: ClientOptions): Transport {
  const baseUrl = checkBaseUrl(client.baseUrl)
  if (client.key !== undefined && !/^[\x21-\x7e]{1,1000}$/.test(client.key))
    throw new TypeError('key must be visible ASCII characters without spaces')
  const commonHeaders = {
    ...client.headers,
    ...(client.key === undefined ? {} : { authorization: `Bearer ${client.key}` }),
  }

  async function send<T>(call: Call, read: (reply: Reply) => Promise<T>): Promise<T> {
    const { signal, idempotencyKey, headers } = call.options ?? {}
    const request = {
      method: call.method,
      url: baseUrl + call.path + queryText(call.query),
      headers: headersOf(call, { ...commonHeaders, ...headers }),
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
    // Other calls could take effect twice: a lost answer does not mean that nothing happened.
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
  custom: Record<string, string>,
): Headers {
  const headers = new Headers({ accept })
  if (!IS_BROWSER) headers.set('user-agent', `cowrie-sdk/${SDK_VERSION}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (options?.idempotencyKey !== undefined)
    headers.set('idempotency-key', checkIdempotencyKey(options.idempotencyKey))
  for (const [name, value] of Object.entries(custom)) headers.set(name, value)
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
    throw new RangeError(`${name} must be an integer from ${min} to ${max}`)
  return value
}
