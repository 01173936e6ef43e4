// Converts amounts to and from the formats of providers, without floating-point arithmetic.
import { type Currency, describeCurrency, fromMajor } from '../../kernel/money.ts'

/** Major units as text: "1500.50", or "1500" for currencies without minor units. `decimals` only adds or drops zeros. */
export function majorText(minor: bigint, currency: Currency, decimals?: number): string {
  const own = String(describeCurrency(currency).minorUnit).length - 1
  const text = minor.toString().padStart(own + 1, '0')
  const whole = own ? text.slice(0, -own) : text
  const fraction = own ? text.slice(-own) : ''
  const places = decimals ?? own
  if (/[1-9]/.test(fraction.slice(places))) throw new RangeError(`${minor} ${currency} has smaller units`)
  return places === 0 ? whole : `${whole}.${fraction.slice(0, places).padEnd(places, '0')}`
}

/** Converts a provider's amount in major units to minor units; null when it is not a valid amount. */
export function minorFromMajor(major: unknown, currency: Currency): bigint | null {
  if (typeof major !== 'number' && typeof major !== 'string') return null
  // A number this large has lost precision or has an exponent.
  if (typeof major === 'number' && Math.abs(major) >= 1e13) return null
  return fromMajor(major, currency)?.minor ?? null
}

/** Parses an integer amount in minor units; null when it is not one. */
export function parseMinor(minor: unknown): bigint | null {
  if (typeof minor === 'number' && Number.isSafeInteger(minor) && minor >= 0) return BigInt(minor)
  if (typeof minor === 'string' && /^\d{1,18}$/.test(minor)) return BigInt(minor)
  return null
}
