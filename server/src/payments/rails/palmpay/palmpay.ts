// PalmPay: a hosted checkout for Nigerian wallets and transfers. Requests are signed with our RSA key. The status query is
// authoritative.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { format, money } from '../../../kernel/money.ts'
import { parseMinor } from '../amounts.ts'
import type { HttpClient } from '../http-client.ts'
import { isWithinGracePeriod, parseJsonExactly } from '../parse.ts'
import { ADDRESS, lookUpWith, unusedReference } from '../probes.ts'
import type {
  HandOff,
  InitiationResult,
  OpenRail,
  Order,
  PaymentQuery,
  ProviderStatus,
  Rail,
  RailProbes,
  Variables,
} from '../rail.ts'
import { type JsonReply, nationalNumber, requestJson } from '../request.ts'
import { redactedDetail } from '../text.ts'
import { PALMPAY_NEEDS, type PalmpayAccount, palmpayAccount } from './account.ts'
import { signFields } from './signature.ts'
import { parsePalmpayWebhook } from './webhook.ts'

export const palmpay: Rail = { name: 'palmpay', needs: PALMPAY_NEEDS, open }

function open(variables: Variables): OpenRail | null {
  const account = palmpayAccount(variables)
  if (!account) return null
  return {
    name: 'palmpay',
    keys: account.keys,
    start: (http, order) => start(account, http, order),
    check: (http, query) => check(account, http, query),
    parseWebhook: (message) => parsePalmpayWebhook(account, message),
    probes: probesOf(account),
    // PalmPay repeats the webhook for a day after any other reply.
    acknowledgement: { contentType: 'text/plain', text: 'success' },
  }
}

/** PalmPay has no call for the account, and signs webhooks with a key that only it has. */
const probesOf = (account: PalmpayAccount): RailProbes => ({
  async tryKeys(http) {
    const { address, request } = signedRequest(account, http, 'order/queryStatus', {
      orderId: unusedReference(),
    })
    const { status, text } = await http.call(address, request)
    const { respCode, respMsg } = Envelope.safeParse(parseJsonExactly(text)).data ?? {}
    const words = respMsg ?? ''
    const detail = redactedDetail(`status ${status}`, respCode, words)
    if (ADDRESS.test(words)) return { keys: 'address_refused', detail }
    if (status === 401 || status === 403 || KEYS_REFUSED.test(words)) return { keys: 'refused', detail }
    return { keys: respCode === ACCEPTED || ORDER_UNKNOWN.test(words) ? 'accepted' : 'unclear', detail }
  },
  lookUp: lookUpWith((http, query) => check(account, http, query)),
})

const COUNTRY = 'NG'
const CURRENCY = 'NGN'
const ACCEPTED = '00000000'
// PalmPay publishes no list of codes, so messages identify some refusals.
const ALREADY_THERE = /duplicat|repeat|already exist/i
const ITS_OWN_TROUBLE = /system|busy|time ?out|try again|processing/i
const KEYS_REFUSED = /\b(sign|signature|app ?id|merchant|auth\w*)\b/i
const ORDER_UNKNOWN = /\border.*\bnot (exist|found)/i

const Envelope = z.object({
  respCode: z.string(),
  respMsg: z.string().nullish().catch(null),
  data: z.unknown().optional(),
})
type Envelope = z.output<typeof Envelope>

const word = z.string().min(1).nullish().catch(null)
const CreateReply = z.object({
  orderNo: word,
  checkoutUrl: z
    .url({ protocol: /^https$/ })
    .nullish()
    .catch(null),
  payerVirtualAccNo: word,
  payerBankName: word,
  payerAccountName: word,
})
const StatusReply = z.object({
  orderId: word,
  orderNo: word,
  orderStatus: z.union([z.number(), z.string().regex(/^\d$/)]).transform(Number),
  amount: z.unknown().optional(),
  currency: word,
})

async function start(account: PalmpayAccount, http: HttpClient, order: Order): Promise<InitiationResult> {
  if (order.currency !== CURRENCY)
    return { outcome: 'rejected', reason: `PalmPay takes ${CURRENCY} here, not ${order.currency}.` }
  const reply = await post(account, http, 'createorder', requestFor(order, http.clock.now()))
  if ('failure' in reply) return { outcome: 'unknown', reason: reply.failure }

  const { respCode, respMsg, data } = reply.body
  if (respCode !== ACCEPTED) return readRefusal(respCode, respMsg ?? '')
  const created = CreateReply.safeParse(data)
  const handOff = created.success ? handOffOf(created.data, order) : null
  if (!created.success || !handOff)
    return { outcome: 'unknown', reason: 'PalmPay accepted the payment with an unreadable reply.' }
  return { outcome: 'accepted', handOff, providerRef: created.data.orderNo ?? null }
}

// PalmPay's limits for the lifetime of an order, in seconds.
const OPEN_SECONDS = { min: 1_800, max: 86_400 }

/** `notifyUrl` is the webhook URL and `callBackUrl` the browser's return page, despite their names. */
function requestFor(order: Order, now: Date) {
  const { customer } = order
  const secondsLeft = Math.floor((order.expiresAt.getTime() - now.getTime()) / 1_000)
  return {
    orderId: order.reference,
    title: order.description.slice(0, 100).trim(),
    description: order.description.slice(0, 200).trim(),
    amount: Number(order.amountMinor),
    currency: order.currency,
    notifyUrl: order.notifyUrl,
    callBackUrl: order.returnUrl,
    orderExpireTime: Math.min(OPEN_SECONDS.max, Math.max(OPEN_SECONDS.min, secondsLeft)),
    // The API requires JSON strings. The product -1 would be a bank transfer in place of the hosted page.
    goodsDetails: JSON.stringify([{ goodsId: 'topup' }]),
    customerInfo: JSON.stringify({ userId: customer.id, userName: customer.name, email: order.email }),
    userId: customer.id,
    userMobileNo: nationalNumber(order.phone, '+234'),
  }
}

function readRefusal(code: string, words: string): InitiationResult {
  if (ALREADY_THERE.test(words)) return { outcome: 'known' }
  if (ITS_OWN_TROUBLE.test(words))
    return { outcome: 'unknown', reason: `PalmPay answered with code ${code}.` }
  const reason = 'PalmPay did not accept this payment. Please choose another way to pay.'
  return { outcome: 'rejected', reason, detail: redactedDetail(code, words) }
}

/** A page, a bank account for a transfer, or both; null when the reply has neither. */
function handOffOf(created: z.output<typeof CreateReply>, order: Order): HandOff | null {
  const { checkoutUrl, payerVirtualAccNo, payerBankName, payerAccountName } = created
  const amount = format(money(order.amountMinor, order.currency))
  const owner = payerAccountName ? ` (${payerAccountName})` : ''
  const displayText =
    payerVirtualAccNo && payerBankName
      ? `Transfer exactly ${amount} to account ${payerVirtualAccNo}${owner} at ${payerBankName}.`
      : null
  if (!checkoutUrl && !displayText) return null
  return { ...(checkoutUrl && { authorizationUrl: checkoutUrl }), ...(displayText && { displayText }) }
}

async function check(
  account: PalmpayAccount,
  http: HttpClient,
  query: PaymentQuery,
): Promise<ProviderStatus> {
  const reply = await post(account, http, 'order/queryStatus', { orderId: query.reference })
  if ('failure' in reply) return { status: 'unknown', reason: reply.failure }

  const { respCode, respMsg, data } = reply.body
  if (respCode !== ACCEPTED) {
    if (!ORDER_UNKNOWN.test(respMsg ?? ''))
      return { status: 'unknown', reason: `PalmPay answered with code ${respCode}.` }
    return isWithinGracePeriod(http, query)
      ? { status: 'pending', detail: 'PalmPay does not know the payment yet.', isNotFound: true }
      : { status: 'failed', reason: 'The payment was never started at PalmPay.' }
  }
  const found = StatusReply.safeParse(data)
  if (!found.success) return { status: 'unknown', reason: 'PalmPay sent an unreadable reply.' }
  return readStatus(account, query, found.data)
}

function readStatus(
  account: PalmpayAccount,
  query: PaymentQuery,
  found: z.output<typeof StatusReply>,
): ProviderStatus {
  // A reply without our reference must have PalmPay's id of this order.
  const isAnonymous = !found.orderId && (!query.providerRef || found.orderNo !== query.providerRef)
  const isOthers = found.orderStatus !== 2 && !!found.orderId && found.orderId !== query.reference
  if (isAnonymous || isOthers) return { status: 'unknown', reason: 'PalmPay answered about another payment.' }
  switch (found.orderStatus) {
    case 0:
    case 1:
      return { status: 'pending', detail: 'PalmPay waits for the payer.' }
    case 2:
      return readPaid(account, found)
    case 3:
      return { status: 'failed', reason: 'The payment did not go through at PalmPay.' }
    case 4:
      return { status: 'failed', reason: 'The payment was closed at PalmPay before it was paid.' }
    default:
      return { status: 'unknown', reason: `PalmPay reports an unknown status: ${found.orderStatus}.` }
  }
}

/** Reports PalmPay's reference and amount even where they differ from ours. */
function readPaid({ keys }: PalmpayAccount, found: z.output<typeof StatusReply>): ProviderStatus {
  const amountMinor = parseMinor(found.amount)
  if (amountMinor === null || !found.currency)
    return {
      status: 'unknown',
      reason: 'PalmPay reports the payment as paid, without a readable amount.',
    }
  return {
    status: 'paid',
    transactionId: found.orderNo ?? null,
    amountMinor,
    currency: found.currency.toUpperCase(),
    reference: found.orderId ?? null,
    live: keys === 'live',
  }
}

function post(
  account: PalmpayAccount,
  http: HttpClient,
  path: string,
  fields: object,
): Promise<JsonReply<Envelope>> {
  const { address, request } = signedRequest(account, http, path, fields)
  return requestJson(http, address, request, Envelope)
}

function signedRequest(account: PalmpayAccount, http: HttpClient, path: string, fields: object) {
  const { appId, privateKey, version, base } = account
  const requestTime = http.clock.now().getTime()
  const body = { ...fields, requestTime, version, nonceStr: randomUUID().replaceAll('-', '') }
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${appId}`,
    countrycode: COUNTRY,
    signature: signFields(body, privateKey),
  }
  const address = `${base}/api/v2/payment/merchant/${path}`
  return { address, request: { method: 'POST', headers, body: JSON.stringify(body) } as const }
}
