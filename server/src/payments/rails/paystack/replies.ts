// Reads Paystack's replies to a new payment. The outer boolean only says that the call worked. Settlement still queries the
// status.
import { z } from 'zod'
import { type HttpResponse, NoResponse } from '../http-client.ts'
import type { HandOff, InitiationResult } from '../rail.ts'
import { noResponse } from '../request.ts'
import { declineReason, redactedDetail } from '../text.ts'

/** The common fields of all replies. */
export const Envelope = z.object({
  status: z.boolean(),
  message: z.string().catch(''),
  code: z.string().nullish().catch(null),
  data: z.unknown().optional(),
})

/** Reads the reply to a new payment; `read` reads the data of an accepted one. */
export function readInitiation(
  answer: HttpResponse | NoResponse,
  read: (data: unknown) => InitiationResult,
): InitiationResult {
  if (answer instanceof NoResponse) return noResponse(answer)
  const envelope = Envelope.safeParse(answer.json)
  const isTaken = answer.status < 300
  const isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== 408
  if (!envelope.success || !(isTaken || isRefused))
    return { outcome: 'unknown', reason: `Paystack answered with status ${answer.status}.` }
  if (isTaken && envelope.data.status) return read(envelope.data.data)
  return readRefusal(answer.status, envelope.data)
}

const HostedPage = z.object({ authorization_url: z.url({ protocol: /^https?$/ }) })

export function readHostedPage(data: unknown): InitiationResult {
  const page = HostedPage.safeParse(data)
  return page.success
    ? accepted({ authorizationUrl: page.data.authorization_url })
    : { outcome: 'unknown', reason: 'Paystack accepted the payment without a page to pay on.' }
}

const text = z
  .string()
  .transform((value) => value.slice(0, 500))
  .nullish()
  .catch(null)
const Charge = z.object({
  status: z.string(),
  display_text: text,
  ussd_code: text,
  message: text,
  gateway_response: text,
  url: z
    .url({ protocol: /^https?$/ })
    .nullish()
    .catch(null),
})

/** Reads the next step of a direct charge. */
export function readCharge(data: unknown): InitiationResult {
  const charge = Charge.safeParse(data)
  if (!charge.success)
    return { outcome: 'unknown', reason: 'Paystack did not name the next step of the payment.' }
  const { status, display_text: shown, ussd_code: ussdCode, url, message, gateway_response } = charge.data
  switch (status) {
    case 'success':
      return accepted({ displayText: 'The payment was made. We are confirming it.' })
    case 'pending':
      return accepted({ displayText: shown || 'Approve the payment on your phone.' })
    case 'pay_offline':
      return accepted({
        ...(ussdCode && { ussdCode }),
        displayText: shown || (ussdCode ? `Dial ${ussdCode} to pay.` : 'Approve the payment on your phone.'),
      })
    case 'send_otp':
      return accepted({
        displayText: shown || 'Your network asks for a code to approve the payment.',
        otpRequired: true,
      })
    case 'open_url':
      return url ? accepted({ authorizationUrl: url }) : unknownStep(status)
    case 'failed':
      return {
        outcome: 'rejected',
        reason: declineReason(message, gateway_response),
        detail: redactedDetail(status, message, gateway_response),
      }
    case 'send_pin':
    case 'send_phone':
    case 'send_birthday':
    case 'send_address':
      return {
        outcome: 'rejected',
        reason: 'This payment needs a step that we do not offer. Pay another way.',
        detail: status,
      }
    default:
      return unknownStep(status)
  }
}

const accepted = (handOff: HandOff): InitiationResult => ({ outcome: 'accepted', handOff, providerRef: null })
const unknownStep = (status: string): InitiationResult => ({
  outcome: 'unknown',
  reason: `Paystack answered with the step ${status.slice(0, 40)}.`,
})

function readRefusal(status: number, { message, code, data }: z.infer<typeof Envelope>): InitiationResult {
  if (code === 'duplicate_reference' || /duplicate.*reference/i.test(message)) return { outcome: 'known' }
  const detail = redactedDetail(status, code, message)
  if (status === 401 || status === 403)
    return { ...accountProblem('This way to pay is not available right now.'), detail }
  if (status === 429)
    return { ...accountProblem('The payment provider is busy. Try again in a minute.'), detail }
  const charge = Charge.safeParse(data)
  if (charge.success && charge.data.status === 'failed') return readCharge(data)
  const field = REFUSED_FIELDS.find(([pattern]) => pattern.test(message))?.[1]
  const reason = `The payment provider did not accept this ${field ?? 'payment'}.`
  // The currency is not enabled for the account.
  return field === 'currency'
    ? { ...accountProblem(reason), detail }
    : { outcome: 'rejected', reason, detail }
}

const accountProblem = (reason: string) => ({ outcome: 'rejected', reason, isAccountProblem: true }) as const

const REFUSED_FIELDS: readonly (readonly [RegExp, string])[] = [
  [/e-?mail/i, 'email address'],
  [/amount/i, 'amount'],
  [/currency/i, 'currency'],
  [/phone|mobile|msisdn/i, 'phone number'],
]
