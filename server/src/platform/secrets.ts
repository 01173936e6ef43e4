// Seals secrets that are stored or carried by a client: AES-256-GCM with a context as additional data.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

export type Secrets = {
  /** Encrypts a text. It can only be opened with the same `context`. */
  seal(plain: string, context: string): string
  /** Throws UnsealError for any text that this service did not seal for this context. */
  open(sealed: string, context: string): string
  /** A keyed digest (HMAC), to compare or identify values without storing them. */
  digest(text: string, context: string): string
}

export class UnsealError extends Error {
  constructor() {
    super(
      'A sealed text cannot be opened: it was altered, belongs to another context, or was sealed with a removed secret.',
    )
    this.name = 'UnsealError'
  }
}

// KeyObjects: Node.js is four times slower with the raw bytes of a key.
type Key = { id: string; aes: KeyObject; mac: KeyObject }

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_CHARACTERS = 8

/** `current` seals and every secret opens, so a secret can be rotated without signing users out. */
export function createSecrets(current: string, previous: readonly string[] = []): Secrets {
  const sealing = deriveKey(current)
  const opening = new Map([sealing, ...previous.map(deriveKey)].map((key) => [key.id, key]))

  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealing.aes, nonce).setAAD(
        Buffer.from(`${sealing.id}|${context}`),
      )
      const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${sealing.id}.${body.toString('base64url')}`
    },

    open(sealed, context) {
      const key = opening.get(sealed.slice(0, KEY_ID_CHARACTERS))
      const body = Buffer.from(sealed.slice(KEY_ID_CHARACTERS + 1), 'base64url')
      if (!key || sealed[KEY_ID_CHARACTERS] !== '.' || body.length < NONCE_BYTES + TAG_BYTES)
        throw new UnsealError()
      const decipher = createDecipheriv('aes-256-gcm', key.aes, body.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(`${key.id}|${context}`))
        .setAuthTag(body.subarray(-TAG_BYTES))
      try {
        return (
          decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
        )
      } catch {
        throw new UnsealError()
      }
    },

    digest: (text, context) =>
      createHmac('sha256', sealing.mac).update(`${context}|${text}`).digest('base64url'),
  }
}

/** Compares secrets in constant time. */
export function secretsEqual(given: string, expected: string): boolean {
  const blind = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(blind(given), blind(expected))
}

function deriveKey(secret: string): Key {
  const derive = (info: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, 'cowrie', info, bytes))
  return {
    id: derive('key id', 6).toString('base64url'),
    aes: createSecretKey(derive('seal', 32)),
    mac: createSecretKey(derive('digest', 32)),
  }
}
