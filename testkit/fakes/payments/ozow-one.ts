// A fake of Ozow's One API. It checks the OAuth token, repeats the payment of an idempotency key, lists one transaction per
// attempt of the payer, and signs its webhooks as Svix does.
//
// It has the limits of Ozow: a refund is a status of the transaction without an amount.
import { createHmac, randomUUID } from 'node:crypto'
import { isCurrency } from '@cowrie/server/src/kernel/money.ts'
import { majorText } from '@cowrie/server/src/payments/rails/amounts.ts'
import type { FakeProvider } from './fake-provider.ts'
import {
  type FakeReply,
  type FakeRequest,
  type LoopbackServer,
  startLoopbackServer,
} from './loopback-server.ts'

export type FakeOzowOne = FakeProvider & {
  readonly loopback: LoopbackServer
  /** The time in the webhooks. Default: the start of the manual clock. */
  setTime(now: Date): void
  /** Adds an attempt of the payer with this status. */
  attempt(reference: string, status: string, as?: Parameters<FakeProvider['pay']>[1]): void
  /** Overrides fields of the last transaction under this reference. */
  override(reference: string, fields: object): void
  /** The page of a payment is closed unpaid. */
  expire(reference: string): void
  /** A webhook with this body and a valid signature. */
  sign(body: object, id?: string): { headers: Record<string, string>; body: string }
  expireTokens(): void
}

type Payment = {
  readonly id: string
  readonly siteCode: string
  readonly merchantReference: string
  readonly amount: { readonly currency: string; readonly value: number }
  status: string
}
type Transaction = { readonly id: string; readonly paymentId: string; readonly [field: string]: unknown }

const CLIENT_ID = 'ozow-client'
const CLIENT_SECRET = 'ozow-client-secret'
const SITE_CODE = 'TSTSITE0001'
const SECRET = `whsec_${Buffer.from('0123456789abcdef'.repeat(2)).toString('base64')}`
const TOKEN_PATH = '/v1/token'

export async function startFakeOzowOne(): Promise<FakeOzowOne> {
  const tokens = new Set<string>()
  const payments: Payment[] = []
  const transactions: Transaction[] = []
  const requests = new Map<string, { raw: string; payment: Payment }>()
  let now = new Date('2026-11-15T09:00:00.000Z')

  const issueToken = ({ raw }: FakeRequest): FakeReply => {
    const form = new URLSearchParams(raw)
    if (form.get('client_id') !== CLIENT_ID || form.get('client_secret') !== CLIENT_SECRET)
      return problem(401, 'The client is unknown.')
    if (form.get('grant_type') !== 'client_credentials' || form.get('scope') !== 'payments')
      return problem(400, 'The scope is invalid.')
    const token = randomUUID()
    tokens.add(token)
    return { status: 200, body: { access_token: token, expires_in: 3600, token_type: 'Bearer' } }
  }

  function createPayment({ raw, headers }: FakeRequest): FakeReply {
    if (loopback.fault === 'reject') return problem(400, 'The amount exceeds the limit of the site.')
    const key = String(headers['idempotency-key'] ?? '')
    const first = requests.get(key)
    if (first) return first.raw === raw ? created(first.payment) : problem(409, 'The key was used.')
    const body = JSON.parse(raw) as Omit<Payment, 'id'> & {
      region: string
      beneficiaryReference: string
      expireAt: string
      returnUrl: string
    }
    const isValid =
      key !== '' &&
      body.siteCode === SITE_CODE &&
      body.region === 'ZA' &&
      body.amount.currency === 'ZAR' &&
      typeof body.amount.value === 'number' &&
      /^[a-z\d]{1,20}$/i.test(body.beneficiaryReference) &&
      !Number.isNaN(Date.parse(body.expireAt)) &&
      URL.canParse(body.returnUrl)
    if (!isValid) return problem(400, 'The request is invalid.')
    const { siteCode, merchantReference, amount } = body
    const payment = { id: randomUUID(), siteCode, merchantReference, amount, status: 'Created' }
    payments.push(payment)
    requests.set(key, { raw, payment })
    return created(payment)
  }

  const created = (payment: Payment): FakeReply => ({
    status: 201,
    body: { ...payment, redirectUrl: `https://pay.ozow.com/one/${payment.id}` },
  })

  function list({ query }: FakeRequest, all: readonly Transaction[]): FakeReply {
    if (!query.get('fromDate') || !query.get('toDate'))
      return problem(400, 'fromDate and toDate are required.')
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 10)]
    return { status: 200, body: { transactions: all.slice(offset, offset + limit) } }
  }

  const handle = (received: FakeRequest): FakeReply => {
    const { method, path, query, headers } = received
    if (method === 'POST' && path === TOKEN_PATH) return issueToken(received)
    if (!tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? ''))
      return problem(401, 'The token is invalid.')
    if (method === 'POST' && path === '/v1/payments') return createPayment(received)
    if (method === 'GET' && path === '/v1/transactions')
      return query.get('siteCode') === SITE_CODE
        ? list(received, transactions)
        : problem(403, 'The site belongs to another merchant.')
    const [, id, part] = /^\/v1\/payments\/([\w-]+)(\/transactions)?$/.exec(path) ?? []
    const payment = payments.find((each) => each.id === id)
    if (method !== 'GET' || !payment || loopback.fault === 'reject') return problem(404, 'Not found.')
    if (!part) return { status: 200, body: payment }
    return list(
      received,
      transactions.filter(({ paymentId }) => paymentId === id),
    )
  }
  const loopback = await startLoopbackServer(handle, ({ path }) => path === TOKEN_PATH)

  const find = (reference: string): Payment => {
    const found = payments.findLast((each) => each.merchantReference === reference)
    if (!found) throw new Error(`Ozow has no payment for ${reference}`)
    return found
  }
  const lastIndex = (reference: string): number =>
    transactions.findLastIndex(({ paymentId }) => paymentId === find(reference).id)

  const fake: FakeOzowOne = {
    loopback,
    variables: {
      OZOW_CLIENT_ID: CLIENT_ID,
      OZOW_CLIENT_SECRET: CLIENT_SECRET,
      OZOW_SITE_CODE: SITE_CODE,
      OZOW_WEBHOOK_SECRET: SECRET,
      OZOW_CLIENT_BASE_URL: `${loopback.url}/v1`,
    },
    get orders() {
      return payments.map(({ id, merchantReference, amount }) => ({
        reference: merchantReference,
        providerRef: `one:${id}`,
        amount: String(amount.value),
        currency: amount.currency,
      }))
    },
    attempt(reference, status, { amountMinor, currency, test = false } = {}) {
      const { id: paymentId, amount, siteCode } = find(reference)
      const paidCurrency = currency ?? amount.currency
      const unit = isCurrency(paidCurrency) ? paidCurrency : 'ZAR'
      transactions.push({
        ...{ id: randomUUID(), paymentId, siteCode, merchantReference: reference, status },
        amount: {
          currency: paidCurrency,
          value: amountMinor === undefined ? amount.value : Number(majorText(amountMinor, unit)),
        },
        createdAt: new Date(now.getTime() + transactions.length * 1000).toISOString(),
        ...(test && { isTest: true }),
      })
    },
    pay: (reference, as) => fake.attempt(reference, 'Successful', as),
    decline: (reference) => fake.attempt(reference, 'Cancelled'),
    reverse: (reference) => fake.override(reference, { status: 'Refunded' }),
    override(reference, fields) {
      const index = lastIndex(reference)
      const last = transactions[index]
      if (!last) throw new Error(`Ozow has no transaction for ${reference}`)
      transactions[index] = { ...last, ...fields }
    },
    expire(reference) {
      find(reference).status = 'Expired'
    },
    sign(body, id = `msg_${randomUUID()}`) {
      const text = JSON.stringify(body)
      const seconds = String(Math.floor(now.getTime() / 1000))
      const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
      const signature = createHmac('sha256', key).update(`${id}.${seconds}.${text}`).digest('base64')
      const headers = { 'svix-id': id, 'svix-timestamp': seconds, 'svix-signature': `v1,${signature}` }
      return { headers: { 'content-type': 'application/json', ...headers }, body: text }
    },
    message(reference) {
      if (lastIndex(reference) === -1) fake.attempt(reference, 'Pending')
      const last = transactions[lastIndex(reference)]
      const id = last?.id ?? ''
      return fake.sign(
        { type: 'transaction.complete', data: { id, merchantReference: reference, siteCode: SITE_CODE } },
        `msg_${id}_${String(last?.status)}`,
      )
    },
    setTime: (time) => {
      now = time
    },
    expireTokens: () => tokens.clear(),
    fault(kind) {
      loopback.fault = kind
    },
    heal() {
      loopback.fault = null
    },
    close: () => loopback.close(),
  }
  return fake
}

const problem = (status: number, detail: string): FakeReply => ({
  status,
  body: { type: 'about:blank', title: 'Problem', status, detail },
})
