// One organisation: who owns it, what it bought as far as anybody outside can know, and what it did last.
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import type { Card } from './bank/bank.ts'
import type { Interval, Offer, PlanName, SimCurrency } from './checks/prices.ts'

/** Something that must never happen has happened. */
export class Violation extends Error {}

/** What a subscription is to its owner. */
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

/** A change that was asked for: what it is to become, and what it should cost. */
export type RequestedChange = {
  readonly kind: 'change' | 'seats'
  readonly offer: Offer
  readonly seats: number
  /** What is due of it; less than nothing is given back, and too little to charge is not charged. */
  readonly dueMinor: bigint
  /** What the same would cost a unit of rounding off; a preview leaves no room. */
  readonly toleranceMinor: bigint
  /** When it was priced, and when it was asked for. */
  readonly at: Date
  readonly askedAt: Date
}

/** Time that was paid for: one price over one period, of which a part was had. */
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
  /** How many may work together without a paid plan. */
  readonly ownSeats: number
  /** Its own chance: what others do does not move it. */
  readonly random: () => number
  readonly cards: Card[] = []
  readonly trace: string[] = []
  readonly paidTimes: PaidTime[] = []
  members = 1
  state: SubscriptionState | null = null
  /** A change whose bank has not decided. */
  open: RequestedChange | null = null
  /** What previews said of the subscription as it is; a change of it ends them. */
  readonly previews = new Map<string, RequestedChange>()
  /** Pages that were opened and are not paid, oldest first. */
  readonly openPages: string[] = []
  /** What came into the wallet to stay. */
  readonly settledReferences: string[] = []
  /** How many changes were charged or credited: each may be a unit of rounding off. */
  changes = 0
  /** What was too little to charge. */
  waivedMinor = 0n
  /** What is left of this month's allowance, and which month after the anchor it is of. */
  allowanceMinor = 0n
  /** Where one of two things happened, the other. */
  otherAllowanceMinor: bigint | undefined
  grantedMonth = 0
  /** Changes by the reference of a charge that was not decided at once. */
  readonly changesByReference = new Map<string, RequestedChange>()
  /** Changes that were charged at once, until the bill is seen. */
  readonly unconfirmedChanges: RequestedChange[] = []
  /** What pages of checkouts are for. */
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

  /** A name that nothing else has. */
  next(): string {
    return `${this.name}-${++this.count}`
  }

  violation(message: string): Violation {
    return new Violation(`${this.name} (${this.owner.orgId}, ${this.currency}): ${message}`)
  }
}
