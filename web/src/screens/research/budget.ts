// The spending limit of a research run. It can be lowered but not raised above the maximum of the depth.

import { type Currency, formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { parseAmount } from '../../ui/money/parse-amount.ts'

export type Bounds = { readonly leastMinor: bigint; readonly maxMinor: bigint }
/** `minor` is the limit to send; null if the input is invalid. */
export type Limit = {
  readonly minor: bigint | null
  readonly fault: string | null
  readonly isAbove: boolean
}

/** Empty input means the maximum. */
export function limitOf(typed: string, { leastMinor, maxMinor }: Bounds, currency: Currency): Limit {
  if (typed.trim() === '') return { minor: maxMinor, fault: null, isAbove: false }
  const read = parseAmount(typed, currency)
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
