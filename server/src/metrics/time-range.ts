// Time ranges and calendar intervals in UTC. Weeks start on Monday.
import { before, toMs } from '../kernel/clock.ts'
import { invalidFields } from '../kernel/errors.ts'

/** `to` is exclusive. */
export type TimeRange = { readonly from: Date; readonly to: Date }

// PostgreSQL has no year 0.
const EARLIEST = new Date('0001-01-01T00:00:00.000Z')

/** A range of days that ends at `to`. */
export function daysBefore(to: Date, days: number): TimeRange {
  const from = before(to, { days })
  return { from: from < EARLIEST ? EARLIEST : from, to }
}

/** The requested range, or the default number of days before `to`. Refuses ranges over the maximum. */
export function resolveRange(
  now: Date,
  { from, to = now }: { from?: Date | undefined; to?: Date | undefined },
  { defaultDays, maxDays }: { defaultDays: number; maxDays: number },
): TimeRange {
  const start = from ?? daysBefore(to, defaultDays).from
  if (start > to) throw invalidFields({ path: 'query.from', message: 'must not be after to' })
  if (to.getTime() - start.getTime() > toMs({ days: maxDays }))
    throw invalidFields({ path: 'query.from', message: `must be at most ${maxDays} days before to` })
  return { from: start, to }
}

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]
export const POINTS_MAX = 400

/** The start of the interval that contains an instant. */
export function intervalStart(interval: Interval, instant: Date): Date {
  const start = new Date(instant)
  start.setUTCMinutes(0, 0, 0)
  if (interval === 'hour') return start
  start.setUTCHours(0)
  if (interval === 'week') start.setUTCDate(start.getUTCDate() - ((start.getUTCDay() + 6) % 7))
  if (interval === 'month') start.setUTCDate(1)
  return start
}

/** The starts of all intervals that overlap a range, oldest first. Refuses more than `POINTS_MAX`. */
export function listIntervals({ from, to }: TimeRange, interval: Interval): Date[] {
  const starts: Date[] = []
  for (let at = intervalStart(interval, from); at < to; at = nextInterval(interval, at)) {
    if (starts.length === POINTS_MAX)
      throw invalidFields({
        path: 'query.interval',
        message: `must give at most ${POINTS_MAX} points between from and to; use a longer interval or a shorter range`,
      })
    starts.push(at)
  }
  return starts
}

function nextInterval(interval: Interval, start: Date): Date {
  const next = new Date(start)
  if (interval === 'hour') next.setUTCHours(next.getUTCHours() + 1)
  if (interval === 'day') next.setUTCDate(next.getUTCDate() + 1)
  if (interval === 'week') next.setUTCDate(next.getUTCDate() + 7)
  if (interval === 'month') next.setUTCMonth(next.getUTCMonth() + 1)
  return next
}
