// MTN MoMo Collections: the payer approves on the phone. The request id is the idempotency key and the query key, so it is
// derived from our reference.
import { format, money } from '../../../kernel/money.ts'
import { majorText } from '../amounts.ts'
import type { HttpClient } from '../http-client.ts'
import { baseUrlOf, RailConfigurationError, requiredKeys } from '../keys.ts'
import {
  basicAuth,
  cachedToken,
  failedInitiation,
  failureReason,
  readToken,
  type WithToken,
} from '../oauth-token.ts'
import { lookUpWith, readKeyReply } from '../probes.ts'
import type { InitiationResult, Order, PaymentQuery, ProviderStatus, Rail, RailProbes } from '../rail.ts'
import { requestIdOf } from '../request.ts'
import { plainAscii } from '../text.ts'
import { readAccount, readApiUser, readInitiation, readStatus, UNAVAILABLE, WRONG_TARGET } from './replies.ts'
import { parseMomoWebhook } from './webhook.ts'

const needs = ['MOMO_SUBSCRIPTION_KEY', 'MOMO_API_USER', 'MOMO_API_KEY', 'MOMO_TARGET_ENVIRONMENT'] as const

export const momo: Rail = {
  name: 'momo',
  needs,
  open(variables) {
    const keys = requiredKeys(variables, needs)
    if (!keys) return null
    const target = keys.MOMO_TARGET_ENVIRONMENT
    const currency = TARGETS.get(target)
    if (!currency)
      throw new RailConfigurationError([
        `MOMO_TARGET_ENVIRONMENT is none of ${[...TARGETS.keys()].join(', ')}.`,
      ])
    const base = baseUrlOf(variables, 'MOMO_BASE_URL', target === 'sandbox' ? SANDBOX : PRODUCTION)
    const market: Market = { base, target, currency, subscriptionKey: keys.MOMO_SUBSCRIPTION_KEY }
    const authorization = basicAuth(keys.MOMO_API_USER, keys.MOMO_API_KEY)
    const requestToken = (http: HttpClient) =>
      http.call(`${base}/collection/token/`, {
        method: 'POST',
        headers: { authorization, [SUBSCRIPTION]: market.subscriptionKey },
      })
    const withToken = cachedToken(
      async (http) => readToken(await requestToken(http)),
      ({ status }) => status === 401,
    )
    return {
      name: 'momo',
      keys: isSandbox(market) ? 'test' : 'live',
      start: (http, order) => start(http, market, withToken, order),
      check: (http, query) => check(http, market, withToken, query),
      parseWebhook: parseMomoWebhook,
      probes: {
        ...probesOf(market, keys.MOMO_API_USER, withToken),
        tryKeys: async (http) => readKeyReply(await requestToken(http)),
      },
    }
  },
}

function probesOf(market: Market, apiUser: string, withToken: WithToken): Omit<RailProbes, 'tryKeys'> {
  const lookUp = lookUpWith((http, query) => check(http, market, withToken, query))
  return {
    async lookUp(http, sample) {
      const verdict = await lookUp(http, sample)
      return verdict.detail.includes(WRONG_TARGET) ? { ...verdict, found: 'wrong_account' } : verdict
    },
    async readAccount(http) {
      const url = `${market.base}/collection/v1_0/account/balance`
      const reply = await withToken(http, (token) =>
        http.call(url, { method: 'GET', headers: headersOf(market, token) }),
      )
      return { ...readAccount(reply), expected: [market.currency] }
    },
    // Only the sandbox has this call.
    async readWebhookHost(http) {
      if (market.target !== 'sandbox') return null
      const headers = { [SUBSCRIPTION]: market.subscriptionKey }
      const url = `${market.base}/v1_0/apiuser/${encodeURIComponent(apiUser)}`
      return readApiUser(await http.call(url, { method: 'GET', headers }))
    },
  }
}

type Market = {
  readonly base: string
  readonly target: string
  readonly currency: string
  readonly subscriptionKey: string
}

const SANDBOX = 'https://sandbox.momodeveloper.mtn.com'
const PRODUCTION = 'https://proxy.momoapi.mtn.com'
const SUBSCRIPTION = 'ocp-apim-subscription-key'
const PATH = '/collection/v1_0/requesttopay'

// One environment serves one country and its currency.
const TARGETS: ReadonlyMap<string, string> = new Map([
  ['sandbox', 'EUR'],
  ['mtnuganda', 'UGX'],
  ['mtnghana', 'GHS'],
  ['mtnivorycoast', 'XOF'],
  ['mtnbenin', 'XOF'],
  ['mtnzambia', 'ZMW'],
  ['mtncameroon', 'XAF'],
  ['mtncongo', 'XAF'],
  ['mtnswaziland', 'SZL'],
  ['mtnguineaconakry', 'GNF'],
  ['mtnsouthafrica', 'ZAR'],
  ['mtnliberia', 'LRD'],
  ['mtnrwanda', 'RWF'],
  ['mtnsouthsudan', 'SSP'],
  ['mtnnigeria', 'NGN'],
])

async function start(
  http: HttpClient,
  market: Market,
  withToken: WithToken,
  order: Order,
): Promise<InitiationResult> {
  const obstacle = orderProblem(order, market)
  if (obstacle) return { outcome: 'rejected', reason: obstacle }
  const requestId = requestIdOf(order.reference)
  const body = JSON.stringify({
    amount: majorText(order.amountMinor, order.currency),
    currency: market.currency,
    externalId: order.reference,
    payer: { partyIdType: 'MSISDN', partyId: order.phone?.slice(1) },
    payerMessage: plainAscii(order.description, 160),
    payeeNote: order.reference,
  })
  try {
    const answer = await withToken(http, (token) =>
      http.call(`${market.base}${PATH}`, {
        method: 'POST',
        headers: {
          ...headersOf(market, token),
          'content-type': 'application/json',
          'x-reference-id': requestId,
          'x-callback-url': order.notifyUrl,
        },
        body,
      }),
    )
    return readInitiation(answer, requestId, promptText(order))
  } catch (error) {
    return failedInitiation(error, UNAVAILABLE)
  }
}

async function check(
  http: HttpClient,
  market: Market,
  withToken: WithToken,
  query: PaymentQuery,
): Promise<ProviderStatus> {
  const requestId = query.providerRef ?? requestIdOf(query.reference)
  try {
    const answer = await withToken(http, (token) =>
      http.call(`${market.base}${PATH}/${encodeURIComponent(requestId)}`, {
        method: 'GET',
        headers: headersOf(market, token),
      }),
    )
    return readStatus(answer, { http, query, isSandbox: isSandbox(market) })
  } catch (error) {
    return { status: 'unknown', reason: failureReason(error) }
  }
}

const headersOf = ({ subscriptionKey, target }: Market, token: string) => ({
  authorization: `Bearer ${token}`,
  [SUBSCRIPTION]: subscriptionKey,
  'x-target-environment': target,
})

function orderProblem({ currency, phone }: Order, market: Market): string | null {
  // The sandbox supports only euros.
  if (market.target !== 'sandbox' && currency !== market.currency)
    return `MTN Mobile Money takes ${market.currency} here, not ${currency}.`
  if (!/^\+[1-9]\d{7,14}$/.test(phone ?? ''))
    return 'MTN Mobile Money needs a phone number with its country code, such as +256772123456.'
  return null
}

const promptText = ({ amountMinor, currency, phone }: Order): string =>
  `Approve ${format(money(amountMinor, currency))} with your MoMo PIN on the phone ending in ${phone?.slice(-3)}.`

const isSandbox = ({ base, target }: Market): boolean =>
  target === 'sandbox' || new URL(base).hostname.startsWith('sandbox.')
