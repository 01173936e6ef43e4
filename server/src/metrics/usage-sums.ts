// Use of several currencies, added up: in the currency of an organisation as it is, for the fleet in kobo.
import type { Currency } from '../kernel/money.ts'
import { type RateCardVersion, toKobo, type UsageTotals } from '../metering/metering.ts'
import type { Subject } from './subject.ts'

export type Converter = (minor: bigint, currency: Currency) => bigint
type UsageInCurrency = UsageTotals & { readonly currency: Currency }

/** An organisation has one currency, and its amounts stay as they are. */
export const createConverter = (version: RateCardVersion, { scope }: Subject): Converter =>
  scope === 'all' ? (minor, currency) => toKobo(version, { minor, currency }) : (minor) => minor

/** The sum of each currency is converted once. */
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

/** Sums by what `nameOf` says, in the order in which the names come. */
export function sumUsageBy<T extends UsageInCurrency>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  convert: Converter,
): Map<string, UsageTotals> {
  const groups = Map.groupBy(rows, nameOf)
  return new Map([...groups].map(([name, group]) => [name, sumUsage(group, convert)]))
}
