// Reads PalmPay's webhooks: flat JSON with a signature by PalmPay's key.
import { z } from 'zod'
import { parseJsonExactly } from '../parse.ts'
import type { WebhookEvent, WebhookRequest } from '../rail.ts'
import type { PalmpayAccount } from './account.ts'
import { isSigned } from './signature.ts'

const Signed = z.looseObject({ sign: z.string().min(1) })

// Bounds the length of PalmPay's short fields.
const word = z.string().min(1).max(128)
const Notification = z.object({
  orderId: word.nullish(),
  orderNo: word,
  orderStatus: z.union([word, z.number()]),
  appId: word.nullish(),
})

export function parsePalmpayWebhook(
  { appId, publicKeys }: PalmpayAccount,
  { raw }: WebhookRequest,
): WebhookEvent {
  const signed = Signed.safeParse(parseJsonExactly(raw.toString()))
  if (!signed.success) return 'forged'
  const { sign, ...fields } = signed.data
  const signature = urlDecoded(sign)
  if (signature === null || !publicKeys.some((key) => isSigned(fields, signature, key))) return 'forged'
  const parsed = Notification.safeParse(fields)
  // PalmPay signs for all merchants with one key, so a valid webhook may be for another merchant.
  if (!parsed.success || (parsed.data.appId && parsed.data.appId !== appId)) return 'nothing'
  const { orderId, orderNo, orderStatus } = parsed.data
  return {
    about: orderId ? { reference: orderId } : { providerRef: orderNo },
    eventKey: `${orderNo}:${orderStatus}`,
    kind: `orderStatus ${orderStatus}`,
  }
}

function urlDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
