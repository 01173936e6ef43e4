// Reads the status of a payment from the charges of API v4. Each attempt of the payer is a charge under our reference.

import { z } from 'zod'
import type { Clock } from '../../../../kernel/clock.ts'
import { isCurrency } from '../../../../kernel/money.ts'
import { minorFromMajor } from '../../amounts.ts'
import type { HttpResponse } from '../../http-client.ts'
import { parseJsonExactly } from '../../parse.ts'
import type { OpenRail, PaymentQuery, ProviderStatus } from '../../rail.ts'
import { paidTransactions } from '../../request.ts'
import { declineReason, redactedDetail } from '../../text.ts'
import { Page } from '../returns.ts'
import { withoutAttempt } from '../status.ts'

// Some documented examples have an object in place of the message.
const words = z.string().nullish().catch(null)
const Charge = z.object({
  id: z.string().min(1).max(200),
  reference: z.string().nullish(),
  status: z.string(),
  amount: z.union([z.number(), z.string()]).nullish(),
  currency: z.string().nullish(),
  processor_response: words,
  created_datetime: words,
})
type Charge = z.infer<typeof Charge>
type Context = { readonly keys: OpenRail['keys']; readonly clock: Clock }

export function readCharges(
  { status, text }: HttpResponse,
  query: PaymentQuery,
  context: Context,
): ProviderStatus {
  const page = Page.safeParse(parseJsonExactly(text))
  const charges = z.array(Charge).safeParse(page.data?.data)
  if (status >= 300 || !page.success || !charges.success)
    return unknown(`Flutterwave answered with status ${status} and nothing we can read.`)
  const ours = charges.data.filter(({ reference }) => reference === query.reference)
  // An API that ignores the filter lists the payments of all customers, and ours may be on a later page.
  if (ours.length === 0 && charges.data.length > 0)
    return unknown('Flutterwave answered about other payments.')
  if (ours.length === 0) return withoutAttempt(context.clock, query.createdAt)

  const [first, ...more] = ours.filter((each) => each.status === 'succeeded').sort(byAge)
  if (!first) return readUnpaid(ours, (page.data.meta?.page_info?.total_pages ?? 1) > 1)
  const paid = readPaid(first, context)
  // A payer who reopened the page may have paid again.
  const others = more.map((each) => readPaid(each, context)).flatMap(paidTransactions)
  return paid.status === 'paid' && others.length > 0 ? { ...paid, others } : paid
}

function readPaid(charge: Charge, { keys }: Context): ProviderStatus {
  const currency = charge.currency?.toUpperCase()
  // An unsupported currency settles nothing: staff see its amount in hundredths.
  const amountMinor = currency ? minorFromMajor(charge.amount, isCurrency(currency) ? currency : 'USD') : null
  if (!currency || amountMinor === null) return unknown('Flutterwave reports a payment without its amount.')
  return {
    status: 'paid',
    transactionId: charge.id,
    amountMinor,
    currency,
    reference: charge.reference ?? null,
    live: keys === 'live',
  }
}

function readUnpaid(charges: readonly Charge[], hasMore: boolean): ProviderStatus {
  if (charges.some(({ status }) => status === 'pending'))
    return { status: 'pending', detail: 'Flutterwave says pending.' }
  const ended = charges.filter(({ status }) => status === 'failed' || status === 'voided')
  if (ended.length < charges.length) return unknown('Flutterwave reports an unknown status.')
  if (hasMore) return unknown('There were more attempts than Flutterwave lists on a page.')
  const last = [...ended].sort(byAge).at(-1)
  return {
    status: 'failed',
    reason: declineReason(last?.processor_response),
    detail: redactedDetail(last?.status, last?.processor_response),
  }
}

const unknown = (reason: string): ProviderStatus => ({ status: 'unknown', reason })

/** Oldest first, so that a repeat payment does not change which charge paid this one. */
const byAge = (a: Charge, b: Charge): number =>
  (a.created_datetime ?? '').localeCompare(b.created_datetime ?? '') || a.id.localeCompare(b.id)
