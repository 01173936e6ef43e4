// The statements of top-ups: begun, handed over, listed. How they end is in settle-sql.ts.
import type { OrgId, UserId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import { json, type Tx } from '../../platform/db/tx.ts'
import type { Place } from '../../platform/http/page.ts'
import type { ChannelName } from '../channels.ts'
import type { MockDecision } from '../rails/mock/mock.ts'
import type { HandOff, RailName } from '../rails/rail.ts'

export type Status = 'pending' | 'settled' | 'failed' | 'expired' | 'review'

export type Purpose = 'topup' | 'card' | 'bill'

export type Topup = {
  reference: string
  orgId: OrgId
  channel: ChannelName
  rail: RailName
  /** Which of the provider's accounts took it; null for play money and for payments from before there were several. */
  account: string | null
  mode: 'live' | 'mock'
  currency: Currency
  amountMinor: bigint
  email: string
  status: Status
  reason: string | null
  handOff: HandOff | null
  createdAt: Date
  expiresAt: Date
  settledAt: Date | null
}

export type NewTopup = Omit<Topup, 'status' | 'reason' | 'handOff' | 'createdAt' | 'settledAt'> & {
  userId: UserId
  phoneSealed: string | null
  nextCheckAt: Date
}

export function insertTopup(tx: Tx, it: NewTopup): Promise<Topup> {
  return tx.one<Topup>`
    insert into payments (reference, org_id, user_id, purpose, channel, rail, account, mode, currency, amount_minor, email,
                          phone_sealed, next_check_at, created_at, expires_at)
    values (${it.reference}, ${it.orgId}, ${it.userId}, 'topup', ${it.channel}, ${it.rail}, ${it.account}, ${it.mode}, ${it.currency},
            ${it.amountMinor}, ${it.email}, ${it.phoneSealed}, ${it.nextCheckAt}, ${tx.now}, ${it.expiresAt})
    returning reference, org_id as "orgId", channel, rail, account, mode, currency, amount_minor as "amountMinor", email, status,
              reason, hand_off as "handOff", created_at as "createdAt", expires_at as "expiresAt",
              settled_at as "settledAt"`
}

export function findPayment(tx: Tx, org: OrgId, reference: string) {
  return tx.maybe<Topup>`
    select reference, org_id as "orgId", channel, rail, account, mode, currency, amount_minor as "amountMinor", email, status,
           reason, hand_off as "handOff", created_at as "createdAt", expires_at as "expiresAt", settled_at as "settledAt"
    from payments where reference = ${reference} and org_id = ${org}`
}

/** How many were begun since then and are still undecided, by whether one of these channels carries them. */
export function countPendingByChannel(tx: Tx, org: OrgId, since: Date, among: readonly ChannelName[]) {
  return tx.one<{ within: bigint; outside: bigint }>`
    select count(*) filter (where channel = any(${[...among]}::text[])) as within,
           count(*) filter (where channel <> all(${[...among]}::text[])) as outside
    from payments where org_id = ${org} and status = 'pending' and created_at > ${since}`
}

/** What the provider answered, on the top-up as it stands by then. What was told before stays told. */
export function storeHandOff(
  tx: Tx,
  reference: string,
  handOff: HandOff,
  providerRef: string | null,
): Promise<Topup> {
  return tx.one<Topup>`
    update payments set hand_off = coalesce(hand_off, ${json(handOff)}::jsonb),
                        provider_ref = coalesce(provider_ref, ${providerRef})
    where reference = ${reference}
    returning reference, org_id as "orgId", channel, rail, account, mode, currency, amount_minor as "amountMinor", email, status,
              reason, hand_off as "handOff", created_at as "createdAt", expires_at as "expiresAt",
              settled_at as "settledAt"`
}

/** The provider took nothing. It is not asked any more, unless an earlier attempt may have reached it. */
export async function markRefused(
  tx: Tx,
  reference: string,
  reason: string,
  isFirst: boolean,
): Promise<void> {
  await tx.rows`
    update payments set status = 'failed', reason = ${reason},
                        next_check_at = case when ${isFirst}::boolean then null else next_check_at end
    where reference = ${reference} and status = 'pending'`
}

/** The newest first. */
export function listTopups(
  tx: Tx,
  org: OrgId,
  status: Status | null,
  before: TimeCursor | null,
  limit: number,
): Promise<Topup[]> {
  return tx.rows<Topup>`
    select reference, org_id as "orgId", channel, rail, account, mode, currency, amount_minor as "amountMinor", email, status,
           reason, hand_off as "handOff", created_at as "createdAt", expires_at as "expiresAt", settled_at as "settledAt"
    from payments
    where org_id = ${org} and purpose = 'topup' and (${status}::text is null or status = ${status})
      and (${before?.at ?? null}::timestamptz is null
           or (created_at, reference) < (${before?.at ?? null}::timestamptz, ${before?.id ?? null}::text))
    order by created_at desc, reference desc limit ${limit}`
}

/** Lets the sweep ask about a payment next. Needs the reach of the platform. */
export async function checkSoon(tx: Tx, reference: string): Promise<void> {
  await tx.rows`
    update payments set next_check_at = ${tx.now}
    where reference = ${reference} and status = 'pending' and next_check_at > ${tx.now}`
}

/** What a payment is for. Needs the reach of the platform. */
export async function purposeOf(tx: Tx, reference: string): Promise<Purpose | null> {
  const found = await tx.maybe<{ purpose: Purpose }>`
    select purpose from payments where reference = ${reference}`
  return found?.purpose ?? null
}

/** Play money by its reference alone. Needs the reach of the platform. */
export function findMockPayment(tx: Tx, reference: string) {
  return tx.maybe<Topup & { decision: MockDecision | null; purpose: Purpose; isStoredCard: boolean }>`
    select reference, org_id as "orgId", channel, rail, account, mode, currency, amount_minor as "amountMinor", email, status,
           reason, hand_off as "handOff", created_at as "createdAt", expires_at as "expiresAt", settled_at as "settledAt",
           mock_decision as decision, purpose, card_id is not null as "isStoredCard"
    from payments where reference = ${reference} and mode = 'mock'`
}

export async function mockDecisionOf(tx: Tx, reference: string): Promise<MockDecision | null> {
  const found = await tx.maybe<{ decision: MockDecision | null }>`
    select mock_decision as decision from payments where reference = ${reference} and mode = 'mock'`
  return found?.decision ?? null
}

/** The first decision stands. */
export async function setMockDecision(tx: Tx, reference: string, decision: MockDecision): Promise<void> {
  await tx.rows`
    update payments set mock_decision = ${decision}
    where reference = ${reference} and mode = 'mock' and status = 'pending' and mock_decision is null`
}
