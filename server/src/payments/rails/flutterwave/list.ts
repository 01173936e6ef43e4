// Lists the payments, refunds and chargebacks of a Flutterwave account. Payments of every status are listed, because rows
// that leave a filtered list would shift the pages.
import { z } from 'zod'
import { before } from '../../../kernel/clock.ts'
import { isCurrency } from '../../../kernel/money.ts'
import { minorFromMajor } from '../amounts.ts'
import { type ListSection, type RawPage, readListPage } from '../lists.ts'
import { parseJsonExactly } from '../parse.ts'
import type { ListedItem, ListPage, ListWindow, OpenRail } from '../rail.ts'
import { type Call, Chargeback, failureOf, isReturned, Page, Refund, STATES } from './returns.ts'
import { Transaction } from './status.ts'

type Source = { readonly call: Call; readonly version: 3 | 4; readonly keys: OpenRail['keys'] }
type Section = ListSection & { readonly path: string }

export function flutterwaveList(
  { call, version, keys }: Source,
  { from, until }: ListWindow,
  cursor: string | null,
): Promise<ListPage> {
  const sections: readonly Section[] = [
    version === 3
      ? { kind: 'payment', path: '/transactions', read: (row) => readPayment(row, keys) }
      : { kind: 'payment', path: '/charges', read: (row) => readCharge(row, keys) },
    { kind: 'refund', path: '/refunds', read: readRefund },
    { kind: 'dispute', path: '/chargebacks', read: readChargeback },
  ]
  // Both ends are inclusive: days in version 3, instants in version 4.
  const last = before(until, { ms: 1 })
  const range =
    version === 3
      ? `from=${dayOf(from)}&to=${dayOf(last)}`
      : `from=${from.toISOString()}&to=${last.toISOString()}&size=50`
  return readListPage(sections, cursor, async ({ path }, page) =>
    readPage(await call(`${path}?${range}&page=${page}`), version),
  )
}

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)

function readPage(answer: Awaited<ReturnType<Call>>, version: Source['version']): RawPage | string {
  if (!('status' in answer)) return failureOf(answer)
  const page = Page.safeParse(parseJsonExactly(answer.text))
  if (answer.status >= 300 || !page.success) return `Flutterwave answered with status ${answer.status}.`
  const { data: rows, meta } = page.data
  const info = meta?.page_info
  // A list that does not count its pages could be cut off without notice.
  if (!info && version === 4) return 'Flutterwave sent a list without its number of pages.'
  return { rows, total: info?.total ?? null, pages: info?.total_pages ?? 1 }
}

const time = z.coerce.date()
const amount = z.union([z.number(), z.string()]).nullish()
const Listed = Transaction.extend({ created_at: time })
const ListedCharge = z.object({
  id: z.string().min(1).max(200),
  reference: z.string().nullish(),
  status: z.string(),
  currency: z.string().nullish(),
  amount,
  fees: z.array(z.object({ amount: z.union([z.number(), z.string()]) })).nullish(),
  created_datetime: time,
})

function readPayment(row: unknown, keys: OpenRail['keys']): ListedItem | null {
  const listed = Listed.safeParse(row)
  if (!listed.success || listed.data.id === null) return null
  const { id, tx_ref, flw_ref, status, amount, app_fee, created_at } = listed.data
  const currency = listed.data.currency?.toUpperCase() ?? null
  // As in status queries: the amount of an unsupported currency is in hundredths.
  const unit = currency && isCurrency(currency) ? currency : 'USD'
  return {
    ...{ kind: 'payment', id, transactionId: id, reference: tx_ref ?? null, currency, returnKey: null },
    amountMinor: minorFromMajor(amount, unit),
    feeMinor: minorFromMajor(app_fee, unit),
    status: STATUSES[status] ?? 'unpaid',
    live: keys === 'live' && !flw_ref?.includes('FLW-MOCK'),
    at: created_at,
  }
}

function readCharge(row: unknown, keys: OpenRail['keys']): ListedItem | null {
  const listed = ListedCharge.safeParse(row)
  if (!listed.success) return null
  const { id, reference, status, amount, fees, created_datetime } = listed.data
  const currency = listed.data.currency?.toUpperCase() ?? null
  const unit = currency && isCurrency(currency) ? currency : 'USD'
  const parts = fees?.map((fee) => minorFromMajor(fee.amount, unit)) ?? null
  return {
    ...{ kind: 'payment', id, transactionId: id, reference: reference ?? null, currency, returnKey: null },
    amountMinor: minorFromMajor(amount, unit),
    feeMinor: parts?.every((part) => part !== null) ? parts.reduce((sum, part) => sum + part, 0n) : null,
    status: status === 'succeeded' ? 'paid' : 'unpaid',
    live: keys === 'live',
    at: created_datetime,
  }
}

const STATUSES: Readonly<Record<string, ListedItem['status']>> = {
  successful: 'paid',
  reversed: 'reversed',
  refunded: 'reversed',
}

const times = { created_at: time.nullish(), created_datetime: time.nullish() }
const ListedRefund = Refund.extend(times)
const ListedChargeback = Chargeback.extend(times)

function readRefund(row: unknown): ListedItem | null {
  const refund = ListedRefund.safeParse(row)
  if (!refund.success) return null
  const { id, tx_id, charge_id, status, created_at, created_datetime } = refund.data
  const state = isReturned(status) ? 'returned' : 'unpaid'
  return returnOf('refund', id, charge_id ?? tx_id, state, created_datetime ?? created_at)
}

function readChargeback(row: unknown): ListedItem | null {
  const chargeback = ListedChargeback.safeParse(row)
  if (!chargeback.success) return null
  const { id, transaction_id, charge_id, status, created_at, created_datetime } = chargeback.data
  const state = STATES[status] ?? 'open'
  return returnOf('dispute', id, charge_id ?? transaction_id, state, created_datetime ?? created_at)
}

/** These lists have no currency, so their amounts cannot be read. */
const returnOf = (
  kind: 'refund' | 'dispute',
  id: string,
  transactionId: string | null | undefined,
  status: ListedItem['status'],
  at: Date | null | undefined,
): ListedItem | null =>
  transactionId
    ? {
        ...{ kind, id, transactionId, status, reference: null, amountMinor: null, feeMinor: null },
        ...{ currency: null, returnKey: `${kind}:${id}` as const, live: true, at: at ?? new Date(0) },
      }
    : null
