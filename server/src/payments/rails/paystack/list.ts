// Lists the payments, refunds and disputes of a Paystack account. Payments of every status are listed, because rows that
// leave a filtered list would shift the pages.
import { z } from 'zod'
import { before } from '../../../kernel/clock.ts'
import { isCurrency } from '../../../kernel/money.ts'
import { type HttpResponse, NoResponse } from '../http-client.ts'
import { LIST_PAGE_ROWS, type ListSection, type RawPage, readListPage } from '../lists.ts'
import { parseJsonExactly } from '../parse.ts'
import type { ListedItem, ListPage, ListWindow, OpenRail } from '../rail.ts'
import { Envelope } from './replies.ts'
import { Dispute, Refund, stateOf } from './returns.ts'
import { minorFromProvider, minorPaid, Transaction } from './status.ts'

type Call = (path: string) => Promise<HttpResponse | NoResponse>
type Section = ListSection & { readonly path: string }

export function paystackList(
  call: Call,
  keys: OpenRail['keys'],
  { from, until }: ListWindow,
  cursor: string | null,
): Promise<ListPage> {
  const sections: readonly Section[] = [
    { kind: 'payment', path: '/transaction', read: (row) => readPayment(row, keys) },
    { kind: 'refund', path: '/refund', read: readRefund },
    { kind: 'dispute', path: '/dispute', read: readDispute },
  ]
  const to = before(until, { ms: 1 }).toISOString()
  const range = `from=${from.toISOString()}&to=${to}&perPage=${LIST_PAGE_ROWS}`
  return readListPage(sections, cursor, async ({ path }, page) =>
    readPage(await call(`${path}?${range}&page=${page}`)),
  )
}

const Page = Envelope.extend({
  status: z.literal(true),
  data: z.array(z.unknown()),
  meta: z
    .object({ total: z.number().int().nullish(), pageCount: z.number().int().nullish() })
    .nullish()
    .catch(null),
})

function readPage(answer: HttpResponse | NoResponse): RawPage | string {
  if (answer instanceof NoResponse) return answer.message
  const page = Page.safeParse(parseJsonExactly(answer.text))
  if (answer.status >= 300 || !page.success) return `Paystack answered with status ${answer.status}.`
  const { data: rows, meta } = page.data
  return { rows, total: meta?.total ?? null, pages: meta?.pageCount ?? null }
}

const time = z.coerce.date()
const Listed = Transaction.extend({
  paid_at: time.nullish().catch(null),
  created_at: time,
})

function readPayment(row: unknown, keys: OpenRail['keys']): ListedItem | null {
  const listed = Listed.safeParse(row)
  if (!listed.success || listed.data.id === null) return null
  const { id, reference, status, domain, fees, paid_at, created_at } = listed.data
  const currency = listed.data.currency?.toUpperCase() ?? null
  return {
    ...{ kind: 'payment', id, transactionId: id, reference: reference ?? null, currency, returnKey: null },
    amountMinor: currency === null ? null : minorPaid(listed.data, currency),
    feeMinor: currency && isCurrency(currency) ? minorFromProvider(fees, currency) : null,
    status: status === 'success' ? 'paid' : status === 'reversed' ? 'reversed' : 'unpaid',
    live: keys === 'live' && (domain ?? 'live') === 'live',
    at: paid_at ?? created_at,
  }
}

const createdAt = { created_at: time.nullish(), createdAt: time.nullish() }
const ListedRefund = Refund.extend(createdAt)
const ListedDispute = Dispute.extend(createdAt)

function readRefund(row: unknown): ListedItem | null {
  const refund = ListedRefund.safeParse(row)
  if (!refund.success) return null
  const { id, transaction, dispute, amount, status } = refund.data
  return {
    ...{ kind: 'refund', id, transactionId: transaction, reference: null, feeMinor: null, live: true },
    ...amountOf(amount, refund.data.currency),
    status: status === 'processed' ? 'returned' : 'unpaid',
    returnKey: dispute ? `dispute:${dispute}` : `refund:${id}`,
    at: timeOf(refund.data),
  }
}

function readDispute(row: unknown): ListedItem | null {
  const dispute = ListedDispute.safeParse(row)
  if (!dispute.success) return null
  const { id, transaction, status, resolution, refund_amount, currency } = dispute.data
  return {
    ...{ kind: 'dispute', id, transactionId: transaction.id, reference: null, feeMinor: null, live: true },
    ...amountOf(refund_amount ?? transaction.amount, currency ?? transaction.currency ?? null),
    status: stateOf(status, resolution ?? ''),
    returnKey: `dispute:${id}`,
    at: timeOf(dispute.data),
  }
}

function amountOf(amount: unknown, code: string | null) {
  const currency = code?.toUpperCase() ?? null
  return {
    currency,
    amountMinor: currency && isCurrency(currency) ? minorFromProvider(amount, currency) : null,
  }
}

type Times = { created_at?: Date | null | undefined; createdAt?: Date | null | undefined }
const timeOf = (times: Times): Date => times.created_at ?? times.createdAt ?? new Date(0)
