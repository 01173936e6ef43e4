import {
  type FakeFlutterwaveV4,
  startFakeFlutterwaveV4,
} from '@cowrie/testkit/fakes/payments/flutterwave-v4.ts'
import { shortTimeoutHttp, testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../../../kernel/assert.ts'
import { ManualClock } from '../../../../kernel/clock.ts'
import { railProblems } from '../../accounts.ts'
import { variablesForCountry } from '../../markets.ts'
import type { ListedItem, ListPage, OpenRail, Order } from '../../rail.ts'
import { requestIdOf } from '../../request.ts'
import { flutterwave } from '../flutterwave.ts'

let provider: FakeFlutterwaveV4
const http = testHttp()
const rail = (changes: Record<string, string> = {}): OpenRail =>
  present(flutterwave.open({ ...provider.variables, ...changes }), 'the rail is configured')
beforeAll(async () => {
  provider = await startFakeFlutterwaveV4()
})
afterEach(() => {
  provider.heal()
  provider.scriptedReplies.length = 0
})
afterAll(() => provider.close())

let customers = 0
const order = (changes: Partial<Order> = {}) =>
  testOrder({ channel: 'flutterwave', email: `ada${++customers}@example.com`, ...changes })
async function started(changes: Partial<Order> = {}, by = rail()): Promise<Order> {
  const placed = order(changes)
  expect(await by.start(http, placed)).toMatchObject({ outcome: 'accepted' })
  return placed
}
const statusOf = (placed: Order, clock = new ManualClock()) => rail().check(testHttp(clock), queryOf(placed))
const sentTo = (path: string) =>
  present(
    provider.requests.findLast((each) => each.path === path),
    path,
  )
const script = (status: number, body: object | string) => provider.scriptedReplies.push({ status, body })
const charges = (...data: object[]) => ({ status: 'success', data, meta: { page_info: { total_pages: 1 } } })

describe('open', () => {
  test('needs the client id and its secret, and the host selects live or test mode', () => {
    const keys = { FLUTTERWAVE_CLIENT_ID: 'a', FLUTTERWAVE_CLIENT_SECRET: 'b' }
    expect(flutterwave.open(keys)).toMatchObject({ api: 'flutterwave_v4', keys: 'live' })
    const sandbox = { FLUTTERWAVE_CLIENT_BASE_URL: 'https://developersandbox-api.flutterwave.com' }
    expect(flutterwave.open({ ...keys, ...sandbox })?.keys).toBe('test')
    expect(() => flutterwave.open({ FLUTTERWAVE_CLIENT_ID: 'a' })).toThrow(/CLIENT_SECRET is not set/)
  })

  test('refuses the keys of both versions, and names what to rename or remove', () => {
    const both = {
      FLUTTERWAVE_CLIENT_ID: 'a',
      FLUTTERWAVE_CLIENT_SECRET: 'b',
      FLUTTERWAVE_SECRET_KEY: 'FLWSECK-x',
    }
    expect(() => flutterwave.open(both)).toThrow(
      /rename FLUTTERWAVE_SECRET_KEY to FLUTTERWAVE_SECRET_KEY_PREVIOUS/,
    )
    expect(() => flutterwave.open({ FLUTTERWAVE_SECRET_KEY_PREVIOUS: 'FLWSECK-x' })).toThrow(/remove it/)
    expect(() => rail({ FLUTTERWAVE_SECRET_KEY_PREVIOUS: 'FLWSECK_TEST-x' })).toThrow(/one environment/)
  })

  test('an account of one country can move alone, at the shared addresses', () => {
    const address = { FLUTTERWAVE_CLIENT_BASE_URL: 'https://developersandbox-api.flutterwave.com' }
    expect(
      variablesForCountry('flutterwave', 'GH', { ...address, FLUTTERWAVE_CLIENT_ID_GH: 'a' }),
    ).toMatchObject({ ...address, FLUTTERWAVE_CLIENT_ID: 'a' })
    const variables = {
      FLUTTERWAVE_SECRET_KEY: 'FLWSECK-x',
      FLUTTERWAVE_COUNTRY: 'NG',
      FLUTTERWAVE_CLIENT_ID_GH: 'a',
      FLUTTERWAVE_CLIENT_SECRET_GH: 'b',
    }
    expect(railProblems(variables)).toEqual([])
    expect(railProblems({ ...variables, FLUTTERWAVE_SECRET_KEY_GH: 'FLWSECK-y' })).toEqual([
      expect.stringContaining('rename FLUTTERWAVE_SECRET_KEY_GH to FLUTTERWAVE_SECRET_KEY_PREVIOUS_GH'),
    ])
    expect(railProblems({ FLUTTERWAVE_CLIENT_ID_XX: 'a' })).toEqual([
      expect.stringContaining('has no accounts in XX'),
    ])
  })
})

describe('start', () => {
  test('creates the customer and returns the hosted page for an amount in major units', async () => {
    const placed = order()
    const answer = await rail().start(http, placed)
    expect(answer).toEqual({
      outcome: 'accepted',
      handOff: { authorizationUrl: expect.stringMatching(/^https:\/\/checkout\.flutterwave\.com\/cks_\d+$/) },
      providerRef: expect.stringMatching(/^cks_\d+$/),
    })
    const { raw, headers } = sentTo('/checkout/sessions')
    expect(JSON.parse(raw)).toEqual({
      reference: placed.reference,
      amount: 1500.5,
      currency: 'NGN',
      customer_id: expect.stringMatching(/^cus_/),
      redirect_url: placed.returnUrl,
      session_duration: 30,
    })
    expect(headers).toMatchObject({
      'x-idempotency-key': requestIdOf(placed.reference),
      'x-trace-id': placed.reference,
    })
  })

  test('finds the customer of an email address that Flutterwave knows', async () => {
    const first = await started()
    const { customer_id } = JSON.parse(sentTo('/checkout/sessions').raw) as { customer_id: string }
    await started({ email: first.email })
    expect(JSON.parse(sentTo('/checkout/sessions').raw)).toMatchObject({ customer_id })
    script(409, { status: 'failed', error: { message: 'Customer already exists' } })
    script(200, { status: 'success', data: [{ id: 'cus_other', email: 'eve@example.com' }] })
    expect(await rail().start(http, order())).toMatchObject({ outcome: 'unknown' })
  })

  test('after a lost reply the same request returns the same page', async () => {
    const placed = await started()
    const count = provider.orders.length
    const later = testHttp(new ManualClock('2026-11-15T09:20:00.000Z'))
    expect(await rail().start(later, placed)).toMatchObject({
      outcome: 'accepted',
      providerRef: provider.orders.at(-1)?.providerRef,
    })
    expect(provider.orders).toHaveLength(count)
  })

  test('renews a token that Flutterwave no longer accepts', async () => {
    const open = rail()
    await started({}, open)
    provider.expireTokens()
    await started({}, open)
  })

  test.for<[number, object | string, object]>([
    [409, { status: 'failed', error: { message: 'Reference already exists' } }, { outcome: 'known' }],
    [
      400,
      { status: 'failed', error: { code: '10400', message: 'No' } },
      { outcome: 'rejected', detail: '400, 10400, No' },
    ],
    [
      429,
      { status: 'failed', error: { message: 'Slow' } },
      { outcome: 'rejected', reason: expect.stringContaining('busy') },
    ],
    [
      403,
      { status: 'failed', message: 'Forbidden' },
      { outcome: 'rejected', reason: expect.stringContaining('not available') },
    ],
    [200, { status: 'failed', message: 'No' }, { outcome: 'rejected' }],
    [503, { status: 'failed', message: 'duplicate' }, { outcome: 'unknown' }],
    [408, { status: 'failed', message: 'Timeout' }, { outcome: 'unknown' }],
    [302, { status: 'success', data: { id: 'cks_1', link: 'https://x.example' } }, { outcome: 'unknown' }],
    [200, { status: 'success', data: { id: 'cks_1' } }, { outcome: 'unknown' }],
    [200, { status: 'success', data: { id: 'cks_1', link: 'javascript:alert(1)' } }, { outcome: 'unknown' }],
    [200, { status: 'success', data: { link: 'https://x.example' } }, { outcome: 'unknown' }],
    [
      201,
      { status: 'success', data: { id: 'cks_1', checkout_url: 'https://x.example' } },
      { outcome: 'accepted' },
    ],
  ])('the reply %i %j to a session is %j', async ([status, body, outcome]) => {
    script(201, { status: 'success', data: { id: 'cus_1' } })
    script(status, body)
    expect(await rail().start(http, order())).toMatchObject(outcome)
  })

  test('outages, unreadable and missing replies are unknown; refusals and wrong keys are rejections', async () => {
    for (const kind of ['down', 'garbage', 'silent'] as const) {
      provider.fault(kind)
      expect(await rail().start(http, order()), kind).toMatchObject({ outcome: 'unknown' })
    }
    provider.fault('reject')
    expect(await rail().start(http, order())).toMatchObject({ outcome: 'rejected' })
    provider.heal()
    const stranger = rail({ FLUTTERWAVE_CLIENT_SECRET: 'other' })
    const answer = await stranger.start(http, order())
    expect(answer).toMatchObject({ outcome: 'rejected', detail: expect.stringContaining('401') })
    expect(await stranger.check(http, queryOf(order()))).toMatchObject({ status: 'unknown' })
    provider.scriptedReplies.push('never')
    expect(await rail().start(shortTimeoutHttp(), order())).toMatchObject({ outcome: 'unknown' })
  })
})

describe('check', () => {
  test('a paid charge has its id, amount and currency', async () => {
    const placed = await started()
    provider.pay(placed.reference)
    expect(await statusOf(placed)).toEqual({
      status: 'paid',
      transactionId: expect.stringMatching(/^chg_/),
      amountMinor: 1_500_50n,
      currency: 'NGN',
      reference: placed.reference,
      live: true,
    })
  })

  test('a failed attempt does not hide a paid one, and a second payment is listed', async () => {
    const placed = await started()
    provider.decline(placed.reference)
    expect(await statusOf(placed)).toEqual({
      status: 'failed',
      reason: 'The payment was declined.',
      detail: 'failed, Declined',
    })
    provider.pay(placed.reference)
    provider.decline(placed.reference)
    const once = await statusOf(placed)
    provider.pay(placed.reference)
    expect(await statusOf(placed)).toEqual({
      ...once,
      others: [{ transactionId: expect.any(String), amountMinor: 1_500_50n, currency: 'NGN', live: true }],
    })
  })

  test('a different amount or currency is reported unchanged', async () => {
    const placed = await started()
    provider.pay(placed.reference, { amountMinor: 100n, currency: 'UGX' })
    expect(await statusOf(placed)).toMatchObject({ amountMinor: 100n, currency: 'UGX' })
    provider.override(placed.reference, { currency: 'gbp', amount: '1.5' })
    expect(await statusOf(placed)).toMatchObject({ amountMinor: 150n, currency: 'GBP' })
  })

  test('a payment at the sandbox is not live', async () => {
    const sandbox = rail({ FLUTTERWAVE_CLIENT_BASE_URL: 'http://sandbox.localhost' })
    const detour = {
      ...http,
      call: ((address, request) =>
        http.call(
          address.replace(
            'http://sandbox.localhost',
            new URL(provider.variables.FLUTTERWAVE_CLIENT_BASE_URL ?? '').origin,
          ),
          request,
        )) as typeof http.call,
    }
    const placed = order()
    expect(await sandbox.start(detour, placed)).toMatchObject({ outcome: 'accepted' })
    provider.pay(placed.reference)
    expect(await sandbox.check(detour, queryOf(placed))).toMatchObject({ status: 'paid', live: false })
  })

  test('a payment without an attempt is pending while the page can be open', async () => {
    const clock = new ManualClock()
    const placed = await started({ createdAt: clock.now() })
    expect(await statusOf(placed, clock)).toMatchObject({ status: 'pending', isNotFound: true })
    clock.advance({ hours: 24, minutes: 10 })
    expect(await statusOf(placed, clock)).toMatchObject({ status: 'failed' })
  })

  const charge = { id: 'chg_1', status: 'succeeded', amount: 5, currency: 'NGN' }
  test.for<[string, number, (reference: string) => object | string, string]>([
    [
      'a running attempt',
      200,
      (reference) => charges({ ...charge, reference, status: 'pending' }),
      'pending',
    ],
    ['a voided attempt', 200, (reference) => charges({ ...charge, reference, status: 'voided' }), 'failed'],
    [
      'a failed and a running attempt',
      200,
      (reference) =>
        charges({ ...charge, reference, status: 'failed' }, { ...charge, reference, status: 'pending' }),
      'pending',
    ],
    [
      'an unknown word',
      200,
      (reference) => charges({ ...charge, reference, status: 'authorised' }),
      'unknown',
    ],
    ['the charges of others', 200, () => charges({ ...charge, reference: 'theirs' }), 'unknown'],
    ['a fraction of a kobo', 200, (reference) => charges({ ...charge, reference, amount: 5.001 }), 'unknown'],
    ['no amount', 200, (reference) => charges({ ...charge, reference, amount: null }), 'unknown'],
    ['no currency', 200, (reference) => charges({ ...charge, reference, currency: null }), 'unknown'],
    ['no id', 200, (reference) => charges({ ...charge, reference, id: null }), 'unknown'],
    [
      'failed attempts on the first of two pages',
      200,
      (reference) => ({
        ...charges({ ...charge, reference, status: 'failed' }),
        meta: { page_info: { total_pages: 2 } },
      }),
      'unknown',
    ],
    [
      'a charge in place of a list',
      200,
      (reference) => ({ status: 'success', data: { ...charge, reference } }),
      'unknown',
    ],
    ['an error', 200, () => ({ status: 'failed', error: { message: 'No' } }), 'unknown'],
    ['an outage', 503, (reference) => charges({ ...charge, reference }), 'unknown'],
    ['a page', 200, () => 'It works!', 'unknown'],
    ['a missing page', 404, () => ({ status: 'failed' }), 'unknown'],
  ])('%s is read correctly', async ([, status, bodyOf, expected]) => {
    const placed = order({ createdAt: new Date(0) })
    script(status, bodyOf(placed.reference))
    expect(await statusOf(placed)).toMatchObject({ status: expected })
  })
})

describe('returns', () => {
  test('are the finished refunds and all chargebacks of the charge', async () => {
    const placed = await started()
    provider.pay(placed.reference)
    provider.refund(placed.reference, 100.5)
    provider.refund(placed.reference, 50, 'new')
    provider.chargeback(placed.reference, 200, 'pending')
    const paid = await statusOf(placed)
    const transactionId = present('transactionId' in paid ? paid.transactionId : null, 'it is paid')
    const read = rail().returns?.(http, { ...queryOf(placed), transactionId })
    expect(await read).toMatchObject({
      status: 'known',
      returns: [
        { key: expect.stringMatching(/^dispute:chb_/), amountMinor: 200_00n, state: 'open' },
        { key: expect.stringMatching(/^refund:rfd_/), amountMinor: 100_50n, state: 'returned' },
      ],
    })
    provider.fault('down')
    expect(await rail().returns?.(http, { ...queryOf(placed), transactionId })).toMatchObject({
      status: 'unknown',
    })
  })
})

test('the list has the charges, refunds and chargebacks of a day, and is unknown without a number of pages', async () => {
  const day = new Date('2026-11-18T00:00:00.000Z')
  const window = { from: day, until: new Date('2026-11-19T00:00:00.000Z') }
  provider.lists.setTime(new Date('2026-11-18T12:00:00.000Z'))
  const placed = await started()
  for (let attempt = 0; attempt < 60; attempt++) provider.decline(placed.reference)
  provider.pay(placed.reference)
  provider.refund(placed.reference, 10)
  provider.chargeback(placed.reference, 20, 'lost')
  const items: ListedItem[] = []
  for (let cursor: string | null = null, pages = 0; pages < 10; pages++) {
    const page: ListPage = present(await rail().list?.(http, window, cursor), 'it has a list')
    if (page.status !== 'known') throw new Error(page.reason)
    items.push(...page.items)
    cursor = page.next
    if (cursor === null) break
  }
  expect(items).toHaveLength(63)
  expect(items.filter(({ status }) => status === 'paid')).toMatchObject([
    { kind: 'payment', reference: placed.reference, amountMinor: 1_500_50n, currency: 'NGN', live: true },
  ])
  expect(items.slice(-2)).toMatchObject([
    { kind: 'refund', status: 'returned', transactionId: expect.stringMatching(/^chg_/) },
    { kind: 'dispute', status: 'returned', transactionId: expect.stringMatching(/^chg_/) },
  ])
  script(200, { status: 'success', data: [] })
  expect(await rail().list?.(http, window, null)).toMatchObject({ status: 'unknown' })
})
