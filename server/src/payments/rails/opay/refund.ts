// Refunds of OPay payments. OPay takes our id as the reference, so a second request with it changes nothing.
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { parseMinor } from '../amounts.ts'
import { type HttpClient, NoResponse } from '../http-client.ts'
import { parseJsonExactly } from '../parse.ts'
import type { PaidQuery, RefundOrder, RefundStatus } from '../rail.ts'
import { tryCall } from '../request.ts'
import { redactedDetail } from '../text.ts'

export type OpayAccess = {
  readonly merchantId: string
  readonly secretKey: string
  readonly base: string
  readonly country: { readonly code: string }
}

export function refundAtOpay(
  access: OpayAccess,
  http: HttpClient,
  { reference, currency }: PaidQuery,
  { id, amountMinor, notifyUrl }: RefundOrder,
): Promise<RefundStatus> {
  // OPay verifies the signature over sorted keys, so the body must be sorted.
  return post(access, http, 'create', {
    amount: { currency, total: Number(amountMinor) },
    callbackUrl: notifyUrl,
    country: access.country.code,
    originalReference: reference,
    reference: id,
    refundWay: 'Original',
  })
}

export const opayRefundStatus = (
  access: OpayAccess,
  http: HttpClient,
  { id }: RefundOrder,
): Promise<RefundStatus> => post(access, http, 'query', { country: access.country.code, reference: id })

const ACCEPTED = '00000'
const REFERENCE_KNOWN = '02004'
const UNKNOWN_ORDER = '02006'
// Codes 02xxx reject our request or account: nothing was created.
const REFUSAL = /^02\d{3}$/

const Reply = z.object({
  code: z.string(),
  message: z.string().nullish().catch(null),
  data: z
    .object({
      reference: z.string(),
      orderNo: z.string().nullish(),
      orderStatus: z.string().nullish(),
      status: z.string().nullish(),
      refundAmount: z.object({ total: z.unknown() }).nullish().catch(null),
      amount: z.object({ total: z.unknown() }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
})

async function post(
  access: OpayAccess,
  http: HttpClient,
  path: 'create' | 'query',
  content: { readonly reference: string; readonly [name: string]: unknown },
): Promise<RefundStatus> {
  const body = JSON.stringify(content)
  const signature = createHmac('sha512', access.secretKey).update(body).digest('hex')
  const answer = await tryCall(http, `${access.base}/api/v1/international/payment/refund/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${signature}`,
      merchantid: access.merchantId,
    },
    body,
  })
  if (answer instanceof NoResponse)
    return { status: answer.sent ? 'unknown' : 'not_sent', reason: answer.message }
  const reply = Reply.safeParse(parseJsonExactly(answer.text))
  if (!reply.success || answer.status >= 500)
    return { status: 'unknown', reason: `OPay answered with status ${answer.status}.` }
  return readReply(reply.data, path, content.reference)
}

function readReply(
  { code, message, data }: z.output<typeof Reply>,
  path: 'create' | 'query',
  reference: string,
): RefundStatus {
  const reason = redactedDetail(code, message)
  if (path === 'query' && code === UNKNOWN_ORDER) return { status: 'absent' }
  if (code === REFERENCE_KNOWN) return { status: 'processing', providerId: null }
  // A rejected query does not decide the refund.
  if (path === 'create' && REFUSAL.test(code)) return { status: 'failed', reason }
  if (code !== ACCEPTED || !data || data.reference !== reference) return { status: 'unknown', reason }
  const providerId = data.orderNo || null
  switch (data.orderStatus ?? data.status) {
    case 'SUCCESS': {
      const amountMinor = parseMinor((data.refundAmount ?? data.amount)?.total)
      return amountMinor !== null && amountMinor > 0n
        ? { status: 'processed', providerId: providerId ?? reference, amountMinor }
        : { status: 'unknown', reason: 'OPay sent a refund without a readable amount.' }
    }
    case 'FAIL':
      return { status: 'failed', reason: `OPay could not pay the refund: ${reason}` }
    case 'INITIAL':
    case 'PENDING':
      return { status: 'processing', providerId }
    default:
      return { status: 'unknown', reason: 'OPay reports an unknown status of the refund.' }
  }
}
