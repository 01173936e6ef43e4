// A bill is one thing to be paid for a subscription, once: what it costs, and what becomes of the subscription then.
// Whoever touches one holds the organisation (`lockOrg`).
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

/** `lines` and `effect` as JSON gave them back: their instants are texts. */
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
  /** A new one where it is left out. */
  readonly id?: BillId
  readonly userId: string | null
  /** The period that a renewal pays for; null for all others. */
  readonly periodStart: Date | null
  /** Until then nobody else may change the subscription; null for renewals and checkouts, which stop nobody. */
  readonly deadline: Date | null
  readonly nextAttemptAt?: Date | null
}

/**
 * Writes a bill down. Null where another change of the subscription is open, or where this period's renewal has its bill
 * already. A change whose deadline has passed is given up for it, unless a card is still being charged for that one.
 */
export async function openBill(tx: Tx, bill: NewBill): Promise<Bill | null> {
  assert(bill.amountMinor > 0n, 'a bill is about money')
  assert((bill.kind === 'renewal') === (bill.periodStart !== null), 'a renewal is of a period')
  if (isChange(bill) && !(await abandonOverdueChange(tx, bill.subscriptionId))) return null
  const id = bill.id ?? newId('bill', tx.now.getTime())
  const isNew = await insertBill(tx, { ...bill, id, nextAttemptAt: bill.nextAttemptAt ?? null })
  return isNew ? ((await lockBill(tx, id)) ?? null) : null
}

/** The bill, which nobody else changes until the transaction ends. */
export async function lockBill(tx: Tx, id: string): Promise<Bill | undefined> {
  const row = await lockBillRow(tx, id)
  return row && toBill(row)
}

/** The checkout of a plan whose page is still open. */
export async function lockOpenCheckout(
  tx: Tx,
  orgId: OrgId,
  target: { planCode: string; interval: string },
): Promise<Bill | undefined> {
  const row = await lockOpenCheckoutRow(tx, orgId, target)
  return row && toBill(row)
}

const OPEN_BILLS_MAX = 20

/** All that is open of a subscription. */
export async function lockOpenBills(tx: Tx, subscription: SubscriptionId): Promise<Bill[]> {
  return (await lockOpenBillRows(tx, subscription, OPEN_BILLS_MAX)).map(toBill)
}

/** The change that keeps others from changing the subscription now. */
export async function findChangeInProgress(tx: Tx, subscription: SubscriptionId): Promise<Bill | undefined> {
  const open = await lockOpenBills(tx, subscription)
  return open.find((bill) => isChange(bill) && !isOverdue(bill, tx.now))
}

/** Gives a bill up, and its open invoice with it. What is paid for it later is looked at then. */
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
/** Nobody has to wait for it any more. */
export const isOverdue = ({ deadline }: Pick<Bill, 'deadline'>, now: Date): boolean =>
  deadline !== null && deadline <= now

/** The change whose deadline has passed and that nobody has given up yet. */
export async function findOverdueChange(tx: Tx, subscription: SubscriptionId): Promise<Bill | undefined> {
  const open = await lockOpenBills(tx, subscription)
  return open.find((bill) => isChange(bill) && isOverdue(bill, tx.now))
}

/** False while its money may still come without anybody's doing: a second charge beside that would be one too many. */
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

/** Money comes back from JSON as it went in; instants come back as texts. */
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

/** False where another stands in its way: a change that is open, or the renewal of the same period. */
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

/** The newest of a plan whose page is still good. */
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

/** The open ones of a subscription, the oldest first: at most one change, and as good as always one in all. */
function lockOpenBillRows(tx: Tx, subscription: SubscriptionId, most: number) {
  return tx.rows<BillRow>`
    select id, org_id as "orgId", subscription_id as "subscriptionId", kind, status, currency,
           amount_minor as "amountMinor", lines, effect, base_version as "baseVersion", user_id as "userId",
           period_start as "periodStart", attempts, next_attempt_at as "nextAttemptAt", deadline, reason,
           invoice_id as "invoiceId", created_at as "createdAt", ended_at as "endedAt"
    from bills where subscription_id = ${subscription} and status = 'open'
    order by created_at, id limit ${most} for update`
}

async function markAbandoned(tx: Tx, id: BillId, reason: string): Promise<void> {
  await tx.rows`
    update bills set status = 'abandoned', reason = ${reason}, ended_at = ${tx.now}, next_attempt_at = null
    where id = ${id} and status = 'open'`
}

/** Also one that was given up before, where the money came late and is still welcome. */
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

/** A try begins: when the next one is due is written before anything is charged. */
export async function setAttempt(
  tx: Tx,
  { id }: Bill,
  { attempts, nextAttemptAt }: { attempts: number; nextAttemptAt: Date | null },
): Promise<void> {
  await tx.rows`
    update bills set attempts = ${attempts}, next_attempt_at = ${nextAttemptAt} where id = ${id} and status = 'open'`
}
