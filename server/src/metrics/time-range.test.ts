import { describe, expect, test } from 'vitest'
import { daysBefore, INTERVALS, intervalStart, listIntervals, POINTS_MAX } from './time-range.ts'

const at = (text: string) => new Date(`${text}Z`)
const texts = (dates: readonly Date[]) => dates.map((date) => date.toISOString().slice(0, 16))

describe('an interval', () => {
  test.for([
    { interval: 'hour', start: '2027-01-01T13:00' },
    { interval: 'day', start: '2027-01-01T00:00' },
    // A Friday whose week began in the previous year.
    { interval: 'week', start: '2026-12-28T00:00' },
    { interval: 'month', start: '2027-01-01T00:00' },
  ] as const)('of one $interval starts at $start in UTC', ({ interval, start }) => {
    const begun = intervalStart(interval, at('2027-01-01T13:59:59.999'))
    expect(begun).toEqual(at(`${start}:00`))
    expect(intervalStart(interval, begun)).toEqual(begun)
  })

  test('of a week lasts from Monday to Sunday', () => {
    expect(intervalStart('week', at('2026-11-15T23:59:59.999'))).toEqual(at('2026-11-09T00:00:00'))
    expect(intervalStart('week', at('2026-11-16T00:00:00'))).toEqual(at('2026-11-16T00:00:00'))
  })

  test('in the first years of the calendar stays in its century', () => {
    expect(intervalStart('month', at('0045-03-17T10:00:00'))).toEqual(at('0045-03-01T00:00:00'))
  })
})

describe('the intervals of a range', () => {
  test('are all that overlap it; the end is exclusive', () => {
    const months = listIntervals({ from: at('2026-11-30T23:59:00'), to: at('2027-03-01T00:00:00') }, 'month')
    expect(texts(months)).toEqual([
      ...['2026-11-01T00:00', '2026-12-01T00:00', '2027-01-01T00:00', '2027-02-01T00:00'],
    ])
  })

  test.for(INTERVALS)('follow each other without gap or overlap (%s)', (interval) => {
    const span = daysBefore(at('2028-03-02T10:30:00'), interval === 'hour' ? 16 : 390)
    const starts = listIntervals(span, interval)
    for (const [i, start] of starts.entries()) {
      expect(intervalStart(interval, start)).toEqual(start)
      const next = starts[i + 1] ?? span.to
      expect(intervalStart(interval, new Date(next.getTime() - 1))).toEqual(start)
    }
  })

  test('of length zero are the containing one, or none at an interval start', () => {
    const of = (text: string) => listIntervals({ from: at(text), to: at(text) }, 'day')
    expect(texts(of('2026-11-15T09:00:00'))).toEqual(['2026-11-15T00:00'])
    expect(of('2026-11-15T00:00:00')).toEqual([])
  })

  test('are limited, and one more is refused with the limit', () => {
    const to = at('2026-11-15T00:00:00')
    expect(listIntervals(daysBefore(to, POINTS_MAX), 'day')).toHaveLength(POINTS_MAX)
    expect(() => listIntervals(daysBefore(to, POINTS_MAX + 1), 'day')).toThrow(
      expect.objectContaining({
        code: 'invalid_fields',
        detail: { fields: [expect.objectContaining({ message: expect.stringContaining('400 points') })] },
      }),
    )
  })
})
