// Detects passwords that attackers try first.
import { readFileSync } from 'node:fs'
import { GUESSABLE_WORDS, isWalk } from './guessable-words.ts'

const PRODUCT = 'cowrie'

/**
 * Whether a password is easy to guess: a leaked one, repeated characters, a keyboard walk, the product name,
 * a place, or a part of the user's address. Variants such as `P@ssw0rd2026!` and `Lagos2026` count too. The
 * whole password must match: a sentence may contain common words.
 */
export function isCommon(password: string, email: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  const personal = [PRODUCT, ...partsOf(email.toLowerCase())]
  const words = [plain, withoutStart(plain), lettersOf(plain)].map(reduceToLetters).filter(Boolean)
  return (
    COMMON.has(plain) ||
    COMMON.has(plain.replace(/[^\p{L}\p{N}]+$/u, '')) ||
    personal.includes(plain) ||
    /^(.)\1*$/su.test(plain) ||
    /^([\p{L}\p{N}]{2,4})\1{2,9}$/u.test(plain) ||
    isWalk(plain.replace(/[^\p{L}\p{N}]+$/u, '')) ||
    words.some((word) => isGuessable(word, personal.map(withoutStart).map(reduceToLetters)))
  )
}

/** Matches one known word, or two in a row. */
function isGuessable(word: string, personal: readonly string[]): boolean {
  const isKnown = (each: string) => WORDS.has(each) || PLACES.has(each) || personal.includes(each)
  if (isKnown(word)) return true
  const isShort = (each: string) => PLACES.has(each) || personal.includes(each)
  for (let at = WORD_LENGTH_MIN; at <= word.length - WORD_LENGTH_MIN; at++)
    if (isShort(word.slice(0, at)) && isShort(word.slice(at))) return true
  return false
}

/** The address, its local part, and the words in both. */
function partsOf(address: string): string[] {
  const local = address.slice(0, Math.max(0, address.lastIndexOf('@')))
  const parts = address.split(/[^\p{L}\p{N}]+/u).filter(({ length }) => length >= WORD_LENGTH_MIN)
  return [address, local, ...parts]
}

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}@$!|+]/gu, '')

/**
 * Removes trailing digits and signs, and replaces leetspeak by letters. Both i and l become i, because 1 can
 * mean either; the result is only compared with other reduced words.
 */
const reduceToLetters = (text: string): string =>
  text.replace(/[^\p{L}]+$/u, '').replaceAll(/[@431!|l05$7+8]/g, (sign) => LETTERS[sign] ?? sign)

const withoutStart = (text: string): string => text.replace(/^[^\p{L}]+/u, '')

const LETTERS: Readonly<Record<string, string>> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  '!': 'i',
  '|': 'i',
  l: 'i',
  0: 'o',
  5: 's',
  $: 's',
  7: 't',
  '+': 't',
  8: 'b',
}

// The part above the empty line describes the source of the list.
const COMMON: ReadonlySet<string> = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n\n')[1]
    ?.split('\n')
    .filter(Boolean),
)

// In shorter words, the removed characters make up most of the password.
const WORD_LENGTH_MIN = 4
const PLACES: ReadonlySet<string> = new Set(GUESSABLE_WORDS.map(reduceToLetters))
const WORDS: ReadonlySet<string> = new Set(
  [...COMMON].map(reduceToLetters).filter(({ length }) => length >= WORD_LENGTH_MIN),
)
