// The note of a refund at providers that take no reference of ours. It identifies the refund in their lists.
import type { HttpResponse } from './http-client.ts'
import type { RefundOrder, RefundStatus } from './rail.ts'
import { redactedDetail } from './text.ts'

export const refundNote = ({ id }: Pick<RefundOrder, 'id'>): string => `Cowrie refund ${id}`

export const refundIdIn = (note: unknown): string | null =>
  typeof note === 'string' ? (/\bsrf_[0-9a-z]{26}\b/.exec(note)?.[0] ?? null) : null

/** The meaning of an error reply to a refund: a refusal, a request without effect, or nothing certain. */
export function readRefundError({ status }: Pick<HttpResponse, 'status'>, message: string): RefundStatus {
  const reason = redactedDetail(status, message)
  if (status === 429) return { status: 'not_sent', reason }
  return status >= 400 && status < 500 && status !== 408 && status !== 409
    ? { status: 'failed', reason }
    : { status: 'unknown', reason }
}
