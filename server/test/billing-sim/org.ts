// One simulated organisation: its owner, its subscription as an outside observer knows it, and its last actions.
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import type { Card } from './bank/bank-entry.ts'
import type { Interval, Offer, PlanName, SimCurrency } from './checks/prices.ts'

/** An invariant of the simulation does not hold. */
export class Violation extends Error {}

/** The subscription as its owner sees it. */
export type SubscriptionState = {
  readonly plan: PlanName
  readonly interval: Interval
  readonly status: 'active' | 'past_due'
  readonly seats: number
  readonly seatsPaid: number
  readonly scheduled: Offer | null
  readonly isCanceling: boolean
  readonly anchor: Date
  readonly periodStart: Date
  readonly periodEnd: Date
}

/** A requested change with its expected price. */
export type RequestedChange = {
  readonly kind: 'change' | 'seats'
  readonly offer: Offer
  readonly seats: number
  /** The amount due. A negative amount is credited to the wallet. Amounts below the minimum charge are waived. */
  readonly dueMinor: bigint
  /** The allowed rounding difference. Zero after a preview. */
  readonly toleranceMinor: bigint
  /** The times of pricing and of the request. */
  readonly at: Date
  readonly askedAt: Date
}

/** Paid time: one price for a period, of which `from` to `to` was used. */
export type PaidTime = {
  readonly from: Date
  to: Date
  readonly priceMinor: bigint
  readonly seconds: number
}

const TRACE_KEPT = 40

export class SimOrg {
  readonly name: string
  readonly owner: Person
  readonly currency: SimCurrency
  /** Seats without a paid plan. */
  readonly ownSeats: number
  /** A separate random sequence per organisation, independent of the others. */
  readonly random: () => number
  readonly cards: Card[] = []
  readonly trace: string[] = []
  readonly paidTimes: PaidTime[] = []
  members = 1
  state: SubscriptionState | null = null
  /** A change whose charge is undecided. */
  open: RequestedChange | null = null
  /** Valid previews. A change of the subscription invalidates them. */
  readonly previews = new Map<string, RequestedChange>()
  /** Unpaid payment pages, oldest first. */
  readonly openPages: string[] = []
  /** References of settled payments that were credited to the wallet. */
  readonly settledReferences: string[] = []
  /** The number of charged or credited changes. Each may be off by one unit of rounding. */
  changes = 0
  /** The sum of amounts that were too small to charge. */
  waivedMinor = 0n
  /** The remaining allowance of this month. `grantedMonth` counts months since the anchor. */
  allowanceMinor = 0n
  /** The other valid allowance, if an observer cannot know which of two events came first. */
  otherAllowanceMinor: bigint | undefined
  grantedMonth = 0
  /** Changes by the reference of a charge that was not decided immediately. */
  readonly changesByReference = new Map<string, RequestedChange>()
  /** Changes that were charged immediately, until their bill is seen. */
  readonly unconfirmedChanges: RequestedChange[] = []
  /** Offers by the reference of their checkout page. */
  readonly checkoutOffers = new Map<string, Offer>()
  count = 0

  constructor(
    name: string,
    seed: number,
    owner: Person,
    { currency, ownSeats }: { currency: SimCurrency; ownSeats: number },
  ) {
    this.name = name
    this.owner = owner
    this.currency = currency
    this.ownSeats = ownSeats
    this.random = seeded(seed)
  }

  note(line: string): void {
    this.trace.push(line)
    if (this.trace.length > TRACE_KEPT) this.trace.shift()
  }

  /** A unique name. */
  next(): string {
    return `${this.name}-${++this.count}`
  }

  violation(message: string): Violation {
    return new Violation(`${this.name} (${this.owner.orgId}, ${this.currency}): ${message}`)
  }
}
