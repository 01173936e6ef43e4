// Actions of customers on their plans.

import { chooseWeighted } from '@cowrie/testkit/harness/seeded.ts'
import { wholeSecond } from '../checks/calendar.ts'
import {
  applyChange,
  endSubscription,
  isPaid,
  isWaived,
  offerOf,
  priceOf,
  seatsAfter,
  startSubscription,
  stateOf,
} from '../checks/expected-subscription.ts'
import { type Interval, isHigher, isSame, type Offer, type PlanName } from '../checks/prices.ts'
import type { RequestedChange, SimOrg } from '../org.ts'
import type { World } from '../world.ts'
import { chargeOutcomes, visitPage } from './cards.ts'
import { type ApiAnswer, expectCode, minor, sendRequest, toText } from './request.ts'

const PLAN_WEIGHTS: Readonly<Record<PlanName, number>> = { free: 8, pro: 50, team: 34, enterprise: 8 }
const INTERVAL_WEIGHTS: Readonly<Record<Interval, number>> = { month: 75, year: 25 }

export const drawOffer = ({ random }: SimOrg): Offer => ({
  plan: chooseWeighted(random, PLAN_WEIGHTS),
  interval: chooseWeighted(random, INTERVAL_WEIGHTS),
})

const HOUR_MS = 3_600_000
const CHANGE_MS = 30 * 60_000

export async function checkOut(world: World, org: SimOrg): Promise<void> {
  const offer = drawOffer(org)
  const body = { planCode: offer.plan, interval: offer.interval }
  const key = org.random() < 0.5 ? org.next() : undefined
  const answer = await sendRequest(world, org, 'POST', '/subscription/checkout', {
    body,
    ...(key && { key }),
  })
  const isLive = org.state !== null
  if (isLive && (isPaid(stateOf(org)) || offer.plan === 'free')) {
    const isBehind = stateOf(org).status === 'past_due'
    const refusal = isBehind ? 'subscription_past_due' : 'subscription_exists'
    return expectCode(org, answer, [refusal], 'a second checkout')
  }
  if (!roomFor(world, org, offer)) {
    expectCode(org, answer, ['seats_below_occupied'], 'a checkout with too few seats')
    return
  }
  if (offer.plan === 'free') {
    expectCode(org, answer, ['ok'], 'a free checkout')
    startSubscription(world.prices, org, offer, wholeSecond(world.clock.now()))
    return
  }
  const { reference } = answer.body as { reference?: string }
  // An open page for the same offer is returned again, even while the provider is down.
  const isKnownPage = reference !== undefined && org.checkoutOffers.has(reference)
  const isRefused = world.bank.isDown && !isKnownPage
  expectCode(org, answer, [isRefused ? 'rail_unavailable' : 'ok'], 'a checkout')
  if (reference === undefined) return
  org.checkoutOffers.set(reference, offer)
  if (answer.code === 'ok') visitPage(world, org, reference)
}

const roomFor = ({ prices }: World, org: SimOrg, offer: Offer): boolean => {
  const { seatPriceMinor, seatAllotment } = prices.of(org.currency, offer)
  const seats = offer.plan === 'free' ? org.ownSeats : seatAllotment
  return seatPriceMinor > 0n || org.members <= seats
}

/** Requests a preview. A later action may use it. */
export async function preview(world: World, org: SimOrg): Promise<void> {
  if (!org.state) return
  const change = org.random() < 0.3 ? drawSeats(world, org) : drawChange(world, org)
  if (!change) return
  const body =
    change.kind === 'seats'
      ? { seats: change.seats }
      : { planCode: change.offer.plan, interval: change.offer.interval }
  const answer = await sendRequest(world, org, 'POST', '/subscription/preview', { body })
  const refusals = refusalsOf(world, org)
  const isPossible = refusals === null
  expectCode(org, answer, isPossible ? ['ok'] : ['ok', ...refusals], 'a preview')
  if (answer.code !== 'ok' || !isPossible) return
  const shown = minor(answer.body.chargeNowMinor) - minor(answer.body.walletCreditMinor)
  const expected = isWaived(world.prices, org, change.dueMinor) ? 0n : change.dueMinor
  if (shown - expected > 1n || expected - shown > 1n)
    throw org.violation(`a preview shows ${shown}, expected ${expected}: ${toText(body)}`)
  const previewMinor = isWaived(world.prices, org, change.dueMinor) ? change.dueMinor : shown
  org.previews.set(nameOf(change), { ...change, dueMinor: previewMinor, toleranceMinor: 0n })
}

/** The key by which the service distinguishes previews. */
const nameOf = ({ kind, offer, seats }: Pick<RequestedChange, 'kind' | 'offer' | 'seats'>): string =>
  kind === 'seats' ? `seats/${seats}` : `${offer.plan}/${offer.interval}`

const lastPreview = ({ previews }: SimOrg, kind: RequestedChange['kind']): RequestedChange | undefined =>
  [...previews.values()].findLast((each) => each.kind === kind)

/** Requests the previewed change, another one, or the same twice at once. */
export async function changePlan(world: World, org: SimOrg): Promise<void> {
  const offer = lastPreview(org, 'change')?.offer ?? drawOffer(org)
  const body = { planCode: offer.plan, interval: offer.interval }
  const { state } = org
  if (!state) {
    const answer = await sendRequest(world, org, 'POST', '/subscription/change', { body })
    return expectCode(org, answer, ['no_subscription'], 'a change without a subscription')
  }
  if (isSame(offerOf(state), offer)) return keepPlan(world, org, body)
  if (!isHigher(offerOf(state), offer)) return downgrade(world, org, offer, body)
  if (!roomFor(world, org, offer)) {
    const answer = await sendRequest(world, org, 'POST', '/subscription/change', { body })
    expectCode(org, answer, refusalsOf(world, org) ?? ['seats_below_occupied'], 'a change with too few seats')
    return
  }
  const change = priceChange(world, org, 'change', offer, seatsAfter(world.prices, org, offer, state.seats))
  await charge(world, org, '/subscription/change', body, change)
}

async function keepPlan(world: World, org: SimOrg, body: object): Promise<void> {
  const answer = await sendRequest(world, org, 'POST', '/subscription/change', { body })
  expectCode(org, answer, refusalsOf(world, org) ?? ['ok'], 'staying')
  if (answer.code !== 'ok') return
  if (answer.body.cleared !== true) throw org.violation(`keeping the plan returned ${answer.text}`)
  const state = stateOf(org)
  if (state.scheduled || state.isCanceling) org.previews.clear()
  org.state = { ...state, scheduled: null, isCanceling: false }
}

async function downgrade(world: World, org: SimOrg, offer: Offer, body: object): Promise<void> {
  const answer = await sendRequest(world, org, 'POST', '/subscription/change', { body })
  const expected = refusalsOf(world, org) ?? [roomFor(world, org, offer) ? 'ok' : 'seats_below_occupied']
  expectCode(org, answer, expected, 'a downgrade')
  if (answer.code !== 'ok') return
  if (answer.body.scheduled !== true) throw org.violation(`a downgrade returned ${answer.text}`)
  const state = stateOf(org)
  if (!state.scheduled || !isSame(state.scheduled, offer)) org.previews.clear()
  org.state = { ...state, scheduled: offer, isCanceling: false }
}

/** The refusals that any change gets now. Null if changes are possible. */
function refusalsOf(world: World, org: SimOrg): string[] | null {
  const state = stateOf(org)
  if (state.status === 'past_due') return ['subscription_past_due']
  const isOver = state.periodEnd <= world.clock.now()
  return isOver || isChangeOpen(world, org) ? ['change_in_progress'] : null
}

export async function changeSeats(world: World, org: SimOrg): Promise<void> {
  const { state } = org
  const seats = lastPreview(org, 'seats')?.seats ?? 1 + Math.floor(org.random() * 12)
  const body = { seats }
  if (!state) {
    const answer = await sendRequest(world, org, 'POST', '/subscription/seats', { body })
    return expectCode(org, answer, ['no_subscription'], 'seats without a subscription')
  }
  const { seatPriceMinor, seatAllotment } = world.prices.of(org.currency, offerOf(state))
  const change = priceChange(world, org, 'seats', offerOf(state), seats)
  if (seatPriceMinor > 0n ? seats < org.members : seats !== seatAllotment) {
    const answer = await sendRequest(world, org, 'POST', '/subscription/seats', { body })
    const expected = refusalsOf(world, org) ?? ['seats_below_occupied', 'seats_not_sold']
    return expectCode(org, answer, expected, 'an invalid number of seats')
  }
  await charge(world, org, '/subscription/seats', body, change)
}

/** A paid period runs to its end. An unpaid one ends immediately. */
export async function cancel(world: World, org: SimOrg): Promise<void> {
  const answer = await sendRequest(world, org, 'POST', '/subscription/cancel', { body: {} })
  const { state } = org
  // Without a live subscription there may be an unpaid checkout.
  if (!state) return expectCode(org, answer, ['no_subscription', 'ok'], 'canceling nothing')
  expectCode(org, answer, ['ok'], 'a cancellation')
  const { subscription } = answer.body as { subscription: { status: string } }
  const isRunning = state.status === 'active' && state.periodEnd > world.clock.now()
  if (subscription.status === 'canceled') {
    if (isPaid(state) && isRunning) throw org.violation('a cancellation ended a paid period')
    return endSubscription(org)
  }
  if (!isRunning) throw org.violation('an unpaid subscription continues after a cancellation')
  if (state.isCanceling) return
  org.previews.clear()
  org.open = null
  org.state = { ...state, isCanceling: true, scheduled: null }
}

/** Requests a change that may cost something. Of two concurrent requests only one charges. */
async function charge(
  world: World,
  org: SimOrg,
  path: string,
  body: object,
  change: RequestedChange,
): Promise<void> {
  const isFree = change.dueMinor <= 0n || isWaived(world.prices, org, change.dueMinor)
  const outcomes = isFree ? ['ok'] : await chargeOutcomes(world, org)
  const refusals = refusalsOf(world, org)
  const expected = refusals ?? outcomes
  const isDouble = org.random() < 0.15
  const key = org.random() < 0.5 ? org.next() : undefined
  const once = () => sendRequest(world, org, 'POST', path, { body, ...(key && { key }) })
  const [first, second] = isDouble ? await Promise.all([once(), once()]) : [await once()]
  const answers: ApiAnswer[] = second ? [first, second] : [first]
  world.tally.add(isDouble ? 'doubled' : 'single')
  // The second request finds the change done and costs nothing.
  const decisive =
    answers
      .filter(({ code }) => expected.includes(code))
      .toSorted((a, b) => chargedBy(b) - chargedBy(a))[0] ?? first
  expectCode(org, decisive, expected, `a ${change.kind}`)
  // The other request may run before, after or during the first one.
  for (const other of answers)
    expectCode(
      org,
      other,
      isDouble
        ? [...expected, 'ok', 'change_in_progress', 'idempotency_in_progress', 'subscription_past_due']
        : expected,
      'the concurrent request',
    )
  if (!refusals) applyAnswer(world, org, decisive, change)
}

const chargedBy = ({ body }: ApiAnswer): number => Number(body.chargedMinor ?? -1)

/** Updates the model after an answer. */
function applyAnswer(world: World, org: SimOrg, answer: ApiAnswer, change: RequestedChange): void {
  const { reference } = answer.body as { reference?: string }
  switch (answer.code) {
    case 'ok': {
      const charged = minor(answer.body.chargedMinor)
      const expected =
        change.dueMinor > 0n && !isWaived(world.prices, org, change.dueMinor) ? change.dueMinor : 0n
      const off = charged - expected
      if (off > change.toleranceMinor || -off > change.toleranceMinor)
        throw org.violation(`a ${change.kind} charged ${charged}, expected ${expected}`)
      if (charged > 0n) org.unconfirmedChanges.push({ ...change, dueMinor: charged })
      else applyChange(world.prices, org, change, world.clock.now())
      return
    }
    case 'card_challenged':
    case 'rail_unavailable':
      if (reference === undefined) throw org.violation(`an undecided charge has no reference: ${answer.text}`)
      org.changesByReference.set(reference, change)
      org.open = change
  }
}

export const isChangeOpen = ({ clock }: World, { open }: SimOrg): boolean =>
  open !== null && clock.now().getTime() < open.askedAt.getTime() + CHANGE_MS

function drawChange(world: World, org: SimOrg): RequestedChange | null {
  const state = stateOf(org)
  const offer = drawOffer(org)
  if (!isHigher(offerOf(state), offer) || !roomFor(world, org, offer)) return null
  return priceChange(world, org, 'change', offer, seatsAfter(world.prices, org, offer, state.seats))
}

function drawSeats(world: World, org: SimOrg): RequestedChange | null {
  const state = stateOf(org)
  if (world.prices.of(org.currency, offerOf(state)).seatPriceMinor === 0n) return null
  const seats = Math.max(org.members, 1 + Math.floor(org.random() * 12))
  return priceChange(world, org, 'seats', offerOf(state), seats)
}

/** The price of a preview from the last hour, or the expected price. */
function priceChange(
  world: World,
  org: SimOrg,
  kind: RequestedChange['kind'],
  offer: Offer,
  seats: number,
): RequestedChange {
  const now = world.clock.now()
  const previewed = org.previews.get(nameOf({ kind, offer, seats }))
  if (previewed && now.getTime() < previewed.at.getTime() + HOUR_MS) return { ...previewed, askedAt: now }
  const state = stateOf(org)
  const dueMinor =
    kind === 'seats' && seats <= state.seatsPaid ? 0n : priceOf(world.prices, org, offer, seats, now)
  return { kind, offer, seats, dueMinor, toleranceMinor: 1n, at: now, askedAt: now }
}
