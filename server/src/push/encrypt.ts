// Encrypts a message for one browser: RFC 8291 with the content coding aes128gcm (RFC 8188), in one record.
import { createCipheriv, createECDH, createPublicKey, hkdfSync, randomBytes } from 'node:crypto'

export type BrowserKeys = {
  /** The public key of the browser: an uncompressed point of P-256, in base64url. */
  readonly p256dh: string
  /** The shared secret of the browser: 16 bytes, in base64url. */
  readonly auth: string
}

/** Push services must accept messages of 4,096 bytes. Header, padding and tag take a part of it. */
export const PLAIN_BYTES_MAX = 3_072
const RECORD_BYTES = 4_096
// Lengths in steps, so that the length of a message does not tell which one it is.
const PADDED_TO = 256
const LAST_RECORD = 2
const PUBLIC_KEY_BYTES = 65
const AUTH_BYTES = 16

/** The reason to reject the keys of a browser; null when they are usable. */
export function findKeyProblem({ p256dh, auth }: BrowserKeys): 'p256dh' | 'auth' | null {
  if (Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return 'auth'
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== PUBLIC_KEY_BYTES || point[0] !== 4) return 'p256dh'
  try {
    const x = point.toString('base64url', 1, 33)
    const y = point.toString('base64url', 33)
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    return null
  } catch {
    return 'p256dh'
  }
}

/** `salt` and `privateKey` are random; the example of the RFC fixes them. */
export function encryptMessage(
  plain: Uint8Array,
  { p256dh, auth }: BrowserKeys,
  fixed: { readonly salt?: Buffer; readonly privateKey?: Buffer; readonly paddedTo?: number } = {},
): Buffer {
  const { salt = randomBytes(16), paddedTo = PADDED_TO } = fixed
  const own = createECDH('prime256v1')
  if (fixed.privateKey) own.setPrivateKey(fixed.privateKey)
  else own.generateKeys()
  const browserKey = Buffer.from(p256dh, 'base64url')
  const ownKey = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey])
  const input = derive(own.computeSecret(browserKey), Buffer.from(auth, 'base64url'), info, 32)
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12)

  const length = Math.max(Math.ceil((plain.length + 1) / paddedTo) * paddedTo, plain.length + 1)
  const record = Buffer.alloc(length)
  record.set(plain)
  record[plain.length] = LAST_RECORD
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const size = Buffer.alloc(5)
  size.writeUInt32BE(RECORD_BYTES)
  size[4] = ownKey.length
  return Buffer.concat([salt, size, ownKey, cipher.update(record), cipher.final(), cipher.getAuthTag()])
}

const derive = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
