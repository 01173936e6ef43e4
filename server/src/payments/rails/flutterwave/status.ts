// Reads the status of a payment from Flutterwave's reply.
import { z } from 'zod'
import { after, type Clock } from '../../../kernel/clock.ts'
import { isCurrency } from '../../../kernel/money.ts'
import { minorFromMajor } from '../amounts.ts'
import { type HttpClient, type HttpResponse, NoResponse } from '../http-client.ts'
import { parseJsonExactly } from '../parse.ts'
import { NEVER_BEGUN, type OpenRail, type PaymentQuery, type ProviderStatus } from '../rail.ts'
import { declineReason, redactedDetail } from '../text.ts'

/** The common fields of all replies. */
export const Envelope = z.object({
  status: z.string(),
  message: z.string().catch(''),
  data: z.unknown().optional(),
})

export function readStatus(answer: HttpResponse | NoResponse, keys: OpenRail['keys']): ProviderStatus {
  if (answer instanceof NoResponse) return { status: 'unknown', reason: answer.message }
  const envelope = Envelope.safeParse(parseJsonExactly(answer.text))
  // Flutterwave sends 503 after 30 seconds for payments that continue, so it is not a failure.
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
 * The status of a payment that Flutterwave does not know; null when it knows it. The hosted page creates the transaction
 * when the payer pays, so a missing transaction is pending until the page expires after a day.
 */
export function notStarted(
  answer: HttpResponse | NoResponse,
  { clock }: HttpClient,
  { createdAt }: PaymentQuery,
): ProviderStatus | null {
  if (answer instanceof NoResponse || answer.status >= 500) return null
  const { status, message } = Envelope.safeParse(answer.json).data ?? {}
  const isUnknown = answer.status === 404 || /no transaction was found/i.test(message ?? '')
  return status === 'error' && isUnknown ? withoutAttempt(clock, createdAt) : null
}

export const withoutAttempt = (clock: Clock, createdAt: Date): ProviderStatus =>
  clock.now() < after(createdAt, { hours: 24, minutes: 10 })
    ? { status: 'pending', detail: 'The payer has not started at Flutterwave.', isNotFound: true }
    : { status: 'failed', reason: NEVER_BEGUN }

/** An upper bound for paid attempts under one reference. */
const ATTEMPTS_MAX = 10

/** The transaction ids of the paid attempts under this reference. */
export function paidTransactionIds({ status, text }: HttpResponse, reference: string): string[] {
  const list = List.safeParse(parseJsonExactly(text))
  if (status >= 300 || !list.success) return []
  // If the API ignores the filter, it lists the payments of all customers.
  const paid = list.data.data.filter((each) => each.tx_ref === reference && each.status === 'successful')
  return paid.slice(0, ATTEMPTS_MAX).map(({ id }) => id)
}

const transactionId = z.union([z.number().int(), z.string().min(1).max(64)]).transform(String)
export const Transaction = z.object({
  id: transactionId.nullish().transform((id) => id ?? null),
  status: z.string(),
  tx_ref: z.string().nullish(),
  flw_ref: z.string().nullish().catch(null),
  amount: z.union([z.number(), z.string()]).nullish(),
  app_fee: z.union([z.number(), z.string()]).nullish().catch(null),
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
  // An unsupported currency settles nothing: staff see its amount in hundredths. The charged amount can include fees, so the
  // requested amount counts.
  const amountMinor = currency ? minorFromMajor(paid.amount, isCurrency(currency) ? currency : 'USD') : null
  if (!currency || amountMinor === null || !paid.tx_ref) return unreadable('a payment without its amount')
  return {
    status: 'paid',
    transactionId: paid.id,
    amountMinor,
    currency,
    reference: paid.tx_ref,
    feeMinor: isCurrency(currency) ? minorFromMajor(paid.app_fee, currency) : null,
    // The sandbox also marks its references.
    live: keys === 'live' && !paid.flw_ref?.includes('FLW-MOCK'),
  }
}

const unreadable = (what: string): ProviderStatus => ({
  status: 'unknown',
  reason: `Flutterwave answered with ${what}.`,
})
