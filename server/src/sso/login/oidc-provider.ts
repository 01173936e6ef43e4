// What a provider says about itself: discovered, cut down to what we accept, and remembered for ten minutes.
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
import { callOut, EgressFailed, type EgressRequest, egressRules } from '../../platform/egress/egress.ts'
import { browserUrlProblem } from '../connection-admin.ts'
import type { IdpConnection } from '../sql.ts'

export type OidcProvider = {
  readonly metadata: ServerMetadata
  /** The authMethods to show it our secret, first the one that worked last. */
  authMethods(): ClientAuth[]
  /** From now on first. */
  prefer(method: ClientAuth): void
  /** The configuration for one exchange; without a method where no secret is shown. */
  configuration(method?: ClientAuth): Configuration
}

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA', 'Ed25519', 'PS256']
const SKEW_SECONDS = 60
const CACHE_LIFETIME = { minutes: 10 }
const REFETCH_AFTER = { minutes: 1 }
const PROVIDERS_MAX = 1_000
const CALL_SECONDS = 10

type CachedProvider = { provider: Promise<OidcProvider>; madeFor: string; until: Date }
const caches = new WeakMap<App, Map<string, CachedProvider>>()

/** The provider of a connection. Throws `EgressFailed`, or whatever the library finds wrong with it. */
export async function getProvider(app: App, connection: IdpConnection): Promise<OidcProvider> {
  const known = caches.get(app) ?? new Map<string, CachedProvider>()
  caches.set(app, known)
  const now = app.clock.now()
  const madeFor = `${connection.updatedAt.getTime()} ${connection.issuer}`
  const earlier = known.get(connection.id)
  if (earlier?.madeFor === madeFor && earlier.until > now) return earlier.provider

  const provider = discover(app, connection)
  known.delete(connection.id)
  // The eldest makes room; who comes back is asked again.
  for (const oldest of known.keys()) if (known.size >= PROVIDERS_MAX) known.delete(oldest)
  known.set(connection.id, { provider, madeFor, until: after(now, CACHE_LIFETIME) })
  provider.catch(() => {
    if (known.get(connection.id)?.provider === provider) known.delete(connection.id)
  })
  return provider
}

async function discover(app: App, connection: IdpConnection): Promise<OidcProvider> {
  const { issuer, clientId, clientSecret } = connection
  assert(issuer && clientId, 'a connection of this type has an issuer and a client')
  const fetch = (url: string, options: EgressRequest) => callOut(url, options, egressRules(app))
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
      configuration[customFetch] = keys.through()
      // The provider is believed by its signature, not by where the token came from.
      enableNonRepudiationChecks(configuration)
      if (egressRules(app).loopbackAllowed) allowInsecureRequests(configuration)
      return configuration
    },
  }
}

/** Only what we accept remains: so the library refuses the rest. */
function restrictMetadata(
  app: App,
  issuer: string,
  metadata: ServerMetadata,
): ServerMetadata & { jwks_uri: string } {
  const { authorization_endpoint, token_endpoint, jwks_uri } = metadata
  if (new URL(metadata.issuer).href !== new URL(issuer).href)
    throw new EgressFailed('refused', 'the provider calls itself by another name')
  if (!authorization_endpoint || !token_endpoint || !jwks_uri)
    throw new EgressFailed('refused', 'the provider does not name its endpoints')
  const problem = browserUrlProblem(authorization_endpoint, egressRules(app))
  if (problem) throw new EgressFailed('refused', `the authorization endpoint ${problem}`)
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256']
  return {
    ...metadata,
    // As the library will ask for it.
    jwks_uri: new URL(jwks_uri).href,
    id_token_signing_alg_values_supported: offered.filter((name) => ALGORITHMS.includes(name)),
  }
}

/** Providers offer more authMethods than they let one client use, and do not say which one that is. */
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

/** The keys of a provider, kept as long as the provider. One it began to use meanwhile is asked for, at most once a minute. */
class KeyCache {
  readonly #app: App
  readonly #uri: string
  readonly #fetch: Fetch
  #held: string | null = null
  #askedAgainAt: Date | null = null

  constructor(app: App, uri: string, fetch: Fetch) {
    this.#app = app
    this.#uri = uri
    this.#fetch = fetch
  }

  /** For one exchange: sees which key the token names, and answers for the address of the keys. */
  through(): Fetch {
    let wanted: string | null = null
    return async (url, options) => {
      if (url === this.#uri) return this.#answer(wanted, options)
      const response = await this.#fetch(url, options)
      wanted = parseKeyId(await response.clone().text()) ?? wanted
      return response
    }
  }

  async #answer(wanted: string | null, options: EgressRequest): Promise<Response> {
    const now = this.#app.clock.now()
    const held = this.#held
    if (held !== null && (hasKey(held, wanted) || !this.#mayAskAgain(now)))
      return new Response(held, { headers: { 'content-type': 'application/json' } })
    if (held !== null) this.#askedAgainAt = now
    const response = await this.#fetch(this.#uri, options)
    if (response.status === 200) this.#held = await response.clone().text()
    return response
  }

  #mayAskAgain(now: Date): boolean {
    return !this.#askedAgainAt || after(this.#askedAgainAt, REFETCH_AFTER) <= now
  }
}

/** The name of the key in the head of an ID token. Nothing is believed here: it only says whether to ask for keys. */
function parseKeyId(tokenAnswer: string): string | null {
  const token = /"id_token"\s*:\s*"([\w-]+)\./.exec(tokenAnswer)?.[1] ?? ''
  const head = Buffer.from(token, 'base64url').toString('utf8')
  return /"kid"\s*:\s*"([^"\\]{1,500})"/.exec(head)?.[1] ?? null
}

const hasKey = (keys: string, name: string | null): boolean =>
  name === null || keys.includes(JSON.stringify(name))
