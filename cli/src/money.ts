// Money for people: "₦1,500.50".
import type { Currency } from '@cowrie/sdk'

export function formatMoney(
  minor: bigint,
  { symbol, minorUnit }: Pick<Currency, 'symbol' | 'minorUnit'>,
): string {
  const digits = String(minorUnit).length - 1
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${minor < 0n ? '-' : ''}${symbol}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`
}
