// A software authenticator with real keys and standard bytes. Tests can override every part.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const ORIGIN = 'http://cowrie.test'
const HOST = 'cowrie.test'
const FLAGS = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 }

/** Parts that a test changes in the reply of an honest authenticator and browser. */
export type AuthenticatorOverrides = {
  origin?: string
  host?: string
  challenge?: string
  type?: string
  crossOrigin?: boolean
  userVerified?: boolean
  userPresent?: boolean
  backedUp?: boolean
  counter?: number
  userHandle?: string
  credentialId?: Buffer
  /** The attested id, where it differs from the one the browser sends. */
  attestedId?: Buffer
  /** Extra bytes inside the public key. */
  ballast?: Buffer
  signedBy?: KeyObject
  tamper?: (bytes: Buffer) => Buffer
  attestation?: { format: string; statement: Map<string, unknown> }
  selfAttested?: boolean
}

export class SoftAuthenticator {
  readonly credentialId = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #counter = 0
  #userHandle = ''

  get privateKey(): KeyObject {
    return this.#keys.privateKey
  }

  /** The result of `navigator.credentials.create()`. */
  create(options: { challenge: string; user: { id: string } }, overrides: AuthenticatorOverrides = {}) {
    this.#userHandle = options.user.id
    const id = overrides.credentialId ?? this.credentialId
    const attestedId = overrides.attestedId ?? id
    const length = Buffer.alloc(2)
    length.writeUInt16BE(attestedId.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, attestedId, this.#coseKey(overrides.ballast)])
    const data = Buffer.concat([authenticatorData(overrides, 0, FLAGS.attested), attested])
    const client = clientData('webauthn.create', options.challenge, overrides)
    const none = { format: 'none', statement: new Map<string, unknown>() }
    const self = {
      format: 'packed',
      statement: new Map<string, unknown>([
        ['alg', -7],
        ['sig', this.#sign(data, client)],
      ]),
    }
    const { format, statement } = overrides.attestation ?? (overrides.selfAttested ? self : none)
    const object = cbor(
      new Map<string, unknown>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', data],
      ]),
    )
    return {
      ...head(id),
      response: {
        clientDataJSON: client.toString('base64url'),
        attestationObject: (overrides.tamper?.(object) ?? object).toString('base64url'),
        transports: ['internal', 'hybrid'],
      },
    }
  }

  /** The result of `navigator.credentials.get()`. */
  get(options: { challenge: string }, overrides: AuthenticatorOverrides = {}) {
    this.#counter += 1
    const client = clientData('webauthn.get', options.challenge, overrides)
    const data = authenticatorData(overrides, this.#counter, 0)
    return {
      ...head(overrides.credentialId ?? this.credentialId),
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: (overrides.tamper?.(data) ?? data).toString('base64url'),
        signature: this.#sign(data, client, overrides.signedBy).toString('base64url'),
        userHandle: overrides.userHandle ?? this.#userHandle,
      },
    }
  }

  #sign(data: Buffer, client: Buffer, key = this.#keys.privateKey): Buffer {
    return sign('sha256', Buffer.concat([data, createHash('sha256').update(client).digest()]), key)
  }

  #coseKey(ballast?: Buffer): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    return cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
        ...(ballast ? ([[-100, ballast]] as const) : []),
      ]),
    )
  }
}

const head = (id: Buffer) => ({
  id: id.toString('base64url'),
  rawId: id.toString('base64url'),
  type: 'public-key',
  authenticatorAttachment: 'platform',
  clientExtensionResults: { credProps: { rk: true } },
})

const clientData = (type: string, challenge: string, overrides: AuthenticatorOverrides): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: overrides.type ?? type,
      challenge: overrides.challenge ?? challenge,
      origin: overrides.origin ?? ORIGIN,
      crossOrigin: overrides.crossOrigin ?? false,
      ...(overrides.crossOrigin && { topOrigin: 'https://evil.example' }),
    }),
  )

function authenticatorData(overrides: AuthenticatorOverrides, counter: number, more: number): Buffer {
  const { userPresent = true, userVerified = true, backedUp = false } = overrides
  const flags =
    (userPresent ? FLAGS.userPresent : 0) |
    (userVerified ? FLAGS.userVerified : 0) |
    (backedUp ? FLAGS.backupEligible | FLAGS.backedUp : 0) |
    more
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flags)
  tail.writeUInt32BE(overrides.counter ?? counter, 1)
  return Buffer.concat([
    createHash('sha256')
      .update(overrides.host ?? HOST)
      .digest(),
    tail,
  ])
}

/** The subset of CBOR (RFC 8949) that authenticators use. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Array.isArray(value)) return Buffer.concat([cborHead(4, value.length), ...value.map(cbor)])
  if (value instanceof Map)
    return Buffer.concat([
      cborHead(5, value.size),
      ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)]),
    ])
  throw new Error(`authenticators do not encode ${typeof value}`)
}

function cborHead(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 256) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
