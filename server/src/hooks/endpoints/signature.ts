// Signatures according to Standard Webhooks, so that receivers can use its libraries.
import { createHmac, randomInt } from 'node:crypto'
import { sealedColumn } from '../../platform/sealed-data.ts'
import type { EndpointId } from './endpoints-sql.ts'
import * as sql from './endpoints-sql.ts'

const PREFIX = 'whsec_'
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// The length of 33 bytes in base64. Without + and /, so that selection and redaction treat it as one word.
const CHARACTERS = 44

export const newSecret = (): string =>
  PREFIX + Array.from({ length: CHARACTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('')

export type SignedMessage = { readonly id: string; readonly timestamp: number; readonly body: string }

/** One signature for each valid secret. A receiver needs only one of the secrets. */
export const signAll = (secrets: readonly string[], signed: SignedMessage): string =>
  secrets.map((secret) => `v1,${sign(secret, signed)}`).join(' ')

function sign(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
}

/** Binds a sealed secret to its endpoint. It does not open for another one. */
export const secretContext = (id: EndpointId): string => `hooks endpoint ${id} secret`

const contextOf = (id: string): string => secretContext(id as EndpointId)

export const sealedHookSecrets = [
  sealedColumn({
    name: 'hook_endpoints.secret_sealed',
    list: sql.listSecretTexts,
    replace: sql.replaceSecretTexts,
    contextOf,
  }),
  sealedColumn({
    name: 'hook_endpoints.previous_sealed',
    list: sql.listPreviousTexts,
    replace: sql.replacePreviousTexts,
    contextOf,
  }),
]
