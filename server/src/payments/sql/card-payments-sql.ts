// Payments by card that are no top-ups: for checking a card, and for bills.
import type { OrgId } from '../../kernel/ids.ts'
import { json, type Tx } from '../../platform/db/tx.ts'
import type { NewTopup, Topup } from './payments.ts'

export type NewCardPayment = Omit<NewTopup, 'userId' | 'phoneSealed' | 'channel'> & {
  purpose: 'card' | 'bill'
  billId: string | null
  /** The stored card that is charged; null where the payer is sent to a page. */
  cardId: string | null
  userId: string
}

export function insertCardPayment(tx: Tx, it: NewCardPayment): Promise<Topup> {
  return tx.one<Topup>`
    insert into payments (reference, org_id, user_id, purpose, bill_id, card_id, channel, rail, account, mode, currency,
                          amount_minor, email, next_check_at, created_at, expires_at)
    values (${it.reference}, ${it.orgId}, ${it.userId}, ${it.purpose}, ${it.billId}, ${it.cardId}, 'card', ${it.rail},
            ${it.account}, ${it.mode}, ${it.currency}, ${it.amountMinor}, ${it.email}, ${it.nextCheckAt}, ${tx.now}, ${it.expiresAt})
    returning reference, org_id as "orgId", channel, rail, account, mode, currency, amount_minor as "amountMinor", email, status,
              reason, hand_off as "handOff", created_at as "createdAt", expires_at as "expiresAt",
              settled_at as "settledAt"`
}

/** How many of these were begun since then and are still undecided. */
export async function countPendingCards(tx: Tx, org: OrgId, since: Date): Promise<number> {
  const { count } = await tx.one<{ count: number }>`
    select count(*)::int as count from payments
    where org_id = ${org} and status = 'pending' and purpose in ('card', 'bill') and created_at > ${since}`
  return count
}

/** The bank's page, on which the payer has until then. What is decided already stays so. */
export async function storeChallenge(
  tx: Tx,
  reference: string,
  authorizationUrl: string,
  expiresAt: Date,
): Promise<void> {
  await tx.rows`
    update payments set hand_off = ${json({ authorizationUrl })}::jsonb, expires_at = ${expiresAt}
    where reference = ${reference} and status = 'pending'`
}

export type BillPayment = {
  reference: string
  status: 'pending' | 'review'
  /** Null where the payer was sent to a page instead of a stored card being charged. */
  cardId: string | null
  authorizationUrl: string | null
  createdAt: Date
  expiresAt: Date
}

/** The payment of a bill that nobody knows the end of yet, the oldest if there are several. */
export function oldestOpenPaymentOf(tx: Tx, billId: string): Promise<BillPayment | undefined> {
  return tx.maybe<BillPayment>`
    select reference, status, card_id as "cardId", hand_off ->> 'authorizationUrl' as "authorizationUrl",
           created_at as "createdAt", expires_at as "expiresAt"
    from payments where bill_id = ${billId} and status in ('pending', 'review') order by created_at, reference limit 1`
}

/** All of them, as far as anybody counts. */
export function openPaymentsOf(tx: Tx, billId: string): Promise<BillPayment[]> {
  return tx.rows<BillPayment>`
    select reference, status, card_id as "cardId", hand_off ->> 'authorizationUrl' as "authorizationUrl",
           created_at as "createdAt", expires_at as "expiresAt"
    from payments where bill_id = ${billId} and status in ('pending', 'review') order by created_at, reference limit 20`
}
