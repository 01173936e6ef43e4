// Calendar intervals in UTC; weeks begin on Monday.
import { invalidFields } from '../kernel/errors.ts'
import type { TimeRange } from './span.ts'

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]
export const POINTS_MAX = 400

/** The beginning of the interval that an instant lies in. */
export function intervalStart(interval: Interval, instant: Date): Date {
  const start = new Date(instant)
  start.setUTCMinutes(0, 0, 0)
  if (interval === 'hour') return start
  start.setUTCHours(0)
  if (interval === 'week') start.setUTCDate(start.getUTCDate() - ((start.getUTCDay() + 6) % 7))
  if (interval === 'month') start.setUTCDate(1)
  return start
}

/** The beginnings of all intervals that a time touches, the earliest first. More than the most are refused. */
export function listIntervals({ from, to }: TimeRange, interval: Interval): Date[] {
  const starts: Date[] = []
  for (let at = intervalStart(interval, from); at < to; at = nextInterval(interval, at)) {
    if (starts.length === POINTS_MAX)
      throw invalidFields({
        path: 'query.interval',
        message: `must leave at most ${POINTS_MAX} points between from and to; ask for a longer interval or less time`,
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
