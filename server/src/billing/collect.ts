// Collecting a bill from an organisation's cards, one after the other, and never two payments at once.
import { createHash } from 'node:crypto'
import { askAbout, type ChargeOutcome, chargeStoredCard, pendingPaymentOf } from '../payments/payments.ts'
import type { App } from '../platform/app.ts'
import type { Bill } from './bills.ts'
import { chargeableCards } from './cards.ts'
import { billStanding } from './cards-sql.ts'
import { isPaidFromWallet, payFromWallet } from './from-wallet.ts'

export type Collected =
  | { readonly outcome: 'paid'; readonly reference: string }
  | { readonly outcome: 'challenged'; readonly reference: string; readonly authorizationUrl: string }
  | { readonly outcome: 'declined'; readonly reason: string }
  | { readonly outcome: 'no_card' }
  | { readonly outcome: 'pending'; readonly reference: string }

type Owed = Pick<Bill, 'id' | 'orgId' | 'userId' | 'amountMinor' | 'currency'>

/**
 * Tries the cards until one pays: a decline goes on to the next, and anything else stops. A payment of this bill that
 * nobody knows the end of is asked about first, and no other is begun beside it. The same attempt again goes on where it
 * stopped, and charges nothing twice.
 */
export async function collect(app: App, bill: Owed, attempt: number): Promise<Collected> {
  const { id: billId, orgId, amountMinor, currency } = bill
  if (isPaidFromWallet(currency)) return payFromWallet(app, bill)
  const { open, cards } = await app.db.tx(orgId, async (tx) => ({
    open: await pendingPaymentOf(tx, billId),
    cards: await chargeableCards(app, tx, orgId),
  }))
  const isOpen = (cardId: string) => open?.reference === referenceOf(billId, attempt, cardId)
  const resumed = cards.find(({ id }) => isOpen(id))
  const earlier = open && !resumed ? await askEarlier(app, bill, open.reference) : null
  if (earlier) return earlier

  let reason: string | null = null
  // The card whose payment is open goes first: it may never have been charged.
  for (const card of resumed ? [resumed, ...cards.filter(({ id }) => !isOpen(id))] : cards) {
    const ended = await endOf(app, bill)
    if (ended) return ended
    const reference = referenceOf(billId, attempt, card.id)
    const userId = bill.userId ?? card.userId
    const charge = { reference, billId, orgId, userId, card, amountMinor, currency }
    const charged = await chargeStoredCard(app, charge)
    if (charged.outcome !== 'declined') return toCollected(charged, reference)
    reason = charged.reason
  }
  return reason === null ? { outcome: 'no_card' } : { outcome: 'declined', reason }
}

/** 28 small letters and digits: the same for the same attempt at the same card, whoever makes it. */
export function referenceOf(billId: string, attempt: number, cardId: string): string {
  const digest = createHash('sha256').update(`${billId} ${attempt} ${cardId}`).digest('hex')
  return `sb${BigInt(`0x${digest}`).toString(36).padStart(50, '0').slice(-26)}`
}

async function askEarlier(app: App, { orgId }: Owed, reference: string): Promise<Collected | null> {
  const asked = await askAbout(app, { orgId, reference })
  return asked.outcome === 'declined' ? null : toCollected(asked, reference)
}

/** Between two cards an older payment may have come through. */
async function endOf(app: App, { id, orgId }: Owed): Promise<Collected | null> {
  const bill = await app.db.tx(orgId, (tx) => billStanding(tx, id))
  if (bill?.status === 'open') return null
  if (bill?.paidBy) return { outcome: 'paid', reference: bill.paidBy }
  return { outcome: 'declined', reason: 'This was given up before it was paid.' }
}

const toCollected = (
  charged: Exclude<ChargeOutcome, { outcome: 'declined' }>,
  reference: string,
): Collected => ({ ...charged, reference })
