// The key and the name of the transparency log.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { EnvironmentReader } from './environment.ts'

export type TransparencyConfig = {
  /** Null: generated outside production; no log in production. */
  readonly key: KeyObject | null
  /** Also signs, so that clients that know only this key accept the next one. */
  readonly previousKey: KeyObject | null
  /** The name of the log; null: derived from the base URL. */
  readonly origin: string | null
}

export function readTransparency(read: EnvironmentReader): TransparencyConfig {
  const origin = read.text('SERVICE_TRANSPARENCY_ORIGIN')
  if (origin !== null && !/^[\w.:/-]{1,200}$/.test(origin))
    read.problem(
      'SERVICE_TRANSPARENCY_ORIGIN',
      'must be a name of letters, digits and . : / - such as cowrie.example/transparency.',
    )
  const key = readKey(read, 'SERVICE_TRANSPARENCY_KEY')
  const previousKey = readKey(read, 'SERVICE_TRANSPARENCY_KEY_PREVIOUS')
  if (previousKey !== null && key === null)
    read.problem('SERVICE_TRANSPARENCY_KEY', 'is required with SERVICE_TRANSPARENCY_KEY_PREVIOUS.')
  return { key, previousKey, origin }
}

function readKey(read: EnvironmentReader, name: string): KeyObject | null {
  const text = read.text(name)
  if (text === null) return null
  const key = parseEd25519(text)
  if (key === null)
    read.problem(
      name,
      'must be an Ed25519 key: PKCS#8 PEM, or 32 random bytes in base64, for example from: openssl rand -base64 32',
    )
  return key
}

/** The start of an Ed25519 key in PKCS#8 (RFC 8410). The seed follows. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** An Ed25519 key in PKCS#8 PEM, or its seed of 32 bytes in base64. Null for anything else. */
export function parseEd25519(text: string): KeyObject | null {
  try {
    const key = text.includes('-----BEGIN')
      ? createPrivateKey(text.replaceAll('\\n', '\n'))
      : createPrivateKey({
          key: Buffer.concat([PKCS8_PREFIX, seedOf(text)]),
          format: 'der',
          type: 'pkcs8',
        })
    return key.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}

function seedOf(text: string): Buffer {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) throw new Error('a seed has 32 bytes')
  return Buffer.from(text, 'base64')
}
