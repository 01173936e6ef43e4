import { expect, test } from 'vitest'
import { runsOf } from './text-runs.ts'

const drawn = (text: string, direction: 'ltr' | 'rtl' | 'auto') =>
  runsOf(text, direction).map(({ text: part, isArabic }) => (isArabic ? `<${part}>` : part))

test('a Latin text is one run in both directions', () => {
  for (const direction of ['ltr', 'rtl', 'auto'] as const)
    expect(drawn('Ada Café', direction)).toEqual(['Ada Café'])
})

test('an Arabic text keeps its letters in order for the font, and numbers stand to the left of it', () => {
  expect(drawn('إيصال', 'rtl')).toEqual(['<إيصال>'])
  expect(drawn('الإجمالي 2,000', 'rtl')).toEqual(['2,000', '<الإجمالي >'])
})

test('brackets between Arabic words are mirrored', () => {
  expect(drawn('شركة (النيل)', 'rtl')).toEqual(['(', '<النيل>', ')', '<شركة >'])
})

test('a Latin name in an Arabic sentence is read from left to right', () => {
  expect(drawn('دفع Visa 4081 الآن', 'rtl')).toEqual(['<الآن>', ' ', 'Visa 4081', '<دفع >'])
})

test('the first letter decides the direction of a text of a user', () => {
  expect(drawn('12 Marina Road', 'auto')).toEqual(['12 Marina Road'])
  expect(drawn('12 Marina Road', 'rtl')).not.toEqual(['12 Marina Road'])
})

test('Arabic digits are read from left to right; the font reverses them back', () => {
  expect(drawn('عام ٢٠٢٦', 'rtl')).toEqual(['<٦٢٠٢>', '<عام >'])
})

test.for(['*170#', '+20 100 123 4567', '15/11/2026', '2026-11-19'])(
  'the code %s in an Arabic sentence is read from left to right',
  (code) => {
    expect(drawn(`اتصل ${code} الآن`, 'rtl').join('')).toBe(`<الآن> ${code}<اتصل >`)
  },
)

test('a long text of mixed directions is ordered without deep recursion', () => {
  const runs = runsOf('a\u0627 1 '.repeat(40_000), 'auto')
  expect(runs.map(({ text }) => text).join('')).toHaveLength(200_000)
  expect(runs.at(0)?.text).toBe('a')
})
