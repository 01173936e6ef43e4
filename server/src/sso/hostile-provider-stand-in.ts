// For tests: a provider that tells whatever it is told to tell. It is honest until its parts are replaced.
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
import { makeKey } from './oidc-stand-in.ts'

type SigningKey = JsonWebKey & { kid: string; alg: string }
type Handle = (request: IncomingMessage, response: ServerResponse) => unknown

export const CONTINUE = Symbol('go on')

export type HostileProvider = {
  readonly issuer: string
  readonly key: SigningKey
  /** What it published, and what it would have said unasked. */
  metadata: Record<string, unknown>
  claims: Record<string, unknown>
  header: Record<string, unknown>
  /** From head and body to the token. */
  encode: (header: object, claims: object) => string
  /** What it answers instead, by path; honestly after all when that is `GO_ON`. */
  readonly overrides: Map<string, Handle>
  /** What it was asked, with the forms it was sent. */
  readonly requests: { path: string; form: URLSearchParams }[]
  /** As a browser: back from the address we sent it to, with a code. */
  visit(address: string): Promise<URL>
}

// Keys of this kind are slow to make; two providers of one test never share theirs.
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
      const asked = codes.get(form.get('code') ?? '')
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: issuer,
        aud: 'cowrie',
        sub: 'mallory',
        iat: now,
        exp: now + 300,
        nonce: asked?.get('nonce'),
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
      const wanted = new URL(address).searchParams
      const code = randomUUID()
      codes.set(code, wanted)
      const back = new URL(wanted.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', wanted.get('state') ?? '')
      return back
    },
  }
  return provider
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** With RSA, whatever the head says; of the length it says. */
export function signed(header: object, claims: object, key: JsonWebKey): string {
  const body = `${encoded(header)}.${encoded(claims)}`
  const digest = 'alg' in header && header.alg === 'RS512' ? 'sha512' : 'sha256'
  const signature = sign(digest, Buffer.from(body), createPrivateKey({ key, format: 'jwk' }))
  return `${body}.${signature.toString('base64url')}`
}

export const unsigned = (header: object, claims: object): string => `${encoded(header)}.${encoded(claims)}.`

/** The old trick: the public key, which everybody has, as the secret of a MAC. */
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
