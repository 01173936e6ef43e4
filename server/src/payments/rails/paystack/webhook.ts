// Reads Paystack's webhooks: signed over their bytes with our secret key, and sent for successes only.
import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { secretsEqual } from '../../../platform/secrets.ts'
import { parseJsonExactly, singleHeader } from '../parse.ts'
import type { WebhookEvent, WebhookRequest } from '../rail.ts'

/** `secrets`: the current key and, during a rotation, the previous one. */
export function parsePaystackWebhook(message: WebhookRequest, secrets: readonly string[]): WebhookEvent {
  const signature = singleHeader(message, 'x-paystack-signature')
  if (
    !signature ||
    !secrets.some((secret) => secretsEqual(signature, paystackSignature(message.raw, secret)))
  )
    return 'forged'
  const event = Event.safeParse(parseJsonExactly(message.raw.toString('utf8')))
  if (!event.success) return 'nothing'
  const { event: kind, data } = event.data
  const reference = referenceIn(kind, data)
  if (!reference) return 'nothing'
  // Refund events have no id, so the hash of the bytes identifies them.
  const key = data.id ?? createHash('sha256').update(message.raw).digest('hex')
  return { about: { reference }, eventKey: `${kind}:${key}`, kind }
}

export const paystackSignature = (raw: Buffer | string, secret: string): string =>
  createHmac('sha512', secret).update(raw).digest('hex')

const reference = z.string().min(1).max(100).nullish().catch(null)
const Event = z.object({
  event: z.string().min(1).max(100),
  data: z.object({
    id: z
      .union([z.number().int(), z.string().min(1).max(64)])
      .nullish()
      .catch(null),
    reference,
    transaction_reference: reference,
    transaction: z.object({ reference }).nullish().catch(null),
  }),
})

/** Transfers, subscriptions and invoices also have references, which are not payment references. */
function referenceIn(kind: string, data: z.infer<typeof Event>['data']): string | null | undefined {
  if (kind.startsWith('charge.dispute.')) return data.transaction?.reference
  if (kind.startsWith('charge.')) return data.reference
  if (kind.startsWith('refund.')) return data.transaction_reference ?? data.transaction?.reference
  return null
}
