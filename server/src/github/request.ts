// Sends one request to GitHub, with limits on time and size, and retries. Tokens are never logged. The operator configures the
// API URL in the environment. Redirects are never followed here.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request as dispatch } from 'undici'
import { z } from 'zod'
import { present } from '../kernel/assert.ts'
import type { App } from '../platform/app.ts'
import { GithubRateLimit, GithubRefusal, GithubUnavailable, isGithubError } from './errors.ts'

export type GithubRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Relative to the API URL, with encoded parts. */
  readonly path: string
  readonly token: string
  readonly accept?: string
  readonly body?: object
  readonly bytesMax?: number
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}
export type GithubReply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}
/** The body must be read to its end or discarded. */
export type GithubStream = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Readable
}

const TIMEOUT_MS = 20_000
/** Of a stream: until its headers, and between two pieces of its body. */
const STREAM_IDLE_MS = 60_000
const BYTES_MAX = 8 * 1024 * 1024
const RETRIES_MAX = 2
const RETRY_WAIT_MS = 300
/** For a longer rate limit the job is requeued instead. */
const WAIT_SECONDS_MAX = 5
const PAUSE_SECONDS_MAX = 3_600

const agent = new Agent({ connections: 16, pipelining: 1, keepAliveTimeout: 10_000, allowH2: false })

/** Returns replies below 400, redirects included. Throws one of the errors in `errors.ts` otherwise. */
export async function sendRequest(app: App, request: GithubRequest): Promise<GithubReply> {
  const label = labelOf(request)
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptRequest(app, request, label)
    if (!(outcome instanceof Error)) return outcome
    if (attempt >= RETRIES_MAX || !mayRetry(request, outcome)) throw outcome
    const waitMs =
      outcome instanceof GithubRateLimit ? outcome.retryAfterSeconds * 1000 : RETRY_WAIT_MS * 2 ** attempt
    await sleep(waitMs, undefined, { signal: request.signal })
  }
}

/** Like `sendRequest`, without retries, for bodies that do not fit in memory. The time is limited by the signal alone. */
export async function openStream(app: App, request: GithubRequest): Promise<GithubStream> {
  const label = labelOf(request)
  try {
    const { statusCode: status, headers, body } = await open(app, request, request.signal)
    if (status < 400) return { status, headers, body }
    const bytes = await readWithin(body, request.bytesMax ?? BYTES_MAX, label)
    throw failureOf(app, { status, headers, bytes }, label)
  } catch (error) {
    request.signal?.throwIfAborted()
    throw isGithubError(error) ? error : new GithubUnavailable(label, error)
  }
}

/** Downloads from an address that GitHub gave. It contains its own credentials, so no token is sent. */
export async function openDownload(url: URL, signal: AbortSignal | undefined): Promise<GithubStream> {
  const label = `GET ${url.origin}`
  try {
    const reply = await dispatch(url, { dispatcher: agent, ...(signal && { signal }), ...STREAM_TIMEOUTS })
    const { statusCode: status, headers, body } = reply
    if (status < 300) return { status, headers, body }
    discardBody(body)
    throw new GithubUnavailable(`${label}: ${status}`)
  } catch (error) {
    signal?.throwIfAborted()
    throw isGithubError(error) ? error : new GithubUnavailable(label, error)
  }
}

/** An unread body reports its own destruction as an error. Without a listener, that would end the process. */
export function discardBody(body: Readable): void {
  body.on('error', () => undefined).destroy()
}

/** Parses the body as JSON, without validation. */
export function parseJson({ bytes }: GithubReply, label: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch (error) {
    throw new GithubUnavailable(label, error)
  }
}

/** A rate limited request had no effect, so it can be repeated. A failed one may have had, so only reads are repeated. */
const mayRetry = ({ method }: GithubRequest, failure: Error): boolean =>
  failure instanceof GithubRateLimit
    ? failure.retryAfterSeconds <= WAIT_SECONDS_MAX
    : failure instanceof GithubUnavailable && method === 'GET'

async function attemptRequest(app: App, request: GithubRequest, label: string): Promise<GithubReply | Error> {
  const { signal } = request
  let reply: GithubReply
  try {
    reply = await exchange(app, request, label)
  } catch (error) {
    signal?.throwIfAborted()
    return error instanceof GithubRefusal ? error : new GithubUnavailable(label, error)
  }
  return reply.status >= 400 ? failureOf(app, reply, label) : reply
}

function failureOf(app: App, reply: GithubReply, label: string): Error {
  const waitSeconds = rateLimitSeconds(reply, app.clock.now())
  if (waitSeconds !== null) return new GithubRateLimit(waitSeconds)
  if (reply.status >= 500) return new GithubUnavailable(`${label}: ${reply.status}`)
  return new GithubRefusal(reply.status, label, readReason(reply))
}

const labelOf = ({ method, path }: GithubRequest): string => `${method} ${path.split('?')[0]}`
const STREAM_TIMEOUTS = { headersTimeout: STREAM_IDLE_MS, bodyTimeout: STREAM_IDLE_MS }

async function exchange(app: App, request: GithubRequest, label: string): Promise<GithubReply> {
  const { signal, timeoutMs = TIMEOUT_MS, bytesMax = BYTES_MAX } = request
  const deadline = AbortSignal.timeout(timeoutMs)
  const { statusCode, headers, body } = await open(
    app,
    request,
    signal ? AbortSignal.any([signal, deadline]) : deadline,
  )
  return { status: statusCode, headers, bytes: await readWithin(body, bytesMax, label) }
}

function open(app: App, request: GithubRequest, signal: AbortSignal | undefined) {
  const { method, path, token, accept = 'application/vnd.github+json', body } = request
  const { apiUrl } = present(app.config.github, 'the GitHub App is configured')
  return dispatch(`${apiUrl.replace(/\/+$/, '')}${path}`, {
    method,
    dispatcher: agent,
    ...(signal && { signal }),
    ...STREAM_TIMEOUTS,
    headers: {
      accept,
      authorization: `Bearer ${token}`,
      'user-agent': 'cowrie',
      'x-github-api-version': '2022-11-28',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function readWithin(body: AsyncIterable<Buffer>, bytesMax: number, label: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    // A retry would exceed the limit as well.
    if (size > bytesMax) throw new GithubRefusal(413, label)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const REASON_MAX = 300
const RefusalBody = z.object({
  message: z.string(),
  errors: z
    .array(z.object({ message: z.string().catch('') }))
    .max(20)
    .catch([]),
})

/** GitHub's explanation of a refusal, as one line. */
function readReason({ bytes }: GithubReply): string {
  try {
    const { message, errors } = RefusalBody.parse(JSON.parse(bytes.toString('utf8')))
    const parts = [message, ...errors.map((each) => each.message)].filter((part) => part !== '')
    return parts
      .join(': ')
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      .slice(0, REASON_MAX)
  } catch {
    return ''
  }
}

/** Seconds to wait for a rate limit; null when there is none. */
function rateLimitSeconds({ status, headers, bytes }: GithubReply, now: Date): number | null {
  if (status !== 403 && status !== 429) return null
  const after = Number(headers['retry-after'])
  const isExhausted = headers['x-ratelimit-remaining'] === '0'
  const isSecondary = /secondary rate limit|abuse detection/i.test(bytes.toString('utf8', 0, 2_000))
  if (status === 403 && !Number.isFinite(after) && !isExhausted && !isSecondary) return null
  const untilReset = Number(headers['x-ratelimit-reset']) - now.getTime() / 1000
  const seconds = [after, isExhausted ? untilReset : Number.NaN].find(Number.isFinite) ?? 60
  return Math.min(PAUSE_SECONDS_MAX, Math.max(1, Math.ceil(seconds)))
}
