// Every statement that changes how a payment stands.
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { ChannelName } from '../channels.ts'
import type { RailName } from '../rails/rail.ts'

export type PaymentStatus = 'pending' | 'settled' | 'failed' | 'expired' | 'review'

export type Payment = {
  reference: string
  orgId: OrgId
  userId: string
  purpose: 'topup' | 'card' | 'bill'
  billId: string | null
  cardId: string | null
  channel: ChannelName
  rail: RailName
  /** Which of the provider's accounts took it; null for play money and for payments from before there were several. */
  account: string | null
  mode: 'live' | 'mock'
  currency: Currency
  amountMinor: bigint
  email: string
  status: PaymentStatus
  providerRef: string | null
  transactionId: string | null
  /** What the provider said came, in this currency; null where it said nothing of it. */
  saidMinor: bigint | null
  capturedMinor: bigint
  refundedMinor: bigint
  /** What the provider gave back in part. */
  returnedMinor: bigint
  /** What is disputed and not decided. */
  disputedMinor: bigint
  /** The payment under whose reference the payer paid once more with this one. */
  repeatOf: string | null
  reversedAt: Date | null
  decidedAt: Date | null
  createdAt: Date
  expiresAt: Date
}

/** The payment, which nobody else changes until the transaction ends. Needs the reach of the platform. */
export function lockPayment(tx: Tx, reference: string): Promise<Payment | undefined> {
  return tx.maybe<Payment>`
    select reference, org_id as "orgId", user_id as "userId", purpose, bill_id as "billId", card_id as "cardId", channel, rail, account, mode, currency, amount_minor as "amountMinor", email, status,
           provider_ref as "providerRef", transaction_id as "transactionId", said_minor as "saidMinor", captured_minor as "capturedMinor",
           refunded_minor as "refundedMinor", returned_minor as "returnedMinor",
           disputed_minor as "disputedMinor", repeat_of as "repeatOf", reversed_at as "reversedAt", decided_at as "decidedAt",
           created_at as "createdAt", expires_at as "expiresAt"
    from payments where reference = ${reference} for update`
}

export function paymentByReference(tx: Tx, reference: string): Promise<Payment | undefined> {
  return tx.maybe<Payment>`
    select reference, org_id as "orgId", user_id as "userId", purpose, bill_id as "billId", card_id as "cardId", channel, rail, account, mode, currency, amount_minor as "amountMinor", email, status,
           provider_ref as "providerRef", transaction_id as "transactionId", said_minor as "saidMinor", captured_minor as "capturedMinor",
           refunded_minor as "refundedMinor", returned_minor as "returnedMinor",
           disputed_minor as "disputedMinor", repeat_of as "repeatOf", reversed_at as "reversedAt", decided_at as "decidedAt",
           created_at as "createdAt", expires_at as "expiresAt"
    from payments where reference = ${reference}`
}

/** The currency that the organisation's wallet is in, which cannot change until the transaction ends. */
export async function lockCurrency(tx: Tx, org: OrgId): Promise<string> {
  const { currency } = await tx.one<{ currency: string }>`
    select currency from orgs where id = ${org} for share`
  return currency
}

/** Whether the organisation was closed: what is paid for it then is nobody's to spend. */
export async function isOrgClosed(tx: Tx, org: OrgId): Promise<boolean> {
  const { closed } = await tx.one<{ closed: boolean }>`
    select closed_at is not null as closed from orgs where id = ${org}`
  return closed
}

/** Whether this transaction of the provider's has settled another payment. */
export async function isTransactionUsed(
  tx: Tx,
  { rail, mode, account, reference }: Payment,
  transactionId: string,
): Promise<boolean> {
  const found = await tx.maybe`
    select 1 as found from payments
    where rail = ${rail} and mode = ${mode} and transaction_id = ${transactionId} and status = 'settled'
      and reference <> ${reference} and coalesce(account, ${account}, '') = coalesce(${account}, account, '') limit 1`
  return found !== undefined
}

export async function markSettled(
  tx: Tx,
  reference: string,
  settled: {
    capturedMinor: bigint
    transactionId: string | null
    entryId: string
    invoiceId: string
    nextCheckAt: Date | null
  },
): Promise<void> {
  await tx.rows`
    update payments set status = 'settled', reason = null, captured_minor = ${settled.capturedMinor}, settled_at = ${tx.now},
      transaction_id = ${settled.transactionId}, entry_id = ${settled.entryId},
      invoice_id = ${settled.invoiceId}, next_check_at = ${settled.nextCheckAt}, reversed_at = null
    where reference = ${reference}`
}

/** Under review nothing is asked any more: staff decide. */
export async function markReview(
  tx: Tx,
  reference: string,
  reason: string,
  { transactionId, saidMinor }: Pick<Payment, 'transactionId' | 'saidMinor'>,
): Promise<void> {
  await tx.rows`
    update payments set status = 'review', reason = ${reason}, transaction_id = ${transactionId}, said_minor = ${saidMinor},
      next_check_at = null
    where reference = ${reference}`
}

export async function markFailed(tx: Tx, reference: string, reason: string): Promise<void> {
  await tx.rows`update payments set status = 'failed', reason = ${reason} where reference = ${reference}`
}

export async function markExpired(tx: Tx, reference: string, reason: string): Promise<void> {
  await tx.rows`update payments set status = 'expired', reason = ${reason} where reference = ${reference}`
}

export async function markReversed(tx: Tx, reference: string, reason: string): Promise<void> {
  await tx.rows`
    update payments set reversed_at = ${tx.now}, reason = ${reason}, next_check_at = null where reference = ${reference}`
}

/** The payer has the money of an uncredited payment back. */
export async function markReturnedToPayer(tx: Tx, reference: string): Promise<void> {
  await tx.rows`update payments set reversed_at = ${tx.now} where reference = ${reference}`
}

export async function markDecided(tx: Tx, reference: string): Promise<void> {
  await tx.rows`update payments set decided_at = ${tx.now}, next_check_at = null where reference = ${reference}`
}

export async function setNextCheck(tx: Tx, reference: string, at: Date | null): Promise<void> {
  await tx.rows`update payments set next_check_at = ${at} where reference = ${reference}`
}

/** Takes payments that are due, longest due first, and keeps others from them until `until`. Says which. */
export function claimDuePayments(tx: Tx, most: number, until: Date): Promise<{ reference: string }[]> {
  return tx.rows<{ reference: string }>`
    update payments set next_check_at = ${until}, checks = checks + 1
    where reference in (
      select reference from payments where next_check_at <= ${tx.now} order by next_check_at limit ${most}
      for update skip locked)
    returning reference`
}

/** The addresses of the staff that look after payments, in the order they joined. */
export async function paymentStaffEmails(tx: Tx, most: number): Promise<string[]> {
  const rows = await tx.rows<{ email: string }>`
    select u.email from staff s join users u on u.id = s.user_id
    where s.role in ('billing', 'operator', 'super_admin') order by s.created_at, s.user_id limit ${most}`
  return rows.map(({ email }) => email)
}
