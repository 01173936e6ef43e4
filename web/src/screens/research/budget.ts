// The limit that a reader sets for a run: it can be lowered, and never raised above what the depth can cost.

import { type Currency, formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { readAmount } from '../../ui/money/parse-amount.ts'

export type Bounds = { readonly leastMinor: bigint; readonly maxMinor: bigint }
/** `minor` is what the run would be started with; null when it cannot be. */
export type Limit = {
  readonly minor: bigint | null
  readonly fault: string | null
  readonly isAbove: boolean
}

/** Nothing typed means the ceiling. */
export function limitOf(typed: string, { leastMinor, maxMinor }: Bounds, currency: Currency): Limit {
  if (typed.trim() === '') return { minor: maxMinor, fault: null, isAbove: false }
  const read = readAmount(typed, currency)
  if ('fault' in read) return { minor: null, fault: t('Write an amount such as 1500.00.'), isAbove: false }
  if (read.minor > maxMinor) {
    const fault = t('This depth never costs more than {amount}.', { amount: formatMoney(maxMinor, currency) })
    return { minor: null, fault, isAbove: true }
  }
  if (read.minor < leastMinor) {
    const fault = t('A run needs at least {amount} for a report.', {
      amount: formatMoney(leastMinor, currency),
    })
    return { minor: null, fault, isAbove: false }
  }
  return { minor: read.minor, fault: null, isAbove: false }
}
