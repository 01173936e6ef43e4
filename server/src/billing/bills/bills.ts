// A bill is one amount to pay for a subscription, once. It stores the price and the effect on the subscription.
// Every caller holds the lock of the organisation (`lockOrg`).
import { type InvoiceId, voidInvoice } from '../../invoices/invoices.ts'
import { assert } from '../../kernel/assert.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import type { Currency } from '../../kernel/money.ts'
import { oldestOpenPaymentOf, settledPaymentOf } from '../../payments/payments.ts'
import { json, type Tx } from '../../platform/db/tx.ts'
import type { Effect } from '../quotes/effect.ts'
import type { QuoteLine } from '../quotes/quote-lines.ts'
import type { SubscriptionId } from '../subscriptions/subscriptions.ts'

export type BillId = `bill_${string}`
export type BillKind = 'checkout' | 'change' | 'seats' | 'renewal'
export type BillStatus = 'open' | 'paid' | 'abandoned'

/** `lines` and `effect` as parsed from JSON: their dates are strings. */
type BillRow = {
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

type NewBillRow = Pick<
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

export type Bill = Omit<BillRow, 'lines' | 'effect' | 'invoiceId'> & {
  readonly lines: readonly QuoteLine[]
  readonly effect: Effect
  readonly invoiceId: InvoiceId | null
}

export type NewBill = Pick<
  Bill,
  'orgId' | 'subscriptionId' | 'kind' | 'currency' | 'amountMinor' | 'lines' | 'effect' | 'baseVersion'
> & {
  /** Generated if omitted. */
  readonly id?: BillId
  readonly userId: string | null
  /** The period that a renewal pays for; null for all other kinds. */
  readonly periodStart: Date | null
  /**
   * Until then no other change of the subscription may start. A renewal has none, and a checkout blocks no change.
   */
  readonly deadline: Date | null
  readonly nextAttemptAt?: Date | null
}

/**
 * Inserts a bill. Returns null if another change of the subscription is open, or if the renewal of this period
 * already has a bill. Abandons a change whose deadline has passed, unless a card charge for it is still pending.
 */
export async function openBill(tx: Tx, bill: NewBill): Promise<Bill | null> {
  assert(bill.amountMinor > 0n, 'a bill has a positive amount')
  assert((bill.kind === 'renewal') === (bill.periodStart !== null), 'only a renewal has a period')
  if (isChange(bill) && !(await abandonOverdueChange(tx, bill.subscriptionId))) return null
  const id = bill.id ?? newId('bill', tx.now.getTime())
  const isNew = await insertBill(tx, { ...bill, id, nextAttemptAt: bill.nextAttemptAt ?? null })
  return isNew ? ((await lockBill(tx, id)) ?? null) : null
}

/** Locks the bill until the transaction ends. */
export async function lockBill(tx: Tx, id: string): Promise<Bill | undefined> {
  const row = await lockBillRow(tx, id)
  return row && toBill(row)
}

/** The checkout of a plan whose payment page is still open. */
export async function lockOpenCheckout(
  tx: Tx,
  orgId: OrgId,
  target: { planCode: string; interval: string },
): Promise<Bill | undefined> {
  const row = await lockOpenCheckoutRow(tx, orgId, target)
  return row && toBill(row)
}

const OPEN_BILLS_MAX = 20

/** All open bills of a subscription. */
export async function lockOpenBills(tx: Tx, subscription: SubscriptionId): Promise<Bill[]> {
  return (await lockOpenBillRows(tx, subscription, OPEN_BILLS_MAX)).map(toBill)
}

/** The open change that blocks other changes of the subscription. */
export async function findChangeInProgress(tx: Tx, subscription: SubscriptionId): Promise<Bill | undefined> {
  const open = await lockOpenBills(tx, subscription)
  return open.find((bill) => isChange(bill) && !isOverdue(bill, tx.now))
}

/** Abandons a bill and voids its open invoice. The payment handler decides about a payment that arrives later. */
export async function abandonBill(tx: Tx, bill: Bill, reason: string): Promise<void> {
  if (bill.status !== 'open') return
  await markAbandoned(tx, bill.id, reason.slice(0, REASON_CHARACTERS_MAX))
  if (bill.invoiceId) await voidInvoice(tx, bill.invoiceId, reason.slice(0, REASON_CHARACTERS_MAX))
}

export async function abandonOpenBills(tx: Tx, subscription: SubscriptionId, reason: string): Promise<void> {
  for (const bill of await lockOpenBills(tx, subscription)) await abandonBill(tx, bill, reason)
}

const REASON_CHARACTERS_MAX = 500

const isChange = ({ kind }: Pick<Bill, 'kind'>): boolean => kind === 'change' || kind === 'seats'
/** Whether the bill no longer blocks other changes. */
export const isOverdue = ({ deadline }: Pick<Bill, 'deadline'>, now: Date): boolean =>
  deadline !== null && deadline <= now

/** The open change whose deadline has passed. */
export async function findOverdueChange(tx: Tx, subscription: SubscriptionId): Promise<Bill | undefined> {
  const open = await lockOpenBills(tx, subscription)
  return open.find((bill) => isChange(bill) && isOverdue(bill, tx.now))
}

/** False while a pending charge may still succeed without the payer: a second charge could then pay twice. */
async function abandonOverdueChange(tx: Tx, subscription: SubscriptionId): Promise<boolean> {
  const bill = await findOverdueChange(tx, subscription)
  if (!bill) return true
  const undecided = await oldestOpenPaymentOf(tx, bill.id)
  if (undecided && undecided.handOff?.authorizationUrl === undefined && tx.now < undecided.expiresAt)
    return false
  await abandonBill(tx, bill, 'It was not paid in time.')
  return true
}

type FromJson<T> = { readonly [K in keyof T]: T[K] extends Date ? string : T[K] }

/** Amounts are restored from JSON as bigint; dates are strings. */
function toBill(row: BillRow): Bill {
  const stored = row.effect as FromJson<Effect>
  const effect: Effect = {
    ...stored,
    anchor: new Date(stored.anchor),
    periodStart: new Date(stored.periodStart),
    periodEnd: new Date(stored.periodEnd),
  }
  return { ...row, lines: row.lines as readonly QuoteLine[], effect }
}

export type BillOutcome = { status: 'open' | 'paid' | 'abandoned'; paidBy: string | null }

/** The status of a bill, and the reference of the payment that paid it. */
export async function readBillOutcome(tx: Tx, id: string): Promise<BillOutcome | undefined> {
  const bill = await tx.maybe<{ status: BillOutcome['status']; invoiceId: string | null }>`
    select status, invoice_id as "invoiceId" from bills where id = ${id}`
  return bill && { status: bill.status, paidBy: await settledPaymentOf(tx, id, bill.invoiceId) }
}

/** False on conflict: a change is open, or the period already has a renewal bill. */
async function insertBill(tx: Tx, bill: NewBillRow): Promise<boolean> {
  const inserted = await tx.maybe`
    insert into bills (id, org_id, subscription_id, kind, status, currency, amount_minor, lines, effect, base_version,
      user_id, period_start, next_attempt_at, deadline, created_at)
    values (${bill.id}, ${bill.orgId}, ${bill.subscriptionId}, ${bill.kind}, 'open', ${bill.currency},
      ${bill.amountMinor}, ${json(bill.lines)}, ${json(bill.effect)}, ${bill.baseVersion}, ${bill.userId},
      ${bill.periodStart}, ${bill.nextAttemptAt}, ${bill.deadline}, ${tx.now})
    on conflict do nothing returning id`
  return inserted !== undefined
}

function lockBillRow(tx: Tx, id: string) {
  return tx.maybe<BillRow>`
    select id, org_id as "orgId", subscription_id as "subscriptionId", kind, status, currency,
           amount_minor as "amountMinor", lines, effect, base_version as "baseVersion", user_id as "userId",
           period_start as "periodStart", attempts, next_attempt_at as "nextAttemptAt", deadline, reason,
           invoice_id as "invoiceId", created_at as "createdAt", ended_at as "endedAt"
    from bills where id = ${id} for update`
}

/** The newest checkout of a plan whose page has not expired. */
function lockOpenCheckoutRow(
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

/**
 * The open bills of a subscription, oldest first. At most one is a change; there is rarely more than one bill in
 * all.
 */
function lockOpenBillRows(tx: Tx, subscription: SubscriptionId, limit: number) {
  return tx.rows<BillRow>`
    select id, org_id as "orgId", subscription_id as "subscriptionId", kind, status, currency,
           amount_minor as "amountMinor", lines, effect, base_version as "baseVersion", user_id as "userId",
           period_start as "periodStart", attempts, next_attempt_at as "nextAttemptAt", deadline, reason,
           invoice_id as "invoiceId", created_at as "createdAt", ended_at as "endedAt"
    from bills where subscription_id = ${subscription} and status = 'open'
    order by created_at, id limit ${limit} for update`
}

async function markAbandoned(tx: Tx, id: BillId, reason: string): Promise<void> {
  await tx.rows`
    update bills set status = 'abandoned', reason = ${reason}, ended_at = ${tx.now}, next_attempt_at = null
    where id = ${id} and status = 'open'`
}

/** Also marks an abandoned bill: a late payment can still fulfil it. */
export async function markPaid(tx: Tx, { id }: Bill, invoiceId: InvoiceId): Promise<void> {
  await tx.rows`
    update bills set status = 'paid', reason = null, invoice_id = ${invoiceId}, ended_at = ${tx.now}, next_attempt_at = null
    where id = ${id} and status <> 'paid'`
}

export async function setReason(tx: Tx, { id }: Bill, reason: string): Promise<void> {
  await tx.rows`update bills set reason = ${reason.slice(0, REASON_CHARACTERS_MAX)} where id = ${id} and status = 'open'`
}

export async function setInvoice(tx: Tx, { id }: Bill, invoiceId: InvoiceId): Promise<void> {
  await tx.rows`update bills set invoice_id = ${invoiceId} where id = ${id}`
}

/** Stores the date of the next attempt before anything is charged. */
export async function setAttempt(
  tx: Tx,
  { id }: Bill,
  { attempts, nextAttemptAt }: { attempts: number; nextAttemptAt: Date | null },
): Promise<void> {
  await tx.rows`
    update bills set attempts = ${attempts}, next_attempt_at = ${nextAttemptAt} where id = ${id} and status = 'open'`
}
