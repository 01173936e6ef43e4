// Invariants of usage, checked with those of the wallet.
import type { InvariantCheck } from '../../wallet/wallet.ts'
import { daysAreSums } from './seals-sql.ts'

export const usageChecks: readonly InvariantCheck[] = [
  {
    name: 'usage_days_are_the_sum_of_points',
    holds: 'The sums of a sealed day equal the sum of its points. Ten days are checked.',
    find: daysAreSums,
  },
]
