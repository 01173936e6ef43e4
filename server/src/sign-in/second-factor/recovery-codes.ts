// Recovery codes: for the day the phone is gone. Ten of 80 random bits each, shown once and kept as hashes.
import { hash, randomBytes } from 'node:crypto'
import type { UserId } from '../../kernel/ids.ts'

export const RECOVERY_CODES = 10

// Crockford's base 32: no letter that could be taken for a digit.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CHARACTERS = 16
const FORM = /^[0-9a-hjkmnp-tv-z]{16}$/

/** New codes, in groups of four that can be read out and typed. */
export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newCode)

/** What a typed code is compared by; null when it cannot be one. Case, dashes and spaces do not matter. */
export function recoveryCodeHash(userId: UserId, typed: string): Buffer | null {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
  // The account is part of it, so that equal guesses have to be made for each account anew.
  return FORM.test(code) ? hash('sha256', `recovery code ${userId} ${code}`, 'buffer') : null
}

function newCode(): string {
  const characters = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length])
  return characters.join('').replaceAll(/(.{4})(?=.)/g, '$1-')
}
