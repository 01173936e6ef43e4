// A real OpenID provider library on localhost. It signs in the user that the test sets.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Visitor } from '../../harness/harness.ts'
import { rsaKeys } from '../../harness/rsa-keys.ts'

export type OidcProfile = {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

export type FakeOidcProvider = {
  readonly issuer: string
  readonly client: { clientId: string; clientSecret: string }
  /** The user who is signed in at the provider. */
  person: OidcProfile
  /** Replaces the signing key; the old one is no longer published. */
  rotate(): void
  /** Acts as the browser: follows redirects until the callback URL. */
  visit(address: string): Promise<URL>
  /** The number of requests for a path. */
  requestCount(path: string): number
}

type ProviderLibrary = {
  callback(): RequestListener
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> }
}
// The package has no types; these are the parts in use.
const PACKAGE: string = 'oidc-provider'
const { Provider: ProviderLibrary } = (await import(PACKAGE)) as {
  Provider: new (issuer: string, configuration: object) => ProviderLibrary
}

const STEPS_MAX = 10

export type FakeOidcOptions = {
  algorithm?: 'RS256' | 'ES256' | 'EdDSA' | 'PS256'
  /** Sends profile claims only from the userinfo endpoint. Large providers put them into the ID token. */
  claimsInUserinfoOnly?: boolean
}

export async function startOidc({
  algorithm = 'ES256',
  claimsInUserinfoOnly = false,
}: FakeOidcOptions = {}): Promise<FakeOidcProvider> {
  const people = new Map<string, OidcProfile>()
  const requestCounts = new Map<string, number>()
  const client = { clientId: 'cowrie', clientSecret: randomUUID() }
  let provider: ProviderLibrary
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    requestCounts.set(path, (requestCounts.get(path) ?? 0) + 1)
    if (!path.startsWith('/interaction/')) return provider.callback()(request, response)
    people.set(fake.person.sub, fake.person)
    const result = { login: { accountId: fake.person.sub }, consent: {} }
    provider.interactionFinished(request, response, result).catch(() => response.destroy())
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const make = () =>
    new ProviderLibrary(issuer, {
      clients: [
        {
          client_id: client.clientId,
          client_secret: client.clientSecret,
          redirect_uris: ['http://cowrie.test/auth/sso/oidc/callback'],
          id_token_signed_response_alg: algorithm,
        },
      ],
      jwks: { keys: [makeKey(algorithm)] },
      cookies: { keys: ['fake'] },
      features: { devInteractions: { enabled: false } },
      enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256', 'EdDSA', 'PS256'] },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      conformIdTokenClaims: claimsInUserinfoOnly,
      claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ ...people.get(id), sub: id }),
      }),
      async loadExistingGrant(context: {
        oidc: { client: { clientId: string }; session: { accountId: string } }
      }) {
        const { client, session } = context.oidc
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })

  const fake: FakeOidcProvider = {
    issuer,
    client,
    person: { sub: 'ada-at-the-provider', email: 'ada@corp.test', email_verified: true, name: 'Ada' },
    rotate: () => {
      provider = make()
    },
    requestCount: (path) => requestCounts.get(path) ?? 0,
    async visit(address) {
      const cookies = new Map<string, string>()
      let at = new URL(address)
      for (let step = 0; step < STEPS_MAX; step++) {
        if (at.origin !== issuer) return at
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        const next = response.headers.get('location')
        if (!next) throw new Error(`the provider stopped at ${at.pathname}: ${await response.text()}`)
        at = new URL(next, at)
      }
      throw new Error('the provider redirects in a loop')
    },
  }
  provider = make()
  return fake
}

/** A complete sign-in of a browser with cookies. */
export async function signInThrough(
  provider: Pick<FakeOidcProvider, 'visit'>,
  browser: Visitor,
  query: Record<string, string>,
  finishing: Visitor = browser,
) {
  const started = await browser.call('GET', '/auth/sso/initiate', { query })
  if (started.status !== 302) return started
  const back = await provider.visit(started.headers.location ?? '')
  return finishing.call('GET', `${back.pathname}${back.search}`)
}

export function makeKey(algorithm: string, kid: string = randomUUID()) {
  const jwk = pairFor(algorithm).privateKey.export({ format: 'jwk' })
  return { ...jwk, kid, alg: algorithm, use: 'sig' }
}

function pairFor(algorithm: string) {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519')
  return rsaKeys()
}
