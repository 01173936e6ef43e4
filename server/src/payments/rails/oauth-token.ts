// Caches the OAuth access token of a provider until shortly before it expires. Concurrent calls share one token request.
import { z } from 'zod'
import { type HttpClient, type HttpResponse, NoResponse } from './http-client.ts'
import type { InitiationResult } from './rail.ts'

export type AccessToken = { readonly token: string; readonly seconds: number }

/** Runs a call with a valid token. Throws `TokenError` when the provider issues none: then the call had no effect. */
export type WithToken = (
  http: HttpClient,
  call: (token: string) => Promise<HttpResponse>,
) => Promise<HttpResponse>

/** `refused`: the provider rejected our keys, as opposed to an outage. */
export class TokenError extends Error {
  readonly refused: boolean
  constructor(refused: boolean, reason: string) {
    super(reason)
    this.name = 'TokenError'
    this.refused = refused
  }
}

// So that a token does not expire during a call.
const RENEW_EARLY_SECONDS = 60

export function cachedToken(
  fetchToken: (http: HttpClient) => Promise<AccessToken>,
  isRefused: (answer: HttpResponse) => boolean,
): WithToken {
  let cached: { token: string; untilMs: number } | null = null
  let renewal: Promise<string> | null = null

  async function renew(http: HttpClient): Promise<string> {
    const { token, seconds } = await tryFetch(http)
    cached = { token, untilMs: http.clock.now().getTime() + (seconds - RENEW_EARLY_SECONDS) * 1000 }
    return token
  }

  async function tryFetch(http: HttpClient): Promise<AccessToken> {
    try {
      return await fetchToken(http)
    } catch (error) {
      if (error instanceof NoResponse) throw new TokenError(false, error.message)
      throw error
    }
  }

  async function current(http: HttpClient): Promise<string> {
    if (cached && http.clock.now().getTime() < cached.untilMs) return cached.token
    renewal ??= renew(http).finally(() => {
      renewal = null
    })
    return renewal
  }

  return async (http, call) => {
    const token = await current(http)
    const answer = await call(token)
    if (!isRefused(answer)) return answer
    // A call with a rejected token had no effect, so one retry is safe.
    if (cached?.token === token) cached = null
    return call(await current(http))
  }
}

export function readToken({ status, json }: HttpResponse): AccessToken {
  const reply = TokenReply.safeParse(json)
  if (status === 200 && reply.success)
    return { token: reply.data.access_token, seconds: reply.data.expires_in }
  throw new TokenError(KEYS_REFUSED.has(status), `no access token, but status ${status}`)
}

/** The reason of a failed provider call. Rethrows all other errors. */
export function failureReason(error: unknown): string {
  if (error instanceof NoResponse || error instanceof TokenError) return error.message
  throw error
}

/** The result of a new payment whose call failed. Without a token it was never sent. */
export function failedInitiation(error: unknown, unavailable: string): InitiationResult {
  const reason = failureReason(error)
  if (error instanceof TokenError && error.refused)
    return { outcome: 'rejected', reason: unavailable, detail: reason, isAccountProblem: true }
  const isUnsent = error instanceof TokenError || (error instanceof NoResponse && !error.sent)
  return { outcome: 'unknown', reason, ...(isUnsent && { isUnsent }) }
}

export const basicAuth = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

const KEYS_REFUSED = new Set([400, 401, 403])

// The token must be safe in a header. With an unreadable lifetime it serves one call.
const TokenReply = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  expires_in: z.coerce.number().min(0).max(86_400).catch(0),
})
