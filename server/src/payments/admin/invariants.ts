// Invariants of payments, checked with those of the wallet.
import type { InvariantCheck } from '../../wallet/wallet.ts'
import * as sql from '../sql/invariants.ts'

export const paymentChecks: readonly InvariantCheck[] = [
  {
    name: 'settled_payments_are_clearing_credits',
    holds:
      'Every settled payment has exactly one credit of its captured amount, and every rail credit has a settled payment.',
    find: sql.paymentsAreCredits,
  },
  {
    name: 'refunds_are_within_what_was_captured',
    holds: 'No payment is refunded above its captured amount, and its refund total equals its refunds.',
    find: sql.refundsStayWithinPayments,
  },
  {
    name: 'refunds_are_credits',
    holds:
      'Every refund and adjustment by staff has exactly one credit of its amount, and no other such credits exist.',
    find: sql.refundsAreCredits,
  },
  {
    name: 'reversals_are_within_what_was_captured',
    holds:
      'Every reversal debit belongs to a reversed or returned payment and stays within its captured amount.',
    find: sql.reversalsStayWithinPayments,
  },
  {
    name: 'returns_are_taken_or_frozen',
    holds:
      'The returned and disputed totals of every payment equal its returns, and every frozen return has a hold.',
    find: sql.returnsAddUp,
  },
  {
    name: 'refunds_to_source_are_returns',
    holds:
      'Every finished refund to a payer is one return or reversal that debits what the provider returned, and every undecided one is frozen in full.',
    find: sql.sourceRefundsAreReturns,
  },
]
