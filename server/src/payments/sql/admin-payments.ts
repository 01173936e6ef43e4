// Reads of payments for staff. All statements need platform scope.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { PageOfTexts, SealedText } from '../../platform/sealed-data.ts'
import type { Payment, PaymentStatus } from './payments.ts'

/** A payment with the columns that only staff see. */
export type AdminPayment = Omit<Payment, 'purpose' | 'billId' | 'cardId' | 'handOff'> & {
  orgName: string
  nextCheckAt: Date | null
  checks: number
  events: number
  /** Of an undecided refund to the payer. */
  refundingMinor: bigint
}

type Search = { reference: string | null; status: PaymentStatus | null; org: OrgId | null }

/** Newest first. */
export function findPayments(
  tx: Tx,
  { reference, status, org }: Search,
  before: TimeCursor | null,
  limit: number,
): Promise<AdminPayment[]> {
  return tx.rows<AdminPayment>`
    select p.reference, p.org_id as "orgId", o.name as "orgName", p.user_id as "userId", p.channel, p.rail, p.account, p.mode,
           p.status, p.reason, p.amount_minor as "amountMinor", p.said_minor as "saidMinor", p.captured_minor as "capturedMinor",
           p.refunded_minor as "refundedMinor", p.returned_minor as "returnedMinor", p.disputed_minor as "disputedMinor",
           p.repeat_of as "repeatOf", p.currency, p.email, p.provider_ref as "providerRef",
           p.transaction_id as "transactionId", p.created_at as "createdAt", p.expires_at as "expiresAt",
           p.settled_at as "settledAt", p.reversed_at as "reversedAt", p.decided_at as "decidedAt",
           p.next_check_at as "nextCheckAt", p.checks,
           coalesce((select amount_minor from source_refunds s where s.reference = p.reference and s.decided_at is null),
                    0)::bigint as "refundingMinor",
           (select count(*)::int from payment_events e where e.reference = p.reference) as events
    from payments p join org_profiles o on o.id = p.org_id
    where (${reference}::text is null or p.reference = ${reference})
      and (${status}::text is null or p.status = ${status})
      and (${org}::text is null or p.org_id = ${org})
      and (${before?.at ?? null}::timestamptz is null
           or (p.created_at, p.reference) < (${before?.at ?? null}::timestamptz, ${before?.id ?? null}::text))
    order by p.created_at desc, p.reference desc limit ${limit}`
}

export async function countInReview(tx: Tx): Promise<bigint> {
  const { n } = await tx.one<{ n: bigint }>`select count(*) as n from payments where status = 'review'`
  return n
}

export async function sealedPhone(tx: Tx, reference: string): Promise<string | null> {
  const { sealed } = await tx.one<{ sealed: string | null }>`
    select phone_sealed as sealed from payments where reference = ${reference}`
  return sealed
}

export type AdminPaymentEvent = {
  id: string
  kind: string
  verdict: string | null
  times: number
  sourceIp: string
  raw: Uint8Array
  receivedAt: Date
  processedAt: Date | null
}

export function eventsOf(tx: Tx, reference: string, most: number): Promise<AdminPaymentEvent[]> {
  return tx.rows<AdminPaymentEvent>`
    select id, kind, verdict, times, source_ip as "sourceIp", raw, received_at as "receivedAt",
           processed_at as "processedAt"
    from payment_events where reference = ${reference} order by received_at desc, id desc limit ${most}`
}

/** Phone numbers of payers that another service secret has sealed. Needs the platform scope. */
export const listPhoneTexts = (tx: Tx, { keyId, after, limit }: PageOfTexts): Promise<SealedText[]> =>
  tx.rows<SealedText>`
    select reference as id, phone_sealed as sealed from payments
    where reference > ${after} and not starts_with(phone_sealed, ${keyId}) order by reference limit ${limit}`

export const replacePhoneTexts = (tx: Tx, was: SealedText, sealed: string): Promise<object[]> =>
  tx.rows`update payments set phone_sealed = ${sealed} where reference = ${was.id} and phone_sealed = ${was.sealed}`
