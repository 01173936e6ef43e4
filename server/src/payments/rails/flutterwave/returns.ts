// Reads the refunds and chargebacks of a Flutterwave payment from the lists of the whole account, in both versions of the API.
import { z } from 'zod'
import { minorFromMajor } from '../amounts.ts'
import { type HttpResponse, NoResponse } from '../http-client.ts'
import type { ApiFailure } from '../newer-apis/oauth-api.ts'
import { parseJsonExactly } from '../parse.ts'
import type { PaidQuery, ProviderReturn, ProviderReturns } from '../rail.ts'
import { refundIdIn } from '../text.ts'
import { Envelope } from './status.ts'

/** The reply, or the reason why there is none. */
export type Call = (path: string) => Promise<HttpResponse | NoResponse | ApiFailure>
type Paid = PaidQuery

const PAGES_MAX = 10

export async function flutterwaveReturns(call: Call, paid: Paid): Promise<ProviderReturns> {
  const refunds = await rowsOf(call, '/refunds', paid)
  if (typeof refunds === 'string') return { status: 'unknown', reason: refunds }
  const chargebacks = await rowsOf(call, '/chargebacks', paid)
  if (typeof chargebacks === 'string') return { status: 'unknown', reason: chargebacks }
  const found = [
    ...chargebacks.map((row) => readChargeback(row, paid)),
    ...refunds.map((row) => readRefund(row, paid)),
  ]
  if (found.some((each) => each === 'unreadable'))
    return { status: 'unknown', reason: 'Flutterwave lists a refund or chargeback that we cannot read.' }
  return {
    status: 'known',
    returns: found.filter((each): each is ProviderReturn => each !== null && each !== 'unreadable'),
  }
}

/** All rows since the day of the payment, or the reason of a failure. */
export async function rowsOf(call: Call, path: string, { createdAt }: Paid): Promise<unknown[] | string> {
  const rows: unknown[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const answer = await call(`${path}?from=${createdAt.toISOString().slice(0, 10)}&page=${page}`)
    if (!('status' in answer)) return failureOf(answer)
    const read = Page.safeParse(parseJsonExactly(answer.text))
    if (answer.status >= 300 || !read.success) return `Flutterwave answered with status ${answer.status}.`
    rows.push(...read.data.data)
    if (read.data.data.length === 0 || page >= (read.data.meta?.page_info?.total_pages ?? 1)) return rows
  }
  return 'Flutterwave lists more refunds or chargebacks than we read.'
}

export const failureOf = (answer: NoResponse | ApiFailure): string =>
  answer instanceof NoResponse ? answer.message : answer.failure

export const Page = Envelope.extend({
  status: z.literal('success'),
  data: z.array(z.unknown()),
  meta: z
    .object({
      page_info: z
        .object({ total_pages: z.number(), total: z.number().int().nullish().catch(null) })
        .nullish(),
    })
    .nullish()
    .catch(null),
})

const id = z.union([z.number().int(), z.string().min(1).max(64)]).transform(String)
const amount = z.union([z.number(), z.string()])
// The payment is the `charge_id` in version 4.
export const Refund = z.object({
  ...{ id, tx_id: id.nullish(), charge_id: id.nullish() },
  ...{ amount_refunded: amount, status: z.string() },
  comments: z.string().nullish().catch(null),
})
export const Chargeback = z.object({
  ...{ id, transaction_id: id.nullish(), charge_id: id.nullish() },
  ...{ amount, status: z.string() },
  due_date: z.coerce.date().nullish().catch(null),
})

/** The status can have a suffix, as in `completed-momo`. Version 4 says `succeeded`. */
export const isReturned = (refundStatus: string): boolean => /^(completed|succeeded)/.test(refundStatus)

function readRefund(row: unknown, paid: Paid): ProviderReturn | null | 'unreadable' {
  const refund = Refund.safeParse(row)
  if (!refund.success) return 'unreadable'
  const { tx_id, charge_id, amount_refunded, status } = refund.data
  const transactionId = charge_id ?? tx_id
  if (!transactionId) return 'unreadable'
  if (transactionId !== paid.transactionId || !isReturned(status)) return null
  const returned = returnOf(`refund:${refund.data.id}`, amount_refunded, 'returned', paid)
  return returned === 'unreadable' ? returned : { ...returned, ourId: refundIdIn(refund.data.comments) }
}

function readChargeback(row: unknown, paid: Paid): ProviderReturn | null | 'unreadable' {
  const chargeback = Chargeback.safeParse(row)
  if (!chargeback.success) return 'unreadable'
  const { transaction_id, charge_id, amount, status } = chargeback.data
  const transactionId = charge_id ?? transaction_id
  if (!transactionId) return 'unreadable'
  if (transactionId !== paid.transactionId) return null
  const disputed = returnOf(`dispute:${chargeback.data.id}`, amount, STATES[status] ?? 'open', paid)
  return disputed === 'unreadable' ? disputed : { ...disputed, dueAt: chargeback.data.due_date ?? null }
}

/** We accept or decline a claim. After a decline the bank decides. */
export const STATES: Readonly<Record<string, ProviderReturn['state']>> = {
  accepted: 'returned',
  lost: 'returned',
  won: 'kept',
}

function returnOf(
  key: ProviderReturn['key'],
  major: unknown,
  state: ProviderReturn['state'],
  { currency }: Paid,
): ProviderReturn | 'unreadable' {
  const amountMinor = minorFromMajor(major, currency)
  return amountMinor !== null && amountMinor > 0n ? { key, amountMinor, state } : 'unreadable'
}
