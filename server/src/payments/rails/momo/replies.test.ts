import { type FakeMomo, startFakeMomo } from '@cowrie/testkit/fakes/payments/momo.ts'
import {
  http,
  httpAfter,
  open,
  order,
  provider,
  startRequest,
  useFakeMomo,
} from '@cowrie/testkit/payments/momo-fixture.ts'
import { queryOf } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

useFakeMomo()

describe('a status query', () => {
  test('is pending until the payer decides', async () => {
    const { query, rail } = await startRequest()
    expect(await rail.check(http, query)).toMatchObject({ status: 'pending' })
  })

  test('is paid with amount, currency and reference', async () => {
    const { reference, query, rail } = await startRequest()
    provider.pay(reference)
    expect(await rail.check(http, query)).toEqual({
      status: 'paid',
      transactionId: expect.stringMatching(/^23503452\d+$/),
      amountMinor: 1_500n,
      currency: 'UGX',
      reference,
      live: true,
    })
  })

  test.for<[Record<string, unknown>, object]>([
    [{ amount: '1499' }, { amountMinor: 1_499n, currency: 'UGX' }],
    [{ amount: '15000' }, { amountMinor: 15_000n, currency: 'UGX' }],
    [{ amount: 1500 }, { amountMinor: 1_500n, currency: 'UGX' }],
    [{ amount: '1500.00' }, { amountMinor: 1_500n, currency: 'UGX' }],
    [
      { amount: '15.5', currency: 'GHS' },
      { amountMinor: 15_50n, currency: 'GHS' },
    ],
    [{ currency: 'ugx' }, { currency: 'UGX' }],
    [{ externalId: 'tp-of-another' }, { reference: 'tp-of-another' }],
    [{ externalId: undefined }, { reference: null }],
    [{ financialTransactionId: 235034520 }, { transactionId: '235034520' }],
    [{ financialTransactionId: null }, { transactionId: null }],
  ])('reports %j unchanged', async ([fields, reported]) => {
    const { reference, query, rail } = await startRequest()
    provider.pay(reference)
    provider.setStatus(reference, fields)
    expect(await rail.check(http, query)).toMatchObject({ status: 'paid', ...reported })
  })

  test('keeps every digit of a transaction id', async () => {
    const { query, rail } = await startRequest()
    const body =
      '{"status":"SUCCESSFUL","amount":"1500","currency":"UGX","financialTransactionId":98765432109876543210}'
    provider.loopback.scriptedReplies.push({ status: 200, body })
    expect(await rail.check(http, query)).toMatchObject({ transactionId: '98765432109876543210' })
  })

  test.for<Record<string, unknown>>([
    { amount: '1500.50' },
    { amount: '-1500' },
    { amount: '1,500' },
    { amount: '1e3' },
    { amount: 1e21 },
    { amount: null },
    { amount: undefined },
    { amount: ['1500'] },
    { currency: 'SZL' },
    { currency: undefined },
    { currency: 'EUR' },
    { status: 'PAID_IN_COWRIES' },
    { status: undefined },
    { status: 'successful' },
  ])('with the body %j is unknown', async (fields) => {
    const { reference, query, rail } = await startRequest()
    provider.pay(reference)
    provider.setStatus(reference, fields)
    expect(await rail.check(http, query)).toMatchObject({ status: 'unknown' })
  })

  test.for([
    ['APPROVAL_REJECTED', /was rejected/],
    ['EXPIRED', /expired/],
    ['NOT_ENOUGH_FUNDS', /not enough money/],
    ['LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED', /not enough money/],
    ['PAYER_NOT_FOUND', /no MoMo account/],
    ['PAYEE_NOT_FOUND', /not available/],
    ['PAYEE_NOT_ALLOWED_TO_RECEIVE', /not available/],
    ['PAYER_LIMIT_REACHED', /limit/],
    ['INTERNAL_PROCESSING_ERROR', /balance/],
    ['NOT_ALLOWED', /may not make/],
    ['NOT_ALLOWED_TARGET_ENVIRONMENT', /not available/],
    ['INVALID_CURRENCY', /not available/],
    ['SERVICE_UNAVAILABLE', /not available/],
    ['COULD_NOT_PERFORM_TRANSACTION', /not answered/],
    ['TRANSFER_TYPE_UNKNOWN', /not available/],
    ['SOMETHING_NEW', /could not complete/],
  ] as const)('has the reason of the failure %s, as a string or an object', async ([code, why]) => {
    const { reference, query, rail } = await startRequest()
    for (const reason of [code, { code, message: 'internals' }]) {
      provider.setStatus(reference, { status: 'FAILED', reason })
      expect(await rail.check(http, query)).toEqual({
        status: 'failed',
        reason: expect.stringMatching(why),
        detail: code,
      })
    }
  })

  test('is failed without a reason or amount', async () => {
    const { reference, query, rail } = await startRequest()
    provider.setStatus(reference, { status: 'FAILED', amount: undefined, currency: undefined })
    expect(await rail.check(http, query)).toMatchObject({ status: 'failed' })
  })

  test('is paid if the payment follows a failure', async () => {
    const { reference, query, rail } = await startRequest()
    provider.decline(reference)
    expect(await rail.check(http, query)).toMatchObject({ status: 'failed' })
    provider.pay(reference)
    expect(await rail.check(http, query)).toMatchObject({ status: 'paid' })
  })

  test('is pending for an unknown request for ten minutes and failed afterwards', async () => {
    const rail = open()
    const query = queryOf(order())
    expect(await rail.check(http, query)).toMatchObject({ status: 'pending' })
    expect(await rail.check(httpAfter(9.9), query)).toMatchObject({ status: 'pending' })
    expect(await rail.check(httpAfter(10), query)).toMatchObject({ status: 'failed' })
  })

  test.for<[number, object | string]>([
    [404, { statusCode: 404, message: 'Resource not found' }],
    [404, ''],
    [400, { code: 'RESOURCE_NOT_FOUND' }],
    [200, ''],
    [200, '[]'],
    [200, '<html>'],
    [202, { status: 'SUCCESSFUL', amount: '1500', currency: 'UGX' }],
    [500, { status: 'FAILED', amount: '1500', currency: 'UGX' }],
    [500, { code: 'INTERNAL_PROCESSING_ERROR' }],
    [503, 'upstream unavailable'],
  ])('with the reply %i %j is unknown at any age', async ([status, body]) => {
    const rail = open()
    for (const each of [http, httpAfter(24 * 60)]) {
      provider.loopback.scriptedReplies.push({ status, body })
      expect(await rail.check(each, queryOf(order()))).toMatchObject({ status: 'unknown' })
    }
  })

  test.for(['down', 'silent', 'garbage'] as const)('is unknown while the provider is %s', async (kind) => {
    const { reference, query, rail } = await startRequest()
    provider.pay(reference)
    provider.fault(kind)
    expect(await rail.check(httpAfter(24 * 60), query)).toMatchObject({ status: 'unknown' })
    provider.heal()
    expect(await rail.check(http, query)).toMatchObject({ status: 'paid' })
  })

  test('with invalid keys is unknown', async () => {
    const { query } = await startRequest()
    expect(await open({ MOMO_API_KEY: 'wrong' }).check(httpAfter(60), query)).toMatchObject({
      status: 'unknown',
    })
    expect(await open({ MOMO_SUBSCRIPTION_KEY: 'wrong' }).check(httpAfter(60), query)).toMatchObject({
      status: 'unknown',
    })
  })
})

describe('the sandbox', () => {
  let sandbox: FakeMomo
  beforeAll(async () => {
    sandbox = await startFakeMomo({ target: 'sandbox', currency: 'EUR' })
  })
  afterAll(() => sandbox.close())

  test.for([
    ['UGX', 1_500n, '1500'],
    ['GHS', 10_50n, '10.50'],
  ] as const)('uses euros instead of %s and reports test money', async ([currency, amountMinor, amount]) => {
    const placed = order({ currency, amountMinor })
    const rail = open(sandbox.variables)
    const started = await rail.start(http, placed)
    expect(started).toMatchObject({ outcome: 'accepted' })
    expect(sandbox.orders.at(-1)).toMatchObject({ amount, currency: 'EUR' })
    sandbox.pay(placed.reference)
    expect(await rail.check(http, queryOf(placed))).toMatchObject({
      status: 'paid',
      amountMinor,
      currency,
      reference: placed.reference,
      live: false,
    })
  })

  test('with a payment in another currency is reported unchanged', async () => {
    const placed = order()
    const rail = open(sandbox.variables)
    await rail.start(http, placed)
    sandbox.pay(placed.reference, { amountMinor: 15_00n, currency: 'GHS' })
    expect(await rail.check(http, queryOf(placed))).toMatchObject({
      status: 'paid',
      amountMinor: 15_00n,
      currency: 'GHS',
      live: false,
    })
  })
})

describe('a webhook', () => {
  const parse = (body: string) => open().parseWebhook({ raw: Buffer.from(body), headers: {} })

  test('names the payment by our reference and has a stable event id', async () => {
    const { reference } = await startRequest()
    provider.pay(reference)
    const paid = { about: { reference }, eventKey: `${reference}:SUCCESSFUL`, kind: 'SUCCESSFUL' }
    expect(parse(provider.message(reference).body)).toEqual(paid)
    expect(parse(provider.message(reference).body)).toEqual(paid)
    provider.decline(reference)
    expect(parse(provider.message(reference).body)).toMatchObject({ eventKey: `${reference}:FAILED` })
  })

  test.for([
    '',
    'null',
    '[]',
    '{"externalId":',
    '{"status":"SUCCESSFUL"}',
    '{"externalId":"tp1"}',
    '{"externalId":["tp1"],"status":"SUCCESSFUL"}',
    '{"externalId":1,"status":"SUCCESSFUL"}',
    '{"externalId":"tp1","status":{}}',
    '{"externalId":"tp1","status":"SUCC:ESS"}',
    '{"externalId":"","status":"SUCCESSFUL"}',
    '{"externalId":"tp\' or 1=1","status":"SUCCESSFUL"}',
    JSON.stringify({ externalId: 'x'.repeat(65), status: 'SUCCESSFUL' }),
  ])('with the body %j is irrelevant, not forged', (body) => {
    expect(parse(body)).toBe('nothing')
  })
})
