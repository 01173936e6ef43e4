// Collects a bill from the cards of an organisation, one card after the other. Two payments never run at once.
import { createHash } from 'node:crypto'
import {
  abandonPayment,
  type CardCharge,
  type ChargeOutcome,
  cardChargesOf,
  chargeStoredCard,
  oldestOpenPaymentOf,
  type Payment,
  reconcileCharge,
} from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import { type ChargeableCard, chargeableCards } from '../cards/cards.ts'
import { countDecline, isBelowDeclineLimit } from '../cards/decline-limit.ts'
import { type Bill, readBillOutcome } from './bills.ts'
import { isPaidFromWallet, payFromWallet } from './pay-from-wallet.ts'

export type CollectResult =
  | { readonly outcome: 'paid'; readonly reference: string }
  | { readonly outcome: 'challenged'; readonly reference: string; readonly authorizationUrl: string }
  | { readonly outcome: 'declined'; readonly reason: string }
  | { readonly outcome: 'no_card' }
  | { readonly outcome: 'pending'; readonly reference: string }

/** The origin of the charge: an owner who waits for the answer, or the renewal schedule. */
export type ChargeTrigger = 'owner' | 'schedule'

type OwedBill = Pick<Bill, 'id' | 'orgId' | 'userId' | 'amountMinor' | 'currency' | 'kind'>

/**
 * Tries the cards until one pays. A decline moves to the next card; any other outcome stops. An undecided payment
 * of this bill is reconciled first, and no second payment starts beside it. A payment that only waits for its payer
 * is abandoned if there is a better card to try. Repeating an attempt resumes it and charges nothing twice.
 */
export async function collectBill(
  app: App,
  bill: OwedBill,
  attempt: number,
  trigger: ChargeTrigger = 'schedule',
): Promise<CollectResult> {
  if (isPaidFromWallet(bill.currency)) return payFromWallet(app, bill)
  const { openPayment, cards, charges } = await app.db.tx(bill.orgId, async (tx) => ({
    openPayment: await oldestOpenPaymentOf(tx, bill.id),
    cards: await chargeableCards(app, tx, bill.orgId),
    charges: await cardChargesOf(tx, bill.id),
  }))
  const isOpen = ({ id }: ChargeableCard) => openPayment?.reference === chargeReference(bill.id, attempt, id)
  const isEarlier = ({ cardId, reference }: CardCharge) =>
    reference !== chargeReference(bill.id, attempt, cardId)
  const earlier = charges.filter(isEarlier)
  const challengedCards = new Set(earlier.filter(({ hasAsked }) => hasAsked).map(({ cardId }) => cardId))
  if (openPayment && !cards.some(isOpen)) {
    const ended = await reconcileEarlierPayment(
      app,
      bill,
      openPayment,
      trigger === 'owner' || isSuperseded(openPayment, cards, challengedCards),
      trigger,
    )
    if (ended) return ended
  }
  // The card with the open payment comes first: it may never have been charged. Cards whose bank asked for a
  // confirmation come last.
  const priority = (card: ChargeableCard): number => (isOpen(card) ? 0 : challengedCards.has(card.id) ? 2 : 1)
  const queue = cards.toSorted((one, other) => priority(one) - priority(other))
  const triedCards = new Set(earlier.map(({ cardId }) => cardId))
  return chargeInTurn(app, { bill, attempt, trigger, queue, triedCards })
}

type ChargeQueue = {
  readonly bill: OwedBill
  readonly attempt: number
  readonly trigger: ChargeTrigger
  readonly queue: readonly ChargeableCard[]
  /** The cards that earlier attempts charged. */
  readonly triedCards: ReadonlySet<string>
}

async function chargeInTurn(
  app: App,
  { bill, attempt, trigger, queue, triedCards }: ChargeQueue,
): Promise<CollectResult> {
  const { id: billId, orgId, amountMinor, currency } = bill
  let reason: string | null = null
  for (const [index, card] of queue.entries()) {
    const ended = await findBillEnd(app, bill)
    if (ended) return ended
    // The caller checked the limit before the first card. A card with an open payment is reconciled in any case.
    if (trigger === 'owner' && index > 0 && !(await isBelowDeclineLimit(app, orgId))) break
    const reference = chargeReference(billId, attempt, card.id)
    const userId = bill.userId ?? card.userId
    const charged = await chargeStoredCard(app, {
      ...{ reference, billId, orgId, userId, card, amountMinor, currency },
    })
    // A challenge must not block the untried cards a second time.
    const isBlockingOthers =
      canAbandonCharge(bill) &&
      triedCards.size > 0 &&
      queue.slice(index + 1).some(({ id }) => !triedCards.has(id))
    const end =
      charged.outcome === 'challenged' && isBlockingOthers
        ? await abandonPayment(app, { orgId, reference })
        : charged
    if (end.outcome !== 'declined') return toCollectResult(end, reference)
    if (trigger === 'owner') await countDecline(app, orgId)
    reason = end.reason
  }
  return reason === null ? { outcome: 'no_card' } : { outcome: 'declined', reason }
}

/**
 * 28 lowercase letters and digits, deterministic: the same attempt with the same card always has the same
 * reference.
 */
export function chargeReference(billId: string, attempt: number, cardId: string): string {
  const digest = createHash('sha256').update(`${billId} ${attempt} ${cardId}`).digest('hex')
  return `sb${BigInt(`0x${digest}`).toString(36).padStart(50, '0').slice(-26)}`
}

async function reconcileEarlierPayment(
  app: App,
  bill: OwedBill,
  openPayment: Payment,
  isReplaceable: boolean,
  trigger: ChargeTrigger,
): Promise<CollectResult | null> {
  const reconciled = await reconcileCharge(app, { orgId: bill.orgId, reference: openPayment.reference })
  const isAbandoned = reconciled.outcome === 'challenged' && isReplaceable && canAbandonCharge(bill)
  const end = isAbandoned ? await abandonCharge(app, bill, openPayment, trigger) : reconciled
  // The unanswered charge counts as an attempt, maybe the last one. The caller checks that before the next attempt.
  if (end.outcome === 'declined' && end.isUnanswered)
    return { outcome: 'pending', reference: openPayment.reference }
  return end.outcome === 'declined' ? null : toCollectResult(end, openPayment.reference)
}

/**
 * Abandons a payment that only waits for its payer. If it is paid nevertheless, the money pays the bill or stays in
 * the wallet.
 */
export async function abandonCharge(
  app: App,
  { orgId }: Pick<OwedBill, 'orgId'>,
  { reference, cardId }: Payment,
  trigger: ChargeTrigger,
): Promise<ChargeOutcome> {
  if (cardId !== null && trigger === 'owner') await countDecline(app, orgId)
  return abandonPayment(app, { orgId, reference })
}

/** Only renewals. A change is abandoned together with its payment. */
const canAbandonCharge = ({ kind }: OwedBill): boolean => kind === 'renewal'

/**
 * Whether a better card exists: one that was stored later, or another default. A page that the owner opened is
 * kept.
 */
function isSuperseded(
  { createdAt, cardId }: Payment,
  cards: readonly ChargeableCard[],
  challengedCards: ReadonlySet<string>,
): boolean {
  if (cardId === null) return false
  return cards.some((card) => card.createdAt > createdAt || (card.isDefault && !challengedCards.has(card.id)))
}

/** An older payment may have succeeded between two cards. */
async function findBillEnd(app: App, { id, orgId }: OwedBill): Promise<CollectResult | null> {
  const bill = await app.db.tx(orgId, (tx) => readBillOutcome(tx, id))
  if (bill?.status === 'open') return null
  if (bill?.paidBy) return { outcome: 'paid', reference: bill.paidBy }
  return { outcome: 'declined', reason: 'The bill was abandoned before it was paid.' }
}

const toCollectResult = (
  charged: Exclude<ChargeOutcome, { outcome: 'declined' }>,
  reference: string,
): CollectResult => ({ ...charged, reference })
