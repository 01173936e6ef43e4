// What must be true of bills and subscriptions at all times, as checks beside those of the wallet.
import type { InvariantCheck } from '../wallet/wallet.ts'
import * as sql from './invariants-sql.ts'

export const billingChecks: readonly InvariantCheck[] = [
  {
    name: 'paid_bills_are_debits',
    holds: 'Every paid bill has taken its amount from its wallet once, and nothing else was taken for plans.',
    find: sql.billsAreDebits,
  },
  {
    name: 'bills_are_paid_once',
    holds: 'Every paid bill was paid by one settled payment of its amount, and has the invoice of it.',
    find: sql.billsArePaidOnce,
  },
  {
    name: 'organisations_follow_their_subscriptions',
    holds: 'The plan, the status and the seats of each organisation are those of its live subscription.',
    find: sql.orgsFollowSubscriptions,
  },
  {
    name: 'checkouts_have_bills',
    holds: 'Every subscription that waits for its first payment has one open bill.',
    find: sql.checkoutsHaveBills,
  },
]
