import {
  calls,
  errorBody,
  http,
  open,
  order,
  provider,
  startPrompt,
  useFakeDaraja,
} from '@cowrie/testkit/payments/daraja-fixture.ts'
import { shortTimeoutHttp, testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../../kernel/clock.ts'
import type { Order } from '../rail.ts'
import { daraja, passwordOf } from './daraja.ts'

useFakeDaraja()

const PUSH = '/mpesa/stkpush/v1/processrequest'
const TOKEN = '/oauth/v1/generate'

describe('open', () => {
  test('needs no variables or all of them', () => {
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
    [{ DARAJA_C2B_SHORTCODE: 'six hundred' }, 'DARAJA_C2B_SHORTCODE'],
    [{ DARAJA_C2B_SHORTCODE: '600000', DARAJA_INITIATOR_NAME: 'apiop' }, 'DARAJA_SECURITY_CREDENTIAL'],
    [{ DARAJA_INITIATOR_NAME: 'apiop', DARAJA_SECURITY_CREDENTIAL: 'x' }, 'DARAJA_C2B_SHORTCODE'],
  ] as const)('rejects %j and names the problem', ([variables, name]) => {
    expect(() => open(variables)).toThrow(name)
  })

  test('uses test mode for the sandbox and its public shortcode', () => {
    expect(open().keys).toBe('live')
    expect(open({ DARAJA_BASE_URL: undefined }).keys).toBe('live')
    expect(open({ DARAJA_BASE_URL: 'https://sandbox.safaricom.co.ke/' }).keys).toBe('test')
    expect(open({ DARAJA_SHORTCODE: '174379' }).keys).toBe('test')
  })
})

describe('a prompt', () => {
  test('has the documented password', () => {
    expect(passwordOf('174379', 'PASSKEY', '20260102030405')).toBe('MTc0Mzc5UEFTU0tFWTIwMjYwMTAyMDMwNDA1')
  })

  test('sends whole shillings, Nairobi time and the webhook URL', async () => {
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

  test('pays a configured till', async () => {
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
    ['an amount above the limit', { amountMinor: 250_001_00n }, /from 1 to 250,000/],
    ['no phone', { phone: null }, /Kenyan mobile number/],
    ['a foreign phone', { phone: '+256772123456' }, /Kenyan mobile number/],
    ['a landline', { phone: '+254202345678' }, /Kenyan mobile number/],
    ['a forbidden word in the webhook URL', { notifyUrl: 'https://a.example/hooks/mpesa' }, /notify us/],
    ['a forbidden word inside a token', { notifyUrl: 'https://a.example/r/aQUERYz' }, /notify us/],
    ['a part of a forbidden word inside a token', { notifyUrl: 'https://a.example/r/9eXe9' }, /notify us/],
  ])('for %s is rejected without a call', async ([, changes, reason]) => {
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
  ])('accepts $Amount shillings and $phone', async ({ Amount, ...changes }) => {
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
  ])('with the reply %i %j is rejected with a plain reason', async ([status, body, reason]) => {
    provider.loopback.scriptedReplies.push({ status, body })
    const started = await open().start(http, order())
    const { errorCode: code = '1' } = body as { errorCode?: string }
    const detail = expect.stringContaining(code)
    const isOurs = /credentials|merchant does not|spike|quota|token/i.test(JSON.stringify(body))
    expect(started).toEqual({
      ...{ outcome: 'rejected', reason: expect.stringMatching(reason), detail },
      ...(isOurs && { isAccountProblem: true }),
    })
  })

  test.for<[number, object | string]>([
    [200, { ResponseCode: '0' }],
    [200, { ResponseCode: '0', CheckoutRequestID: '' }],
    [200, {}],
    [200, '<html>'],
    [403, '<html>Forbidden</html>'],
    [500, errorBody('500.001.1001', 'An undocumented error')],
    [500, errorBody('500.003.02', 'System is busy. Please try again in few minutes.')],
    [500, { ResponseCode: '0', CheckoutRequestID: 'ws_CO_1' }],
    [502, 'Bad gateway'],
  ])('with the reply %i %j has an unknown outcome', async ([status, body]) => {
    provider.loopback.scriptedReplies.push({ status, body })
    expect(await open().start(http, order())).toMatchObject({ outcome: 'unknown' })
  })

  test.for(['down', 'silent', 'garbage'] as const)(
    'to a provider that is %s is unknown and never sent twice',
    async (kind) => {
      const before = calls(PUSH)
      provider.fault(kind)
      expect(await open().start(http, order())).toMatchObject({ outcome: 'unknown' })
      expect(calls(PUSH) - before).toBe(kind === 'down' ? 0 : 1)
    },
  )

  test('that times out is unknown and never sent twice', async () => {
    // The token is cached by now, so only the prompt can time out.
    const { rail } = await startPrompt()
    const before = calls(PUSH)
    provider.loopback.scriptedReplies.push('never')
    expect(await rail.start(shortTimeoutHttp(), order())).toMatchObject({ outcome: 'unknown' })
    expect(calls(PUSH) - before).toBe(1)
  })

  test('to an unreachable host is unknown', async () => {
    const rail = open({ DARAJA_BASE_URL: 'http://127.0.0.1:1' })
    expect(await rail.start(http, order())).toMatchObject({ outcome: 'unknown' })
  })

  test.for([
    { DARAJA_CONSUMER_SECRET: 'wrong' },
    { DARAJA_PASSKEY: 'wrong' },
    { DARAJA_SHORTCODE: '600111' },
  ])('with %j is rejected without mentioning our keys', async (variables) => {
    expect(await open(variables).start(http, order())).toEqual({
      outcome: 'rejected',
      reason: 'M-Pesa payments are not available at the moment.',
      detail: expect.any(String),
      isAccountProblem: true,
    })
  })
})

describe('the access token', () => {
  test('is cached for many calls and renewed when the provider rejects it', async () => {
    const before = calls(TOKEN)
    const { query, rail } = await startPrompt()
    expect(await rail.check(http, query)).toMatchObject({ status: 'pending' })
    expect(calls(TOKEN) - before).toBe(1)
    provider.expireTokens()
    expect(await rail.check(http, query)).toMatchObject({ status: 'pending' })
    expect(calls(TOKEN) - before).toBe(2)
  })

  test.for([
    { status: 401, body: '' },
    { status: 400, body: errorBody('400.003.01', 'Invalid Access Token') },
  ])('that is rejected with $status is replaced, and the prompt is sent once', async (refusal) => {
    const before = provider.orders.length
    provider.loopback.scriptedReplies.push(refusal)
    await startPrompt()
    expect(provider.orders).toHaveLength(before + 1)
  })

  test('that is rejected twice is not renewed again', async () => {
    const before = calls(PUSH)
    const refusal = { status: 401, body: '' }
    provider.loopback.scriptedReplies.push(refusal, refusal, refusal)
    expect(await open().start(http, order())).toMatchObject({ outcome: 'rejected' })
    expect(calls(PUSH) - before).toBe(2)
  })
})
