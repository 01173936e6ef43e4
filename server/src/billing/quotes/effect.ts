import type { RateCardVersion } from '../../metering/metering.ts'
import type { Interval } from '../calendar.ts'
import type { PlanCode } from '../plans/plans.ts'

/** What a subscription becomes. */
export type Effect = {
  readonly planCode: PlanCode
  readonly interval: Interval
  readonly rateCardVersion: RateCardVersion
  readonly seats: number
  readonly seatsPaid: number
  readonly anchor: Date
  readonly periodStart: Date
  readonly periodEnd: Date
  /** What is added to this month's allowance, or taken from what is left of it; null grants the whole of it anew. */
  readonly allowanceMinor: bigint | null
}
