import { expect, test } from 'vitest'
import { PATTERNS, readingMs } from './markdown.fixture.ts'

test.each(PATTERNS)('200 kB of %j are read in a blink', (pattern) => {
  expect(readingMs(pattern)).toBeLessThan(4_000)
})
