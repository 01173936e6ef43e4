// Signed checkpoints (c2sp.org/tlog-checkpoint): name, size and root of the log, as a note signed with Ed25519.
import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { App } from '../platform/app.ts'
import type { Config } from '../platform/config.ts'
import { readOrCreateSecret } from '../platform/environment/local-secret.ts'
import { parseEd25519 } from '../platform/environment/transparency.ts'

export type LogIdentity = {
  /** The name of the log, and of its keys. */
  readonly origin: string
  /** The key that signs, then the previous one. */
  readonly keys: readonly [KeyObject, ...KeyObject[]]
}

const ED25519 = 1
const PUBLIC_KEY_BYTES = 32
const SEED_BYTES = 32

const identities = new WeakMap<Config, LogIdentity | null>()

/** Null where the log is off: in production without a key. */
export function logIdentity({ config }: App): LogIdentity | null {
  const known = identities.get(config)
  if (known !== undefined) return known
  const identity = readIdentity(config)
  identities.set(config, identity)
  return identity
}

function readIdentity({ transparency, environment, dataDir, baseUrl }: Config): LogIdentity | null {
  const { key, previousKey } = transparency
  const isGenerated = key === null && environment !== 'production'
  const current = isGenerated
    ? parseEd25519(readOrCreateSecret(dataDir, 'transparency-key', SEED_BYTES))
    : key
  if (current === null) return null
  const origin = transparency.origin ?? `${new URL(baseUrl).host}/transparency`
  return { origin, keys: previousKey === null ? [current] : [current, previousKey] }
}

/** The note, with a line of signature for each key. */
export function signCheckpoint({ origin, keys }: LogIdentity, size: number, root: Buffer): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`
  const lines = keys.map((key) => {
    const signature = Buffer.concat([keyHash(origin, key), sign(null, Buffer.from(text), key)])
    return `— ${origin} ${signature.toString('base64')}\n`
  })
  return `${text}\n${lines.join('')}`
}

/** The public key in the form of signed notes: name, hash of the key, and key. */
export function verifierKey({ origin, keys: [key] }: LogIdentity): string {
  return `${origin}+${keyHash(origin, key).toString('hex')}+${publicPart(key).toString('base64')}`
}

const keyHash = (name: string, key: KeyObject): Buffer =>
  createHash('sha256').update(`${name}\n`).update(publicPart(key)).digest().subarray(0, 4)

/** The algorithm and the 32 bytes of the public key, which end its SPKI form. */
function publicPart(key: KeyObject): Buffer {
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return Buffer.concat([Uint8Array.of(ED25519), spki.subarray(-PUBLIC_KEY_BYTES)])
}
