import { type FakeFlutterwave, startFakeFlutterwave } from '@cowrie/testkit/fakes/payments/flutterwave.ts'
import { shortTimeoutHttp, testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../../kernel/assert.ts'
import { ManualClock } from '../../../kernel/clock.ts'
import { RailConfigurationError } from '../keys.ts'
import type { Order, WebhookEvent } from '../rail.ts'
import { flutterwave } from './flutterwave.ts'

let provider: FakeFlutterwave
const http = testHttp()
const rail = (changes: Record<string, string> = {}) =>
  present(flutterwave.open({ ...provider.variables, ...changes }), 'the rail is configured')

beforeAll(async () => {
  provider = await startFakeFlutterwave()
})
afterEach(() => {
  provider.heal()
  provider.scriptedReplies.length = 0
})
afterAll(() => provider.close())

const order = (changes: Partial<Order> = {}) => testOrder({ channel: 'flutterwave', ...changes })
async function started(changes: Partial<Order> = {}): Promise<Order> {
  const placed = order(changes)
  expect(await rail().start(http, placed)).toMatchObject({ outcome: 'accepted' })
  return placed
}
const statusOf = (placed: Order, clock = new ManualClock()) => rail().check(testHttp(clock), queryOf(placed))
const sentLast = () => JSON.parse(provider.requests.at(-1)?.raw ?? '') as Record<string, unknown>

describe('open', () => {
  test('needs only the secret key, whose prefix selects live or test mode', () => {
    expect(flutterwave.open({})).toBeNull()
    expect(flutterwave.open({ FLUTTERWAVE_SECRET_KEY: 'FLWSECK-x' })?.keys).toBe('live')
    expect(flutterwave.open({ FLUTTERWAVE_SECRET_KEY: 'FLWSECK_TEST-x' })?.keys).toBe('test')
  })

  test.for([
    [{ FLUTTERWAVE_WEBHOOK_HASH: 'x' }, 'FLUTTERWAVE_SECRET_KEY is not set.'],
    [{ FLUTTERWAVE_SECRET_KEY: 'FLWPUBK-x' }, 'public key'],
    [{ FLUTTERWAVE_SECRET_KEY: 'FLWSECK-x', FLUTTERWAVE_BASE_URL: 'x' }, 'FLUTTERWAVE_BASE_URL'],
  ] as const)('rejects %j', ([variables, problem]) => {
    expect(() => flutterwave.open(variables)).toThrow(RailConfigurationError)
    expect(() => flutterwave.open(variables)).toThrow(problem)
  })
})

describe('start', () => {
  test('returns the hosted page for an amount in major units with its currency', async () => {
    const placed = order({ phone: '+2348012345678' })
    expect(await rail().start(http, placed)).toEqual({
      outcome: 'accepted',
      handOff: { authorizationUrl: expect.stringContaining(placed.reference) },
      providerRef: null,
    })
    expect(sentLast()).toEqual({
      tx_ref: placed.reference,
      amount: 1500.5,
      currency: 'NGN',
      redirect_url: placed.returnUrl,
      customer: { email: placed.email, name: 'Ada', phonenumber: '2348012345678' },
      session_duration: 30,
      customizations: { title: placed.description },
    })
  })

  test.for([
    ['UGX', 1_500n, '1500'],
    ['NGN', 1_999_99n, '1999.99'],
    ['TZS', 20_000_000_00n, '20000000'],
    ['NGN', 10_000_000_01n, '10000000.01'],
  ] as const)('%s %s is written as %s and parsed back unchanged', async ([currency, amountMinor, text]) => {
    const placed = await started({ currency, amountMinor })
    expect(provider.requests.at(-1)?.raw).toContain(`"amount":${text},`)
    provider.pay(placed.reference)
    expect(await statusOf(placed)).toMatchObject({ status: 'paid', amountMinor, currency })
  })

  test('a page stays open for one minute to one day', async () => {
    const now = new ManualClock().now()
    await started({ expiresAt: now })
    expect(sentLast()).toMatchObject({ session_duration: 1 })
    await started({ expiresAt: new Date(now.getTime() + 1e9) })
    expect(sentLast()).toMatchObject({ session_duration: 1440 })
  })

  test('a paid reference is reported as known', async () => {
    const placed = await started()
    provider.pay(placed.reference)
    expect(await rail().start(http, placed)).toEqual({ outcome: 'known' })
  })

  test.for([
    [
      400,
      { status: 'error', message: 'Currency not enabled' },
      'The payment provider did not accept this payment.',
    ],
    [200, { status: 'error', message: 'No' }, 'The payment provider did not accept this payment.'],
    [401, { status: 'error', message: 'Invalid key' }, 'This way to pay is not available right now.'],
    [429, { status: 'error', message: 'Too many' }, 'The payment provider is busy. Try again in a minute.'],
  ] as const)('the reply %i %j is a rejection', async ([status, body, reason]) => {
    provider.scriptedReplies.push({ status, body })
    const detail = `${status}, ${body.message}`
    expect(await rail().start(http, order())).toEqual({
      ...{ outcome: 'rejected', reason, detail },
      ...(/currency|key|too many/i.test(body.message) && { isAccountProblem: true }),
    })
  })

  test.for([
    [503, { status: 'error', message: 'duplicate' }],
    [408, { status: 'error', message: 'Timeout' }],
    [302, { status: 'success', data: { link: 'https://x.example' } }],
    [404, 'Not here'],
    [200, { status: 'success', data: null }],
    [200, { status: 'success', data: { link: 'javascript:alert(1)' } }],
  ] as const)('the reply %i %j has an unknown outcome', async ([status, body]) => {
    provider.scriptedReplies.push({ status, body })
    expect(await rail().start(http, order())).toMatchObject({ outcome: 'unknown' })
  })

  test('outages, unreadable and missing replies are unknown; a refusal is a rejection', async () => {
    for (const kind of ['down', 'garbage', 'silent'] as const) {
      provider.fault(kind)
      expect(await rail().start(http, order()), kind).toMatchObject({ outcome: 'unknown' })
    }
    provider.fault('reject')
    expect(await rail().start(http, order())).toMatchObject({ outcome: 'rejected' })
  })

  test('a missing reply times out, and a wrong key starts nothing', async () => {
    const stranger = rail({ FLUTTERWAVE_SECRET_KEY: 'FLWSECK-other' })
    expect(await stranger.start(http, order())).toMatchObject({ outcome: 'rejected' })
    expect(await stranger.check(http, queryOf(order()))).toMatchObject({ status: 'unknown' })
    provider.scriptedReplies.push('never')
    expect(await rail().start(shortTimeoutHttp(), order())).toMatchObject({ outcome: 'unknown' })
  })
})

describe('check', () => {
  test('a paid payment has amount and currency without fees', async () => {
    const placed = await started()
    provider.pay(placed.reference)
    expect(await statusOf(placed)).toEqual({
      status: 'paid',
      transactionId: expect.stringMatching(/^\d+$/),
      amountMinor: 1_500_50n,
      currency: 'NGN',
      reference: placed.reference,
      feeMinor: 21_00n,
      live: true,
    })
  })

  test('a failed attempt does not hide a paid one', async () => {
    const placed = await started()
    provider.decline(placed.reference)
    expect(await statusOf(placed)).toEqual({
      status: 'failed',
      reason: 'The payment was declined.',
      detail: 'failed, Declined',
    })
    provider.pay(placed.reference)
    expect(await statusOf(placed)).toMatchObject({ status: 'paid', amountMinor: 1_500_50n })
  })

  test('a failed attempt is unknown without the list of attempts', async () => {
    const placed = await started()
    provider.decline(placed.reference)
    const failed = { status: 'success', data: { id: 1, tx_ref: placed.reference, status: 'failed' } }
    provider.scriptedReplies.push({ status: 200, body: failed }, { status: 503, body: 'busy' })
    expect(await statusOf(placed)).toMatchObject({ status: 'unknown' })
  })

  test('payments of other references in the list are ignored', async () => {
    const placed = await started()
    provider.decline(placed.reference)
    const failed = { status: 'success', data: { id: 1, tx_ref: placed.reference, status: 'failed' } }
    const list = { status: 'success', data: [{ id: 2, tx_ref: 'theirs', status: 'successful' }, null] }
    provider.scriptedReplies.push({ status: 200, body: failed }, { status: 200, body: list })
    expect(await statusOf(placed)).toMatchObject({ status: 'failed' })
  })

  test('a different amount or currency is reported unchanged', async () => {
    const placed = await started()
    provider.pay(placed.reference, { amountMinor: 100n, currency: 'UGX' })
    expect(await statusOf(placed)).toMatchObject({ amountMinor: 100n, currency: 'UGX' })
    provider.override(placed.reference, { currency: 'gbp', amount: '1.5', tx_ref: placed.reference })
    expect(await statusOf(placed)).toMatchObject({ amountMinor: 150n, currency: 'GBP' })
  })

  test('test money is not live, by its reference or by the key', async () => {
    const placed = await started()
    provider.pay(placed.reference, { test: true })
    expect(await statusOf(placed)).toMatchObject({ status: 'paid', live: false })
    const data = { id: 1, status: 'successful', tx_ref: 'x', amount: 1, currency: 'NGN' }
    provider.scriptedReplies.push({ status: 200, body: { status: 'success', data } })
    const sandbox = rail({ FLUTTERWAVE_SECRET_KEY: 'FLWSECK_TEST-x' })
    expect(await sandbox.check(http, queryOf(placed))).toMatchObject({ status: 'paid', live: false })
  })

  test('a running attempt is pending, and returned money is a reversal', async () => {
    const placed = await started()
    provider.override(placed.reference, { status: 'pending' })
    expect(await statusOf(placed)).toMatchObject({ status: 'pending' })
    provider.reverse(placed.reference)
    expect(await statusOf(placed)).toMatchObject({ status: 'reversed' })
  })

  test('a payment without an attempt is pending while the page can be open', async () => {
    const clock = new ManualClock()
    const placed = await started({ createdAt: clock.now() })
    expect(await statusOf(placed, clock)).toMatchObject({ status: 'pending' })
    clock.advance({ hours: 24 })
    expect(await statusOf(placed, clock)).toMatchObject({ status: 'pending' })
    clock.advance({ minutes: 10 })
    expect(await statusOf(placed, clock)).toMatchObject({ status: 'failed' })
  })

  const successful = { id: 1, status: 'successful', tx_ref: 'x', amount: 5, currency: 'NGN' }
  test.for<[number, object | string]>([
    [503, { status: 'error', message: 'No transaction was found for this id' }],
    [429, { status: 'error', message: 'Too many' }],
    [200, { status: 'error', message: 'Something', data: successful }],
    [503, { status: 'success', data: successful }],
    [200, { status: 'success', data: { ...successful, status: 'completed?' } }],
    [200, { status: 'success', data: { ...successful, amount: 5.001 } }],
    [200, { status: 'success', data: { ...successful, amount: null } }],
    [200, { status: 'success', data: { ...successful, amount: -5 } }],
    [200, { status: 'success', data: { ...successful, amount: 1.5, currency: 'UGX' } }],
    [200, { status: 'success', data: { ...successful, currency: null } }],
    [200, { status: 'success', data: { ...successful, tx_ref: null } }],
    [200, { status: 'success', data: [successful] }],
    [200, 'It works!'],
    [404, '<html>no such page</html>'],
  ])('the reply %i %j is unknown', async ([status, body]) => {
    provider.scriptedReplies.push({ status, body })
    expect(await statusOf(order({ createdAt: new Date(0) }))).toMatchObject({ status: 'unknown' })
  })

  test('outages, unreadable and missing replies are unknown', async () => {
    const placed = await started()
    provider.decline(placed.reference)
    for (const kind of ['down', 'garbage', 'silent'] as const) {
      provider.fault(kind)
      expect(await statusOf(placed), kind).toMatchObject({ status: 'unknown' })
    }
  })
})

describe('parsing a webhook', () => {
  const HASH = 'the agreed word'
  const BODY = '{"event":"charge.completed","data":{"id":8321945,"tx_ref":"tp_1","status":"successful"}}'
  function parse(raw: string, hash: string | string[] | undefined, variables = {}): WebhookEvent | undefined {
    const open = flutterwave.open({
      FLUTTERWAVE_SECRET_KEY: 'FLWSECK-x',
      FLUTTERWAVE_WEBHOOK_HASH: HASH,
      ...variables,
    })
    return open?.parseWebhook({ raw: Buffer.from(raw), headers: { 'verif-hash': hash } })
  }

  test('the shared secret authenticates a webhook, and so does the configured previous one', () => {
    const about = { about: { reference: 'tp_1' }, eventKey: '8321945:successful', kind: 'charge.completed' }
    expect(parse(BODY, HASH)).toEqual(about)
    expect(parse(BODY, [HASH])).toEqual(about)
    const changed = { FLUTTERWAVE_WEBHOOK_HASH: 'another', FLUTTERWAVE_WEBHOOK_HASH_PREVIOUS: HASH }
    expect(parse(BODY, HASH, changed)).toEqual(about)
    expect(parse(BODY, 'another', changed)).toEqual(about)
    expect(parse(BODY, 'a third', changed)).toBe('forged')
  })

  test.for<[string, string | string[] | undefined]>([
    ['no secret', undefined],
    ['an empty secret', ''],
    ['a shorter secret', HASH.slice(1)],
    ['a longer secret', `${HASH}!`],
    ['capitals', HASH.toUpperCase()],
    ['two secrets', [HASH, HASH]],
  ])('%s is forged', ([, hash]) => {
    expect(parse(BODY, hash)).toBe('forged')
  })

  test('without a configured secret every webhook is forged, even with an empty one', () => {
    const none = { FLUTTERWAVE_WEBHOOK_HASH: '' }
    for (const hash of [undefined, '', 'undefined', HASH]) expect(parse(BODY, hash, none)).toBe('forged')
  })

  test.for([
    '{"event":"transfer.completed","data":{"id":1,"reference":"tp_1","status":"SUCCESSFUL"}}',
    '{"event":"charge.completed","data":{"id":1,"tx_ref":{},"status":"successful"}}',
    '{"event":"charge.completed"}',
    '{"event":',
    '',
  ])('%s is irrelevant', (body) => {
    expect(parse(body, HASH)).toBe('nothing')
  })

  test('webhooks about success and failure of a payment name it and are separate events', async () => {
    const placed = await started()
    provider.decline(placed.reference)
    const webhookEvent = () => {
      const { headers, body } = provider.message(placed.reference)
      return rail().parseWebhook({ raw: Buffer.from(body), headers })
    }
    const failed = webhookEvent()
    expect(failed).toMatchObject({ about: { reference: placed.reference } })
    expect(webhookEvent()).toEqual(failed)
    provider.pay(placed.reference)
    expect(webhookEvent()).not.toEqual(failed)
  })
})
