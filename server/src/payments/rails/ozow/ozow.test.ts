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
  return { order, asked: queryOf(order, started.providerRef), started }
}

/** What the rail makes of an answer that no stand-in would think of. */
const says = (status: number, body: object | string) => fake.loopback.scriptedReplies.push({ status, body })
const lastRequest = () =>
  JSON.parse(fake.loopback.requests.at(-1)?.raw ?? '{}') as OzowRequest & { HashCheck: string }

describe('opening', () => {
  test('is not possible without keys, and says which are missing when some are there', () => {
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
  ] as const)('is refused with %j', ([changes, name]) => {
    expect(() => opened(changes)).toThrow(name)
  })

  test.for([
    [{ OZOW_BASE_URL: '' }, 'live'],
    [{ OZOW_BASE_URL: '', OZOW_IS_TEST: 'false' }, 'live'],
    [{ OZOW_BASE_URL: '', OZOW_IS_TEST: 'true' }, 'test'],
    [{ OZOW_BASE_URL: 'https://stagingapi.ozow.com/' }, 'test'],
  ] as const)('with %j it has %s keys', ([changes, keys]) => {
    expect(opened(changes).keys).toBe(keys)
  })
})

describe('starting', () => {
  test('asks for the amount as a text with two decimals, and hands over the page', async () => {
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
  ] as const)('says %s cents as %s', async ([amountMinor, text]) => {
    await started({ amountMinor })
    expect(fake.orders.at(-1)?.amount).toBe(text)
  })

  test('opens the page at PayShap for that channel, at the bank that an operator names', async () => {
    await started({ channel: 'payshap' })
    expect(lastRequest().SelectedBankId).toBe('EEC08676-46EB-4F80-AF56-CAA5A6623880')
    const rail = opened({ OZOW_PAYSHAP_BANK_ID: '00000000-46EB-4F80-AF56-CAA5A6623880' })
    expect(await rail.start(http, orderOf({ channel: 'payshap' }))).toMatchObject({ outcome: 'accepted' })
    expect(lastRequest().SelectedBankId).toBe('00000000-46EB-4F80-AF56-CAA5A6623880')
  })

  test('marks a test as one', async () => {
    const order = orderOf()
    await opened({ OZOW_IS_TEST: 'true' }).start(http, order)
    expect(lastRequest().IsTest).toBe('true')
  })

  test('is rejected with a status of 200, in words for the customer', async () => {
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
    ['a rejection with a status of its own', 400, { errorMessage: 'Amount is required.' }, 'rejected'],
    ['a duplicate', 200, { errorMessage: 'Duplicate transaction reference.' }, 'known'],
    ['a duplicate', 400, { errorMessage: 'The reference was already used' }, 'known'],
    ['a rejection with capitals', 200, { ErrorMessage: 'No.', Url: null }, 'rejected'],
    ['a closed door', 403, '<html>Forbidden</html>', 'rejected'],
    ['an outage with words', 500, { errorMessage: 'Something went wrong' }, 'unknown'],
    ['an outage', 502, 'Bad gateway', 'unknown'],
    ['no page', 200, { paymentRequestId: 'a', url: null, errorMessage: null }, 'unknown'],
    ['nothing', 200, {}, 'unknown'],
    ['a list', 200, [], 'unknown'],
    ['a page that is none', 200, { paymentRequestId: 'a', url: 'javascript:alert(1)' }, 'unknown'],
    ['a page without encryption', 200, { paymentRequestId: 'a', url: 'http://pay.ozow.com/a' }, 'unknown'],
    ['a page elsewhere', 302, { url: 'https://pay.ozow.com/a' }, 'unknown'],
    ['no such address', 404, 'no', 'unknown'],
  ])('takes %s (%i %j) for %s', async ([, status, body, outcome]) => {
    says(status, body)
    expect(await opened().start(http, orderOf())).toMatchObject({ outcome })
  })

  test.for(['down', 'garbage', 'silent'] as const)(
    'does not know what came of it when Ozow is %s',
    async (fault) => {
      fake.fault(fault)
      expect(await opened().start(http, orderOf())).toMatchObject({ outcome: 'unknown' })
    },
  )

  test('does not know what came of it when Ozow is slow or not there at all', async () => {
    fake.loopback.scriptedReplies.push('never')
    expect(await opened().start(shortTimeoutHttp(clock), orderOf())).toMatchObject({ outcome: 'unknown' })
    const nowhere = opened({ OZOW_BASE_URL: 'http://127.0.0.1:1' })
    expect(await nowhere.start(http, orderOf())).toMatchObject({ outcome: 'unknown' })
  })

  test('that was taken without an answer is found paid afterwards', async () => {
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

describe('checking', () => {
  test('finds what was paid, how much, in which currency and by which transaction', async () => {
    const { order, asked } = await started()
    fake.pay(order.reference)
    const answer = await opened().check(http, asked)
    expect(answer).toEqual({
      status: 'paid',
      transactionId: expect.stringMatching(/^[\da-f-]{36}$/),
      amountMinor: 1_500_50n,
      currency: 'ZAR',
      reference: order.reference,
      live: true,
    })
  })

  test('reports another amount or currency as Ozow says it', async () => {
    const { order, asked } = await started()
    fake.pay(order.reference, { amountMinor: 10n, currency: 'USD' })
    expect(await opened().check(http, asked)).toMatchObject({ amountMinor: 10n, currency: 'USD' })
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
  ])('takes %j for %s', async ([word, status]) => {
    const { order, asked } = await started()
    fake.attempt(order.reference, word)
    expect(await opened().check(http, asked)).toMatchObject({ status })
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
    // Ten is all that Ozow lists: an eleventh could have paid.
    [Array(9).fill('Cancelled'), 'failed'],
    [Array(10).fill('Cancelled'), 'pending'],
    [[...Array(9).fill('Cancelled'), 'Complete'], 'paid'],
  ])('takes tries that ended with %j for %s', async ([words, status]) => {
    const { order, asked } = await started()
    for (const word of words) fake.attempt(order.reference, word)
    expect(await opened().check(http, asked)).toMatchObject({ status })
  })

  test('names the same transaction after the payer paid once more, and the other beside it', async () => {
    const { order, asked } = await started()
    fake.pay(order.reference)
    const first = await opened().check(http, asked)
    fake.pay(order.reference)
    const both = await opened().check(http, asked)
    expect(both).toMatchObject(first)
    expect(both).toMatchObject({ others: [{ amountMinor: order.amountMinor, currency: 'ZAR', live: true }] })
  })

  test('calls play money what it is', async () => {
    const { order, asked } = await started()
    fake.pay(order.reference, { test: true })
    expect(await opened().check(http, asked)).toMatchObject({ status: 'paid', live: false })
    fake.pay(order.reference)
    expect(await opened().check(http, asked)).toMatchObject({ status: 'paid', live: true })
  })

  test('of a test asks for tests, and finds no live payment', async () => {
    const order = orderOf()
    const testing = opened({ OZOW_IS_TEST: 'true' })
    await testing.start(http, order)
    fake.pay(order.reference)
    expect(await testing.check(http, queryOf(order))).toMatchObject({ status: 'paid', live: false })
    expect(await opened().check(http, queryOf(order))).toMatchObject({ status: 'pending' })
  })

  test('at the staging host finds play money only', async () => {
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
    says(200, [{ ...row, transactionReference: order.reference, amount }])
    const answer = await opened().check(http, queryOf(order))
    expect(answer).toMatchObject(amountMinor === null ? { status: 'unknown' } : { amountMinor })
  })

  test('reads names with capitals as well, and does not miss a flag that is a text', async () => {
    const order = orderOf()
    says(200, [
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
  ])('learns nothing from %s', async ([, status, body]) => {
    says(status, body)
    expect(await opened().check(http, queryOf(orderOf()))).toMatchObject({ status: 'unknown' })
  })

  test.for(['down', 'garbage', 'silent', 'reject'] as const)(
    'learns nothing when Ozow is %s',
    async (fault) => {
      const { order, asked } = await started()
      fake.decline(order.reference)
      fake.fault(fault)
      expect(await opened().check(http, asked)).toMatchObject({ status: 'unknown' })
    },
  )

  test.for([
    [200, []],
    [404, 'not found'],
  ] as const)(
    'waits for what it does not find (%i), for ever where there is a link',
    async ([status, body]) => {
      const order = orderOf()
      const later = new ManualClock('2026-11-15T09:09:59.999Z')
      const ask = (providerRef: string | null) => {
        says(status, body)
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
