// The account number that a payer types at the M-Pesa paybill: `CW`, six random characters and a check character.
import { randomInt } from 'node:crypto'

// Crockford's base 32: without I, L, O and U.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const PREFIX = 'CW'
const RANDOM_CHARACTERS = 6

export function newAccountCode(): string {
  const values = Array.from({ length: RANDOM_CHARACTERS }, () => randomInt(ALPHABET.length))
  return PREFIX + [...values, checkOf(values)].map((value) => ALPHABET.charAt(value)).join('')
}

/** The code in the words of a payer: any case, with spaces and hyphens, O for 0, and I or L for 1. Null when it is not one. */
export function parseAccountCode(text: string): string | null {
  const code = text
    .toUpperCase()
    .replace(/[\s.-]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  if (code.length !== PREFIX.length + RANDOM_CHARACTERS + 1 || !code.startsWith(PREFIX)) return null
  const values = [...code.slice(PREFIX.length)].map((character) => ALPHABET.indexOf(character))
  if (values.includes(-1)) return null
  return checkOf(values.slice(0, -1)) === values.at(-1) ? code : null
}

/**
 * A weighted sum in the field with 32 elements. The weights are different powers of 2, so that any single wrong character and
 * any two exchanged characters change it.
 */
function checkOf(values: readonly number[]): number {
  let weight = 1
  return values.reduce((sum, value) => {
    weight = multiply(weight, 2)
    return sum ^ multiply(weight, value)
  }, 0)
}

/** Multiplies polynomials over GF(2), modulo x^5 + x^2 + 1. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let [left, right] = [a, b]; right > 0; right >>= 1) {
    if (right & 1) product ^= left
    left = left & 0b10000 ? (left << 1) ^ 0b100101 : left << 1
  }
  return product
}
