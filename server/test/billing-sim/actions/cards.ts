// What customers do with their cards, and what their banks do with them.
import { chooseWeighted } from '../../money-sim/draw-step.ts'
import type { Card, CardBehaviour } from '../bank/bank.ts'
import type { SimOrg } from '../org.ts'
import type { World } from '../world.ts'
import { expectCode, sendRequest } from './request.ts'

type ListedCard = { id: string; last4: string; isDefault: boolean; expired: boolean; createdAt: string }

const MOODS: Readonly<Record<CardBehaviour, number>> = { pays: 70, declines: 14, asks: 8, silent: 8 }
const PATIENT: Readonly<Record<'soon' | 'later' | 'never', number>> = { soon: 70, later: 20, never: 10 }

/** A physical card that nobody else has. Most are good for years. */
export function newCard({ clock }: World, life: SimOrg): Card {
  const { random } = life
  const months = clock.now().getUTCMonth() + 2 + Math.floor(random() * 50)
  const card: Card = {
    signature: `SIG_${life.next()}`,
    last4: String(1_000 + life.cards.length),
    expMonth: (months % 12) + 1,
    expYear: clock.now().getUTCFullYear() + Math.floor(months / 12),
    isReusable: random() < 0.95,
    behaviour: random() < 0.85 ? 'pays' : chooseWeighted(random, MOODS),
  }
  life.cards.push(card)
  return card
}

/** One of those at hand that would pay, or a new one. */
export function pickOrAddCard(world: World, life: SimOrg): Card {
  const { random } = life
  const known = life.cards[Math.floor(random() * life.cards.length)]
  return known && random() < 0.5 ? known : newCard(world, life)
}

/** The payer finishes a page at once, later or never; once it is paid, the provider tells us or does not. */
export function visitPage(world: World, life: SimOrg, reference: string): void {
  const patience = chooseWeighted(life.random, PATIENT)
  if (patience === 'soon') finishPage(world, life, reference)
  if (patience === 'later') life.openPages.push(reference)
}

/** A page that was left open is paid after all. */
export async function finishOpenPage(world: World, life: SimOrg): Promise<void> {
  const reference = life.openPages.shift()
  if (reference !== undefined) finishPage(world, life, reference)
}

function finishPage(world: World, life: SimOrg, reference: string): void {
  const isPaid = world.bank.payPage(reference, pickOrAddCard(world, life))
  life.note(`the page of ${reference} is ${isPaid ? 'paid' : 'declined'}`)
  world.tally.add(isPaid ? 'pages paid' : 'pages declined')
}

export async function addCard(world: World, life: SimOrg): Promise<void> {
  const answer = await sendRequest(world, life, 'POST', '/payment-methods', { body: {}, key: life.next() })
  expectCode(life, answer, [world.bank.isDown ? 'rail_unavailable' : 'ok'], 'adding a card')
  if (answer.code !== 'ok') return
  const { reference } = answer.body as { reference: string }
  visitPage(world, life, reference)
}

export async function preferCard(world: World, life: SimOrg): Promise<void> {
  const card = pick(life, await listed(world, life))
  if (!card) return
  const answer = await sendRequest(world, life, 'POST', `/payment-methods/${card.id}/default`, { body: {} })
  expectCode(life, answer, ['ok'], 'another default card')
}

export async function removeCard(world: World, life: SimOrg): Promise<void> {
  const card = pick(life, await listed(world, life))
  if (!card) return
  const answer = await sendRequest(world, life, 'DELETE', `/payment-methods/${card.id}`)
  expectCode(life, answer, ['ok'], 'the removal of a card')
}

/** A bank changes its mind about a card. */
export async function changeCardBehaviour({ tally }: World, life: SimOrg): Promise<void> {
  const card = pick(life, life.cards)
  if (!card) return
  card.behaviour = chooseWeighted(life.random, MOODS)
  life.note(`the card ending in ${card.last4} now ${card.behaviour}`)
  tally.add(`moods ${card.behaviour}`)
}

/** What charging the cards must come to now: the default one first, then the oldest, until one does not decline. */
export async function chargeOutcomes(world: World, life: SimOrg): Promise<string[]> {
  const cards = (await listed(world, life)).filter(({ expired }) => !expired)
  if (cards.length === 0) return ['no_payment_method']
  if (world.bank.isDown) return ['rail_unavailable']
  const moods = cards.map(({ last4 }) => life.cards.find((card) => card.last4 === last4)?.behaviour)
  const mood = moods.find((each) => each !== 'declines')
  const outcome = mood ? OUTCOMES[mood] : 'card_declined'
  return world.bank.mayBeCircuitOpen ? [outcome, 'rail_unavailable'] : [outcome]
}

const OUTCOMES: Readonly<Record<Exclude<CardBehaviour, 'declines'>, string>> = {
  pays: 'ok',
  asks: 'card_challenged',
  silent: 'rail_unavailable',
}

/** As they are charged. */
async function listed(world: World, life: SimOrg): Promise<ListedCard[]> {
  const answer = await sendRequest(world, life, 'GET', '/payment-methods')
  expectCode(life, answer, ['ok'], 'the list of cards')
  const { paymentMethods } = answer.body as { paymentMethods: ListedCard[] }
  const defaults = paymentMethods.filter(({ isDefault }) => isDefault).length
  if (defaults !== Math.min(paymentMethods.length, 1))
    throw life.violation(`${defaults} of ${paymentMethods.length} cards are the default one`)
  return paymentMethods.toSorted(
    (a, b) =>
      Number(b.isDefault) - Number(a.isDefault) || compare(a.createdAt, b.createdAt) || compare(a.id, b.id),
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const pick = <T>({ random }: SimOrg, list: readonly T[]): T | undefined =>
  list[Math.floor(random() * list.length)]
