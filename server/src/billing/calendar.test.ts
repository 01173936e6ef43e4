import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addMonths,
  firstPeriod,
  monthAt,
  monthsSince,
  nextPeriod,
  remainingSeconds,
  wholeSecond,
} from './calendar.ts'

const DAY_MS = 86_400_000
const at = (text: string) => new Date(text.length === 10 ? `${text}T09:30:15.000Z` : text)
const dayOf = (instant: Date) => instant.toISOString().slice(0, 10)

const instant = fc
  .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2060-01-01T00:00:00Z'), noInvalidDate: true })
  .map(wholeSecond)
const months = fc.integer({ min: 0, max: 400 })
const interval = fc.constantFrom('month' as const, 'year' as const)

describe('months from an anchor', () => {
  test.for<[string, number, string]>([
    ['2026-01-31', 1, '2026-02-28'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2026-01-31', 3, '2026-04-30'],
    ['2027-12-31', 2, '2028-02-29'],
    ['2028-02-29', 1, '2028-03-29'],
    ['2028-02-29', 12, '2029-02-28'],
    ['2028-02-29', 24, '2030-02-28'],
    ['2028-02-29', 48, '2032-02-29'],
    ['2026-11-30', 3, '2027-02-28'],
    ['2026-10-31', 13, '2027-11-30'],
    ['2096-02-29', 48, '2100-02-28'],
  ])('%s plus %i is %s', ([anchor, count, expected]) => {
    expect(dayOf(addMonths(at(anchor), count))).toBe(expected)
  })

  test('fourteen months from 31 January end on the expected days', () => {
    const ends = Array.from({ length: 14 }, (_, i) => dayOf(addMonths(at('2027-01-31'), i + 1)).slice(2))
    expect(ends).toEqual([
      ...['27-02-28', '27-03-31', '27-04-30', '27-05-31', '27-06-30', '27-07-31', '27-08-31', '27-09-30'],
      ...['27-10-31', '27-11-30', '27-12-31', '28-01-31', '28-02-29', '28-03-31'],
    ])
  })

  test('keep the time of day and advance one calendar month at a time', () => {
    fc.assert(
      fc.property(instant, months, (anchor, count) => {
        const [one, next] = [addMonths(anchor, count), addMonths(anchor, count + 1)]
        expect(one.toISOString().slice(11)).toBe(anchor.toISOString().slice(11))
        const index = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
        expect(index(next) - index(one)).toBe(1)
        expect(one.getUTCDate()).toBeLessThanOrEqual(anchor.getUTCDate())
        expect(next > one).toBe(true)
      }),
    )
  })

  test('are counted back to the same number', () => {
    fc.assert(
      fc.property(instant, months, (anchor, count) => {
        const end = addMonths(anchor, count)
        expect(monthsSince(anchor, end)).toBe(count)
        expect(monthsSince(anchor, new Date(end.getTime() - 1))).toBe(Math.max(0, count - 1))
      }),
    )
  })

  test('must be whole numbers', () => {
    expect(() => addMonths(at('2026-01-31'), 1.5)).toThrow('months are whole')
  })
})

test('every instant after the anchor is in exactly one allowance month', () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: 0, max: 2000 * DAY_MS }), (anchor, laterMs) => {
      const now = new Date(anchor.getTime() + laterMs)
      const { start, end } = monthAt(anchor, now)
      expect(start <= now && now < end).toBe(true)
      expect(monthAt(anchor, end).start).toEqual(end)
    }),
  )
})

describe('the period to renew into', () => {
  test('starts where the last one ended, also if the renewal is three days late', () => {
    const { end } = firstPeriod(at('2027-01-31'), 'month')
    const next = nextPeriod(at('2027-01-31'), 'month', end, new Date(end.getTime() + 3 * DAY_MS))
    expect([dayOf(next.start), dayOf(next.end)]).toEqual(['2027-02-28', '2027-03-31'])
    expect(next.anchor).toEqual(at('2027-01-31'))
  })

  test.for<['month' | 'year', string, string]>([
    ['month', '2027-03-04', '2027-04-04'],
    ['month', '2027-05-31', '2027-06-30'],
    ['year', '2028-06-01', '2029-06-01'],
  ])('of a %s that is renewed later than that starts at the renewal: on %s', ([each, now, end]) => {
    const ended = firstPeriod(at('2027-01-31'), each).end
    const next = nextPeriod(at('2027-01-31'), each, ended, new Date(at(now).getTime() + 999))
    expect(next).toMatchObject({ anchor: at(now), start: at(now) })
    expect(dayOf(next.end)).toBe(end)
  })

  test('never ends before it starts, and never overlaps', () => {
    fc.assert(
      fc.property(
        instant,
        interval,
        interval,
        months,
        fc.integer({ min: 0, max: 3000 }),
        (anchor, was, each, count, days) => {
          const ended = addMonths(anchor, (count + 1) * (was === 'year' ? 12 : 1))
          const now = new Date(ended.getTime() + days * DAY_MS)
          const { anchor: from, start, end } = nextPeriod(anchor, each, ended, now)
          expect(start >= ended && start <= now && now < end).toBe(true)
          expect(now.getTime() - start.getTime()).toBeLessThanOrEqual(3 * DAY_MS)
          const months = monthsSince(from, start)
          expect(start).toEqual(addMonths(from, months))
          expect(end).toEqual(addMonths(from, months + (each === 'year' ? 12 : 1)))
        },
      ),
    )
  })

  test('stays the same if the clock is set back', () => {
    const anchor = at('2027-01-31')
    const ended = addMonths(anchor, 1)
    expect(nextPeriod(anchor, 'month', ended, at('2027-02-27')).start).toEqual(ended)
  })
})

describe('the remaining part of a period', () => {
  test('is the whole period at its start and before, and zero at its end and after', () => {
    const period = firstPeriod(at('2026-11-15'), 'month')
    const total = 30n * 86_400n
    expect(remainingSeconds(period, at('2026-11-15'))).toEqual({ remaining: total, total })
    expect(remainingSeconds(period, at('2026-11-01'))).toEqual({ remaining: total, total })
    expect(remainingSeconds(period, at('2026-11-30'))).toEqual({ remaining: total / 2n, total })
    expect(remainingSeconds(period, at('2026-12-15'))).toEqual({ remaining: 0n, total })
    expect(remainingSeconds(period, at('2027-06-01'))).toEqual({ remaining: 0n, total })
  })

  test('is within bounds and decreases', () => {
    const ms = fc.integer({ min: -DAY_MS, max: 500 * DAY_MS })
    fc.assert(
      fc.property(instant, interval, ms, ms, (anchor, each, one, other) => {
        const period = firstPeriod(anchor, each)
        const [sooner, later] = [Math.min(one, other), Math.max(one, other)]
        const leftAfter = (after: number) =>
          remainingSeconds(period, new Date(anchor.getTime() + after)).remaining
        expect(leftAfter(sooner) >= leftAfter(later) && leftAfter(later) >= 0n).toBe(true)
        expect(leftAfter(sooner) <= remainingSeconds(period, anchor).total).toBe(true)
      }),
    )
  })
})

test('the time zone of the process has no effect', () => {
  const file = join(import.meta.dirname, 'calendar.ts')
  const script = `
    const { addMonths, monthAt, nextPeriod } = await import(${JSON.stringify(file)})
    const anchors = ['2026-03-31T22:30:00Z', '2026-04-24T00:30:00Z', '2026-10-30T21:59:59Z', '2028-02-29T23:00:00Z', '2026-12-31T23:59:59Z']
    console.log(new Date(2026, 0, 1).getTimezoneOffset() + ' ' + JSON.stringify(anchors.map((text) => {
      const anchor = new Date(text)
      return [0, 1, 2, 7, 12, 13].map((n) => [addMonths(anchor, n), monthAt(anchor, addMonths(anchor, n)), nextPeriod(anchor, 'month', addMonths(anchor, n), addMonths(anchor, n + 2))])
    })))`
  const run = (TZ: string) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, TZ, NODE_OPTIONS: '' },
      encoding: 'utf8',
      timeout: 20_000,
    }).trim()
  const [utc, cairo] = ['UTC', 'Africa/Cairo'].map(run).map((said) => {
    const [offset, ...rest] = said.split(' ')
    return { offset, dates: rest.join(' ') }
  })
  expect([utc?.offset, cairo?.offset]).toEqual(['0', '-120'])
  expect(cairo?.dates).toBe(utc?.dates)
})
