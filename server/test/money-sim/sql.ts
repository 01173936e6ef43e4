// Reads the database directly, without the service, to compare it with the model.
import { json, type Sql } from '../../src/platform/db/tx.ts'

export type PostingRow = {
  orgId: string
  seq: bigint
  id: string
  kind: string
  free: bigint
  held: bigint
  plan: bigint
  planHeld: bigint
  revenue: bigint
  allowance: bigint
  account: string | null
  accountMinor: bigint
  source: string
  ref: string
  balanceAfter: bigint
  cause: string | null
  holdId: string | null
  at: Date
  hash: Uint8Array
}

/** The postings of one wallet after a sequence number. */
export const journalOf = (sql: Sql, org: string, seq: number): Promise<PostingRow[]> => sql.rows<PostingRow>`
  select org_id as "orgId", seq, id, kind, free_minor as free, held_minor as held, included_minor as plan,
         included_held_minor as "planHeld", revenue_minor as revenue, allowance_minor as allowance, account,
         account_minor as "accountMinor", source, ref, balance_after_minor as "balanceAfter", cause, hold_id as "holdId",
         created_at as at, hash
  from movements where org_id = ${org} and seq > ${seq} order by seq`

/** The postings of several wallets after their sequence numbers, oldest first. */
export const journalSince = (
  sql: Sql,
  known: readonly { orgId: string; seq: number }[],
): Promise<PostingRow[]> =>
  sql.rows<PostingRow>`
    select m.org_id as "orgId", m.seq, m.id, m.kind, m.free_minor as free, m.held_minor as held, m.included_minor as plan,
           m.included_held_minor as "planHeld", m.revenue_minor as revenue, m.allowance_minor as allowance, m.account,
           m.account_minor as "accountMinor", m.source, m.ref, m.balance_after_minor as "balanceAfter", m.cause,
           m.hold_id as "holdId", m.created_at as at, m.hash
    from jsonb_to_recordset(${json(known)}) k("orgId" text, seq bigint)
    join movements m on m.org_id = k."orgId" and m.seq > k.seq
    order by m.org_id, m.seq`

export type WalletRow = {
  orgId: string
  balance: bigint
  held: bigint
  included: bigint
  includedHeld: bigint
  grant: bigint
  trial: bigint
  seq: bigint
  head: Uint8Array
}
export const walletRows = (sql: Sql, orgs: readonly string[]): Promise<WalletRow[]> => sql.rows<WalletRow>`
  select org_id as "orgId", balance_minor as balance, held_minor as held, included_minor as included,
         included_held_minor as "includedHeld", included_grant as grant, trial_minor as trial, seq, head
  from wallets where org_id = any(${[...orgs]}::text[])`

export type AccrualRow = { charged: bigint; exactCost: string }
export const accrualRow = (sql: Sql, org: string) => sql.maybe<AccrualRow>`
  select charged_minor::bigint as charged, trim_scale(exact_cost)::text as "exactCost"
  from wallet_accruals where org_id = ${org}`

export type HoldRow = {
  id: string
  source: string
  ref: string
  userId: string | null
  state: string
  amount: bigint
  fromPlan: bigint
  charged: bigint
  month: string
  deadline: Date
}
export const holdRows = (sql: Sql, org: string): Promise<HoldRow[]> => sql.rows<HoldRow>`
  select id, ref, source, user_id as "userId", state, amount_minor as amount, included_minor as "fromPlan", charged_minor as charged,
         month::text as month, deadline
  from holds where org_id = ${org}`

export const overdueHolds = (sql: Sql, at: Date): Promise<{ id: string }[]> => sql.rows<{ id: string }>`
  select id from holds where state = 'open' and deadline <= ${at} limit 10`

export type MonthRow = { key: string; spent: bigint; held: bigint }
export const monthRows = (sql: Sql, org: string): Promise<MonthRow[]> => sql.rows<MonthRow>`
  select user_id || ' ' || month::text as key, spent_minor as spent, held_minor as held
  from member_months where org_id = ${org}`

export type PaymentRow = {
  reference: string
  status: string
  captured: bigint
  refunded: bigint
  isReversed: boolean
  isDecided: boolean
  transaction: string | null
}
export const paymentRows = (sql: Sql, org: string): Promise<PaymentRow[]> => sql.rows<PaymentRow>`
  select reference, status, captured_minor as captured, refunded_minor as refunded, reversed_at is not null as "isReversed",
         decided_at is not null as "isDecided", transaction_id as transaction
  from payments where org_id = ${org}`

export const paymentsNamed = (sql: Sql, references: readonly string[]): Promise<PaymentRow[]> =>
  sql.rows<PaymentRow>`
    select reference, status, captured_minor as captured, refunded_minor as refunded,
           reversed_at is not null as "isReversed", decided_at is not null as "isDecided", transaction_id as transaction
    from payments where reference = any(${[...references]}::text[])`

/** References with more than one top-up credit. */
export const doubleCredits = (sql: Sql): Promise<{ ref: string }[]> => sql.rows<{ ref: string }>`
  select ref from movements where kind = 'credit' and source = 'topup' group by ref having count(*) > 1`

export const recordedUsageCost = async (sql: Sql, org: string): Promise<bigint> =>
  (
    await sql.one<{ cost: bigint }>`
    select coalesce(sum(cost_minor), 0)::bigint as cost from usage_points where org_id = ${org}`
  ).cost

export const eventNames = (sql: Sql): Promise<{ name: string }[]> => sql.rows<{ name: string }>`
  select kind || ' ' || reference as name from payment_events`

export const eventNamed = (sql: Sql, name: string): Promise<{ id: string } | undefined> => sql.maybe<{
  id: string
}>`
  select id from payment_events where kind || ' ' || reference = ${name}`

export const setCap = (
  sql: Sql,
  org: string,
  user: string,
  cap: bigint | null,
): Promise<object[]> => sql.rows`
  update memberships set seat_cap_minor = ${cap} where org_id = ${org} and user_id = ${user}`

/** Makes the sweeper check these payments immediately. */
export const makeDue = (sql: Sql, references: readonly string[], at: Date): Promise<object[]> => sql.rows`
  update payments set next_check_at = ${at} where reference = any(${[...references]}::text[])`
