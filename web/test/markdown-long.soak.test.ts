import { PATTERNS, readingCost } from '@cowrie/testkit/web/markdown.ts'
import { expect, test } from 'vitest'

test.each(PATTERNS)('200 kB of %j are parsed quickly', (pattern) => {
  expect(readingCost(pattern)).toBeLessThan(4_000)
})
