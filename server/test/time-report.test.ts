import { expect, test } from 'vitest'
import { formatTimes } from './time-report.ts'

test('the report shows the time per project and the slowest files', () => {
  const lines = formatTimes([
    { file: 'a.test.ts', band: 'alone', tests: 2, ms: 1_500 },
    { file: 'b.test.ts', band: 'together', tests: 3, ms: 200 },
    { file: 'c.test.ts', band: 'together', tests: 1, ms: 12_340 },
  ]).split('\n')
  expect(lines).toEqual([
    'Time of all workers, by project:',
    '    1.5 s  alone (1 files, 2 tests)',
    '   12.5 s  together (2 files, 4 tests)',
    'Slowest files:',
    '   12.3 s  c.test.ts (together, 1 tests)',
    '    1.5 s  a.test.ts (alone, 2 tests)',
    '    0.2 s  b.test.ts (together, 3 tests)',
  ])
})
