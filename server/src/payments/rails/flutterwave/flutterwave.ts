// Flutterwave: all its payment methods, or cards alone, on a hosted page, and M-Pesa by direct charge. One reference can have
// several attempts, of which any may have paid. This file has API v3 and chooses between the versions.
import { z } from 'zod'
import { toMs } from '../../../kernel/clock.ts'
import { majorText } from '../amounts.ts'
import { type HttpClient, type HttpResponse, NoResponse } from '../http-client.ts'
import { baseUrlOf, RailConfigurationError } from '../keys.ts'
import { checkBoth, requireSameKeys } from '../newer-apis/two-apis.ts'
import { currenciesOfBalances, lookUpWith, readKeyReply } from '../probes.ts'
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
import { noResponse, paidTransactions, tryCall } from '../request.ts'
import { declineReason, redactedDetail } from '../text.ts'
import { answerFlutterwaveDispute } from './dispute.ts'
import { flutterwaveList } from './list.ts'
import { flutterwaveRefundStatus, refundAtFlutterwave } from './refund.ts'
import { flutterwaveReturns } from './returns.ts'
import { Envelope, notStarted, paidTransactionIds, readStatus } from './status.ts'
import { openFlutterwaveV4, V4_NEEDS } from './v4/v4.ts'
import { V4_SIGNATURE } from './v4/webhook.ts'
import { parseFlutterwaveWebhook } from './webhook.ts'

type Access = { readonly secretKey: string; readonly baseUrl: string; readonly keys: OpenRail['keys'] }

export const flutterwave: Rail = {
  name: 'flutterwave',
  needs: ['FLUTTERWAVE_SECRET_KEY'],
  newerNeeds: V4_NEEDS,
  open(variables) {
    // Without a hash no webhook is accepted, and payments are found by status checks alone.
    const { FLUTTERWAVE_WEBHOOK_HASH: hash, FLUTTERWAVE_WEBHOOK_HASH_PREVIOUS: previous } = variables
    const hashes = [hash, previous].flatMap((each) => (each ? [each] : []))
    const v4 = openFlutterwaveV4(variables, hashes)
    const older = variables.FLUTTERWAVE_SECRET_KEY_PREVIOUS
    if (!v4 && older)
      throw new RailConfigurationError([
        'FLUTTERWAVE_SECRET_KEY_PREVIOUS is used only beside FLUTTERWAVE_CLIENT_ID: remove it.',
      ])
    if (!v4) return openV3(variables, hashes)
    if (variables.FLUTTERWAVE_SECRET_KEY)
      throw new RailConfigurationError([
        'FLUTTERWAVE_CLIENT_ID and FLUTTERWAVE_SECRET_KEY are both set: rename FLUTTERWAVE_SECRET_KEY to FLUTTERWAVE_SECRET_KEY_PREVIOUS to check the payments that it started, or remove one of them.',
      ])
    const v3 = older ? openV3({ ...variables, FLUTTERWAVE_SECRET_KEY: older }, hashes) : null
    if (!v3) return v4
    requireSameKeys(v3, v4, ['FLUTTERWAVE_SECRET_KEY_PREVIOUS', 'FLUTTERWAVE_CLIENT_ID'])
    return withOlderPayments(v4, v3)
  },
}

/** New payments start with API v4. Payments of API v3, which have no provider reference, stay there. */
function withOlderPayments(v4: OpenRail, v3: OpenRail): OpenRail {
  // The list of one version would lack the payments of the other. Without it each payment is queried.
  const { list: _, ...rail } = v4
  return {
    ...rail,
    check: (http, query) =>
      query.providerRef === null
        ? checkBoth(
            (each) => v3.check(http, each),
            (each) => v4.check(http, each),
            query,
          )
        : v4.check(http, query),
    parseWebhook: (message) => (V4_SIGNATURE in message.headers ? v4 : v3).parseWebhook(message),
    async returns(http, paid) {
      // Transactions of API v3 have numbers.
      const { returns } = /^\d+$/.test(paid.transactionId) ? v3 : v4
      return (await returns?.(http, paid)) ?? { status: 'unknown', reason: 'No API lists the returns.' }
    },
    async refund(http, paid, refund) {
      const { refund: run } = /^\d+$/.test(paid.transactionId) ? v3 : v4
      const reason = 'Version 4 of the API has no refunds here. Pay it out by hand.'
      return (await run?.(http, paid, refund)) ?? { status: 'failed', reason }
    },
    async refundStatus(http, paid, refund) {
      const { refundStatus } = /^\d+$/.test(paid.transactionId) ? v3 : v4
      const reason = 'Version 4 of the API has no refunds here.'
      return (await refundStatus?.(http, paid, refund)) ?? { status: 'unknown', reason }
    },
    async answerDispute(http, paid, number, answer) {
      const { answerDispute } = /^\d+$/.test(paid.transactionId) ? v3 : v4
      const reason = 'Version 4 of the API takes no answers here. Answer it in the dashboard.'
      return (await answerDispute?.(http, paid, number, answer)) ?? { status: 'refused', reason }
    },
  }
}

function openV3(variables: Variables, hashes: readonly string[]): OpenRail | null {
  const access = accessOf(variables)
  return (
    access && {
      name: 'flutterwave',
      keys: access.keys,
      start: (http, order) => start(http, access, order),
      check: (http, query) => check(http, access, query),
      probes: probesOf(access, variables.FLUTTERWAVE_WEBHOOK_HASH),
      parseWebhook: (message) => parseFlutterwaveWebhook(message, hashes),
      returns: (http, paid) => flutterwaveReturns((path) => call(http, access, path), paid),
      refund: (http, paid, refund) =>
        refundAtFlutterwave((path, body) => call(http, access, path, body), paid, refund),
      refundStatus: (http, paid, refund) =>
        flutterwaveRefundStatus((path) => call(http, access, path), paid, refund),
      answerDispute: (http, _paid, number, answer) =>
        answerFlutterwaveDispute((path, body) => call(http, access, path, body, 'PUT'), number, answer),
      list: (http, window, cursor) =>
        flutterwaveList({ call: (path) => call(http, access, path), version: 3, ...access }, window, cursor),
    }
  )
}

function probesOf(access: Access, hash: string | undefined): RailProbes {
  const readBalances = (http: HttpClient) =>
    http.call(`${access.baseUrl}/balances`, { method: 'GET', headers: headersOf(access) })
  return {
    tryKeys: async (http) => readKeyReply(await readBalances(http)),
    lookUp: lookUpWith((http, query) => check(http, access, query)),
    async readAccount(http) {
      const reply = await readBalances(http)
      return { currencies: currenciesOfBalances(reply.json), detail: `status ${reply.status}` }
    },
    sampleWebhook(reference) {
      if (!hash) return null
      const data = { id: 1, tx_ref: reference, status: 'successful' }
      const raw = Buffer.from(JSON.stringify({ event: 'charge.completed', data }))
      return {
        genuine: { raw, headers: { 'verif-hash': hash } },
        changed: { raw, headers: { 'verif-hash': `${hash}x` } },
      }
    },
  }
}

function accessOf(variables: Variables): Access | null {
  const { FLUTTERWAVE_SECRET_KEY: secretKey, FLUTTERWAVE_WEBHOOK_HASH: hash } = variables
  if (!secretKey) {
    if (hash) throw new RailConfigurationError(['FLUTTERWAVE_SECRET_KEY is not set.'])
    return null
  }
  if (secretKey.startsWith('FLWPUBK'))
    throw new RailConfigurationError(['FLUTTERWAVE_SECRET_KEY is a public key: the secret one is needed.'])
  return {
    secretKey,
    baseUrl: baseUrlOf(variables, 'FLUTTERWAVE_BASE_URL', 'https://api.flutterwave.com/v3'),
    keys: secretKey.startsWith('FLWSECK_TEST') ? 'test' : 'live',
  }
}

const SESSION_MINUTES_MAX = 1440

async function start(http: HttpClient, access: Access, order: Order): Promise<InitiationResult> {
  if (order.channel === 'mpesa') return startMpesa(http, access, order)
  const minutes = Math.ceil((order.expiresAt.getTime() - http.clock.now().getTime()) / toMs({ minutes: 1 }))
  const answer = await call(http, access, '/payments', {
    tx_ref: order.reference,
    // A number in major units. The text is exact and short enough to survive the conversion.
    amount: Number(majorText(order.amountMinor, order.currency)),
    currency: order.currency,
    redirect_url: order.returnUrl,
    customer: {
      email: order.email,
      name: order.customer.name,
      ...(order.phone && { phonenumber: order.phone.replace('+', '') }),
    },
    session_duration: Math.min(Math.max(minutes, 1), SESSION_MINUTES_MAX),
    customizations: { title: order.description },
    ...(order.channel === 'card' && { payment_options: 'card' }),
  })
  return readInitiation(answer, (data) => {
    const page = HostedPage.safeParse(data)
    return page.success
      ? { outcome: 'accepted', handOff: { authorizationUrl: page.data.link }, providerRef: null }
      : { outcome: 'unknown', reason: 'Flutterwave accepted the payment without a page to pay on.' }
  })
}

const HostedPage = z.object({ link: z.url({ protocol: /^https?$/ }) })

/** Prompts the payer's phone. */
async function startMpesa(http: HttpClient, access: Access, order: Order): Promise<InitiationResult> {
  const answer = await call(http, access, '/charges?type=mpesa', {
    tx_ref: order.reference,
    amount: Number(majorText(order.amountMinor, order.currency)),
    currency: order.currency,
    email: order.email,
    fullname: order.customer.name,
    phone_number: order.phone?.replace('+', ''),
  })
  return readInitiation(answer, (data) => {
    const charge = Charge.safeParse(data)
    if (!charge.success)
      return { outcome: 'unknown', reason: 'Flutterwave accepted the payment without a status.' }
    return charge.data.status === 'failed'
      ? { outcome: 'rejected', reason: declineReason(charge.data.processor_response) }
      : { outcome: 'accepted', handOff: { displayText: PROMPTED }, providerRef: null }
  })
}

const Charge = z.object({ status: z.string(), processor_response: z.string().nullish().catch(null) })
const PROMPTED = 'Approve the payment on your phone.'

/** `read` reads the data of an accepted payment. */
function readInitiation(
  answer: HttpResponse | NoResponse,
  read: (data: unknown) => InitiationResult,
): InitiationResult {
  if (answer instanceof NoResponse) return noResponse(answer)
  const { status, json } = answer
  const envelope = Envelope.safeParse(json)
  const isRefused = status >= 400 && status < 500 && status !== 408
  if (!envelope.success || !(status < 300 || isRefused))
    return { outcome: 'unknown', reason: `Flutterwave answered with status ${status}.` }
  const { status: word, message, data } = envelope.data
  if (!isRefused && word === 'success') return read(data)
  if (/duplicate|already (exist|been used|in use)/i.test(message)) return { outcome: 'known' }
  const detail = redactedDetail(status, message)
  if (status === 401 || status === 403)
    return { ...accountProblem('This way to pay is not available right now.'), detail }
  if (status === 429)
    return { ...accountProblem('The payment provider is busy. Try again in a minute.'), detail }
  const reason = 'The payment provider did not accept this payment.'
  return /currency|merchant/i.test(message)
    ? { ...accountProblem(reason), detail }
    : { outcome: 'rejected', reason, detail }
}

const accountProblem = (reason: string) => ({ outcome: 'rejected', reason, isAccountProblem: true }) as const

async function check(http: HttpClient, access: Access, query: PaymentQuery): Promise<ProviderStatus> {
  const reference = encodeURIComponent(query.reference)
  const latest = await call(http, access, `/transactions/verify_by_reference?tx_ref=${reference}`)
  const unpaid = notStarted(latest, http, query)
  if (unpaid) return unpaid
  const providerStatus = readStatus(latest, access.keys)
  if (providerStatus.status === 'unknown' || providerStatus.status === 'reversed') return providerStatus

  // The reply covers one attempt. Others under the same reference may have paid.
  const found = await call(http, access, `/transactions?tx_ref=${reference}&status=successful`)
  if (found instanceof NoResponse || found.status >= 500)
    return { status: 'unknown', reason: 'Flutterwave did not list the attempts of this payment.' }
  const [first, ...more] = paidTransactionIds(found, query.reference)
  if (first === undefined) return providerStatus
  const paid = providerStatus.status === 'paid' ? providerStatus : await verify(http, access, first)
  if (paid.status !== 'paid') return paid
  const others = await Promise.all(
    [first, ...more].filter((id) => id !== paid.transactionId).map((id) => verify(http, access, id)),
  )
  return { ...paid, ...(others.length > 0 && { others: others.flatMap(paidTransactions) }) }
}

/** Verifies one attempt by its transaction id. */
async function verify(http: HttpClient, access: Access, id: string): Promise<ProviderStatus> {
  return readStatus(await call(http, access, `/transactions/${encodeURIComponent(id)}/verify`), access.keys)
}

const headersOf = ({ secretKey }: Access) => ({
  authorization: `Bearer ${secretKey}`,
  'content-type': 'application/json',
})

/** POST with a body, else GET. */
const call = (
  http: HttpClient,
  access: Access,
  path: string,
  body?: object,
  method: 'GET' | 'POST' | 'PUT' = body ? 'POST' : 'GET',
) =>
  tryCall(http, `${access.baseUrl}${path}`, {
    method,
    headers: headersOf(access),
    ...(body && { body: JSON.stringify(body) }),
  })
