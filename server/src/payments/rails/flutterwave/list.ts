// Lists the payments, refunds and chargebacks of a Flutterwave account. Payments of every status are listed, because rows
// that leave a filtered list would shift the pages.
import { z } from 'zod'
import { before } from '../../../kernel/clock.ts'
import { isCurrency } from '../../../kernel/money.ts'
import { minorFromMajor } from '../amounts.ts'
import { type HttpResponse, NoResponse } from '../http-client.ts'
import { type ListSection, type RawPage, readListPage } from '../lists.ts'
import { parseJsonExactly } from '../parse.ts'
import type { ListedItem, ListPage, ListWindow, OpenRail } from '../rail.ts'
import { Chargeback, Page, Refund, STATES } from './returns.ts'
import { Transaction } from './status.ts'

type Call = (path: string) => Promise<HttpResponse | NoResponse>
type Section = ListSection & { readonly path: string }

export function flutterwaveList(
  call: Call,
  keys: OpenRail['keys'],
  { from, until }: ListWindow,
  cursor: string | null,
): Promise<ListPage> {
  const sections: readonly Section[] = [
    { kind: 'payment', path: '/transactions', read: (row) => readPayment(row, keys) },
    { kind: 'refund', path: '/refunds', read: readRefund },
    { kind: 'dispute', path: '/chargebacks', read: readChargeback },
  ]
  // Both days are inclusive.
  const range = `from=${dayOf(from)}&to=${dayOf(before(until, { ms: 1 }))}`
  return readListPage(sections, cursor, async ({ path }, page) =>
    readPage(await call(`${path}?${range}&page=${page}`)),
  )
}

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)

function readPage(answer: HttpResponse | NoResponse): RawPage | string {
  if (answer instanceof NoResponse) return answer.message
  const page = Page.safeParse(parseJsonExactly(answer.text))
  if (answer.status >= 300 || !page.success) return `Flutterwave answered with status ${answer.status}.`
  const { data: rows, meta } = page.data
  const info = meta?.page_info
  return { rows, total: info?.total ?? null, pages: info?.total_pages ?? 1 }
}

const time = z.coerce.date()
const Listed = Transaction.extend({
  app_fee: z.union([z.number(), z.string()]).nullish(),
  created_at: time,
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

const STATUSES: Readonly<Record<string, ListedItem['status']>> = {
  successful: 'paid',
  reversed: 'reversed',
  refunded: 'reversed',
}

const ListedRefund = Refund.extend({ created_at: time.nullish() })
const ListedChargeback = Chargeback.extend({ created_at: time.nullish() })

function readRefund(row: unknown): ListedItem | null {
  const refund = ListedRefund.safeParse(row)
  if (!refund.success) return null
  const { id, tx_id, status, created_at } = refund.data
  const isReturned = status.startsWith('completed')
  return returnOf('refund', id, tx_id, isReturned ? 'returned' : 'unpaid', created_at)
}

function readChargeback(row: unknown): ListedItem | null {
  const chargeback = ListedChargeback.safeParse(row)
  if (!chargeback.success) return null
  const { id, transaction_id, status, created_at } = chargeback.data
  return returnOf('dispute', id, transaction_id, STATES[status] ?? 'open', created_at)
}

/** These lists have no currency, so their amounts cannot be read. */
const returnOf = (
  kind: 'refund' | 'dispute',
  id: string,
  transactionId: string,
  status: ListedItem['status'],
  at: Date | null | undefined,
): ListedItem => ({
  ...{ kind, id, transactionId, status, reference: null, amountMinor: null, feeMinor: null, currency: null },
  ...{ returnKey: `${kind}:${id}` as const, live: true, at: at ?? new Date(0) },
})
