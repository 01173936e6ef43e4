import { type FakeFlutterwave, startFakeFlutterwave } from '@cowrie/testkit/fakes/payments/flutterwave.ts'
import { shortTimeoutHttp, testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../../kernel/assert.ts'
import { ManualClock } from '../../../kernel/clock.ts'
import { ConfigurationError, type Order, type WebhookEvent } from '../rail.ts'
import { flutterwave } from './flutterwave.ts'

let provider: FakeFlutterwave
const http = testHttp()
const rail = (changes: Record<string, string> = {}) =>
  present(flutterwave.open({ ...provider.variables, ...changes }), 'the stand-in has a key')

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
const standing = (placed: Order, clock = new ManualClock()) => rail().check(testHttp(clock), queryOf(placed))
const sentLast = () => JSON.parse(provider.requests.at(-1)?.raw ?? '') as Record<string, unknown>

describe('opening', () => {
  test('needs nothing but the secret key, whose prefix says whether money is real', () => {
    expect(flutterwave.open({})).toBeNull()
    expect(flutterwave.open({ FLUTTERWAVE_SECRET_KEY: 'FLWSECK-x' })?.keys).toBe('live')
    expect(flutterwave.open({ FLUTTERWAVE_SECRET_KEY: 'FLWSECK_TEST-x' })?.keys).toBe('test')
  })

  test.for([
    [{ FLUTTERWAVE_WEBHOOK_HASH: 'x' }, 'FLUTTERWAVE_SECRET_KEY is not set.'],
    [{ FLUTTERWAVE_SECRET_KEY: 'FLWPUBK-x' }, 'public key'],
    [{ FLUTTERWAVE_SECRET_KEY: 'FLWSECK-x', FLUTTERWAVE_BASE_URL: 'x' }, 'FLUTTERWAVE_BASE_URL'],
  ] as const)('refuses %j', ([variables, problem]) => {
    expect(() => flutterwave.open(variables)).toThrow(ConfigurationError)
    expect(() => flutterwave.open(variables)).toThrow(problem)
  })
})

describe('starting', () => {
  test('leads to the hosted page, in major units and with the currency said', async () => {
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
  ] as const)('%s %s is written as %s and read back the same', async ([currency, amountMinor, text]) => {
    const placed = await started({ currency, amountMinor })
    expect(provider.requests.at(-1)?.raw).toContain(`"amount":${text},`)
    provider.pay(placed.reference)
    expect(await standing(placed)).toMatchObject({ status: 'paid', amountMinor, currency })
  })

  test('a page is open for a minute at least and a day at most', async () => {
    const now = new ManualClock().now()
    await started({ expiresAt: now })
    expect(sentLast()).toMatchObject({ session_duration: 1 })
    await started({ expiresAt: new Date(now.getTime() + 1e9) })
    expect(sentLast()).toMatchObject({ session_duration: 1440 })
  })

  test('a reference that was paid under before is known', async () => {
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
  ] as const)('an answer of %i %j rejects', async ([status, body, reason]) => {
    provider.scriptedReplies.push({ status, body })
    const detail = `${status}, ${body.message}`
    expect(await rail().start(http, order())).toEqual({ outcome: 'rejected', reason, detail })
  })

  test.for([
    [503, { status: 'error', message: 'duplicate' }],
    [408, { status: 'error', message: 'Timeout' }],
    [302, { status: 'success', data: { link: 'https://x.example' } }],
    [404, 'Not here'],
    [200, { status: 'success', data: null }],
    [200, { status: 'success', data: { link: 'javascript:alert(1)' } }],
  ] as const)('an answer of %i %j leaves open whether it was taken', async ([status, body]) => {
    provider.scriptedReplies.push({ status, body })
    expect(await rail().start(http, order())).toMatchObject({ outcome: 'unknown' })
  })

  test('an outage, garbage and silence leave it open; a refusal is one', async () => {
    for (const kind of ['down', 'garbage', 'silent'] as const) {
      provider.fault(kind)
      expect(await rail().start(http, order()), kind).toMatchObject({ outcome: 'unknown' })
    }
    provider.fault('reject')
    expect(await rail().start(http, order())).toMatchObject({ outcome: 'rejected' })
  })

  test('nobody waits for half a minute, and a wrong key starts nothing', async () => {
    const stranger = rail({ FLUTTERWAVE_SECRET_KEY: 'FLWSECK-other' })
    expect(await stranger.start(http, order())).toMatchObject({ outcome: 'rejected' })
    expect(await stranger.check(http, queryOf(order()))).toMatchObject({ status: 'unknown' })
    provider.scriptedReplies.push('never')
    expect(await rail().start(shortTimeoutHttp(), order())).toMatchObject({ outcome: 'unknown' })
  })
})

describe('asking', () => {
  test('a payment that was made says how much of what, without the fees on top', async () => {
    const placed = await started()
    provider.pay(placed.reference)
    expect(await standing(placed)).toEqual({
      status: 'paid',
      transactionId: expect.stringMatching(/^\d+$/),
      amountMinor: 1_500_50n,
      currency: 'NGN',
      reference: placed.reference,
      live: true,
    })
  })

  test('an attempt that failed does not hide the one that paid', async () => {
    const placed = await started()
    provider.decline(placed.reference)
    expect(await standing(placed)).toEqual({
      status: 'failed',
      reason: 'The payment was declined.',
      detail: 'failed, Declined',
    })
    provider.pay(placed.reference)
    expect(await standing(placed)).toMatchObject({ status: 'paid', amountMinor: 1_500_50n })
  })

  test('without the list of attempts a failed one is not the last word', async () => {
    const placed = await started()
    provider.decline(placed.reference)
    const failed = { status: 'success', data: { id: 1, tx_ref: placed.reference, status: 'failed' } }
    provider.scriptedReplies.push({ status: 200, body: failed }, { status: 503, body: 'busy' })
    expect(await standing(placed)).toMatchObject({ status: 'unknown' })
  })

  test("other people's payments in the list are passed over", async () => {
    const placed = await started()
    provider.decline(placed.reference)
    const failed = { status: 'success', data: { id: 1, tx_ref: placed.reference, status: 'failed' } }
    const list = { status: 'success', data: [{ id: 2, tx_ref: 'theirs', status: 'successful' }, null] }
    provider.scriptedReplies.push({ status: 200, body: failed }, { status: 200, body: list })
    expect(await standing(placed)).toMatchObject({ status: 'failed' })
  })

  test('another amount or currency is reported as it is said', async () => {
    const placed = await started()
    provider.pay(placed.reference, { amountMinor: 100n, currency: 'UGX' })
    expect(await standing(placed)).toMatchObject({ amountMinor: 100n, currency: 'UGX' })
    provider.override(placed.reference, { currency: 'gbp', amount: '1.5', tx_ref: placed.reference })
    expect(await standing(placed)).toMatchObject({ amountMinor: 150n, currency: 'GBP' })
  })

  test('play money is not live: by its own reference or by the key', async () => {
    const placed = await started()
    provider.pay(placed.reference, { test: true })
    expect(await standing(placed)).toMatchObject({ status: 'paid', live: false })
    const data = { id: 1, status: 'successful', tx_ref: 'x', amount: 1, currency: 'NGN' }
    provider.scriptedReplies.push({ status: 200, body: { status: 'success', data } })
    const sandbox = rail({ FLUTTERWAVE_SECRET_KEY: 'FLWSECK_TEST-x' })
    expect(await sandbox.check(http, queryOf(placed))).toMatchObject({ status: 'paid', live: false })
  })

  test('an attempt that goes on is pending, and money that went back a reversal', async () => {
    const placed = await started()
    provider.override(placed.reference, { status: 'pending' })
    expect(await standing(placed)).toMatchObject({ status: 'pending' })
    provider.reverse(placed.reference)
    expect(await standing(placed)).toMatchObject({ status: 'reversed' })
  })

  test('a payment that nobody has tried is pending for as long as a page can be open', async () => {
    const clock = new ManualClock()
    const placed = await started({ createdAt: clock.now() })
    expect(await standing(placed, clock)).toMatchObject({ status: 'pending' })
    clock.advance({ hours: 24 })
    expect(await standing(placed, clock)).toMatchObject({ status: 'pending' })
    clock.advance({ minutes: 10 })
    expect(await standing(placed, clock)).toMatchObject({ status: 'failed' })
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
  ])('an answer of %i %j says nothing', async ([status, body]) => {
    provider.scriptedReplies.push({ status, body })
    expect(await standing(order({ createdAt: new Date(0) }))).toMatchObject({ status: 'unknown' })
  })

  test('an outage, garbage and silence say nothing', async () => {
    const placed = await started()
    provider.decline(placed.reference)
    for (const kind of ['down', 'garbage', 'silent'] as const) {
      provider.fault(kind)
      expect(await standing(placed), kind).toMatchObject({ status: 'unknown' })
    }
  })
})

describe('hearing', () => {
  const HASH = 'the agreed word'
  const BODY = '{"event":"charge.completed","data":{"id":8321945,"tx_ref":"tp_1","status":"successful"}}'
  function hear(raw: string, hash: string | string[] | undefined, variables = {}): WebhookEvent | undefined {
    const open = flutterwave.open({
      FLUTTERWAVE_SECRET_KEY: 'FLWSECK-x',
      FLUTTERWAVE_WEBHOOK_HASH: HASH,
      ...variables,
    })
    return open?.parseWebhook({ raw: Buffer.from(raw), headers: { 'verif-hash': hash } })
  }

  test('the agreed word lets a message in, and the one before it while it is named', () => {
    const about = { about: { reference: 'tp_1' }, eventKey: '8321945:successful', kind: 'charge.completed' }
    expect(hear(BODY, HASH)).toEqual(about)
    expect(hear(BODY, [HASH])).toEqual(about)
    const changed = { FLUTTERWAVE_WEBHOOK_HASH: 'another', FLUTTERWAVE_WEBHOOK_HASH_PREVIOUS: HASH }
    expect(hear(BODY, HASH, changed)).toEqual(about)
    expect(hear(BODY, 'another', changed)).toEqual(about)
    expect(hear(BODY, 'a third', changed)).toBe('forged')
  })

  test.for<[string, string | string[] | undefined]>([
    ['no word', undefined],
    ['an empty word', ''],
    ['a shorter word', HASH.slice(1)],
    ['a longer word', `${HASH}!`],
    ['capitals', HASH.toUpperCase()],
    ['two words', [HASH, HASH]],
  ])('%s is forged', ([, hash]) => {
    expect(hear(BODY, hash)).toBe('forged')
  })

  test('without an agreed word nobody is let in, not even with an empty one', () => {
    const none = { FLUTTERWAVE_WEBHOOK_HASH: '' }
    for (const hash of [undefined, '', 'undefined', HASH]) expect(hear(BODY, hash, none)).toBe('forged')
  })

  test.for([
    '{"event":"transfer.completed","data":{"id":1,"reference":"tp_1","status":"SUCCESSFUL"}}',
    '{"event":"charge.completed","data":{"id":1,"tx_ref":{},"status":"successful"}}',
    '{"event":"charge.completed"}',
    '{"event":',
    '',
  ])('%s is about nothing of ours', (body) => {
    expect(hear(body, HASH)).toBe('nothing')
  })

  test('what the provider posts about a payment leads to it, success and failure apart', async () => {
    const placed = await started()
    provider.decline(placed.reference)
    const told = () => {
      const { headers, body } = provider.message(placed.reference)
      return rail().parseWebhook({ raw: Buffer.from(body), headers })
    }
    const failed = told()
    expect(failed).toMatchObject({ about: { reference: placed.reference } })
    expect(told()).toEqual(failed)
    provider.pay(placed.reference)
    expect(told()).not.toEqual(failed)
  })
})
