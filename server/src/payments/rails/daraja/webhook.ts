// Reads Daraja's webhook after the payer answered. It is unsigned, so it only triggers a status query.
import { z } from 'zod'
import { parseJsonExactly } from '../parse.ts'
import type { WebhookEvent, WebhookRequest } from '../rail.ts'

export function parseDarajaWebhook({ raw }: WebhookRequest): WebhookEvent {
  const callback = Callback.safeParse(parseJsonExactly(raw.toString('utf8')))
  if (!callback.success) return 'nothing'
  const { CheckoutRequestID, ResultCode } = callback.data.Body.stkCallback
  return {
    about: { providerRef: CheckoutRequestID },
    eventKey: `${CheckoutRequestID}:${ResultCode}`,
    kind: `stkCallback ${ResultCode}`,
  }
}

// The amount and receipt are not read, because the webhook is unsigned.
const Callback = z.object({
  Body: z.object({
    stkCallback: z.object({
      CheckoutRequestID: z.string().regex(/^[\w.-]{1,100}$/),
      ResultCode: z.union([z.int(), z.string().regex(/^\w{1,20}$/)]),
    }),
  }),
})
