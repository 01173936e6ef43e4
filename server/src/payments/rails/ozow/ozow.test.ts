import { type FakeOzow, startFakeOzow } from '@cowrie/testkit/fakes/payments/ozow.ts'
import { shortTimeoutHttp, testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../kernel/clock.ts'
import type { HttpClient } from '../http-client.ts'
import type { OpenRail, Order } from '../rail.ts'
import type { OzowRequest } from './hash.ts'
import { ozow } from './ozow.ts'

let fake: FakeOzow
beforeAll(async () => {
  fake = await startFakeOzow()
})
afterEach(() => {
  fake.heal()
  fake.loopback.scriptedReplies.length = 0
})
afterAll(() => fake.close())

const clock = new ManualClock()
const http = testHttp(clock)
const orderOf = (changes: Partial<Order> = {}) => testOrder({ channel: 'ozow', currency: 'ZAR', ...changes })

function opened(changes: Record<string, string> = {}): OpenRail {
  const rail = ozow.open({ ...fake.variables, ...changes })
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
const lastRequest = () =>
  JSON.parse(fake.loopback.requests.at(-1)?.raw ?? '{}') as OzowRequest & { HashCheck: string }

describe('open', () => {
  test('needs all keys and names the missing ones', () => {
    expect(ozow.open({ OZOW_BASE_URL: 'https://api.ozow.com' })).toBeNull()
    expect(() => ozow.open({ OZOW_SITE_CODE: 'A', OZOW_API_KEY: '' })).toThrow(
      /OZOW_API_KEY.*OZOW_PRIVATE_KEY/,
    )
    expect(ozow.needs).toEqual(['OZOW_SITE_CODE', 'OZOW_API_KEY', 'OZOW_PRIVATE_KEY'])
  })

  test.for([
    [{ OZOW_IS_TEST: 'yes' }, 'OZOW_IS_TEST'],
    [{ OZOW_IS_TEST: 'TRUE' }, 'OZOW_IS_TEST'],
    [{ OZOW_BASE_URL: 'api.ozow' }, 'OZOW_BASE_URL'],
  ] as const)('rejects %j', ([changes, name]) => {
    expect(() => opened(changes)).toThrow(name)
  })

  test.for([
    [{ OZOW_BASE_URL: '' }, 'live'],
    [{ OZOW_BASE_URL: '', OZOW_IS_TEST: 'false' }, 'live'],
    [{ OZOW_BASE_URL: '', OZOW_IS_TEST: 'true' }, 'test'],
    [{ OZOW_BASE_URL: 'https://stagingapi.ozow.com/' }, 'test'],
  ] as const)('with %j has mode %s', ([changes, keys]) => {
    expect(opened(changes).keys).toBe(keys)
  })
})

describe('start', () => {
  test('sends the amount as a string with two decimals and returns the page', async () => {
    const { order, started: answer } = await started({ amountMinor: 25_00n })
    expect(lastRequest()).toMatchObject({
      CountryCode: 'ZA',
      CurrencyCode: 'ZAR',
      Amount: '25.00',
      TransactionReference: order.reference,
      CancelUrl: order.returnUrl,
      SuccessUrl: order.returnUrl,
      NotifyUrl: order.notifyUrl,
      IsTest: 'false',
    })
    expect(lastRequest().SelectedBankId).toBeUndefined()
    const last = fake.orders.at(-1)
    expect(answer.providerRef).toBe(last?.providerRef)
    expect(answer.handOff.authorizationUrl).toBe(`https://pay.ozow.com/${last?.providerRef}/Secure`)
  })

  test.for([
    [1_00n, '1.00'],
    [1_500_50n, '1500.50'],
    [200_000_00n, '200000.00'],
    [1n, '0.01'],
  ] as const)('writes %s cents as %s', async ([amountMinor, text]) => {
    await started({ amountMinor })
    expect(fake.orders.at(-1)?.amount).toBe(text)
  })

  test('preselects the configured PayShap bank for that channel', async () => {
    await started({ channel: 'payshap' })
    expect(lastRequest().SelectedBankId).toBe('EEC08676-46EB-4F80-AF56-CAA5A6623880')
    const rail = opened({ OZOW_PAYSHAP_BANK_ID: '00000000-46EB-4F80-AF56-CAA5A6623880' })
    expect(await rail.start(http, orderOf({ channel: 'payshap' }))).toMatchObject({ outcome: 'accepted' })
    expect(lastRequest().SelectedBankId).toBe('00000000-46EB-4F80-AF56-CAA5A6623880')
  })

  test('sends the test flag', async () => {
    const order = orderOf()
    await opened({ OZOW_IS_TEST: 'true' }).start(http, order)
    expect(lastRequest().IsTest).toBe('true')
  })

  test('can be rejected with status 200 and a reason for the customer', async () => {
    fake.fault('reject')
    expect(await opened().start(http, orderOf())).toEqual({
      outcome: 'rejected',
      reason: 'Ozow did not take this payment. Please try another way to pay.',
      detail: '200, The amount exceeds the limit of the site.',
    })
    expect(await opened().start(http, orderOf({ channel: 'payshap' }))).toEqual({
      outcome: 'rejected',
      reason: 'PayShap did not take this payment. A large amount may go through with Ozow instant EFT.',
      detail: expect.stringContaining('exceeds'),
    })
  })

  test.for([
    ['a wrong private key', { OZOW_PRIVATE_KEY: 'another' }],
    ['a wrong API key', { OZOW_API_KEY: 'another' }],
    ['a site that is not ours', { OZOW_SITE_CODE: 'TSTSITE0002' }],
  ] as const)('is rejected with %s', async ([, changes]) => {
    const before = fake.orders.length
    expect(await opened(changes).start(http, orderOf())).toMatchObject({ outcome: 'rejected' })
    expect(fake.orders).toHaveLength(before)
  })

  test.for<[string, number, object | string, string]>([
    ['a rejection with an error status', 400, { errorMessage: 'Amount is required.' }, 'rejected'],
    ['a duplicate', 200, { errorMessage: 'Duplicate transaction reference.' }, 'known'],
    ['a duplicate', 400, { errorMessage: 'The reference was already used' }, 'known'],
    ['a rejection with capitalised field names', 200, { ErrorMessage: 'No.', Url: null }, 'rejected'],
    ['a refused key', 403, '<html>Forbidden</html>', 'rejected'],
    ['an outage with a message', 500, { errorMessage: 'Something went wrong' }, 'unknown'],
    ['an outage', 502, 'Bad gateway', 'unknown'],
    ['no page', 200, { paymentRequestId: 'a', url: null, errorMessage: null }, 'unknown'],
    ['nothing', 200, {}, 'unknown'],
    ['a list', 200, [], 'unknown'],
    ['an invalid page', 200, { paymentRequestId: 'a', url: 'javascript:alert(1)' }, 'unknown'],
    ['a page without TLS', 200, { paymentRequestId: 'a', url: 'http://pay.ozow.com/a' }, 'unknown'],
    ['a page on another host', 302, { url: 'https://pay.ozow.com/a' }, 'unknown'],
    ['a missing endpoint', 404, 'no', 'unknown'],
  ])('reads %s (%i %j) as %s', async ([, status, body, outcome]) => {
    scriptReply(status, body)
    expect(await opened().start(http, orderOf())).toMatchObject({ outcome })
  })

  test.for(['down', 'garbage', 'silent'] as const)(
    'has an unknown outcome while Ozow is %s',
    async (fault) => {
      fake.fault(fault)
      expect(await opened().start(http, orderOf())).toMatchObject({ outcome: 'unknown' })
    },
  )

  test('has an unknown outcome after a timeout or connection error', async () => {
    fake.loopback.scriptedReplies.push('never')
    expect(await opened().start(shortTimeoutHttp(clock), orderOf())).toMatchObject({ outcome: 'unknown' })
    const nowhere = opened({ OZOW_BASE_URL: 'http://127.0.0.1:1' })
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
  test('returns amount, currency and transaction of a paid payment', async () => {
    const { order, query } = await started()
    fake.pay(order.reference)
    const answer = await opened().check(http, query)
    expect(answer).toEqual({
      status: 'paid',
      transactionId: expect.stringMatching(/^[\da-f-]{36}$/),
      amountMinor: 1_500_50n,
      currency: 'ZAR',
      reference: order.reference,
      live: true,
    })
  })

  test('reports a different amount or currency unchanged', async () => {
    const { order, query } = await started()
    fake.pay(order.reference, { amountMinor: 10n, currency: 'USD' })
    expect(await opened().check(http, query)).toMatchObject({ amountMinor: 10n, currency: 'USD' })
  })

  test.for<[string, string]>([
    ['Pending', 'pending'],
    ['PendingInvestigation', 'pending'],
    ['Abandoned', 'pending'],
    ['Cancelled', 'failed'],
    ['Error', 'failed'],
    ['Complete', 'paid'],
    ['complete', 'paid'],
    ['Refunded', 'unknown'],
    ['', 'unknown'],
  ])('reads %j as %s', async ([word, status]) => {
    const { order, query } = await started()
    fake.attempt(order.reference, word)
    expect(await opened().check(http, query)).toMatchObject({ status })
  })

  test.for<[readonly string[], string]>([
    [['Cancelled', 'Complete'], 'paid'],
    [['Complete', 'Cancelled', 'Error'], 'paid'],
    [['Cancelled', 'Pending'], 'pending'],
    [['PendingInvestigation', 'Error'], 'pending'],
    [['Abandoned', 'Cancelled'], 'pending'],
    [['Error', 'Cancelled'], 'failed'],
    [['Cancelled', 'Dancing'], 'unknown'],
    [['Dancing', 'Complete'], 'paid'],
    // Ozow lists at most ten, and an eleventh could have paid.
    [Array(9).fill('Cancelled'), 'failed'],
    [Array(10).fill('Cancelled'), 'pending'],
    [[...Array(9).fill('Cancelled'), 'Complete'], 'paid'],
  ])('reads attempts that ended with %j as %s', async ([words, status]) => {
    const { order, query } = await started()
    for (const word of words) fake.attempt(order.reference, word)
    expect(await opened().check(http, query)).toMatchObject({ status })
  })

  test('keeps the first transaction after a repeated payment and lists the other', async () => {
    const { order, query } = await started()
    fake.pay(order.reference)
    const first = await opened().check(http, query)
    fake.pay(order.reference)
    const both = await opened().check(http, query)
    expect(both).toMatchObject(first)
    expect(both).toMatchObject({ others: [{ amountMinor: order.amountMinor, currency: 'ZAR', live: true }] })
  })

  test('reports test money', async () => {
    const { order, query } = await started()
    fake.pay(order.reference, { test: true })
    expect(await opened().check(http, query)).toMatchObject({ status: 'paid', live: false })
    fake.pay(order.reference)
    expect(await opened().check(http, query)).toMatchObject({ status: 'paid', live: true })
  })

  test('in test mode queries tests and finds no live payment', async () => {
    const order = orderOf()
    const testing = opened({ OZOW_IS_TEST: 'true' })
    await testing.start(http, order)
    fake.pay(order.reference)
    expect(await testing.check(http, queryOf(order))).toMatchObject({ status: 'paid', live: false })
    expect(await opened().check(http, queryOf(order))).toMatchObject({ status: 'pending' })
  })

  test('at the staging host reports test money only', async () => {
    const staging = opened({ OZOW_BASE_URL: 'https://stagingapi.ozow.com/' })
    const detour: HttpClient = {
      clock,
      call: (address, request) =>
        http.call(address.replace('https://stagingapi.ozow.com', fake.loopback.url), request),
    }
    const order = orderOf()
    expect(await staging.start(detour, order)).toMatchObject({ outcome: 'accepted' })
    fake.pay(order.reference)
    expect(await staging.check(detour, queryOf(order))).toMatchObject({ status: 'paid', live: false })
  })

  const row = { transactionId: 't', status: 'Complete', currencyCode: 'ZAR' }
  test.for<[unknown, bigint | null]>([
    [25, 25_00n],
    [25.1, 25_10n],
    [0.07, 7n],
    ['25.00', 25_00n],
    ['1500.5', 1_500_50n],
    ['25.0000', 25_00n],
    ['1,500.50', null],
    [25.005, null],
    [-25, null],
    ['', null],
    [null, null],
  ])('reads the amount %j as %s cents', async ([amount, amountMinor]) => {
    const order = orderOf()
    scriptReply(200, [{ ...row, transactionReference: order.reference, amount }])
    const answer = await opened().check(http, queryOf(order))
    expect(answer).toMatchObject(amountMinor === null ? { status: 'unknown' } : { amountMinor })
  })

  test('reads capitalised field names and a string test flag', async () => {
    const order = orderOf()
    scriptReply(200, [
      {
        TransactionId: 't1',
        TransactionReference: order.reference,
        Status: 'Complete',
        Amount: '25.00',
        CurrencyCode: 'zar',
        IsTest: 'True',
      },
    ])
    expect(await opened().check(http, queryOf(order))).toEqual({
      status: 'paid',
      transactionId: 't1',
      amountMinor: 25_00n,
      currency: 'ZAR',
      reference: order.reference,
      live: false,
    })
  })

  test.for<[string, number, object | string]>([
    ['another payment', 200, [{ ...row, transactionReference: 'tpother', amount: 25 }]],
    ['an outage', 503, []],
    ['a wrong key', 401, { errorMessage: 'Unauthorized' }],
    ['no list', 200, { ...row, transactionReference: 'tpother', amount: 25 }],
    ['a list of something else', 200, ['Complete']],
    ['a page', 200, '<html>Complete</html>'],
    ['a refusal', 400, []],
  ])('is unknown for %s', async ([, status, body]) => {
    scriptReply(status, body)
    expect(await opened().check(http, queryOf(orderOf()))).toMatchObject({ status: 'unknown' })
  })

  test.for(['down', 'garbage', 'silent', 'reject'] as const)('is unknown while Ozow is %s', async (fault) => {
    const { order, query } = await started()
    fake.decline(order.reference)
    fake.fault(fault)
    expect(await opened().check(http, query)).toMatchObject({ status: 'unknown' })
  })

  test.for([
    [200, []],
    [404, 'not found'],
  ] as const)(
    'keeps an unknown payment (%i) pending, without limit if it has a page',
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
      later.advance({ days: 2 })
      expect(await ask('a page')).toMatchObject({ status: 'pending' })
    },
  )
})
