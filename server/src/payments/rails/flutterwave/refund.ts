// Refunds of Flutterwave payments. Flutterwave takes no reference of ours, so our id is in the comments.
import { majorText, minorFromMajor } from '../amounts.ts'
import { type HttpResponse, NoResponse } from '../http-client.ts'
import { parseJsonExactly } from '../parse.ts'
import type { PaidQuery, RefundOrder, RefundStatus } from '../rail.ts'
import { readRefundError } from '../request.ts'
import { refundIdIn, refundNote } from '../text.ts'
import { Refund, rowsOf } from './returns.ts'
import { Envelope } from './status.ts'

type Call = (path: string, body?: object) => Promise<HttpResponse | NoResponse>

export async function refundAtFlutterwave(
  call: Call,
  { transactionId, currency }: PaidQuery,
  order: RefundOrder,
): Promise<RefundStatus> {
  const answer = await call(`/transactions/${encodeURIComponent(transactionId)}/refund`, {
    amount: Number(majorText(order.amountMinor, currency)),
    comments: refundNote(order),
  })
  if (answer instanceof NoResponse)
    return { status: answer.sent ? 'unknown' : 'not_sent', reason: answer.message }
  return readAnswer(answer, currency)
}

/** Without an id the refund is searched in the list of the account since the day of the payment. */
export async function flutterwaveRefundStatus(
  call: Call,
  paid: PaidQuery,
  { id, providerId }: RefundOrder,
): Promise<RefundStatus> {
  if (providerId !== null) {
    const answer = await call(`/refunds/${encodeURIComponent(providerId)}`)
    if (answer instanceof NoResponse) return { status: 'unknown', reason: answer.message }
    const status = readAnswer(answer, paid.currency)
    // An error reply to a query does not decide the refund.
    return answer.status < 300 ? status : { status: 'unknown', reason: `status ${answer.status}` }
  }
  const rows = await rowsOf(call, '/refunds', paid)
  if (typeof rows === 'string') return { status: 'unknown', reason: rows }
  const listed = rows.map((row) => Refund.safeParse(row))
  const ours = listed.find(({ data }) => data !== undefined && refundIdIn(data.comments) === id)
  if (ours?.data) return readRefund(ours.data, paid.currency)
  // A row without a note may be ours, so that this one is certainly not absent.
  const isCertain = listed.every(
    ({ data }) =>
      data && ((data.charge_id ?? data.tx_id) !== paid.transactionId || refundIdIn(data.comments) !== null),
  )
  return isCertain
    ? { status: 'absent' }
    : { status: 'unknown', reason: 'Flutterwave lists a refund without our note.' }
}

function readAnswer(answer: HttpResponse, currency: PaidQuery['currency']): RefundStatus {
  const envelope = Envelope.safeParse(parseJsonExactly(answer.text))
  if (!envelope.success)
    return { status: 'unknown', reason: `Flutterwave answered with status ${answer.status}.` }
  const { status, message, data } = envelope.data
  if (answer.status >= 300) return readRefundError(answer, message)
  return status === 'success' ? readRefund(data, currency) : { status: 'failed', reason: message }
}

/** The status can have a suffix, as in `completed-momo`. */
function readRefund(row: unknown, currency: PaidQuery['currency']): RefundStatus {
  const refund = Refund.safeParse(row)
  if (!refund.success) return { status: 'unknown', reason: 'Flutterwave sent a refund that we cannot read.' }
  const { id: providerId, status, amount_refunded } = refund.data
  if (status.startsWith('failed'))
    return { status: 'failed', reason: 'Flutterwave could not pay the refund.' }
  if (!status.startsWith('completed')) return { status: 'processing', providerId }
  const amountMinor = minorFromMajor(amount_refunded, currency)
  return amountMinor !== null && amountMinor > 0n
    ? { status: 'processed', providerId, amountMinor }
    : { status: 'unknown', reason: 'Flutterwave sent a refund without a readable amount.' }
}
