// Exact decimal numbers as texts, for amounts finer than a minor unit.

/** Prices have 6 decimals and rate cards at most 12. */
const DIGITS = 24
const SCALE = 10n ** BigInt(DIGITS)

/** An exact quotient: a decimal number if it is finite, otherwise a fraction. */
export function quotient(numerator: bigint, denominator: bigint): string {
  const scaled = numerator * SCALE
  return scaled % denominator === 0n ? fromScaled(scaled / denominator) : `${numerator}/${denominator}`
}

/** A decimal number of at most 24 decimals as a whole number of its last place, for exact arithmetic. */
export function toScaled(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole) * SCALE + BigInt(fraction.padEnd(DIGITS, '0'))
}

/** Of a number that is not negative. */
export function fromScaled(scaled: bigint): string {
  const digits = scaled.toString().padStart(DIGITS + 1, '0')
  const fraction = digits.slice(-DIGITS).replace(/0+$/, '')
  return `${digits.slice(0, -DIGITS)}${fraction && `.${fraction}`}`
}

export const ceilScaled = (scaled: bigint): bigint => (scaled <= 0n ? 0n : (scaled + SCALE - 1n) / SCALE)
export const wholeScaled = (whole: bigint): bigint => whole * SCALE
