import { expect, test } from 'vitest'
import { splitCodes } from './codes-in-text.ts'

const codesIn = (text: string): string[] =>
  splitCodes(text).flatMap((part) => (part.isCode ? [part.text] : []))

test('codes to dial, phone numbers and dates in a text from right to left are found', () => {
  expect(codesIn('اتصل *737*1# أو **21# أو +234 803 555 0100 قبل 2026-11-19')).toEqual([
    '*737*1#',
    '**21#',
    '+234 803 555 0100',
    '2026-11-19',
  ])
})

test('a long line of signs is read in one pass', () => {
  const before = process.cpuUsage()
  expect(codesIn(`مرحبا ${'*#'.repeat(60_000)}`)).toEqual([])
  // Milliseconds, but many seconds if each sign starts a new search.
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
})
