// Amounts as providers write them. Whole numbers all the way: nothing here ever was a float of ours.
import { type Currency, describeCurrency, fromMajor } from '../../kernel/money.ts'

/** Major units as a text: "1500.50", "1500" where the currency has no smaller unit. `decimals` adds or drops zeros only. */
export function majorText(minor: bigint, currency: Currency, decimals?: number): string {
  const own = String(describeCurrency(currency).minorUnit).length - 1
  const text = minor.toString().padStart(own + 1, '0')
  const whole = own ? text.slice(0, -own) : text
  const fraction = own ? text.slice(-own) : ''
  const wanted = decimals ?? own
  if (/[1-9]/.test(fraction.slice(wanted))) throw new RangeError(`${minor} ${currency} has smaller units`)
  return wanted === 0 ? whole : `${whole}.${fraction.slice(0, wanted).padEnd(wanted, '0')}`
}

/** What a provider's amount in major units, a number or a text, is in minor ones; null when it is none of ours. */
export function minorFromMajor(major: unknown, currency: Currency): bigint | null {
  if (typeof major !== 'number' && typeof major !== 'string') return null
  // A number this large has lost digits on its way, or is written with an exponent.
  if (typeof major === 'number' && Math.abs(major) >= 1e13) return null
  return fromMajor(major, currency)?.minor ?? null
}

/** What a provider's whole number of minor units is; a number or a text of digits. */
export function parseMinor(minor: unknown): bigint | null {
  if (typeof minor === 'number' && Number.isSafeInteger(minor) && minor >= 0) return BigInt(minor)
  if (typeof minor === 'string' && /^\d{1,18}$/.test(minor)) return BigInt(minor)
  return null
}
