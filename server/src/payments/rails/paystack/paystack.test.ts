import { type FakePaystack, OTP, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { shortTimeoutHttp, testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../../kernel/assert.ts'
import { ManualClock } from '../../../kernel/clock.ts'
import { RailConfigurationError } from '../keys.ts'
import type { Order } from '../rail.ts'
import { paystack } from './paystack.ts'

let provider: FakePaystack
const http = testHttp()
const rail = (changes: Record<string, string> = {}) =>
  present(paystack.open({ ...provider.variables, ...changes }), 'the rail is configured')

beforeAll(async () => {
  provider = await startFakePaystack()
})
afterEach(() => {
  provider.heal()
  provider.scriptedReplies.length = 0
})
afterAll(() => provider.close())

const GHANAIAN: Partial<Order> = { channel: 'telecel_cash', currency: 'GHS', phone: '+233201234567' }

async function started(changes: Partial<Order> = {}): Promise<Order> {
  const order = testOrder(changes)
  expect(await rail().start(http, order)).toMatchObject({ outcome: 'accepted' })
  return order
}
const statusOf = (order: Order, clock = new ManualClock()) => rail().check(testHttp(clock), queryOf(order))
const sentLast = () => JSON.parse(provider.requests.at(-1)?.raw ?? '') as Record<string, unknown>

/** Refusals of our account, which another account may not have. */
const ACCOUNT_PROBLEMS: ReadonlySet<number> = new Set([401, 403, 429])

describe('open', () => {
  test('needs only the secret key, whose prefix selects live or test mode', () => {
    expect(paystack.open({})).toBeNull()
    expect(paystack.open({ PAYSTACK_SECRET_KEY: '' })).toBeNull()
    expect(paystack.open({ PAYSTACK_SECRET_KEY: 'sk_live_x' })?.keys).toBe('live')
    expect(paystack.open({ PAYSTACK_SECRET_KEY: 'sk_test_x' })?.keys).toBe('test')
  })

  test.for([
    [{ PAYSTACK_SECRET_KEY_PREVIOUS: 'sk_live_x' }, 'PAYSTACK_SECRET_KEY is not set.'],
    [{ PAYSTACK_SECRET_KEY: 'pk_live_x' }, 'public key'],
    [{ PAYSTACK_SECRET_KEY: 'sk_live_x', PAYSTACK_USSD_TYPE: '*737#' }, 'PAYSTACK_USSD_TYPE'],
    [{ PAYSTACK_SECRET_KEY: 'sk_live_x', PAYSTACK_BASE_URL: 'paystack' }, 'PAYSTACK_BASE_URL'],
  ] as const)('rejects %j', ([variables, problem]) => {
    expect(() => paystack.open(variables)).toThrow(RailConfigurationError)
    expect(() => paystack.open(variables)).toThrow(problem)
  })
})

describe('start', () => {
  test('a card payment returns the hosted page for our reference, limited to cards', async () => {
    const order = testOrder()
    expect(await rail().start(http, order)).toEqual({
      outcome: 'accepted',
      handOff: { authorizationUrl: `https://checkout.paystack.com/${order.reference}` },
      providerRef: null,
    })
    expect(sentLast()).toEqual({
      email: 'ada@example.com',
      amount: 150_050,
      currency: 'NGN',
      reference: order.reference,
      callback_url: order.returnUrl,
      channels: ['card'],
    })
  })

  test('amounts are sent in hundredths for every currency', async () => {
    const order = await started({ currency: 'XOF', amountMinor: 1_500n })
    expect(sentLast()).toMatchObject({ amount: 150_000, currency: 'XOF' })
    provider.pay(order.reference)
    expect(await statusOf(order)).toMatchObject({ status: 'paid', amountMinor: 1_500n, currency: 'XOF' })
  })

  test('a USSD payment returns the code of the configured bank', async () => {
    const order = testOrder({ channel: 'ussd' })
    const code = '*919*33*4*18791#'
    expect(await rail({ PAYSTACK_USSD_TYPE: '919' }).start(http, order)).toMatchObject({
      outcome: 'accepted',
      handOff: { ussdCode: code, displayText: expect.stringContaining(code) },
    })
    await started({ channel: 'ussd' })
    expect(sentLast()).toMatchObject({ ussd: { type: '737' } })
  })

  test.for([
    ['telecel_cash', 'vod', '*110#', { otpRequired: true }],
    ['airteltigo', 'atl', 'on your mobile phone', {}],
  ] as const)(
    '%s is sent with its provider code and the national number',
    async ([channel, code, text, otp]) => {
      const order = testOrder({ ...GHANAIAN, channel })
      expect(await rail().start(http, order)).toEqual({
        outcome: 'accepted',
        handOff: { displayText: expect.stringContaining(text), ...otp },
        providerRef: null,
      })
      expect(sentLast()).toMatchObject({ mobile_money: { phone: '0201234567', provider: code } })
    },
  )

  test.for([null, '+2348012345678', '+23320123456'])(
    'mobile money without a Ghanaian number is rejected without a call: %s',
    async (phone) => {
      const before = provider.requests.length
      expect(await rail().start(http, testOrder({ ...GHANAIAN, phone }))).toMatchObject({
        outcome: 'rejected',
      })
      expect(provider.requests).toHaveLength(before)
    },
  )

  test('the code of Telecel is submitted, and a wrong one is rejected', async () => {
    const { reference } = await started(GHANAIAN)
    expect(await rail().submitOtp(http, reference, '000000')).toMatchObject({ outcome: 'rejected' })
    expect(await rail().submitOtp(http, reference, OTP)).toMatchObject({ outcome: 'accepted' })
  })

  test('a known reference is not started twice', async () => {
    const order = await started()
    expect(await rail().start(http, order)).toEqual({ outcome: 'known' })
    expect(provider.orders.filter(({ reference }) => reference === order.reference)).toHaveLength(1)
  })

  test('a refusal with status 200 is a rejection with a reason for the customer', async () => {
    provider.fault('reject')
    expect(await rail().start(http, testOrder())).toEqual({
      outcome: 'rejected',
      reason: 'The payment provider did not accept this amount.',
      detail: '200, Invalid Amount Sent',
    })
  })

  test.for([
    [401, { status: false, message: 'Invalid key' }, 'This way to pay is not available right now.'],
    [429, { status: false, message: 'Too many' }, 'The payment provider is busy. Try again in a minute.'],
    [400, { status: false, message: 'Invalid Email Address Passed' }, 'did not accept this email address'],
    [
      400,
      { status: false, message: 'x', data: { status: 'failed', message: 'LOW BALANCE' } },
      'enough money',
    ],
    [200, { status: true, data: { status: 'failed', gateway_response: 'Cancelled' } }, 'was cancelled'],
    [200, { status: true, data: { status: 'send_birthday' } }, 'a step that we do not offer'],
  ] as const)('the reply %i %j is a rejection', async ([status, body, reason]) => {
    provider.scriptedReplies.push({ status, body })
    const order = testOrder({ channel: 'ussd' })
    expect(await rail().start(http, order)).toEqual({
      outcome: 'rejected',
      reason: expect.stringContaining(reason),
      detail: expect.stringMatching(/^(\d{3}, \w|failed, |send_birthday)/),
      ...(ACCOUNT_PROBLEMS.has(status) && { isAccountProblem: true }),
    })
  })

  test.for([
    [500, { status: false, message: 'Duplicate Transaction Reference' }],
    [408, { status: false, message: 'Timeout' }],
    [302, { status: true, data: { status: 'pending' } }],
    [200, 'It works!'],
    [404, 'Not here'],
    [200, { status: 'yes', data: {} }],
    [200, { status: true, data: { status: 'levitating' } }],
    [200, { status: true, data: { status: 'open_url', url: 'javascript:alert(1)' } }],
    [200, { status: true, data: null }],
  ] as const)('the reply %i %j has an unknown outcome', async ([status, body]) => {
    provider.scriptedReplies.push({ status, body })
    expect(await rail().start(http, testOrder({ channel: 'ussd' }))).toMatchObject({ outcome: 'unknown' })
  })

  test.for([
    [
      { status: 'open_url', url: 'https://bank.example/3ds' },
      { authorizationUrl: 'https://bank.example/3ds' },
    ],
    [{ status: 'pending' }, { displayText: 'Approve the payment on your phone.' }],
    [{ status: 'success' }, { displayText: 'The payment was made. We are confirming it.' }],
    [
      { status: 'pay_offline', ussd_code: '*1#' },
      { ussdCode: '*1#', displayText: 'Dial *1# to pay.' },
    ],
  ] as const)('a charge with the next step %j returns instructions', async ([data, handOff]) => {
    provider.scriptedReplies.push({ status: 200, body: { status: true, data } })
    const order = testOrder({ channel: 'ussd' })
    expect(await rail().start(http, order)).toEqual({ outcome: 'accepted', handOff, providerRef: null })
  })

  test('a page with an invalid URL is not returned', async () => {
    const data = { authorization_url: 'javascript:alert(1)' }
    provider.scriptedReplies.push({ status: 200, body: { status: true, data } })
    expect(await rail().start(http, testOrder())).toMatchObject({ outcome: 'unknown' })
  })

  test('outages, unreadable and missing replies are unknown', async () => {
    for (const kind of ['down', 'garbage', 'silent'] as const) {
      provider.fault(kind)
      const order = testOrder()
      expect(await rail().start(http, order), kind).toMatchObject({ outcome: 'unknown' })
      provider.heal()
      expect(await rail().start(http, order), kind).toMatchObject({
        outcome: kind === 'down' ? 'accepted' : 'known',
      })
    }
  })

  test('a missing reply times out, and an unreachable host was not reached', async () => {
    provider.scriptedReplies.push('never')
    expect(await rail().start(shortTimeoutHttp(), testOrder())).toMatchObject({ outcome: 'unknown' })
    const nowhere = rail({ PAYSTACK_BASE_URL: 'http://127.0.0.1:1' })
    expect(await nowhere.start(http, testOrder())).toMatchObject({ outcome: 'unknown' })
    expect(await nowhere.check(http, queryOf(testOrder()))).toMatchObject({ status: 'unknown' })
  })

  test('a wrong key can neither start nor query a payment', async () => {
    const stranger = rail({ PAYSTACK_SECRET_KEY: 'sk_live_other' })
    const order = testOrder()
    expect(await stranger.start(http, order)).toMatchObject({ outcome: 'rejected' })
    expect(await stranger.check(http, queryOf(order))).toMatchObject({ status: 'unknown' })
  })
})

describe('check', () => {
  test('a paid payment has amount, currency and reference', async () => {
    const order = await started()
    provider.pay(order.reference)
    expect(await statusOf(order)).toEqual({
      status: 'paid',
      transactionId: expect.stringMatching(/^\d+$/),
      amountMinor: 1_500_50n,
      currency: 'NGN',
      reference: order.reference,
      live: true,
      feeMinor: 22_51n,
      card: expect.objectContaining({ brand: 'Visa', last4: '4081' }),
    })
  })

  test.for([
    ['fees on top are not ours', { amount: 40_333, requested_amount: 30_050 }, 300_50n],
    ['a part payment is what was paid', { amount: 20_000, requested_amount: 30_050 }, 200_00n],
    ['the charged amount stands alone', { amount: 30_050, requested_amount: null }, 300_50n],
    ['a text is as good as a number', { amount: '30050', requested_amount: '30050' }, 300_50n],
  ] as const)('%s', async ([, fields, amountMinor]) => {
    const order = await started()
    provider.pay(order.reference)
    provider.override(order.reference, fields)
    expect(await statusOf(order)).toMatchObject({ status: 'paid', amountMinor })
  })

  test('a different amount, currency or reference is reported unchanged', async () => {
    const order = await started()
    provider.pay(order.reference, { amountMinor: 1n, currency: 'XOF' })
    provider.override(order.reference, { reference: 'somebody-elses' })
    expect(await statusOf(order)).toMatchObject({
      amountMinor: 1n,
      currency: 'XOF',
      reference: 'somebody-elses',
    })
    provider.override(order.reference, { currency: 'gbp' })
    expect(await statusOf(order)).toMatchObject({ amountMinor: 100n, currency: 'GBP' })
  })

  test('a transaction id keeps all its digits', async () => {
    const order = await started()
    const data = `"status":"success","reference":"${order.reference}","amount":150050,"currency":"NGN"`
    const body = `{"status":true,"data":{"id":18446744073709551615,${data}}}`
    provider.scriptedReplies.push({ status: 200, body })
    expect(await statusOf(order)).toMatchObject({ status: 'paid', transactionId: '18446744073709551615' })
  })

  test('test money is not live, by its domain or by the key', async () => {
    const order = await started()
    provider.pay(order.reference, { test: true })
    expect(await statusOf(order)).toMatchObject({ status: 'paid', live: false })
    const data = { status: 'success', reference: 'x', amount: 1, currency: 'NGN', domain: 'live' }
    provider.scriptedReplies.push({ status: 200, body: { status: true, data } })
    const sandbox = rail({ PAYSTACK_SECRET_KEY: 'sk_test_x' })
    expect(await sandbox.check(http, queryOf(order))).toMatchObject({ status: 'paid', live: false })
  })

  test.for([
    'abandoned',
    'ongoing',
    'pending',
    'processing',
    'queued',
    'pay_offline',
    'send_otp',
    'open_url',
  ])('%s is pending', async (status) => {
    const order = await started()
    provider.override(order.reference, { status })
    expect(await statusOf(order)).toMatchObject({ status: 'pending' })
  })

  test('a decline has a reason for the customer', async () => {
    const order = await started()
    provider.decline(order.reference)
    const reason = 'There was not enough money in the account.'
    expect(await statusOf(order)).toEqual({ status: 'failed', reason, detail: 'Insufficient Funds' })
    provider.override(order.reference, { gateway_response: 'ISO-8583/05 DO NOT HONOUR' })
    expect(await statusOf(order)).toMatchObject({ status: 'failed', reason: 'The payment was declined.' })
  })

  test('returned money is a reversal', async () => {
    const order = await started()
    provider.pay(order.reference)
    provider.reverse(order.reference)
    expect(await statusOf(order)).toMatchObject({
      status: 'reversed',
      transactionId: expect.stringMatching(/^\d+$/),
    })
  })

  test('an unknown payment is pending for ten minutes and failed afterwards', async () => {
    const clock = new ManualClock()
    const order = testOrder({ createdAt: clock.now() })
    clock.advance({ minutes: 9, seconds: 59 })
    expect(await statusOf(order, clock)).toMatchObject({ status: 'pending' })
    clock.advance({ seconds: 1 })
    expect(await statusOf(order, clock)).toMatchObject({ status: 'failed' })
  })

  test.for([
    [503, { status: false, message: 'Transaction reference not found' }],
    [404, '<html>no such page</html>'],
    [429, { status: false, message: 'Too many' }],
    [200, { status: false, message: 'Something' }],
    [200, { status: true, data: { status: 'teleported' } }],
    [200, { status: true, data: {} }],
    [200, { status: true, data: { status: 'success', reference: 'x', currency: 'NGN' } }],
    [200, { status: true, data: { status: 'success', reference: 'x', amount: 1 } }],
    [200, { status: true, data: { status: 'success', amount: 1, currency: 'NGN' } }],
    [200, { status: true, data: { status: 'success', reference: 'x', amount: 10.5, currency: 'NGN' } }],
    [200, { status: true, data: { status: 'success', reference: 'x', amount: -100, currency: 'NGN' } }],
    [200, { status: true, data: { status: 'success', reference: 'x', amount: 150, currency: 'XOF' } }],
  ] as const)('the reply %i %j is unknown', async ([status, body]) => {
    provider.scriptedReplies.push({ status, body })
    expect(await statusOf(testOrder({ createdAt: new Date(0) }))).toMatchObject({ status: 'unknown' })
  })

  test('outages, unreadable and missing replies are unknown', async () => {
    const order = await started()
    provider.decline(order.reference)
    for (const kind of ['down', 'garbage', 'silent'] as const) {
      provider.fault(kind)
      expect(await statusOf(order), kind).toMatchObject({ status: 'unknown' })
    }
  })
})

test('webhooks about a payment and its refund name the payment and are separate events', async () => {
  const { reference } = await started()
  const webhookEvent = () => {
    const { headers, body } = provider.message(reference)
    return rail().parseWebhook({ raw: Buffer.from(body), headers })
  }
  provider.pay(reference)
  expect(webhookEvent()).toMatchObject({ about: { reference }, kind: 'charge.success' })
  expect(webhookEvent()).toEqual(webhookEvent())
  provider.reverse(reference)
  expect(webhookEvent()).toMatchObject({ about: { reference }, kind: 'refund.processed' })
})
