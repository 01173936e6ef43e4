// Reads MTN's webhook, sent once after the payer decided. It is unsigned and may lack the request id: our reference in it
// identifies the payment.
import { z } from 'zod'
import { parseJsonExactly } from '../parse.ts'
import type { WebhookEvent, WebhookRequest } from '../rail.ts'

export function parseMomoWebhook({ raw }: WebhookRequest): WebhookEvent {
  const callback = Callback.safeParse(parseJsonExactly(raw.toString('utf8')))
  if (!callback.success) return 'nothing'
  const { externalId, status } = callback.data
  return { about: { reference: externalId }, eventKey: `${externalId}:${status}`, kind: status }
}

const Callback = z.object({
  externalId: z.string().regex(/^[\w-]{1,64}$/),
  status: z.string().regex(/^[A-Za-z_]{1,40}$/),
})
