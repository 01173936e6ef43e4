import { PATTERNS, readingMs } from '@cowrie/testkit/web/markdown.ts'
import { expect, test } from 'vitest'

test.each(PATTERNS)('200 kB of %j are read in a blink', (pattern) => {
  expect(readingMs(pattern)).toBeLessThan(4_000)
})
