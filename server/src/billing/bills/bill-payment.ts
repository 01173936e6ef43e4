// X
import type { Currency } from '../../kernel/money.ts'
import { isFree } from '../subscriptions/subscription-plan.ts'
import type { Subscription } from '../subscriptions/subscriptions.ts'
import type { Bill } from './bills.ts'

/** What pays a bill. */
export type BillPayment = {
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly mode: 'live' | 'mock'
  /** For people: `Visa ending in 4081`. */
  readonly method: string
  /** Of the payment that has just come into the wallet; null where it is paid with what was there. */
  readonly reference: string | null
  /** Who hears of it; null for the owners. */
  readonly email: string | null
}

export type BillSettlement = {
  readonly money: BillPayment
  readonly bill: Bill
  readonly subscription: Subscription
  /** The live one of the organisation, which a checkout takes the place of. */
  readonly live: Subscription | undefined
}

export const REPLACED_REASON = 'Another plan took its place.'

/** Whether what was paid for can still be had, and is the same as when its price was told. */
export function canFulfil({ bill, money, subscription, live }: BillSettlement, now: Date): boolean {
  if (bill.status === 'paid' || money.amountMinor !== bill.amountMinor) return false
  if (money.currency !== bill.currency) return false
  // Also late, as long as there is nothing else that is paid for.
  if (bill.kind === 'checkout') return live === undefined || isFree(live)
  const { status, version, periodEnd } = subscription
  if (subscription.id !== live?.id) return false
  if (bill.kind === 'renewal') return bill.status === 'open' && periodEnd <= bill.effect.periodStart
  return status === 'active' && version === bill.baseVersion && periodEnd > now
}
