// The token that a provider lends us for an hour: kept until shortly before it ends, and borrowed once however many
// payments wait for it.
import { z } from 'zod'
import { type HttpClient, type HttpResponse, NoResponse } from './http-client.ts'

export type AccessToken = { readonly token: string; readonly seconds: number }

/** Calls with a token in hand. Throws `NoAccess` when there is none to be had. */
export type WithToken = (
  http: HttpClient,
  call: (token: string) => Promise<HttpResponse>,
) => Promise<HttpResponse>

/** The provider lent us nothing. `refused` when it does not accept our keys, and not when it is out of order. */
export class TokenError extends Error {
  readonly refused: boolean
  constructor(refused: boolean, reason: string) {
    super(reason)
    this.name = 'NoAccess'
    this.refused = refused
  }
}

// So that a token does not end on its way.
const RENEW_EARLY_SECONDS = 60

export function cachedToken(
  borrow: (http: HttpClient) => Promise<AccessToken>,
  isRefused: (answer: HttpResponse) => boolean,
): WithToken {
  let kept: { token: string; untilMs: number } | null = null
  let borrowing: Promise<string> | null = null

  async function renew(http: HttpClient): Promise<string> {
    const { token, seconds } = await borrow(http)
    kept = { token, untilMs: http.clock.now().getTime() + (seconds - RENEW_EARLY_SECONDS) * 1000 }
    return token
  }

  async function current(http: HttpClient): Promise<string> {
    if (kept && http.clock.now().getTime() < kept.untilMs) return kept.token
    borrowing ??= renew(http).finally(() => {
      borrowing = null
    })
    return borrowing
  }

  return async (http, call) => {
    const token = await current(http)
    const answer = await call(token)
    if (!isRefused(answer)) return answer
    // Who refuses the token did nothing else with the call, so that it is safe to repeat, once.
    if (kept?.token === token) kept = null
    return call(await current(http))
  }
}

/** What the provider's answer to our keys lends us. */
export function readToken({ status, json }: HttpResponse): AccessToken {
  const lending = TokenReply.safeParse(json)
  if (status === 200 && lending.success)
    return { token: lending.data.access_token, seconds: lending.data.expires_in }
  throw new TokenError(KEYS_REFUSED.has(status), `no access token, but status ${status}`)
}

/** Why nothing came of a call, where that is the provider's doing or the network's. Everything else is a bug. */
export function failureReason(error: unknown): string {
  if (error instanceof NoResponse || error instanceof TokenError) return error.message
  throw error
}

export const basicAuth = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

const KEYS_REFUSED = new Set([400, 401, 403])

// The token becomes part of a header. A time that nobody can read is none: the token then serves this one call.
const TokenReply = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  expires_in: z.coerce.number().min(0).max(86_400).catch(0),
})
