// FawryPay in Egypt: the payer gets a reference number and pays at an outlet or in the app, hours or days later.
import { z } from 'zod'
import { format, money } from '../../../kernel/money.ts'
import { majorText } from '../amounts.ts'
import { type HttpClient, type HttpResponse, NoResponse } from '../http-client.ts'
import { baseUrlOf, requiredKeys } from '../keys.ts'
import { isWithinGracePeriod } from '../parse.ts'
import { lookUpWith, unusedReference, withChangedBody } from '../probes.ts'
import type {
  InitiationResult,
  OpenRail,
  Order,
  PaymentQuery,
  ProviderStatus,
  Rail,
  RailProbes,
} from '../rail.ts'
import { tryCall } from '../request.ts'
import { redactedDetail } from '../text.ts'
import { readRefundStatus, refundAtFawry } from './refund.ts'
import { chargeSignature, type Merchant, noticeSignature, statusSignature } from './signature.ts'
import { codeOf, Envelope, looseText, NOT_FOUND, readStatus } from './status.ts'
import { parseFawryWebhook } from './webhook.ts'

const NEEDS = ['FAWRY_MERCHANT_CODE', 'FAWRY_SECURE_KEY'] as const
const BASE = 'https://www.atfawry.com'

export const fawry: Rail = {
  name: 'fawry',
  needs: NEEDS,
  open(variables) {
    const keys = requiredKeys(variables, NEEDS)
    if (!keys) return null
    const base = baseUrlOf(variables, 'FAWRY_BASE_URL', BASE)
    const merchant: Merchant = { code: keys.FAWRY_MERCHANT_CODE, secureKey: keys.FAWRY_SECURE_KEY }
    const isLive = !/(^|\.)fawrystaging\.com$/.test(new URL(base).hostname)
    const previous = variables.FAWRY_SECURE_KEY_PREVIOUS
    const secureKeys = previous ? [merchant.secureKey, previous] : [merchant.secureKey]
    const checkOne: OpenRail['check'] = (http, query) => check(http, merchant, base, query, isLive)
    return {
      name: 'fawry',
      keys: isLive ? 'live' : 'test',
      start: (http, order) => start(http, merchant, base, order),
      check: checkOne,
      probes: probesOf(merchant, base, checkOne),
      parseWebhook: (message) => parseFawryWebhook(secureKeys, message),
      refund: (http, paid, refund) => refundAtFawry(http, merchant, base, paid, refund),
      refundStatus: async (http, paid, refund) => readRefundStatus(await checkOne(http, paid), refund),
    }
  },
}

/** Fawry has no call for the account: the signed status query is the only safe one. */
const probesOf = (merchant: Merchant, base: string, checkOne: OpenRail['check']): RailProbes => ({
  async tryKeys(http) {
    const { status, json } = await http.call(statusAddress(merchant, base, unusedReference()), {
      method: 'GET',
    })
    const reply = Envelope.safeParse(json).data
    const code = reply ? codeOf(reply) : ''
    const detail = redactedDetail(`status ${status}`, code, reply?.statusDescription || reply?.description)
    if (KEYS_REFUSED.has(code) || status === 401 || status === 403) return { keys: 'refused', detail }
    return { keys: code === NOT_FOUND || code === '200' ? 'accepted' : 'unclear', detail }
  },
  lookUp: lookUpWith(checkOne),
  sampleWebhook(reference) {
    const notice = {
      fawryRefNumber: '1',
      merchantRefNumber: reference,
      paymentAmount: 1,
      orderAmount: 1,
      orderStatus: 'PAID',
      paymentMethod: 'PAYATFAWRY',
      paymentRefrenceNumber: '',
    }
    const messageSignature = noticeSignature(merchant.secureKey, notice)
    const genuine = { raw: Buffer.from(JSON.stringify({ ...notice, messageSignature })), headers: {} }
    return { genuine, changed: withChangedBody(genuine, 'PAID', 'EXPIRED') }
  },
})

/** An unknown merchant code, and a wrong signature. */
const KEYS_REFUSED = new Set(['9901', '9946'])

const EGYPTIAN_MOBILE = /^\+20(1\d{9})$/

async function start(
  http: HttpClient,
  merchant: Merchant,
  base: string,
  order: Order,
): Promise<InitiationResult> {
  const [, mobile] = EGYPTIAN_MOBILE.exec(order.phone ?? '') ?? []
  if (!mobile) return { outcome: 'rejected', reason: 'Fawry needs an Egyptian mobile number.' }
  const answer = await tryCall(http, `${base}/ECommerceWeb/Fawry/payments/charge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(chargeOf(merchant, order, `0${mobile}`)),
  })
  return answer instanceof NoResponse
    ? { outcome: 'unknown', reason: `Fawry gave no answer: ${answer.message}` }
    : readInitiation(answer, order)
}

function chargeOf(merchant: Merchant, order: Order, customerMobile: string) {
  const amount = majorText(order.amountMinor, order.currency, 2)
  const signed = {
    merchantRefNum: order.reference,
    customerProfileId: order.customer.id,
    paymentMethod: 'PAYATFAWRY',
  }
  return {
    merchantCode: merchant.code,
    ...signed,
    customerName: order.customer.name,
    customerMobile,
    customerEmail: order.email,
    amount: Number(amount),
    currencyCode: order.currency,
    language: 'en-gb',
    description: order.description,
    paymentExpiry: order.expiresAt.getTime(),
    // Must add up to the amount.
    chargeItems: [{ itemId: 'top-up', description: order.description, price: Number(amount), quantity: 1 }],
    orderWebHookUrl: order.notifyUrl,
    signature: chargeSignature(merchant, { ...signed, amount }),
  }
}

const Charge = Envelope.extend({
  referenceNumber: looseText,
  merchantRefNumber: looseText,
  expirationTime: z.coerce.number().nullish().catch(null),
})
const DUPLICATE = /duplicat|already (been )?(used|exists?|processed)/i
// Refusals by Fawry or the bank: nothing was created. 9999 is a generic error, not a refusal.
const REFUSAL = /^(?!9999$)99\d{2,3}$/

/** Fawry refuses with HTTP 200: its own code decides. Code 200 means a reference number that is not paid yet. */
function readInitiation({ status, json }: HttpResponse, order: Order): InitiationResult {
  const read = Charge.safeParse(json)
  if (!read.success || status >= 500)
    return { outcome: 'unknown', reason: `Fawry answered with status ${status} and nothing we can read.` }
  const code = codeOf(read.data)
  const { referenceNumber, merchantRefNumber } = read.data
  const isOurs = !merchantRefNumber || merchantRefNumber === order.reference
  if (code === '200' && status < 300 && isOurs && /^[\w-]{1,40}$/.test(referenceNumber))
    return {
      outcome: 'accepted',
      handOff: { displayText: paymentInstructions(order, referenceNumber, read.data.expirationTime) },
      providerRef: referenceNumber,
    }
  const words = read.data.statusDescription || read.data.description
  if (DUPLICATE.test(words)) return { outcome: 'known' }
  if (REFUSAL.test(code) && !referenceNumber)
    return {
      outcome: 'rejected',
      reason: 'Fawry did not take this payment. Please try another way to pay.',
      detail: redactedDetail(code, words),
    }
  return { outcome: 'unknown', reason: `Fawry answered with status ${status} and code ${code || 'none'}.` }
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Uses Fawry's expiry where it is plausible, else ours. */
function paymentInstructions(
  order: Order,
  referenceNumber: string,
  expirationTime: number | null | undefined,
): string {
  const createdMs = order.createdAt.getTime()
  const isPlausible =
    expirationTime && expirationTime > createdMs && expirationTime < createdMs + 366 * DAY_MS
  const until = isPlausible ? new Date(expirationTime) : order.expiresAt
  return (
    `Pay ${format(money(order.amountMinor, order.currency))} at any Fawry outlet or in the myFawry app ` +
    `with reference number ${referenceNumber} by ${hour.format(until)} on ${day.format(until)} (Cairo time).`
  )
}

const timeZone = 'Africa/Cairo'
const hour = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long', year: 'numeric' })

async function check(
  http: HttpClient,
  merchant: Merchant,
  base: string,
  query: PaymentQuery,
  isLive: boolean,
): Promise<ProviderStatus> {
  const answer = await tryCall(http, statusAddress(merchant, base, query.reference), { method: 'GET' })
  return answer instanceof NoResponse
    ? { status: 'unknown', reason: `Fawry gave no answer: ${answer.message}` }
    : readStatus(answer, query, { isLive, isEarly: isWithinGracePeriod(http, query) })
}

function statusAddress(merchant: Merchant, base: string, reference: string): string {
  // Merchant codes end with characters that must be escaped in a URL.
  const search = new URLSearchParams({
    merchantCode: merchant.code,
    merchantRefNumber: reference,
    signature: statusSignature(merchant, reference),
  })
  return `${base}/ECommerceWeb/Fawry/payments/status/v2?${search}`
}
