// A provider account that moves from one API to the next: payments stay at the API that started them.
import { RailConfigurationError } from '../keys.ts'
import type { OpenRail, PaymentQuery, ProviderStatus } from '../rail.ts'
import { paidTransactions } from '../request.ts'

type Check = (query: PaymentQuery) => Promise<ProviderStatus>

/** Queries both APIs, for payments that do not tell which one started them. */
export async function checkBoth(older: Check, newer: Check, query: PaymentQuery): Promise<ProviderStatus> {
  const [first, second] = await Promise.all([older(query), newer(query)])
  if (first.status !== 'paid' || second.status !== 'paid') return rank(first) <= rank(second) ? first : second
  // A retry after the move can have opened a second page, and the payer can have paid on both.
  return {
    ...first,
    others: [...(first.others ?? []), ...paidTransactions(second), ...(second.others ?? [])],
  }
}

/** The status with the lowest rank decides. An API that does not know the payment decides nothing. */
function rank(found: ProviderStatus): number {
  if (found.status === 'pending') return found.isNotFound ? 5 : 3
  return { paid: 0, reversed: 1, unknown: 2, failed: 4 }[found.status]
}

/** Test keys beside live ones would start test payments that look live. `names`: a variable of each API. */
export function requireSameKeys(older: OpenRail, newer: OpenRail, names: readonly [string, string]): void {
  if (older.keys === newer.keys) return
  throw new RailConfigurationError([
    `${names[0]} has ${older.keys} keys and ${names[1]} has ${newer.keys} keys: use one environment for both.`,
  ])
}
