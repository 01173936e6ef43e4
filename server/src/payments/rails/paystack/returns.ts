// Reads the refunds and disputes of a Paystack payment.
import { z } from 'zod'
import { type HttpResponse, NoResponse } from '../http-client.ts'
import { parseJsonExactly } from '../parse.ts'
import type { PaidQuery, ProviderReturn, ProviderReturns } from '../rail.ts'
import { refundIdIn } from '../text.ts'
import { Envelope } from './replies.ts'
import { minorFromProvider } from './status.ts'

type Call = (path: string) => Promise<HttpResponse | NoResponse>
type Paid = PaidQuery

export async function paystackReturns(call: Call, paid: Paid): Promise<ProviderReturns> {
  const transaction = encodeURIComponent(paid.transactionId)
  const refunds = readList(await call(`/refund?transaction=${transaction}&perPage=${LISTED_MAX}`))
  if (typeof refunds === 'string') return { status: 'unknown', reason: refunds }
  const disputes = readList(await call(`/dispute/transaction/${transaction}`))
  if (typeof disputes === 'string') return { status: 'unknown', reason: disputes }
  const found = [
    ...disputes.map((each) => readDispute(each, paid)),
    // After the disputes: a refund that settles a dispute overrides it.
    ...refunds.map((each) => readRefund(each, paid)),
  ]
  const isUnreadable = found.some((each) => each === 'unreadable')
  if (isUnreadable || refunds.length >= LISTED_MAX)
    return { status: 'unknown', reason: 'Paystack lists refunds or disputes that we cannot read.' }
  const returns = found.filter((each): each is ProviderReturn => each !== null && each !== 'unreadable')
  return { status: 'known', returns: [...new Map(returns.map((each) => [each.key, each])).values()] }
}

export const LISTED_MAX = 100

/** The rows of a reply, or the reason of a failure. */
export function readList(answer: HttpResponse | NoResponse): unknown[] | string {
  if (answer instanceof NoResponse) return answer.message
  const envelope = Envelope.safeParse(parseJsonExactly(answer.text))
  if (answer.status === 404 && envelope.success) return []
  if (!envelope.success || answer.status >= 300 || !envelope.data.status)
    return `Paystack answered with status ${answer.status}.`
  const { data } = envelope.data
  // Paystack returns one dispute as an object and several as a list.
  return Array.isArray(data) ? data : data === null || data === undefined ? [] : [data]
}

const id = z.union([z.number().int(), z.string().min(1).max(64)]).transform(String)
const amount = z.union([z.number(), z.string()])
const owner = z.union([id, z.object({ id }).transform((transaction) => transaction.id)])
export const Refund = z.object({
  id,
  transaction: owner,
  dispute: z.union([id, z.object({ id }).transform((dispute) => dispute.id)]).nullish(),
  amount,
  currency: z.string(),
  status: z.string(),
  merchant_note: z.string().nullish().catch(null),
})
export const Dispute = z.object({
  id,
  status: z.string(),
  resolution: z.string().nullish(),
  refund_amount: amount.nullish(),
  currency: z.string().nullish(),
  dueAt: z.coerce.date().nullish().catch(null),
  transaction: z.object({ id, amount: amount.nullish(), currency: z.string().nullish() }),
})

function readRefund(row: unknown, paid: Paid): ProviderReturn | null | 'unreadable' {
  const refund = Refund.safeParse(row)
  if (!refund.success) return 'unreadable'
  const { transaction, dispute, amount, currency, status } = refund.data
  // If the API ignores the filter, it lists the refunds of all payments.
  if (transaction !== paid.transactionId || status !== 'processed') return null
  const amountMinor = readMinor(amount, currency, paid)
  if (amountMinor === null) return 'unreadable'
  return {
    key: dispute ? `dispute:${dispute}` : `refund:${refund.data.id}`,
    amountMinor,
    state: 'returned',
    ourId: refundIdIn(refund.data.merchant_note),
  }
}

function readDispute(row: unknown, paid: Paid): ProviderReturn | null | 'unreadable' {
  const dispute = Dispute.safeParse(row)
  if (!dispute.success) return 'unreadable'
  const { id, status, resolution, refund_amount, currency, transaction, dueAt } = dispute.data
  if (transaction.id !== paid.transactionId) return null
  const amountMinor = readMinor(
    refund_amount ?? transaction.amount,
    currency ?? transaction.currency ?? paid.currency,
    paid,
  )
  if (amountMinor === null) return 'unreadable'
  return {
    ...{ key: `dispute:${id}`, amountMinor, state: stateOf(status, resolution ?? '') },
    dueAt: dueAt ?? null,
  }
}

/** Declined: we keep the money. Accepted, by us or by timeout: the payer has it. Other resolutions decide nothing. */
export function stateOf(status: string, resolution: string): ProviderReturn['state'] {
  if (status !== 'resolved') return 'open'
  if (/declined/.test(resolution)) return 'kept'
  return /accepted/.test(resolution) ? 'returned' : 'open'
}

function readMinor(amount: unknown, currency: string, paid: Paid): bigint | null {
  if (currency.toUpperCase() !== paid.currency) return null
  const minor = minorFromProvider(amount, paid.currency)
  return minor !== null && minor > 0n ? minor : null
}
