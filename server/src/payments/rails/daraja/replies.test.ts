import { startFakeDaraja } from '@cowrie/testkit/fakes/payments/daraja.ts'
import {
  errorBody,
  http,
  open,
  order,
  provider,
  startPrompt,
} from '@cowrie/testkit/payments/daraja-fixture.ts'
import { testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf } from '@cowrie/testkit/payments/order-fixture.ts'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../../kernel/clock.ts'

describe('asking', () => {
  test('about a prompt that was never named to us tells nothing', async () => {
    const before = provider.loopback.requests.length
    expect(await open().check(http, queryOf(order()))).toMatchObject({ status: 'unknown' })
    expect(provider.loopback.requests).toHaveLength(before)
  })

  test('while the payer decides is told that it waits', async () => {
    const { query: asked, rail } = await startPrompt()
    expect(await rail.check(http, asked)).toMatchObject({ status: 'pending' })
  })

  test('after it was paid is told so, and never how much', async () => {
    const { reference, query: asked, rail } = await startPrompt()
    provider.pay(reference)
    const paid = { status: 'paid', transactionId: null, amountMinor: null, currency: null, reference: null }
    expect(await rail.check(http, asked)).toEqual({ ...paid, live: true })
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
  ] as const)('about result %s is told that it failed', async ([code, reason]) => {
    const { reference, query: asked, rail } = await startPrompt()
    provider.decide(reference, code)
    expect(await rail.check(http, asked)).toEqual({
      status: 'failed',
      reason: expect.stringMatching(reason),
      detail: `result ${code}`,
    })
  })

  test('about a result that still works is told that it waits, and about a new one nothing', async () => {
    const { reference, query: asked, rail } = await startPrompt()
    provider.decide(reference, '4999')
    expect(await rail.check(http, asked)).toMatchObject({ status: 'pending' })
    provider.decide(reference, '31337')
    expect(await rail.check(http, asked)).toEqual({ status: 'unknown', reason: 'result 31337' })
  })

  test('is told of a payment that came after a failure', async () => {
    const { reference, query: asked, rail } = await startPrompt()
    provider.decline(reference)
    expect(await rail.check(http, asked)).toMatchObject({ status: 'failed' })
    provider.pay(reference)
    expect(await rail.check(http, asked)).toMatchObject({ status: 'paid' })
  })

  test('reads a result that is a number', async () => {
    const { query: asked, rail } = await startPrompt()
    provider.loopback.scriptedReplies.push({
      status: 200,
      body: { ResponseCode: '0', CheckoutRequestID: asked.providerRef, ResultCode: 0 },
    })
    expect(await rail.check(http, asked)).toMatchObject({ status: 'paid' })
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
  ])('and being answered %i %j tells nothing, early or late', async ([status, body]) => {
    const rail = open()
    const asked = queryOf(order(), 'ws_CO_1')
    const late = new ManualClock()
    late.advance({ days: 3 })
    for (const each of [http, testHttp(late)]) {
      provider.loopback.scriptedReplies.push({ status, body })
      expect(await rail.check(each, asked)).toMatchObject({ status: 'unknown' })
    }
  })

  test.for(['down', 'silent', 'garbage', 'reject'] as const)(
    'a line that is %s tells nothing about what was paid',
    async (kind) => {
      const { reference, query: asked, rail } = await startPrompt()
      provider.pay(reference)
      provider.fault(kind)
      expect(await rail.check(http, asked)).toMatchObject({ status: 'unknown' })
      provider.heal()
      expect(await rail.check(http, asked)).toMatchObject({ status: 'paid' })
    },
  )

  test('with keys that are no longer good tells nothing', async () => {
    const { query: asked } = await startPrompt()
    const rail = open({ DARAJA_CONSUMER_SECRET: 'wrong' })
    expect(await rail.check(http, asked)).toMatchObject({ status: 'unknown' })
  })
})

describe('a message', () => {
  const hear = (body: string) => open().parseWebhook({ raw: Buffer.from(body), headers: {} })
  const callback = (fields: object) => JSON.stringify({ Body: { stkCallback: fields } })

  test('names the prompt, and is the same when it is repeated', async () => {
    const { reference, query: asked } = await startPrompt()
    provider.pay(reference)
    const paid = {
      about: { providerRef: asked.providerRef },
      eventKey: `${asked.providerRef}:0`,
      kind: 'stkCallback 0',
    }
    expect(hear(provider.message(reference).body)).toEqual(paid)
    expect(hear(provider.message(reference).body)).toEqual(paid)
    provider.decline(reference)
    expect(hear(provider.message(reference).body)).toMatchObject({ eventKey: `${asked.providerRef}:1032` })
  })

  test('may have a result in letters', () => {
    expect(hear(callback({ CheckoutRequestID: 'ws_CO_1', ResultCode: 'SFC_IC0003' }))).toMatchObject({
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
  ])('that is %j is about nothing, and never called forged', (body) => {
    expect(hear(body)).toBe('nothing')
  })

  test('of bytes that are no text is about nothing', () => {
    expect(open().parseWebhook({ raw: Buffer.from([0xff, 0xfe, 0x00]), headers: {} })).toBe('nothing')
  })

  test('is acknowledged in the words that are expected', () => {
    expect(open().acknowledgement).toEqual({
      contentType: 'application/json',
      text: '{"ResultCode":0,"ResultDesc":"Accepted"}',
    })
  })
})
