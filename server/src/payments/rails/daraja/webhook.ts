// What Daraja posts when a payer has answered. Nothing signs it, so that it never is more than a reason to ask.
import { z } from 'zod'
import { parseExactly } from '../parse.ts'
import type { Heard, Message } from '../rail.ts'

export function hearDaraja({ raw }: Message): Heard {
  const callback = Callback.safeParse(parseExactly(raw.toString('utf8')))
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
