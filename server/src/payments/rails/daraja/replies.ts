// Reads Daraja's replies. One status and code can mean a pending prompt or a locked phone: the message decides, and an
// unknown message decides nothing.
import { z } from 'zod'
import type { HttpResponse } from '../http-client.ts'
import type { InitiationResult, LookupVerdict, ProviderStatus } from '../rail.ts'
import { redactedDetail } from '../text.ts'

export const UNAVAILABLE = 'M-Pesa payments are not available at the moment.'

/** The accepted prompt; null where none was sent. */
export function readPush({ status, json }: HttpResponse): z.infer<typeof PushAccepted> | null {
  const pushed = PushAccepted.safeParse(json)
  return status === 200 && pushed.success ? pushed.data : null
}

/** Reads a reply without an accepted prompt. */
export function readRefusal(answer: HttpResponse): InitiationResult {
  const { status, json } = answer
  const fault = Fault.safeParse(json)
  const detail = redactedDetail(status, fault.data?.errorCode, fault.data?.errorMessage)
  if (isTokenRefused(answer))
    return { outcome: 'rejected', reason: UNAVAILABLE, detail, isAccountProblem: true }
  const declined = PushDeclined.safeParse(json)
  if (status === 200 && declined.success)
    return { outcome: 'rejected', reason: UNAVAILABLE, detail: redactedDetail(declined.data.ResponseCode) }
  if (!fault.success) return { outcome: 'unknown', reason: `an answer of no known shape, status ${status}` }
  const { errorCode, errorMessage } = fault.data
  const refusal = REFUSALS.find(({ words }) => words.test(errorMessage))
  if (refusal) {
    const { words: _, ...found } = refusal
    return { outcome: 'rejected', detail, ...found }
  }
  if (status >= 400 && status < 500) return { outcome: 'rejected', reason: UNAVAILABLE, detail }
  return { outcome: 'unknown', reason: `status ${status}, code ${errorCode}` }
}

export type QueryResult =
  | { readonly code: string }
  | { readonly waits: string }
  | { readonly unclear: string }

/** Reads a status reply: a result code, still waiting, or unclear. */
export function readQuery({ status, json }: HttpResponse, checkoutRequestId: string): QueryResult {
  const result = QueryReply.safeParse(json)
  if (status === 200 && result.success)
    return result.data.CheckoutRequestID === checkoutRequestId
      ? { code: String(result.data.ResultCode) }
      : { unclear: 'an answer about another payment' }
  const fault = Fault.safeParse(json)
  if (!fault.success) return { unclear: `an answer of no known shape, status ${status}` }
  const { errorCode, errorMessage } = fault.data
  if (errorCode === '500.001.1001' && /being processed/i.test(errorMessage))
    return { waits: 'the payer has not answered the prompt yet' }
  return { unclear: `status ${status}, code ${errorCode}` }
}

/** Reads the reply about an id that Daraja never issued. */
export function readLookup({ status, json }: HttpResponse): LookupVerdict {
  const fault = Fault.safeParse(json)
  if (!fault.success)
    return QueryReply.safeParse(json).success
      ? { found: 'other', detail: `status ${status}, a result` }
      : { found: 'unclear', detail: `status ${status}` }
  const { errorCode, errorMessage } = fault.data
  const detail = redactedDetail(errorCode, errorMessage)
  if (/merchant does not exist|wrong credentials/i.test(errorMessage))
    return { found: 'wrong_account', detail }
  if (/being processed/i.test(errorMessage)) return { found: 'pending', detail }
  const isUnknown = /invalid CheckoutRequestID|transaction.*(does not|doesn't) exist/i.test(errorMessage)
  return { found: isUnknown ? 'unknown' : 'unclear', detail }
}

/** An unknown result code leaves the payment open. */
export function readStatus(queried: QueryResult, live: boolean): ProviderStatus {
  if ('unclear' in queried) return { status: 'unknown', reason: queried.unclear }
  if ('waits' in queried) return { status: 'pending', detail: queried.waits }
  const { code } = queried
  if (code === '0')
    return { status: 'paid', transactionId: null, amountMinor: null, currency: null, reference: null, live }
  if (code === '4999') return { status: 'pending', detail: 'M-Pesa is still working on it' }
  const reason = FAILURES.get(code)
  const detail = `result ${code.slice(0, 40)}`
  return reason ? { status: 'failed', reason, detail } : { status: 'unknown', reason: detail }
}

export function isTokenRefused({ status, json }: HttpResponse): boolean {
  const fault = Fault.safeParse(json)
  return status === 401 || (fault.success && TOKEN_REFUSED.has(fault.data.errorCode))
}

const TOKEN_REFUSED = new Set(['404.001.03', '400.003.01'])

const NOT_REACHED = 'The phone could not be reached. See that it is on and has signal, then try again.'
const NOT_SHOWN = 'M-Pesa could not show the request on the phone. Try again in a few minutes.'
const BUSY_PHONE = 'Another M-Pesa request is open on this phone. Try again in two minutes.'
const BUSY = 'M-Pesa is busy. Try again in a few minutes.'

const FAILURES: ReadonlyMap<string, string> = new Map([
  ['1', 'There is not enough money in the M-Pesa account.'],
  ['2', 'The amount is below what M-Pesa allows.'],
  ['3', 'The amount is above what M-Pesa allows.'],
  ['4', 'The payment would exceed the daily limit of the M-Pesa account.'],
  ['8', 'The payment would exceed the balance that M-Pesa allows.'],
  ['17', 'M-Pesa refused a payment so soon after the last. Try again in a few minutes.'],
  ['1001', BUSY_PHONE],
  ['1019', 'The request on the phone expired.'],
  ['1025', NOT_SHOWN],
  ['9999', NOT_SHOWN],
  ['1032', 'The request on the phone was cancelled or not answered.'],
  ['1036', NOT_REACHED],
  ['1037', NOT_REACHED],
  ['2001', 'The M-Pesa PIN was wrong. Several wrong PINs lock it.'],
  // Problems of our merchant account, which a customer cannot fix.
  ['2006', UNAVAILABLE],
  ['2028', UNAVAILABLE],
  ['2029', UNAVAILABLE],
  ['8006', UNAVAILABLE],
  ['SFC_IC0003', UNAVAILABLE],
])

// Refusals before any prompt is sent. Some have a status that otherwise means an outage.
const REFUSALS: readonly {
  readonly words: RegExp
  readonly reason: string
  readonly isAccountProblem?: true
}[] = [
  { words: /unable to lock subscriber/i, reason: BUSY_PHONE },
  { words: /merchant does not exist|wrong credentials/i, reason: UNAVAILABLE, isAccountProblem: true },
  { words: /spike ?arrest|quota/i, reason: BUSY, isAccountProblem: true },
  {
    words: /invalid (phone ?number|party ?a)\b/i,
    reason: 'M-Pesa does not know this phone number.',
  },
]

const Code = z.union([z.string().max(100), z.number()])
const CheckoutRequestID = z.string().regex(/^[\w.-]{1,100}$/)
const PushAccepted = z.object({
  ResponseCode: Code.refine((code) => String(code) === '0'),
  CheckoutRequestID,
})
const PushDeclined = z.object({ ResponseCode: Code.refine((code) => String(code) !== '0') })
const QueryReply = z.object({ CheckoutRequestID, ResultCode: Code })
const Fault = z.object({ errorCode: z.string().max(100), errorMessage: z.string().max(2_000) })
