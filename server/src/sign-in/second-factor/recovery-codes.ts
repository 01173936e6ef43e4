// Recovery codes for a lost phone: ten of 80 random bits each, shown once and stored as hashes.
import { hash, randomBytes } from 'node:crypto'
import type { UserId } from '../../kernel/ids.ts'

export const RECOVERY_CODES = 10

// Crockford's base 32 has no letters that look like digits.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CHARACTERS = 16
const FORM = /^[0-9a-hjkmnp-tv-z]{16}$/

/** New codes in groups of four characters. */
export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newCode)

/** The hash of a typed code; null when it is not a code. Case, dashes and spaces are ignored. */
export function recoveryCodeHash(userId: UserId, typed: string): Buffer | null {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
  // The hash includes the account, so that one guess cannot be tested against all accounts.
  return FORM.test(code) ? hash('sha256', `recovery code ${userId} ${code}`, 'buffer') : null
}

function newCode(): string {
  const characters = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length])
  return characters.join('').replaceAll(/(.{4})(?=.)/g, '$1-')
}
