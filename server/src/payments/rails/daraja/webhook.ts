// What Daraja posts when a payer has answered. Nothing signs it, so that it never is more than a reason to ask.
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

// The amount and the receipt that may come along are not read: whoever knows our address could have written them.
const Callback = z.object({
  Body: z.object({
    stkCallback: z.object({
      CheckoutRequestID: z.string().regex(/^[\w.-]{1,100}$/),
      ResultCode: z.union([z.int(), z.string().regex(/^\w{1,20}$/)]),
    }),
  }),
})
