// Billing periods, counted in months from an anchor in UTC. An anchor on the 31st gives the last day of a short
// month and the 31st of the next long one: short months never shift it.
import { assert } from '../kernel/assert.ts'
import { after } from '../kernel/clock.ts'

export type Interval = 'month' | 'year'
export type Period = { readonly start: Date; readonly end: Date }

/** Adds months at the same time of day. Uses the last day of the month if it has no such day. */
export function addMonths(anchor: Date, months: number): Date {
  assert(Number.isInteger(months), 'months are whole')
  const [year, month] = [anchor.getUTCFullYear(), anchor.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const at = new Date(anchor)
  at.setUTCFullYear(year, month, Math.min(anchor.getUTCDate(), lastDay))
  return at
}

export const monthsOf = (interval: Interval): number => (interval === 'year' ? 12 : 1)

/** Billing counts whole seconds. */
export const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000)

export const firstPeriod = (anchor: Date, interval: Interval): Period => ({
  start: anchor,
  end: addMonths(anchor, monthsOf(interval)),
})

/** Whole months since the anchor; 0 before the first has passed. */
export function monthsSince(anchor: Date, at: Date): number {
  const difference =
    (at.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + at.getUTCMonth() - anchor.getUTCMonth()
  const passed = addMonths(anchor, difference) <= at ? difference : difference - 1
  return Math.max(passed, 0)
}

/** A period with the anchor of its months. */
export type AnchoredPeriod = Period & { readonly anchor: Date }

/** The period that starts with a month of its anchor. */
export const periodFrom = (anchor: Date, start: Date, interval: Interval): AnchoredPeriod => ({
  ...{ anchor, start },
  end: addMonths(anchor, monthsSince(anchor, start) + monthsOf(interval)),
})

const LATE_AFTER = { days: 3 }

/**
 * The period to renew into at `now`, if the last one ended at `ended`. It follows without a gap. A renewal that is
 * more than three days late starts now: the customer does not pay for days without the plan.
 */
export function nextPeriod(anchor: Date, interval: Interval, ended: Date, now: Date): AnchoredPeriod {
  const isLate = now > after(ended, LATE_AFTER)
  return isLate
    ? periodFrom(wholeSecond(now), wholeSecond(now), interval)
    : periodFrom(anchor, ended, interval)
}

/** The allowance month at an instant. Months are counted from the anchor for both intervals. */
export function monthAt(anchor: Date, at: Date): Period {
  const months = monthsSince(anchor, at)
  return { start: addMonths(anchor, months), end: addMonths(anchor, months + 1) }
}

/** The remaining whole seconds of a period, and its length in seconds. */
export function remainingSeconds({ start, end }: Period, at: Date): { remaining: bigint; total: bigint } {
  const seconds = (ms: number) => BigInt(Math.floor(ms / 1000))
  const total = seconds(end.getTime() - start.getTime())
  const remaining = seconds(end.getTime() - at.getTime())
  if (remaining < 0n) return { remaining: 0n, total }
  if (remaining > total) return { remaining: total, total }
  return { remaining, total }
}
