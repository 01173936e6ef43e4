// Reads the PalmPay account from its variables: our private key and PalmPay's public key.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { baseUrlOf, RailConfigurationError, requiredKeys } from '../keys.ts'
import type { OpenRail, Variables } from '../rail.ts'

export const PALMPAY_NEEDS = ['PALMPAY_APP_ID', 'PALMPAY_PRIVATE_KEY', 'PALMPAY_PUBLIC_KEY'] as const

export type PalmpayAccount = {
  readonly appId: string
  readonly privateKey: KeyObject
  /** PalmPay's current key and, during a rotation, the previous one. */
  readonly publicKeys: readonly KeyObject[]
  readonly version: string
  readonly base: string
  readonly keys: OpenRail['keys']
}

export function palmpayAccount(variables: Variables): PalmpayAccount | null {
  const keys = requiredKeys(variables, PALMPAY_NEEDS)
  if (!keys) return null
  const base = baseUrlOf(variables, 'PALMPAY_BASE_URL', 'https://open-gw-prod.palmpay-inc.com')
  const privateKey = privateKeyFrom('PALMPAY_PRIVATE_KEY', keys.PALMPAY_PRIVATE_KEY)
  const publicKey = publicKeyFrom('PALMPAY_PUBLIC_KEY', keys.PALMPAY_PUBLIC_KEY)
  // The portal shows both keys. With our own key every webhook would look forged.
  if (publicKey.equals(createPublicKey(privateKey)))
    throw new RailConfigurationError(["PALMPAY_PUBLIC_KEY is our own public key: PalmPay's is needed."])
  const previous = variables.PALMPAY_PUBLIC_KEY_PREVIOUS
  return {
    appId: keys.PALMPAY_APP_ID,
    privateKey,
    publicKeys: previous ? [publicKey, publicKeyFrom('PALMPAY_PUBLIC_KEY_PREVIOUS', previous)] : [publicKey],
    // The value in PalmPay's examples. Some accounts must use V2.
    version: variables.PALMPAY_VERSION || 'V1.1',
    base,
    keys: /daily|sandbox/.test(new URL(base).hostname) ? 'test' : 'live',
  }
}

// Accepts PEM, PEM with escaped line breaks, and plain base64 as in the portal.
const pemOf = (text: string): string | null =>
  text.includes('-----BEGIN') ? text.replaceAll('\\n', '\n') : null

function privateKeyFrom(name: string, text: string): KeyObject {
  return rsaKey(name, 'an RSA private key in PKCS#8', () => {
    const pem = pemOf(text)
    return pem
      ? createPrivateKey(pem)
      : createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })
  })
}

function publicKeyFrom(name: string, text: string): KeyObject {
  return rsaKey(name, 'an RSA public key', () => {
    const pem = pemOf(text)
    return pem
      ? createPublicKey(pem)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
  })
}

function rsaKey(name: string, expected: string, read: () => KeyObject): KeyObject {
  // The parser's error may contain the key, so it is not passed on.
  const problem = new RailConfigurationError([`${name} is not ${expected}.`])
  const key = tryTo(read)
  if (key?.asymmetricKeyType !== 'rsa') throw problem
  return key
}

function tryTo<Result>(read: () => Result): Result | null {
  try {
    return read()
  } catch {
    return null
  }
}
