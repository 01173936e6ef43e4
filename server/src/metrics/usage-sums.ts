// Sums usage: in the currency of an organisation, or converted to kobo for all organisations.
import type { Currency } from '../kernel/money.ts'
import { type RateCardVersion, toKobo, type UsageTotals } from '../metering/metering.ts'
import type { Subject } from './subject.ts'

export type Converter = (minor: bigint, currency: Currency) => bigint
type UsageInCurrency = UsageTotals & { readonly currency: Currency }

/** Amounts of one organisation need no conversion, because it has one currency. */
export const createConverter = (version: RateCardVersion, { scope }: Subject): Converter =>
  scope === 'all' ? (minor, currency) => toKobo(version, { minor, currency }) : (minor) => minor

/** Converts the sum of each currency once. */
export function sumUsage(rows: readonly UsageInCurrency[], convert: Converter): UsageTotals {
  const costs = new Map<Currency, bigint>()
  let tokens = 0n
  let turns = 0n
  for (const row of rows) {
    costs.set(row.currency, (costs.get(row.currency) ?? 0n) + row.costMinor)
    tokens += row.tokens
    turns += row.turns
  }
  const costMinor = [...costs].reduce((sum, [currency, minor]) => sum + convert(minor, currency), 0n)
  return { costMinor, tokens, turns }
}

/** Sums by name, in the order of first appearance. */
export function sumUsageBy<T extends UsageInCurrency>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  convert: Converter,
): Map<string, UsageTotals> {
  const groups = Map.groupBy(rows, nameOf)
  return new Map([...groups].map(([name, group]) => [name, sumUsage(group, convert)]))
}
