// Adds a card with a small payment, changes the default card, and removes cards.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import { cardRange, startCardPayment } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { CommittedReply, Once } from '../../platform/http/idempotency/idempotency.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { lockOrg } from '../subscriptions/subscriptions.ts'
import { isTopupCard } from '../topup-rule/topup-rule-sql.ts'
import { turnOffTopup } from '../topup-rule/turn-off.ts'
import { type Card, isExpired, toCard } from './cards.ts'
import * as sql from './cards-sql.ts'
import { FORGET_CARD } from './forget-card.ts'

export type CardCheck = {
  readonly reference: string
  readonly authorizationUrl: string
  readonly amountMinor: bigint
  readonly currency: Currency
}

/** Starts a small payment with the new card. The card is stored when the payment settles. */
export async function addCard(
  app: App,
  actor: Actor,
  once: Once,
  ip: string | null,
): Promise<CommittedReply<CardCheck>> {
  const { orgId, userId, email, org } = actor
  const { currency, name: orgName } = org
  const amountMinor = checkAmount(currency)
  const { reference, authorizationUrl } = await startCardPayment(app, {
    ...{ orgId, userId, orgName, email, amountMinor, currency, purpose: 'card', billId: null },
    reference: `cd${once.id.slice('idem_'.length)}`,
    description: 'Cowrie card check, added to your wallet',
  })
  return once.commit(orgId, async (tx) => {
    const metadata = { amountMinor, currency }
    await record(tx, { orgId, actor, ip, action: 'paymentMethods.add', target: reference, metadata })
    return { reference, authorizationUrl, amountMinor, currency }
  })
}

/** Small enough for the customer, and large enough for every bank. */
function checkAmount(currency: Currency): bigint {
  const minMinor = cardRange(currency)?.minMinor ?? MIN_MINOR
  return minMinor > MIN_MINOR ? minMinor : MIN_MINOR
}
const MIN_MINOR = 100n

export function setDefaultCard(app: App, actor: Actor, id: string, ip: string | null): Promise<Card> {
  return app.db.tx(actor.orgId, async (tx) => {
    const { card, orgId } = await lockCard(tx, actor.orgId, id)
    await sql.makeDefault(tx, orgId, card.id)
    // The default card did not change, so a renewal that this card already declined is not retried.
    await sql.retryRenewals(tx, orgId, card.isDefault ? card.id : null)
    await recordCardEvent(tx, actor, 'paymentMethods.setDefault', card, ip)
    return toCard({ ...card, isDefault: true }, tx.now)
  })
}

/**
 * If it was the default, the newest unexpired card becomes the default. An automatic top-up with it ends. A job deletes its
 * authorization at the provider.
 */
export function removeCard(app: App, actor: Actor, id: string, ip: string | null): Promise<void> {
  return app.db.tx(actor.orgId, async (tx) => {
    const { card, others, orgId } = await lockCard(tx, actor.orgId, id)
    await sql.markRemoved(tx, card.id)
    if (await isTopupCard(tx, orgId, card.id))
      await turnOffTopup(tx, orgId, { actor, ip, why: 'the card was removed' })
    const next = card.isDefault ? nextDefault(others, tx.now) : undefined
    if (next) await sql.makeDefault(tx, orgId, next.id)
    await enqueue(tx, FORGET_CARD, { cardId: card.id }, { key: card.id })
    await recordCardEvent(tx, actor, 'paymentMethods.remove', card, ip)
  })
}

async function lockCard(tx: Tx, orgId: OrgId, id: string) {
  await lockOrg(tx, orgId)
  const cards = await sql.findCards(tx, orgId)
  const card = cards.find((each) => each.id === id)
  if (!card) throw new ApiError('not_found')
  return { card, others: cards.filter((each) => each !== card), orgId }
}

function nextDefault(cards: readonly sql.CardRow[], now: Date): sql.CardRow | undefined {
  const newest = cards.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
  return newest.find((card) => !isExpired(card, now)) ?? newest[0]
}

const recordCardEvent = (
  tx: Tx,
  actor: Actor,
  action: string,
  { id, brand, last4 }: sql.CardRow,
  ip: string | null,
) => record(tx, { orgId: actor.orgId, actor, ip, action, target: id, metadata: { brand, last4 } })
