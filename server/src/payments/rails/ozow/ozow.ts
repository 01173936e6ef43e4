// Ozow: payments from South African bank accounts, and PayShap as one of the banks on its page. This file has the older API and
// chooses between the two.
import { z } from 'zod'
import { majorText } from '../amounts.ts'
import { type HttpClient, type HttpResponse, NoResponse } from '../http-client.ts'
import { baseUrlOf, RailConfigurationError, requiredKeys } from '../keys.ts'
import { checkBoth, requireSameKeys } from '../newer-apis/two-apis.ts'
import { isWithinGracePeriod } from '../parse.ts'
import { lookUpWith, readKeyReply, unusedReference, withChangedBody } from '../probes.ts'
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
import { noResponse, tryCall } from '../request.ts'
import { redactedDetail } from '../text.ts'
import { messageHash, type OzowRequest, requestHash } from './hash.ts'
import { ONE_NEEDS, ONE_REF, openOzowOne } from './one.ts'
import { ozowRefunds } from './refund.ts'
import { lowerFirstLetters, readStatus } from './status.ts'
import { SVIX_SIGNATURE } from './svix.ts'
import { parseOzowWebhook } from './webhook.ts'

const NEEDS = ['OZOW_SITE_CODE', 'OZOW_API_KEY', 'OZOW_PRIVATE_KEY'] as const
const BASE = 'https://api.ozow.com'
/** PayShap Request in Ozow's list of banks: preselects it on the page. */
const PAYSHAP_BANK_ID = 'EEC08676-46EB-4F80-AF56-CAA5A6623880'

export const ozow: Rail = {
  name: 'ozow',
  needs: NEEDS,
  newerNeeds: ONE_NEEDS,
  open(variables) {
    const one = openOzowOne(variables)
    // The site code belongs to both APIs.
    const hasOlderKeys = !!variables.OZOW_API_KEY || !!variables.OZOW_PRIVATE_KEY
    const older = one && !hasOlderKeys ? null : openOlder(variables)
    if (!one || !older) return one ?? older
    requireSameKeys(older, one, ['OZOW_API_KEY', 'OZOW_CLIENT_ID'])
    return withBothApis(one, older)
  },
}

/** New payments start with the One API, except PayShap, for which it has no field. Payments stay at their API. */
function withBothApis(one: OpenRail, older: OpenRail): OpenRail {
  const { withoutChannels: _, ...rail } = one
  const apiOf = ({
    channel,
    providerRef,
  }: Pick<PaymentQuery, 'channel' | 'providerRef'>): OpenRail | null => {
    if (providerRef !== null) return providerRef.startsWith(ONE_REF) ? one : older
    return channel === 'payshap' ? older : null
  }
  return {
    ...rail,
    start: (http, order) => (order.channel === 'payshap' ? older : one).start(http, order),
    check: (http, query) =>
      apiOf(query)?.check(http, query) ??
      checkBoth(
        (each) => older.check(http, each),
        (each) => one.check(http, each),
        query,
      ),
    parseWebhook: (message) => (SVIX_SIGNATURE in message.headers ? one : older).parseWebhook(message),
    refund: async (http, paid, refund) =>
      (await apiOf(paid)?.refund?.(http, paid, refund)) ?? {
        ...{ status: 'failed', reason: 'The One API of Ozow has no refunds here. Pay it out by hand.' },
      },
    refundStatus: async (http, paid, refund) =>
      (await apiOf(paid)?.refundStatus?.(http, paid, refund)) ?? {
        ...{ status: 'unknown', reason: 'The One API of Ozow has no refunds here.' },
      },
  }
}

function openOlder(variables: Variables): OpenRail | null {
  const account = accountOf(variables)
  return (
    account && {
      name: 'ozow',
      keys: account.isLive ? 'live' : 'test',
      start: (http, order) => start(http, account, order),
      check: (http, query) => check(http, account, query),
      parseWebhook: (message) => parseOzowWebhook(account, message),
      ...ozowRefunds(account),
      probes: probesOf(account),
    }
  )
}

type Account = {
  readonly base: string
  readonly siteCode: string
  readonly apiKey: string
  readonly privateKey: string
  /** The current key and, during a rotation, the previous one, for webhooks in transit. */
  readonly privateKeys: readonly string[]
  /** Ozow's test mode: the payer chooses the outcome on the page, and no money moves. */
  readonly isTest: boolean
  readonly isLive: boolean
  readonly payShapBankId: string
}

function accountOf(variables: Variables): Account | null {
  const keys = requiredKeys(variables, NEEDS)
  if (!keys) return null
  const base = baseUrlOf(variables, 'OZOW_BASE_URL', BASE)
  const isTest = variables.OZOW_IS_TEST || 'false'
  // A misspelt flag must not turn test money into real money, or the reverse.
  if (isTest !== 'true' && isTest !== 'false')
    throw new RailConfigurationError(['OZOW_IS_TEST is neither true nor false.'])
  const previous = variables.OZOW_PRIVATE_KEY_PREVIOUS
  return {
    base,
    siteCode: keys.OZOW_SITE_CODE,
    apiKey: keys.OZOW_API_KEY,
    privateKey: keys.OZOW_PRIVATE_KEY,
    privateKeys: previous ? [keys.OZOW_PRIVATE_KEY, previous] : [keys.OZOW_PRIVATE_KEY],
    isTest: isTest === 'true',
    isLive: isTest === 'false' && !/^staging\w*\.ozow\.com$/.test(new URL(base).hostname),
    payShapBankId: variables.OZOW_PAYSHAP_BANK_ID || PAYSHAP_BANK_ID,
  }
}

function probesOf(account: Account): RailProbes {
  return {
    async tryKeys(http) {
      const { address, request } = statusRequest(account, unusedReference())
      const reply = await http.call(address, request)
      const verdict = readKeyReply(reply)
      const isUnknown = reply.status === 404 && reply.json !== undefined
      return isUnknown ? { ...verdict, keys: 'accepted' } : verdict
    },
    lookUp: lookUpWith((http, query) => check(http, account, query)),
    sampleWebhook(reference) {
      const message = new URLSearchParams({
        SiteCode: account.siteCode,
        TransactionId: 'sample',
        TransactionReference: reference,
        Amount: '1.00',
        Status: 'Complete',
        CurrencyCode: 'ZAR',
        IsTest: String(account.isTest),
        StatusMessage: '',
      })
      message.set('Hash', messageHash(message, account.privateKey))
      const genuine = { raw: Buffer.from(message.toString()), headers: {} }
      return { genuine, changed: withChangedBody(genuine, 'Complete', 'Cancelled') }
    },
  }
}

async function start(http: HttpClient, account: Account, order: Order): Promise<InitiationResult> {
  const request = requestOf(account, order)
  const answer = await tryCall(http, `${account.base}/postpaymentrequest`, {
    method: 'POST',
    headers: { ApiKey: account.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ ...request, HashCheck: requestHash(request, account.privateKey) }),
  })
  return answer instanceof NoResponse ? noResponse(answer) : readInitiation(answer, order)
}

function requestOf(account: Account, order: Order): OzowRequest {
  return {
    SiteCode: account.siteCode,
    CountryCode: 'ZA',
    CurrencyCode: order.currency,
    Amount: majorText(order.amountMinor, order.currency, 2),
    TransactionReference: order.reference,
    // Shown on the payer's bank statement: at most twenty letters, digits and spaces.
    BankReference: `Cowrie ${order.reference.slice(-13)}`,
    CancelUrl: order.returnUrl,
    ErrorUrl: order.returnUrl,
    SuccessUrl: order.returnUrl,
    NotifyUrl: order.notifyUrl,
    IsTest: String(account.isTest),
    ...(order.channel === 'payshap' && { SelectedBankId: account.payShapBankId }),
  }
}

const PaymentRequest = z.object({
  paymentRequestId: z.string().nullish(),
  // The browser is redirected there.
  url: z
    .url({ protocol: /^https$/ })
    .nullish()
    .catch(null),
  errorMessage: z.string().nullish(),
})
const DUPLICATE = /duplicate|already (been )?(used|exists?|processed)/i

/** Ozow also refuses with status 200: the error message decides. */
function readInitiation({ status, json }: HttpResponse, order: Order): InitiationResult {
  if (status === 401 || status === 403)
    return {
      ...{ outcome: 'rejected', reason: refusalOf(order), detail: redactedDetail(status) },
      isAccountProblem: true,
    }
  const read = PaymentRequest.safeParse(lowerFirstLetters(json))
  if (!read.success || status >= 500)
    return { outcome: 'unknown', reason: `Ozow answered with status ${status} and nothing we can read.` }
  const { url, errorMessage, paymentRequestId } = read.data
  if (errorMessage)
    return DUPLICATE.test(errorMessage)
      ? { outcome: 'known' }
      : { outcome: 'rejected', reason: refusalOf(order), detail: redactedDetail(status, errorMessage) }
  if (status >= 300 || !url)
    return { outcome: 'unknown', reason: `Ozow answered with status ${status} and no page to pay on.` }
  return {
    outcome: 'accepted',
    handOff: { authorizationUrl: url },
    providerRef: paymentRequestId || null,
  }
}

/** PayShap limits of banks are far below their transfer limits. */
const refusalOf = (order: Order): string =>
  order.channel === 'payshap'
    ? 'PayShap did not take this payment. A large amount may go through with Ozow instant EFT.'
    : 'Ozow did not take this payment. Please try another way to pay.'

async function check(http: HttpClient, account: Account, query: PaymentQuery): Promise<ProviderStatus> {
  const { address, request } = statusRequest(account, query.reference)
  const answer = await tryCall(http, address, request)
  return answer instanceof NoResponse
    ? { status: 'unknown', reason: `Ozow gave no answer: ${answer.message}` }
    : readStatus(answer, query, { isLive: account.isLive, isEarly: isWithinGracePeriod(http, query) })
}

function statusRequest(account: Account, reference: string) {
  const search = new URLSearchParams({ siteCode: account.siteCode, transactionReference: reference })
  // Without it Ozow lists real transactions only, with it only those of tests.
  if (account.isTest) search.set('isTest', 'true')
  return {
    address: `${account.base}/GetTransactionByReference?${search}`,
    request: { method: 'GET', headers: { ApiKey: account.apiKey } } as const,
  }
}
