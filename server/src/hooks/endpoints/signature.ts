// Signatures as Standard Webhooks has them, so that receivers can use any of its libraries.
import { createHmac, randomInt } from 'node:crypto'

const PREFIX = 'whsec_'
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// Base64 of 33 bytes. Without its two signs, so that it is one word wherever it is selected or redacted.
const CHARACTERS = 44

export const newSecret = (): string =>
  PREFIX + Array.from({ length: CHARACTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('')

export type SignedMessage = { readonly id: string; readonly timestamp: number; readonly body: string }

/** One signature for each secret that is valid now; a receiver needs to know one of them. */
export const signAll = (secrets: readonly string[], signed: SignedMessage): string =>
  secrets.map((secret) => `v1,${sign(secret, signed)}`).join(' ')

function sign(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
}
