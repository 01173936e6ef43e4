import { type FakeOzow, startFakeOzow } from '@cowrie/testkit/fakes/payments/ozow.ts'
import { type FakeOzowOne, startFakeOzowOne } from '@cowrie/testkit/fakes/payments/ozow-one.ts'
import { shortTimeoutHttp, testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../../kernel/assert.ts'
import { after, before, ManualClock } from '../../../kernel/clock.ts'
import type { OpenRail, Order, WebhookEvent } from '../rail.ts'
import { requestIdOf } from '../request.ts'
import { ozow } from './ozow.ts'
import { svixKey, svixSignature } from './svix.ts'

let fake: FakeOzowOne
let older: FakeOzow
beforeAll(async () => {
  fake = await startFakeOzowOne()
  older = await startFakeOzow()
})
afterEach(() => {
  fake.heal()
  older.heal()
  fake.loopback.scriptedReplies.length = 0
})
afterAll(() => Promise.all([fake.close(), older.close()]))

const clock = new ManualClock()
const http = testHttp(clock)
const orderOf = (changes: Partial<Order> = {}) => testOrder({ channel: 'ozow', currency: 'ZAR', ...changes })
const rail = (changes: Record<string, string> = {}): OpenRail =>
  present(ozow.open({ ...fake.variables, ...changes }), 'the rail has its keys')
const both = () => rail(older.variables)

async function started(changes: Partial<Order> = {}, by = rail()) {
  const order = orderOf(changes)
  const answer = await by.start(http, order)
  if (answer.outcome !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(answer)}`)
  return { order, answer, query: queryOf(order, answer.providerRef) }
}
const scriptReply = (status: number, body: object | string) =>
  fake.loopback.scriptedReplies.push({ status, body })

describe('open', () => {
  test('needs all keys and names the missing ones', () => {
    expect(() => ozow.open({ OZOW_CLIENT_ID: 'a' })).toThrow(/CLIENT_SECRET.*SITE_CODE.*WEBHOOK_SECRET/)
    expect(() => rail({ OZOW_WEBHOOK_SECRET: 'a word' })).toThrow(/begins with whsec_/)
    expect(() => rail({ OZOW_API_KEY: 'a' })).toThrow(/OZOW_PRIVATE_KEY is not set/)
    expect(rail()).toMatchObject({ api: 'ozow_one', keys: 'live', withoutChannels: ['payshap'] })
    expect(rail({ OZOW_CLIENT_BASE_URL: 'https://stagingone.ozow.com/v1' }).keys).toBe('test')
  })

  test('refuses test keys of one API beside live keys of the other', () => {
    expect(() => rail({ ...older.variables, OZOW_IS_TEST: 'true' })).toThrow(
      'OZOW_API_KEY has test keys and OZOW_CLIENT_ID has live keys',
    )
  })

  test('the keys of the older API add PayShap', async () => {
    expect(both().withoutChannels).toBeUndefined()
    const { query } = await started({ channel: 'payshap' }, both())
    expect(older.orders.at(-1)).toMatchObject({ reference: query.reference, providerRef: query.providerRef })
    older.pay(query.reference)
    expect(await both().check(http, query)).toMatchObject({ status: 'paid', amountMinor: 1_500_50n })
  })
})

describe('start', () => {
  test('sends the amount in major units and returns the page', async () => {
    const { order, answer } = await started({ amountMinor: 25_05n })
    const { raw, headers } = present(fake.loopback.requests.at(-1), 'a request')
    expect(JSON.parse(raw)).toEqual({
      siteCode: 'TSTSITE0001',
      region: 'ZA',
      amount: { currency: 'ZAR', value: 25.05 },
      merchantReference: order.reference,
      beneficiaryReference: expect.stringMatching(/^Cowrie[a-z0-9]{13}$/),
      expireAt: order.expiresAt.toISOString(),
      returnUrl: order.returnUrl,
      notifyUrl: order.notifyUrl,
    })
    expect(headers['idempotency-key']).toBe(requestIdOf(order.reference))
    expect(answer.providerRef).toBe(fake.orders.at(-1)?.providerRef)
    expect(answer.handOff.authorizationUrl).toMatch(/^https:\/\/pay\.ozow\.com\//)
  })

  test('returns the same payment again after a lost reply', async () => {
    const { order, answer } = await started()
    expect(await rail().start(http, order)).toEqual(answer)
  })

  test.for<[number, object | string, string]>([
    [400, { title: 'Bad request', detail: 'No' }, 'rejected'],
    [401, { title: 'Unauthorized' }, 'rejected'],
    [429, { title: 'Too many' }, 'rejected'],
    [409, { title: 'Conflict' }, 'known'],
    [408, { title: 'Timeout' }, 'unknown'],
    [500, { title: 'Trouble' }, 'unknown'],
    [404, '<html>no page</html>', 'unknown'],
    [201, { id: 'a' }, 'unknown'],
    [201, { id: 'a', redirectUrl: 'http://pay.ozow.com/a' }, 'unknown'],
    [201, { redirectUrl: 'https://pay.ozow.com/a' }, 'unknown'],
    [302, { id: 'a', redirectUrl: 'https://pay.ozow.com/a' }, 'unknown'],
  ])('the reply %i %j is %s', async ([status, body, outcome]) => {
    scriptReply(status, body)
    // The second reply is for the repetition after a rejected token.
    if (status === 401) scriptReply(status, body)
    expect(await rail().start(http, orderOf())).toMatchObject({ outcome })
  })

  test('outages, unreadable and missing replies are unknown; wrong keys are a rejection', async () => {
    for (const fault of ['down', 'garbage', 'silent'] as const) {
      fake.fault(fault)
      expect(await rail().start(http, orderOf()), fault).toMatchObject({ outcome: 'unknown' })
    }
    fake.heal()
    const stranger = rail({ OZOW_CLIENT_SECRET: 'other' })
    expect(await stranger.start(http, orderOf())).toMatchObject({ outcome: 'rejected' })
    expect(await stranger.check(http, queryOf(orderOf()))).toMatchObject({ status: 'unknown' })
    fake.loopback.scriptedReplies.push('never')
    expect(await rail().start(shortTimeoutHttp(clock), orderOf())).toMatchObject({ outcome: 'unknown' })
  })
})

describe('check', () => {
  test('returns amount, currency and transaction of a paid payment', async () => {
    const { order, query } = await started()
    fake.pay(order.reference)
    expect(await rail().check(http, query)).toEqual({
      status: 'paid',
      transactionId: expect.stringMatching(/^[\da-f-]{36}$/),
      amountMinor: 1_500_50n,
      currency: 'ZAR',
      reference: order.reference,
      live: true,
    })
  })

  test('reports a different amount or currency unchanged, and test money', async () => {
    const { order, query } = await started()
    fake.pay(order.reference, { amountMinor: 10n, currency: 'USD', test: true })
    expect(await rail().check(http, query)).toMatchObject({ amountMinor: 10n, currency: 'USD', live: false })
    fake.pay(order.reference)
    expect(await rail().check(http, query)).toMatchObject({ currency: 'ZAR', live: true })
  })

  test.for<[readonly string[], string]>([
    [[], 'pending'],
    [['Pending'], 'pending'],
    [['Incomplete'], 'pending'],
    [['Complete'], 'paid'],
    [['successful'], 'paid'],
    [['Cancelled'], 'failed'],
    [['Error', 'Cancelled'], 'failed'],
    [['Cancelled', 'Pending'], 'pending'],
    [['Cancelled', 'Successful', 'Error'], 'paid'],
    [['Cancelled', 'Dancing'], 'unknown'],
    [Array(100).fill('Cancelled'), 'pending'],
  ])('reads attempts that ended with %j as %s', async ([words, status]) => {
    const { order, query } = await started()
    for (const word of words) fake.attempt(order.reference, word)
    expect(await rail().check(http, query)).toMatchObject({ status })
  })

  test('a closed page without an attempt has failed', async () => {
    const { order, query } = await started()
    fake.expire(order.reference)
    expect(await rail().check(http, query)).toMatchObject({ status: 'failed' })
  })

  test('a refund without an amount is left to staff', async () => {
    const { order, query } = await started()
    fake.pay(order.reference)
    fake.reverse(order.reference)
    expect(await rail().check(http, query)).toMatchObject({
      status: 'paid',
      unclearReturn: expect.stringContaining('without the amount'),
    })
  })

  test('keeps the first transaction after a repeated payment and lists the other', async () => {
    const { order, query } = await started()
    fake.pay(order.reference)
    const first = await rail().check(http, query)
    fake.pay(order.reference)
    expect(await rail().check(http, query)).toEqual({
      ...first,
      others: [{ transactionId: expect.any(String), amountMinor: 1_500_50n, currency: 'ZAR', live: true }],
    })
  })

  test('lists a repeated payment that was refunded with the reason for staff', async () => {
    const { order, query } = await started()
    fake.pay(order.reference)
    fake.pay(order.reference)
    fake.reverse(order.reference)
    expect(await rail().check(http, query)).toMatchObject({
      others: [{ unclearReturn: expect.stringContaining('without the amount') }],
    })
  })

  test.for<[string, object]>([
    ['of another payment', { merchantReference: 'tpother' }],
    ['of another site', { siteCode: 'OTHER' }],
    ['without an amount', { amount: null }],
    ['without a currency', { amount: { value: 1_500.5 } }],
    ['with a bare amount', { amount: 1_500.5 }],
    ['with a fraction of a cent', { amount: { value: 1.005, currency: 'ZAR' } }],
    ['without an id', { id: null }],
  ])('a transaction %s is unknown', async ([, fields]) => {
    const { order, query } = await started()
    fake.pay(order.reference)
    fake.override(order.reference, fields)
    expect(await rail().check(http, query)).toMatchObject({ status: 'unknown' })
  })

  test('the payment of another reference is unknown', async () => {
    const { answer } = await started()
    expect(await rail().check(http, queryOf(orderOf(), answer.providerRef))).toMatchObject({
      status: 'unknown',
      reason: 'Ozow replied about another payment.',
    })
  })

  test.for(['down', 'garbage', 'silent', 'reject'] as const)('is unknown while Ozow is %s', async (fault) => {
    const { order, query } = await started()
    fake.decline(order.reference)
    fake.fault(fault)
    expect(await rail().check(http, query)).toMatchObject({ status: 'unknown' })
  })

  test('a payment whose reply was lost is found on a later page of the transactions', async () => {
    const order = orderOf()
    fake.fault('silent')
    await rail().start(http, order)
    fake.heal()
    expect(await rail().check(http, queryOf(order))).toMatchObject({ status: 'pending', isNotFound: true })
    const other = await started()
    for (let attempt = 0; attempt < 120; attempt++) fake.decline(other.order.reference)
    fake.pay(order.reference)
    expect(await rail().check(http, queryOf(order))).toMatchObject({ status: 'paid', amountMinor: 1_500_50n })
    const later = testHttp(new ManualClock('2026-11-15T09:10:00.000Z'))
    expect(await rail().check(later, queryOf(orderOf()))).toMatchObject({ status: 'failed' })
  })
})

describe('an account with the keys of both APIs', () => {
  test('checks each payment where it was started', async () => {
    const earlier = await started({}, present(ozow.open(older.variables), 'it has the older keys'))
    older.pay(earlier.order.reference)
    expect(await both().check(http, earlier.query)).toMatchObject({ status: 'paid' })
    // Its reply was lost, so it has no provider reference.
    expect(await both().check(http, queryOf(earlier.order))).toMatchObject({ status: 'paid' })
    const now = await started({}, both())
    fake.pay(now.order.reference)
    expect(await both().check(http, now.query)).toMatchObject({ status: 'paid' })
    expect(await rail().check(http, earlier.query)).toMatchObject({ status: 'unknown' })
  })

  test('accepts the webhooks of both', async () => {
    const now = await started({}, both())
    const { headers, body } = fake.message(now.order.reference)
    const message = { raw: Buffer.from(body), headers, receivedAt: clock.now() }
    expect(both().parseWebhook(message)).toMatchObject({ about: { reference: now.order.reference } })
    const payshap = await started({ channel: 'payshap' }, both())
    const form = { raw: Buffer.from(older.message(payshap.order.reference).body), headers: {} }
    expect(both().parseWebhook(form)).toMatchObject({ about: { reference: payshap.order.reference } })
    expect(rail().parseWebhook(form)).toBe('forged')
  })
})

describe('parsing a webhook', () => {
  const data = { id: 'tx_1', merchantReference: 'tp_1', siteCode: 'TSTSITE0001' }
  const signed = (body: object = { type: 'transaction.complete', data }) => fake.sign(body, 'msg_1')
  type Changes = { headers?: Record<string, string | string[]>; body?: string; receivedAt?: Date | undefined }
  const parse = (message: ReturnType<typeof signed>, changes: Changes = {}, by = rail()): WebhookEvent => {
    const receivedAt = 'receivedAt' in changes ? changes.receivedAt : clock.now()
    return by.parseWebhook({
      raw: Buffer.from(changes.body ?? message.body),
      headers: { ...message.headers, ...changes.headers },
      ...(receivedAt && { receivedAt }),
    })
  }
  const genuine = { about: { reference: 'tp_1' }, eventKey: 'msg_1', kind: 'transaction.complete' }

  test('the signature is that of Svix', () => {
    const key = present(svixKey('whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='), 'a key')
    const raw = Buffer.from('{"type":"transaction.complete"}')
    expect(svixSignature(key, 'msg_1', '1700000000', raw)).toBe(
      'v1,jPueRC6jgNnHzDMs5+7axqHjomdpOg64tYo4ZyWNsYM=',
    )
  })

  test('a genuine webhook names the payment, also among other signatures and with the previous secret', () => {
    expect(parse(signed())).toEqual(genuine)
    const signature = signed().headers['svix-signature'] ?? ''
    expect(parse(signed(), { headers: { 'svix-signature': `v1,AAAA v2,BBBB ${signature}` } })).toEqual(
      genuine,
    )
    const rotated = {
      OZOW_WEBHOOK_SECRET: 'whsec_QUFBQUFBQUFBQUFBQUFBQUFBQUE=',
      OZOW_WEBHOOK_SECRET_PREVIOUS: fake.variables.OZOW_WEBHOOK_SECRET ?? '',
    }
    expect(parse(signed(), {}, rail(rotated))).toEqual(genuine)
    expect(parse(signed(), {}, rail({ ...rotated, OZOW_WEBHOOK_SECRET_PREVIOUS: '' }))).toBe('forged')
  })

  test('a webhook is accepted five minutes around its time, in both directions', () => {
    const now = clock.now()
    for (const receivedAt of [before(now, { minutes: 5 }), after(now, { minutes: 5 })])
      expect(parse(signed(), { receivedAt })).toEqual(genuine)
    const early = before(now, { minutes: 5, seconds: 1 })
    for (const receivedAt of [early, after(now, { minutes: 5, seconds: 1 }), undefined])
      expect(parse(signed(), { receivedAt })).toBe('forged')
  })

  test.for<[string, Changes]>([
    ['another body', { body: '{"type":"transaction.complete","data":{"merchantReference":"tp_2"}}' }],
    ['another id', { headers: { 'svix-id': 'msg_2' } }],
    ['another time', { headers: { 'svix-timestamp': '1763197201' } }],
    ['an unreadable time', { headers: { 'svix-timestamp': 'now' } }],
    ['no signature', { headers: { 'svix-signature': '' } }],
    ['a short signature', { headers: { 'svix-signature': 'v1,AAAA' } }],
    ['two signature headers', { headers: { 'svix-signature': ['v1,AAAA', 'v1,BBBB'] } }],
  ])('a webhook with %s is forged', ([, changes]) => {
    expect(parse(signed(), changes)).toBe('forged')
  })

  test.for<[object, WebhookEvent]>([
    [
      { type: 'transaction.complete', data: { id: 'tx_1' } },
      { ...genuine, about: { transactionId: 'tx_1' } },
    ],
    [
      { type: 'transaction.complete', data: { id: 'tx_1', paymentId: 'p1' } },
      { ...genuine, about: { providerRef: 'one:p1' } },
    ],
    [
      { type: 'refund.complete', data: { id: 'rf_1', transactionId: 'tx_1' } },
      { about: { transactionId: 'tx_1' }, eventKey: 'msg_1', kind: 'refund.complete' },
    ],
    [{ type: 'refund.complete', data: { id: 'rf_1' } }, 'nothing'],
    [{ type: 'transaction.complete', data: { ...data, siteCode: 'OTHER' } }, 'nothing'],
    [{ type: 'transaction.complete' }, 'nothing'],
  ])('%j is %j', ([body, event]) => {
    expect(parse(signed(body))).toEqual(event)
  })
})
