// A JSON API with OAuth2 client credentials.
import { type HttpClient, type HttpResponse, NoResponse } from '../http-client.ts'
import { cachedToken, readToken, TokenError } from '../oauth-token.ts'
import { readKeyReply } from '../probes.ts'
import type { KeyVerdict } from '../rail.ts'

export type OauthApi = {
  /** POST with a body, else GET. */
  call(http: HttpClient, path: string, request: ApiRequest): Promise<HttpResponse | ApiFailure>
  /** Asks for a token without the cache, then makes a call that only reads. */
  tryKeys(http: HttpClient, path: string, request: ApiRequest): Promise<KeyVerdict>
}

export type ApiRequest = { readonly headers: Readonly<Record<string, string>>; readonly body?: object }

/** No answer arrived. `isRefused`: the provider rejects our keys, so nothing was called. */
export type ApiFailure = { readonly failure: string; readonly isRefused: boolean }

type Credentials = {
  readonly baseUrl: string
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope?: string
}

export function openOauthApi(credentials: Credentials): OauthApi {
  const { baseUrl, tokenUrl, clientId, clientSecret, scope } = credentials
  const form = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
    ...(scope && { scope }),
  })
  const requestToken = (http: HttpClient) =>
    http.call(tokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    })
  const withToken = cachedToken(
    async (http) => readToken(await requestToken(http)),
    ({ status }) => status === 401,
  )
  const send = (http: HttpClient, path: string, { headers, body }: ApiRequest) =>
    withToken(http, (token) =>
      http.call(`${baseUrl}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
  return {
    async call(http, path, request) {
      try {
        return await send(http, path, request)
      } catch (error) {
        if (error instanceof TokenError) return { failure: error.message, isRefused: error.refused }
        if (error instanceof NoResponse) return { failure: error.message, isRefused: false }
        throw error
      }
    },
    async tryKeys(http, path, request) {
      const verdict = readKeyReply(await requestToken(http))
      // A token server can serve several environments: only the API knows its own clients.
      return verdict.keys === 'accepted' ? readKeyReply(await send(http, path, request)) : verdict
    },
  }
}
