// Reads Fawry's webhooks, version 2. Version 1 uses GET with MD5 and is not supported.
import { z } from 'zod'
import { secretsEqual } from '../../../platform/secrets.ts'
import { parseJsonExactly } from '../parse.ts'
import type { WebhookEvent, WebhookRequest } from '../rail.ts'
import { noticeSignature } from './signature.ts'
import { looseText } from './status.ts'

const Amount = z.union([z.string(), z.number()])
const Notice = z.object({
  requestId: looseText,
  fawryRefNumber: looseText,
  merchantRefNumber: looseText,
  paymentAmount: Amount,
  orderAmount: Amount,
  orderStatus: looseText,
  paymentMethod: looseText,
  paymentRefrenceNumber: looseText,
  messageSignature: z.string(),
})

/** `secureKeys`: the current key and, during a rotation, the previous one. The signature covers values, not bytes. */
export function parseFawryWebhook(secureKeys: readonly string[], { raw }: WebhookRequest): WebhookEvent {
  const read = Notice.safeParse(parseJsonExactly(raw.toString('utf8')))
  if (!read.success) return 'forged'
  const { requestId, fawryRefNumber, merchantRefNumber, orderStatus, messageSignature } = read.data
  const isGenuine = secureKeys.some((secureKey) => {
    const expected = noticeSignature(secureKey, read.data)
    return expected !== null && secretsEqual(messageSignature.toLowerCase(), expected)
  })
  if (!isGenuine) return 'forged'
  if (!merchantRefNumber) return 'nothing'
  return {
    about: { reference: merchantRefNumber },
    eventKey: requestId || `${fawryRefNumber}:${orderStatus}`,
    kind: orderStatus,
  }
}
