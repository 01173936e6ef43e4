// Sends one request to a search provider: limited size, no redirects, no proxy, no keys in errors. The operator
// configures the URL, so it may be a private address.
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request as dispatch } from 'undici'

export type SearchHttpRequest = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Posted as JSON; without a body the request is a GET. */
  readonly body?: object
}

export type SearchFailureKind = 'refused' | 'limited' | 'unavailable' | 'bad_answer'

/** Why a provider did not answer. Contains neither the key nor the query. */
export class SearchFailure extends Error {
  readonly failure: SearchFailureKind
  /** The pause that the provider asks for, if any. */
  readonly pauseMs: number | null
  constructor(failure: SearchFailureKind, what: string, pauseMs: number | null = null) {
    super(`search ${failure}: ${what}`)
    this.name = 'SearchFailure'
    this.failure = failure
    this.pauseMs = pauseMs
  }
}

const ANSWER_BYTES_MAX = 1024 * 1024
/** Bytes of an error body that are drained to keep the connection. */
const DRAINED_BYTES_MAX = 16 * 1024
const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE'

// A separate agent ignores proxy variables. The caller's signal limits the time.
const agent = new Agent({
  connections: 32,
  pipelining: 1,
  keepAliveTimeout: 10_000,
  allowH2: false,
  maxResponseSize: ANSWER_BYTES_MAX,
})

/** The unvalidated JSON of the answer. Throws SearchFailure, or the abort reason. */
export async function sendSearch(
  { url, headers, body }: SearchHttpRequest,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const reply = await dispatch(url, {
      method: body ? 'POST' : 'GET',
      dispatcher: agent,
      signal,
      headers: {
        accept: 'application/json',
        'user-agent': 'cowrie',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const failure = toFailure(reply.statusCode, reply.headers)
    if (!failure) return parseJson(await reply.body.text())
    // Drains in the background until the end or the abort.
    void reply.body.dump({ limit: DRAINED_BYTES_MAX })
    throw failure
  } catch (error) {
    if (error instanceof SearchFailure) throw error
    signal.throwIfAborted()
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no connection'
    throw new SearchFailure(code === TOO_LARGE ? 'bad_answer' : 'unavailable', code)
  }
}

function toFailure(status: number, headers: IncomingHttpHeaders): SearchFailure | null {
  if (status >= 200 && status < 300) return null
  const what = `status ${status}`
  if (status === 429) return new SearchFailure('limited', what, readRetryAfter(headers))
  if (status >= 500 || status === 408 || status === 425)
    return new SearchFailure('unavailable', what, readRetryAfter(headers))
  // A redirect would send the key to a host that the operator has not configured.
  return new SearchFailure(status < 400 ? 'bad_answer' : 'refused', what)
}

function readRetryAfter(headers: IncomingHttpHeaders): number | null {
  const after = headers['retry-after']
  if (after === undefined) return readQuotaReset(headers)
  // A date is compared with the provider's own clock, so a wrong clock does not matter.
  const seconds = /^\d{1,9}$/.test(after)
    ? Number(after)
    : (Date.parse(after) - Date.parse(headers.date ?? '')) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : null
}

/**
 * Brave lists its windows: `X-RateLimit-Remaining: 0, 1000`, `X-RateLimit-Reset: 1, 1419704` in seconds. Exhausted
 * windows count.
 */
function readQuotaReset(headers: IncomingHttpHeaders): number | null {
  const numbers = (name: string) =>
    String(headers[name] ?? '')
      .split(',', 8)
      .map(Number)
  const remaining = numbers('x-ratelimit-remaining')
  const spent = numbers('x-ratelimit-reset').filter((reset, i) => remaining[i] === 0 && reset > 0)
  return spent.length > 0 ? Math.max(...spent) * 1000 : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SearchFailure('bad_answer', 'not JSON')
  }
}
