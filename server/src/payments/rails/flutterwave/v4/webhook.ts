// Reads the webhooks of API v4: an HMAC-SHA256 over the body, in base64, with the secret hash of the dashboard.
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { secretsEqual } from '../../../../platform/secrets.ts'
import { parseJsonExactly, singleHeader } from '../../parse.ts'
import type { WebhookEvent, WebhookRequest } from '../../rail.ts'

export const V4_SIGNATURE = 'flutterwave-signature'

export const signV4Webhook = (raw: Buffer, hash: string): string =>
  createHmac('sha256', hash).update(raw).digest('base64')

/** Flutterwave repeats a webhook for hours, so its time is not limited. Repetitions have the same id. */
export function parseV4Webhook(message: WebhookRequest, hashes: readonly string[]): WebhookEvent {
  const shown = singleHeader(message, V4_SIGNATURE)
  if (!shown || !hashes.some((hash) => secretsEqual(shown, signV4Webhook(message.raw, hash)))) return 'forged'
  const event = Event.safeParse(parseJsonExactly(message.raw.toString('utf8')))
  if (!event.success) return 'nothing'
  const { id, type: kind, data } = event.data
  const eventKey = id ?? `${kind}:${data.id}:${data.status}`
  if (/refund|chargeback/i.test(kind))
    return data.charge_id ? { about: { transactionId: data.charge_id }, eventKey, kind } : 'nothing'
  // Transfers have a reference too.
  return kind.startsWith('charge.') && data.reference
    ? { about: { reference: data.reference }, eventKey, kind }
    : 'nothing'
}

const text = z.string().min(1).max(200)
const Event = z.object({
  id: text.nullish().catch(null),
  type: text,
  data: z.object({
    id: text,
    status: text,
    reference: text.nullish().catch(null),
    charge_id: text.nullish().catch(null),
  }),
})
