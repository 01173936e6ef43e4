// Ozow's One API: OAuth2 client credentials, a payment with a hosted page, and its transactions.
import { z } from 'zod'
import { after, before } from '../../../kernel/clock.ts'
import { majorText } from '../amounts.ts'
import type { HttpClient, HttpResponse } from '../http-client.ts'
import { baseUrlOf, RailConfigurationError, requiredKeys } from '../keys.ts'
import { type ApiFailure, type OauthApi, openOauthApi } from '../newer-apis/oauth-api.ts'
import { isWithinGracePeriod, parseJsonExactly } from '../parse.ts'
import { lookUpWith, withChangedBody } from '../probes.ts'
import type {
  InitiationResult,
  OpenRail,
  Order,
  PaymentQuery,
  ProviderStatus,
  RailProbes,
  Variables,
  WebhookEvent,
  WebhookRequest,
} from '../rail.ts'
import { requestIdOf } from '../request.ts'
import { redactedDetail } from '../text.ts'
import { readTransactions, TRANSACTIONS_PER_PAGE, transactionRows } from './one-status.ts'
import { SVIX_SIGNATURE, svixKey, svixSignature, verifiedSvixId } from './svix.ts'

export const ONE_NEEDS = [
  'OZOW_CLIENT_ID',
  'OZOW_CLIENT_SECRET',
  'OZOW_SITE_CODE',
  'OZOW_WEBHOOK_SECRET',
] as const
/** Marks our payment ids of this API: both APIs number their payments in the same way. */
export const ONE_REF = 'one:'

type Access = {
  readonly api: OauthApi
  readonly siteCode: string
  readonly isLive: boolean
  /** The current secret and, during a rotation, the previous one. */
  readonly webhookKeys: readonly Buffer[]
}

export function openOzowOne(variables: Variables): OpenRail | null {
  // The older API has the site code too.
  if (!variables.OZOW_CLIENT_ID && !variables.OZOW_CLIENT_SECRET && !variables.OZOW_WEBHOOK_SECRET)
    return null
  const credentials = requiredKeys(variables, ONE_NEEDS)
  if (!credentials) return null
  const baseUrl = baseUrlOf(variables, 'OZOW_CLIENT_BASE_URL', 'https://one.ozow.com/v1')
  const access: Access = {
    api: openOauthApi({
      baseUrl,
      tokenUrl: `${baseUrl}/token`,
      clientId: credentials.OZOW_CLIENT_ID,
      clientSecret: credentials.OZOW_CLIENT_SECRET,
      scope: 'payments',
    }),
    siteCode: credentials.OZOW_SITE_CODE,
    isLive: !/^staging\w*\.ozow\.com$/.test(new URL(baseUrl).hostname),
    webhookKeys: webhookKeysOf(variables),
  }
  return {
    name: 'ozow',
    api: 'ozow_one',
    keys: access.isLive ? 'live' : 'test',
    // This API has no field for a bank.
    withoutChannels: ['payshap'],
    start: (http, order) => start(http, access, order),
    check: (http, query) => check(http, access, query),
    parseWebhook: (message) => parseOneWebhook(access, message),
    probes: probesOf(access),
  }
}

function webhookKeysOf(variables: Variables): Buffer[] {
  return ['OZOW_WEBHOOK_SECRET', 'OZOW_WEBHOOK_SECRET_PREVIOUS'].flatMap((name) => {
    const secret = variables[name]
    if (!secret) return []
    const key = svixKey(secret)
    if (!key) throw new RailConfigurationError([`${name} is not a secret that begins with whsec_.`])
    return [key]
  })
}

function probesOf(access: Access): RailProbes {
  return {
    async tryKeys(http) {
      const now = http.clock.now()
      return access.api.tryKeys(http, transactionsOf(access, before(now, { hours: 1 }), now, 0), {
        headers: {},
      })
    },
    lookUp: lookUpWith((http, query) => check(http, access, query)),
    sampleWebhook(reference) {
      const [key] = access.webhookKeys
      if (!key) return null
      const receivedAt = new Date('2026-01-01T00:00:00.000Z')
      const seconds = String(receivedAt.getTime() / 1000)
      const raw = Buffer.from(
        JSON.stringify({ type: 'transaction.complete', data: { merchantReference: reference } }),
      )
      const signature = svixSignature(key, 'msg_sample', seconds, raw)
      const headers = { 'svix-id': 'msg_sample', 'svix-timestamp': seconds, [SVIX_SIGNATURE]: signature }
      const genuine = { raw, headers, receivedAt }
      return { genuine, changed: { ...withChangedBody(genuine, 'complete', 'completed'), receivedAt } }
    },
  }
}

const Payment = z.object({
  id: z.string().min(1).max(200),
  // The browser is redirected there.
  redirectUrl: z
    .url({ protocol: /^https$/ })
    .nullish()
    .catch(null),
  siteCode: z.string().nullish(),
  merchantReference: z.string().nullish(),
  status: z.string().nullish().catch(null),
})
const Problem = z
  .object({ title: z.string().nullish().catch(null), detail: z.string().nullish().catch(null) })
  .catch({})

async function start(http: HttpClient, access: Access, order: Order): Promise<InitiationResult> {
  const reply = await access.api.call(http, '/payments', {
    headers: {
      'idempotency-key': requestIdOf(order.reference),
      'x-correlation-id': requestIdOf(order.reference),
    },
    body: {
      siteCode: access.siteCode,
      region: 'ZA',
      // A number in major units. The text is exact and short enough to survive the conversion.
      amount: { currency: order.currency, value: Number(majorText(order.amountMinor, order.currency)) },
      merchantReference: order.reference,
      // Shown on the bank statement: at most twenty letters and digits.
      beneficiaryReference: `Cowrie${order.reference.slice(-13)}`,
      expireAt: order.expiresAt.toISOString(),
      returnUrl: order.returnUrl,
      notifyUrl: order.notifyUrl,
    },
  })
  if ('failure' in reply)
    return reply.isRefused
      ? {
          outcome: 'rejected',
          reason: REFUSAL,
          detail: redactedDetail(reply.failure),
          isAccountProblem: true,
        }
      : { outcome: 'unknown', reason: `Ozow gave no answer: ${reply.failure}` }
  return readInitiation(reply)
}

const REFUSAL = 'Ozow did not take this payment. Please try another way to pay.'

function readInitiation({ status, json }: HttpResponse): InitiationResult {
  // The key is in use, for another request or for one that is not finished.
  if (status === 409) return { outcome: 'known' }
  if (status >= 400 && status < 500 && status !== 408 && (json !== undefined || status === 401)) {
    const { title, detail } = Problem.parse(json)
    return {
      ...{ outcome: 'rejected', reason: REFUSAL, detail: redactedDetail(status, title, detail) },
      ...((status === 401 || status === 403 || status === 429) && { isAccountProblem: true }),
    }
  }
  const payment = Payment.safeParse(json)
  if (status >= 300 || !payment.success || !payment.data.redirectUrl)
    return { outcome: 'unknown', reason: `Ozow answered with status ${status} and no page to pay on.` }
  const { id, redirectUrl } = payment.data
  return {
    outcome: 'accepted',
    handOff: { authorizationUrl: redirectUrl },
    providerRef: `${ONE_REF}${id}`,
  }
}

async function check(http: HttpClient, access: Access, query: PaymentQuery): Promise<ProviderStatus> {
  const { providerRef } = query
  if (providerRef === null) return checkByReference(http, access, query)
  if (!providerRef.startsWith(ONE_REF))
    return unknown('The keys of the API that started this payment are not set.')
  const path = `/payments/${encodeURIComponent(providerRef.slice(ONE_REF.length))}`
  const found = await access.api.call(http, path, { headers: {} })
  if ('failure' in found) return unknown(found.failure)
  const payment = Payment.safeParse(found.json)
  if (found.status !== 200 || !payment.success) return unreadable(found)
  // The transactions need not repeat our reference and site.
  const { merchantReference, siteCode } = payment.data
  if (merchantReference !== query.reference || (siteCode ?? access.siteCode) !== access.siteCode)
    return unknown('Ozow replied about another payment.')
  const { from, until } = lifeOf(http, query)
  const range = new URLSearchParams({
    ...{ fromDate: from.toISOString(), toDate: until.toISOString(), limit: String(TRANSACTIONS_PER_PAGE) },
  })
  const listed = await access.api.call(http, `${path}/transactions?${range}`, { headers: {} })
  const rows = rowsOf(listed)
  if (typeof rows === 'string') return unknown(rows)
  if (rows.length > 0) return readTransactions(rows, query, access)
  return /^(expired|cancelled|canceled)$/i.test(payment.data.status ?? '')
    ? { status: 'failed', reason: 'The payment was not completed in time.' }
    : { status: 'pending', detail: 'Ozow has no transaction yet.', isNotFound: true }
}

/** An upper bound for the payments of the site while one payment is open. */
const PAGES_MAX = 20

/** For a payment whose id was in a lost reply: looks for it in the transactions of the site. */
async function checkByReference(
  http: HttpClient,
  access: Access,
  query: PaymentQuery,
): Promise<ProviderStatus> {
  const { from, until } = lifeOf(http, query)
  const ours: unknown[] = []
  for (let page = 0; ; page++) {
    if (page >= PAGES_MAX) return unknown('Ozow lists more transactions than we read.')
    const path = transactionsOf(access, from, until, page * TRANSACTIONS_PER_PAGE)
    const rows = rowsOf(await access.api.call(http, path, { headers: {} }))
    if (typeof rows === 'string') return unknown(rows)
    ours.push(...rows.filter((row) => transactionRows.referenceOf(row) === query.reference))
    if (rows.length < TRANSACTIONS_PER_PAGE) break
  }
  if (ours.length > 0) return readTransactions(ours, query, access)
  return isWithinGracePeriod(http, query)
    ? { status: 'pending', detail: 'Ozow has no transaction yet.', isNotFound: true }
    : { status: 'failed', reason: 'The payment was never started.' }
}

/** The time in which a payment can have transactions, with room for clocks that differ. */
const lifeOf = ({ clock }: HttpClient, { createdAt }: PaymentQuery) => ({
  from: before(createdAt, { hours: 1 }),
  until: after(clock.now(), { hours: 1 }),
})

const transactionsOf = ({ siteCode }: Access, from: Date, until: Date, offset: number): string =>
  `/transactions?${new URLSearchParams({
    siteCode,
    fromDate: from.toISOString(),
    toDate: until.toISOString(),
    limit: String(TRANSACTIONS_PER_PAGE),
    offset: String(offset),
  })}`

function rowsOf(reply: HttpResponse | ApiFailure): readonly unknown[] | string {
  if ('failure' in reply) return reply.failure
  const rows = reply.status === 200 ? transactionRows.of(parseJsonExactly(reply.text)) : null
  return rows ?? unreadable(reply).reason
}

const unknown = (reason: string) => ({ status: 'unknown' as const, reason })
const unreadable = ({ status }: HttpResponse) =>
  unknown(`Ozow answered with status ${status} and nothing we can read.`)

const name = z.string().min(1).max(200).nullish().catch(null)
const Event = z.object({
  type: z.string().min(1).max(100),
  data: z.object({ id: name, merchantReference: name, paymentId: name, transactionId: name, siteCode: name }),
})

/** A webhook can be as thin as the id of a transaction, which is known here only after the payment. */
function parseOneWebhook(access: Access, message: WebhookRequest): WebhookEvent {
  const eventKey = verifiedSvixId(message, access.webhookKeys)
  if (eventKey === null) return 'forged'
  const event = Event.safeParse(parseJsonExactly(message.raw.toString('utf8')))
  if (!event.success) return 'nothing'
  const { type: kind, data } = event.data
  if (data.siteCode && data.siteCode !== access.siteCode) return 'nothing'
  if (data.merchantReference) return { about: { reference: data.merchantReference }, eventKey, kind }
  if (data.paymentId) return { about: { providerRef: `${ONE_REF}${data.paymentId}` }, eventKey, kind }
  // The id of other events is that of a refund or payout.
  const transactionId = data.transactionId ?? (kind.startsWith('transaction.') ? data.id : null)
  return transactionId ? { about: { transactionId }, eventKey, kind } : 'nothing'
}
