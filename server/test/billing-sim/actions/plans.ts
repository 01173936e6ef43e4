// What customers do with their plans.

import { chooseWeighted } from '../../money-sim/draw-step.ts'
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

export async function checkOut(world: World, life: SimOrg): Promise<void> {
  const offer = drawOffer(life)
  const body = { planCode: offer.plan, interval: offer.interval }
  const key = life.random() < 0.5 ? life.next() : undefined
  const answer = await sendRequest(world, life, 'POST', '/subscription/checkout', {
    body,
    ...(key && { key }),
  })
  const isLive = life.state !== null
  if (isLive && (isPaid(stateOf(life)) || offer.plan === 'free')) {
    const isBehind = stateOf(life).status === 'past_due'
    const refusal = isBehind ? 'subscription_past_due' : 'subscription_exists'
    return expectCode(life, answer, [refusal], 'a second checkout')
  }
  if (!roomFor(world, life, offer)) {
    expectCode(life, answer, ['seats_below_occupied'], 'a checkout without room')
    return
  }
  if (offer.plan === 'free') {
    expectCode(life, answer, ['ok'], 'a free checkout')
    startSubscription(world.prices, life, offer, wholeSecond(world.clock.now()))
    return
  }
  const { reference } = answer.body as { reference?: string }
  // A page that is open for the same is told again, also while its provider is away.
  const isToldAgain = reference !== undefined && life.checkoutOffers.has(reference)
  const isRefused = world.bank.isDown && !isToldAgain
  expectCode(life, answer, [isRefused ? 'rail_unavailable' : 'ok'], 'a checkout')
  if (reference === undefined) return
  life.checkoutOffers.set(reference, offer)
  if (answer.code === 'ok') visitPage(world, life, reference)
}

const roomFor = ({ prices }: World, life: SimOrg, offer: Offer): boolean => {
  const { seatPriceMinor, seatAllotment } = prices.of(life.currency, offer)
  const seats = offer.plan === 'free' ? life.ownSeats : seatAllotment
  return seatPriceMinor > 0n || life.members <= seats
}

/** Asks what something would cost, and may do it later. */
export async function preview(world: World, life: SimOrg): Promise<void> {
  if (!life.state) return
  const wanted = life.random() < 0.3 ? drawSeats(world, life) : drawChange(world, life)
  if (!wanted) return
  const body =
    wanted.kind === 'seats'
      ? { seats: wanted.seats }
      : { planCode: wanted.offer.plan, interval: wanted.offer.interval }
  const answer = await sendRequest(world, life, 'POST', '/subscription/preview', { body })
  const refusals = refusalsOf(world, life)
  const isPossible = refusals === null
  expectCode(life, answer, isPossible ? ['ok'] : ['ok', ...refusals], 'a preview')
  if (answer.code !== 'ok' || !isPossible) return
  const told = minor(answer.body.chargeNowMinor) - minor(answer.body.walletCreditMinor)
  const expected = isWaived(world.prices, life, wanted.dueMinor) ? 0n : wanted.dueMinor
  if (told - expected > 1n || expected - told > 1n)
    throw life.violation(`a preview says ${told} where ${expected} is fair: ${toText(body)}`)
  const toldMinor = isWaived(world.prices, life, wanted.dueMinor) ? wanted.dueMinor : told
  life.previews.set(nameOf(wanted), { ...wanted, dueMinor: toldMinor, toleranceMinor: 0n })
}

/** As the service tells previews apart. */
const nameOf = ({ kind, offer, seats }: Pick<RequestedChange, 'kind' | 'offer' | 'seats'>): string =>
  kind === 'seats' ? `seats/${seats}` : `${offer.plan}/${offer.interval}`

const lastPreview = (
  { previews: told }: SimOrg,
  kind: RequestedChange['kind'],
): RequestedChange | undefined => [...told.values()].findLast((each) => each.kind === kind)

/** Does what was previewed, or something else, or the same twice at once. */
export async function changePlan(world: World, life: SimOrg): Promise<void> {
  const offer = lastPreview(life, 'change')?.offer ?? drawOffer(life)
  const body = { planCode: offer.plan, interval: offer.interval }
  const { state } = life
  if (!state) {
    const answer = await sendRequest(world, life, 'POST', '/subscription/change', { body })
    return expectCode(life, answer, ['no_subscription'], 'a change of nothing')
  }
  if (isSame(offerOf(state), offer)) return keepPlan(world, life, body)
  if (!isHigher(offerOf(state), offer)) return downgrade(world, life, offer, body)
  if (!roomFor(world, life, offer)) {
    const answer = await sendRequest(world, life, 'POST', '/subscription/change', { body })
    expectCode(life, answer, refusalsOf(world, life) ?? ['seats_below_occupied'], 'a change without room')
    return
  }
  const wanted = priceChange(world, life, 'change', offer, seatsAfter(world.prices, life, offer, state.seats))
  await charge(world, life, '/subscription/change', body, wanted)
}

async function keepPlan(world: World, life: SimOrg, body: object): Promise<void> {
  const answer = await sendRequest(world, life, 'POST', '/subscription/change', { body })
  expectCode(life, answer, refusalsOf(world, life) ?? ['ok'], 'staying')
  if (answer.code !== 'ok') return
  if (answer.body.cleared !== true) throw life.violation(`staying was answered ${answer.text}`)
  const state = stateOf(life)
  if (state.scheduled || state.isCanceling) life.previews.clear()
  life.state = { ...state, scheduled: null, isCanceling: false }
}

async function downgrade(world: World, life: SimOrg, offer: Offer, body: object): Promise<void> {
  const answer = await sendRequest(world, life, 'POST', '/subscription/change', { body })
  const expected = refusalsOf(world, life) ?? [roomFor(world, life, offer) ? 'ok' : 'seats_below_occupied']
  expectCode(life, answer, expected, 'a downgrade')
  if (answer.code !== 'ok') return
  if (answer.body.scheduled !== true) throw life.violation(`a downgrade was answered ${answer.text}`)
  const state = stateOf(life)
  if (!state.scheduled || !isSame(state.scheduled, offer)) life.previews.clear()
  life.state = { ...state, scheduled: offer, isCanceling: false }
}

/** Why nothing can be changed right now; null where nothing stands in the way. */
function refusalsOf(world: World, life: SimOrg): string[] | null {
  const state = stateOf(life)
  if (state.status === 'past_due') return ['subscription_past_due']
  const isOver = state.periodEnd <= world.clock.now()
  return isOver || isChangeOpen(world, life) ? ['change_in_progress'] : null
}

export async function changeSeats(world: World, life: SimOrg): Promise<void> {
  const { state } = life
  const seats = lastPreview(life, 'seats')?.seats ?? 1 + Math.floor(life.random() * 12)
  const body = { seats }
  if (!state) {
    const answer = await sendRequest(world, life, 'POST', '/subscription/seats', { body })
    return expectCode(life, answer, ['no_subscription'], 'seats of nothing')
  }
  const { seatPriceMinor, seatAllotment } = world.prices.of(life.currency, offerOf(state))
  const wanted = priceChange(world, life, 'seats', offerOf(state), seats)
  if (seatPriceMinor > 0n ? seats < life.members : seats !== seatAllotment) {
    const answer = await sendRequest(world, life, 'POST', '/subscription/seats', { body })
    const expected = refusalsOf(world, life) ?? ['seats_below_occupied', 'seats_not_sold']
    return expectCode(life, answer, expected, 'seats that cannot be')
  }
  await charge(world, life, '/subscription/seats', body, wanted)
}

/** What was paid for runs to its end; what was not ends at once. */
export async function cancel(world: World, life: SimOrg): Promise<void> {
  const answer = await sendRequest(world, life, 'POST', '/subscription/cancel', { body: {} })
  const { state } = life
  // Without a live one there may be a checkout that waits for its payment.
  if (!state) return expectCode(life, answer, ['no_subscription', 'ok'], 'canceling nothing')
  expectCode(life, answer, ['ok'], 'a cancellation')
  const { subscription } = answer.body as { subscription: { status: string } }
  const isRunning = state.status === 'active' && state.periodEnd > world.clock.now()
  if (subscription.status === 'canceled') {
    if (isPaid(state) && isRunning) throw life.violation('what was paid for was taken away by a cancellation')
    return endSubscription(life)
  }
  if (!isRunning) throw life.violation('what is not paid for goes on after a cancellation')
  if (state.isCanceling) return
  life.previews.clear()
  life.open = null
  life.state = { ...state, isCanceling: true, scheduled: null }
}

/** Asks for what may cost something; two at once charge once. */
async function charge(
  world: World,
  life: SimOrg,
  path: string,
  body: object,
  wanted: RequestedChange,
): Promise<void> {
  const costsNothing = wanted.dueMinor <= 0n || isWaived(world.prices, life, wanted.dueMinor)
  const outcomes = costsNothing ? ['ok'] : await chargeOutcomes(world, life)
  const refusals = refusalsOf(world, life)
  const expected = refusals ?? outcomes
  const isDouble = life.random() < 0.15
  const key = life.random() < 0.5 ? life.next() : undefined
  const once = () => sendRequest(world, life, 'POST', path, { body, ...(key && { key }) })
  const [first, second] = isDouble ? await Promise.all([once(), once()]) : [await once()]
  const answers: ApiAnswer[] = second ? [first, second] : [first]
  world.tally.add(isDouble ? 'doubled' : 'single')
  // The second of two finds done what it wanted, and costs nothing more.
  const decisive =
    answers
      .filter(({ code }) => expected.includes(code))
      .toSorted((a, b) => chargedBy(b) - chargedBy(a))[0] ?? first
  expectCode(life, decisive, expected, `a ${wanted.kind}`)
  // The other of two may come first, second, or while the first is under way.
  for (const other of answers)
    expectCode(
      life,
      other,
      isDouble
        ? [...expected, 'ok', 'change_in_progress', 'idempotency_in_progress', 'subscription_past_due']
        : expected,
      'the other of two',
    )
  if (!refusals) applyAnswer(world, life, decisive, wanted)
}

const chargedBy = ({ body }: ApiAnswer): number => Number(body.chargedMinor ?? -1)

/** What an answer means for what is to come. */
function applyAnswer(world: World, life: SimOrg, answer: ApiAnswer, wanted: RequestedChange): void {
  const { reference } = answer.body as { reference?: string }
  switch (answer.code) {
    case 'ok': {
      const charged = minor(answer.body.chargedMinor)
      const expected =
        wanted.dueMinor > 0n && !isWaived(world.prices, life, wanted.dueMinor) ? wanted.dueMinor : 0n
      const off = charged - expected
      if (off > wanted.toleranceMinor || -off > wanted.toleranceMinor)
        throw life.violation(`a ${wanted.kind} charged ${charged} where ${expected} was told`)
      if (charged > 0n) life.unconfirmedChanges.push({ ...wanted, dueMinor: charged })
      else applyChange(world.prices, life, wanted, world.clock.now())
      return
    }
    case 'card_challenged':
    case 'rail_unavailable':
      if (reference === undefined)
        throw life.violation(`a charge without an end has no reference: ${answer.text}`)
      life.changesByReference.set(reference, wanted)
      life.open = wanted
  }
}

export const isChangeOpen = ({ clock }: World, { open }: SimOrg): boolean =>
  open !== null && clock.now().getTime() < open.askedAt.getTime() + CHANGE_MS

function drawChange(world: World, life: SimOrg): RequestedChange | null {
  const state = stateOf(life)
  const offer = drawOffer(life)
  if (!isHigher(offerOf(state), offer) || !roomFor(world, life, offer)) return null
  return priceChange(world, life, 'change', offer, seatsAfter(world.prices, life, offer, state.seats))
}

function drawSeats(world: World, life: SimOrg): RequestedChange | null {
  const state = stateOf(life)
  if (world.prices.of(life.currency, offerOf(state)).seatPriceMinor === 0n) return null
  const seats = Math.max(life.members, 1 + Math.floor(life.random() * 12))
  return priceChange(world, life, 'seats', offerOf(state), seats)
}

/** What it costs: what a preview of the last hour said, or what is fair. */
function priceChange(
  world: World,
  life: SimOrg,
  kind: RequestedChange['kind'],
  offer: Offer,
  seats: number,
): RequestedChange {
  const now = world.clock.now()
  const told = life.previews.get(nameOf({ kind, offer, seats }))
  if (told && now.getTime() < told.at.getTime() + HOUR_MS) return { ...told, askedAt: now }
  const state = stateOf(life)
  const dueMinor =
    kind === 'seats' && seats <= state.seatsPaid ? 0n : priceOf(world.prices, life, offer, seats, now)
  return { kind, offer, seats, dueMinor, toleranceMinor: 1n, at: now, askedAt: now }
}
