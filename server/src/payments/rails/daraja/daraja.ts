// M-Pesa in Kenya through Safaricom's Daraja API: a push prompt on the payer's phone. Daraja has no idempotency key, so a
// prompt is never sent twice. Status queries need Daraja's own id of the payment.
import { format, money } from '../../../kernel/money.ts'
import { majorText } from '../amounts.ts'
import type { HttpClient, HttpResponse } from '../http-client.ts'
import { baseUrlOf, RailConfigurationError, requiredKeys } from '../keys.ts'
import {
  basicAuth,
  cachedToken,
  failedInitiation,
  failureReason,
  readToken,
  type WithToken,
} from '../oauth-token.ts'
import { readKeyReply } from '../probes.ts'
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
import { plainAscii } from '../text.ts'
import { openPaybill } from './paybill.ts'
import {
  isTokenRefused,
  readLookup,
  readPush,
  readQuery,
  readRefusal,
  readStatus,
  UNAVAILABLE,
} from './replies.ts'
import { parseDarajaWebhook } from './webhook.ts'

const needs = ['DARAJA_CONSUMER_KEY', 'DARAJA_CONSUMER_SECRET', 'DARAJA_SHORTCODE', 'DARAJA_PASSKEY'] as const

export const daraja: Rail = {
  name: 'daraja',
  needs,
  open(variables): OpenRail | null {
    const keys = requiredKeys(variables, needs)
    if (!keys) return null
    const account: Account = {
      base: baseUrlOf(variables, 'DARAJA_BASE_URL', 'https://api.safaricom.co.ke'),
      shortcode: keys.DARAJA_SHORTCODE,
      passkey: keys.DARAJA_PASSKEY,
      ...payeeOf(variables, keys.DARAJA_SHORTCODE),
    }
    const authorization = basicAuth(keys.DARAJA_CONSUMER_KEY, keys.DARAJA_CONSUMER_SECRET)
    const requestToken = (http: HttpClient) =>
      http.call(`${account.base}/oauth/v1/generate?grant_type=client_credentials`, {
        method: 'GET',
        headers: { authorization },
      })
    const withToken = cachedToken(async (http) => readToken(await requestToken(http)), isTokenRefused)
    const live = !isSandbox(account)
    const paybill = openPaybill(variables, account.base, withToken)
    return {
      name: 'daraja',
      keys: live ? 'live' : 'test',
      start: (http, order) => start(http, account, withToken, order),
      check: (http, query) => check(http, account, withToken, query, live),
      parseWebhook: parseDarajaWebhook,
      probes: {
        tryKeys: async (http) => readKeyReply(await requestToken(http)),
        lookUp: (http, { reference }) => lookUp(http, account, withToken, reference),
        forbiddenInUrl: FORBIDDEN_IN_URL,
      },
      ...(paybill && { paybill }),
      acknowledgement: { contentType: 'application/json', text: '{"ResultCode":0,"ResultDesc":"Accepted"}' },
    }
  },
}

/** The password of one call, derived from the passkey and the time. */
export const passwordOf = (shortcode: string, passkey: string, timestamp: string): string =>
  Buffer.from(`${shortcode}${passkey}${timestamp}`).toString('base64')

/** Shown on the payer's phone, at most twelve characters: the end of the reference, which varies most. */
export const accountReferenceOf = (reference: string): string => reference.slice(-12)

type Account = {
  readonly base: string
  readonly shortcode: string
  readonly passkey: string
  readonly transactionType: string
  /** The payee: the paybill, or a till below it. */
  readonly payee: string
}

async function start(
  http: HttpClient,
  account: Account,
  withToken: WithToken,
  order: Order,
): Promise<InitiationResult> {
  const obstacle = orderProblem(order)
  if (obstacle) return { outcome: 'rejected', reason: obstacle }
  const phone = order.phone?.slice(1)
  const push = {
    TransactionType: account.transactionType,
    Amount: Number(majorText(order.amountMinor, 'KES', 0)),
    PartyA: phone,
    PartyB: account.payee,
    PhoneNumber: phone,
    CallBackURL: order.notifyUrl,
    AccountReference: accountReferenceOf(order.reference),
    TransactionDesc: plainAscii(order.description, 13),
  }
  try {
    const answer = await post(http, account, withToken, '/mpesa/stkpush/v1/processrequest', push)
    const pushed = readPush(answer)
    if (!pushed) return readRefusal(answer)
    return {
      outcome: 'accepted',
      providerRef: pushed.CheckoutRequestID,
      handOff: { displayText: promptText(order) },
    }
  } catch (error) {
    return failedInitiation(error, UNAVAILABLE)
  }
}

/** The reply has neither amount nor receipt: a paid prompt was paid in full. */
async function check(
  http: HttpClient,
  account: Account,
  withToken: WithToken,
  { providerRef }: PaymentQuery,
  live: boolean,
): Promise<ProviderStatus> {
  if (providerRef === null)
    return { status: 'unknown', reason: 'the id of the prompt is unknown, so its status cannot be queried' }
  try {
    const question = { CheckoutRequestID: providerRef }
    const answer = await post(http, account, withToken, '/mpesa/stkpushquery/v1/query', question)
    return readStatus(readQuery(answer, providerRef), live)
  } catch (error) {
    return { status: 'unknown', reason: failureReason(error) }
  }
}

/** The id has Daraja's format. A wrong shortcode or passkey is answered before the id is looked up. */
async function lookUp(
  http: HttpClient,
  account: Account,
  withToken: WithToken,
  reference: string,
): ReturnType<RailProbes['lookUp']> {
  const question = { CheckoutRequestID: `ws_CO_${nairobiTime(http.clock.now())}${reference.slice(-12)}` }
  try {
    return readLookup(await post(http, account, withToken, '/mpesa/stkpushquery/v1/query', question))
  } catch (error) {
    return { found: 'unclear', detail: failureReason(error) }
  }
}

function post(
  http: HttpClient,
  { base, shortcode, passkey }: Account,
  withToken: WithToken,
  path: string,
  fields: object,
): Promise<HttpResponse> {
  const timestamp = nairobiTime(http.clock.now())
  const Password = passwordOf(shortcode, passkey, timestamp)
  const body = JSON.stringify({ BusinessShortCode: shortcode, Password, Timestamp: timestamp, ...fields })
  return withToken(http, (token) =>
    http.call(`${base}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    }),
  )
}

/** YYYYMMDDHHmmss in East Africa Time, UTC+3 all year. */
const nairobiTime = (now: Date): string =>
  new Date(now.getTime() + 3 * 3_600_000).toISOString().replace(/\D/g, '').slice(0, 14)

// Daraja rejects URLs that contain one of these, even inside a random token.
const FORBIDDEN_IN_URL = /m-?pesa|safaricom|exe|cmd|sql|query/i

function orderProblem({ currency, amountMinor, phone, notifyUrl }: Order): string | null {
  if (currency !== 'KES') return 'M-Pesa takes Kenyan shillings only.'
  if (amountMinor % 100n !== 0n) return 'M-Pesa takes whole shillings only.'
  if (amountMinor < 1_00n || amountMinor > 250_000_00n)
    return 'M-Pesa takes from 1 to 250,000 shillings at a time.'
  if (!/^\+254[17]\d{8}$/.test(phone ?? ''))
    return 'M-Pesa needs a Kenyan mobile number, such as +254712345678.'
  if (FORBIDDEN_IN_URL.test(notifyUrl)) return 'M-Pesa does not accept the address where it would notify us.'
  return null
}

// Daraja's own customer message begins with "Success" before anything is paid.
const promptText = ({ amountMinor, currency, phone }: Order): string =>
  `Enter your M-Pesa PIN on the phone ending in ${phone?.slice(-3)} to pay ${format(money(amountMinor, currency))}.`

const TYPES = ['CustomerPayBillOnline', 'CustomerBuyGoodsOnline']

function payeeOf(
  { DARAJA_TILL: till, DARAJA_TRANSACTION_TYPE: configured }: Variables,
  shortcode: string,
): Pick<Account, 'transactionType' | 'payee'> {
  const transactionType = configured || (till ? 'CustomerBuyGoodsOnline' : 'CustomerPayBillOnline')
  if (!TYPES.includes(transactionType))
    throw new RailConfigurationError([`DARAJA_TRANSACTION_TYPE is neither ${TYPES.join(' nor ')}.`])
  if ((transactionType === 'CustomerBuyGoodsOnline') !== Boolean(till))
    throw new RailConfigurationError([`DARAJA_TILL and CustomerBuyGoodsOnline must be used together.`])
  return { transactionType, payee: till || shortcode }
}

/** 174379 is the public sandbox shortcode. */
const isSandbox = ({ base, shortcode }: Account): boolean =>
  new URL(base).hostname.startsWith('sandbox.') || shortcode === '174379'
