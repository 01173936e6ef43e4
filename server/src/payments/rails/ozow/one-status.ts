// Reads the status of a payment from its transactions in Ozow's One API.

import { z } from 'zod'
import { isCurrency } from '../../../kernel/money.ts'
import { minorFromMajor } from '../amounts.ts'
import type { PaymentQuery, ProviderStatus } from '../rail.ts'
import { paidTransactions } from '../request.ts'

export const TRANSACTIONS_PER_PAGE = 100

const text = z.string().nullish().catch(null)
const Transaction = z.object({
  id: z.string().min(1).max(200),
  status: z.string(),
  siteCode: text,
  merchantReference: text,
  paymentRequest: z.object({ merchantReference: text }).nullish().catch(null),
  // An amount without its currency proves nothing.
  amount: z
    .object({ value: z.union([z.number(), z.string()]), currency: z.string() })
    .nullish()
    .catch(null),
  isTest: z.union([z.boolean(), z.string()]).nullish().catch(null),
  createdAt: text,
  createdDate: text,
})
type Transaction = z.infer<typeof Transaction>

const List = z.union([
  z.array(z.unknown()),
  z.object({ transactions: z.array(z.unknown()) }).transform(({ transactions }) => transactions),
  z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
])

export const transactionRows = {
  /** The rows of a reply; null when it has none. */
  of: (json: unknown): readonly unknown[] | null => List.safeParse(json).data ?? null,
  referenceOf: (row: unknown): string | null => {
    const read = Transaction.safeParse(row)
    return read.success ? referenceOf(read.data) : null
  },
}

const referenceOf = ({ merchantReference, paymentRequest }: Transaction): string | null =>
  merchantReference ?? paymentRequest?.merchantReference ?? null

type Site = { readonly siteCode: string; readonly isLive: boolean }

export function readTransactions(rows: readonly unknown[], query: PaymentQuery, site: Site): ProviderStatus {
  const read = z.array(Transaction).safeParse(rows)
  if (!read.success) return unknown('Ozow lists a transaction that we cannot read.')
  const isOthers = read.data.some(
    (each) =>
      (referenceOf(each) ?? query.reference) !== query.reference ||
      (each.siteCode ?? site.siteCode) !== site.siteCode,
  )
  if (isOthers) return unknown('Ozow replied about another payment.')
  const paid = read.data.filter((each) => is(each, ...PAID, 'refunded')).sort(byAge)
  const real = paid.filter((each) => !isTest(each))
  const [first, ...more] = real.length > 0 ? real : paid
  if (!first) return readUnpaid(read.data)
  const status = readPaid(first, query, site)
  // A payer who reopened the page may have paid again.
  const others = more.map((each) => readPaid(each, query, site)).flatMap(paidTransactions)
  return status.status === 'paid' && others.length > 0 ? { ...status, others } : status
}

const PAID = ['successful', 'complete', 'completed']

function readPaid(transaction: Transaction, query: PaymentQuery, { isLive }: Site): ProviderStatus {
  const currency = transaction.amount?.currency.toUpperCase()
  // Another currency settles nothing: staff see its amount in hundredths.
  const unit = currency && isCurrency(currency) ? currency : 'USD'
  const amountMinor = minorFromMajor(transaction.amount?.value, unit)
  if (!currency || amountMinor === null)
    return unknown('Ozow reports the payment as paid, without a readable amount.')
  return {
    status: 'paid',
    transactionId: transaction.id,
    amountMinor,
    currency,
    reference: referenceOf(transaction) ?? query.reference,
    live: isLive && !isTest(transaction),
    // The amount of a refund is not reported, and it can be a part of the payment.
    ...(is(transaction, 'refunded') && {
      unclearReturn: 'Ozow reports this payment as refunded, without the amount of the refund.',
    }),
  }
}

function readUnpaid(transactions: readonly Transaction[]): ProviderStatus {
  const some = (...names: string[]) => transactions.some((each) => is(each, ...names))
  if (some('pendinginvestigation')) return { status: 'pending', detail: 'Ozow is investigating the payment.' }
  if (some('pending')) return { status: 'pending', detail: 'The bank has not confirmed it yet.' }
  // The payer can return to the page.
  if (some('incomplete', 'created', 'abandoned'))
    return { status: 'pending', detail: 'The payer has not finished.' }
  if (!transactions.every((each) => is(each, 'error', 'failed', 'cancelled', 'canceled', 'expired')))
    return unknown('Ozow reports an unknown status.')
  if (transactions.length >= TRANSACTIONS_PER_PAGE)
    return { status: 'pending', detail: 'There were more attempts than Ozow lists.' }
  return {
    status: 'failed',
    reason: some('error', 'failed') ? 'The bank did not complete the payment.' : 'The payment was cancelled.',
  }
}

const unknown = (reason: string): ProviderStatus => ({ status: 'unknown', reason })
const is = ({ status }: Transaction, ...names: string[]): boolean => names.includes(status.toLowerCase())
const isTest = ({ isTest }: Transaction): boolean => String(isTest).toLowerCase() === 'true'

/** Oldest first, so that a repeat payment does not change which transaction paid this one. */
const byAge = (a: Transaction, b: Transaction): number =>
  (a.createdAt ?? a.createdDate ?? '').localeCompare(b.createdAt ?? b.createdDate ?? '') ||
  a.id.localeCompare(b.id)
