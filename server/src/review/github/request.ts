// One request to GitHub: bounded in time and bytes, patient where GitHub asks for it, and silent about tokens. The address is the
// operator's, from the environment; redirects are followed for archives alone.
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request as dispatch } from 'undici'
import { present } from '../../kernel/assert.ts'
import type { App } from '../../platform/app.ts'
import { GithubRateLimit, GithubRefusal, GithubUnavailable } from './errors.ts'

export type GithubRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Below the address of the API, with what it names encoded. */
  readonly path: string
  readonly token: string
  readonly accept?: string
  readonly body?: object
  readonly bytesMax?: number
  readonly signal?: AbortSignal | undefined
}
export type GithubReply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

const TIMEOUT_MS = 20_000
const BYTES_MAX = 8 * 1024 * 1024
const RETRIES_MAX = 2
const RETRY_WAIT_MS = 300
/** A pause that is longer than this is not waited for here: the work is put back. */
const WAIT_SECONDS_MAX = 5
const PAUSE_SECONDS_MAX = 3_600

const agent = new Agent({ connections: 16, pipelining: 1, keepAliveTimeout: 10_000, allowH2: false })

/** Answers below 400 and redirects come back; all else is thrown as one of the failures. */
export async function sendRequest(app: App, request: GithubRequest): Promise<GithubReply> {
  const what = `${request.method} ${request.path.split('?')[0]}`
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptRequest(app, request, what)
    if (!(outcome instanceof Error)) return outcome
    if (attempt >= RETRIES_MAX || !mayRetry(request, outcome)) throw outcome
    const waitMs =
      outcome instanceof GithubRateLimit ? outcome.retryAfterSeconds * 1000 : RETRY_WAIT_MS * 2 ** attempt
    await sleep(waitMs, undefined, { signal: request.signal })
  }
}

/** JSON that came back, not yet looked at. */
export function parseJson({ bytes }: GithubReply, what: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch (error) {
    throw new GithubUnavailable(what, error)
  }
}

/** What was refused for its pace took no effect. What broke off may have: only reading is repeated then. */
const mayRetry = ({ method }: GithubRequest, failure: Error): boolean =>
  failure instanceof GithubRateLimit
    ? failure.retryAfterSeconds <= WAIT_SECONDS_MAX
    : failure instanceof GithubUnavailable && method === 'GET'

async function attemptRequest(app: App, request: GithubRequest, what: string): Promise<GithubReply | Error> {
  const { signal } = request
  let reply: GithubReply
  try {
    reply = await exchange(app, request)
  } catch (error) {
    signal?.throwIfAborted()
    return error instanceof GithubRefusal ? error : new GithubUnavailable(what, error)
  }
  const pause = rateLimitSeconds(reply, app.clock.now())
  if (pause !== null) return new GithubRateLimit(pause)
  if (reply.status >= 500) return new GithubUnavailable(`${what}: ${reply.status}`)
  return reply.status >= 400 ? new GithubRefusal(reply.status, what) : reply
}

async function exchange(app: App, request: GithubRequest): Promise<GithubReply> {
  const { method, path, token, accept = 'application/vnd.github+json', body, bytesMax = BYTES_MAX } = request
  const { apiUrl } = present(app.config.github, 'GitHub is asked where its app is configured')
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  const reply = await dispatch(`${apiUrl.replace(/\/+$/, '')}${path}`, {
    method,
    dispatcher: agent,
    signal: request.signal ? AbortSignal.any([request.signal, deadline]) : deadline,
    headers: {
      accept,
      authorization: `Bearer ${token}`,
      'user-agent': 'cowrie',
      'x-github-api-version': '2022-11-28',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const parts: Buffer[] = []
  let size = 0
  for await (const part of reply.body as AsyncIterable<Buffer>) {
    size += part.length
    // More than anybody asked for will be more the next time as well.
    if (size > bytesMax) throw new GithubRefusal(413, `${method} ${path.split('?')[0]}`)
    parts.push(part)
  }
  return { status: reply.statusCode, headers: reply.headers, bytes: Buffer.concat(parts) }
}

/** How long GitHub wants us to wait, in seconds; null when it does not. */
function rateLimitSeconds({ status, headers, bytes }: GithubReply, now: Date): number | null {
  if (status !== 403 && status !== 429) return null
  const after = Number(headers['retry-after'])
  const isSpent = headers['x-ratelimit-remaining'] === '0'
  const isSecondary = /secondary rate limit|abuse detection/i.test(bytes.toString('utf8', 0, 2_000))
  if (status === 403 && !Number.isFinite(after) && !isSpent && !isSecondary) return null
  const untilReset = Number(headers['x-ratelimit-reset']) - now.getTime() / 1000
  const asked = [after, isSpent ? untilReset : Number.NaN].find(Number.isFinite) ?? 60
  return Math.min(PAUSE_SECONDS_MAX, Math.max(1, Math.ceil(asked)))
}
