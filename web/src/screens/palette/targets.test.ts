import { expect, test } from 'vitest'
import { find, targetsFor } from './targets.ts'

const names = (asked: string, isStaff = false) => find(targetsFor(isStaff), asked).map(({ name }) => name)

test('matches at the start of the name come first, then starts of words, then any part', () => {
  expect(names('wa')).toEqual(['Wallet'])
  expect(names('in')[0]).toBe('Invoices')
  expect(names('in')).toContain('Code index')
  expect(names('zzz')).toEqual([])
})

test('an empty search lists every screen, staff screens only for staff', () => {
  expect(names('')).toContain('Home')
  expect(names('')).not.toContain('Posture')
  expect(names('', true)).toContain('Posture')
})

test('accents and capitals do not matter', () => {
  const place = { path: '/app/x', name: 'Équipe', group: '' }
  expect(find([place], 'equ')).toEqual([place])
})
