// OpenID Connect discovery, restricted to what this service accepts and cached for ten minutes.
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client'
import { assert } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { EgressError, type EgressRequest, egressRules, fetchExternal } from '../../platform/egress/egress.ts'
import { browserUrlProblem } from '../connection-admin.ts'
import type { IdpConnection } from '../sql.ts'

export type OidcProvider = {
  readonly metadata: ServerMetadata
  /** Client authentication methods, the last successful one first. */
  authMethods(): ClientAuth[]
  /** Moves a method to the front. */
  prefer(method: ClientAuth): void
  /** The configuration for one exchange; without a method when no secret is sent. */
  configuration(method?: ClientAuth): Configuration
}

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA', 'Ed25519', 'PS256']
const SKEW_SECONDS = 60
const CACHE_LIFETIME = { minutes: 10 }
const REFETCH_AFTER = { minutes: 1 }
const PROVIDERS_MAX = 1_000
const CALL_SECONDS = 10

type CachedProvider = { provider: Promise<OidcProvider>; version: string; until: Date }
const caches = new WeakMap<App, Map<string, CachedProvider>>()

/** The provider of a connection. Throws `EgressError` or an error of the library. */
export async function getProvider(app: App, connection: IdpConnection): Promise<OidcProvider> {
  const cache = caches.get(app) ?? new Map<string, CachedProvider>()
  caches.set(app, cache)
  const now = app.clock.now()
  const version = `${connection.updatedAt.getTime()} ${connection.issuer}`
  const entry = cache.get(connection.id)
  if (entry?.version === version && entry.until > now) return entry.provider

  const provider = discover(app, connection)
  cache.delete(connection.id)
  // Evict the oldest entry.
  for (const oldest of cache.keys()) if (cache.size >= PROVIDERS_MAX) cache.delete(oldest)
  cache.set(connection.id, { provider, version, until: after(now, CACHE_LIFETIME) })
  provider.catch(() => {
    if (cache.get(connection.id)?.provider === provider) cache.delete(connection.id)
  })
  return provider
}

async function discover(app: App, connection: IdpConnection): Promise<OidcProvider> {
  const { issuer, clientId, clientSecret } = connection
  assert(issuer && clientId, 'an OpenID Connect connection has an issuer and a client id')
  const fetch = (url: string, options: EgressRequest) => fetchExternal(url, options, egressRules(app))
  const found = await discovery(new URL(issuer), clientId, undefined, None(), {
    timeout: CALL_SECONDS,
    [customFetch]: fetch,
    execute: egressRules(app).loopbackAllowed ? [allowInsecureRequests] : [],
  })
  const metadata = restrictMetadata(app, issuer, found.serverMetadata())
  const keys = new KeyCache(app, metadata.jwks_uri, fetch)
  let authMethods = clientAuthMethods(metadata, clientSecret)
  return {
    metadata,
    authMethods: () => authMethods,
    prefer: (method) => {
      authMethods = [method, ...authMethods.filter((each) => each !== method)]
    },
    configuration: (method) => {
      const configuration = new Configuration(metadata, clientId, { [clockTolerance]: SKEW_SECONDS }, method)
      configuration.timeout = CALL_SECONDS
      configuration[customFetch] = keys.createFetch()
      // Verify the signature of the token, even though it came directly over TLS.
      enableNonRepudiationChecks(configuration)
      if (egressRules(app).loopbackAllowed) allowInsecureRequests(configuration)
      return configuration
    },
  }
}

/** Restricts the metadata to accepted values, so that the library rejects the others. */
function restrictMetadata(
  app: App,
  issuer: string,
  metadata: ServerMetadata,
): ServerMetadata & { jwks_uri: string } {
  const { authorization_endpoint, token_endpoint, jwks_uri } = metadata
  if (new URL(metadata.issuer).href !== new URL(issuer).href)
    throw new EgressError('refused', 'the provider calls itself by another name')
  if (!authorization_endpoint || !token_endpoint || !jwks_uri)
    throw new EgressError('refused', 'the provider does not name its endpoints')
  const problem = browserUrlProblem(authorization_endpoint, egressRules(app))
  if (problem) throw new EgressError('refused', `the authorization endpoint ${problem}`)
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256']
  return {
    ...metadata,
    // In the form the library requests it.
    jwks_uri: new URL(jwks_uri).href,
    id_token_signing_alg_values_supported: offered.filter((name) => ALGORITHMS.includes(name)),
  }
}

/** Providers advertise more methods than they allow for one client, so several are tried. */
function clientAuthMethods(metadata: ServerMetadata, secret: string | null): ClientAuth[] {
  if (secret === null) return [None()]
  const offered = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authMethods = [
    ...(offered.includes('client_secret_basic') ? [ClientSecretBasic(secret)] : []),
    ...(offered.includes('client_secret_post') ? [ClientSecretPost(secret)] : []),
  ]
  return authMethods.length > 0 ? authMethods : [ClientSecretBasic(secret)]
}

type Fetch = (url: string, options: EgressRequest) => Promise<Response>

/** Cache of a provider's signing keys. An unknown key id triggers a new fetch, at most once a minute. */
class KeyCache {
  readonly #app: App
  readonly #uri: string
  readonly #fetch: Fetch
  #cached: string | null = null
  #refetchedAt: Date | null = null

  constructor(app: App, uri: string, fetch: Fetch) {
    this.#app = app
    this.#uri = uri
    this.#fetch = fetch
  }

  /** A fetch for one exchange: it notes the key id of the token and serves the keys from the cache. */
  createFetch(): Fetch {
    let keyId: string | null = null
    return async (url, options) => {
      if (url === this.#uri) return this.#serveKeys(keyId, options)
      const response = await this.#fetch(url, options)
      keyId = parseKeyId(await response.clone().text()) ?? keyId
      return response
    }
  }

  async #serveKeys(keyId: string | null, options: EgressRequest): Promise<Response> {
    const now = this.#app.clock.now()
    const cached = this.#cached
    if (cached !== null && (hasKey(cached, keyId) || !this.#mayRefetch(now)))
      return new Response(cached, { headers: { 'content-type': 'application/json' } })
    if (cached !== null) this.#refetchedAt = now
    const response = await this.#fetch(this.#uri, options)
    if (response.status === 200) this.#cached = await response.clone().text()
    return response
  }

  #mayRefetch(now: Date): boolean {
    return !this.#refetchedAt || after(this.#refetchedAt, REFETCH_AFTER) <= now
  }
}

/** The key id in the header of an ID token. Not verified: it only decides whether to fetch keys again. */
function parseKeyId(tokenAnswer: string): string | null {
  const token = /"id_token"\s*:\s*"([\w-]+)\./.exec(tokenAnswer)?.[1] ?? ''
  const head = Buffer.from(token, 'base64url').toString('utf8')
  return /"kid"\s*:\s*"([^"\\]{1,500})"/.exec(head)?.[1] ?? null
}

const hasKey = (keys: string, name: string | null): boolean =>
  name === null || keys.includes(JSON.stringify(name))
