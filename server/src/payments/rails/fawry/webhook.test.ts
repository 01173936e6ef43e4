import { startFakeFawry } from '@cowrie/testkit/fakes/payments/fawry.ts'
import { testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { OpenRail } from '../rail.ts'
import { fawry } from './fawry.ts'
import { chargeSignature, noticeSignature, statusSignature } from './signature.ts'

function opened(changes: Record<string, string>): OpenRail {
  const rail = fawry.open({ FAWRY_MERCHANT_CODE: 'MCODE', FAWRY_SECURE_KEY: 'SECKEY', ...changes })
  if (!rail) throw new Error('the rail has its keys')
  return rail
}

const NOTICE_SIGNATURE = 'be06b823c8f063fe4cd9ddc2a0b2cdf11a9a91c1185207cd2678225edd7f121c'
const notice = {
  requestId: 'c72827d084ea4b88949d91dd2db4996e',
  fawryRefNumber: '9990001',
  merchantRefNumber: 'tp_1',
  paymentAmount: 25,
  orderAmount: 25,
  orderStatus: 'PAID',
  paymentMethod: 'PAYATFAWRY',
  messageSignature: NOTICE_SIGNATURE,
}

test('signatures cover the values in order, with two decimals in amounts', () => {
  const merchant = { code: 'MCODE', secureKey: 'SECKEY' }
  const charge = {
    merchantRefNum: 'tp_1',
    customerProfileId: 'user1',
    paymentMethod: 'PAYATFAWRY',
    amount: '25.00',
  }
  expect(chargeSignature(merchant, charge)).toBe(
    'f6d8ad6af9b86376ab38fc76bb941bfcdc9b644b328a0ad162dd7d33f7fec73b',
  )
  expect(statusSignature(merchant, 'tp_1')).toBe(
    '7961fca1e9f6350f02e57ffc6c637990cada48651528441b181c8dcb6d54ea20',
  )
  expect(noticeSignature('SECKEY', { ...notice, paymentRefrenceNumber: '' })).toBe(NOTICE_SIGNATURE)
})

describe('parsing a webhook', () => {
  const rail = () => opened({})
  const parse = (body: unknown, by = rail()) =>
    by.parseWebhook({ raw: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), headers: {} })
  const genuine = { about: { reference: 'tp_1' }, eventKey: notice.requestId, kind: 'PAID' }

  test.for<[string, object]>([
    ['unchanged', {}],
    ['with string amounts', { paymentAmount: '25.00', orderAmount: '25.0' }],
    ['with a numeric id', { fawryRefNumber: 9990001 }],
    ['with an uppercase signature', { messageSignature: NOTICE_SIGNATURE.toUpperCase() }],
    ['with an empty payment id', { paymentRefrenceNumber: null }],
    ['with additional fields', { customerMail: 'ada@example.com' }],
  ])('a valid webhook %s names the payment', ([, changes]) => {
    expect(parse({ ...notice, ...changes })).toEqual(genuine)
    expect(parse(Object.fromEntries(Object.entries({ ...notice, ...changes }).reverse()))).toEqual(genuine)
  })

  test('the webhook of the fake names the payment and its id', async () => {
    const fake = await startFakeFawry()
    onTestFinished(() => fake.close())
    const rail = opened(fake.variables)
    const order = testOrder({ channel: 'fawry', currency: 'EGP', phone: '+201012345678' })
    await rail.start(testHttp(), order)
    const before = parse(fake.message(order.reference).body, rail)
    fake.pay(order.reference)
    const after = parse(fake.message(order.reference).body, rail)
    expect(before).toMatchObject({ about: { reference: order.reference }, kind: 'UNPAID' })
    expect(after).toMatchObject({ about: { reference: order.reference }, kind: 'PAID' })
    expect(after).not.toEqual(before)
    expect(parse(fake.message(order.reference).body, rail)).toEqual(after)
  })

  test('without an id, order and status identify the event', () => {
    expect(parse({ ...notice, requestId: undefined })).toEqual({ ...genuine, eventKey: '9990001:PAID' })
  })

  test.for<[string, object]>([
    ['a changed reference', { merchantRefNumber: 'tp_2' }],
    ['a changed paid amount', { paymentAmount: 25.01 }],
    ['a changed ordered amount', { orderAmount: 2500 }],
    ['an invalid amount', { orderAmount: '25.005' }],
    ['a changed status', { orderStatus: 'REFUNDED' }],
    ['an unsigned payment id', { paymentRefrenceNumber: '7' }],
    ['a changed signature', { messageSignature: `c${NOTICE_SIGNATURE.slice(1)}` }],
    ['a short signature', { messageSignature: NOTICE_SIGNATURE.slice(0, -1) }],
    ['a long signature', { messageSignature: `${NOTICE_SIGNATURE}0` }],
    ['an empty signature', { messageSignature: '' }],
    ['a list of signatures', { messageSignature: [NOTICE_SIGNATURE] }],
    ['no signature', { messageSignature: undefined }],
    ['an object as amount', { orderAmount: {} }],
  ])('a webhook with %s is forged', ([, changes]) => {
    expect(parse({ ...notice, ...changes })).toBe('forged')
  })

  test.for(['', 'null', '[]', '{', '"PAID"', 'orderStatus=PAID', '\0\xff'])('%j is forged', (body) => {
    expect(parse(body)).toBe('forged')
  })

  test('a webhook with the previous key is valid while it is configured, and never with another key', () => {
    const rotated = { FAWRY_SECURE_KEY: 'new', FAWRY_SECURE_KEY_PREVIOUS: 'SECKEY' }
    expect(parse(notice, opened(rotated))).toEqual(genuine)
    expect(parse(notice, opened({ FAWRY_SECURE_KEY: 'new', FAWRY_SECURE_KEY_PREVIOUS: '' }))).toBe('forged')
    expect(parse(notice, opened({ ...rotated, FAWRY_SECURE_KEY_PREVIOUS: 'third' }))).toBe('forged')
  })

  test('a valid webhook without a payment is irrelevant', () => {
    const other = { ...notice, merchantRefNumber: '', paymentRefrenceNumber: '' }
    expect(parse({ ...other, messageSignature: noticeSignature('SECKEY', other) })).toBe('nothing')
  })
})
