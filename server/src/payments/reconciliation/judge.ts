// Compares an item of a provider's list with our payments. Pure: it neither reads nor changes anything.
import { after } from '../../kernel/clock.ts'
import type { ListedItem } from '../rails/rail.ts'
import type { PaymentReturn } from '../sql/payment-returns.ts'
import type { Payment } from '../sql/payments.ts'

export const DIFFERENCES = [
  'not_credited',
  'not_listed',
  'amount',
  'currency',
  'reference',
  'credited_twice',
  'test_money',
  'returned',
] as const
export type Difference = (typeof DIFFERENCES)[number]

export const EXPLANATIONS = [
  'pending',
  'settled_late',
  'in_review',
  'decided_by_staff',
  'return_recorded',
  'never_credited',
  'test_money',
  'before_window',
  'confirmed_by_status',
  'list_incomplete',
] as const
export type Explanation = (typeof EXPLANATIONS)[number]

export type Finding =
  /** Nothing was paid or returned, so there is nothing to compare. */
  | { readonly result: 'unpaid' }
  | { readonly result: 'match' }
  | { readonly result: 'explained'; readonly why: Explanation }
  | {
      readonly result: 'difference'
      readonly difference: Difference
      /** Ours; null where no payment of ours is concerned. */
      readonly payment: ComparedPayment | null
    }

export type ComparedPayment = Pick<
  Payment,
  | 'reference'
  | 'orgId'
  | 'rail'
  | 'mode'
  | 'account'
  | 'currency'
  | 'status'
  | 'capturedMinor'
  | 'returnedMinor'
  | 'transactionId'
  | 'repeatOf'
  | 'reversedAt'
  | 'decidedAt'
  | 'createdAt'
  | 'settledAt'
>

const MATCH: Finding = { result: 'match' }
const UNPAID: Finding = { result: 'unpaid' }
const explained = (why: Explanation): Finding => ({ result: 'explained', why })
const differs = (difference: Difference, payment: ComparedPayment | null): Finding => ({
  ...{ result: 'difference', difference, payment },
})

export type JudgeContext = {
  /** Only there is test money never credited. */
  readonly production: boolean
}

/** `candidates` have the reference of the item, or were credited for its transaction. */
export function judgePayment(
  item: ListedItem,
  candidates: readonly ComparedPayment[],
  { production }: JudgeContext,
): Finding {
  if (item.status === 'unpaid') return UNPAID
  const credited = candidates.filter(
    ({ status, transactionId }) =>
      status === 'settled' && transactionId !== null && transactionId === item.transactionId,
  )
  const payment = credited[0] ?? candidates.find(({ reference }) => reference === item.reference)
  if (credited.length > 1) return differs('credited_twice', payment ?? null)
  if (payment?.status === 'settled')
    return production && !item.live ? differs('test_money', payment) : judgeCredited(item, payment)
  if (item.status === 'reversed') return explained('never_credited')
  if (payment?.status === 'review') return explained('in_review')
  if (payment && payment.decidedAt !== null) return explained('decided_by_staff')
  return item.live ? differs('not_credited', payment ?? null) : explained('test_money')
}

function judgeCredited(item: ListedItem, payment: ComparedPayment): Finding {
  const { transactionId, reference, repeatOf, currency, capturedMinor, reversedAt, decidedAt, settledAt } =
    payment
  const isOtherTransaction =
    transactionId !== null && item.transactionId !== null && transactionId !== item.transactionId
  if (isOtherTransaction && item.status === 'reversed') return explained('never_credited')
  const isOtherReference =
    item.reference !== null && item.reference !== reference && item.reference !== repeatOf
  if (isOtherTransaction || isOtherReference) return differs('reference', payment)
  if (item.currency !== currency) return differs('currency', payment)
  if (item.status === 'reversed')
    return reversedAt === null ? differs('returned', payment) : explained('return_recorded')
  if (item.amountMinor !== capturedMinor) {
    // Staff credit a part of what was received.
    const isDecided = decidedAt !== null && item.amountMinor !== null && capturedMinor <= item.amountMinor
    return isDecided ? explained('decided_by_staff') : differs('amount', payment)
  }
  if (reversedAt !== null) return explained('return_recorded')
  return settledAt !== null && settledAt >= endOfDay(item.at) ? explained('settled_late') : MATCH
}

/** `returns` are those of the payment that was credited for the transaction. */
export function judgeReturn(
  item: ListedItem,
  payment: ComparedPayment | undefined,
  returns: readonly PaymentReturn[],
): Finding {
  if (item.status === 'unpaid') return UNPAID
  if (!payment) return explained('never_credited')
  const isAllReturned = payment.reversedAt !== null || payment.returnedMinor >= payment.capturedMinor
  const known = returns.find(({ key }) => key === item.returnKey)
  const isRecorded = isAllReturned || (isConsistent(item.status, known?.state) && !hasGrown(item, known))
  return isRecorded ? explained('return_recorded') : differs('returned', payment)
}

function isConsistent(there: ListedItem['status'], here: PaymentReturn['state'] | undefined): boolean {
  switch (there) {
    case 'open':
      return here !== undefined
    case 'kept':
      return here !== 'frozen'
    default:
      return here === 'taken' || here === 'reversed'
  }
}

/** A refund under the key of a smaller one. A decided return never changes here. */
const hasGrown = ({ kind, status, amountMinor }: ListedItem, known: PaymentReturn | undefined): boolean =>
  kind === 'refund' &&
  status === 'returned' &&
  amountMinor !== null &&
  amountMinor > (known?.amountMinor ?? 0n)

const DAY_MS = 86_400_000
export const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)
const endOfDay = (at: Date): Date => after(startOfDay(at), { days: 1 })
