// A bill is one thing to be paid for a subscription, once: what it costs, and what becomes of the subscription then.
// Whoever touches one holds the organisation (`lockOrg`).

import { type InvoiceId, voidInvoice } from '../invoices/invoices.ts'
import { assert } from '../kernel/assert.ts'
import { newId, type OrgId } from '../kernel/ids.ts'
import { oldestOpenPaymentOf } from '../payments/payments.ts'
import type { Tx } from '../platform/db/tx.ts'
import * as sql from './bills-sql.ts'
import type { Effect, Line } from './quote.ts'
import type { SubscriptionId } from './sql.ts'

export type { BillId, BillKind, BillStatus } from './bills-sql.ts'

export type Bill = Omit<sql.BillRow, 'lines' | 'effect' | 'invoiceId'> & {
  readonly lines: readonly Line[]
  readonly effect: Effect
  readonly invoiceId: InvoiceId | null
}

export type NewBill = Pick<
  Bill,
  'orgId' | 'subscriptionId' | 'kind' | 'currency' | 'amountMinor' | 'lines' | 'effect' | 'baseVersion'
> & {
  /** A new one where it is left out. */
  readonly id?: sql.BillId
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
  if (isChange(bill) && !(await giveUpOverdue(tx, bill.subscriptionId))) return null
  const id = bill.id ?? newId('bill', tx.now.getTime())
  const isNew = await sql.insertBill(tx, { ...bill, id, nextAttemptAt: bill.nextAttemptAt ?? null })
  return isNew ? ((await lockBill(tx, id)) ?? null) : null
}

/** The bill, which nobody else changes until the transaction ends. */
export async function lockBill(tx: Tx, id: string): Promise<Bill | undefined> {
  const row = await sql.lockBill(tx, id)
  return row && toBill(row)
}

/** The checkout of a plan whose page is still open. */
export async function lockOpenCheckout(
  tx: Tx,
  orgId: OrgId,
  target: { planCode: string; interval: string },
): Promise<Bill | undefined> {
  const row = await sql.lockOpenCheckout(tx, orgId, target)
  return row && toBill(row)
}

const OPEN_BILLS_MAX = 20

/** All that is open of a subscription. */
export async function lockOpenBills(tx: Tx, subscription: SubscriptionId): Promise<Bill[]> {
  return (await sql.lockOpenBills(tx, subscription, OPEN_BILLS_MAX)).map(toBill)
}

/** The change that keeps others from changing the subscription now. */
export async function changeInProgress(tx: Tx, subscription: SubscriptionId): Promise<Bill | undefined> {
  const open = await lockOpenBills(tx, subscription)
  return open.find((bill) => isChange(bill) && !isOverdue(bill, tx.now))
}

/** Gives a bill up, and its open invoice with it. What is paid for it later is looked at then. */
export async function abandonBill(tx: Tx, bill: Bill, reason: string): Promise<void> {
  if (bill.status !== 'open') return
  await sql.markAbandoned(tx, bill.id, reason.slice(0, REASON_CHARACTERS_MAX))
  if (bill.invoiceId) await voidInvoice(tx, bill.invoiceId, reason.slice(0, REASON_CHARACTERS_MAX))
}

export async function abandonOpenBills(tx: Tx, subscription: SubscriptionId, reason: string): Promise<void> {
  for (const bill of await lockOpenBills(tx, subscription)) await abandonBill(tx, bill, reason)
}

export const noteReason = (tx: Tx, bill: Bill, reason: string): Promise<void> =>
  sql.setReason(tx, bill.id, reason.slice(0, REASON_CHARACTERS_MAX))

/** The open invoice of a renewal. */
export const setInvoice = (tx: Tx, bill: Bill, invoiceId: InvoiceId): Promise<void> =>
  sql.setInvoice(tx, bill.id, invoiceId)

export const setAttempt = (
  tx: Tx,
  bill: Bill,
  attempt: { attempts: number; nextAttemptAt: Date | null },
): Promise<void> => sql.setAttempt(tx, bill.id, attempt)

export const markPaid = (tx: Tx, bill: Bill, invoiceId: InvoiceId): Promise<void> =>
  sql.markPaid(tx, bill.id, invoiceId)

const REASON_CHARACTERS_MAX = 500

const isChange = ({ kind }: Pick<Bill, 'kind'>): boolean => kind === 'change' || kind === 'seats'
/** Nobody has to wait for it any more. */
export const isOverdue = ({ deadline }: Pick<Bill, 'deadline'>, now: Date): boolean =>
  deadline !== null && deadline <= now

/** The change whose deadline has passed and that nobody has given up yet. */
export async function overdueChange(tx: Tx, subscription: SubscriptionId): Promise<Bill | undefined> {
  const open = await lockOpenBills(tx, subscription)
  return open.find((bill) => isChange(bill) && isOverdue(bill, tx.now))
}

/** False while its money may still come without anybody's doing: a second charge beside that would be one too many. */
async function giveUpOverdue(tx: Tx, subscription: SubscriptionId): Promise<boolean> {
  const bill = await overdueChange(tx, subscription)
  if (!bill) return true
  const undecided = await oldestOpenPaymentOf(tx, bill.id)
  if (undecided && undecided.handOff?.authorizationUrl === undefined && tx.now < undecided.expiresAt)
    return false
  await abandonBill(tx, bill, 'It was not paid in time.')
  return true
}

type Stored<T> = { readonly [K in keyof T]: T[K] extends Date ? string : T[K] }

/** Money comes back from JSON as it went in; instants come back as texts. */
function toBill(row: sql.BillRow): Bill {
  const stored = row.effect as Stored<Effect>
  const effect: Effect = {
    ...stored,
    anchor: new Date(stored.anchor),
    periodStart: new Date(stored.periodStart),
    periodEnd: new Date(stored.periodEnd),
  }
  return { ...row, lines: row.lines as readonly Line[], effect }
}
