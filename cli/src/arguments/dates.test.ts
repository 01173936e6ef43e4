import { expect, test } from 'vitest'
import { parseDate } from './dates.ts'

const now = new Date('2026-11-15T09:00:00.000Z')

test.for([
  ['7d', '2026-11-08T09:00:00.000Z'],
  ['24h', '2026-11-14T09:00:00.000Z'],
  ['2w', '2026-11-01T09:00:00.000Z'],
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01T09:30:00Z', '2026-11-01T09:30:00.000Z'],
  ['2026-11-01T09:30:00+01:00', '2026-11-01T08:30:00.000Z'],
] as const)('%s is %s', ([text, instant]) => {
  expect(parseDate(text, now, '--since')).toBe(instant)
})

test.for([
  '',
  '7',
  '7 d',
  '-7d',
  'yesterday',
  '2026-02-30',
  '2026-13-01',
  '2026-11-01T25:00:00Z',
  '01/11/2026',
])('"%s" is not a valid time', (text) => {
  expect(() => parseDate(text, now, '--since')).toThrow('--since must be a day such as 2026-11-01')
})
