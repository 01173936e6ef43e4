// What a further payment under one reference is made of.
import type { PaidTransaction, ProviderStatus } from './rail.ts'

/** None where nothing was paid or the provider does not number it. */
export function paidTransactions(standing: ProviderStatus): PaidTransaction[] {
  if (standing.status !== 'paid' || standing.transactionId === null) return []
  const { transactionId, amountMinor, currency, live } = standing
  return [{ transactionId, amountMinor, currency, live }]
}
