// Calls to providers that turn failures into values.
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { type HttpClient, type HttpRequest, type HttpResponse, NoResponse } from './http-client.ts'
import { parseJsonExactly } from './parse.ts'
import type { InitiationResult, PaidTransaction, ProviderStatus, RefundStatus } from './rail.ts'
import { redactedDetail } from './text.ts'

export async function tryCall(
  http: HttpClient,
  address: string,
  request: HttpRequest,
): Promise<HttpResponse | NoResponse> {
  try {
    return await http.call(address, request)
  } catch (error) {
    if (error instanceof NoResponse) return error
    throw error
  }
}

/** The result of a new payment without a response. */
export const noResponse = ({ message, sent }: NoResponse): InitiationResult => ({
  outcome: 'unknown',
  reason: message,
  ...(!sent && { isUnsent: true as const }),
})

export type JsonReply<Body> = { readonly body: Body } | { readonly failure: string }

/** Requests JSON. Outages and unknown shapes are failures, from which nothing follows about the payment. */
export async function requestJson<Shape extends z.ZodType>(
  http: HttpClient,
  address: string,
  request: HttpRequest,
  shape: Shape,
): Promise<JsonReply<z.output<Shape>>> {
  const answer = await tryCall(http, address, request)
  if (answer instanceof NoResponse) return { failure: `No answer: ${answer.message}.` }
  const { status, text } = answer
  if (status >= 500) return { failure: `The provider answered with status ${status}.` }
  const parsed = shape.safeParse(parseJsonExactly(text))
  if (parsed.success) return { body: parsed.data }
  return { failure: `The provider answered with status ${status} in an unknown shape.` }
}

/** The meaning of an error reply to a refund: a refusal, a request without effect, or nothing certain. */
export function readRefundError({ status }: Pick<HttpResponse, 'status'>, message: string): RefundStatus {
  const reason = redactedDetail(status, message)
  if (status === 429) return { status: 'not_sent', reason }
  return status >= 400 && status < 500 && status !== 408 && status !== 409
    ? { status: 'failed', reason }
    : { status: 'unknown', reason }
}

/** The national format of an E.164 number; undefined for numbers of other countries. */
export function nationalNumber(phone: string | null, prefix: '+234' | '+20'): string | undefined {
  return phone?.startsWith(prefix) ? `0${phone.slice(prefix.length)}` : undefined
}

/** The request id in UUID format, derived from the reference. */
export function requestIdOf(reference: string): string {
  const hex = createHash('sha256').update(reference).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Empty where the payment is unpaid or the transaction has no id. */
export function paidTransactions(providerStatus: ProviderStatus): PaidTransaction[] {
  if (providerStatus.status !== 'paid' || providerStatus.transactionId === null) return []
  const { transactionId, amountMinor, currency, live, unclearReturn } = providerStatus
  return [{ transactionId, amountMinor, currency, live, ...(unclearReturn && { unclearReturn }) }]
}
