// What must be true of payments at all times, as checks beside those of the wallet.
import type { Check } from '../../wallet/wallet.ts'
import * as sql from '../sql/invariants.ts'

export const paymentChecks: readonly Check[] = [
  {
    name: 'settled_payments_are_clearing_credits',
    holds:
      'Every settled payment has credited its wallet once and exactly, and nothing else came over a rail.',
    find: sql.paymentsAreCredits,
  },
  {
    name: 'refunds_are_within_what_was_captured',
    holds: 'No payment has given back more than it brought, and each remembers all of its refunds.',
    find: sql.refundsStayWithinPayments,
  },
  {
    name: 'refunds_are_credits',
    holds: 'Every refund and adjustment by staff is one credit of that amount, and there are no others.',
    find: sql.refundsAreCredits,
  },
  {
    name: 'reversals_are_within_what_was_captured',
    holds:
      'What was taken back belongs to a payment that was reversed or returned, and is no more than that brought.',
    find: sql.reversalsStayWithinPayments,
  },
  {
    name: 'returns_are_taken_or_frozen',
    holds:
      'Every payment knows what of it was returned or is disputed, and what is frozen is held in its wallet.',
    find: sql.returnsAddUp,
  },
]
