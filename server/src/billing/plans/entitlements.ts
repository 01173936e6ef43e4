// The tier and the seats that a plan gives an organisation. Without a plan, and on the free plan, they depend on
// the type of the organisation.
import type { Plan } from './plans.ts'

type OrgType = 'individual' | 'team'

const SEATS_BY_TYPE: Readonly<Record<OrgType, number>> = { individual: 1, team: 5 }
const TIERS = ['individual', 'team', 'enterprise'] as const
type Tier = (typeof TIERS)[number]

/** A plan never lowers the tier of the organisation type. */
export function orgTier(plan: Plan | null, type: OrgType): Tier {
  const [own, bought] = [TIERS.indexOf(type), plan ? TIERS.indexOf(plan.tier) : 0]
  return TIERS[Math.max(own, bought)] ?? type
}

/** A free plan removes no seats that the organisation has without it. */
export const orgSeats = (plan: Plan | null, type: OrgType, seats: number): number =>
  plan && plan.amountMinor > 0n ? seats : SEATS_BY_TYPE[type]

/** The most members that a newly chosen plan allows; null if more seats can be bought. */
export const seatLimit = (plan: Plan, type: OrgType): number | null =>
  plan.seatPriceMinor > 0n ? null : orgSeats(plan, type, plan.seatAllotment)
