// PalmPay's account as the operator describes it: our private key, and the platform's public one.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { baseUrlOf, requiredKeys } from '../keys.ts'
import { Misconfigured, type OpenRail, type Variables } from '../rail.ts'

export const PALMPAY_NEEDS = ['PALMPAY_APP_ID', 'PALMPAY_PRIVATE_KEY', 'PALMPAY_PUBLIC_KEY'] as const

export type PalmpayAccount = {
  readonly appId: string
  readonly privateKey: KeyObject
  /** The platform's key and, while it is being replaced, the one before. */
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
  // Easily mixed up, as the portal shows both; with our own every message would look forged.
  if (publicKey.equals(createPublicKey(privateKey)))
    throw new Misconfigured(["PALMPAY_PUBLIC_KEY is our own public key: PalmPay's is needed."])
  const previous = variables.PALMPAY_PUBLIC_KEY_PREVIOUS
  return {
    appId: keys.PALMPAY_APP_ID,
    privateKey,
    publicKeys: previous ? [publicKey, publicKeyFrom('PALMPAY_PUBLIC_KEY_PREVIOUS', previous)] : [publicKey],
    // PalmPay's own examples say this; some accounts are told to say V2.
    version: variables.PALMPAY_VERSION || 'V1.1',
    base,
    keys: /daily|sandbox/.test(new URL(base).hostname) ? 'test' : 'live',
  }
}

// Operators paste keys as PEM, with its line breaks written as \n, or as the portal shows them: base64 alone.
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

function rsaKey(name: string, wanted: string, read: () => KeyObject): KeyObject {
  // The error of the reader may quote what it read: it is not passed on.
  const problem = new Misconfigured([`${name} is not ${wanted}.`])
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
