// Paystack: cards on its hosted page; Nigerian USSD, mobile money and Ozow by direct charge. Our reference is the idempotency
// key. The status query is authoritative.

import { type HttpClient, NoResponse } from '../http-client.ts'
import { baseUrlOf, RailConfigurationError } from '../keys.ts'
import { currenciesOfBalances, lookUpWith, readKeyReply, withChangedBody } from '../probes.ts'
import type { InitiationResult, OpenRail, Order, Rail, RailProbes, Variables } from '../rail.ts'
import { tryCall } from '../request.ts'
import { isCardDeleted, readCardCharge } from './cards.ts'
import { answerPaystackDispute } from './dispute.ts'
import { paystackList } from './list.ts'
import { paystackRefundStatus, refundAtPaystack } from './refund.ts'
import { readCharge, readHostedPage, readInitiation } from './replies.ts'
import { paystackReturns } from './returns.ts'
import { providerAmount, readStatus } from './status.ts'
import { parsePaystackWebhook, paystackSignature } from './webhook.ts'

type Access = {
  readonly secretKey: string
  readonly baseUrl: string
  /** The bank of the USSD code: 737 is the only one that Paystack still documents. */
  readonly ussdType: string
}

export type PaystackRail = OpenRail & Required<Pick<OpenRail, 'submitOtp' | 'chargeCard' | 'deleteCard'>>

export const paystack = {
  name: 'paystack',
  needs: ['PAYSTACK_SECRET_KEY'],
  open(variables: Variables): PaystackRail | null {
    const access = accessOf(variables)
    if (!access) return null
    const keys = access.secretKey.startsWith('sk_test_') ? 'test' : 'live'
    const previous = variables.PAYSTACK_SECRET_KEY_PREVIOUS
    const secrets = previous ? [access.secretKey, previous] : [access.secretKey]
    const check: OpenRail['check'] = async (http, query) => {
      const path = `/transaction/verify/${encodeURIComponent(query.reference)}`
      const answer = await call(http, access, path)
      if (answer instanceof NoResponse) return { status: 'unknown', reason: answer.message }
      return readStatus(answer, { http, query, keys })
    }
    return {
      name: 'paystack',
      keys,
      start: (http, order) => start(http, access, order),
      check,
      probes: probesOf(access, check),
      parseWebhook: (message) => parsePaystackWebhook(message, secrets),
      returns: (http, paid) => paystackReturns((path) => call(http, access, path), paid),
      refund: (http, paid, refund) =>
        refundAtPaystack((path, body) => call(http, access, path, body), paid, refund),
      refundStatus: (http, paid, refund) =>
        paystackRefundStatus((path) => call(http, access, path), paid, refund),
      answerDispute: (http, paid, number, answer) =>
        answerPaystackDispute(
          http,
          (path, body, method) => call(http, access, path, body, method),
          paid,
          number,
          answer,
        ),
      list: (http, window, cursor) => paystackList((path) => call(http, access, path), keys, window, cursor),
      // Some Ghanaian networks send the payer a code.
      async submitOtp(http, reference, otp) {
        return readInitiation(await call(http, access, '/charge/submit_otp', { otp, reference }), readCharge)
      },
      async chargeCard(http, { authorizationCode, email, amountMinor, currency, reference }) {
        const amount = providerAmount(amountMinor, currency)
        const body = { authorization_code: authorizationCode, email, amount, currency, reference }
        return readCardCharge(await call(http, access, '/transaction/charge_authorization', body))
      },
      async deleteCard(http, authorizationCode) {
        const body = { authorization_code: authorizationCode }
        return isCardDeleted(await call(http, access, '/customer/authorization/deactivate', body))
      },
    }
  },
} satisfies Rail

function probesOf(access: Access, check: OpenRail['check']): RailProbes {
  const readBalance = (http: HttpClient) =>
    http.call(`${access.baseUrl}/balance`, { method: 'GET', headers: headersOf(access) })
  return {
    tryKeys: async (http) => readKeyReply(await readBalance(http)),
    lookUp: lookUpWith(check),
    async readAccount(http) {
      const reply = await readBalance(http)
      return { currencies: currenciesOfBalances(reply.json), detail: `status ${reply.status}` }
    },
    sampleWebhook(reference) {
      const raw = Buffer.from(JSON.stringify({ event: 'charge.success', data: { id: 1, reference } }))
      const signature = paystackSignature(raw, access.secretKey)
      const genuine = { raw, headers: { 'x-paystack-signature': signature } }
      return { genuine, changed: withChangedBody(genuine, 'charge.success', 'charge.failed') }
    },
  }
}

function accessOf(variables: Variables): Access | null {
  const { PAYSTACK_SECRET_KEY: secretKey, PAYSTACK_SECRET_KEY_PREVIOUS: previous } = variables
  if (!secretKey) {
    if (previous) throw new RailConfigurationError(['PAYSTACK_SECRET_KEY is not set.'])
    return null
  }
  const problems: string[] = []
  const ussdType = variables.PAYSTACK_USSD_TYPE || '737'
  if (secretKey.startsWith('pk_'))
    problems.push('PAYSTACK_SECRET_KEY is a public key: the secret one is needed.')
  if (!/^\d{3,4}$/.test(ussdType)) problems.push("PAYSTACK_USSD_TYPE is not a bank's code such as 737.")
  if (problems.length) throw new RailConfigurationError(problems)
  return {
    secretKey,
    baseUrl: baseUrlOf(variables, 'PAYSTACK_BASE_URL', 'https://api.paystack.co'),
    ussdType,
  }
}

async function start(http: HttpClient, access: Access, order: Order): Promise<InitiationResult> {
  const { email, currency, reference } = order
  const common = { email, amount: providerAmount(order.amountMinor, currency), currency, reference }
  if (order.channel === 'card') {
    const body = { ...common, callback_url: order.returnUrl, channels: ['card'] }
    return readInitiation(await call(http, access, '/transaction/initialize', body), readHostedPage)
  }
  if (order.channel === 'ussd') {
    const body = { ...common, ussd: { type: access.ussdType } }
    return readInitiation(await call(http, access, '/charge', body), readCharge)
  }
  if (order.channel === 'ozow') {
    const body = { ...common, eft: { provider: 'ozow' } }
    return readInitiation(await call(http, access, '/charge', body), readCharge)
  }
  const wallet = walletOf(order)
  if (typeof wallet === 'string') return { outcome: 'rejected', reason: wallet }
  const body = { ...common, mobile_money: wallet }
  return readInitiation(await call(http, access, '/charge', body), readCharge)
}

/** The mobile money wallet of the payer, or why there is none. Paystack uses E.164 in Kenya and national numbers in Ghana. */
function walletOf({ channel, phone }: Order): { phone: string; provider: string } | string {
  if (channel === 'mpesa')
    return phone?.startsWith('+254')
      ? { phone, provider: 'mpesa' }
      : 'A Kenyan phone number is needed to pay this way.'
  const provider = GHANAIAN_NETWORKS.get(channel)
  if (!provider) return 'This way to pay is not offered here.'
  const local = /^\+233(\d{9})$/.exec(phone ?? '')?.[1]
  return local ? { phone: `0${local}`, provider } : 'A Ghanaian phone number is needed to pay this way.'
}

// The networks changed their names; Paystack kept their codes.
const GHANAIAN_NETWORKS: ReadonlyMap<string, string> = new Map([
  ['telecel_cash', 'vod'],
  ['airteltigo', 'atl'],
  ['mtn_momo', 'mtn'],
])

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
