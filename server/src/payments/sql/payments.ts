// Statements on the payments table. Reads and writes of one organisation name it; all others need platform scope.
import type { OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import { json, type Tx } from '../../platform/db/tx.ts'
import type { TimeCursor } from '../../platform/http/page.ts'
import type { ChannelName, RailName } from '../channels.ts'
import type { MockDecision } from '../rails/mock/mock.ts'
import type { HandOff } from '../rails/rail.ts'

export type PaymentStatus = 'pending' | 'settled' | 'failed' | 'expired' | 'review'
export type Purpose = 'topup' | 'card' | 'bill'

export type Payment = {
  reference: string
  orgId: OrgId
  userId: string
  purpose: Purpose
  billId: string | null
  /** The stored card that is charged; null where the payer pays on a page or phone. */
  cardId: string | null
  channel: ChannelName
  rail: RailName
  /** The provider account that collects it; null for mock payments and for those older than multiple accounts. */
  account: string | null
  mode: 'live' | 'mock'
  currency: Currency
  amountMinor: bigint
  email: string
  status: PaymentStatus
  /** Why it failed, expired, was reversed or is under review. */
  reason: string | null
  handOff: HandOff | null
  /** The provider's id of this payment. */
  providerRef: string | null
  transactionId: string | null
  /** The amount that the provider reported, in this currency; null where it reported none. */
  saidMinor: bigint | null
  capturedMinor: bigint
  refundedMinor: bigint
  /** Returned to the payer by the provider, in part. */
  returnedMinor: bigint
  /** Disputed and not decided yet. */
  disputedMinor: bigint
  /** The payment whose reference the payer paid a second time. */
  repeatOf: string | null
  reversedAt: Date | null
  decidedAt: Date | null
  createdAt: Date
  expiresAt: Date
  settledAt: Date | null
}

export type NewPayment = Pick<
  Payment,
  'reference' | 'orgId' | 'userId' | 'purpose' | 'billId' | 'cardId' | 'channel' | 'rail' | 'account' | 'mode'
> &
  Pick<Payment, 'currency' | 'amountMinor' | 'email' | 'expiresAt'> & {
    phoneSealed: string | null
    nextCheckAt: Date | null
  }

export function insertPayment(tx: Tx, it: NewPayment): Promise<Payment> {
  return tx.one<Payment>`
    insert into payments (reference, org_id, user_id, purpose, bill_id, card_id, channel, rail, account, mode, currency,
                          amount_minor, email, phone_sealed, next_check_at, created_at, expires_at)
    values (${it.reference}, ${it.orgId}, ${it.userId}, ${it.purpose}, ${it.billId}, ${it.cardId}, ${it.channel}, ${it.rail},
            ${it.account}, ${it.mode}, ${it.currency}, ${it.amountMinor}, ${it.email}, ${it.phoneSealed}, ${it.nextCheckAt},
            ${tx.now}, ${it.expiresAt})
    returning reference, org_id as "orgId", user_id as "userId", purpose, bill_id as "billId", card_id as "cardId", channel, rail,
      account, mode, currency, amount_minor as "amountMinor", email, status, reason, hand_off as "handOff", provider_ref as "providerRef",
      transaction_id as "transactionId", said_minor as "saidMinor", captured_minor as "capturedMinor", refunded_minor as "refundedMinor",
      returned_minor as "returnedMinor", disputed_minor as "disputedMinor", repeat_of as "repeatOf", reversed_at as "reversedAt",
      decided_at as "decidedAt", created_at as "createdAt", expires_at as "expiresAt", settled_at as "settledAt"`
}

/** Stores a repeat of a payment. It has no next check: the provider reports it with the first payment. False: it exists. */
export async function insertRepeat(
  tx: Tx,
  first: Payment,
  { reference, amountMinor }: Pick<Payment, 'reference' | 'amountMinor'>,
): Promise<boolean> {
  const inserted = await tx.maybe`
    insert into payments (reference, org_id, user_id, purpose, channel, rail, account, mode, currency, amount_minor, email,
                          repeat_of, created_at, expires_at)
    values (${reference}, ${first.orgId}, ${first.userId}, 'topup', ${first.channel}, ${first.rail}, ${first.account},
            ${first.mode}, ${first.currency}, ${amountMinor}, ${first.email}, ${first.reference}, ${tx.now}, ${tx.now})
    on conflict (reference) do nothing
    returning reference`
  return inserted !== undefined
}

export function findPayment(tx: Tx, org: OrgId, reference: string): Promise<Payment | undefined> {
  return tx.maybe<Payment>`
    select reference, org_id as "orgId", user_id as "userId", purpose, bill_id as "billId", card_id as "cardId", channel, rail,
      account, mode, currency, amount_minor as "amountMinor", email, status, reason, hand_off as "handOff", provider_ref as "providerRef",
      transaction_id as "transactionId", said_minor as "saidMinor", captured_minor as "capturedMinor", refunded_minor as "refundedMinor",
      returned_minor as "returnedMinor", disputed_minor as "disputedMinor", repeat_of as "repeatOf", reversed_at as "reversedAt",
      decided_at as "decidedAt", created_at as "createdAt", expires_at as "expiresAt", settled_at as "settledAt"
    from payments where reference = ${reference} and org_id = ${org}`
}

export function paymentByReference(tx: Tx, reference: string): Promise<Payment | undefined> {
  return tx.maybe<Payment>`
    select reference, org_id as "orgId", user_id as "userId", purpose, bill_id as "billId", card_id as "cardId", channel, rail,
      account, mode, currency, amount_minor as "amountMinor", email, status, reason, hand_off as "handOff", provider_ref as "providerRef",
      transaction_id as "transactionId", said_minor as "saidMinor", captured_minor as "capturedMinor", refunded_minor as "refundedMinor",
      returned_minor as "returnedMinor", disputed_minor as "disputedMinor", repeat_of as "repeatOf", reversed_at as "reversedAt",
      decided_at as "decidedAt", created_at as "createdAt", expires_at as "expiresAt", settled_at as "settledAt"
    from payments where reference = ${reference}`
}

/** Locks the payment until the transaction ends. */
export function lockPayment(tx: Tx, reference: string): Promise<Payment | undefined> {
  return tx.maybe<Payment>`
    select reference, org_id as "orgId", user_id as "userId", purpose, bill_id as "billId", card_id as "cardId", channel, rail,
      account, mode, currency, amount_minor as "amountMinor", email, status, reason, hand_off as "handOff", provider_ref as "providerRef",
      transaction_id as "transactionId", said_minor as "saidMinor", captured_minor as "capturedMinor", refunded_minor as "refundedMinor",
      returned_minor as "returnedMinor", disputed_minor as "disputedMinor", repeat_of as "repeatOf", reversed_at as "reversedAt",
      decided_at as "decidedAt", created_at as "createdAt", expires_at as "expiresAt", settled_at as "settledAt"
    from payments where reference = ${reference} for update`
}

/** The person who started the payment; undefined when the account is gone. */
export function payerOf(tx: Tx, { userId }: Payment): Promise<{ name: string | null } | undefined> {
  return tx.maybe<{ name: string | null }>`select name from user_profiles where id = ${userId}`
}

/** Newest first. */
export function listTopups(
  tx: Tx,
  org: OrgId,
  status: PaymentStatus | null,
  before: TimeCursor | null,
  limit: number,
): Promise<Payment[]> {
  return tx.rows<Payment>`
    select reference, org_id as "orgId", user_id as "userId", purpose, bill_id as "billId", card_id as "cardId", channel, rail,
      account, mode, currency, amount_minor as "amountMinor", email, status, reason, hand_off as "handOff", provider_ref as "providerRef",
      transaction_id as "transactionId", said_minor as "saidMinor", captured_minor as "capturedMinor", refunded_minor as "refundedMinor",
      returned_minor as "returnedMinor", disputed_minor as "disputedMinor", repeat_of as "repeatOf", reversed_at as "reversedAt",
      decided_at as "decidedAt", created_at as "createdAt", expires_at as "expiresAt", settled_at as "settledAt"
    from payments
    where org_id = ${org} and purpose = 'topup' and (${status}::text is null or status = ${status})
      and (${before?.at ?? null}::timestamptz is null
           or (created_at, reference) < (${before?.at ?? null}::timestamptz, ${before?.id ?? null}::text))
    order by created_at desc, reference desc limit ${limit}`
}

/** Payments of a bill that are pending or under review, oldest first. */
export function openPaymentsOf(tx: Tx, billId: string, limit = 20): Promise<Payment[]> {
  return tx.rows<Payment>`
    select reference, org_id as "orgId", user_id as "userId", purpose, bill_id as "billId", card_id as "cardId", channel, rail,
      account, mode, currency, amount_minor as "amountMinor", email, status, reason, hand_off as "handOff", provider_ref as "providerRef",
      transaction_id as "transactionId", said_minor as "saidMinor", captured_minor as "capturedMinor", refunded_minor as "refundedMinor",
      returned_minor as "returnedMinor", disputed_minor as "disputedMinor", repeat_of as "repeatOf", reversed_at as "reversedAt",
      decided_at as "decidedAt", created_at as "createdAt", expires_at as "expiresAt", settled_at as "settledAt"
    from payments where bill_id = ${billId} and status in ('pending', 'review')
    order by created_at, reference limit ${limit}`
}

export async function oldestOpenPaymentOf(tx: Tx, billId: string): Promise<Payment | undefined> {
  const [oldest] = await openPaymentsOf(tx, billId, 1)
  return oldest
}

/** Counts pending payments created after `since`: those in one of these channels, and all others. */
export function countPendingByChannel(tx: Tx, org: OrgId, since: Date, among: readonly ChannelName[]) {
  return tx.one<{ within: bigint; outside: bigint }>`
    select count(*) filter (where channel = any(${[...among]}::text[])) as within,
           count(*) filter (where channel <> all(${[...among]}::text[])) as outside
    from payments where org_id = ${org} and status = 'pending' and created_at > ${since}`
}

/** Counts pending card and bill payments created after `since`. */
export async function countPendingCards(tx: Tx, org: OrgId, since: Date): Promise<number> {
  const { count } = await tx.one<{ count: number }>`
    select count(*)::int as count from payments
    where org_id = ${org} and status = 'pending' and purpose in ('card', 'bill') and created_at > ${since}`
  return count
}

/** Stores the provider's first answer. A later answer does not replace it. */
export function storeHandOff(
  tx: Tx,
  reference: string,
  handOff: HandOff,
  providerRef: string | null,
): Promise<Payment> {
  return tx.one<Payment>`
    update payments set hand_off = coalesce(hand_off, ${json(handOff)}::jsonb),
                        provider_ref = coalesce(provider_ref, ${providerRef})
    where reference = ${reference}
    returning reference, org_id as "orgId", user_id as "userId", purpose, bill_id as "billId", card_id as "cardId", channel, rail,
      account, mode, currency, amount_minor as "amountMinor", email, status, reason, hand_off as "handOff", provider_ref as "providerRef",
      transaction_id as "transactionId", said_minor as "saidMinor", captured_minor as "capturedMinor", refunded_minor as "refundedMinor",
      returned_minor as "returnedMinor", disputed_minor as "disputedMinor", repeat_of as "repeatOf", reversed_at as "reversedAt",
      decided_at as "decidedAt", created_at as "createdAt", expires_at as "expiresAt", settled_at as "settledAt"`
}

export async function replaceHandOff(tx: Tx, reference: string, handOff: HandOff): Promise<void> {
  await tx.rows`
    update payments set hand_off = ${json(handOff)} where reference = ${reference} and status = 'pending'`
}

/** Stores the page of the payer's bank and how long the payer has. Decided payments do not change. */
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

/** Every provider refused the payment. Checks stop, unless an attempt may have reached a provider. */
export async function markRefused(
  tx: Tx,
  reference: string,
  reason: string,
  isCertain: boolean,
): Promise<void> {
  await tx.rows`
    update payments set status = 'failed', reason = ${reason},
                        next_check_at = case when ${isCertain}::boolean then null else next_check_at end
    where reference = ${reference} and status = 'pending'`
}

/** Makes the sweeper check a pending payment next. */
export async function checkSoon(tx: Tx, reference: string): Promise<void> {
  await tx.rows`
    update payments set next_check_at = ${tx.now}
    where reference = ${reference} and status = 'pending' and next_check_at > ${tx.now}`
}

export async function purposeOf(tx: Tx, reference: string): Promise<Purpose | null> {
  const found = await tx.maybe<{ purpose: Purpose }>`
    select purpose from payments where reference = ${reference}`
  return found?.purpose ?? null
}

export async function mockDecisionOf(tx: Tx, reference: string): Promise<MockDecision | null> {
  const found = await tx.maybe<{ decision: MockDecision | null }>`
    select mock_decision as decision from payments where reference = ${reference} and mode = 'mock'`
  return found?.decision ?? null
}

/** The first decision is final. */
export async function setMockDecision(tx: Tx, reference: string, decision: MockDecision): Promise<void> {
  await tx.rows`
    update payments set mock_decision = ${decision}
    where reference = ${reference} and mode = 'mock' and status = 'pending' and mock_decision is null`
}
