// Passwords that everybody tries first.
import { readFileSync } from 'node:fs'
import { GUESSABLE_WORDS, isWalk } from './guessable-words.ts'

const PRODUCT = 'cowrie'

/**
 * Whether a password is among the first guesses: one of those that leaks are full of, a few characters over and over, a walk
 * along the keyboard or the alphabet, the product's name, a country or city, or the person's own address or a part of it; also
 * as people dress them up, as in `P@ssw0rd2026!` and `Lagos2026`. It has to be all of the password: a sentence may have common
 * words in it.
 */
export function isCommon(password: string, email: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  const own = [PRODUCT, ...partsOf(email.toLowerCase())]
  const words = [plain, withoutStart(plain), lettersOf(plain)].map(reduceToLetters).filter(Boolean)
  return (
    COMMON.has(plain) ||
    COMMON.has(plain.replace(/[^\p{L}\p{N}]+$/u, '')) ||
    own.includes(plain) ||
    /^(.)\1*$/su.test(plain) ||
    /^([\p{L}\p{N}]{2,4})\1{2,9}$/u.test(plain) ||
    isWalk(plain.replace(/[^\p{L}\p{N}]+$/u, '')) ||
    words.some((word) => isGuessable(word, own.map(withoutStart).map(reduceToLetters)))
  )
}

/** The words themselves, or two of them one after the other. */
function isGuessable(word: string, own: readonly string[]): boolean {
  const isKnown = (each: string) => WORDS.has(each) || PLACES.has(each) || own.includes(each)
  if (isKnown(word)) return true
  const isShort = (each: string) => PLACES.has(each) || own.includes(each)
  for (let at = WORD_LENGTH_MIN; at <= word.length - WORD_LENGTH_MIN; at++)
    if (isShort(word.slice(0, at)) && isShort(word.slice(at))) return true
  return false
}

/** An address, the part before its @, and the words in both. */
function partsOf(address: string): string[] {
  const local = address.slice(0, Math.max(0, address.lastIndexOf('@')))
  const parts = address.split(/[^\p{L}\p{N}]+/u).filter(({ length }) => length >= WORD_LENGTH_MIN)
  return [address, local, ...parts]
}

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}@$!|+]/gu, '')

/**
 * What is left of a password without the digits and signs at its end, and with letters for the digits and signs that
 * stand for them. 1 may be an i or an l, so both are an i here: this form is only ever compared with itself.
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

// Above the empty line the file says where it comes from.
const COMMON: ReadonlySet<string> = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n\n')[1]
    ?.split('\n')
    .filter(Boolean),
)

// With fewer letters it is what was taken away that makes the password.
const WORD_LENGTH_MIN = 4
const PLACES: ReadonlySet<string> = new Set(GUESSABLE_WORDS.map(reduceToLetters))
const WORDS: ReadonlySet<string> = new Set(
  [...COMMON].map(reduceToLetters).filter(({ length }) => length >= WORD_LENGTH_MIN),
)
