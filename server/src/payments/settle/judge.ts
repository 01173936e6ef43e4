// What a provider's answer means for a payment. Nothing is read or changed here: every case is a line of a table.
import { format, isCurrency, money } from '../../kernel/money.ts'
import type { CardDetails } from '../../platform/payment-handler.ts'
import type { ProviderStatus } from '../rails/rail.ts'
import type { Payment } from '../sql/payments.ts'

export type Decision =
  | { readonly do: 'nothing' }
  /** Contradicts what is settled or decided: noted and left alone. */
  | { readonly do: 'note'; readonly what: string }
  | { readonly do: 'settle'; readonly transactionId: string | null; readonly card: CardDetails | null }
  | {
      readonly do: 'review'
      readonly reason: string
      readonly transactionId: string | null
      /** What the provider says came, in the currency of the payment; null where it does not say. */
      readonly saidMinor: bigint | null
    }
  /** `isReturned`: the payer has the money back, which no older answer may undo. */
  | { readonly do: 'fail'; readonly reason: string; readonly isReturned: boolean }
  | { readonly do: 'expire' | 'reverse'; readonly reason: string }

/** What else bears on it. */
export type JudgeContext = {
  readonly now: Date
  readonly production: boolean
  /** Nobody will ask about it again. */
  readonly isLast: boolean
  /** Asked only where something was paid. */
  readonly walletCurrency: string
  readonly isTransactionUsed: boolean
}

type Paid = Extract<ProviderStatus, { status: 'paid' }>

export function judge(payment: Payment, providerStatus: ProviderStatus, given: JudgeContext): Decision {
  switch (providerStatus.status) {
    case 'paid':
      return judgePaid(payment, providerStatus, given)
    case 'reversed':
      return judgeReversed(payment, providerStatus.reason)
    case 'failed':
      if (payment.status === 'pending')
        return { do: 'fail', reason: providerStatus.reason, isReturned: false }
      return payment.status === 'settled' && payment.reversedAt === null
        ? { do: 'note', what: 'the provider calls a settled payment failed' }
        : NOTHING
    case 'pending':
      return isExpired(payment, given) ? EXPIRED : NOTHING
    // Silence at the deadline proves nothing; silence to the very end is an end.
    case 'unknown':
      return isExpired(payment, given) && given.isLast ? EXPIRED : NOTHING
  }
}

export const NOTHING: Decision = { do: 'nothing' }
const EXPIRED: Decision = { do: 'expire', reason: 'The payment was not completed in time.' }

const isExpired = ({ status, expiresAt }: Payment, { now }: JudgeContext): boolean =>
  status === 'pending' && now >= expiresAt

function judgePaid(payment: Payment, paid: Paid, given: JudgeContext): Decision {
  if (payment.status === 'settled' || payment.status === 'review') return NOTHING
  if (payment.decidedAt !== null) return { do: 'note', what: 'the provider says paid what staff rejected' }
  const { transactionId } = paid
  const reason = reviewReason(payment, paid, given)
  return reason === null
    ? { do: 'settle', transactionId, card: paid.card ?? null }
    : { do: 'review', reason, transactionId, saidMinor: reportedMinor(payment, paid) }
}

const reportedMinor = ({ currency }: Payment, paid: Paid): bigint | null =>
  paid.currency === null || paid.currency === currency ? paid.amountMinor : null

/** Why a payment is not credited although the provider says that it is paid; null when all agrees. */
function reviewReason(payment: Payment, paid: Paid, given: JudgeContext): string | null {
  const { reference, currency, amountMinor, reversedAt } = payment
  // Two answers may overtake each other: the older one must not credit what the payer has back.
  if (reversedAt !== null)
    return 'The provider returned this payment to its payer, and now says that it is paid.'
  if (given.production && (payment.mode === 'mock' || !paid.live))
    return 'This was paid with test money, which is worth nothing here.'
  if (paid.reference !== null && paid.reference !== reference)
    return 'The provider answered about another payment than the one we asked about.'
  if (paid.currency !== null && paid.currency !== currency)
    return `The provider says that ${clip(paid.currency)} were paid; ${currency} were expected.`
  if (paid.amountMinor !== null && paid.amountMinor !== amountMinor)
    return `The provider says that ${say(paid.amountMinor, currency)} were paid; ${say(amountMinor, currency)} were expected.`
  if (given.walletCurrency !== currency)
    return `The wallet is in ${given.walletCurrency} by now; ${currency} were paid.`
  if (paid.unclearReturn) return paid.unclearReturn
  if (given.isTransactionUsed)
    return "The provider's transaction has paid for another payment of ours already."
  return null
}

function judgeReversed({ status, reversedAt, decidedAt }: Payment, reason: string): Decision {
  if (status === 'settled') return reversedAt === null ? { do: 'reverse', reason } : NOTHING
  const isKnown = status === 'failed' && (reversedAt !== null || decidedAt !== null)
  return isKnown ? NOTHING : { do: 'fail', reason, isReturned: true }
}

const clip = (text: string): string => text.slice(0, 12)
const say = (minor: bigint, currency: string): string =>
  isCurrency(currency) ? format(money(minor, currency)) : `${minor} ${currency}`
