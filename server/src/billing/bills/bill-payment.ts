// The payment of a bill, and the check whether it can still be fulfilled.
import type { Currency } from '../../kernel/money.ts'
import { isFree } from '../subscriptions/subscription-plan.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import type { Bill } from './bills.ts'

/** The money that pays a bill. */
export type BillPayment = {
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly mode: 'live' | 'mock'
  /** Shown to the customer: `Visa ending in 4081`. */
  readonly method: string
  /** The provider payment that credited the wallet; null when the bill is paid from the existing balance. */
  readonly reference: string | null
  /** The recipient of the receipt; null sends it to the owners. */
  readonly email: string | null
}

export type BillSettlement = {
  readonly payment: BillPayment
  readonly bill: Bill
  readonly subscription: Subscription
  /** The live subscription of the organisation. A checkout replaces it. */
  readonly live: Subscription | undefined
}

export const REPLACED_REASON = 'Another plan replaced it.'

/** Whether the bill can still be fulfilled, unchanged since its price was quoted. */
export function canFulfil({ bill, payment, subscription, live }: BillSettlement, now: Date): boolean {
  if (bill.status === 'paid' || payment.amountMinor !== bill.amountMinor) return false
  if (payment.currency !== bill.currency) return false
  // A late payment also counts, as long as no other paid plan is live.
  if (bill.kind === 'checkout') return live === undefined || isFree(live)
  const { status, version, periodEnd } = subscription
  if (subscription.id !== live?.id) return false
  if (bill.kind === 'renewal') return bill.status === 'open' && periodEnd <= bill.effect.periodStart
  return status === 'active' && version === bill.baseVersion && periodEnd > now
}
