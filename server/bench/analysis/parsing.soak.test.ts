import { expect, test } from 'vitest'
import { PEAK_BYTES_MAX, parseIn } from './parsing.ts'

test('parsing large TypeScript files raises the peak memory by less than 150 MB', async () => {
  const { megabyteMicros, peakGrowthBytes } = await parseIn({ quick: true })
  expect(megabyteMicros, 'files were parsed').toBeGreaterThan(0)
  expect(peakGrowthBytes).toBeLessThan(PEAK_BYTES_MAX)
}, 300_000)
