import { expect, test } from 'vitest'
import { formatDuration } from './format.ts'

test.for([
  [1, '1 second'],
  [59.2, '60 seconds'],
  [90, '90 seconds'],
  [100, '2 minutes'],
  [900, '15 minutes'],
] as const)('%f seconds are said as %s', ([seconds, words]) => {
  expect(formatDuration(seconds, 'en')).toBe(words)
})
