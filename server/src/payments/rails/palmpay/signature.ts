// PalmPay's signatures: the MD5 of the sorted fields in upper case, signed with RSA and SHA-1. The algorithms are PalmPay's
// choice; they only authenticate webhooks, which move no money.
import { createHash, type KeyObject, sign, verify } from 'node:crypto'

export type Fields = Readonly<Record<string, unknown>>

export const signFields = (fields: Fields, privateKey: KeyObject): string =>
  sign('RSA-SHA1', Buffer.from(digestOf(fields)), privateKey).toString('base64')

export function isSigned(fields: Fields, signature: string, publicKey: KeyObject): boolean {
  const bytes = Buffer.from(signature, 'base64')
  // Decoding ignores invalid characters, so require the canonical encoding.
  if (bytes.toString('base64') !== signature) return false
  return verify('RSA-SHA1', Buffer.from(digestOf(fields)), publicKey, bytes)
}

/** The signed digest. Leaves out empty fields and trims values. */
export function digestOf(fields: Fields): string {
  const text = Object.keys(fields)
    .filter((name) => fields[name] !== null && fields[name] !== undefined && fields[name] !== '')
    .sort()
    .map((name) => `${name}=${textOf(fields[name]).trim()}`)
    .join('&')
  return createHash('md5').update(text).digest('hex').toUpperCase()
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
