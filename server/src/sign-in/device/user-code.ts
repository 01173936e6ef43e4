// The code that a person compares or types: eight consonants, so that no word comes out and none looks like a digit.
import { randomInt } from 'node:crypto'

const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** Nearly 35 random bits. */
export function newUserCode(): string {
  let code = ''
  for (let i = 0; i < LENGTH; i++) code += ALPHABET[randomInt(ALPHABET.length)]
  return code
}

/** As it is shown: `BCDF-GHJK`. */
export const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** As it is kept, however it was typed. What cannot be a code stays one that nobody has. */
export const normaliseUserCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
