// Reads the status of a payment from Fawry's reply.
import { z } from 'zod'
import { minorFromMajor } from '../amounts.ts'
import type { HttpResponse } from '../http-client.ts'
import type { PaymentQuery, ProviderStatus } from '../rail.ts'

/** Fawry quotes numbers in some replies and not in others. */
export const looseText = z
  .union([z.string().max(200), z.number()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? '' : String(value)))
const Amount = z.union([z.string(), z.number()]).nullish()

/** The common fields of all replies. Their names differ between Fawry's APIs. */
export const Envelope = z.object({
  statusCode: looseText,
  code: looseText,
  statusDescription: looseText,
  description: looseText,
})
export const codeOf = ({ statusCode, code }: z.output<typeof Envelope>): string => statusCode || code

const OrderState = Envelope.extend({
  fawryRefNumber: looseText,
  referenceNumber: looseText,
  merchantRefNumber: looseText,
  orderStatus: looseText,
  paymentStatus: looseText,
  currencyCode: looseText,
  orderAmount: Amount,
  paymentAmount: Amount,
})
type OrderState = z.output<typeof OrderState>

const ALL_WELL = '200'
export const NOT_FOUND = '9938'

export function readStatus(
  { status, json }: HttpResponse,
  query: PaymentQuery,
  { isLive, isEarly }: { isLive: boolean; isEarly: boolean },
): ProviderStatus {
  const read = OrderState.safeParse(json)
  const code = read.success ? codeOf(read.data) : ''
  if (status < 500 && code === NOT_FOUND) return notFound(query, isEarly)
  if (status >= 300 || !read.success || (code && code !== ALL_WELL))
    return unknown(
      `Fawry answered with status ${status} and ${code ? `code ${code}` : 'nothing we can read'}.`,
    )
  const state = read.data
  const word = (state.orderStatus || state.paymentStatus).trim().toUpperCase()
  if (word === 'PAID' || word === 'DELIVERED') return readPaid(state, isLive)
  // Fawry does not say how much it refunded, so a full reversal would be wrong.
  if (/^PARTIAL(LY)?_?REFUNDED$/.test(word)) {
    const paid = readPaid(state, isLive)
    return paid.status === 'paid' ? { ...paid, unclearReturn: PART_RETURNED } : paid
  }
  if (state.merchantRefNumber && state.merchantRefNumber !== query.reference)
    return unknown('Fawry replied about another payment.')
  return readUnpaid(word, state)
}

/** A payer with a reference number can still pay, so the order must exist at Fawry: check again later. */
function notFound({ providerRef }: PaymentQuery, isEarly: boolean): ProviderStatus {
  if (isEarly) return { status: 'pending', detail: 'Fawry does not know the payment yet.', isNotFound: true }
  return providerRef === null
    ? { status: 'failed', reason: 'The payment was never started.' }
    : unknown('Fawry does not know an order that it accepted.')
}

/** Fawry's fee is on top of the order, so the order's amount counts. If less was paid, the paid amount counts. */
function readPaid(state: OrderState, isLive: boolean): ProviderStatus {
  const ordered = minorFromMajor(state.orderAmount, 'EGP')
  if (ordered === null) return unknown('Fawry reports the payment as paid, without a readable amount.')
  const paid = minorFromMajor(state.paymentAmount, 'EGP') ?? ordered
  const isShort = paid < ordered
  return {
    status: 'paid',
    transactionId: numberOf(state),
    amountMinor: isShort ? paid : ordered,
    currency: state.currencyCode.toUpperCase() || null,
    reference: state.merchantRefNumber || null,
    live: isLive,
  }
}

function readUnpaid(word: string, state: OrderState): ProviderStatus {
  if (word === 'NEW' || word === 'UNPAID')
    return { status: 'pending', detail: 'The reference number has not been paid yet.' }
  if (word === 'EXPIRED')
    return { status: 'failed', reason: 'The Fawry reference number expired before it was paid.' }
  // Fawry uses several spellings.
  if (/^CANCELL?ED$/.test(word)) return { status: 'failed', reason: 'The payment was cancelled.' }
  if (/^FAILE?D$/.test(word)) return { status: 'failed', reason: 'The payment did not go through at Fawry.' }
  if (word === 'REFUNDED')
    return { status: 'reversed', reason: 'Fawry paid it back.', transactionId: numberOf(state) }
  return unknown('Fawry reports an unknown status.')
}

const PART_RETURNED = 'Fawry refunded a part of this payment without reporting the amount.'

const numberOf = (state: OrderState): string | null => state.fawryRefNumber || state.referenceNumber || null
const unknown = (reason: string): ProviderStatus => ({ status: 'unknown', reason })
