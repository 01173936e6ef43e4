// Bills as they are stored. All statements need the organisation's reach or the platform's.
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import { json, type Tx } from '../platform/db/tx.ts'
import type { SubscriptionId } from './sql.ts'

export type BillId = `bill_${string}`
export type BillKind = 'checkout' | 'change' | 'seats' | 'renewal'
export type BillStatus = 'open' | 'paid' | 'abandoned'

/** `lines` and `effect` as JSON gave them back: their instants are texts. */
export type BillRow = {
  id: BillId
  orgId: OrgId
  subscriptionId: SubscriptionId
  kind: BillKind
  status: BillStatus
  currency: Currency
  amountMinor: bigint
  lines: unknown
  effect: unknown
  baseVersion: number
  userId: string | null
  periodStart: Date | null
  attempts: number
  nextAttemptAt: Date | null
  deadline: Date | null
  reason: string | null
  invoiceId: `inv_${string}` | null
  createdAt: Date
  endedAt: Date | null
}

export type InsertedBill = Pick<
  BillRow,
  | 'id'
  | 'orgId'
  | 'subscriptionId'
  | 'kind'
  | 'currency'
  | 'amountMinor'
  | 'lines'
  | 'effect'
  | 'baseVersion'
  | 'userId'
  | 'periodStart'
  | 'nextAttemptAt'
  | 'deadline'
>

/** False where another stands in its way: a change that is open, or the renewal of the same period. */
export async function insertBill(tx: Tx, bill: InsertedBill): Promise<boolean> {
  const inserted = await tx.maybe`
    insert into bills (id, org_id, subscription_id, kind, status, currency, amount_minor, lines, effect, base_version,
      user_id, period_start, next_attempt_at, deadline, created_at)
    values (${bill.id}, ${bill.orgId}, ${bill.subscriptionId}, ${bill.kind}, 'open', ${bill.currency},
      ${bill.amountMinor}, ${json(bill.lines)}, ${json(bill.effect)}, ${bill.baseVersion}, ${bill.userId},
      ${bill.periodStart}, ${bill.nextAttemptAt}, ${bill.deadline}, ${tx.now})
    on conflict do nothing returning id`
  return inserted !== undefined
}

export function lockBill(tx: Tx, id: string) {
  return tx.maybe<BillRow>`
    select id, org_id as "orgId", subscription_id as "subscriptionId", kind, status, currency,
           amount_minor as "amountMinor", lines, effect, base_version as "baseVersion", user_id as "userId",
           period_start as "periodStart", attempts, next_attempt_at as "nextAttemptAt", deadline, reason,
           invoice_id as "invoiceId", created_at as "createdAt", ended_at as "endedAt"
    from bills where id = ${id} for update`
}

/** The newest of a plan whose page is still good. */
export function lockOpenCheckout(
  tx: Tx,
  org: OrgId,
  { planCode, interval }: { planCode: string; interval: string },
) {
  return tx.maybe<BillRow>`
    select id, org_id as "orgId", subscription_id as "subscriptionId", kind, status, currency,
           amount_minor as "amountMinor", lines, effect, base_version as "baseVersion", user_id as "userId",
           period_start as "periodStart", attempts, next_attempt_at as "nextAttemptAt", deadline, reason,
           invoice_id as "invoiceId", created_at as "createdAt", ended_at as "endedAt"
    from bills
    where org_id = ${org} and kind = 'checkout' and status = 'open' and deadline > ${tx.now}
      and effect ->> 'planCode' = ${planCode} and effect ->> 'interval' = ${interval}
    order by created_at desc, id desc limit 1 for update`
}

/** The open ones of a subscription, the oldest first: at most one change, and as good as always one in all. */
export function lockOpenBills(tx: Tx, subscription: SubscriptionId, most: number) {
  return tx.rows<BillRow>`
    select id, org_id as "orgId", subscription_id as "subscriptionId", kind, status, currency,
           amount_minor as "amountMinor", lines, effect, base_version as "baseVersion", user_id as "userId",
           period_start as "periodStart", attempts, next_attempt_at as "nextAttemptAt", deadline, reason,
           invoice_id as "invoiceId", created_at as "createdAt", ended_at as "endedAt"
    from bills where subscription_id = ${subscription} and status = 'open'
    order by created_at, id limit ${most} for update`
}

export async function markAbandoned(tx: Tx, id: BillId, reason: string): Promise<void> {
  await tx.rows`
    update bills set status = 'abandoned', reason = ${reason}, ended_at = ${tx.now}, next_attempt_at = null
    where id = ${id} and status = 'open'`
}

/** Also one that was given up before, where the money came late and is still welcome. */
export async function markPaid(tx: Tx, id: BillId, invoiceId: string): Promise<void> {
  await tx.rows`
    update bills set status = 'paid', reason = null, invoice_id = ${invoiceId}, ended_at = ${tx.now}, next_attempt_at = null
    where id = ${id} and status <> 'paid'`
}

export async function setReason(tx: Tx, id: BillId, reason: string): Promise<void> {
  await tx.rows`update bills set reason = ${reason} where id = ${id} and status = 'open'`
}

export async function setInvoice(tx: Tx, id: BillId, invoiceId: string): Promise<void> {
  await tx.rows`update bills set invoice_id = ${invoiceId} where id = ${id}`
}

/** A try begins: when the next one is due is written before anything is charged. */
export async function setAttempt(
  tx: Tx,
  id: BillId,
  { attempts, nextAttemptAt }: { attempts: number; nextAttemptAt: Date | null },
): Promise<void> {
  await tx.rows`
    update bills set attempts = ${attempts}, next_attempt_at = ${nextAttemptAt} where id = ${id} and status = 'open'`
}
