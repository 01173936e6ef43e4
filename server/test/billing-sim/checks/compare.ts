// Looks at what became of everybody and holds it against what should have become of them.
import { toText } from '../actions/request.ts'
import { type SimOrg, type SubscriptionState, Violation } from '../org.ts'
import * as sql from '../sql.ts'
import type { World } from '../world.ts'
import { monthsLater, monthsPassed, wholeSecond } from './calendar.ts'
import {
  applyChange,
  endSubscription,
  iso,
  isPaid,
  offerOf,
  renew,
  renewalPrice,
  seatsAfter,
  startSubscription,
} from './expected-subscription.ts'
import type { Interval, Offer, PlanName } from './prices.ts'

/** The clock goes back by an hour at most. */
const LOOK_BACK_MS = 2 * 3_600_000

export type SubscriptionComparison = {
  /** What became of these since the last look. */
  compareOrgs(lives: readonly SimOrg[]): Promise<void>
}

export function createComparison(world: World): SubscriptionComparison {
  const seenBills = new Set<string>()
  const seenPayments = new Set<string>()
  let sinceMs = 0
  return {
    async compareOrgs(lives) {
      const now = world.clock.now()
      const since = new Date(Math.min(sinceMs || now.getTime(), now.getTime()) - LOOK_BACK_MS)
      const ended = await sql.endedBills(world.sql, since)
      const settled = await sql.settledPayments(world.sql, since)
      sinceMs = now.getTime()
      for (const payment of settled) if (isNew(seenPayments, payment.reference)) countPayment(world, payment)
      const touched = new Set(lives)
      const facts = ended.filter((bill) => isNew(seenBills, `${bill.id} ${bill.status}`))
      for (const { orgId } of facts) touched.add(lifeOf(world, orgId))
      await compareAll(world, [...touched], facts)
    },
  }
}

function isNew(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false
  seen.add(key)
  return true
}

function countPayment({ tally, byOrg, bank }: World, payment: sql.SettledPayment): void {
  const { reference, orgId, purpose, billStatus } = payment
  // What is given back of a plan's price is another story than time that was had and paid.
  if (purpose !== 'bill') byOrg.get(orgId)?.settledReferences.push(reference)
  tally.add(`settled ${purpose}`)
  const { firstResponse: met } = bank.of(reference)
  if (met === 'silent' || met === 'asks')
    tally.add(`settled after the bank ${met === 'asks' ? 'asked' : 'was silent'}`)
  if (purpose === 'bill' && billStatus !== 'paid') tally.add('settled into the wallet instead')
}

async function compareAll(
  world: World,
  lives: readonly SimOrg[],
  facts: readonly sql.EndedBill[],
): Promise<void> {
  const orgs = lives.map(({ owner }) => owner.orgId)
  const rows = new Map((await sql.orgRows(world.sql, orgs)).map((row) => [row.orgId, row]))
  const open = Map.groupBy(await sql.openBills(world.sql, orgs), ({ orgId }) => orgId)
  const byOrg = Map.groupBy(facts, ({ orgId }) => orgId)
  for (const life of lives) {
    const row = rows.get(life.owner.orgId)
    if (!row) throw life.violation('the organisation is gone')
    for (const fact of byOrg.get(row.orgId) ?? []) applyEndedBill(world, life, fact, row)
    applyScheduledChanges(world, life, row, open.get(row.orgId) ?? [], byOrg.get(row.orgId) ?? [])
    compare(world, life, row)
  }
}

function lifeOf({ byOrg }: World, org: string): SimOrg {
  const life = byOrg.get(org)
  if (!life) throw new Error(`nobody lives in ${org}`)
  return life
}

/** A bill was paid or given up. */
function applyEndedBill(world: World, life: SimOrg, bill: sql.EndedBill, row: sql.OrgRow): void {
  const { prices, tally } = world
  life.note(`${bill.kind} of ${bill.amountMinor} ${bill.status} at ${iso(bill.endedAt)}`)
  tally.add(`bills ${bill.kind} ${bill.status}`)
  if (bill.status === 'abandoned') {
    if (life.open && bill.kind === life.open.kind) life.open = null
    return
  }
  const references = bill.references ?? []
  if (references.length === 0) throw life.violation(`${bill.id} is paid by nobody`)
  switch (bill.kind) {
    case 'checkout':
      startFromCheckout(world, life, bill, references, row)
      return
    case 'renewal': {
      const asked = renewalPrice(prices, life, bill.planCode)
      if (bill.amountMinor !== asked)
        throw life.violation(`a renewal cost ${bill.amountMinor} where ${asked} was told`)
      const [start, anchor] = [new Date(bill.effectStart), new Date(bill.effectAnchor)]
      renew(prices, life, { plan: bill.planCode, anchor, start, by: bill.endedAt })
      return
    }
    default: {
      const wanted =
        references.map((each) => life.changesByReference.get(each)).find(Boolean) ??
        life.unconfirmedChanges.shift()
      if (!wanted || wanted.kind !== bill.kind)
        throw life.violation(`nobody asked for ${bill.id}, a ${bill.kind}`)
      const off = bill.amountMinor - wanted.dueMinor
      if (off > wanted.toleranceMinor || -off > wanted.toleranceMinor)
        throw life.violation(`a ${bill.kind} cost ${bill.amountMinor} where ${wanted.dueMinor} was told`)
      applyChange(prices, life, wanted, bill.endedAt)
    }
  }
}

function startFromCheckout(
  { prices }: World,
  life: SimOrg,
  bill: sql.EndedBill,
  references: readonly string[],
  row: sql.OrgRow,
): void {
  const offer = references.map((each) => life.checkoutOffers.get(each)).find(Boolean)
  if (!offer) throw life.violation(`${bill.id} was paid by a page that nobody opened`)
  const price = prices.full(life.currency, offer, seatsAfter(prices, life, offer, life.members))
  if (bill.amountMinor !== price) throw life.violation(`a checkout cost ${bill.amountMinor}, not ${price}`)
  if (life.state && isPaid(life.state)) throw life.violation(`${bill.id} began a second subscription`)
  const begins = [wholeSecond(bill.endedAt), wholeSecond(bill.createdAt)]
  const anchor = begins.find((each) => each.getTime() === row.anchor?.getTime()) ?? begins[0] ?? bill.endedAt
  startSubscription(prices, life, offer, anchor)
}

/** What happens by itself, when its time has come and nobody has paid or need pay. */
function applyScheduledChanges(
  world: World,
  life: SimOrg,
  row: sql.OrgRow,
  open: readonly sql.OpenBill[],
  facts: readonly sql.EndedBill[],
): void {
  const { prices, clock, tally } = world
  const now = clock.now()
  const { state } = life
  if (!state) return
  const isOver = state.periodEnd <= now
  const isGone = row.status === null
  if (isGone && isOver && state.isCanceling && state.status === 'active') {
    tally.add('ended as wished')
    endSubscription(life)
    return
  }
  const givenUp = facts.find(({ kind, status }) => kind === 'renewal' && status === 'abandoned')
  if (isGone && isOver && givenUp) {
    tally.add(`ended unpaid after ${givenUp.attempts} tries`)
    endSubscription(life)
    return
  }
  if (
    isOver &&
    !isGone &&
    renewalPrice(prices, life) === 0n &&
    row.periodStart &&
    row.periodStart > state.periodStart
  ) {
    const { anchor, periodStart: start } = row
    renew(prices, life, { plan: row.planCode ?? '', anchor: anchor ?? start, start, by: now })
    return
  }
  // A plan that has no room by now is not gone into, and that is said when the renewal is billed.
  if (isOver && !isGone && state.scheduled?.plan === 'pro' && row.scheduledPlan === null && life.members > 1)
    life.state = { ...state, scheduled: null }
  const renewal = open.find(({ kind }) => kind === 'renewal')
  if (row.status === 'past_due' && state.status === 'active' && isOver && renewal && renewal.attempts > 0) {
    tally.add('became past due')
    life.state = { ...(life.state ?? state), status: 'past_due' }
    life.allowanceMinor = 0n
  }
}

function compare(world: World, life: SimOrg, row: sql.OrgRow): void {
  const expected = life.state ? shown(life.state) : null
  const found = row.status === null ? null : shown(stateIn(row))
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw life.violation(`is ${JSON.stringify(found)} where ${JSON.stringify(expected)} should be`)
  const { orgPlan, orgStatus } = row
  const status =
    row.status ?? (orgStatus === null ? null : orgStatus === 'incomplete' ? orgStatus : 'canceled')
  if (orgPlan !== row.planCode || orgStatus !== status)
    throw life.violation(
      `the organisation says ${orgPlan} ${orgStatus}, its subscription ${row.planCode} ${row.status}`,
    )
  const seats = life.state && isPaid(life.state) ? life.state.seats : life.ownSeats
  if (row.orgSeats !== seats) throw life.violation(`the organisation has ${row.orgSeats} seats, not ${seats}`)
  compareAllowance(world, life, row)
}

/** A unit may be rounded off with each change. */
const ROUNDING_MINOR = 1n

function compareAllowance({ prices, clock }: World, life: SimOrg, row: sql.OrgRow): void {
  const { state } = life
  if (state?.status === 'active' && state.interval === 'year') {
    const month = monthsPassed(state.anchor, clock.now())
    const isDue = month > life.grantedMonth && monthsLater(state.anchor, month) < state.periodEnd
    if (isDue && (row.allowanceDueAt === null || row.allowanceDueAt > clock.now())) {
      life.grantedMonth = month
      life.allowanceMinor = prices.of(life.currency, offerOf(state)).includedUsageMinor
    }
  }
  checkNextRefill(life, row, clock.now())
  const isNear = (minor = life.allowanceMinor): boolean =>
    row.includedMinor - minor <= ROUNDING_MINOR && minor - row.includedMinor <= ROUNDING_MINOR
  if (!isNear() && !isNear(life.otherAllowanceMinor))
    throw life.violation(
      `${row.includedMinor} of the allowance are left where ${life.allowanceMinor} should be`,
    )
  life.allowanceMinor = row.includedMinor
  life.otherAllowanceMinor = undefined
}

/** Every month of a year has its allowance, and each is due when it begins. */
function checkNextRefill({ state, grantedMonth, ...life }: SimOrg, row: sql.OrgRow, now: Date): void {
  // What was slept through to the end of the period is not made up for.
  if (state && state.periodEnd <= now && row.allowanceDueAt === null) return
  const next = state?.status === 'active' ? monthsLater(state.anchor, grantedMonth + 1) : null
  const due = next && state && next < state.periodEnd ? next : null
  if (row.allowanceDueAt?.getTime() !== due?.getTime())
    throw new Violation(
      `${life.owner.orgId} is due an allowance at ${toText(row.allowanceDueAt)} where ${toText(due)} should be`,
    )
}

function stateIn(row: sql.OrgRow): SubscriptionState {
  const scheduled: Offer | null =
    row.scheduledPlan === null
      ? null
      : { plan: row.scheduledPlan as PlanName, interval: row.scheduledInterval as Interval }
  const zero = new Date(0)
  return {
    plan: row.planCode as PlanName,
    interval: row.interval as Interval,
    status: row.status as SubscriptionState['status'],
    seats: row.seats ?? 0,
    seatsPaid: row.seatsPaid ?? 0,
    scheduled,
    isCanceling: row.isCanceling ?? false,
    anchor: row.anchor ?? zero,
    periodStart: row.periodStart ?? zero,
    periodEnd: row.periodEnd ?? zero,
  }
}

/** In one order of fields. */
const shown = ({ scheduled, anchor, periodStart, periodEnd, ...state }: SubscriptionState) => ({
  plan: `${state.plan} by the ${state.interval}, ${state.status}`,
  seats: `${state.seats} of ${state.seatsPaid}`,
  next: scheduled ? `${scheduled.plan} by the ${scheduled.interval}` : state.isCanceling ? 'ends' : 'goes on',
  period: `${iso(periodStart)} to ${iso(periodEnd)} from ${iso(anchor)}`,
})
