// OpenID Connect with state, nonce and PKCE.
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  type IDToken,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { before, type Duration } from '../../kernel/clock.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { EgressError } from '../../platform/egress/egress.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { redirectUri } from '../connection-admin.ts'
import { findConnectionById } from '../connections.ts'
import type { CallbackQuery } from '../schema.ts'
import type { IdpConnection } from '../sql.ts'
import { completeLogin, type SsoClaims } from './complete-login.ts'
import { beginFlow, consumeFlow } from './flows.ts'
import type { LoginFlow } from './flows-sql.ts'
import { getProvider, type OidcProvider } from './oidc-provider.ts'

const SCOPE = 'openid email profile'
const VERIFIER_CONTEXT = 'sso code verifier'
const SKEW: Duration = { seconds: 60 }
const GROUPS_MAX = 1_000

/** Starts a flow and returns the authorization URL. */
export async function startOidcLogin(
  app: App,
  request: RequestInfo,
  connection: IdpConnection,
  { email, next }: { email?: string | undefined; next?: string | undefined },
): Promise<string> {
  const provider = await callProvider(app, connection, () => getProvider(app, connection))
  const verifier = randomPKCECodeVerifier()
  const nonce = randomNonce()
  const flow = await beginFlow(app, request, connection, {
    data: { issuer: provider.metadata.issuer, nonce, verifier: app.secrets.seal(verifier, VERIFIER_CONTEXT) },
    next,
  })
  const url = buildAuthorizationUrl(provider.configuration(), {
    redirect_uri: redirectUri(app, 'oidc'),
    scope: SCOPE,
    state: flow.key,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(email && { login_hint: email }),
  })
  return url.href
}

/**
 * Signs the user in and returns the path to open. Consumes the flow before calling the provider, so that a
 * state works once whatever the provider replies.
 */
export async function finishOidcLogin(app: App, request: RequestInfo, query: CallbackQuery): Promise<string> {
  const { state } = query
  if (!state) throw invalidFields({ path: 'query.state', message: 'is required' })
  const flow = await app.db.tx('platform', (tx) => consumeFlow(tx, request, state))
  const connection = flow && (await findConnectionById(app, flow.connectionId))
  if (!flow || !connection?.enabled || connection.type !== 'oidc') throw new ApiError('sso_failed')
  const claims = await callProvider(app, connection, () => exchange(app, connection, flow, query))
  const { next } = await completeLogin(app, request, connection, claims, async () => flow)
  return next
}

async function exchange(
  app: App,
  connection: IdpConnection,
  flow: LoginFlow,
  query: CallbackQuery,
): Promise<SsoClaims> {
  const provider = await getProvider(app, connection)
  if (flow.data.issuer !== provider.metadata.issuer) throw new Error('the connection was changed meanwhile')
  const { configuration, tokens } = await redeem(app, provider, flow, callbackUrl(app, query))
  const token = tokens.claims()
  if (!token) throw new Error('there is no ID token')
  checkIdToken(app, connection, flow, token)
  const person =
    'email' in token
      ? token
      : { ...token, ...(await fetchProfile(configuration, tokens.access_token, token)) }
  return toClaims(token, person)
}

/**
 * Exchanges the code. A client authentication error does not consume the code, so the next method can try it.
 */
async function redeem(app: App, provider: OidcProvider, flow: LoginFlow, url: URL) {
  const checks = {
    expectedState: flow.key,
    expectedNonce: flow.data.nonce ?? '',
    pkceCodeVerifier: app.secrets.open(flow.data.verifier ?? '', VERIFIER_CONTEXT),
    idTokenExpected: true,
  }
  let refusal: unknown
  for (const method of provider.authMethods()) {
    const configuration = provider.configuration(method)
    try {
      const tokens = await authorizationCodeGrant(configuration, url, checks)
      provider.prefer(method)
      return { configuration, tokens }
    } catch (error) {
      if (!isClientAuthError(error)) throw error
      refusal = error
    }
  }
  throw refusal
}

const isClientAuthError = (error: unknown): boolean =>
  (error instanceof ResponseBodyError && error.error === 'invalid_client') ||
  (error instanceof WWWAuthenticateChallengeError && error.status === 401)

/** Checks the library does not make: the token is for us alone and was issued during this flow. */
function checkIdToken(
  app: App,
  { clientId }: IdpConnection,
  flow: LoginFlow,
  { aud, azp, iat }: IDToken,
): void {
  if (azp !== undefined && azp !== clientId) throw new Error('the token was made for another party')
  if (Array.isArray(aud) && aud.length !== 1) throw new Error('the token is for others as well')
  const issuedAt = new Date(iat * 1000)
  const isFresh = issuedAt >= before(flow.createdAt, SKEW) && before(issuedAt, SKEW) <= app.clock.now()
  if (!isFresh) throw new Error('the token was not issued during this sign-in')
}

/**
 * Some providers send the email address only from the userinfo endpoint, which must return the same subject.
 */
async function fetchProfile(configuration: Configuration, accessToken: string, { sub }: IDToken) {
  if (!configuration.serverMetadata().userinfo_endpoint) return {}
  const { email, email_verified, name } = await fetchUserInfo(configuration, accessToken, sub)
  return { email, email_verified, ...(name && { name }) }
}

function toClaims({ iss, sub }: IDToken, person: Record<string, unknown>): SsoClaims {
  const { email, email_verified, name, groups } = person
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' ? email : null,
    emailVerified: parseEmailVerified(email_verified),
    name: typeof name === 'string' ? name : null,
    groups: (Array.isArray(groups) ? groups : [groups])
      .slice(0, GROUPS_MAX)
      .filter((group) => typeof group === 'string'),
  }
}

/** Some providers send the string "true". Any other value means false. */
function parseEmailVerified(value: unknown): boolean | null {
  if (value === undefined || value === null) return null
  return value === true || value === 'true'
}

/** The callback URL with protocol parameters only. */
function callbackUrl(app: App, query: CallbackQuery): URL {
  const url = new URL(redirectUri(app, 'oidc'))
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value)
  return url
}

/**
 * Maps every error of the provider to `sso_failed` or `sso_unreachable`: the library throws many error types
 * for invalid replies. The log gets the messages, without claims about the user.
 */
async function callProvider<T>(app: App, { id, orgId }: IdpConnection, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const chain = causesOf(error)
    const reason = chain
      .map(({ message }) => message)
      .join(': ')
      .slice(0, REASON_CHARACTERS_MAX)
    app.log.warn({ connectionId: id, orgId, reason }, 'sso.oidc.login_failed')
    const isAway = chain.some((each) => each instanceof EgressError && each.kind === 'unreachable')
    throw new ApiError(isAway ? 'sso_unreachable' : 'sso_failed')
  }
}

const CAUSES_MAX = 5
const REASON_CHARACTERS_MAX = 500

function causesOf(error: unknown): Error[] {
  const chain: Error[] = []
  for (let each = error; each instanceof Error && chain.length < CAUSES_MAX; each = each.cause)
    chain.push(each)
  return chain
}
