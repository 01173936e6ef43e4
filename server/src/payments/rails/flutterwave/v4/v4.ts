// Flutterwave API v4: OAuth2 client credentials, and a checkout session as the hosted page.
import { z } from 'zod'
import { toMs } from '../../../../kernel/clock.ts'
import { majorText } from '../../amounts.ts'
import type { HttpClient, HttpResponse } from '../../http-client.ts'
import { baseUrlOf, requiredKeys } from '../../keys.ts'
import { type ApiFailure, type OauthApi, openOauthApi } from '../../newer-apis/oauth-api.ts'
import { currenciesOfBalances, lookUpWith, unusedReference, withChangedBody } from '../../probes.ts'
import type {
  InitiationResult,
  OpenRail,
  Order,
  PaymentQuery,
  ProviderStatus,
  RailProbes,
  Variables,
} from '../../rail.ts'
import { requestIdOf } from '../../request.ts'
import { redactedDetail } from '../../text.ts'
import { flutterwaveList } from '../list.ts'
import { flutterwaveReturns } from '../returns.ts'
import { readCharges } from './charges.ts'
import { parseV4Webhook, signV4Webhook } from './webhook.ts'

export const V4_NEEDS = ['FLUTTERWAVE_CLIENT_ID', 'FLUTTERWAVE_CLIENT_SECRET'] as const
const LIVE = 'https://f4bexperience.flutterwave.com'
const TOKEN_URL = 'https://idp.flutterwave.com/realms/flutterwave/protocol/openid-connect/token'

type Access = { readonly api: OauthApi; readonly keys: OpenRail['keys'] }

/** `hashes`: the current webhook secret and, during a rotation, the previous one. */
export function openFlutterwaveV4(variables: Variables, hashes: readonly string[]): OpenRail | null {
  const credentials = requiredKeys(variables, V4_NEEDS)
  if (!credentials) return null
  const baseUrl = baseUrlOf(variables, 'FLUTTERWAVE_CLIENT_BASE_URL', LIVE)
  const access: Access = {
    api: openOauthApi({
      baseUrl,
      tokenUrl: baseUrlOf(variables, 'FLUTTERWAVE_CLIENT_LOGIN_URL', TOKEN_URL),
      clientId: credentials.FLUTTERWAVE_CLIENT_ID,
      clientSecret: credentials.FLUTTERWAVE_CLIENT_SECRET,
    }),
    // Credentials do not tell their environment. The sandbox is a separate host.
    keys: new URL(baseUrl).hostname.includes('sandbox') ? 'test' : 'live',
  }
  return {
    name: 'flutterwave',
    // Its page has no choice of a method, and its prompts need a customer and a stored method.
    withoutChannels: ['card', 'mpesa'],
    api: 'flutterwave_v4',
    keys: access.keys,
    start: (http, order) => start(http, access, order),
    check: (http, query) => check(http, access, query),
    parseWebhook: (message) => parseV4Webhook(message, hashes),
    returns: (http, paid) => flutterwaveReturns((path) => get(http, access, path, paid.reference), paid),
    list: (http, window, cursor) =>
      flutterwaveList({ call: (path) => get(http, access, path), version: 4, ...access }, window, cursor),
    probes: probesOf(access, hashes[0]),
  }
}

function probesOf(access: Access, hash: string | undefined): RailProbes {
  return {
    tryKeys(http) {
      const reference = unusedReference()
      return access.api.tryKeys(http, chargesOf(reference), { headers: traceOf(reference) })
    },
    lookUp: lookUpWith((http, query) => check(http, access, query)),
    async readAccount(http) {
      const reply = await get(http, access, '/wallets/balances')
      if ('failure' in reply) return { currencies: null, detail: reply.failure }
      return { currencies: currenciesOfBalances(reply.json), detail: `status ${reply.status}` }
    },
    sampleWebhook(reference) {
      if (!hash) return null
      const data = { id: 'chg_sample', reference, status: 'succeeded' }
      const raw = Buffer.from(JSON.stringify({ id: 'wbk_sample', type: 'charge.completed', data }))
      const genuine = { raw, headers: { 'flutterwave-signature': signV4Webhook(raw, hash) } }
      return { genuine, changed: withChangedBody(genuine, 'succeeded', 'failed') }
    },
  }
}

const SESSION_MINUTES_MAX = 1440

async function start(http: HttpClient, access: Access, order: Order): Promise<InitiationResult> {
  const customer = await customerId(http, access, order)
  if (typeof customer !== 'string') return customer
  // The same request after a lost reply has the same idempotency key, so it must have the same content.
  const minutes = Math.ceil((order.expiresAt.getTime() - order.createdAt.getTime()) / toMs({ minutes: 1 }))
  const reply = await post(http, access, '/checkout/sessions', order.reference, {
    reference: order.reference,
    // A number in major units. The text is exact and short enough to survive the conversion.
    amount: Number(majorText(order.amountMinor, order.currency)),
    currency: order.currency,
    customer_id: customer,
    redirect_url: order.returnUrl,
    session_duration: Math.min(Math.max(minutes, 1), SESSION_MINUTES_MAX),
  })
  const session = readReply(reply, Session)
  if ('outcome' in session) return session
  const { id, checkout_url, link, url } = session.data
  const page = checkout_url ?? link ?? url
  return page
    ? { outcome: 'accepted', handOff: { authorizationUrl: page }, providerRef: id }
    : { outcome: 'unknown', reason: 'Flutterwave accepted the payment without a page to pay on.' }
}

/** Creates the customer of a session, or finds it: an email address can have only one. */
async function customerId(
  http: HttpClient,
  access: Access,
  order: Order,
): Promise<string | InitiationResult> {
  const { reference, email } = order
  const created = await post(http, access, '/customers', `${reference} customer`, { email })
  const customer = readReply(created, Customer)
  if (!('outcome' in customer)) return customer.data.id
  if (customer.outcome !== 'known') return customer
  const found = await post(http, access, '/customers/search', `${reference} search`, { email })
  const customers = readReply(found, Customers)
  if ('outcome' in customers) return customers
  const own = customers.data.find((each) => each.email?.toLowerCase() === email.toLowerCase())
  return own?.id ?? { outcome: 'unknown', reason: 'Flutterwave knows the customer and does not show it.' }
}

const id = z.string().min(1).max(200)
const page = z
  .url({ protocol: /^https?$/ })
  .nullish()
  .catch(null)
// Publicly documented examples name the page differently.
const Session = z.object({ id, checkout_url: page, link: page, url: page })
const Customer = z.object({ id, email: z.string().nullish() })
const Customers = z.array(Customer)

const Envelope = z.object({
  status: z.string(),
  message: z.string().nullish().catch(null),
  data: z.unknown().optional(),
  error: z
    .object({ message: z.string().nullish().catch(null), code: z.string().nullish().catch(null) })
    .nullish()
    .catch(null),
})

/** The data of an accepted request, or the outcome of any other. */
function readReply<Shape extends z.ZodType>(
  reply: HttpResponse | ApiFailure,
  shape: Shape,
): { readonly data: z.output<Shape> } | Exclude<InitiationResult, { outcome: 'accepted' }> {
  if ('failure' in reply)
    return reply.isRefused
      ? { outcome: 'rejected', reason: UNAVAILABLE, detail: redactedDetail(reply.failure) }
      : { outcome: 'unknown', reason: reply.failure }
  const { status, json } = reply
  const envelope = Envelope.safeParse(json)
  const isRefused = status >= 400 && status < 500 && status !== 408
  if (!envelope.success || !(status < 300 || isRefused))
    return { outcome: 'unknown', reason: `Flutterwave answered with status ${status}.` }
  const { message, error, data } = envelope.data
  if (!isRefused && envelope.data.status === 'success') {
    const read = shape.safeParse(data)
    return read.success
      ? { data: read.data }
      : { outcome: 'unknown', reason: 'Flutterwave accepted the request with an unreadable reply.' }
  }
  const words = error?.message ?? message ?? ''
  if (status === 409 || /duplicate|already (exist|been used|in use)/i.test(words)) return { outcome: 'known' }
  const detail = redactedDetail(status, error?.code, words)
  if (status === 401 || status === 403) return { outcome: 'rejected', reason: UNAVAILABLE, detail }
  const reason =
    status === 429
      ? 'The payment provider is busy. Try again in a minute.'
      : 'The payment provider did not accept this payment.'
  return { outcome: 'rejected', reason, detail }
}

const UNAVAILABLE = 'This way to pay is not available right now.'

async function check(http: HttpClient, access: Access, query: PaymentQuery): Promise<ProviderStatus> {
  const reply = await get(http, access, chargesOf(query.reference), query.reference)
  return 'failure' in reply
    ? { status: 'unknown', reason: reply.failure }
    : readCharges(reply, query, { keys: access.keys, clock: http.clock })
}

const chargesOf = (reference: string): string => `/charges?reference=${encodeURIComponent(reference)}&size=50`

/** Names our calls in Flutterwave's logs: 12 to 255 characters. */
const traceOf = (reference: string) => ({ 'x-trace-id': reference })

const get = (http: HttpClient, { api }: Access, path: string, reference: string = unusedReference()) =>
  api.call(http, path, { headers: traceOf(reference) })

const post = (http: HttpClient, { api }: Access, path: string, key: string, body: object) =>
  api.call(http, path, {
    headers: { ...traceOf(key.replace(' ', '-')), 'x-idempotency-key': requestIdOf(key) },
    body,
  })
