// Reads the status of a payment from Ozow's list of transactions. Each attempt is a transaction under our reference.

import { z } from 'zod'
import { minorFromMajor } from '../amounts.ts'
import type { HttpResponse } from '../http-client.ts'
import type { PaymentQuery, ProviderStatus } from '../rail.ts'
import { paidTransactions } from '../request.ts'

/** Ozow capitalises field names in some replies and not in others. */
export const lowerFirstLetters = (reply: unknown): unknown =>
  reply && typeof reply === 'object' && !Array.isArray(reply)
    ? Object.fromEntries(
        Object.entries(reply).map(([name, value]) => [name.slice(0, 1).toLowerCase() + name.slice(1), value]),
      )
    : reply
const Transaction = z.preprocess(
  lowerFirstLetters,
  z.object({
    transactionId: z.string().nullish(),
    transactionReference: z.string(),
    currencyCode: z.string().nullish(),
    amount: z.union([z.number(), z.string()]).nullish(),
    status: z.string(),
    createdDate: z.string().nullish(),
    isTest: z.union([z.boolean(), z.string()]).nullish(),
  }),
)
type Transaction = z.infer<typeof Transaction>

// Ozow lists at most ten transactions: a missing one may have paid.
const TRANSACTIONS_MAX = 10

export function readStatus(
  { status, json }: HttpResponse,
  query: PaymentQuery,
  { isLive, isEarly }: { isLive: boolean; isEarly: boolean },
): ProviderStatus {
  if (status === 404) return notFound(query, isEarly)
  const read = z.array(Transaction).safeParse(json)
  if (status !== 200 || !read.success)
    return unknown(`Ozow answered with status ${status} and nothing we can read.`)
  const ours = read.data.filter((each) => each.transactionReference === query.reference)
  if (ours.length < read.data.length && ours.length === 0)
    return unknown('Ozow replied about another payment.')
  if (ours.length === 0) return notFound(query, isEarly)

  const paid = ours.filter((each) => is(each, 'complete')).sort(byAge)
  const real = paid.filter((each) => !isTest(each))
  const [first, ...more] = real.length > 0 ? real : paid
  if (!first) return readUnpaid(ours)
  const providerStatus = readPaid(first, isLive)
  // A payer who reopened the page may have paid again.
  const others = more.map((each) => readPaid(each, isLive)).flatMap(paidTransactions)
  return providerStatus.status === 'paid' && others.length > 0
    ? { ...providerStatus, others }
    : providerStatus
}

/** A payer with the link can still open the page. Without a stored link the payment never started. */
function notFound({ providerRef }: PaymentQuery, isEarly: boolean): ProviderStatus {
  return providerRef !== null || isEarly
    ? { status: 'pending', detail: 'Ozow has no transaction yet.', isNotFound: true }
    : { status: 'failed', reason: 'The payment was never started.' }
}

function readPaid(transaction: Transaction, isLive: boolean): ProviderStatus {
  const amountMinor = minorFromMajor(transaction.amount, 'ZAR')
  if (amountMinor === null) return unknown('Ozow reports the payment as paid, without a readable amount.')
  return {
    status: 'paid',
    transactionId: transaction.transactionId || null,
    amountMinor,
    currency: transaction.currencyCode?.toUpperCase() || null,
    reference: transaction.transactionReference,
    live: isLive && !isTest(transaction),
  }
}

function readUnpaid(transactions: readonly Transaction[]): ProviderStatus {
  const some = (...names: string[]) => transactions.find((each) => is(each, ...names))
  const strange = transactions.find(
    (each) => !is(each, 'pending', 'pendinginvestigation', 'abandoned', 'cancelled', 'error'),
  )
  if (some('pendinginvestigation')) return { status: 'pending', detail: 'Ozow is investigating the payment.' }
  if (some('pending')) return { status: 'pending', detail: 'The bank has not confirmed it yet.' }
  if (strange) return unknown('Ozow reports an unknown status.')
  if (transactions.length >= TRANSACTIONS_MAX)
    return { status: 'pending', detail: 'There were more attempts than Ozow lists.' }
  // The payer can return to an abandoned page.
  if (some('abandoned')) return { status: 'pending', detail: 'The payer left the page without paying.' }
  return {
    status: 'failed',
    reason: some('error') ? 'The bank did not complete the payment.' : 'The payment was cancelled.',
  }
}

const unknown = (reason: string): ProviderStatus => ({ status: 'unknown', reason })
const is = ({ status }: Transaction, ...names: string[]): boolean => names.includes(status.toLowerCase())
const isTest = ({ isTest }: Transaction): boolean => String(isTest).toLowerCase() === 'true'

/** Oldest first, so that a repeat payment does not change which transaction paid this one. */
const byAge = (a: Transaction, b: Transaction): number =>
  (a.createdDate ?? '').localeCompare(b.createdDate ?? '') ||
  (a.transactionId ?? '').localeCompare(b.transactionId ?? '')
