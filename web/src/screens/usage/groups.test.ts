import { expect, test } from 'vitest'
import { grouped, isIn } from './groups.ts'

const point = (at: string, source: string, model: string, costMinor: bigint) => ({
  at,
  source,
  model,
  lane: 'open',
  tokens: 10,
  costMinor,
  exactCost: null,
})
const spent = (costMinor: bigint) => ({ costMinor, tokens: 10 })
const usage = {
  from: '2026-11-13T10:00:00.000Z',
  to: '2026-11-15T10:00:00.000Z',
  points: [
    point('2026-11-15T09:00:00.000Z', 'chat', 'm-2', 5n),
    point('2026-11-13T12:00:00.000Z', 'agent', 'm-1', 30n),
    point('2026-11-13T11:00:00.000Z', 'chat', 'm-1', 1n),
  ],
  totals: {
    ...spent(36n),
    byLane: { open: spent(36n) },
    bySource: { chat: spent(6n), agent: spent(30n) },
    byDay: [
      { day: '2026-11-13', ...spent(31n) },
      { day: '2026-11-15', ...spent(5n) },
    ],
  },
}

test('days are split by purpose, and days without usage are included', () => {
  expect(grouped(usage, 'day')).toEqual({
    series: ['agent', 'chat'],
    bars: [
      { id: '2026-11-13', name: '2026-11-13', values: [30n, 1n] },
      { id: '2026-11-14', name: '2026-11-14', values: [0n, 0n] },
      { id: '2026-11-15', name: '2026-11-15', values: [0n, 5n] },
    ],
  })
})

test('if the list is truncated, days are the exact sums of the service', () => {
  const points = Array.from({ length: 1_000 }, () => point('2026-11-15T09:00:00.000Z', 'chat', 'm-2', 1n))
  const { series, bars } = grouped({ ...usage, points }, 'day')
  expect(series).toEqual([])
  expect(bars.map(({ values }) => values)).toEqual([[31n], [0n], [5n]])
})

test.for([
  ['source', ['agent', 'chat']],
  ['lane', ['open']],
  ['model', ['m-1', 'm-2']],
] as const)('what cost most comes first by %s', ([by, names]) => {
  expect(grouped(usage, by).bars.map(({ name }) => name)).toEqual(names)
})

test('a bar contains only its points', () => {
  expect(usage.points.filter((each) => isIn(each, 'day', '2026-11-13'))).toHaveLength(2)
  expect(usage.points.filter((each) => isIn(each, 'model', 'm-2'))).toHaveLength(1)
})
