// Collecting a bill from an organisation's cards, one after the other, and never two payments at once.
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

/** Who wants it now: somebody who waits for the answer, or the calendar. */
export type ChargeTrigger = 'owner' | 'schedule'

type OwedBill = Pick<Bill, 'id' | 'orgId' | 'userId' | 'amountMinor' | 'currency' | 'kind'>

/**
 * Tries the cards until one pays: a decline goes on to the next, and anything else stops. A payment of this bill that
 * nobody knows the end of is asked about first, and no other is begun beside it: one that only waits for its payer is
 * given up where there is something better to try. The same attempt again goes on where it stopped, and charges nothing twice.
 */
export async function collectBill(
  app: App,
  bill: OwedBill,
  attempt: number,
  by: ChargeTrigger = 'schedule',
): Promise<CollectResult> {
  if (isPaidFromWallet(bill.currency)) return payFromWallet(app, bill)
  const { open, cards, tries } = await app.db.tx(bill.orgId, async (tx) => ({
    open: await oldestOpenPaymentOf(tx, bill.id),
    cards: await chargeableCards(app, tx, bill.orgId),
    tries: await cardChargesOf(tx, bill.id),
  }))
  const isOpen = ({ id }: ChargeableCard) => open?.reference === chargeReference(bill.id, attempt, id)
  const isEarlier = ({ cardId, reference }: CardCharge) =>
    reference !== chargeReference(bill.id, attempt, cardId)
  const earlier = tries.filter(isEarlier)
  const asking = new Set(earlier.filter(({ hasAsked }) => hasAsked).map(({ cardId }) => cardId))
  if (open && !cards.some(isOpen)) {
    const ended = await reconcileEarlierPayment(
      app,
      bill,
      open,
      by === 'owner' || isSuperseded(open, cards, asking),
      by,
    )
    if (ended) return ended
  }
  // The card whose payment is open goes first: it may never have been charged. Those whose bank has asked come last.
  const place = (card: ChargeableCard): number => (isOpen(card) ? 0 : asking.has(card.id) ? 2 : 1)
  const queue = cards.toSorted((one, other) => place(one) - place(other))
  const tried = new Set(earlier.map(({ cardId }) => cardId))
  return chargeInTurn(app, { bill, attempt, by, queue, tried })
}

type ChargeQueue = {
  readonly bill: OwedBill
  readonly attempt: number
  readonly by: ChargeTrigger
  readonly queue: readonly ChargeableCard[]
  /** The cards that earlier attempts have charged. */
  readonly tried: ReadonlySet<string>
}

async function chargeInTurn(
  app: App,
  { bill, attempt, by, queue, tried }: ChargeQueue,
): Promise<CollectResult> {
  const { id: billId, orgId, amountMinor, currency } = bill
  let reason: string | null = null
  for (const [index, card] of queue.entries()) {
    const ended = await findBillEnd(app, bill)
    if (ended) return ended
    // Before the first card its caller has looked; one whose payment is open is asked about in any case.
    if (by === 'owner' && index > 0 && !(await isBelowDeclineLimit(app, orgId))) break
    const reference = chargeReference(billId, attempt, card.id)
    const userId = bill.userId ?? card.userId
    const charged = await chargeStoredCard(app, {
      ...{ reference, billId, orgId, userId, card, amountMinor, currency },
    })
    // One card's bank has kept the others from being asked before: not a second time.
    const isPassedOver =
      canAbandonCharge(bill) && tried.size > 0 && queue.slice(index + 1).some(({ id }) => !tried.has(id))
    const end =
      charged.outcome === 'challenged' && isPassedOver
        ? await abandonPayment(app, { orgId, reference })
        : charged
    if (end.outcome !== 'declined') return toCollectResult(end, reference)
    if (by === 'owner') await countDecline(app, orgId)
    reason = end.reason
  }
  return reason === null ? { outcome: 'no_card' } : { outcome: 'declined', reason }
}

/** 28 small letters and digits: the same for the same attempt at the same card, whoever makes it. */
export function chargeReference(billId: string, attempt: number, cardId: string): string {
  const digest = createHash('sha256').update(`${billId} ${attempt} ${cardId}`).digest('hex')
  return `sb${BigInt(`0x${digest}`).toString(36).padStart(50, '0').slice(-26)}`
}

async function reconcileEarlierPayment(
  app: App,
  bill: OwedBill,
  open: Payment,
  isUnwanted: boolean,
  by: ChargeTrigger,
): Promise<CollectResult | null> {
  const asked = await reconcileCharge(app, { orgId: bill.orgId, reference: open.reference })
  const isLetGo = asked.outcome === 'challenged' && isUnwanted && canAbandonCharge(bill)
  const end = isLetGo ? await abandonCharge(app, bill, open, by) : asked
  // It was a try of its own, and may have been the last: whoever decides that looks before the next.
  if (end.outcome === 'declined' && end.isUnanswered) return { outcome: 'pending', reference: open.reference }
  return end.outcome === 'declined' ? null : toCollectResult(end, open.reference)
}

/** Gives up what waits for its payer only. Should it be paid in spite of that, the bill or the wallet has it. */
export async function abandonCharge(
  app: App,
  { orgId }: Pick<OwedBill, 'orgId'>,
  { reference, cardId }: Payment,
  by: ChargeTrigger,
): Promise<ChargeOutcome> {
  if (cardId !== null && by === 'owner') await countDecline(app, orgId)
  return abandonPayment(app, { orgId, reference })
}

/** A change is given up together with its payment. */
const canAbandonCharge = ({ kind }: OwedBill): boolean => kind === 'renewal'

/** There is something new to pay with: a card that was stored since, or another default. A page is left to who opened it. */
function isSuperseded(
  { createdAt, cardId }: Payment,
  cards: readonly ChargeableCard[],
  asking: ReadonlySet<string>,
): boolean {
  if (cardId === null) return false
  return cards.some((card) => card.createdAt > createdAt || (card.isDefault && !asking.has(card.id)))
}

/** Between two cards an older payment may have come through. */
async function findBillEnd(app: App, { id, orgId }: OwedBill): Promise<CollectResult | null> {
  const bill = await app.db.tx(orgId, (tx) => readBillOutcome(tx, id))
  if (bill?.status === 'open') return null
  if (bill?.paidBy) return { outcome: 'paid', reference: bill.paidBy }
  return { outcome: 'declined', reason: 'This was given up before it was paid.' }
}

const toCollectResult = (
  charged: Exclude<ChargeOutcome, { outcome: 'declined' }>,
  reference: string,
): CollectResult => ({ ...charged, reference })
