// Says which budget a turn needs, in the currency of the user and with the way to set it.
import { CowrieError, type Currency } from '@cowrie/sdk'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { BudgetTooLow } from '../session/budget-too-low.ts'
import type { Session } from '../session/types.ts'
import { formatMoney } from '../spending/money.ts'

export type BudgetWay = '--budget' | '/budget'

/** `leastMinor` is what the turn needs at least. */
export function tooLittleLeft(
  { meter: { spentMinor, budgetMinor } }: Pick<Session, 'meter'>,
  leastMinor: bigint,
  currency: Currency,
  way: BudgetWay,
): Failure {
  const left = budgetMinor === null || budgetMinor < spentMinor ? 0n : budgetMinor - spentMinor
  return new Failure(
    'budget_too_low',
    `${formatMoney(left, currency)} of the budget are left, and this turn needs at least ${formatMoney(leastMinor, currency)}.`,
    { exit: EXIT.money, next: `Allow more: ${way} ${amountOf(spentMinor + leastMinor, currency)}` },
  )
}

/** The same error with amounts, if it is about the budget. */
export function withAmounts(
  error: unknown,
  session: Pick<Session, 'meter'>,
  currency: Currency,
  way: BudgetWay,
): unknown {
  if (error instanceof BudgetTooLow)
    return new Failure(
      error.code,
      `The budget must be at least ${formatMoney(error.leastMinor, currency)}: so much was spent already or may be spent by the open turn.`,
      { exit: EXIT.money, next: `Use at least: ${way} ${amountOf(error.leastMinor, currency)}` },
    )
  if (!CowrieError.is(error, 'budget_too_low')) return error
  const { requiredMinor } = error.detail
  if (typeof requiredMinor !== 'bigint') return error
  // A fifth of the limit may be kept for searches.
  return tooLittleLeft(session, (requiredMinor * 5n + 3n) / 4n, currency, way)
}

/** As the user types it: 1500.50 */
const amountOf = (minor: bigint, { minorUnit }: Currency): string =>
  formatMoney(minor, { symbol: '', minorUnit }).replaceAll(',', '')
