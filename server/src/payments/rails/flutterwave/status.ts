// How a payment stands, by Flutterwave's answer to our question.
import { z } from 'zod'
import { after } from '../../../kernel/clock.ts'
import { isCurrency } from '../../../kernel/money.ts'
import { minorOf } from '../amounts.ts'
import { declineReason } from '../decline-reason.ts'
import { type Line, type LineAnswer, NoAnswer } from '../http-client.ts'
import { parseExactly } from '../parse.ts'
import type { Asked, OpenRail, Standing } from '../rail.ts'
import { remark } from '../remark.ts'

/** Every answer of Flutterwave, good or bad. */
export const Envelope = z.object({
  status: z.string(),
  message: z.string().catch(''),
  data: z.unknown().optional(),
})

export function standingOf(answer: LineAnswer | NoAnswer, keys: OpenRail['keys']): Standing {
  if (answer instanceof NoAnswer) return { status: 'unknown', reason: answer.message }
  const envelope = Envelope.safeParse(parseExactly(answer.text))
  // A 503 comes after half a minute there, of payments that go on: it is no failure.
  if (!envelope.success || answer.status >= 300 || envelope.data.status !== 'success')
    return unreadable(`status ${answer.status}`)

  const transaction = Transaction.safeParse(envelope.data.data)
  if (!transaction.success) return unreadable('a transaction that we cannot read')
  const { id, status: word, processor_response } = transaction.data
  if (word === 'successful') return paidBy(transaction.data, keys)
  if (word === 'failed')
    return {
      status: 'failed',
      reason: declineReason(processor_response),
      detail: remark(word, processor_response),
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
export function notBegun(
  answer: LineAnswer | NoAnswer,
  { clock }: Line,
  { createdAt }: Asked,
): Standing | null {
  if (answer instanceof NoAnswer || answer.status >= 500) return null
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
export function transactionsIn({ status, text }: LineAnswer, reference: string): string[] {
  const list = List.safeParse(parseExactly(text))
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

function paidBy(paid: z.infer<typeof Transaction>, keys: OpenRail['keys']): Standing {
  const currency = paid.currency?.toUpperCase()
  // A currency that is none of ours settles nothing; its amount is said in hundredths, for the person who looks at it.
  // What was charged may have fees on top; the amount is what was asked for.
  const amountMinor = currency ? minorOf(paid.amount, isCurrency(currency) ? currency : 'USD') : null
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

const unreadable = (what: string): Standing => ({
  status: 'unknown',
  reason: `Flutterwave answered with ${what}.`,
})
