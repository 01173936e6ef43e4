import { startFakeDaraja } from '@cowrie/testkit/fakes/payments/daraja.ts'
import {
  errorBody,
  http,
  open,
  order,
  provider,
  startPrompt,
  useFakeDaraja,
} from '@cowrie/testkit/payments/daraja-fixture.ts'
import { testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf } from '@cowrie/testkit/payments/order-fixture.ts'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../../kernel/clock.ts'

useFakeDaraja()

describe('a status query', () => {
  test('without a provider id is unknown', async () => {
    const before = provider.loopback.requests.length
    expect(await open().check(http, queryOf(order()))).toMatchObject({ status: 'unknown' })
    expect(provider.loopback.requests).toHaveLength(before)
  })

  test('is pending until the payer decides', async () => {
    const { query, rail } = await startPrompt()
    expect(await rail.check(http, query)).toMatchObject({ status: 'pending' })
  })

  test('is paid without an amount', async () => {
    const { reference, query, rail } = await startPrompt()
    provider.pay(reference)
    const paid = { status: 'paid', transactionId: null, amountMinor: null, currency: null, reference: null }
    expect(await rail.check(http, query)).toEqual({ ...paid, live: true })
    const sandbox = await startFakeDaraja({ shortcode: '174379' })
    const placed = order()
    const play = open(sandbox.variables)
    await play.start(http, placed)
    sandbox.pay(placed.reference)
    const providerRef = sandbox.orders[0]?.providerRef ?? null
    expect(await play.check(http, queryOf(placed, providerRef))).toEqual({ ...paid, live: false })
    await sandbox.close()
  })

  test.for([
    ['1', /not enough money/],
    ['2', /below/],
    ['3', /above/],
    ['4', /daily limit/],
    ['8', /balance that M-Pesa allows/],
    ['17', /so soon/],
    ['1001', /two minutes/],
    ['1019', /expired/],
    ['1025', /could not show/],
    ['9999', /could not show/],
    ['1032', /cancelled or not answered/],
    ['1036', /could not be reached/],
    ['1037', /could not be reached/],
    ['2001', /PIN was wrong/],
    ['2006', /not available/],
    ['2028', /not available/],
    ['2029', /not available/],
    ['8006', /not available/],
    ['SFC_IC0003', /not available/],
  ] as const)('with result %s is failed', async ([code, reason]) => {
    const { reference, query, rail } = await startPrompt()
    provider.decide(reference, code)
    expect(await rail.check(http, query)).toEqual({
      status: 'failed',
      reason: expect.stringMatching(reason),
      detail: `result ${code}`,
    })
  })

  test('is pending for a processing result and unknown for an undocumented one', async () => {
    const { reference, query, rail } = await startPrompt()
    provider.decide(reference, '4999')
    expect(await rail.check(http, query)).toMatchObject({ status: 'pending' })
    provider.decide(reference, '31337')
    expect(await rail.check(http, query)).toEqual({ status: 'unknown', reason: 'result 31337' })
  })

  test('is paid if the payment follows a failure', async () => {
    const { reference, query, rail } = await startPrompt()
    provider.decline(reference)
    expect(await rail.check(http, query)).toMatchObject({ status: 'failed' })
    provider.pay(reference)
    expect(await rail.check(http, query)).toMatchObject({ status: 'paid' })
  })

  test('accepts a numeric result', async () => {
    const { query, rail } = await startPrompt()
    provider.loopback.scriptedReplies.push({
      status: 200,
      body: { ResponseCode: '0', CheckoutRequestID: query.providerRef, ResultCode: 0 },
    })
    expect(await rail.check(http, query)).toMatchObject({ status: 'paid' })
  })

  test.for<[number, object | string]>([
    [200, { ResponseCode: '0', CheckoutRequestID: 'ws_CO_another', ResultCode: '0' }],
    [200, { ResponseCode: '0', ResultCode: '0' }],
    [200, { ResponseCode: '0', CheckoutRequestID: 'ws_CO_1', ResultCode: null }],
    [200, ''],
    [200, 'null'],
    [500, { ResponseCode: '0', CheckoutRequestID: 'ws_CO_1', ResultCode: '0' }],
    [400, errorBody('400.002.02', 'Bad Request - Invalid CheckoutRequestID')],
    [404, errorBody('404.001.01', 'Resource not found')],
    [500, errorBody('500.001.1001', 'Unable to lock subscriber')],
    [500, errorBody('500.003.02', 'The transaction is being processed')],
    [503, 'upstream unavailable'],
  ])('with the reply %i %j is unknown at any age', async ([status, body]) => {
    const rail = open()
    const query = queryOf(order(), 'ws_CO_1')
    const late = new ManualClock()
    late.advance({ days: 3 })
    for (const each of [http, testHttp(late)]) {
      provider.loopback.scriptedReplies.push({ status, body })
      expect(await rail.check(each, query)).toMatchObject({ status: 'unknown' })
    }
  })

  test.for(['down', 'silent', 'garbage', 'reject'] as const)(
    'is unknown while the provider is %s',
    async (kind) => {
      const { reference, query, rail } = await startPrompt()
      provider.pay(reference)
      provider.fault(kind)
      expect(await rail.check(http, query)).toMatchObject({ status: 'unknown' })
      provider.heal()
      expect(await rail.check(http, query)).toMatchObject({ status: 'paid' })
    },
  )

  test('with invalid keys is unknown', async () => {
    const { query } = await startPrompt()
    const rail = open({ DARAJA_CONSUMER_SECRET: 'wrong' })
    expect(await rail.check(http, query)).toMatchObject({ status: 'unknown' })
  })
})

describe('a webhook', () => {
  const parse = (body: string) => open().parseWebhook({ raw: Buffer.from(body), headers: {} })
  const callback = (fields: object) => JSON.stringify({ Body: { stkCallback: fields } })

  test('names the prompt and has a stable event id', async () => {
    const { reference, query } = await startPrompt()
    provider.pay(reference)
    const paid = {
      about: { providerRef: query.providerRef },
      eventKey: `${query.providerRef}:0`,
      kind: 'stkCallback 0',
      receipt: provider.receiptOf(reference),
    }
    expect(parse(provider.message(reference).body)).toEqual(paid)
    expect(parse(provider.message(reference).body)).toEqual(paid)
    provider.decline(reference)
    expect(parse(provider.message(reference).body)).toMatchObject({ eventKey: `${query.providerRef}:1032` })
  })

  test('can have an alphanumeric result', () => {
    expect(parse(callback({ CheckoutRequestID: 'ws_CO_1', ResultCode: 'SFC_IC0003' }))).toMatchObject({
      eventKey: 'ws_CO_1:SFC_IC0003',
    })
  })

  test.for([
    '',
    'null',
    '[]',
    '{"Body":',
    '{"Body":{}}',
    callback({ ResultCode: 0 }),
    callback({ CheckoutRequestID: 'ws_CO_1' }),
    callback({ CheckoutRequestID: ['ws_CO_1'], ResultCode: 0 }),
    callback({ CheckoutRequestID: 'ws_CO_1', ResultCode: {} }),
    callback({ CheckoutRequestID: 'ws_CO_1', ResultCode: 0.5 }),
    callback({ CheckoutRequestID: `ws_CO_${'1'.repeat(100)}`, ResultCode: 0 }),
    callback({ CheckoutRequestID: "ws' or 1=1", ResultCode: 0 }),
    callback({ CheckoutRequestID: '', ResultCode: 0 }),
  ])('with the body %j is irrelevant, not forged', (body) => {
    expect(parse(body)).toBe('nothing')
  })

  test('of binary data is irrelevant', () => {
    expect(open().parseWebhook({ raw: Buffer.from([0xff, 0xfe, 0x00]), headers: {} })).toBe('nothing')
  })

  test('is acknowledged with the required reply', () => {
    expect(open().acknowledgement).toEqual({
      contentType: 'application/json',
      text: '{"ResultCode":0,"ResultDesc":"Accepted"}',
    })
  })
})
