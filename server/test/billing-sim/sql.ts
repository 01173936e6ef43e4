// Reads the database directly, without the service, to compare it with the expected state.
import type { Sql } from '../../src/platform/db/tx.ts'

export const configureOrg = (
  sql: Sql,
  org: string,
  { currency, ownSeats }: { currency: string; ownSeats: number },
): Promise<object[]> => sql.rows`
  update orgs set currency = ${currency}, seat_allotment = ${ownSeats} where id = ${org}`

/**
 * Adds indexes that only the simulation needs. Disables mails and background jobs of other modules, which
 * would take most of the time.
 */
export async function prepareDatabase(sql: Sql): Promise<void> {
  await sql.rows`
    create or replace function sim_quiet() returns trigger language plpgsql as $$
    begin
      return case when new.name ~ '^(payments|billing|invoices|wallet)[.]' and new.name !~ '^payments[.]reconcile' then new end;
    end $$`
  // The simulated bank lists no transactions.
  await sql.rows`
    delete from job_schedules where name !~ '^(payments|billing|invoices|wallet)' or name ~ '^payments[.]reconcile'`
  await sql.rows`create or replace trigger sim_quiet before insert on jobs for each row execute function sim_quiet()`
  await sql.rows`create index if not exists sim_bills_ended on bills (ended_at)`
  await sql.rows`create index if not exists sim_payments_settled on payments (settled_at)`
}

export type OrgRow = {
  orgId: string
  planCode: string | null
  interval: string | null
  status: string | null
  seats: number | null
  seatsPaid: number | null
  anchor: Date | null
  periodStart: Date | null
  periodEnd: Date | null
  allowanceDueAt: Date | null
  isCanceling: boolean | null
  scheduledPlan: string | null
  scheduledInterval: string | null
  orgPlan: string | null
  orgStatus: string | null
  orgSeats: number
  orgType: string
  includedMinor: bigint
  balanceMinor: bigint
}

/** The state of every organisation. */
export const orgRows = (sql: Sql, orgs: readonly string[]): Promise<OrgRow[]> => sql.rows<OrgRow>`
  select o.id as "orgId", s.plan_code as "planCode", s.interval, s.status, s.seats, s.seats_paid as "seatsPaid", s.anchor,
         s.period_start as "periodStart", s.period_end as "periodEnd", s.allowance_due_at as "allowanceDueAt", s.cancel_at_period_end as "isCanceling",
         s.scheduled_plan_code as "scheduledPlan", s.scheduled_interval as "scheduledInterval",
         o.plan_code as "orgPlan", o.subscription_status as "orgStatus", o.seat_allotment as "orgSeats", o.type as "orgType",
         w.included_minor as "includedMinor", w.balance_minor as "balanceMinor"
  from orgs o join wallets w on w.org_id = o.id
  left join subscriptions s on s.org_id = o.id and s.status in ('active', 'past_due')
  where o.id = any(${[...orgs]}::text[])`

export type EndedBill = {
  id: string
  orgId: string
  kind: 'checkout' | 'change' | 'seats' | 'renewal'
  status: 'paid' | 'abandoned'
  amountMinor: bigint
  planCode: string
  interval: string
  effectStart: string
  effectAnchor: string
  attempts: number
  reason: string | null
  createdAt: Date
  endedAt: Date
  /** The settled payments of the bill. */
  references: string[] | null
}

/** Bills that ended since an instant, ordered by their end. */
export const endedBills = (sql: Sql, since: Date): Promise<EndedBill[]> => sql.rows<EndedBill>`
  select b.id, b.org_id as "orgId", b.kind, b.status, b.amount_minor as "amountMinor", b.effect->>'planCode' as "planCode",
         b.effect->>'interval' as interval, b.effect->>'periodStart' as "effectStart", b.effect->>'anchor' as "effectAnchor", b.attempts, b.reason,
         b.created_at as "createdAt", b.ended_at as "endedAt",
         (select array_agg(p.reference order by p.settled_at) from payments p
          where p.bill_id = b.id and p.status = 'settled') as "references"
  from bills b where b.ended_at >= ${since} and b.status <> 'open' order by b.ended_at, b.period_start nulls first, b.created_at, b.id`

export type OpenBill = {
  orgId: string
  kind: string
  attempts: number
  periodStart: Date | null
  deadline: Date | null
}
export const openBills = (sql: Sql, orgs: readonly string[]): Promise<OpenBill[]> => sql.rows<OpenBill>`
  select org_id as "orgId", kind, attempts, period_start as "periodStart", deadline
  from bills where status = 'open' and org_id = any(${[...orgs]}::text[])`

export type SettledPayment = {
  reference: string
  orgId: string
  purpose: string
  capturedMinor: bigint
  billStatus: string | null
}
export const settledPayments = (sql: Sql, since: Date): Promise<SettledPayment[]> => sql.rows<SettledPayment>`
  select p.reference, p.org_id as "orgId", p.purpose, p.captured_minor as "capturedMinor", b.status as "billStatus"
  from payments p left join bills b on b.id = p.bill_id
  where p.settled_at >= ${since} and p.status = 'settled' order by p.settled_at`

/** Active subscriptions after the end of their period without an open bill. */
export const overdueRenewals = (sql: Sql, now: Date): Promise<{ orgId: string; periodEnd: Date }[]> =>
  sql.rows<{ orgId: string; periodEnd: Date }>`
    select s.org_id as "orgId", s.period_end as "periodEnd" from subscriptions s
    where s.status = 'active' and s.period_end <= ${now}
      and not exists (select from bills b where b.subscription_id = s.id and b.status = 'open')`

export const overdueRefills = (sql: Sql, now: Date): Promise<{ orgId: string; dueAt: Date }[]> =>
  sql.rows<{ orgId: string; dueAt: Date }>`
    select org_id as "orgId", allowance_due_at as "dueAt" from subscriptions
    where status = 'active' and allowance_due_at <= ${now}`

export const addMember = async (sql: Sql, org: string, user: string, at: Date): Promise<void> => {
  await sql.rows`insert into memberships (org_id, user_id, role, created_at) values (${org}, ${user}, 'member', ${at})`
}

export const removeMember = async (sql: Sql, org: string): Promise<number> =>
  (
    await sql.rows`
      delete from memberships where org_id = ${org} and user_id =
        (select user_id from memberships where org_id = ${org} and role = 'member' limit 1) returning user_id`
  ).length

export const settledAmounts = (sql: Sql, reference: string) =>
  sql.one<{ capturedMinor: bigint; refundedMinor: bigint }>`
    select captured_minor as "capturedMinor", refunded_minor as "refundedMinor" from payments where reference = ${reference}`
