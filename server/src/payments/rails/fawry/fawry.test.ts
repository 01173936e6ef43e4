import { type FakeFawry, startFakeFawry } from '@cowrie/testkit/fakes/payments/fawry.ts'
import { shortTimeoutHttp, testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../kernel/clock.ts'
import type { HttpClient } from '../http-client.ts'
import type { OpenRail, Order } from '../rail.ts'
import { fawry } from './fawry.ts'

let fake: FakeFawry
beforeAll(async () => {
  fake = await startFakeFawry()
})
afterEach(() => {
  fake.heal()
  fake.loopback.scriptedReplies.length = 0
})
afterAll(() => fake.close())

const clock = new ManualClock()
const http = testHttp(clock)
const orderOf = (changes: Partial<Order> = {}) =>
  testOrder({ channel: 'fawry', currency: 'EGP', phone: '+201012345678', ...changes })

function opened(changes: Record<string, string> = {}): OpenRail {
  const rail = fawry.open({ ...fake.variables, ...changes })
  if (!rail) throw new Error('the rail has its keys')
  return rail
}

async function started(changes: Partial<Order> = {}) {
  const order = orderOf(changes)
  const started = await opened().start(http, order)
  if (started.outcome !== 'accepted') throw new Error(`not accepted: ${started.outcome}`)
  return { order, query: queryOf(order, started.providerRef), started }
}

/** Scripts a reply that the fake does not produce. */
const scriptReply = (status: number, body: object | string) =>
  fake.loopback.scriptedReplies.push({ status, body })
const lastCharge = () => JSON.parse(fake.loopback.requests.at(-1)?.raw ?? '{}') as Record<string, unknown>

describe('open', () => {
  test('needs all keys and names the missing ones', () => {
    expect(fawry.open({ FAWRY_BASE_URL: 'https://www.atfawry.com' })).toBeNull()
    expect(() => fawry.open({ FAWRY_MERCHANT_CODE: 'A', FAWRY_SECURE_KEY: '' })).toThrow('FAWRY_SECURE_KEY')
    expect(() => opened({ FAWRY_BASE_URL: 'atfawry' })).toThrow('FAWRY_BASE_URL')
    expect(fawry.needs).toEqual(['FAWRY_MERCHANT_CODE', 'FAWRY_SECURE_KEY'])
  })

  test('uses test mode for the staging host only', () => {
    expect(opened({ FAWRY_BASE_URL: '' }).keys).toBe('live')
    expect(opened({ FAWRY_BASE_URL: 'https://atfawry.fawrystaging.com/' }).keys).toBe('test')
  })
})

describe('start', () => {
  test('returns a reference number, instructions and an expiry time', async () => {
    const { order, started: answer } = await started({ amountMinor: 1_500_50n })
    expect(lastCharge()).toMatchObject({
      merchantRefNum: order.reference,
      customerProfileId: order.customer.id,
      customerMobile: '01012345678',
      customerEmail: order.email,
      paymentMethod: 'PAYATFAWRY',
      amount: 1500.5,
      currencyCode: 'EGP',
      paymentExpiry: order.expiresAt.getTime(),
      chargeItems: [{ price: 1500.5, quantity: 1 }],
      orderWebHookUrl: order.notifyUrl,
    })
    const number = fake.orders.at(-1)?.providerRef
    expect(answer.providerRef).toBe(number)
    expect(answer.handOff).toEqual({
      displayText:
        'Pay E£1,500.50 at any Fawry outlet or in the myFawry app ' +
        `with reference number ${number} by 11:30 on 15 November 2026 (Cairo time).`,
    })
  })

  test.for([
    [1_00n, '1.00'],
    [25_00n, '25.00'],
    [25_10n, '25.10'],
    [7n, '0.07'],
    [30_000_00n, '30000.00'],
  ] as const)('signs %s piastres as %s', async ([amountMinor, text]) => {
    await started({ amountMinor })
    expect(fake.orders.at(-1)?.amount).toBe(text)
  })

  test.for<[unknown, string]>([
    [Date.UTC(2026, 10, 17, 9), '11:00 on 17 November 2026'],
    [String(Date.UTC(2026, 10, 17, 9)), '11:00 on 17 November 2026'],
    [151_654_747_115, '11:30 on 15 November 2026'],
    [Date.UTC(2036, 10, 17), '11:30 on 15 November 2026'],
    ['soon', '11:30 on 15 November 2026'],
    [undefined, '11:30 on 15 November 2026'],
  ])('reads the expiry %s as %s', async ([expirationTime, text]) => {
    scriptReply(200, { statusCode: 200, referenceNumber: 931600239, expirationTime })
    const answer = await opened().start(http, orderOf())
    expect(answer).toMatchObject({ outcome: 'accepted', providerRef: '931600239' })
    expect(JSON.stringify(answer)).toContain(`931600239 by ${text}`)
  })

  test.for([null, '+254712345678', '+20212345678', '+2010123456789', '01012345678'])(
    'needs an Egyptian mobile number and rejects %s',
    async (phone) => {
      const before = fake.loopback.requests.length
      expect(await opened().start(http, orderOf({ phone }))).toEqual({
        outcome: 'rejected',
        reason: 'Fawry needs an Egyptian mobile number.',
      })
      expect(fake.loopback.requests).toHaveLength(before)
    },
  )

  test('can be rejected with status 200 and a reason for the customer', async () => {
    fake.fault('reject')
    expect(await opened().start(http, orderOf())).toEqual({
      outcome: 'rejected',
      reason: 'Fawry did not take this payment. Please try another way to pay.',
      detail: '9944, Amount exceeds the limit',
    })
  })

  test.for([{ FAWRY_SECURE_KEY: 'another' }, { FAWRY_MERCHANT_CODE: 'another' }])(
    'is rejected with %j',
    async (changes) => {
      const before = fake.orders.length
      expect(await opened(changes).start(http, orderOf())).toMatchObject({ outcome: 'rejected' })
      expect(fake.orders).toHaveLength(before)
    },
  )

  test('of a known reference starts nothing', async () => {
    const { order } = await started()
    const before = fake.orders.length
    expect(await opened().start(http, order)).toEqual({ outcome: 'known' })
    expect(fake.orders).toHaveLength(before)
  })

  test.for<[string, number, object | string, string]>([
    ['an error of the other API', 400, { code: '9901', description: 'bad merchant' }, 'rejected'],
    ['a duplicate', 400, { code: 9961, description: 'merchantRefNum already exists' }, 'known'],
    ['a generic error', 200, { statusCode: 9999, statusDescription: 'Error' }, 'unknown'],
    ['an internal error', 200, { statusCode: 500, statusDescription: 'Error' }, 'unknown'],
    ['an outage with a message', 500, { statusCode: 9946 }, 'unknown'],
    ['an outage', 502, 'Bad gateway', 'unknown'],
    ['a number with a refusal', 400, { statusCode: 200, referenceNumber: '1' }, 'unknown'],
    ['success without a number', 200, { statusCode: 200 }, 'unknown'],
    ['a number without success', 200, { statusCode: 9944, referenceNumber: '931' }, 'unknown'],
    [
      'a reference number of another payment',
      200,
      { statusCode: 200, referenceNumber: '1', merchantRefNumber: 'x' },
      'unknown',
    ],
    ['an invalid number', 200, { statusCode: 200, referenceNumber: '<b>1</b>' }, 'unknown'],
    ['nothing', 200, {}, 'unknown'],
    ['a list', 200, [], 'unknown'],
  ])('reads %s (%i %j) as %s', async ([, status, body, outcome]) => {
    scriptReply(status, body)
    expect(await opened().start(http, orderOf())).toMatchObject({ outcome })
  })

  test.for(['down', 'garbage', 'silent'] as const)(
    'has an unknown outcome while Fawry is %s',
    async (fault) => {
      fake.fault(fault)
      expect(await opened().start(http, orderOf())).toMatchObject({ outcome: 'unknown' })
    },
  )

  test('has an unknown outcome after a timeout or connection error', async () => {
    fake.loopback.scriptedReplies.push('never')
    expect(await opened().start(shortTimeoutHttp(clock), orderOf())).toMatchObject({ outcome: 'unknown' })
    const nowhere = opened({ FAWRY_BASE_URL: 'http://127.0.0.1:1' })
    expect(await nowhere.start(http, orderOf())).toMatchObject({ outcome: 'unknown' })
  })

  test('that was accepted without a reply is found as paid later', async () => {
    const order = orderOf()
    fake.fault('silent')
    await opened().start(http, order)
    fake.heal()
    fake.pay(order.reference)
    expect(await opened().check(http, queryOf(order))).toMatchObject({
      status: 'paid',
      amountMinor: 1_500_50n,
    })
  })
})

describe('check', () => {
  test('returns the ordered amount without the fee', async () => {
    const { order, query } = await started()
    fake.pay(order.reference)
    expect(await opened().check(http, query)).toEqual({
      status: 'paid',
      transactionId: query.providerRef,
      amountMinor: 1_500_50n,
      currency: null,
      reference: order.reference,
      live: true,
    })
  })

  test('reports a different amount unchanged', async () => {
    const { order, query } = await started()
    fake.pay(order.reference, { amountMinor: 1_00n })
    expect(await opened().check(http, query)).toMatchObject({ amountMinor: 1_00n })
  })

  test('at the staging host reports test money only', async () => {
    const staging = opened({ FAWRY_BASE_URL: 'https://atfawry.fawrystaging.com' })
    const detour: HttpClient = {
      clock,
      call: (address, request) =>
        http.call(address.replace('https://atfawry.fawrystaging.com', fake.loopback.url), request),
    }
    const order = orderOf()
    expect(await staging.start(detour, order)).toMatchObject({ outcome: 'accepted' })
    fake.pay(order.reference)
    expect(await staging.check(detour, queryOf(order))).toMatchObject({ status: 'paid', live: false })
  })

  test.for<[string, string]>([
    ['NEW', 'pending'],
    ['UNPAID', 'pending'],
    ['PAID', 'paid'],
    ['DELIVERED', 'paid'],
    ['paid ', 'paid'],
    ['EXPIRED', 'failed'],
    ['CANCELED', 'failed'],
    ['CANCELLED', 'failed'],
    ['FAILED', 'failed'],
    ['FAILD', 'failed'],
    ['REFUNDED', 'reversed'],
    ['PARTIAL_REFUNDED', 'paid'],
    ['SHIPPED', 'unknown'],
    ['UNPAIDED', 'unknown'],
    ['', 'unknown'],
  ])('reads %j as %s', async ([word, status]) => {
    const { order, query } = await started()
    fake.setOrderStatus(order.reference, word)
    expect(await opened().check(http, query)).toMatchObject({ status })
  })

  test('reports a refund', async () => {
    const { order, query } = await started()
    fake.pay(order.reference)
    fake.reverse(order.reference)
    expect(await opened().check(http, query)).toEqual({
      status: 'reversed',
      reason: 'Fawry paid it back.',
      transactionId: query.providerRef,
    })
  })

  test.for<[unknown, unknown, bigint | null]>([
    [25, 27.5, 25_00n],
    ['25.00', '27.50', 25_00n],
    [25.1, 25.1, 25_10n],
    [25, undefined, 25_00n],
    [25, 'much', 25_00n],
    // A lower paid amount counts.
    [25, 20, 20_00n],
    [25, 0, 0n],
    // The paid amount includes an unknown fee.
    [undefined, 27.5, null],
    [null, 25, null],
    [25.125, 25.125, null],
    [-25, 25, null],
    ['25,00', 25, null],
  ])(
    'credits for %s ordered and %s paid the amount %s',
    async ([orderAmount, paymentAmount, amountMinor]) => {
      scriptReply(200, { orderStatus: 'PAID', merchantRefNumber: 'tp1', orderAmount, paymentAmount })
      const answer = await opened().check(http, queryOf(orderOf()))
      expect(answer).toMatchObject(
        amountMinor === null ? { status: 'unknown' } : { amountMinor, reference: 'tp1', transactionId: null },
      )
    },
  )

  test('also reads the statuses of the older API', async () => {
    const order = orderOf()
    scriptReply(200, {
      type: 'PaymentStatusResponse',
      referenceNumber: 100162801,
      merchantRefNumber: order.reference,
      orderAmount: 20,
      paymentAmount: 20,
      paymentStatus: 'PAID',
      currencyCode: 'egp',
      statusCode: '200',
    })
    expect(await opened().check(http, queryOf(order))).toEqual({
      status: 'paid',
      transactionId: '100162801',
      amountMinor: 20_00n,
      currency: 'EGP',
      reference: order.reference,
      live: true,
    })
  })

  test.for<[string, number, object | string]>([
    ['a failure of another payment', 200, { orderStatus: 'FAILED', merchantRefNumber: 'tpother' }],
    ['an outage', 503, { orderStatus: 'PAID', orderAmount: 25 }],
    ['an outage about something not found', 500, { statusCode: 9938 }],
    ['a wrong signature', 200, { statusCode: 9946, statusDescription: 'Wrong Signature' }],
    ['a wrong merchant', 200, { code: '9901', description: 'bad merchant' }],
    ['an error with an order', 200, { statusCode: 9944, orderStatus: 'PAID', orderAmount: 25 }],
    ['a refusal', 400, { orderStatus: 'FAILED' }],
    ['a missing page', 404, 'not found'],
    ['a list', 200, []],
    ['a page', 200, '<html>PAID</html>'],
  ])('is unknown for %s', async ([, status, body]) => {
    scriptReply(status, body)
    expect(await opened().check(http, queryOf(orderOf()))).toMatchObject({ status: 'unknown' })
  })

  test.for(['down', 'garbage', 'silent', 'reject'] as const)(
    'is unknown while Fawry is %s',
    async (fault) => {
      const { order, query } = await started()
      fake.decline(order.reference)
      fake.fault(fault)
      expect(await opened().check(http, query)).toMatchObject({ status: 'unknown' })
    },
  )

  test.for<[number, object | string]>([
    [200, { statusCode: 9938, statusDescription: 'Payment not found' }],
    [404, { code: '9938', description: 'Payment not found' }],
  ])(
    'keeps an unknown order (%i %j) pending, and fails it only without a reference number',
    async ([status, body]) => {
      const order = orderOf()
      const later = new ManualClock('2026-11-15T09:09:59.999Z')
      const ask = (providerRef: string | null) => {
        scriptReply(status, body)
        return opened().check(testHttp(later), queryOf(order, providerRef))
      }
      expect(await ask(null)).toMatchObject({ status: 'pending' })
      later.advance({ ms: 1 })
      expect(await ask(null)).toEqual({ status: 'failed', reason: 'The payment was never started.' })
      expect(await ask('931600239')).toMatchObject({ status: 'unknown' })
    },
  )
})
