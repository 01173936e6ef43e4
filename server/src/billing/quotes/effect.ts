import type { RateCardVersion } from '../../metering/metering.ts'
import type { Interval } from '../calendar.ts'
import type { PlanCode } from '../plans/plans.ts'

/** The state of a subscription after a change. */
export type Effect = {
  readonly planCode: PlanCode
  readonly interval: Interval
  readonly rateCardVersion: RateCardVersion
  readonly seats: number
  readonly seatsPaid: number
  readonly anchor: Date
  readonly periodStart: Date
  readonly periodEnd: Date
  /** Added to the remaining allowance of this month, or subtracted if negative; null grants the full allowance. */
  readonly allowanceMinor: bigint | null
}
