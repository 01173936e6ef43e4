// Decides what a provider's status means for a payment. Pure: it neither reads nor changes anything.
import { format, isCurrency, money } from '../../kernel/money.ts'
import type { CardDetails } from '../../platform/payment-handler.ts'
import type { ProviderStatus } from '../rails/rail.ts'
import type { Payment } from '../sql/payments.ts'

export type Decision =
  | { readonly do: 'nothing' }
  /** Contradicts a settled or decided payment: logged under this event name, without effect. */
  | { readonly do: 'note'; readonly contradiction: 'failed_after_settlement' | 'paid_after_rejection' }
  | {
      readonly do: 'settle'
      readonly transactionId: string | null
      readonly card: CardDetails | null
      readonly feeMinor: bigint | null
    }
  | {
      readonly do: 'review'
      readonly reason: string
      readonly transactionId: string | null
      /** The amount that the provider reports in the currency of the payment; null where it reports none. */
      readonly saidMinor: bigint | null
    }
  /** `isReturned`: the payer has the money back. An older status must not undo that. */
  | { readonly do: 'fail'; readonly reason: string; readonly isReturned: boolean }
  | { readonly do: 'expire' | 'reverse'; readonly reason: string }

export type JudgeContext = {
  readonly now: Date
  readonly production: boolean
  /** No further check is scheduled. */
  readonly isLast: boolean
  /** Read only for paid payments, like `isTransactionUsed`. */
  readonly walletCurrency: string
  readonly isTransactionUsed: boolean
}

type Paid = Extract<ProviderStatus, { status: 'paid' }>

export function judge(payment: Payment, providerStatus: ProviderStatus, context: JudgeContext): Decision {
  switch (providerStatus.status) {
    case 'paid':
      return judgePaid(payment, providerStatus, context)
    case 'reversed':
      return judgeReversed(payment, providerStatus.reason)
    case 'failed':
      if (payment.status === 'pending')
        return { do: 'fail', reason: providerStatus.reason, isReturned: false }
      return payment.status === 'settled' && payment.reversedAt === null
        ? { do: 'note', contradiction: 'failed_after_settlement' }
        : NOTHING
    case 'pending':
      return isExpired(payment, context) ? EXPIRED : NOTHING
    // A missing answer at the deadline proves nothing. At the last check it expires the payment.
    case 'unknown':
      return isExpired(payment, context) && context.isLast ? EXPIRED : NOTHING
  }
}

export const NOTHING: Decision = { do: 'nothing' }
const EXPIRED: Decision = { do: 'expire', reason: 'The payment was not completed in time.' }

const isExpired = ({ status, expiresAt }: Payment, { now }: JudgeContext): boolean =>
  status === 'pending' && now >= expiresAt

function judgePaid(payment: Payment, paid: Paid, context: JudgeContext): Decision {
  if (payment.status === 'settled' || payment.status === 'review') return NOTHING
  if (payment.decidedAt !== null) return { do: 'note', contradiction: 'paid_after_rejection' }
  const { transactionId } = paid
  const reason = reviewReason(payment, paid, context)
  return reason === null
    ? { do: 'settle', transactionId, card: paid.card ?? null, feeMinor: paid.feeMinor ?? null }
    : { do: 'review', reason, transactionId, saidMinor: reportedMinor(payment, paid) }
}

const reportedMinor = ({ currency }: Payment, paid: Paid): bigint | null =>
  paid.currency === null || paid.currency === currency ? paid.amountMinor : null

/** Why a paid payment needs a review; null when it can be credited. */
function reviewReason(payment: Payment, paid: Paid, context: JudgeContext): string | null {
  const { reference, currency, amountMinor, reversedAt } = payment
  // Statuses can arrive out of order: an older one must not credit money that went back to the payer.
  if (reversedAt !== null)
    return 'The provider returned this payment to its payer, and now reports it as paid.'
  if (context.production && (payment.mode === 'mock' || !paid.live))
    return 'This was paid with test money, which is not credited here.'
  if (paid.reference !== null && paid.reference !== reference)
    return 'The provider reported another payment than the one we queried.'
  if (paid.currency !== null && paid.currency !== currency)
    return `The provider reports a payment in ${clip(paid.currency)}; ${currency} was expected.`
  if (paid.amountMinor !== null && paid.amountMinor !== amountMinor)
    return `The provider reports ${formatMinor(paid.amountMinor, currency)}; ${formatMinor(amountMinor, currency)} was expected.`
  if (context.walletCurrency !== currency)
    return `The wallet is now in ${context.walletCurrency}; ${currency} was paid.`
  if (paid.unclearReturn) return paid.unclearReturn
  if (context.isTransactionUsed) return "The provider's transaction has already settled another payment."
  return null
}

function judgeReversed({ status, reversedAt, decidedAt }: Payment, reason: string): Decision {
  if (status === 'settled') return reversedAt === null ? { do: 'reverse', reason } : NOTHING
  const isKnown = status === 'failed' && (reversedAt !== null || decidedAt !== null)
  return isKnown ? NOTHING : { do: 'fail', reason, isReturned: true }
}

const clip = (text: string): string => text.slice(0, 12)
const formatMinor = (minor: bigint, currency: string): string =>
  isCurrency(currency) ? format(money(minor, currency)) : `${minor} ${currency}`
