import { expect, test } from 'vitest'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'

test('there are ten codes of 80 bits, all different', () => {
  const codes = [newRecoveryCodes(), newRecoveryCodes(), newRecoveryCodes()].flat()
  expect(new Set(codes).size).toBe(30)
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
})

test('every character is about as likely as any other', () => {
  const counts = new Map<string, number>()
  for (let round = 0; round < 200; round++)
    for (const character of newRecoveryCodes().join('').replaceAll('-', ''))
      counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(32)
  // A thousand of each are expected; this is eight standard deviations.
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(250)
})

test.for([
  'ab1d-ef0h-jkmn-pqrs',
  'AB1D-EF0H-JKMN-PQRS',
  'ab1def0hjkmnpqrs',
  ' ABLD efoh jkmn-pqrs ',
  'abid-efOh-jkmnpqrs',
])('%j is the same code', (typed) => {
  expect(recoveryCodeHash('usr_1', typed)).toEqual(recoveryCodeHash('usr_1', 'ab1d-ef0h-jkmn-pqrs'))
})

test.for([
  '',
  '123456',
  'ab1d-ef0h-jkmn-pqr',
  'ab1d-ef0h-jkmn-pqrst',
  'ab1d-ef0h-jkmn-pqr!',
  'ab1d_ef0h_jkmn_pqrs',
])('%j cannot be a code', (typed) => {
  expect(recoveryCodeHash('usr_1', typed)).toBeNull()
})

test('the same code of another account has another hash', () => {
  const code = 'ab1d-ef0h-jkmn-pqrs'
  expect(recoveryCodeHash('usr_1', code)).not.toEqual(recoveryCodeHash('usr_2', code))
})
