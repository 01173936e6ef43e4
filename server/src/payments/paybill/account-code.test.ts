import { describe, expect, test } from 'vitest'
import { newAccountCode, parseAccountCode } from './account-code.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codes = Array.from({ length: 20 }, newAccountCode)

describe('an account number', () => {
  test('has nine characters that are easy to type', () => {
    for (const code of codes) expect(code).toMatch(/^CW[0-9A-HJKMNP-TV-Z]{7}$/)
  })

  test('is found in lower case, with spaces and hyphens, and with letters for digits', () => {
    for (const code of codes) {
      const typed = ` ${code.slice(0, 2)}-${code.slice(2, 5)} ${code.slice(5)} `.toLowerCase()
      expect(parseAccountCode(typed.replaceAll('0', 'o').replace('1', 'i').replaceAll('1', 'l'))).toBe(code)
    }
  })

  test('is not found with one wrong character', () => {
    for (const code of codes)
      for (let at = 2; at < code.length; at++)
        for (const other of ALPHABET)
          if (other !== code[at])
            expect(parseAccountCode(code.slice(0, at) + other + code.slice(at + 1))).toBeNull()
  })

  test('is not found with two exchanged characters', () => {
    for (const code of codes)
      for (let a = 2; a < code.length; a++)
        for (let b = a + 1; b < code.length; b++) {
          if (code[a] === code[b]) continue
          const letters = [...code]
          letters[a] = code.charAt(b)
          letters[b] = code.charAt(a)
          expect(parseAccountCode(letters.join(''))).toBeNull()
        }
  })

  test.for(['', 'CW', 'XW000000', '0712345678', 'CW0000000000', 'CWÄ000000', 'tp0123456789'])(
    'is not %j',
    (text) => {
      expect(parseAccountCode(text)).toBeNull()
    },
  )
})
