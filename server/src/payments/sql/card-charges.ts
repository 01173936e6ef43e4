// Charges of stored cards: for bills, and for automatic top-ups.
import { before } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'

/** `hasAsked`: the bank asked the customer to confirm. */
export type CardCharge = { cardId: string; reference: string; hasAsked: boolean }

/** The charges of stored cards for a bill, the newest first. */
export function cardChargesOf(tx: Tx, billId: string): Promise<CardCharge[]> {
  return tx.rows<CardCharge>`
    select card_id as "cardId", reference, coalesce(hand_off ->> 'authorizationUrl', '') <> '' as "hasAsked"
    from payments where bill_id = ${billId} and card_id is not null order by created_at desc, reference limit 500`
}

/** Charges of stored cards for a bill that expired before the provider answered. */
export async function countUnansweredCharges(tx: Tx, billId: string): Promise<number> {
  const { n } = await tx.one<{ n: number }>`
    select count(*)::int as n from payments
    where bill_id = ${billId} and status = 'expired' and card_id is not null`
  return n
}

/** The bills of an organisation that a stored card was charged for. */
export async function billsChargedTo(tx: Tx, org: OrgId, cardId: string): Promise<string[]> {
  const rows = await tx.rows<{ billId: string }>`
    select distinct bill_id as "billId" from payments
    where org_id = ${org} and card_id = ${cardId} and bill_id is not null`
  return rows.map(({ billId }) => billId)
}

/** The reference of the payment that settled a bill under this invoice. */
export async function settledPaymentOf(
  tx: Tx,
  billId: string,
  invoiceId: string | null,
): Promise<string | null> {
  const row = await tx.maybe<{ reference: string }>`
    select reference from payments
    where bill_id = ${billId} and status = 'settled' and invoice_id = ${invoiceId}`
  return row?.reference ?? null
}

/** The page of a bank can be paid for less than a day, also after the payment was replaced. */
export const BANK_PAGE_LIFETIME = { hours: 24 } as const

/** `replacedMinor`: the part that counts only until the pages of replaced charges have expired. */
export type AutomaticTopups = { minor: bigint; replacedMinor: bigint }

/** The automatic top-ups since an instant that are paid or may still be paid, without the one with the reference `except`. */
export function automaticTopupsSince(
  tx: Tx,
  org: OrgId,
  since: Date,
  except: string | null = null,
): Promise<AutomaticTopups> {
  return tx.one<AutomaticTopups>`
    select coalesce(sum(amount_minor), 0)::bigint as minor,
           coalesce(sum(amount_minor) filter (where status = 'failed'), 0)::bigint as "replacedMinor"
    from payments
    where org_id = ${org} and purpose = 'topup' and card_id is not null and created_at >= ${since}
      and reference is distinct from ${except}
      and (status in ('pending', 'review', 'settled', 'expired')
           or (status = 'failed' and created_at > ${before(tx.now, BANK_PAGE_LIFETIME)}
               and coalesce(hand_off ->> 'authorizationUrl', '') <> ''))`
}

/**
 * Whether a card payment is disputed, or was reversed, refunded or lost in a dispute after this instant. Refunds to the payer by
 * staff do not count.
 */
export async function hasContestedCardPayment(tx: Tx, org: OrgId, since: Date): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>`
    select exists (
      select from payments p where p.org_id = ${org} and p.channel = 'card' and (p.disputed_minor > 0
        or (p.reversed_at >= ${since} and not exists (
              select from source_refunds s where s.reference = p.reference and s.state = 'done'))
        or exists (select from payment_returns r where r.reference = p.reference and r.state <> 'kept'
                   and r.decided_at >= ${since} and not exists (
                     select from source_refunds s where s.reference = r.reference and s.return_key = r.return_key)))) as found`
  return found
}
