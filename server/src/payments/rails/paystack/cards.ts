// Reads cards and card charges from Paystack's replies.
import { z } from 'zod'
import type { CardDetails } from '../../../platform/payment-handler.ts'
import { type HttpResponse, NoResponse } from '../http-client.ts'
import type { CardChargeResult } from '../rail.ts'
import { declineReason, redactedDetail } from '../text.ts'
import { Envelope } from './replies.ts'

const text = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .nullish()
  .transform((value) => value ?? null)
  .catch(null)
const number = z.union([z.number(), z.string().regex(/^\d{1,4}$/)]).transform(Number)

const Authorization = z.object({
  authorization_code: z.string().min(1).max(200),
  signature: z.string().min(1).max(200),
  reusable: z.unknown(),
  channel: z.literal('card'),
  last4: z.string().regex(/^\d{4}$/),
  exp_month: number.pipe(z.number().int().min(1).max(12)),
  exp_year: number.pipe(z.number().int().min(2000).max(2200)),
  brand: text,
  card_type: text,
  bank: text,
  country_code: text,
})

/** The card that paid; null for other channels and incomplete data. */
export function readCard(authorization: unknown): CardDetails | null {
  const read = Authorization.safeParse(authorization)
  if (!read.success) return null
  const details = read.data
  return {
    authorizationCode: details.authorization_code,
    signature: details.signature,
    // Only `true` counts.
    isReusable: details.reusable === true,
    brand: brandOf(details.brand ?? details.card_type ?? ''),
    last4: details.last4,
    expMonth: details.exp_month,
    expYear: details.exp_year,
    bank: details.bank,
    country: details.country_code?.slice(0, 10) ?? null,
  }
}

const BRANDS = ['Visa', 'Mastercard', 'Verve', 'American Express']

/** Normalises Paystack's spellings. */
function brandOf(details: string): string {
  const known = BRANDS.find((brand) => new RegExp(brand.replace(' ', '\\s*'), 'i').test(details))
  return known ?? (details.slice(0, 40) || 'Card')
}

const ChargeReply = z.object({ status: z.string() })
const ChallengeReply = z.object({
  paused: z.literal(true),
  authorization_url: z.url({ protocol: /^https?$/ }),
})
const FailedReply = z.object({
  status: z.literal('failed'),
  message: text,
  gateway_response: text,
})

/** Reads the reply to a card charge. Settlement still queries the status. */
export function readCardCharge(answer: HttpResponse | NoResponse): CardChargeResult {
  if (answer instanceof NoResponse) return { outcome: 'unknown', reason: answer.message }
  const envelope = Envelope.safeParse(answer.json)
  const isTaken = answer.status < 300
  const isRefused = answer.status >= 400 && answer.status < 500 && !UNDECIDED.has(answer.status)
  if (!envelope.success || !(isTaken || isRefused))
    return { outcome: 'unknown', reason: `Paystack answered with status ${answer.status}.` }
  const { status, message, code, data } = envelope.data
  if (isTaken && status) return readAccepted(data)
  if (code === 'duplicate_reference' || /duplicate.*reference/i.test(message)) return { outcome: 'answered' }
  return readDecline(answer.status, message, code, data)
}

// Problems of our key, our rate or Paystack itself: they do not decline the card.
const UNDECIDED = new Set([401, 403, 408, 429])

function readAccepted(data: unknown): CardChargeResult {
  const paused = ChallengeReply.safeParse(data)
  if (paused.success) return { outcome: 'challenged', authorizationUrl: paused.data.authorization_url }
  return ChargeReply.safeParse(data).success
    ? { outcome: 'answered' }
    : { outcome: 'unknown', reason: 'Paystack did not name the next step of the charge.' }
}

function readDecline(
  status: number,
  message: string,
  code: string | null | undefined,
  data: unknown,
): CardChargeResult {
  const details = FailedReply.safeParse(data)
  const remarks = details.success ? [details.data.gateway_response, details.data.message, message] : [message]
  return {
    outcome: 'declined',
    reason: reasonOf(remarks),
    detail: redactedDetail(status, code, ...remarks),
    isFinal: remarks.some((each) => each !== null && NEVER_AGAIN.test(each)),
  }
}

const NEVER_AGAIN =
  /expired card|card.*expired|stolen|lost card|pick[- ]?up|invalid authori[sz]ation|authori[sz]ation.*(invalid|not found|deactivated)/i

function reasonOf(remarks: readonly (string | null)[]): string {
  if (remarks.some((each) => each !== null && /authori[sz]ation|e-?mail/i.test(each)))
    return 'The card cannot be charged any more; add it again.'
  return declineReason(...remarks)
}

/** Whether the card is deleted at Paystack. An unknown card counts as deleted. */
export function isCardDeleted(answer: HttpResponse | NoResponse): boolean {
  if (answer instanceof NoResponse) return false
  const envelope = Envelope.safeParse(answer.json)
  if (!envelope.success) return false
  if (answer.status < 300) return envelope.data.status
  const isRefused = answer.status === 400 || answer.status === 404
  return isRefused && /not found|does not exist|invalid|already/i.test(envelope.data.message)
}
