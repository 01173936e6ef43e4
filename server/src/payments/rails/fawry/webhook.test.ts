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

test('signatures cover the values in their order, amounts with two decimals', () => {
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

describe('hearing', () => {
  const rail = () => opened({})
  const hear = (body: unknown, by = rail()) =>
    by.parseWebhook({ raw: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), headers: {} })
  const genuine = { about: { reference: 'tp_1' }, eventKey: notice.requestId, kind: 'PAID' }

  test.for<[string, object]>([
    ['as it is', {}],
    ['with its amounts as texts', { paymentAmount: '25.00', orderAmount: '25.0' }],
    ['with its number as a number', { fawryRefNumber: 9990001 }],
    ['with a signature in capitals', { messageSignature: NOTICE_SIGNATURE.toUpperCase() }],
    ['with an empty number of the payment', { paymentRefrenceNumber: null }],
    ['with more than was signed', { customerMail: 'ada@example.com' }],
  ])('a genuine message %s tells which payment to ask about', ([, changes]) => {
    expect(hear({ ...notice, ...changes })).toEqual(genuine)
    expect(hear(Object.fromEntries(Object.entries({ ...notice, ...changes }).reverse()))).toEqual(genuine)
  })

  test('and so does what the stand-in sends, with the number of the payment', async () => {
    const fake = await startFakeFawry()
    onTestFinished(() => fake.close())
    const rail = opened(fake.variables)
    const order = testOrder({ channel: 'fawry', currency: 'EGP', phone: '+201012345678' })
    await rail.start(testHttp(), order)
    const before = hear(fake.message(order.reference).body, rail)
    fake.pay(order.reference)
    const after = hear(fake.message(order.reference).body, rail)
    expect(before).toMatchObject({ about: { reference: order.reference }, kind: 'UNPAID' })
    expect(after).toMatchObject({ about: { reference: order.reference }, kind: 'PAID' })
    expect(after).not.toEqual(before)
    expect(hear(fake.message(order.reference).body, rail)).toEqual(after)
  })

  test('without a number of its own a message is known by order and state', () => {
    expect(hear({ ...notice, requestId: undefined })).toEqual({ ...genuine, eventKey: '9990001:PAID' })
  })

  test.for<[string, object]>([
    ['one letter of the reference', { merchantRefNumber: 'tp_2' }],
    ['the amount that was paid', { paymentAmount: 25.01 }],
    ['the amount that was ordered', { orderAmount: 2500 }],
    ['an amount that nobody could sign', { orderAmount: '25.005' }],
    ['the state', { orderStatus: 'REFUNDED' }],
    ['a number of the payment that was not signed', { paymentRefrenceNumber: '7' }],
    ['one letter of the signature', { messageSignature: `c${NOTICE_SIGNATURE.slice(1)}` }],
    ['a signature that is too short', { messageSignature: NOTICE_SIGNATURE.slice(0, -1) }],
    ['a signature that is too long', { messageSignature: `${NOTICE_SIGNATURE}0` }],
    ['an empty signature', { messageSignature: '' }],
    ['a list of signatures', { messageSignature: [NOTICE_SIGNATURE] }],
    ['no signature', { messageSignature: undefined }],
    ['an object for an amount', { orderAmount: {} }],
  ])('a message with %s is forged', ([, changes]) => {
    expect(hear({ ...notice, ...changes })).toBe('forged')
  })

  test.for(['', 'null', '[]', '{', '"PAID"', 'orderStatus=PAID', '\0\xff'])('%j is forged', (body) => {
    expect(hear(body)).toBe('forged')
  })

  test('a message with the key before the last counts while that is named, and with a third never', () => {
    const rotated = { FAWRY_SECURE_KEY: 'new', FAWRY_SECURE_KEY_PREVIOUS: 'SECKEY' }
    expect(hear(notice, opened(rotated))).toEqual(genuine)
    expect(hear(notice, opened({ FAWRY_SECURE_KEY: 'new', FAWRY_SECURE_KEY_PREVIOUS: '' }))).toBe('forged')
    expect(hear(notice, opened({ ...rotated, FAWRY_SECURE_KEY_PREVIOUS: 'third' }))).toBe('forged')
  })

  test('a genuine message about no payment is about nothing of ours', () => {
    const other = { ...notice, merchantRefNumber: '', paymentRefrenceNumber: '' }
    expect(hear({ ...other, messageSignature: noticeSignature('SECKEY', other) })).toBe('nothing')
  })
})
