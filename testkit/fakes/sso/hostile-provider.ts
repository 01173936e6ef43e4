// A fake OpenID provider that tests can make hostile. It is honest until a test replaces a part.
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  randomUUID,
  sign,
  type webcrypto,
} from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { makeKey } from './oidc.ts'

type SigningKey = JsonWebKey & { kid: string; alg: string }
type Handle = (request: IncomingMessage, response: ServerResponse) => unknown

export const CONTINUE = Symbol('continue')

export type HostileProvider = {
  readonly issuer: string
  readonly key: SigningKey
  /** Its discovery document, and the claims of its tokens. */
  metadata: Record<string, unknown>
  claims: Record<string, unknown>
  header: Record<string, unknown>
  /** Builds the token from header and claims. */
  encode: (header: object, claims: object) => string
  /** Handlers that replace the honest reply, by path. `CONTINUE` means the honest reply follows. */
  readonly overrides: Map<string, Handle>
  /** The requests it received, with their forms. */
  readonly requests: { path: string; form: URLSearchParams }[]
  /** Acts as the browser: returns the callback URL with a code. */
  visit(address: string): Promise<URL>
}

// RSA keys are slow to generate. Two providers of one test never share a key.
const KEYS = [makeKey('RS256'), makeKey('RS256')]
let started = 0

export async function startHostile(): Promise<HostileProvider> {
  const key = KEYS[started++ % KEYS.length] as SigningKey
  const codes = new Map<string, URLSearchParams>()
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const form = new URLSearchParams(await text(request))
    provider.requests.push({ path, form })
    const instead = provider.overrides.get(path)
    if (instead && (await instead(request, response)) !== CONTINUE) return
    honest(path, form, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const honest = (path: string, form: URLSearchParams, response: ServerResponse) => {
    if (path === '/.well-known/openid-configuration') return reply(response, provider.metadata)
    if (path === '/jwks') return reply(response, { keys: [publicPart(key)] })
    if (path === '/token') {
      const authorization = codes.get(form.get('code') ?? '')
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: issuer,
        aud: 'cowrie',
        sub: 'mallory',
        iat: now,
        exp: now + 300,
        nonce: authorization?.get('nonce'),
        ...provider.claims,
      }
      const id_token = provider.encode({ alg: 'RS256', kid: key.kid, ...provider.header }, claims)
      return reply(response, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token })
    }
    response.statusCode = 404
    return reply(response, {})
  }

  const provider: HostileProvider = {
    issuer,
    key,
    metadata: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none', 'ES256', 'RS512'],
    },
    claims: { email: 'mallory@corp.test', email_verified: true },
    header: {},
    encode: (header, claims) => signed(header, claims, key),
    overrides: new Map(),
    requests: [],
    async visit(address) {
      const parameters = new URL(address).searchParams
      const code = randomUUID()
      codes.set(code, parameters)
      const back = new URL(parameters.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', parameters.get('state') ?? '')
      return back
    },
  }
  return provider
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs with RSA, whatever algorithm the header names. */
export function signed(header: object, claims: object, key: JsonWebKey): string {
  const body = `${encoded(header)}.${encoded(claims)}`
  const digest = 'alg' in header && header.alg === 'RS512' ? 'sha512' : 'sha256'
  const signature = sign(digest, Buffer.from(body), createPrivateKey({ key, format: 'jwk' }))
  return `${body}.${signature.toString('base64url')}`
}

export const unsigned = (header: object, claims: object): string => `${encoded(header)}.${encoded(claims)}.`

/** The algorithm confusion attack: an HMAC with the public key as its secret. */
export function macWithPublicKey(header: object, claims: object, key: JsonWebKey): string {
  const body = `${encoded(header)}.${encoded(claims)}`
  const pem = createPublicKey({ key: publicPart(key), format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  return `${body}.${createHmac('sha256', pem).update(body).digest('base64url')}`
}

export function publicPart(key: JsonWebKey): JsonWebKey {
  const { alg: _alg, d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...rest } = key as webcrypto.JsonWebKey
  return rest as JsonWebKey
}

export function reply(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}
