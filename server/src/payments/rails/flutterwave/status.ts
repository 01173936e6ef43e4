// How a payment stands, by Flutterwave's answer to our question.
import { z } from 'zod'
import { after } from '../../../kernel/clock.ts'
import { isCurrency } from '../../../kernel/money.ts'
import { minorFromMajor } from '../amounts.ts'
import { type HttpClient, type HttpResponse, NoResponse } from '../http-client.ts'
import { parseJsonExactly } from '../parse.ts'
import type { OpenRail, PaymentQuery, ProviderStatus } from '../rail.ts'
import { declineReason, redactedDetail } from '../text.ts'

/** Every answer of Flutterwave, good or bad. */
export const Envelope = z.object({
  status: z.string(),
  message: z.string().catch(''),
  data: z.unknown().optional(),
})

export function readStatus(answer: HttpResponse | NoResponse, keys: OpenRail['keys']): ProviderStatus {
  if (answer instanceof NoResponse) return { status: 'unknown', reason: answer.message }
  const envelope = Envelope.safeParse(parseJsonExactly(answer.text))
  // A 503 comes after half a minute there, of payments that go on: it is no failure.
  if (!envelope.success || answer.status >= 300 || envelope.data.status !== 'success')
    return unreadable(`status ${answer.status}`)

  const transaction = Transaction.safeParse(envelope.data.data)
  if (!transaction.success) return unreadable('a transaction that we cannot read')
  const { id, status: word, processor_response } = transaction.data
  if (word === 'successful') return readPaid(transaction.data, keys)
  if (word === 'failed')
    return {
      status: 'failed',
      reason: declineReason(processor_response),
      detail: redactedDetail(word, processor_response),
    }
  if (word === 'pending') return { status: 'pending', detail: 'Flutterwave says pending.' }
  if (word === 'reversed' || word === 'refunded')
    return { status: 'reversed', reason: 'The provider returned the money to the payer.', transactionId: id }
  return unreadable('a status that we do not know')
}

/**
 * How a payment stands that Flutterwave does not know; null when it does. The hosted page makes a transaction when the
 * payer pays, not when we ask for the page: until the page is closed, not finding one says that nobody has tried yet.
 * A page lives a day at most.
 */
export function notStarted(
  answer: HttpResponse | NoResponse,
  { clock }: HttpClient,
  { createdAt }: PaymentQuery,
): ProviderStatus | null {
  if (answer instanceof NoResponse || answer.status >= 500) return null
  const { status, message } = Envelope.safeParse(answer.json).data ?? {}
  const isUnknown = answer.status === 404 || /no transaction was found/i.test(message ?? '')
  if (status !== 'error' || !isUnknown) return null
  return clock.now() < after(createdAt, { hours: 24, minutes: 10 })
    ? { status: 'pending', detail: 'Nobody has begun to pay at Flutterwave.' }
    : { status: 'failed', reason: 'The payment was never begun.' }
}

/** More attempts that paid than this are no payer's doing. */
const ATTEMPTS_MAX = 10

/** The numbers of the attempts under this reference that paid, by the list of them. */
export function paidTransactionIds({ status, text }: HttpResponse, reference: string): string[] {
  const list = List.safeParse(parseJsonExactly(text))
  if (status >= 300 || !list.success) return []
  // A filter that was not understood lists everybody's payments.
  const paid = list.data.data.filter((each) => each.tx_ref === reference && each.status === 'successful')
  return paid.slice(0, ATTEMPTS_MAX).map(({ id }) => id)
}

const transactionId = z.union([z.number().int(), z.string().min(1).max(64)]).transform(String)
const Transaction = z.object({
  id: transactionId.nullish().transform((id) => id ?? null),
  status: z.string(),
  tx_ref: z.string().nullish(),
  flw_ref: z.string().nullish().catch(null),
  amount: z.union([z.number(), z.string()]).nullish(),
  currency: z.string().nullish(),
  processor_response: z.string().nullish().catch(null),
})
const List = z.object({
  data: z.array(
    z.object({ id: transactionId, tx_ref: z.string().nullish(), status: z.string().nullish() }).catch({
      id: '',
      tx_ref: null,
      status: null,
    }),
  ),
})

function readPaid(paid: z.infer<typeof Transaction>, keys: OpenRail['keys']): ProviderStatus {
  const currency = paid.currency?.toUpperCase()
  // A currency that is none of ours settles nothing; its amount is said in hundredths, for the person who looks at it.
  // What was charged may have fees on top; the amount is what was asked for.
  const amountMinor = currency ? minorFromMajor(paid.amount, isCurrency(currency) ? currency : 'USD') : null
  if (!currency || amountMinor === null || !paid.tx_ref) return unreadable('a payment without its amount')
  return {
    status: 'paid',
    transactionId: paid.id,
    amountMinor,
    currency,
    reference: paid.tx_ref,
    // The sandbox says so in its own reference too.
    live: keys === 'live' && !paid.flw_ref?.includes('FLW-MOCK'),
  }
}

const unreadable = (what: string): ProviderStatus => ({
  status: 'unknown',
  reason: `Flutterwave answered with ${what}.`,
})
