// A fake Flutterwave with API v4. It checks the OAuth token, keeps one customer per email address, repeats the reply of an
// idempotency key, and lists one charge per attempt of the payer. It signs its webhooks over the body.
import { createHmac, randomUUID } from 'node:crypto'
import { describeCurrency, isCurrency } from '@cowrie/server/src/kernel/money.ts'
import { majorText } from '@cowrie/server/src/payments/rails/amounts.ts'
import type { FakeProvider } from './fake-provider.ts'
import { createListPages, type ListPages } from './list-pages.ts'
import { type FakeReply, type FakeRequest, startLoopbackServer } from './loopback-server.ts'

const CLIENT_ID = 'fw-client'
const CLIENT_SECRET = 'fw-client-secret'
const HASH = 'the secret of the webhooks'
const TOKEN_PATH = '/token'

export type FakeFlutterwaveV4 = FakeProvider & {
  readonly requests: readonly FakeRequest[]
  /** Replies for the next calls other than token requests, one each. */
  readonly scriptedReplies: FakeReply[]
  /** Overrides fields of the last charge under this reference. */
  override(reference: string, fields: object): void
  /** Adds a refund of the last charge, and returns the webhook about it. */
  refund(
    reference: string,
    amount: number,
    status?: string,
  ): { headers: Record<string, string>; body: string }
  chargeback(reference: string, amount: number, status: string): void
  /** A webhook with this body and a valid signature. */
  sign(body: object): { headers: Record<string, string>; body: string }
  /** Invalidates all issued tokens. */
  expireTokens(): void
  readonly lists: ListPages
}

type Session = { reference: string; amount: number; currency: string; id: string }
type Charge = {
  id: string
  reference: string
  amount: number
  currency: string
  status: string
  processor_response: string
  createdAt: Date
}
type Return = { id: string; charge_id: string; status: string; createdAt: Date }

export async function startFakeFlutterwaveV4(): Promise<FakeFlutterwaveV4> {
  const tokens = new Set<string>()
  const customers = new Map<string, string>()
  const sessions: Session[] = []
  const charges: Charge[] = []
  const refunds: (Return & { amount_refunded: number })[] = []
  const chargebacks: (Return & { amount: number })[] = []
  const replies = new Map<string, { raw: string; reply: FakeReply }>()
  const lists = createListPages(50)

  const issueToken = ({ raw }: FakeRequest): FakeReply => {
    const form = new URLSearchParams(raw)
    const isKnown = form.get('client_id') === CLIENT_ID && form.get('client_secret') === CLIENT_SECRET
    if (!isKnown || form.get('grant_type') !== 'client_credentials')
      return { status: 401, body: { error: 'invalid_client', error_description: 'Invalid client' } }
    const token = randomUUID()
    tokens.add(token)
    return { status: 200, body: { access_token: token, expires_in: 600, token_type: 'Bearer' } }
  }

  /** A repeated idempotency key has the first reply; with other content it is a conflict. */
  const once = (received: FakeRequest, create: (body: Record<string, unknown>) => FakeReply): FakeReply => {
    const key = String(received.headers['x-idempotency-key'] ?? '')
    if (key.length < 12) return refusal(400, 'X-Idempotency-Key must have 12 to 255 characters')
    const first = replies.get(key)
    if (first) return first.raw === received.raw ? first.reply : refusal(409, 'Idempotency key was used')
    const reply = create(JSON.parse(received.raw) as Record<string, unknown>)
    if (typeof reply === 'object' && reply.status < 300) replies.set(key, { raw: received.raw, reply })
    return reply
  }

  function createCustomer({ email }: Record<string, unknown>): FakeReply {
    if (typeof email !== 'string') return refusal(400, 'email is required')
    if (customers.has(email)) return refusal(409, 'Customer already exists', 'RESOURCE_CONFLICT')
    const id = `cus_${customers.size + 1}`
    customers.set(email, id)
    return ok({ id, email }, 201)
  }

  function createSession(body: Record<string, unknown>): FakeReply {
    if (loopback.fault === 'reject') return refusal(400, 'Currency not enabled for this merchant')
    const { reference, amount, currency, customer_id, redirect_url, session_duration } = body
    if (typeof reference !== 'string' || !/^[a-z0-9]{6,42}$/i.test(reference) || typeof amount !== 'number')
      return refusal(400, 'reference or amount is invalid')
    if (![...customers.values()].includes(String(customer_id)) || !redirect_url)
      return refusal(400, 'customer_id or redirect_url is invalid')
    if (
      !Number.isInteger(session_duration) ||
      Number(session_duration) < 1 ||
      Number(session_duration) > 1440
    )
      return refusal(400, 'session_duration must be between 1 and 1440')
    if (sessions.some((each) => each.reference === reference)) return refusal(409, 'Reference already exists')
    const id = `cks_${sessions.length + 1}`
    sessions.push({ id, reference, amount, currency: String(currency) })
    return ok({ ...body, id, link: `https://checkout.flutterwave.com/${id}` }, 201)
  }

  function page({ query }: FakeRequest, all: readonly { createdAt: Date }[], isFaulty = false): FakeReply {
    const from = new Date(query.get('from') ?? 0)
    const until = new Date(query.get('to') ?? '2100-01-01')
    const number = Number(query.get('page') ?? 1)
    const found = lists.pageOf(all, { from, until, page: number, isFaulty })
    if (found === 'outage') return { status: 502, body: 'upstream unavailable' }
    const data = found.rows.map(({ createdAt, ...row }) => ({ ...row, created_datetime: createdAt }))
    const page_info = { total: found.total, current_page: number, total_pages: found.pages }
    return { status: 200, body: { status: 'success', message: 'Fetched', data, meta: { page_info } } }
  }

  const handle = (received: FakeRequest): FakeReply => {
    const { method, path, query, headers, raw } = received
    if (method === 'POST' && path === TOKEN_PATH) return issueToken(received)
    if (!tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? ''))
      return refusal(401, 'Unauthorized', 'UNAUTHORIZED')
    if (String(headers['x-trace-id'] ?? '').length < 12) return refusal(400, 'X-Trace-Id is invalid')
    switch (`${method} ${path}`) {
      case 'POST /customers':
        return once(received, createCustomer)
      case 'POST /customers/search': {
        const { email } = JSON.parse(raw) as { email: string }
        const id = customers.get(email)
        return ok(id ? [{ id, email }] : [])
      }
      case 'POST /checkout/sessions':
        return once(received, createSession)
      case 'GET /charges': {
        const reference = query.get('reference')
        if (reference === null) return page(received, charges, true)
        return page(
          received,
          charges.filter((each) => each.reference === reference),
        )
      }
      case 'GET /refunds':
        return page(received, refunds)
      case 'GET /chargebacks':
        return page(received, chargebacks)
      case 'GET /wallets/balances':
        return ok(BALANCES)
      default:
        return refusal(404, 'Not found')
    }
  }
  const loopback = await startLoopbackServer(handle, ({ path }) => path === TOKEN_PATH)

  const addCharge = (reference: string, status: string): Charge => {
    const session = sessions.find((each) => each.reference === reference)
    if (!session) throw new Error(`Flutterwave has no session for ${reference}`)
    const { amount, currency } = session
    const charge = {
      ...{ id: `chg_${charges.length + 1}`, reference, amount, currency, status },
      ...{ processor_response: status === 'failed' ? 'Declined' : 'Approved', createdAt: lists.now() },
    }
    charges.push(charge)
    return charge
  }
  const latest = (reference: string) => charges.findLast((each) => each.reference === reference)
  const sign = (body: object) => {
    const text = JSON.stringify(body)
    const signature = createHmac('sha256', HASH).update(text).digest('base64')
    return { headers: { 'content-type': 'application/json', 'flutterwave-signature': signature }, body: text }
  }

  return {
    variables: {
      FLUTTERWAVE_CLIENT_ID: CLIENT_ID,
      FLUTTERWAVE_CLIENT_SECRET: CLIENT_SECRET,
      FLUTTERWAVE_WEBHOOK_HASH: HASH,
      FLUTTERWAVE_CLIENT_BASE_URL: loopback.url,
      FLUTTERWAVE_CLIENT_LOGIN_URL: `${loopback.url}${TOKEN_PATH}`,
    },
    requests: loopback.requests,
    scriptedReplies: loopback.scriptedReplies,
    get orders() {
      return sessions.map(({ id, reference, amount, currency }) => ({
        ...{ reference, providerRef: id, amount: String(amount), currency },
      }))
    },
    pay(reference, { amountMinor, currency } = {}) {
      const charge = addCharge(reference, 'succeeded')
      if (currency !== undefined) charge.currency = currency
      if (amountMinor !== undefined) charge.amount = majorOf(amountMinor, charge.currency)
    },
    decline: (reference) => void addCharge(reference, 'failed'),
    reverse() {
      throw new Error('API v4 lists refunds and has no reversed charge')
    },
    override: (reference, fields) => {
      Object.assign(latest(reference) ?? addCharge(reference, 'pending'), fields)
    },
    refund(reference, amount_refunded, status = 'succeeded') {
      const { id: charge_id = '' } = latest(reference) ?? {}
      const id = `rfd_${refunds.length + 1}`
      refunds.push({ id, charge_id, amount_refunded, status, createdAt: lists.now() })
      return sign({ id: `wbk_${id}`, type: 'refund.completed', data: { id, charge_id, status } })
    },
    chargeback(reference, amount, status) {
      const { id: charge_id = '' } = latest(reference) ?? {}
      const existing = chargebacks.find((each) => each.charge_id === charge_id)
      if (existing) existing.status = status
      else
        chargebacks.push({
          ...{ id: `chb_${chargebacks.length + 1}`, charge_id, amount, status, createdAt: lists.now() },
        })
    },
    sign,
    message(reference) {
      const { id, status, amount, currency } = latest(reference) ?? addCharge(reference, 'pending')
      const data = { id, reference, status, amount, currency }
      return sign({ id: `wbk_${id}_${status}`, timestamp: 1_763_197_200, type: 'charge.completed', data })
    },
    expireTokens: () => tokens.clear(),
    lists: lists.controls,
    fault: (kind) => {
      loopback.fault = kind
    },
    heal: () => {
      loopback.fault = null
    },
    close: loopback.close,
  }
}

const BALANCES = ['NGN', 'USD', 'GHS', 'KES', 'UGX', 'TZS', 'RWF', 'ZAR', 'ZMW', 'XOF', 'XAF', 'EGP'].map(
  (currency) => ({ currency, available_balance: 0 }),
)

const majorOf = (minor: bigint, currency: string): number =>
  Number(majorText(minor, isCurrency(currency) ? describeCurrency(currency).code : 'USD'))

const ok = (data: object, status = 200): FakeReply => ({
  status,
  body: { status: 'success', message: 'Done', data },
})
const refusal = (status: number, message: string, code = 'REQUEST_NOT_VALID'): FakeReply => ({
  status,
  body: { status: 'failed', error: { type: 'ERROR', code, message, validation_errors: [] } },
})
