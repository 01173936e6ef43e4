// When a period ends. Counted in months from an anchor, in UTC: what began on the 31st ends on the last day of a short
// month and on the 31st of the next long one, and no run of short months moves it.
import { assert } from '../kernel/assert.ts'
import { after } from '../kernel/clock.ts'

export type Interval = 'month' | 'year'
export type Period = { readonly start: Date; readonly end: Date }

/** The anchor some months later, at the same time of day; the last day of the month where it has no such day. */
export function addMonths(anchor: Date, months: number): Date {
  assert(Number.isInteger(months), 'months are whole')
  const [year, month] = [anchor.getUTCFullYear(), anchor.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const at = new Date(anchor)
  at.setUTCFullYear(year, month, Math.min(anchor.getUTCDate(), lastDay))
  return at
}

export const monthsOf = (interval: Interval): number => (interval === 'year' ? 12 : 1)

/** Bills count whole seconds. */
export const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000)

export const firstPeriod = (anchor: Date, interval: Interval): Period => ({
  start: anchor,
  end: addMonths(anchor, monthsOf(interval)),
})

/** How many whole months have passed since the anchor; 0 before the first has. */
export function monthsSince(anchor: Date, at: Date): number {
  const apart = (at.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + at.getUTCMonth() - anchor.getUTCMonth()
  const passed = addMonths(anchor, apart) <= at ? apart : apart - 1
  return Math.max(passed, 0)
}

/** A period, and from where its months are counted. */
export type AnchoredPeriod = Period & { readonly anchor: Date }

/** The period that begins with a month of its anchor. */
export const periodFrom = (anchor: Date, start: Date, interval: Interval): AnchoredPeriod => ({
  ...{ anchor, start },
  end: addMonths(anchor, monthsSince(anchor, start) + monthsOf(interval)),
})

const LATE_AFTER = { days: 3 }

/**
 * The period to renew into at `now`, given that the last one ended at `ended`. It begins where that one ended. A renewal
 * that comes later than that by days begins when it comes: nobody pays for days that they did not have.
 */
export function nextPeriod(anchor: Date, interval: Interval, ended: Date, now: Date): AnchoredPeriod {
  const isLate = now > after(ended, LATE_AFTER)
  return isLate
    ? periodFrom(wholeSecond(now), wholeSecond(now), interval)
    : periodFrom(anchor, ended, interval)
}

/** The month of allowance that is running at an instant: months are counted from the anchor, whatever the interval. */
export function monthAt(anchor: Date, at: Date): Period {
  const months = monthsSince(anchor, at)
  return { start: addMonths(anchor, months), end: addMonths(anchor, months + 1) }
}

/** What is left of a period, in whole seconds, over its length in seconds. */
export function remainingSeconds({ start, end }: Period, at: Date): { left: bigint; of: bigint } {
  const seconds = (ms: number) => BigInt(Math.floor(ms / 1000))
  const of = seconds(end.getTime() - start.getTime())
  const left = seconds(end.getTime() - at.getTime())
  if (left < 0n) return { left: 0n, of }
  if (left > of) return { left: of, of }
  return { left, of }
}
