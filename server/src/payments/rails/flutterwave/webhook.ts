// Reads Flutterwave's webhooks. They carry a shared secret, and no signature over their content.
import { z } from 'zod'
import { secretsEqual } from '../../../platform/secrets.ts'
import { parseJsonExactly, singleHeader } from '../parse.ts'
import type { WebhookEvent, WebhookRequest } from '../rail.ts'

/** `hashes`: the current secret and, during a rotation, the previous one. */
export function parseFlutterwaveWebhook(message: WebhookRequest, hashes: readonly string[]): WebhookEvent {
  const shown = singleHeader(message, 'verif-hash')
  if (!shown || !hashes.some((hash) => secretsEqual(shown, hash))) return 'forged'
  const text = parseJsonExactly(message.raw.toString('utf8'))
  const event = Event.safeParse(text)
  if (event.success) {
    const { event: kind, data } = event.data
    return { about: { reference: data.tx_ref }, eventKey: `${data.id}:${data.status}`, kind }
  }
  const returned = ReturnEvent.safeParse(text)
  if (!returned.success) return 'nothing'
  const { event: kind, data } = returned.data
  const transactionId = data.TransactionId ?? data.tx_id ?? data.transaction_id
  if (!transactionId) return 'nothing'
  return { about: { transactionId }, eventKey: `${kind}:${data.id}:${data.status}`, kind }
}

const id = z.union([z.number().int(), z.string().min(1).max(64)]).transform(String)
const kind = z.string().min(1).max(100)
const status = z.string().min(1).max(40)

// Transfers and other events have no `tx_ref`.
const Event = z.object({ event: kind, data: z.object({ id, tx_ref: z.string().min(1).max(100), status }) })

// Refunds and chargebacks name the transaction, in several spellings.
const ReturnEvent = z.object({
  event: kind.regex(/refund|chargeback/i),
  data: z.object({
    id,
    status,
    TransactionId: id.nullish(),
    tx_id: id.nullish(),
    transaction_id: id.nullish(),
  }),
})
