// The usual cost of quoted work as text: one amount, or a range.
import { type Currency, formatMoney } from '../../i18n/money.ts'

export function usualCost({ low, high }: { low: number; high: number }, currency: Currency): string {
  const [from, to] = [formatMoney(BigInt(low), currency), formatMoney(BigInt(high), currency)]
  return from === to ? from : `${from}–${to}`
}
