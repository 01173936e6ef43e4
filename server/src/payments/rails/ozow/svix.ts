// Signatures of Svix, which sends the webhooks of Ozow's One API: an HMAC-SHA256 over id, time and body.
import { createHmac } from 'node:crypto'
import { toMs } from '../../../kernel/clock.ts'
import { secretsEqual } from '../../../platform/secrets.ts'
import { singleHeader } from '../parse.ts'
import type { WebhookRequest } from '../rail.ts'

export const SVIX_SIGNATURE = 'svix-signature'
const TOLERANCE_MS = toMs({ minutes: 5 })

/** The key of a secret such as `whsec_…`; null when it is not one. */
export function svixKey(secret: string): Buffer | null {
  const [, digits] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const key = Buffer.from(digits ?? '', 'base64')
  return key.length >= 16 ? key : null
}

export const svixSignature = (key: Buffer, id: string, seconds: string, raw: Buffer): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${seconds}.`).update(raw).digest('base64')}`

/** The id of a genuine webhook; null for forged ones and those that are older or newer than five minutes. */
export function verifiedSvixId(message: WebhookRequest, keys: readonly Buffer[]): string | null {
  const [id, seconds, shown] = ['svix-id', 'svix-timestamp', SVIX_SIGNATURE].map((name) =>
    singleHeader(message, name),
  )
  if (!id || !shown || !seconds || !/^\d{1,12}$/.test(seconds) || !message.receivedAt) return null
  if (Math.abs(message.receivedAt.getTime() - Number(seconds) * 1000) > TOLERANCE_MS) return null
  // During a rotation Svix sends one signature for each secret.
  const signatures = shown.split(' ').slice(0, 10)
  const isGenuine = keys.some((key) => {
    const expected = svixSignature(key, id, seconds, message.raw)
    return signatures.some((signature) => secretsEqual(signature, expected))
  })
  return isGenuine ? id : null
}
