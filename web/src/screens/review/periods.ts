// Verdicts by the age of findings. The service counts from a day until now, so a period is the difference of two counts.
import type { ReviewPrecision } from '@cowrie/sdk'

export const WINDOWS: readonly number[] = [30, 60, 90, 120]

export type Period = { from: number; to: number; confirmed: number; refuted: number }
type Counted = Pick<ReviewPrecision, 'days' | 'confirmed' | 'refuted'>

/** Oldest first. Never negative, even if a verdict arrives between two responses. */
export function periodsOf(windows: readonly Counted[]): Period[] {
  return windows
    .map(({ days, confirmed, refuted }, at) => {
      const inner = windows[at - 1] ?? { days: 0, confirmed: 0, refuted: 0 }
      return {
        from: inner.days,
        to: days,
        confirmed: Math.max(0, confirmed - inner.confirmed),
        refuted: Math.max(0, refuted - inner.refuted),
      }
    })
    .toReversed()
}
