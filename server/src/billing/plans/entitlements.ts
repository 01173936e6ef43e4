// What a plan makes of an organisation: its tier and how many seats it has. Without a plan, and on the free one, that is
// what its type comes with.
import type { Plan } from './plans.ts'

type OrgType = 'individual' | 'team'

const SEATS_BY_TYPE: Readonly<Record<OrgType, number>> = { individual: 1, team: 5 }
const TIERS = ['individual', 'team', 'enterprise'] as const
type Tier = (typeof TIERS)[number]

/** A plan never lowers what comes for nothing. */
export function orgTier(plan: Plan | null, type: OrgType): Tier {
  const [own, bought] = [TIERS.indexOf(type), plan ? TIERS.indexOf(plan.tier) : 0]
  return TIERS[Math.max(own, bought)] ?? type
}

/** A free plan takes no seats away that its organisation had without it. */
export const orgSeats = (plan: Plan | null, type: OrgType, seats: number): number =>
  plan && plan.amountMinor > 0n ? seats : SEATS_BY_TYPE[type]

/** How many members a plan that is newly chosen has room for; null where more seats can be bought. */
export const seatLimit = (plan: Plan, type: OrgType): number | null =>
  plan.seatPriceMinor > 0n ? null : orgSeats(plan, type, plan.seatAllotment)
