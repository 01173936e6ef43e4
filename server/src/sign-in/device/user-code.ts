// User codes of device logins: eight consonants, so that they form no words and no letter looks like a digit.
import { randomInt } from 'node:crypto'

const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** Nearly 35 random bits. */
export function newUserCode(): string {
  let code = ''
  for (let i = 0; i < LENGTH; i++) code += ALPHABET[randomInt(ALPHABET.length)]
  return code
}

/** The display form: `BCDF-GHJK`. */
export const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** The stored form of a typed code. Invalid input stays invalid and matches no code. */
export const normaliseUserCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
