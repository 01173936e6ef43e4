// Reads the status of a payment from Paystack's reply.
import { z } from 'zod'
import { type Currency, describeCurrency, isCurrency } from '../../../kernel/money.ts'
import { parseMinor } from '../amounts.ts'
import type { HttpClient, HttpResponse } from '../http-client.ts'
import { isWithinGracePeriod, parseJsonExactly } from '../parse.ts'
import { NEVER_BEGUN, type OpenRail, type PaymentQuery, type ProviderStatus } from '../rail.ts'
import { declineReason, redactedDetail } from '../text.ts'
import { readCard } from './cards.ts'
import { Envelope } from './replies.ts'

/** Paystack counts hundredths of every currency, even of those without minor units. */
export const providerAmount = (minor: bigint, currency: Currency): number =>
  Number(minor * factorOf(currency))

/** The inverse; null for invalid amounts. */
export function minorFromProvider(amount: unknown, currency: Currency): bigint | null {
  const hundredths = parseMinor(amount)
  const factor = factorOf(currency)
  return hundredths !== null && hundredths % factor === 0n ? hundredths / factor : null
}

type StatusContext = {
  readonly http: HttpClient
  readonly query: PaymentQuery
  readonly keys: OpenRail['keys']
}

export function readStatus(answer: HttpResponse, { http, query, keys }: StatusContext): ProviderStatus {
  const envelope = Envelope.safeParse(parseJsonExactly(answer.text))
  if (!envelope.success || answer.status >= 500) return unreadable(`status ${answer.status}`)
  const { status, code, message, data } = envelope.data
  const isUnknown = answer.status === 404 || code === 'transaction_not_found' || NOT_FOUND.test(message)
  if (!status && isUnknown)
    return isWithinGracePeriod(http, query)
      ? { status: 'pending', detail: 'Paystack does not know the payment yet.', isNotFound: true }
      : { status: 'failed', reason: NEVER_BEGUN }
  if (answer.status >= 300 || !status) return unreadable(`status ${answer.status}`)

  const transaction = Transaction.safeParse(data)
  if (!transaction.success) return unreadable('a transaction that we cannot read')
  const { id, status: word, gateway_response } = transaction.data
  if (word === 'success') return readPaid(transaction.data, keys)
  if (word === 'failed') {
    const messages = [transaction.data.message, gateway_response]
    return { status: 'failed', reason: declineReason(...messages), detail: redactedDetail(...messages) }
  }
  if (word === 'reversed')
    return { status: 'reversed', reason: 'The provider returned the money to the payer.', transactionId: id }
  if (UNDECIDED.has(word)) return { status: 'pending', detail: `Paystack says ${word}.` }
  return unreadable('a status that we do not know')
}

const NOT_FOUND = /reference not found/i

const amount = z.union([z.number(), z.string()])
const text = z.string().nullish().catch(null)
export const Transaction = z.object({
  // Up to 64 bits, so it is stored as text.
  id: z
    .union([z.number().int(), z.string().max(64)])
    .nullish()
    .transform((id) => (id === null || id === undefined ? null : String(id))),
  status: z.string(),
  reference: z.string().nullish(),
  amount: amount.nullish(),
  requested_amount: amount.nullish(),
  fees: amount.nullish().catch(null),
  currency: z.string().nullish(),
  domain: z.string().nullish(),
  message: text,
  gateway_response: text,
  authorization: z.unknown().optional(),
})

// The payer can still complete an abandoned payment. The others are steps of a direct charge.
const UNDECIDED = new Set([
  ...['abandoned', 'ongoing', 'pending', 'processing', 'queued'],
  ...['pay_offline', 'open_url', 'send_otp', 'send_pin', 'send_phone', 'send_birthday', 'send_address'],
])

function readPaid(paid: z.infer<typeof Transaction>, keys: OpenRail['keys']): ProviderStatus {
  const currency = paid.currency?.toUpperCase()
  const amountMinor = currency ? minorPaid(paid, currency) : null
  if (!currency || amountMinor === null || !paid.reference) return unreadable('a payment without its amount')
  const card = readCard(paid.authorization)
  return {
    status: 'paid',
    transactionId: paid.id,
    amountMinor,
    currency,
    reference: paid.reference,
    // Without a domain in the reply the key decides: a key sees only live or only test payments.
    live: keys === 'live' && (paid.domain ?? 'live') === 'live',
    feeMinor: isCurrency(currency) ? minorFromProvider(paid.fees, currency) : null,
    ...(card && { card }),
  }
}

/** The requested amount. Partial payments charge less; fees of the payer add to the charge. */
export function minorPaid(
  { amount, requested_amount }: z.infer<typeof Transaction>,
  currency: string,
): bigint | null {
  const charged = parseMinor(amount)
  const requested =
    requested_amount === null || requested_amount === undefined ? charged : parseMinor(requested_amount)
  if (charged === null || requested === null) return null
  const isPart = charged < requested
  const hundredths = isPart ? charged : requested
  // An unsupported currency settles nothing, so its amount stays unconverted.
  const factor = isCurrency(currency) ? factorOf(currency) : 1n
  return hundredths % factor === 0n ? hundredths / factor : null
}

const factorOf = (currency: Currency): bigint => 100n / BigInt(describeCurrency(currency).minorUnit)
const unreadable = (what: string): ProviderStatus => ({
  status: 'unknown',
  reason: `Paystack answered with ${what}.`,
})
