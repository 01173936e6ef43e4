import {
  calls,
  errorBody,
  http,
  open,
  order,
  provider,
  startPrompt,
} from '@cowrie/testkit/payments/daraja-fixture.ts'
import { shortTimeoutHttp, testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../../kernel/clock.ts'
import type { Order } from '../rail.ts'
import { daraja, passwordOf } from './daraja.ts'

const PUSH = '/mpesa/stkpush/v1/processrequest'
const TOKEN = '/oauth/v1/generate'

describe('opening', () => {
  test('needs nothing where nothing is set, and all of its keys otherwise', () => {
    expect(daraja.open({})).toBeNull()
    expect(daraja.open({ DARAJA_BASE_URL: 'https://sandbox.safaricom.co.ke' })).toBeNull()
    expect(() => open({ DARAJA_PASSKEY: '', DARAJA_CONSUMER_SECRET: undefined })).toThrow(
      'DARAJA_CONSUMER_SECRET is not set. DARAJA_PASSKEY is not set.',
    )
  })

  test.for([
    [{ DARAJA_BASE_URL: 'nowhere' }, 'DARAJA_BASE_URL'],
    [{ DARAJA_TRANSACTION_TYPE: 'CustomerPaysTwice' }, 'DARAJA_TRANSACTION_TYPE'],
    [{ DARAJA_TRANSACTION_TYPE: 'CustomerBuyGoodsOnline' }, 'DARAJA_TILL'],
    [{ DARAJA_TRANSACTION_TYPE: 'CustomerPayBillOnline', DARAJA_TILL: '567890' }, 'DARAJA_TILL'],
  ] as const)('with %j is refused by the name of what is wrong', ([variables, name]) => {
    expect(() => open(variables)).toThrow(name)
  })

  test('the sandbox and its public shortcode are play money', () => {
    expect(open().keys).toBe('live')
    expect(open({ DARAJA_BASE_URL: undefined }).keys).toBe('live')
    expect(open({ DARAJA_BASE_URL: 'https://sandbox.safaricom.co.ke/' }).keys).toBe('test')
    expect(open({ DARAJA_SHORTCODE: '174379' }).keys).toBe('test')
  })
})

describe('a prompt', () => {
  test('has a password by the published rule', () => {
    expect(passwordOf('174379', 'PASSKEY', '20260102030405')).toBe('MTc0Mzc5UEFTU0tFWTIwMjYwMTAyMDMwNDA1')
  })

  test('asks for whole shillings, in the time of Nairobi, and says where to answer', async () => {
    const clock = new ManualClock('2026-12-31T22:04:05.678Z')
    const placed = order({ description: 'Cowrie: top-up of a wallet' })
    expect(await open().start(testHttp(clock), placed)).toEqual({
      outcome: 'accepted',
      providerRef: provider.orders.at(-1)?.providerRef,
      handOff: { displayText: 'Enter your M-Pesa PIN on the phone ending in 678 to pay KSh1,500.00.' },
    })
    expect(provider.pushes.at(-1)).toEqual({
      Timestamp: '20270101010405',
      TransactionType: 'CustomerPayBillOnline',
      Amount: 1500,
      PartyA: '254712345678',
      PartyB: '600999',
      PhoneNumber: '254712345678',
      CallBackURL: placed.notifyUrl,
      AccountReference: placed.reference.slice(-12),
      TransactionDesc: 'Cowrie top-up',
    })
  })

  test('pays a till where there is one', async () => {
    await startPrompt(open({ DARAJA_TILL: '567890' }))
    expect(provider.pushes.at(-1)).toMatchObject({
      TransactionType: 'CustomerBuyGoodsOnline',
      PartyB: '567890',
    })
  })

  test.for<[string, Partial<Order>, RegExp]>([
    ['another currency', { currency: 'UGX' }, /Kenyan shillings/],
    ['cents', { amountMinor: 1_500_50n }, /whole shillings/],
    ['nothing', { amountMinor: 0n }, /from 1 to 250,000/],
    ['more than allowed', { amountMinor: 250_001_00n }, /from 1 to 250,000/],
    ['no phone', { phone: null }, /Kenyan mobile number/],
    ['a phone from elsewhere', { phone: '+256772123456' }, /Kenyan mobile number/],
    ['a landline', { phone: '+254202345678' }, /Kenyan mobile number/],
    ['a word it hates in our address', { notifyUrl: 'https://a.example/hooks/mpesa' }, /notify us/],
    ['such a word inside a token', { notifyUrl: 'https://a.example/r/aQUERYz' }, /notify us/],
    ['half such a word inside a token', { notifyUrl: 'https://a.example/r/9eXe9' }, /notify us/],
  ])('for %s is turned away before anybody is called', async ([, changes, reason]) => {
    const before = provider.loopback.requests.length
    expect(await open().start(http, order(changes))).toMatchObject({
      outcome: 'rejected',
      reason: expect.stringMatching(reason),
    })
    expect(provider.loopback.requests).toHaveLength(before)
  })

  test.for([
    { amountMinor: 1_00n, phone: '+254110123456', Amount: 1 },
    { amountMinor: 250_000_00n, phone: '+254799999999', Amount: 250_000 },
  ])('may be for $Amount shillings, to $phone', async ({ Amount, ...changes }) => {
    expect(await open().start(http, order(changes))).toMatchObject({ outcome: 'accepted' })
    expect(provider.pushes.at(-1)).toMatchObject({ Amount })
  })

  test.for<[number, object, RegExp]>([
    [400, errorBody('400.002.02', 'Bad Request - Invalid PhoneNumber'), /does not know this phone/],
    [400, errorBody('400.002.02', 'Bad Request - Invalid Amount'), /not available/],
    [404, errorBody('404.001.01', 'Resource not found'), /not available/],
    [405, errorBody('405.001', 'Method not allowed'), /not available/],
    [
      500,
      errorBody('500.001.1001', 'Unable to lock subscriber, a transaction is already in process'),
      /two minutes/,
    ],
    [500, errorBody('500.001.1001', '[MerchantValidate] - Wrong credentials'), /not available/],
    [500, errorBody('500.001.1001', 'Merchant does not exist'), /not available/],
    [500, errorBody('500.003.02', 'Error Occurred: Spike Arrest Violation'), /is busy/],
    [500, errorBody('500.003.03', 'Error Occurred - Quota Violation'), /is busy/],
    [200, { ResponseCode: '1', ResponseDescription: 'Rejected' }, /not available/],
  ])('that is answered with %i %j is rejected, in plain words', async ([status, body, reason]) => {
    provider.loopback.scriptedReplies.push({ status, body })
    const started = await open().start(http, order())
    const { errorCode: code = '1' } = body as { errorCode?: string }
    const detail = expect.stringContaining(code)
    expect(started).toEqual({ outcome: 'rejected', reason: expect.stringMatching(reason), detail })
  })

  test.for<[number, object | string]>([
    [200, { ResponseCode: '0' }],
    [200, { ResponseCode: '0', CheckoutRequestID: '' }],
    [200, {}],
    [200, '<html>'],
    [403, '<html>Forbidden</html>'],
    [500, errorBody('500.001.1001', 'Something nobody has seen yet')],
    [500, errorBody('500.003.02', 'System is busy. Please try again in few minutes.')],
    [500, { ResponseCode: '0', CheckoutRequestID: 'ws_CO_1' }],
    [502, 'Bad gateway'],
  ])('that is answered with %i %j may have been sent: nobody knows', async ([status, body]) => {
    provider.loopback.scriptedReplies.push({ status, body })
    expect(await open().start(http, order())).toMatchObject({ outcome: 'unknown' })
  })

  test.for(['down', 'silent', 'garbage'] as const)(
    'into a line that is %s is unknown, and never sent twice',
    async (kind) => {
      const before = calls(PUSH)
      provider.fault(kind)
      expect(await open().start(http, order())).toMatchObject({ outcome: 'unknown' })
      expect(calls(PUSH) - before).toBe(kind === 'down' ? 0 : 1)
    },
  )

  test('that is not answered in time is unknown, and never sent twice', async () => {
    // It has its token by then, so that the prompt is all that it can wait for.
    const { rail } = await startPrompt()
    const before = calls(PUSH)
    provider.loopback.scriptedReplies.push('never')
    expect(await rail.start(shortTimeoutHttp(), order())).toMatchObject({ outcome: 'unknown' })
    expect(calls(PUSH) - before).toBe(1)
  })

  test('to nobody at all is unknown', async () => {
    const rail = open({ DARAJA_BASE_URL: 'http://127.0.0.1:1' })
    expect(await rail.start(http, order())).toMatchObject({ outcome: 'unknown' })
  })

  test.for([
    { DARAJA_CONSUMER_SECRET: 'wrong' },
    { DARAJA_PASSKEY: 'wrong' },
    { DARAJA_SHORTCODE: '600111' },
  ])('with %j is rejected without a word about our keys', async (variables) => {
    expect(await open(variables).start(http, order())).toEqual({
      outcome: 'rejected',
      reason: 'M-Pesa payments are not available at the moment.',
      detail: expect.any(String),
    })
  })
})

describe('the access token', () => {
  test('is borrowed once for many calls, and again when the provider forgot it', async () => {
    const before = calls(TOKEN)
    const { query: asked, rail } = await startPrompt()
    expect(await rail.check(http, asked)).toMatchObject({ status: 'pending' })
    expect(calls(TOKEN) - before).toBe(1)
    provider.expireTokens()
    expect(await rail.check(http, asked)).toMatchObject({ status: 'pending' })
    expect(calls(TOKEN) - before).toBe(2)
  })

  test.for([
    { status: 401, body: '' },
    { status: 400, body: errorBody('400.003.01', 'Invalid Access Token') },
  ])('that is refused with $status is replaced, and the prompt sent once', async (refusal) => {
    const before = provider.orders.length
    provider.loopback.scriptedReplies.push(refusal)
    await startPrompt()
    expect(provider.orders).toHaveLength(before + 1)
  })

  test('that is refused twice is not tried a third time', async () => {
    const before = calls(PUSH)
    const refusal = { status: 401, body: '' }
    provider.loopback.scriptedReplies.push(refusal, refusal, refusal)
    expect(await open().start(http, order())).toMatchObject({ outcome: 'rejected' })
    expect(calls(PUSH) - before).toBe(2)
  })
})
