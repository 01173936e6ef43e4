// Time as usage is asked for, and the part of it that consists of whole days that are summed already.
import { toMs } from '../../kernel/clock.ts'

/** From an instant up to and without another. */
export type Span = { readonly from: Date; readonly to: Date }

export type Parts = {
  /** Points, up to the first whole day. */
  readonly before: Span
  /** Whole days in UTC that are sealed. */
  readonly days: Span
  /** Points, from the end of those. */
  readonly after: Span
}

const DAY_MS = toMs({ days: 1 })

/** The beginning of the day in UTC that an instant lies in. */
export const startOfDay = (instant: Date): Date => new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS)

/**
 * Divides a time so that every instant of it lies in exactly one part. Where no whole day is sealed, all of it is
 * before. `sealedUntil` is where the last sealed day ends, null while there is none.
 */
export function divide({ from, to }: Span, sealedUntil: Date | null): Parts {
  const first = startOfDay(new Date(from.getTime() + DAY_MS - 1))
  const last = startOfDay(sealedUntil === null || to < sealedUntil ? to : sealedUntil)
  const none = { from: to, to }
  if (sealedUntil === null || first >= last) return { before: { from, to }, days: none, after: none }
  return { before: { from, to: first }, days: { from: first, to: last }, after: { from: last, to } }
}
