// Passwords that everybody tries first.
import { readFileSync } from 'node:fs'

const PRODUCT = 'cowrie'

/**
 * Whether a password is among the first guesses: one of those that leaks are full of, one character over and over, the
 * product's name, or the person's own address or its first part; also as people dress them up, as in `P@ssw0rd2026!`.
 * It has to be all of the password: a sentence may have common words in it.
 */
export function isCommon(password: string, email: string): boolean {
  const plain = password.toLowerCase()
  const address = email.toLowerCase()
  const local = address.slice(0, Math.max(0, address.lastIndexOf('@')))
  const own = [PRODUCT, PRODUCT + PRODUCT, address, local]
  const words = [reduced(plain), reduced(withoutStart(plain))].filter(Boolean)
  return (
    LIST.has(plain) ||
    LIST.has(plain.replace(/[^\p{L}\p{N}]+$/u, '')) ||
    own.includes(plain) ||
    /^(.)\1*$/su.test(plain) ||
    words.some((word) => WORDS.has(word) || own.some((each) => word === reduced(withoutStart(each))))
  )
}

/**
 * What is left of a password without the digits and signs at its end, and with letters for the digits and signs that
 * stand for them. 1 may be an i or an l, so both are an i here: this form is only ever compared with itself.
 */
const reduced = (text: string): string =>
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
const LIST: ReadonlySet<string> = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n\n')[1]
    ?.split('\n')
    .filter(Boolean),
)

// With fewer letters it is what was taken away that makes the password.
const WORD_LENGTH_MIN = 4
const WORDS: ReadonlySet<string> = new Set(
  [...LIST].map(reduced).filter(({ length }) => length >= WORD_LENGTH_MIN),
)
