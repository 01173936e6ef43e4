// A line of a PDF is read in the order of its language, however its pieces are stored.
import { expect, test } from 'vitest'
import { joinLine } from './pdf-lines.ts'

/** Pieces of five units a character with a space of four units between them, from left to right on the page. */
function onPage(...pieces: string[]) {
  let x = 50
  return pieces.map((str) => {
    const item = { str, transform: [1, 0, 0, 1, x, 700], width: str.length * 5, height: 10, hasEOL: false }
    x += item.width + 4
    return item
  })
}

test('pieces from left to right are joined as they are stored', () => {
  expect(joinLine([...onPage('The rate', ' ', 'is 7')].reverse())).toBe('is 7 The rate')
})

test('an Arabic line is read from the right, whatever the stored order', () => {
  const pieces = onPage('الآن', 'Visa', '4081', 'دفع')
  for (const items of [pieces, pieces.toReversed()]) expect(joinLine(items)).toBe('دفع Visa 4081 الآن')
})

test('an English line with an Arabic name is read from the left', () => {
  expect(joinLine(onPage('the company', 'للدفع', 'النيل', 'grew by 7'))).toBe(
    'the company النيل للدفع grew by 7',
  )
})

test('brackets alone are mirrored, and the end of a sentence is after its last word', () => {
  expect(joinLine(onPage('.https://nile.example', '(', 'النيل', ')', 'شركة'))).toBe(
    'شركة ( النيل ) https://nile.example.',
  )
})

test('a date whose digits and signs are drawn apart keeps its order', () => {
  expect(joinLine(onPage('٢٠٢٦', '/', '١١', '/', '١٥', 'عام'))).toBe('عام ٢٠٢٦ / ١١ / ١٥')
})

test('ligatures become their letters', () => {
  expect(joinLine(onPage('\ufef9جمالي'))).toBe('الإجمالي'.slice(1))
})

test('a long piece of punctuation before a line feed is read in one pass', () => {
  const before = process.cpuUsage()
  expect(joinLine(onPage(`${'!'.repeat(120_000)}7\n`, 'النيل'))).toContain('النيل')
  // Milliseconds, but seconds if each sign starts a new search.
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
})
