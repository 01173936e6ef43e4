// OPay: a hosted checkout for wallets, cards and transfers in Nigeria and Egypt. An account belongs to one country. Orders
// are created with the public key; status queries are signed with the secret key.
import { createHmac, getHashes } from 'node:crypto'
import { z } from 'zod'
import type { Currency } from '../../../kernel/money.ts'
import { parseMinor } from '../amounts.ts'
import type { HttpClient } from '../http-client.ts'
import { baseUrlOf, RailConfigurationError, requiredKeys } from '../keys.ts'
import { isWithinGracePeriod, parseJsonExactly } from '../parse.ts'
import { ADDRESS, lookUpWith, unusedReference, withChangedBody } from '../probes.ts'
import type {
  InitiationResult,
  OpenRail,
  Order,
  PaymentQuery,
  ProviderStatus,
  Rail,
  RailProbes,
  Variables,
} from '../rail.ts'
import { nationalNumber, requestJson } from '../request.ts'
import { redactedDetail } from '../text.ts'
import { opayRefundStatus, refundAtOpay } from './refund.ts'
import { callbackSignature, parseOpayWebhook } from './webhook.ts'

const NEEDS = ['OPAY_MERCHANT_ID', 'OPAY_PUBLIC_KEY', 'OPAY_SECRET_KEY'] as const

export const opay: Rail = { name: 'opay', needs: NEEDS, open }

type Country = {
  readonly code: 'NG' | 'EG'
  readonly currency: Currency
  readonly host: string
  readonly phonePrefix: '+234' | '+20'
}
const COUNTRIES: readonly Country[] = [
  { code: 'NG', currency: 'NGN', host: 'https://liveapi.opaycheckout.com', phonePrefix: '+234' },
  { code: 'EG', currency: 'EGP', host: 'https://api.opaycheckout.com', phonePrefix: '+20' },
]

type Account = {
  readonly merchantId: string
  readonly publicKey: string
  readonly secretKey: string
  readonly country: Country
  readonly base: string
  readonly keys: OpenRail['keys']
}

function open(variables: Variables): OpenRail | null {
  const keys = requiredKeys(variables, NEEDS)
  if (!keys) return null
  const country = COUNTRIES.find(({ code }) => code === (variables.OPAY_COUNTRY || 'NG'))
  if (!country) throw new RailConfigurationError(['OPAY_COUNTRY must be NG or EG.'])
  // Half of OPay's webhooks are signed with SHA-3, which some Node builds lack.
  if (!getHashes().includes('sha3-512'))
    throw new RailConfigurationError(['OPay needs a runtime with SHA3-512.'])
  const base = baseUrlOf(variables, 'OPAY_BASE_URL', country.host)
  const account: Account = {
    merchantId: keys.OPAY_MERCHANT_ID,
    publicKey: keys.OPAY_PUBLIC_KEY,
    secretKey: keys.OPAY_SECRET_KEY,
    country,
    base,
    keys: /^(test|sandbox)/.test(new URL(base).hostname) ? 'test' : 'live',
  }
  const secrets = [account.secretKey, variables.OPAY_SECRET_KEY_PREVIOUS].filter(
    (each): each is string => !!each,
  )
  return {
    name: 'opay',
    keys: account.keys,
    start: (http, order) => start(account, http, order),
    check: (http, query) => checkStatus(account, http, query),
    parseWebhook: (message) => parseOpayWebhook(secrets, message),
    refund: (http, paid, refund) => refundAtOpay(account, http, paid, refund),
    refundStatus: (http, _paid, refund) => opayRefundStatus(account, http, refund),
    probes: probesOf(account),
  }
}

/** OPay has no call for the account: the signed status query is the only safe one. */
function probesOf(account: Account): RailProbes {
  const check: OpenRail['check'] = (http, query) => checkStatus(account, http, query)
  return {
    async tryKeys(http) {
      const { address, request } = statusRequest(account, unusedReference())
      const { status, text } = await http.call(address, request)
      const { code, message } = Envelope.safeParse(parseJsonExactly(text)).data ?? {}
      const detail = redactedDetail(`status ${status}`, code, message)
      if (ADDRESS.test(message ?? '')) return { keys: 'address_refused', detail }
      if (status === 401 || status === 403 || code === KEYS_REFUSED) return { keys: 'refused', detail }
      return { keys: code === undefined ? 'unclear' : 'accepted', detail }
    },
    lookUp: lookUpWith(check),
    sampleWebhook(reference) {
      const raw = Buffer.from(JSON.stringify({ reference, status: 'SUCCESS', timestamp: 1 }))
      const headers = { requesttimestamp: '1', authorization: callbackSignature(account.secretKey, '1', raw) }
      const genuine = { raw, headers }
      return { genuine, changed: withChangedBody(genuine, 'SUCCESS', 'FAIL') }
    },
  }
}

// Business errors also have status 200: the code decides whether the call was accepted.
const ACCEPTED = '00000'
const KEYS_REFUSED = '02000'
const REFERENCE_KNOWN = '02004'
const ORDER_UNKNOWN = '02006'
// Codes 02xxx reject our request or account: nothing was created. Other codes are OPay's own errors.
const REFUSAL = /^02\d{3}$/

const Envelope = z.object({
  code: z.string(),
  message: z.string().nullish().catch(null),
  data: z.unknown().optional(),
})
const CreateReply = z.object({
  reference: z.string(),
  orderNo: z.string().nullish().catch(null),
  cashierUrl: z.url({ protocol: /^https$/ }),
})
const StatusReply = z.object({
  reference: z.string(),
  orderNo: z.string().nullish().catch(null),
  status: z.string(),
  amount: z.object({ total: z.unknown(), currency: z.string() }).nullish().catch(null),
})

async function start(account: Account, http: HttpClient, order: Order): Promise<InitiationResult> {
  const { country } = account
  if (order.currency !== country.currency)
    return { outcome: 'rejected', reason: `OPay takes ${country.currency} here, not ${order.currency}.` }
  const body = JSON.stringify(requestFor(country, order, http.clock.now()))
  const { address, request } = postRequest(account, 'create', account.publicKey, body)
  const reply = await requestJson(http, address, request, Envelope)
  if ('failure' in reply) return { outcome: 'unknown', reason: reply.failure }

  const { code, message, data } = reply.body
  if (code === REFERENCE_KNOWN) return { outcome: 'known' }
  if (REFUSAL.test(code))
    return {
      outcome: 'rejected',
      reason: 'OPay did not accept this payment. Please choose another way to pay.',
      detail: redactedDetail(code, message),
    }
  if (code !== ACCEPTED) return { outcome: 'unknown', reason: `OPay answered with code ${code}.` }
  const created = CreateReply.safeParse(data)
  if (!created.success || created.data.reference !== order.reference)
    return { outcome: 'unknown', reason: 'OPay accepted the payment with an unreadable reply.' }
  const { cashierUrl, orderNo } = created.data
  return { outcome: 'accepted', handOff: { authorizationUrl: cashierUrl }, providerRef: orderNo ?? null }
}

/** `expireAt` is in minutes, rounded down so that the page does not outlive the payment. */
function requestFor(country: Country, order: Order, now: Date) {
  const minutesLeft = Math.floor((order.expiresAt.getTime() - now.getTime()) / 60_000)
  const { customer } = order
  return {
    amount: { currency: order.currency, total: Number(order.amountMinor) },
    callbackUrl: order.notifyUrl,
    cancelUrl: order.returnUrl,
    country: country.code,
    expireAt: Math.max(1, minutesLeft),
    product: { description: order.description, name: order.description },
    reference: order.reference,
    returnUrl: order.returnUrl,
    userInfo: {
      userEmail: order.email,
      userId: customer.id,
      userMobile: nationalNumber(order.phone, country.phonePrefix),
      userName: customer.name,
    },
  }
}

async function checkStatus(account: Account, http: HttpClient, query: PaymentQuery): Promise<ProviderStatus> {
  const { country } = account
  // An account knows only the payments of one country: an unknown payment did not fail.
  if (query.currency !== country.currency)
    return { status: 'unknown', reason: `This OPay account does not serve ${query.currency}.` }
  const { address, request } = statusRequest(account, query.reference)
  const reply = await requestJson(http, address, request, Envelope)
  if ('failure' in reply) return { status: 'unknown', reason: reply.failure }

  const { code, data } = reply.body
  if (code === ORDER_UNKNOWN)
    return isWithinGracePeriod(http, query)
      ? { status: 'pending', detail: 'OPay does not know the payment yet.', isNotFound: true }
      : { status: 'failed', reason: 'The payment was never started at OPay.' }
  if (code !== ACCEPTED) return { status: 'unknown', reason: `OPay answered with code ${code}.` }
  const found = StatusReply.safeParse(data)
  if (!found.success) return { status: 'unknown', reason: 'OPay sent an unreadable reply.' }
  return readStatus(account, query, found.data)
}

function readStatus(
  account: Account,
  query: PaymentQuery,
  found: z.output<typeof StatusReply>,
): ProviderStatus {
  if (found.status === 'SUCCESS') return readPaid(account, found)
  if (found.reference !== query.reference)
    return { status: 'unknown', reason: 'OPay answered about another payment.' }
  switch (found.status) {
    case 'INITIAL':
    case 'PENDING':
      return { status: 'pending', detail: `OPay says ${found.status}.` }
    case 'FAIL':
      return { status: 'failed', reason: 'The payment did not go through at OPay.' }
    case 'CLOSE':
      return { status: 'failed', reason: 'The payment was closed at OPay before it was paid.' }
    default:
      return { status: 'unknown', reason: `OPay reports an unknown status: ${found.status}.` }
  }
}

/** Reports OPay's reference and amount even where they differ from ours. */
function readPaid(
  { keys }: Account,
  { reference, orderNo, amount }: z.output<typeof StatusReply>,
): ProviderStatus {
  const amountMinor = parseMinor(amount?.total)
  if (!amount || amountMinor === null)
    return {
      status: 'unknown',
      reason: 'OPay reports the payment as paid, without a readable amount.',
    }
  return {
    status: 'paid',
    transactionId: orderNo ?? null,
    amountMinor,
    currency: amount.currency.toUpperCase(),
    reference,
    live: keys === 'live',
  }
}

function statusRequest(account: Account, reference: string) {
  // OPay verifies the signature over sorted keys, so the body must be sorted.
  const body = JSON.stringify({ country: account.country.code, reference })
  return postRequest(
    account,
    'status',
    createHmac('sha512', account.secretKey).update(body).digest('hex'),
    body,
  )
}

function postRequest(account: Account, path: string, bearer: string, body: string) {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${bearer}`,
    merchantid: account.merchantId,
  }
  const address = `${account.base}/api/v1/international/cashier/${path}`
  return { address, request: { method: 'POST', headers, body } as const }
}
