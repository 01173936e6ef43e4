// Sealing: what must not be readable at rest or by the client that carries it. AES-256-GCM with a named context.
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
  /** Encrypts; `context` says where the text belongs, and it opens nowhere else. */
  seal(plain: string, context: string): string
  /** Throws SealBroken for anything that was not sealed by us for this context. */
  open(sealed: string, context: string): string
  /** A keyed digest, for comparing or naming things without keeping them. */
  digest(text: string, context: string): string
}

export class UnsealError extends Error {
  constructor() {
    super('a sealed text does not open: it was changed, moved, or sealed with a secret that is gone')
    this.name = 'SealBroken'
  }
}

// Key objects, because the platform takes four times as long with the bytes of a key.
type Key = { id: string; aes: KeyObject; mac: KeyObject }

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_CHARACTERS = 8

/** The first secret seals; all of them open, so a secret can be rotated without signing anyone out. */
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

/** Compares secrets without telling by time how much of them was right. */
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
