// Reads MTN's replies.
import { z } from 'zod'
import { isCurrency } from '../../../kernel/money.ts'
import { minorFromMajor } from '../amounts.ts'
import type { HttpClient, HttpResponse } from '../http-client.ts'
import { isWithinGracePeriod, parseJsonExactly } from '../parse.ts'
import type { AccountReport, InitiationResult, PaymentQuery, ProviderStatus } from '../rail.ts'
import { redactedDetail } from '../text.ts'

export const UNAVAILABLE = 'MTN Mobile Money payments are not available at the moment.'

export function readInitiation(
  answer: HttpResponse,
  requestId: string,
  displayText: string,
): InitiationResult {
  const { status, json } = answer
  if (status === 202) return { outcome: 'accepted', providerRef: requestId, handOff: { displayText } }
  if (status === 409) return { outcome: 'known' }
  const fault = Fault.safeParse(json)
  const detail = redactedDetail(status, fault.data?.code ?? GatewayError.safeParse(json).data?.message)
  if (status === 401 || isGatewayRejection(answer))
    return { outcome: 'rejected', reason: UNAVAILABLE, detail, isAccountProblem: true }
  if (!fault.success) return { outcome: 'unknown', reason: `an answer of no known shape, status ${status}` }
  const { code } = fault.data
  // These have the status of an outage, and are refusals.
  if (REFUSALS.has(code))
    return {
      ...{ outcome: 'rejected', reason: FAILURES.get(code) ?? UNAVAILABLE, detail },
      ...(ACCOUNT_PROBLEMS.has(code) && { isAccountProblem: true }),
    }
  if (status >= 400 && status < 500) return { outcome: 'rejected', reason: UNAVAILABLE, detail }
  return { outcome: 'unknown', reason: `status ${status}, code ${code}` }
}

/** Whether the gateway rejected the request, or MTN rejected it without a body. */
function isGatewayRejection({ status, text, json }: HttpResponse): boolean {
  const turned = GatewayError.safeParse(json)
  const isByGateway = turned.success && turned.data.statusCode === status && status >= 400 && status < 500
  return isByGateway || (status === 400 && text.trim() === '')
}

export type StatusContext = {
  readonly http: HttpClient
  readonly query: PaymentQuery
  readonly isSandbox: boolean
}

export function readStatus({ status, text }: HttpResponse, circumstances: StatusContext): ProviderStatus {
  const json = parseJsonExactly(text)
  const request = Request.safeParse(json)
  if (status === 200 && request.success) return statusOf(request.data, circumstances)
  const fault = Fault.safeParse(json)
  const code = fault.success ? fault.data.code : 'none'
  // A routing error of the gateway is also a 404, with another code.
  if (status === 404 && code === 'RESOURCE_NOT_FOUND')
    return isWithinGracePeriod(circumstances.http, circumstances.query)
      ? { status: 'pending', detail: 'MTN does not know the payment yet', isNotFound: true }
      : { status: 'failed', reason: 'The request never reached MTN Mobile Money.' }
  return { status: 'unknown', reason: `status ${status}, code ${code}` }
}

/** The error code of an API user that belongs to another country or environment. */
export const WRONG_TARGET = 'NOT_ALLOWED_TARGET_ENVIRONMENT'

export function readAccount({ status, json }: HttpResponse): AccountReport {
  const balance = Balance.safeParse(json)
  const currencies = status === 200 && balance.success ? [balance.data.currency.toUpperCase()] : null
  const code = Fault.safeParse(json).data?.code
  return { currencies, isRefused: code === WRONG_TARGET, detail: redactedDetail(`status ${status}`, code) }
}

/** The registered webhook host of a sandbox user. */
export const readApiUser = ({ json }: HttpResponse): string | null =>
  ApiUser.safeParse(json).data?.providerCallbackHost ?? null

function statusOf(request: z.infer<typeof Request>, circumstances: StatusContext): ProviderStatus {
  switch (request.status) {
    case 'PENDING':
      return { status: 'pending', detail: 'the payer has not approved it yet' }
    case 'FAILED': {
      const code = codeOf(request.reason)
      return { status: 'failed', reason: FAILURES.get(code) ?? NOT_COMPLETED, detail: redactedDetail(code) }
    }
    case 'SUCCESSFUL':
      return readPaid(request, circumstances)
    default:
      return { status: 'unknown', reason: `an unknown status, ${request.status}` }
  }
}

function readPaid(
  request: z.infer<typeof Request>,
  { query, isSandbox: isPlayground }: StatusContext,
): ProviderStatus {
  const written = request.currency?.toUpperCase() ?? ''
  // The sandbox uses euros in place of the order's currency.
  const currency = isPlayground && written === 'EUR' ? query.currency : written
  const amountMinor = isCurrency(currency) ? minorFromMajor(request.amount, currency) : null
  if (amountMinor === null)
    return {
      status: 'unknown',
      reason: `paid, but the amount is unreadable: ${request.amount} ${written}`,
    }
  return {
    status: 'paid',
    transactionId: request.financialTransactionId ?? null,
    amountMinor,
    currency,
    reference: request.externalId ?? null,
    live: !isPlayground,
  }
}

const codeOf = (reason: z.infer<typeof Request>['reason']): string =>
  typeof reason === 'string' ? reason : (reason?.code ?? '')

const NOT_COMPLETED = 'MTN Mobile Money could not complete the payment.'
const NOT_ENOUGH = 'There is not enough money in the MoMo account, or it has reached its limit.'

const FAILURES: ReadonlyMap<string, string> = new Map([
  ['APPROVAL_REJECTED', 'The request on the phone was rejected.'],
  ['EXPIRED', 'The request on the phone expired.'],
  ['NOT_ENOUGH_FUNDS', 'There is not enough money in the MoMo account.'],
  ['LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED', NOT_ENOUGH],
  ['PAYER_LIMIT_REACHED', 'The MoMo account has reached its limit.'],
  ['PAYER_NOT_FOUND', 'This phone number has no MoMo account.'],
  ['PAYEE_NOT_FOUND', UNAVAILABLE],
  ['PAYEE_NOT_ALLOWED_TO_RECEIVE', UNAVAILABLE],
  ['NOT_ALLOWED', 'This MoMo account may not make the payment.'],
  ['NOT_ALLOWED_TARGET_ENVIRONMENT', UNAVAILABLE],
  ['INVALID_CALLBACK_URL_HOST', UNAVAILABLE],
  ['INVALID_CURRENCY', UNAVAILABLE],
  ['INTERNAL_PROCESSING_ERROR', `${NOT_COMPLETED} Often the balance does not suffice.`],
  ['SERVICE_UNAVAILABLE', UNAVAILABLE],
  ['COULD_NOT_PERFORM_TRANSACTION', 'The request on the phone was not answered.'],
  ['TRANSFER_TYPE_UNKNOWN', UNAVAILABLE],
])

/** Codes that reject the request itself, as opposed to processing errors. */
const REFUSALS: ReadonlySet<string> = new Set([
  'PAYER_NOT_FOUND',
  'PAYEE_NOT_FOUND',
  'PAYEE_NOT_ALLOWED_TO_RECEIVE',
  'PAYER_LIMIT_REACHED',
  'NOT_ALLOWED',
  'NOT_ALLOWED_TARGET_ENVIRONMENT',
  'INVALID_CALLBACK_URL_HOST',
  'INVALID_CURRENCY',
])

/** Those that concern our account and not the payer. */
const ACCOUNT_PROBLEMS: ReadonlySet<string> = new Set([
  'PAYEE_NOT_FOUND',
  'PAYEE_NOT_ALLOWED_TO_RECEIVE',
  'NOT_ALLOWED_TARGET_ENVIRONMENT',
  'INVALID_CALLBACK_URL_HOST',
  'INVALID_CURRENCY',
])

const Code = z.string().max(100)
const Request = z.object({
  status: Code,
  amount: z.union([z.string().max(40), z.number()]).nullish(),
  currency: z.string().max(10).nullish(),
  externalId: z.string().max(100).nullish(),
  financialTransactionId: z.union([z.string().max(100), z.int().transform(String)]).nullish(),
  reason: z.union([Code, z.object({ code: Code.nullish() })]).nullish(),
})
const Fault = z.object({ code: Code })
const Balance = z.object({ currency: z.string().regex(/^[A-Za-z]{3}$/) })
const ApiUser = z.object({ providerCallbackHost: z.string().min(1).max(253) })
// The error format of the gateway.
const GatewayError = z.object({ statusCode: z.int(), message: z.string() })
