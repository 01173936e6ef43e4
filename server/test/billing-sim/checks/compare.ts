// Compares the subscriptions in the database with the model.
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

/** The clock goes back by at most one hour. */
const LOOK_BACK_MS = 2 * 3_600_000

export type SubscriptionComparison = {
  /** Compares these organisations, and all with a new bill since the last call. */
  compareOrgs(orgs: readonly SimOrg[]): Promise<void>
}

export function createComparison(world: World): SubscriptionComparison {
  const seenBills = new Set<string>()
  const seenPayments = new Set<string>()
  let sinceMs = 0
  return {
    async compareOrgs(orgs) {
      const now = world.clock.now()
      const since = new Date(Math.min(sinceMs || now.getTime(), now.getTime()) - LOOK_BACK_MS)
      const ended = await sql.endedBills(world.sql, since)
      const settled = await sql.settledPayments(world.sql, since)
      sinceMs = now.getTime()
      for (const payment of settled) if (isNew(seenPayments, payment.reference)) countPayment(world, payment)
      const touched = new Set(orgs)
      const facts = ended.filter((bill) => isNew(seenBills, `${bill.id} ${bill.status}`))
      for (const { orgId } of facts) touched.add(orgOf(world, orgId))
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
  // Refunds of plan prices are not part of the paid-time model.
  if (purpose !== 'bill') byOrg.get(orgId)?.settledReferences.push(reference)
  tally.add(`settled ${purpose}`)
  const { firstResponse } = bank.of(reference)
  if (firstResponse === 'silent' || firstResponse === 'asks')
    tally.add(`settled after the bank ${firstResponse === 'asks' ? 'asked' : 'was silent'}`)
  if (purpose === 'bill' && billStatus !== 'paid') tally.add('settled into the wallet instead')
}

async function compareAll(
  world: World,
  orgs: readonly SimOrg[],
  facts: readonly sql.EndedBill[],
): Promise<void> {
  const orgIds = orgs.map(({ owner }) => owner.orgId)
  const rows = new Map((await sql.orgRows(world.sql, orgIds)).map((row) => [row.orgId, row]))
  const open = Map.groupBy(await sql.openBills(world.sql, orgIds), ({ orgId }) => orgId)
  const byOrg = Map.groupBy(facts, ({ orgId }) => orgId)
  for (const org of orgs) {
    const row = rows.get(org.owner.orgId)
    if (!row) throw org.violation('the organisation does not exist')
    for (const fact of byOrg.get(row.orgId) ?? []) applyEndedBill(world, org, fact, row)
    applyScheduledChanges(world, org, row, open.get(row.orgId) ?? [], byOrg.get(row.orgId) ?? [])
    compare(world, org, row)
  }
}

function orgOf({ byOrg }: World, orgId: string): SimOrg {
  const org = byOrg.get(orgId)
  if (!org) throw new Error(`the simulation has no organisation ${orgId}`)
  return org
}

/** Applies a paid or abandoned bill to the model. */
function applyEndedBill(world: World, org: SimOrg, bill: sql.EndedBill, row: sql.OrgRow): void {
  const { prices, tally } = world
  org.note(`${bill.kind} of ${bill.amountMinor} ${bill.status} at ${iso(bill.endedAt)}`)
  tally.add(`bills ${bill.kind} ${bill.status}`)
  if (bill.status === 'abandoned') {
    if (org.open && bill.kind === org.open.kind) org.open = null
    return
  }
  const references = bill.references ?? []
  if (references.length === 0) throw org.violation(`${bill.id} is paid without a payment`)
  switch (bill.kind) {
    case 'checkout':
      startFromCheckout(world, org, bill, references, row)
      return
    case 'renewal': {
      const asked = renewalPrice(prices, org, bill.planCode)
      if (bill.amountMinor !== asked)
        throw org.violation(`a renewal cost ${bill.amountMinor}, expected ${asked}`)
      const [start, anchor] = [new Date(bill.effectStart), new Date(bill.effectAnchor)]
      renew(prices, org, { plan: bill.planCode, anchor, start, by: bill.endedAt })
      return
    }
    default: {
      const change =
        references.map((each) => org.changesByReference.get(each)).find(Boolean) ??
        org.unconfirmedChanges.shift()
      if (!change || change.kind !== bill.kind)
        throw org.violation(`${bill.id} (${bill.kind}) was not requested`)
      const off = bill.amountMinor - change.dueMinor
      if (off > change.toleranceMinor || -off > change.toleranceMinor)
        throw org.violation(`a ${bill.kind} cost ${bill.amountMinor}, expected ${change.dueMinor}`)
      applyChange(prices, org, change, bill.endedAt)
    }
  }
}

function startFromCheckout(
  { prices }: World,
  org: SimOrg,
  bill: sql.EndedBill,
  references: readonly string[],
  row: sql.OrgRow,
): void {
  const offer = references.map((each) => org.checkoutOffers.get(each)).find(Boolean)
  if (!offer) throw org.violation(`${bill.id} was paid by an unknown page`)
  const price = prices.full(org.currency, offer, seatsAfter(prices, org, offer, org.members))
  if (bill.amountMinor !== price) throw org.violation(`a checkout cost ${bill.amountMinor}, not ${price}`)
  if (org.state && isPaid(org.state)) throw org.violation(`${bill.id} started a second subscription`)
  const begins = [wholeSecond(bill.endedAt), wholeSecond(bill.createdAt)]
  const anchor = begins.find((each) => each.getTime() === row.anchor?.getTime()) ?? begins[0] ?? bill.endedAt
  startSubscription(prices, org, offer, anchor)
}

/** Applies changes that happen on their due date without a payment. */
function applyScheduledChanges(
  world: World,
  org: SimOrg,
  row: sql.OrgRow,
  open: readonly sql.OpenBill[],
  facts: readonly sql.EndedBill[],
): void {
  const { prices, clock, tally } = world
  const now = clock.now()
  const { state } = org
  if (!state) return
  const isOver = state.periodEnd <= now
  const isGone = row.status === null
  if (isGone && isOver && state.isCanceling && state.status === 'active') {
    tally.add('ended after a cancellation')
    endSubscription(org)
    return
  }
  const givenUp = facts.find(({ kind, status }) => kind === 'renewal' && status === 'abandoned')
  if (isGone && isOver && givenUp) {
    tally.add(`ended unpaid after ${givenUp.attempts} tries`)
    endSubscription(org)
    return
  }
  if (
    isOver &&
    !isGone &&
    renewalPrice(prices, org) === 0n &&
    row.periodStart &&
    row.periodStart > state.periodStart
  ) {
    const { anchor, periodStart: start } = row
    renew(prices, org, { plan: row.planCode ?? '', anchor: anchor ?? start, start, by: now })
    return
  }
  // A scheduled plan with too few seats is dropped when the renewal is billed.
  if (isOver && !isGone && state.scheduled?.plan === 'pro' && row.scheduledPlan === null && org.members > 1)
    org.state = { ...state, scheduled: null }
  const renewal = open.find(({ kind }) => kind === 'renewal')
  if (row.status === 'past_due' && state.status === 'active' && isOver && renewal && renewal.attempts > 0) {
    tally.add('became past due')
    org.state = { ...(org.state ?? state), status: 'past_due' }
    org.allowanceMinor = 0n
  }
}

function compare(world: World, org: SimOrg, row: sql.OrgRow): void {
  const expected = org.state ? shown(org.state) : null
  const found = row.status === null ? null : shown(stateIn(row))
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw org.violation(`is ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`)
  const { orgPlan, orgStatus } = row
  const status =
    row.status ?? (orgStatus === null ? null : orgStatus === 'incomplete' ? orgStatus : 'canceled')
  if (orgPlan !== row.planCode || orgStatus !== status)
    throw org.violation(
      `the organisation says ${orgPlan} ${orgStatus}, its subscription ${row.planCode} ${row.status}`,
    )
  const seats = org.state && isPaid(org.state) ? org.state.seats : org.ownSeats
  if (row.orgSeats !== seats) throw org.violation(`the organisation has ${row.orgSeats} seats, not ${seats}`)
  compareAllowance(world, org, row)
}

/** Each change may be off by one unit of rounding. */
const ROUNDING_MINOR = 1n

function compareAllowance({ prices, clock }: World, org: SimOrg, row: sql.OrgRow): void {
  const { state } = org
  if (state?.status === 'active' && state.interval === 'year') {
    const month = monthsPassed(state.anchor, clock.now())
    const isDue = month > org.grantedMonth && monthsLater(state.anchor, month) < state.periodEnd
    if (isDue && (row.allowanceDueAt === null || row.allowanceDueAt > clock.now())) {
      org.grantedMonth = month
      org.allowanceMinor = prices.of(org.currency, offerOf(state)).includedUsageMinor
    }
  }
  checkNextRefill(org, row, clock.now())
  const isNear = (minor = org.allowanceMinor): boolean =>
    row.includedMinor - minor <= ROUNDING_MINOR && minor - row.includedMinor <= ROUNDING_MINOR
  if (!isNear() && !isNear(org.otherAllowanceMinor))
    throw org.violation(`the remaining allowance is ${row.includedMinor}, expected ${org.allowanceMinor}`)
  org.allowanceMinor = row.includedMinor
  org.otherAllowanceMinor = undefined
}

/** A yearly plan grants an allowance at the start of every month. */
function checkNextRefill({ state, grantedMonth, ...org }: SimOrg, row: sql.OrgRow, now: Date): void {
  // Months that were skipped until the end of the period are not granted afterwards.
  if (state && state.periodEnd <= now && row.allowanceDueAt === null) return
  const next = state?.status === 'active' ? monthsLater(state.anchor, grantedMonth + 1) : null
  const due = next && state && next < state.periodEnd ? next : null
  if (row.allowanceDueAt?.getTime() !== due?.getTime())
    throw new Violation(
      `${org.owner.orgId} is due an allowance at ${toText(row.allowanceDueAt)}, expected ${toText(due)}`,
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

/** In a fixed order of fields, for comparison. */
const shown = ({ scheduled, anchor, periodStart, periodEnd, ...state }: SubscriptionState) => ({
  plan: `${state.plan} by the ${state.interval}, ${state.status}`,
  seats: `${state.seats} of ${state.seatsPaid}`,
  next: scheduled ? `${scheduled.plan} by the ${scheduled.interval}` : state.isCanceling ? 'ends' : 'renews',
  period: `${iso(periodStart)} to ${iso(periodEnd)} from ${iso(anchor)}`,
})
