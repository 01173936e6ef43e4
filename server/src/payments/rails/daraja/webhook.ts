// Reads Daraja's webhook after the payer answered. It is unsigned, so it only triggers a status query.
import { z } from 'zod'
import { parseJsonExactly } from '../parse.ts'
import type { WebhookEvent, WebhookRequest } from '../rail.ts'

export function parseDarajaWebhook({ raw }: WebhookRequest): WebhookEvent {
  const callback = Callback.safeParse(parseJsonExactly(raw.toString('utf8')))
  if (!callback.success) return 'nothing'
  const { CheckoutRequestID, ResultCode, CallbackMetadata } = callback.data.Body.stkCallback
  const receipt = Receipt.safeParse(
    CallbackMetadata?.Item.find(({ Name }) => Name === 'MpesaReceiptNumber')?.Value,
  )
  return {
    about: { providerRef: CheckoutRequestID },
    eventKey: `${CheckoutRequestID}:${ResultCode}`,
    kind: `stkCallback ${ResultCode}`,
    ...(receipt.success && { receipt: receipt.data }),
  }
}

// The amount is not read, because the webhook is unsigned.
const Callback = z.object({
  Body: z.object({
    stkCallback: z.object({
      CheckoutRequestID: z.string().regex(/^[\w.-]{1,100}$/),
      ResultCode: z.union([z.int(), z.string().regex(/^\w{1,20}$/)]),
      CallbackMetadata: z
        .object({ Item: z.array(z.object({ Name: z.string(), Value: z.unknown().optional() })) })
        .optional()
        .catch(undefined),
    }),
  }),
})
const Receipt = z.string().regex(/^[A-Z0-9]{6,20}$/)
