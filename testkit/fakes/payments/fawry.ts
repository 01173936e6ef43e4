// A fake FawryPay. It checks the signature of every request and rejects with HTTP 200.
//
// It has the limits of Fawry: replies contain neither a currency nor a test flag, so paying in another currency or with test
// money throws. The fee is added to the order, so the paid amount exceeds the ordered one.
import { randomUUID } from 'node:crypto'
import { majorText } from '@cowrie/server/src/payments/rails/amounts.ts'
import {
  chargeSignature,
  noticeSignature,
  refundSignature,
  statusSignature,
} from '@cowrie/server/src/payments/rails/fawry/signature.ts'
import type { FakeProvider } from './fake-provider.ts'
import { createFakeRefunds, type FakeRefunds } from './fake-refunds.ts'
import {
  type FakeReply,
  type FakeRequest,
  type LoopbackServer,
  startLoopbackServer,
} from './loopback-server.ts'

export type FakeFawry = FakeProvider & {
  readonly loopback: LoopbackServer
  /** Refunds by API. Fawry pays them at once. */
  readonly ownRefunds: FakeRefunds
  /** Sets the status of an order in Fawry's terms. */
  setOrderStatus(reference: string, orderStatus: string): void
}

type Charge = {
  merchantCode: string
  merchantRefNum: string
  customerProfileId: string
  customerMobile: string
  paymentMethod: string
  amount: number
  currencyCode: string
  paymentExpiry: number
  chargeItems: { price: number; quantity: number }[]
  signature: string
}
type RefundRequest = { referenceNumber: string; refundAmount: number; reason: string; signature: string }
type FawryOrder = {
  readonly charge: Charge
  readonly referenceNumber: string
  /** With two decimals. */
  amount: string
  orderStatus: string
  requestId: string
}

// Real codes have this format, including the characters at the end.
const MERCHANT = { code: '1tSa6uxz2n+T/w==', secureKey: 'fawry-secure-key' }
const FEE_MINOR = 2_50n

export async function startFakeFawry(): Promise<FakeFawry> {
  const orders: FawryOrder[] = []
  const ownRefunds = createFakeRefunds(700)

  const handle = (received: FakeRequest): FakeReply => {
    if (received.path === '/ECommerceWeb/Fawry/payments/charge' && received.method === 'POST')
      return createOrder(JSON.parse(received.raw) as Charge)
    if (received.path === '/ECommerceWeb/Fawry/payments/status/v2' && received.method === 'GET')
      return replyWithStatus(received.query)
    if (received.path === '/ECommerceWeb/Fawry/payments/refund' && received.method === 'POST')
      return refundOrder(JSON.parse(received.raw) as RefundRequest)
    return { status: 404, body: 'no such page' }
  }

  function refundOrder(request: RefundRequest): FakeReply {
    const order = orders.find(({ referenceNumber }) => referenceNumber === request.referenceNumber)
    const refundAmount = request.refundAmount.toFixed(2)
    if (request.signature !== refundSignature(MERCHANT, { ...request, refundAmount }))
      return refused('RefundResponse', 9946, 'INVALID_SIGNATURE')
    if (!order) return refused('RefundResponse', 9938, 'Payment not found')
    const reference = order.charge.merchantRefNum
    if (!ownRefunds.add({ reference, note: request.reason, amount: request.refundAmount }))
      return refused('RefundResponse', 9935, 'Refund is not allowed for this payment')
    const total = ownRefunds.controls.of(reference).reduce((sum, { amount }) => sum + amount, 0)
    fake.setOrderStatus(reference, total < Number(order.amount) ? 'PARTIAL_REFUNDED' : 'REFUNDED')
    return {
      status: 200,
      body: { type: 'ResponseDataModel', statusCode: 200, statusDescription: 'Operation done successfully' },
    }
  }

  function createOrder(charge: Charge): FakeReply {
    const amount = charge.amount.toFixed(2)
    const sum = charge.chargeItems.reduce((total, { price, quantity }) => total + price * quantity, 0)
    if (charge.merchantCode !== MERCHANT.code) return refused('ChargeResponse', 9901, 'Invalid merchant code')
    if (charge.signature !== chargeSignature(MERCHANT, { ...charge, amount }))
      return refused('ChargeResponse', 9946, 'INVALID_SIGNATURE')
    if (sum !== charge.amount || charge.currencyCode !== 'EGP' || !/^01\d{9}$/.test(charge.customerMobile))
      return refused('ChargeResponse', 9944, 'Invalid request')
    if (loopback.fault === 'reject') return refused('ChargeResponse', 9944, 'Amount exceeds the limit')
    // Fawry does not document the code of this refusal, only its message.
    if (orders.some((each) => each.charge.merchantRefNum === charge.merchantRefNum))
      return refused('ChargeResponse', 9999, 'Duplicate merchant reference number')
    const referenceNumber = String(931_600_000 + orders.length)
    orders.push({ charge, referenceNumber, amount, orderStatus: 'UNPAID', requestId: requestId() })
    return {
      status: 200,
      body: {
        type: 'ChargeResponse',
        referenceNumber,
        merchantRefNumber: charge.merchantRefNum,
        expirationTime: charge.paymentExpiry,
        statusCode: 200,
        statusDescription: 'Operation done successfully',
      },
    }
  }

  function replyWithStatus(query: URLSearchParams): FakeReply {
    const reference = query.get('merchantRefNumber') ?? ''
    if (query.get('merchantCode') !== MERCHANT.code)
      return refused('PaymentStatusResponse', 9901, 'Invalid merchant code')
    if (loopback.fault === 'reject' || query.get('signature') !== statusSignature(MERCHANT, reference))
      return refused('PaymentStatusResponse', 9946, 'Wrong Signature')
    const order = orders.find(({ charge }) => charge.merchantRefNum === reference)
    if (!order) return refused('PaymentStatusResponse', 9938, 'Payment not found')
    return { status: 200, body: { ...noticeOf(order), requestId: requestId() } }
  }

  const loopback = await startLoopbackServer(handle)
  const findOrder = (reference: string): FawryOrder => {
    const order = orders.find(({ charge }) => charge.merchantRefNum === reference)
    if (!order) throw new Error(`Fawry has no order ${reference}`)
    return order
  }

  const fake: FakeFawry = {
    loopback,
    ownRefunds: ownRefunds.controls,
    variables: {
      FAWRY_MERCHANT_CODE: MERCHANT.code,
      FAWRY_SECURE_KEY: MERCHANT.secureKey,
      FAWRY_BASE_URL: loopback.url,
    },
    get orders() {
      return orders.map(({ charge, referenceNumber }) => ({
        reference: charge.merchantRefNum,
        providerRef: referenceNumber,
        amount: charge.amount.toFixed(2),
        currency: charge.currencyCode,
      }))
    },
    setOrderStatus(reference, orderStatus) {
      Object.assign(findOrder(reference), { orderStatus, requestId: requestId() })
    },
    pay(reference, { amountMinor, currency, test } = {}) {
      if ((currency ?? 'EGP') !== 'EGP' || test)
        throw new Error('Fawry has no currency field and no test flag')
      fake.setOrderStatus(reference, 'PAID')
      if (amountMinor !== undefined) findOrder(reference).amount = majorText(amountMinor, 'EGP', 2)
    },
    decline: (reference) => fake.setOrderStatus(reference, 'FAILED'),
    reverse: (reference) => fake.setOrderStatus(reference, 'REFUNDED'),
    message: (reference) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(noticeOf(findOrder(reference))),
    }),
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

/** Used for webhooks and for status replies. */
function noticeOf({ charge, referenceNumber, amount, orderStatus, requestId }: FawryOrder) {
  const isPaid = orderStatus === 'PAID'
  const paid = isPaid ? majorText(BigInt(amount.replace('.', '')) + FEE_MINOR, 'EGP', 2) : amount
  const notice = {
    requestId,
    fawryRefNumber: referenceNumber,
    merchantRefNumber: charge.merchantRefNum,
    paymentAmount: Number(paid),
    orderAmount: Number(amount),
    fawryFees: isPaid ? 2.5 : 0,
    orderStatus,
    paymentMethod: charge.paymentMethod,
    paymentRefrenceNumber: isPaid ? `7${referenceNumber}` : '',
    orderExpiryDate: charge.paymentExpiry,
  }
  return { ...notice, messageSignature: noticeSignature(MERCHANT.secureKey, notice) }
}

const requestId = (): string => randomUUID().replaceAll('-', '')

const refused = (type: string, statusCode: number, statusDescription: string): FakeReply => ({
  status: 200,
  body: { type, statusCode, statusDescription },
})
