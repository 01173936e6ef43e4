// Actions of customers and banks on cards.
import { chooseWeighted } from '@cowrie/testkit/harness/seeded.ts'
import type { Card, CardBehaviour } from '../bank/bank-entry.ts'
import type { SimOrg } from '../org.ts'
import type { World } from '../world.ts'
import { expectCode, sendRequest } from './request.ts'

type ListedCard = { id: string; last4: string; isDefault: boolean; expired: boolean; createdAt: string }

const MOODS: Readonly<Record<CardBehaviour, number>> = { pays: 70, declines: 14, asks: 8, silent: 8 }
const PATIENT: Readonly<Record<'soon' | 'later' | 'never', number>> = { soon: 70, later: 20, never: 10 }

/** A unique physical card. Most are valid for years. */
export function newCard({ clock }: World, org: SimOrg): Card {
  const { random } = org
  const months = clock.now().getUTCMonth() + 2 + Math.floor(random() * 50)
  const card: Card = {
    signature: `SIG_${org.next()}`,
    last4: String(1_000 + org.cards.length),
    expMonth: (months % 12) + 1,
    expYear: clock.now().getUTCFullYear() + Math.floor(months / 12),
    isReusable: random() < 0.95,
    behaviour: random() < 0.85 ? 'pays' : chooseWeighted(random, MOODS),
  }
  org.cards.push(card)
  return card
}

/** A known card or a new one. */
export function pickOrAddCard(world: World, org: SimOrg): Card {
  const { random } = org
  const known = org.cards[Math.floor(random() * org.cards.length)]
  return known && random() < 0.5 ? known : newCard(world, org)
}

/** The payer completes the page immediately, later or never. */
export function visitPage(world: World, org: SimOrg, reference: string): void {
  const patience = chooseWeighted(org.random, PATIENT)
  if (patience === 'soon') finishPage(world, org, reference)
  if (patience === 'later') org.openPages.push(reference)
}

/** Completes a page that was left open. */
export async function finishOpenPage(world: World, org: SimOrg): Promise<void> {
  const reference = org.openPages.shift()
  if (reference !== undefined) finishPage(world, org, reference)
}

function finishPage(world: World, org: SimOrg, reference: string): void {
  const isPaid = world.bank.payPage(reference, pickOrAddCard(world, org))
  org.note(`the page of ${reference} is ${isPaid ? 'paid' : 'declined'}`)
  world.tally.add(isPaid ? 'pages paid' : 'pages declined')
}

export async function addCard(world: World, org: SimOrg): Promise<void> {
  const answer = await sendRequest(world, org, 'POST', '/payment-methods', { body: {}, key: org.next() })
  expectCode(org, answer, [world.bank.isDown ? 'rail_unavailable' : 'ok'], 'adding a card')
  if (answer.code !== 'ok') return
  const { reference } = answer.body as { reference: string }
  visitPage(world, org, reference)
}

export async function preferCard(world: World, org: SimOrg): Promise<void> {
  const card = pick(org, await listed(world, org))
  if (!card) return
  const answer = await sendRequest(world, org, 'POST', `/payment-methods/${card.id}/default`, { body: {} })
  expectCode(org, answer, ['ok'], 'another default card')
}

export async function removeCard(world: World, org: SimOrg): Promise<void> {
  const card = pick(org, await listed(world, org))
  if (!card) return
  const answer = await sendRequest(world, org, 'DELETE', `/payment-methods/${card.id}`)
  expectCode(org, answer, ['ok'], 'the removal of a card')
}

/** The bank starts to treat a card differently. */
export async function changeCardBehaviour({ tally }: World, org: SimOrg): Promise<void> {
  const card = pick(org, org.cards)
  if (!card) return
  card.behaviour = chooseWeighted(org.random, MOODS)
  org.note(`the card ending in ${card.last4} now ${card.behaviour}`)
  tally.add(`moods ${card.behaviour}`)
}

/** The expected outcome of a charge: cards are tried from the default one to the newest, until one is not declined. */
export async function chargeOutcomes(world: World, org: SimOrg): Promise<string[]> {
  const cards = (await listed(world, org)).filter(({ expired }) => !expired)
  if (cards.length === 0) return ['no_payment_method']
  if (world.bank.isDown) return ['rail_unavailable']
  const moods = cards.map(({ last4 }) => org.cards.find((card) => card.last4 === last4)?.behaviour)
  const mood = moods.find((each) => each !== 'declines')
  const outcome = mood ? OUTCOMES[mood] : 'card_declined'
  return world.bank.mayBeCircuitOpen ? [outcome, 'rail_unavailable'] : [outcome]
}

const OUTCOMES: Readonly<Record<Exclude<CardBehaviour, 'declines'>, string>> = {
  pays: 'ok',
  asks: 'card_challenged',
  silent: 'rail_unavailable',
}

/** In the order in which they are charged. */
async function listed(world: World, org: SimOrg): Promise<ListedCard[]> {
  const answer = await sendRequest(world, org, 'GET', '/payment-methods')
  expectCode(org, answer, ['ok'], 'the list of cards')
  const { paymentMethods } = answer.body as { paymentMethods: ListedCard[] }
  const defaults = paymentMethods.filter(({ isDefault }) => isDefault).length
  if (defaults !== Math.min(paymentMethods.length, 1))
    throw org.violation(`${defaults} of ${paymentMethods.length} cards are the default one`)
  return paymentMethods.toSorted(
    (a, b) =>
      Number(b.isDefault) - Number(a.isDefault) || compare(a.createdAt, b.createdAt) || compare(a.id, b.id),
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const pick = <T>({ random }: SimOrg, list: readonly T[]): T | undefined =>
  list[Math.floor(random() * list.length)]
