// Refunds of Paystack payments. Paystack takes no reference of ours, so our id is in the merchant's note.
import { type HttpResponse, NoResponse } from '../http-client.ts'
import { parseJsonExactly } from '../parse.ts'
import type { PaidQuery, RefundOrder, RefundStatus } from '../rail.ts'
import { readRefundError } from '../request.ts'
import { refundIdIn, refundNote } from '../text.ts'
import { Envelope } from './replies.ts'
import { LISTED_MAX, Refund, readList } from './returns.ts'
import { minorFromProvider, providerAmount } from './status.ts'

type Call = (path: string, body?: object) => Promise<HttpResponse | NoResponse>

export async function refundAtPaystack(
  call: Call,
  { transactionId, currency }: PaidQuery,
  order: RefundOrder,
): Promise<RefundStatus> {
  const answer = await call('/refund', {
    transaction: transactionId,
    amount: providerAmount(order.amountMinor, currency),
    currency,
    merchant_note: refundNote(order),
  })
  if (answer instanceof NoResponse)
    return { status: answer.sent ? 'unknown' : 'not_sent', reason: answer.message }
  const envelope = Envelope.safeParse(parseJsonExactly(answer.text))
  if (!envelope.success)
    return { status: 'unknown', reason: `Paystack answered with status ${answer.status}.` }
  if (answer.status >= 300) return readRefundError(answer, envelope.data.message)
  if (!envelope.data.status) return { status: 'failed', reason: envelope.data.message }
  return readRefund(envelope.data.data, currency)
}

/** Without an id the refund is searched in the list of its payment. */
export async function paystackRefundStatus(
  call: Call,
  { transactionId, currency }: PaidQuery,
  { id, providerId }: RefundOrder,
): Promise<RefundStatus> {
  if (providerId !== null) {
    const answer = await call(`/refund/${encodeURIComponent(providerId)}`)
    if (answer instanceof NoResponse) return { status: 'unknown', reason: answer.message }
    const envelope = Envelope.safeParse(parseJsonExactly(answer.text))
    return envelope.success && envelope.data.status && answer.status < 300
      ? readRefund(envelope.data.data, currency)
      : { status: 'unknown', reason: `Paystack answered with status ${answer.status}.` }
  }
  const rows = readList(
    await call(`/refund?transaction=${encodeURIComponent(transactionId)}&perPage=${LISTED_MAX}`),
  )
  if (typeof rows === 'string') return { status: 'unknown', reason: rows }
  const listed = rows.map((row) => Refund.safeParse(row))
  const ours = listed.find(({ data }) => data !== undefined && refundIdIn(data.merchant_note) === id)
  if (ours?.data) return readRefund(ours.data, currency)
  // A row without a note may be ours, so that this one is certainly not absent.
  const isCertain = listed.every(
    ({ data }) => data && (data.transaction !== transactionId || refundIdIn(data.merchant_note) !== null),
  )
  return isCertain && rows.length < LISTED_MAX
    ? { status: 'absent' }
    : { status: 'unknown', reason: 'Paystack lists a refund without our note.' }
}

function readRefund(row: unknown, currency: PaidQuery['currency']): RefundStatus {
  const refund = Refund.safeParse(row)
  if (!refund.success) return { status: 'unknown', reason: 'Paystack sent a refund that we cannot read.' }
  const { id: providerId, status, amount } = refund.data
  switch (status) {
    case 'processed': {
      const amountMinor = minorFromProvider(amount, currency)
      return amountMinor !== null && amountMinor > 0n
        ? { status, providerId, amountMinor }
        : { status: 'unknown', reason: 'Paystack sent a refund without a readable amount.' }
    }
    case 'failed':
      return { status, reason: 'Paystack could not pay the refund.' }
    case 'needs-attention':
      return {
        status: 'processing',
        providerId,
        attention: 'Paystack needs the bank account of the payer. Enter it in the refund at Paystack.',
      }
    default:
      return { status: 'processing', providerId }
  }
}
