// How PalmPay signs: the fields in a fixed order, their MD5 in capitals, and RSA with SHA-1 over that text. The
// algorithms are the provider's choice; nothing rests on them but who woke us.
import { createHash, type KeyObject, sign, verify } from 'node:crypto'

export type Fields = Readonly<Record<string, unknown>>

export const signFields = (fields: Fields, privateKey: KeyObject): string =>
  sign('RSA-SHA1', Buffer.from(digestOf(fields)), privateKey).toString('base64')

export function isSigned(fields: Fields, signature: string, publicKey: KeyObject): boolean {
  const bytes = Buffer.from(signature, 'base64')
  // Decoding overlooks stray characters: a signature has one spelling.
  if (bytes.toString('base64') !== signature) return false
  return verify('RSA-SHA1', Buffer.from(digestOf(fields)), publicKey, bytes)
}

/** What is signed in the end. Empty fields do not count, and neither do spaces around a value. */
export function digestOf(fields: Fields): string {
  const text = Object.keys(fields)
    .filter((name) => fields[name] !== null && fields[name] !== undefined && fields[name] !== '')
    .sort()
    .map((name) => `${name}=${textOf(fields[name]).trim()}`)
    .join('&')
  return createHash('md5').update(text).digest('hex').toUpperCase()
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
