// The spending limit of a research run. It can be lowered but not raised above the maximum of the depth.

import { type Currency, formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { parseAmount } from '../../ui/money/parse-amount.ts'

export type Bounds = { readonly leastMinor: bigint; readonly maxMinor: bigint }
/** `minor` is the limit to send; null if the input is invalid. */
export type Limit = {
  readonly minor: bigint | null
  readonly error: string | null
  readonly isAbove: boolean
}

/** Empty input means the maximum. */
export function limitOf(typed: string, { leastMinor, maxMinor }: Bounds, currency: Currency): Limit {
  if (typed.trim() === '') return { minor: maxMinor, error: null, isAbove: false }
  const read = parseAmount(typed, currency)
  if ('error' in read) return { minor: null, error: t('Enter an amount such as 1500.00.'), isAbove: false }
  if (read.minor > maxMinor) {
    const error = t('This depth never costs more than {amount}.', { amount: formatMoney(maxMinor, currency) })
    return { minor: null, error, isAbove: true }
  }
  if (read.minor < leastMinor) {
    const error = t('A run needs at least {amount} for a report.', {
      amount: formatMoney(leastMinor, currency),
    })
    return { minor: null, error, isAbove: false }
  }
  return { minor: read.minor, error: null, isAbove: false }
}
