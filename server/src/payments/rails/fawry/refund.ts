// Refunds of Fawry payments. Fawry takes no reference of ours and lists no refunds: afterwards only the status of the order
// shows whether something was refunded.
import { z } from 'zod'
import { majorText } from '../amounts.ts'
import { type HttpClient, NoResponse } from '../http-client.ts'
import type { PaidQuery, ProviderStatus, RefundOrder, RefundStatus } from '../rail.ts'
import { tryCall } from '../request.ts'
import { redactedDetail } from '../text.ts'
import { type Merchant, refundSignature } from './signature.ts'
import { codeOf, Envelope } from './status.ts'

const REASON_CHARACTERS_MAX = 100
const Reply = Envelope.extend({ type: z.string().nullish() })
// Refusals by Fawry or the bank. 9999 is a generic error, not a refusal.
const REFUSAL = /^(?!9999$)99\d{2,3}$/

export async function refundAtFawry(
  http: HttpClient,
  merchant: Merchant,
  base: string,
  { transactionId, currency }: PaidQuery,
  { id, amountMinor, reason: why }: RefundOrder,
): Promise<RefundStatus> {
  const refundAmount = majorText(amountMinor, currency, 2)
  const reason = why.replace(/\s+/g, ' ').slice(0, REASON_CHARACTERS_MAX)
  const request = { referenceNumber: transactionId, refundAmount, reason }
  const answer = await tryCall(http, `${base}/ECommerceWeb/Fawry/payments/refund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      merchantCode: merchant.code,
      ...request,
      refundAmount: Number(refundAmount),
      signature: refundSignature(merchant, request),
    }),
  })
  if (answer instanceof NoResponse)
    return { status: answer.sent ? 'unknown' : 'not_sent', reason: answer.message }
  const reply = Reply.safeParse(answer.json)
  const code = reply.success ? codeOf(reply.data) : ''
  const detail = redactedDetail(answer.status, code, reply.data?.statusDescription || reply.data?.description)
  if (answer.status < 300 && code === '200') return { status: 'processed', providerId: id, amountMinor }
  return answer.status < 500 && REFUSAL.test(code)
    ? { status: 'failed', reason: detail }
    : { status: 'unknown', reason: detail }
}

/** A partly refunded order proves our refund only if it has no other one. */
export function readRefundStatus(
  status: ProviderStatus,
  { id, amountMinor, isWhole, otherIds }: RefundOrder,
): RefundStatus {
  const isReturned =
    isWhole && otherIds.length === 0
      ? status.status === 'reversed'
      : status.status === 'paid' && status.unclearReturn !== undefined && otherIds.length === 0
  return isReturned
    ? { status: 'processed', providerId: id, amountMinor }
    : { status: 'unknown', reason: `Fawry does not show the refund; the order is ${status.status}.` }
}
