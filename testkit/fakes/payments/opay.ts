// A fake of OPay's cashier. It checks our keys and signatures as OPay does, and returns business errors with status 200. It
// has the limits of OPay: no test flag, because the sandbox is another host, and no reversal in the status, only in the
// callback of version 1.
import { createHmac } from 'node:crypto'
import type { FakeProvider } from './fake-provider.ts'
import { createFakeRefunds, type FakeRefund, type FakeRefunds } from './fake-refunds.ts'
import { type FakeReply, type FakeRequest, startLoopbackServer } from './loopback-server.ts'

export type FakeOpay = FakeProvider & {
  readonly url: string
  readonly requests: readonly FakeRequest[]
  /** Replies for the next calls, one each. */
  readonly scriptedReplies: FakeReply[]
  /** Refunds by API. */
  readonly ownRefunds: FakeRefunds
  /** The payment expires unpaid. */
  expire(reference: string): void
  /** Overrides fields of the status reply. */
  override(reference: string, data: object): void
  message(reference: string, version?: 1 | 2): { headers: Record<string, string>; body: string }
}

type CashierOrder = FakeProvider['orders'][number] & {
  status: 'INITIAL' | 'PENDING' | 'SUCCESS' | 'FAIL' | 'CLOSE'
  paid: { total: number; currency: string }
  refunded: boolean
  overrides: object
}

const MERCHANT_ID = '256612345678901'
const PUBLIC_KEY = 'OPAYPUB16330000000000.1234567890'
const SECRET_KEY = 'OPAYPRV16330000000000.0987654321'
const AT = 1_763_197_200_000

export async function startFakeOpay(country: 'NG' | 'EG' = 'NG'): Promise<FakeOpay> {
  const orders = new Map<string, CashierOrder>()
  const find = (reference: string): CashierOrder => {
    const order = orders.get(reference)
    if (!order) throw new Error(`no order ${reference} reached OPay`)
    return order
  }

  const ownRefunds = createFakeRefunds(800)
  const loopback = await startLoopbackServer(({ path, headers, raw }) => {
    const body = JSON.parse(raw) as Record<string, unknown>
    const [, refundAction] = /^\/api\/v1\/international\/payment\/refund\/(create|query)$/.exec(path) ?? []
    if (refundAction !== undefined) {
      if (
        headers.merchantid !== MERCHANT_ID ||
        headers.authorization !== `Bearer ${signatureOf(sorted(body))}`
      )
        return refusal('02000', 'authentication failed.')
      return refundAction === 'create'
        ? createRefund(orders, ownRefunds, body)
        : describeRefund(ownRefunds.all.find(({ note }) => note === body.reference))
    }
    const isCreate = path === '/api/v1/international/cashier/create'
    if (!isCreate && path !== '/api/v1/international/cashier/status')
      return { status: 404, body: { message: 'no such path' } }
    const bearer = isCreate ? PUBLIC_KEY : signatureOf(sorted(body))
    if (headers.merchantid !== MERCHANT_ID || headers.authorization !== `Bearer ${bearer}`)
      return refusal('02000', 'authentication failed.')
    if (loopback.fault === 'reject') return refusal('02002', 'merchant not configured with this function.')
    if (body.country !== country) return refusal('02001', 'request params not valid.')
    return isCreate ? create(orders, body) : status(orders.get(String(body.reference)))
  })

  return {
    url: loopback.url,
    ownRefunds: ownRefunds.controls,
    requests: loopback.requests,
    scriptedReplies: loopback.scriptedReplies,
    variables: {
      OPAY_MERCHANT_ID: MERCHANT_ID,
      OPAY_PUBLIC_KEY: PUBLIC_KEY,
      OPAY_SECRET_KEY: SECRET_KEY,
      OPAY_COUNTRY: country,
      OPAY_BASE_URL: loopback.url,
    },
    get orders() {
      return [...orders.values()]
    },
    pay(reference, as = {}) {
      if (as.test) throw new Error('OPay has no test flag')
      const order = find(reference)
      order.status = 'SUCCESS'
      order.paid = {
        total: Number(as.amountMinor ?? BigInt(order.amount)),
        currency: as.currency ?? order.currency,
      }
    },
    decline(reference) {
      find(reference).status = 'FAIL'
    },
    expire(reference) {
      find(reference).status = 'CLOSE'
    },
    reverse(reference) {
      find(reference).refunded = true
    },
    override(reference, data) {
      find(reference).overrides = data
    },
    message: (reference, version = 2) =>
      version === 1 ? callbackV1(find(reference)) : callback(find(reference), country),
    fault(kind) {
      loopback.fault = kind
    },
    heal() {
      loopback.fault = null
    },
    close: loopback.close,
  }
}

function create(orders: Map<string, CashierOrder>, body: Record<string, unknown>): FakeReply {
  const { reference, amount, expireAt } = body as {
    reference: string
    amount: { total: number; currency: string }
    expireAt: number
  }
  const isValid =
    /^[\w-]{1,32}$/.test(reference) &&
    Number.isInteger(amount.total) &&
    Number.isInteger(expireAt) &&
    [body.returnUrl, body.callbackUrl, body.cancelUrl].every((each) => URL.canParse(String(each)))
  if (!isValid) return refusal('02001', 'request params not valid.')
  if (orders.has(reference)) return refusal('02004', 'the payment reference already exists.')
  const order: CashierOrder = {
    reference,
    // Unique across both countries.
    providerRef: `${body.country === 'NG' ? '2111' : '2112'}${String(orders.size).padStart(14, '0')}`,
    amount: String(amount.total),
    currency: amount.currency,
    status: 'INITIAL',
    paid: amount,
    refunded: false,
    overrides: {},
  }
  orders.set(reference, order)
  const cashierUrl = `https://cashier.opaycheckout.com/checkout?order=${order.providerRef}`
  return accepted({ reference, orderNo: order.providerRef, cashierUrl, status: 'INITIAL', amount, vat: null })
}

/** A reference is used once. */
function createRefund(
  orders: Map<string, CashierOrder>,
  refunds: ReturnType<typeof createFakeRefunds>,
  body: Record<string, unknown>,
): FakeReply {
  const { reference, originalReference, amount, refundWay } = body as {
    reference: string
    originalReference: string
    refundWay: string
    amount: { total: number }
  }
  const order = orders.get(originalReference)
  if (
    !/^[\w-]{1,32}$/.test(reference) ||
    refundWay !== 'Original' ||
    !order ||
    amount.total > order.paid.total
  )
    return refusal('02001', 'request params not valid.')
  if (refunds.all.some(({ note }) => note === reference))
    return refusal('02004', 'the payment reference already exists.')
  const added = refunds.add({ reference: originalReference, note: reference, amount: amount.total })
  return added ? describeRefund(added) : refusal('02008', 'refund way is not supported.')
}

const REFUND_STATUSES = { pending: 'PENDING', processed: 'SUCCESS', failed: 'FAIL' }

function describeRefund(refund: FakeRefund | undefined): FakeReply {
  if (!refund) return refusal('02006', 'the order does not exist.')
  return accepted({
    reference: refund.note,
    originalReference: refund.reference,
    orderNo: `2113${refund.id}`,
    refundAmount: { total: refund.amount, currency: 'NGN' },
    orderStatus: REFUND_STATUSES[refund.status],
  })
}

function status(order: CashierOrder | undefined): FakeReply {
  if (!order) return refusal('02006', 'the order does not exist.')
  const { reference, providerRef, paid, overrides } = order
  return accepted({
    reference,
    orderNo: providerRef,
    status: order.status,
    amount: paid,
    createTime: AT,
    ...overrides,
  })
}

const accepted = (data: object): FakeReply => ({
  status: 200,
  body: { code: '00000', message: 'SUCCESSFUL', data },
})
const refusal = (code: string, message: string): FakeReply => ({
  status: 200,
  body: { code, message, data: null },
})

function callbackV1({ reference, providerRef, status, paid, refunded }: CashierOrder) {
  const timestamp = '2026-11-15T09:00:00Z'
  const signed =
    `{Amount:"${paid.total}",Currency:"${paid.currency}",Reference:"${reference}",Refunded:${refunded ? 't' : 'f'},` +
    `Status:"${status}",Timestamp:"${timestamp}",Token:"${providerRef}",TransactionID:"${providerRef}"}`
  const payload = {
    amount: String(paid.total),
    channel: 'Web',
    country: 'NG',
    currency: paid.currency,
    displayedFailure: '',
    fee: '0',
    feeCurrency: paid.currency,
    instrumentType: 'OpayWalletNg',
    reference,
    refunded,
    status,
    timestamp,
    token: providerRef,
    transactionId: providerRef,
    updated_at: timestamp,
  }
  const sha512 = createHmac('sha3-512', SECRET_KEY).update(signed).digest('hex')
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload, sha512, type: 'transaction-status' }),
  }
}

function callback({ reference, providerRef, status, paid }: CashierOrder, country: string) {
  const body = JSON.stringify({
    amount: { currency: paid.currency, total: paid.total },
    country,
    notifyId: createHmac('md5', 'notify').update(`${reference} ${status}`).digest('hex'),
    orderNo: providerRef,
    reference,
    status,
    timestamp: AT,
    type: 'MACQUIRING_CALLBACK',
  })
  return {
    headers: {
      'content-type': 'application/json',
      authorization: signatureOf(`${AT}${body}`),
      merchantid: MERCHANT_ID,
      requesttimestamp: String(AT),
    },
    body,
  }
}

const signatureOf = (text: string): string => createHmac('sha512', SECRET_KEY).update(text).digest('hex')

const sorted = (body: Record<string, unknown>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1))))
