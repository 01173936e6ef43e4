// Periods of usage, divided into sealed days and the rest.
import { toMs } from '../../kernel/clock.ts'

/** From an instant to another, which is not included. */
export type Span = { readonly from: Date; readonly to: Date }

export type Parts = {
  /** Points before the first sealed day. */
  readonly before: Span
  /** Whole sealed days in UTC. */
  readonly days: Span
  /** Points after the sealed days. */
  readonly after: Span
}

const DAY_MS = toMs({ days: 1 })

/** The start of the UTC day of an instant. */
export const startOfDay = (instant: Date): Date => new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS)

/**
 * Divides a period so that every instant is in exactly one part. Without a sealed day, everything is in `before`.
 * `sealedUntil` is the end of the last sealed day; null without one.
 */
export function divide({ from, to }: Span, sealedUntil: Date | null): Parts {
  const first = startOfDay(new Date(from.getTime() + DAY_MS - 1))
  const last = startOfDay(sealedUntil === null || to < sealedUntil ? to : sealedUntil)
  const none = { from: to, to }
  if (sealedUntil === null || first >= last) return { before: { from, to }, days: none, after: none }
  return { before: { from, to: first }, days: { from: first, to: last }, after: { from: last, to } }
}
