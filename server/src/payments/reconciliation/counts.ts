// Adds findings to the counts of a reconciliation.
import type { ListedItem } from '../rails/rail.ts'
import type { Finding } from './judge.ts'
import type { Counts } from './runs-sql.ts'

export function addFinding(counts: Counts, finding: Finding): Counts {
  switch (finding.result) {
    case 'unpaid':
      return counts
    case 'match':
      return { ...counts, matched: counts.matched + 1 }
    case 'explained':
      return { ...counts, explained: increment(counts.explained, finding.why) }
    case 'difference':
      return { ...counts, differences: increment(counts.differences, finding.difference) }
  }
}

export function addFees(counts: Counts, { status, currency, feeMinor }: ListedItem): Counts {
  if (status !== 'paid' || currency === null || feeMinor === null) return counts
  const total = BigInt(counts.fees[currency] ?? '0') + feeMinor
  return { ...counts, fees: { ...counts.fees, [currency]: total.toString() } }
}

const increment = <Key extends string>(all: Readonly<Partial<Record<Key, number>>>, key: Key) => ({
  ...all,
  [key]: (all[key] ?? 0) + 1,
})
