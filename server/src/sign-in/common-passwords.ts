// Passwords that everybody tries first.
import { readFileSync } from 'node:fs'

const PRODUCT = 'cowrie'

/**
 * Whether a password is among the first guesses: one of those that leaks are full of, one character over and over, the
 * product's name, or the person's own address or its first part; also with digits and signs around it.
 */
export function isCommon(password: string, email: string): boolean {
  const plain = password.toLowerCase()
  const core = coreOf(plain)
  const address = email.toLowerCase()
  const local = address.slice(0, Math.max(0, address.lastIndexOf('@')))
  const own = [PRODUCT, PRODUCT + PRODUCT, address, local].filter(Boolean)
  return (
    LIST.has(plain) ||
    /^(.)\1*$/su.test(plain) ||
    own.some((word) => plain === word || (core !== '' && core === coreOf(word)))
  )
}

/** Without the digits and signs at both ends. */
const coreOf = (text: string): string => text.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '')

// Above the empty line the file says where it comes from.
const LIST: ReadonlySet<string> = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n\n')[1]
    ?.split('\n'),
)
