// Requests to the API of a code host with a token, with limits on time and size, and retries. Tokens are never logged, and
// redirects are followed only within the API.
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request as dispatch } from 'undici'
import { z } from 'zod'
import { ForgeRateLimit, ForgeRefusal, ForgeUnavailable, isForgeError } from './errors.ts'

export type ForgeClient = {
  /** For messages, such as `GitLab`. */
  readonly host: string
  readonly apiUrl: string
  /** The pages of the host, where they are needed too. */
  readonly webUrl?: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal | undefined
}

export type ForgeRequest = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Relative to the API, with encoded parts; or an address of the API or the pages. */
  readonly path: string
  readonly body?: object
  readonly bytesMax?: number
}

const TIMEOUT_MS = 20_000
const ARCHIVE_TIMEOUT_MS = 120_000
const BYTES_MAX = 8 * 1024 * 1024
const RETRIES_MAX = 2
const RETRY_WAIT_MS = 300
/** For a longer rate limit the job is requeued instead. */
const WAIT_SECONDS_MAX = 5
const PAUSE_SECONDS_MAX = 3_600
const REDIRECTS_MAX = 3

/** A timeout, a locked resource, and a request that came too early. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425])

const agent = new Agent({ connections: 16, pipelining: 1, keepAliveTimeout: 10_000, allowH2: false })

/** The body of a reply below 400. Throws one of the errors in `errors.ts` otherwise. */
export async function requestBytes(client: ForgeClient, request: ForgeRequest): Promise<Buffer> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptRequest(client, request)
    if (Buffer.isBuffer(outcome)) return outcome
    if (attempt >= RETRIES_MAX || !mayRetry(request, outcome)) throw outcome
    const waitMs =
      outcome instanceof ForgeRateLimit ? outcome.retryAfterSeconds * 1000 : RETRY_WAIT_MS * 2 ** attempt
    await sleep(waitMs, undefined, { signal: client.signal })
  }
}

export async function requestJson<T>(
  client: ForgeClient,
  schema: z.ZodType<T>,
  request: ForgeRequest,
): Promise<T> {
  const bytes = await requestBytes(client, request)
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    throw new ForgeUnavailable(client.host, labelOf(request), error)
  }
}

/** A rate limited request had no effect, so it can be repeated. A failed one may have had, so only reads are repeated. */
const mayRetry = ({ method = 'GET' }: ForgeRequest, failure: Error): boolean =>
  failure instanceof ForgeRateLimit
    ? failure.retryAfterSeconds <= WAIT_SECONDS_MAX
    : failure instanceof ForgeUnavailable && method === 'GET'

async function attemptRequest(client: ForgeClient, request: ForgeRequest): Promise<Buffer | Error> {
  try {
    return await exchange(client, request, addressOf(client, request.path), 0)
  } catch (error) {
    client.signal?.throwIfAborted()
    if (isForgeError(error)) return error as Error
    return new ForgeUnavailable(client.host, labelOf(request), error)
  }
}

/** Another host must not get the token. */
function addressOf({ apiUrl, webUrl = apiUrl, host }: ForgeClient, path: string): URL {
  const url = new URL(path.startsWith('/') ? `${apiUrl}${path}` : path)
  if ([apiUrl, webUrl].some((own) => new URL(own).origin === url.origin)) return url
  throw new ForgeUnavailable(host, 'an address of another host')
}

async function exchange(
  client: ForgeClient,
  request: ForgeRequest,
  url: URL,
  redirects: number,
): Promise<Buffer> {
  const { method = 'GET', body, bytesMax = BYTES_MAX } = request
  const deadline = AbortSignal.timeout(bytesMax > BYTES_MAX ? ARCHIVE_TIMEOUT_MS : TIMEOUT_MS)
  const reply = await dispatch(url, {
    method,
    dispatcher: agent,
    signal: client.signal ? AbortSignal.any([client.signal, deadline]) : deadline,
    headers: {
      accept: 'application/json',
      'user-agent': 'cowrie',
      ...client.headers,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { statusCode: status, headers } = reply
  const bytes = await readWithin(client, reply.body, bytesMax, labelOf(request))
  if (status < 300) return bytes
  if (status < 400) {
    const next = URL.parse(String(headers.location ?? ''), url.href)
    if (!next || next.origin !== url.origin || method !== 'GET' || redirects >= REDIRECTS_MAX)
      throw new ForgeUnavailable(client.host, `${labelOf(request)}: redirected to another host`)
    return exchange(client, request, next, redirects + 1)
  }
  if (status === 429) throw new ForgeRateLimit(client.host, pauseSeconds(headers))
  if (status >= 500 || PASSING.has(status))
    throw new ForgeUnavailable(client.host, `${labelOf(request)}: ${status}`)
  throw new ForgeRefusal(client.host, status, labelOf(request), readReason(bytes))
}

function pauseSeconds(headers: Record<string, string | string[] | undefined>): number {
  const seconds = Number(headers['retry-after'])
  return Number.isFinite(seconds) ? Math.min(PAUSE_SECONDS_MAX, Math.max(1, Math.ceil(seconds))) : 60
}

const labelOf = ({ method = 'GET', path }: ForgeRequest): string => `${method} ${path.split('?')[0]}`

async function readWithin(
  { host }: ForgeClient,
  body: AsyncIterable<Buffer>,
  bytesMax: number,
  label: string,
): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    // A retry would exceed the limit as well.
    if (size > bytesMax) throw new ForgeRefusal(host, 413, label)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const REASON_MAX = 300
const ErrorBody = z.union([
  z.object({ message: z.unknown() }).transform(({ message }) => message),
  z.object({ error: z.object({ message: z.unknown() }) }).transform(({ error }) => error.message),
  z.object({ error: z.unknown() }).transform(({ error }) => error),
])

function readReason(bytes: Buffer): string {
  try {
    const reason = ErrorBody.parse(JSON.parse(bytes.toString('utf8')))
    return (typeof reason === 'string' ? reason : JSON.stringify(reason)).slice(0, REASON_MAX)
  } catch {
    return ''
  }
}

/** Null when the host refuses because there is no such file, or it is too large. */
export async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ForgeRefusal && [403, 404, 413].includes(error.status)) return null
    throw error
  }
}

export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
