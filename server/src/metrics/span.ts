// Time as figures are asked for.
import { before, toMs } from '../kernel/clock.ts'
import { invalidFields } from '../kernel/errors.ts'

/** From an instant up to and without another. */
export type TimeRange = { readonly from: Date; readonly to: Date }

// The database has no year 0.
const EARLIEST = new Date('0001-01-01T00:00:00.000Z')

/** The days before an instant. */
export function daysBefore(to: Date, days: number): TimeRange {
  const from = before(to, { days })
  return { from: from < EARLIEST ? EARLIEST : from, to }
}

/** What was asked for, or the usual days before its end; refused where it is longer than so many days. */
export function resolveRange(
  now: Date,
  { from, to = now }: { from?: Date | undefined; to?: Date | undefined },
  { usualDays, longestDays }: { usualDays: number; longestDays: number },
): TimeRange {
  const begins = from ?? daysBefore(to, usualDays).from
  if (begins > to) throw invalidFields({ path: 'query.from', message: 'must not be after to' })
  if (to.getTime() - begins.getTime() > toMs({ days: longestDays }))
    throw invalidFields({ path: 'query.from', message: `must be at most ${longestDays} days before to` })
  return { from: begins, to }
}
