// What must be true of usage at all times, as a check beside those of the wallet.
import type { InvariantCheck } from '../../wallet/wallet.ts'
import { daysAreSums } from './seals-sql.ts'

export const usageChecks: readonly InvariantCheck[] = [
  {
    name: 'usage_days_are_the_sum_of_points',
    holds: 'What is summed for a day that is over is what its points come to; ten days are looked at.',
    find: daysAreSums,
  },
]
