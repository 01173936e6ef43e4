// A fake of PalmPay's gateway. It verifies our signature with our public key and signs notifications with its key. It has the
// limits of PalmPay: no test flag, because the sandbox is another host, and no status for a reversed payment.
import { createHash, createSign, createVerify, type KeyObject } from 'node:crypto'
import { rsaKeys } from '../../harness/rsa-keys.ts'
import type { FakeProvider } from './fake-provider.ts'
import { type FakeReply, type FakeRequest, startLoopbackServer } from './loopback-server.ts'

export type FakePalmpay = FakeProvider & {
  readonly url: string
  readonly requests: readonly FakeRequest[]
  /** Replies for the next calls, one each. */
  readonly scriptedReplies: FakeReply[]
  /** The payment expires unpaid. */
  expire(reference: string): void
  /** Overrides fields of the status reply. */
  override(reference: string, data: object): void
  /** A notification with these fields and a valid signature. */
  notification(fields: Fields): string
}

type Fields = Record<string, unknown>
type GatewayOrder = FakeProvider['orders'][number] & {
  orderStatus: 1 | 2 | 3 | 4
  paid: { amount: number; currency: string }
  overrides: object
}

const APP_ID = 'L231204000000000000001'
const SIGN_ERROR = 'OPEN_GW_000008'

const merchant = rsaKeys()
const platform = rsaKeys()

export async function startFakePalmpay(): Promise<FakePalmpay> {
  const orders = new Map<string, GatewayOrder>()
  const find = (reference: string): GatewayOrder => {
    const order = orders.get(reference)
    if (!order) throw new Error(`no order ${reference} reached PalmPay`)
    return order
  }

  const loopback = await startLoopbackServer(({ path, headers, raw }) => {
    const body = JSON.parse(raw) as Fields
    if (headers.authorization !== `Bearer ${APP_ID}` || headers.countrycode !== 'NG')
      return refusal('OPEN_GW_000005', 'app id invalid')
    if (!isSigned(body, String(headers.signature), merchant.publicKey))
      return refusal(SIGN_ERROR, 'sign error')
    if (loopback.fault === 'reject') return refusal('OPEN_GW_000012', 'request ip not in ip white list')
    const hasMetadata = Number.isInteger(body.requestTime) && /^V\d/.test(String(body.version))
    if (!hasMetadata || !/^\w{1,32}$/.test(String(body.nonceStr))) return invalid()
    if (path === '/api/v2/payment/merchant/createorder') return create(orders, body)
    if (path === '/api/v2/payment/merchant/order/queryStatus') return query(orders.get(String(body.orderId)))
    return refusal('OPEN_GW_000022', 'invalid url router')
  })

  const notification = (fields: Fields): string => {
    const signature = createSign('RSA-SHA1').update(digestOf(fields)).sign(platform.privateKey, 'base64')
    return JSON.stringify({ ...fields, sign: encodeURIComponent(signature) })
  }
  return {
    url: loopback.url,
    requests: loopback.requests,
    scriptedReplies: loopback.scriptedReplies,
    variables: {
      PALMPAY_APP_ID: APP_ID,
      PALMPAY_PRIVATE_KEY: merchant.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      PALMPAY_PUBLIC_KEY: platform.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      PALMPAY_BASE_URL: loopback.url,
    },
    get orders() {
      return [...orders.values()]
    },
    pay(reference, as = {}) {
      if (as.test) throw new Error('PalmPay has no test flag')
      const order = find(reference)
      order.orderStatus = 2
      order.paid = {
        amount: Number(as.amountMinor ?? BigInt(order.amount)),
        currency: as.currency ?? order.currency,
      }
    },
    decline(reference) {
      find(reference).orderStatus = 3
    },
    expire(reference) {
      find(reference).orderStatus = 4
    },
    reverse() {
      throw new Error('PalmPay has no status for a reversed payment')
    },
    override(reference, data) {
      find(reference).overrides = data
    },
    notification,
    message(reference) {
      const { providerRef, orderStatus, paid } = find(reference)
      const about = { orderId: reference, orderNo: providerRef, appId: APP_ID, orderStatus }
      const rest = { completeTime: 1_763_197_200_000, payMethod: 'pay_wallet', remark: '' }
      return {
        headers: { 'content-type': 'application/json' },
        body: notification({ ...about, currency: paid.currency, amount: paid.amount, ...rest }),
      }
    },
    fault(kind) {
      loopback.fault = kind
    },
    heal() {
      loopback.fault = null
    },
    close: loopback.close,
  }
}

function create(orders: Map<string, GatewayOrder>, body: Fields): FakeReply {
  const { orderId, amount, currency, orderExpireTime } = body
  const isValid =
    typeof orderId === 'string' &&
    /^[a-zA-Z0-9]{1,32}$/.test(orderId) &&
    typeof amount === 'number' &&
    Number.isInteger(amount) &&
    amount >= 100 &&
    currency === 'NGN' &&
    Number(orderExpireTime) >= 1_800 &&
    Number(orderExpireTime) <= 86_400 &&
    typeof body.customerInfo === 'string' &&
    listsGoods(body.goodsDetails) &&
    [body.notifyUrl, body.callBackUrl].every((each) => URL.canParse(String(each)))
  if (!isValid) return invalid()
  if (orders.has(orderId)) return refusal('PAY_ORDER_000012', 'order already exists')
  const orderNo = `242422090303243536${String(orders.size).padStart(4, '0')}`
  const paid = { amount, currency }
  orders.set(orderId, {
    reference: orderId,
    providerRef: orderNo,
    amount: String(amount),
    currency,
    orderStatus: 1,
    paid,
    overrides: {},
  })
  const checkoutUrl = `https://checkout.palmpay.example/h5?orderNo=${orderNo}`
  return accepted({ orderNo, orderStatus: 1, message: 'success', checkoutUrl, orderAmount: amount, currency })
}

/** Required of merchants: a JSON list in a string, with an id for each product. */
function listsGoods(goodsDetails: unknown): boolean {
  if (typeof goodsDetails !== 'string') return false
  const goods = JSON.parse(goodsDetails) as unknown
  return (
    Array.isArray(goods) &&
    goods.length > 0 &&
    goods.every((each: { goodsId?: unknown }) => typeof each.goodsId === 'string' && each.goodsId !== '-1')
  )
}

function query(order: GatewayOrder | undefined): FakeReply {
  if (!order) return refusal('PAY_ORDER_000004', 'order not exist')
  const { reference, providerRef, orderStatus, paid, overrides } = order
  const about = { orderId: reference, orderNo: providerRef, merchantId: 'CH1913953825', orderStatus }
  return accepted({
    ...about,
    ...paid,
    payMethod: 'pay_wallet',
    errorMsg: null,
    createdTime: 1,
    ...overrides,
  })
}

const accepted = (data: object): FakeReply => ({
  status: 200,
  body: { respCode: '00000000', respMsg: 'success', data },
})
const refusal = (respCode: string, respMsg: string): FakeReply => ({
  status: 200,
  body: { respCode, respMsg },
})
const invalid = (): FakeReply => refusal('OPEN_GW_000003', 'request param invalid')

function isSigned(fields: Fields, signature: string, key: KeyObject): boolean {
  return createVerify('RSA-SHA1').update(digestOf(fields)).verify(key, signature, 'base64')
}

function digestOf(fields: Fields): string {
  const names = Object.keys(fields).filter((name) => fields[name] !== null && fields[name] !== '')
  const text = names.sort().map((name) => `${name}=${String(fields[name]).trim()}`)
  return createHash('md5').update(text.join('&')).digest('hex').toUpperCase()
}
