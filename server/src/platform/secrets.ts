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
  /** The start of every text that the current secret seals. It reveals nothing about the secret. */
  readonly keyId: string
  /** Encrypts a text. It can only be opened with the same `context`. */
  seal(plain: string, context: string): string
  /** Throws UnsealError for any text that this service did not seal for this context. */
  open(sealed: string, context: string): string
  /** The same content sealed with the current secret. Throws UnsealError like `open`. */
  reseal(sealed: string, context: string): string
  /** A keyed digest (HMAC), to compare or identify values without storing them. */
  digest(text: string, context: string): string
  /** `digest` with every secret, to recognise digests from before a rotation. The current one is first. */
  digests(text: string, context: string): readonly [string, ...string[]]
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
  const older = previous.map(deriveKey)
  const opening = new Map([sealing, ...older].map((key) => [key.id, key]))

  function seal(plain: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', sealing.aes, nonce).setAAD(
      Buffer.from(`${sealing.id}|${context}`),
    )
    const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${sealing.id}.${body.toString('base64url')}`
  }

  function open(sealed: string, context: string): string {
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
  }

  return {
    keyId: sealing.id,
    seal,
    open,
    reseal: (sealed, context) => seal(open(sealed, context), context),
    digest: (text, context) => digestWith(sealing, text, context),
    digests: (text, context) => [
      digestWith(sealing, text, context),
      ...older.map((key) => digestWith(key, text, context)),
    ],
  }
}

const digestWith = ({ mac }: Key, text: string, context: string): string =>
  createHmac('sha256', mac).update(`${context}|${text}`).digest('base64url')

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
