import { startFakeMomo } from '@cowrie/testkit/fakes/payments/momo.ts'
import { shortTimeoutHttp } from '@cowrie/testkit/payments/http-client.ts'
import {
  calls,
  http,
  open,
  order,
  provider,
  startRequest,
  useFakeMomo,
} from '@cowrie/testkit/payments/momo-fixture.ts'
import { queryOf } from '@cowrie/testkit/payments/order-fixture.ts'
import { describe, expect, test } from 'vitest'
import type { Order } from '../rail.ts'
import { requestIdOf } from '../request.ts'
import { momo } from './momo.ts'

useFakeMomo()

const PATH = '/collection/v1_0/requesttopay'
const TOKEN = '/collection/token/'

describe('open', () => {
  test('needs no variables or all of them', () => {
    expect(momo.open({})).toBeNull()
    expect(momo.open({ MOMO_BASE_URL: 'https://proxy.momoapi.mtn.com' })).toBeNull()
    expect(() => open({ MOMO_API_KEY: '', MOMO_TARGET_ENVIRONMENT: undefined })).toThrow(
      'MOMO_API_KEY is not set. MOMO_TARGET_ENVIRONMENT is not set.',
    )
  })

  test('rejects an unknown market and an invalid URL', () => {
    expect(() => open({ MOMO_TARGET_ENVIRONMENT: 'mtnatlantis' })).toThrow('MOMO_TARGET_ENVIRONMENT')
    expect(() => open({ MOMO_BASE_URL: 'nowhere' })).toThrow('MOMO_BASE_URL')
  })

  test('uses test mode for the sandbox', () => {
    expect(open().keys).toBe('live')
    expect(open({ MOMO_BASE_URL: undefined }).keys).toBe('live')
    expect(open({ MOMO_TARGET_ENVIRONMENT: 'sandbox' }).keys).toBe('test')
    expect(open({ MOMO_BASE_URL: 'https://sandbox.momodeveloper.mtn.com' }).keys).toBe('test')
  })
})

describe('the request id', () => {
  test('has the format of a random UUID and is stable', () => {
    expect(requestIdOf('tp00000000000000000000000001')).toBe(requestIdOf('tp00000000000000000000000001'))
    // The first 16 bytes of a SHA-256 with the bits of a UUID version 4.
    expect(requestIdOf('abc')).toBe('ba7816bf-8f01-4fea-8141-40de5dae2223')
    for (let i = 0; i < 200; i++)
      expect(requestIdOf(`tp${i}`)).toMatch(
        /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      )
  })

  test('differs for another reference', () => {
    expect(new Set(Array.from({ length: 200 }, (_, i) => requestIdOf(`tp${i}`))).size).toBe(200)
  })
})

describe('a request', () => {
  test('sends a string in major units and the webhook URL', async () => {
    const placed = order({ description: 'Cowrie: “top-up” №1' })
    expect(await open().start(http, placed)).toEqual({
      outcome: 'accepted',
      providerRef: requestIdOf(placed.reference),
      handOff: { displayText: 'Approve USh1,500 with your MoMo PIN on the phone ending in 456.' },
    })
    expect(provider.requests.at(-1)).toEqual({
      id: requestIdOf(placed.reference),
      callbackUrl: placed.notifyUrl,
      amount: '1500',
      currency: 'UGX',
      externalId: placed.reference,
      payer: { partyIdType: 'MSISDN', partyId: '256772123456' },
      payerMessage: 'Cowrie top-up 1',
      payeeNote: placed.reference,
    })
  })

  test('has a short description without unsupported characters', async () => {
    await open().start(http, order({ description: '充值' }))
    expect(provider.requests.at(-1)?.payerMessage).toBe('Top-up')
    await open().start(http, order({ description: 'x'.repeat(500) }))
    expect(provider.requests.at(-1)?.payerMessage).toBe('x'.repeat(160))
  })

  test.for([
    ['mtnghana', 'GHS', 10_50n, '10.50'],
    ['mtnzambia', 'ZMW', 5n, '0.05'],
    ['mtnivorycoast', 'XOF', 100n, '100'],
    ['mtnbenin', 'XOF', 100n, '100'],
    ['mtncameroon', 'XAF', 2_000_000n, '2000000'],
    ['mtncongo', 'XAF', 100n, '100'],
    ['mtnrwanda', 'RWF', 100n, '100'],
    ['mtnguineaconakry', 'GNF', 20_000_000n, '20000000'],
  ] as const)('in %s for %s writes %d as %s', async ([target, currency, amountMinor, amount]) => {
    const market = await startFakeMomo({ target, currency })
    const placed = order({ currency, amountMinor })
    const rail = open(market.variables)
    expect(await rail.start(http, placed)).toMatchObject({ outcome: 'accepted' })
    expect(market.orders).toMatchObject([{ reference: placed.reference, amount, currency }])
    market.pay(placed.reference)
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'paid', amountMinor, currency })
    await market.close()
  })

  test.for<[string, Partial<Order>, string]>([
    ['the currency of another market', { currency: 'GHS' }, 'MTN Mobile Money takes UGX here, not GHS.'],
    ['nobody', { phone: null }, 'MTN Mobile Money needs a phone number'],
    ['a number without country code', { phone: '0772123456' }, 'MTN Mobile Money needs a phone number'],
    ['an invalid number', { phone: '+256-772-123456' }, 'MTN Mobile Money needs a phone number'],
  ])('for %s is rejected without a call', async ([, changes, reason]) => {
    const before = provider.loopback.requests.length
    expect(await open().start(http, order(changes))).toEqual({
      outcome: 'rejected',
      reason: expect.stringContaining(reason),
    })
    expect(provider.loopback.requests).toHaveLength(before)
  })

  test('that is repeated is reported as known and exists once', async () => {
    const { placed, rail } = await startRequest()
    expect(await rail.start(http, placed)).toEqual({ outcome: 'known' })
    expect(provider.orders.filter(({ reference }) => reference === placed.reference)).toHaveLength(1)
  })

  test.for<[number, object | string, RegExp]>([
    [500, { code: 'PAYER_NOT_FOUND', message: 'Payee does not exist' }, /no MoMo account/],
    [500, { code: 'NOT_ALLOWED' }, /may not make/],
    [500, { code: 'PAYER_LIMIT_REACHED' }, /limit/],
    [500, { code: 'PAYEE_NOT_FOUND' }, /not available/],
    [500, { code: 'PAYEE_NOT_ALLOWED_TO_RECEIVE' }, /not available/],
    [500, { code: 'NOT_ALLOWED_TARGET_ENVIRONMENT' }, /not available/],
    [500, { code: 'INVALID_CALLBACK_URL_HOST' }, /not available/],
    [500, { code: 'INVALID_CURRENCY' }, /not available/],
    [400, { code: 'SOMETHING_NEW' }, /not available/],
    [400, '', /not available/],
    [403, { statusCode: 403, message: 'Out of call volume quota.' }, /not available/],
    [429, { statusCode: 429, message: 'Rate limit is exceeded.' }, /not available/],
  ])('with the reply %i %j is rejected with a plain reason', async ([status, body, reason]) => {
    provider.loopback.scriptedReplies.push({ status, body })
    const started = await open().start(http, order())
    const { code, message } = typeof body === 'string' ? {} : (body as Record<string, string>)
    const detail = [status, code ?? message].filter(Boolean).join(', ')
    const isOfPayer = /^(PAYER_|NOT_ALLOWED$|SOMETHING_NEW)/.test(code ?? '')
    expect(started).toEqual({
      ...{ outcome: 'rejected', reason: expect.stringMatching(reason), detail },
      ...(!isOfPayer && { isAccountProblem: true }),
    })
  })

  test.for<[number, object | string]>([
    [200, {}],
    [200, '<html>Request Rejected</html>'],
    [403, '<html>Forbidden</html>'],
    [429, { statusCode: 500, message: 'Internal server error' }],
    [500, { code: 'INTERNAL_PROCESSING_ERROR' }],
    [500, { code: 'SERVICE_UNAVAILABLE' }],
    [500, { statusCode: 500, message: 'Internal server error' }],
    [500, ''],
    [502, 'Bad gateway'],
  ])('with the reply %i %j has an unknown outcome', async ([status, body]) => {
    provider.loopback.scriptedReplies.push({ status, body })
    expect(await open().start(http, order())).toMatchObject({ outcome: 'unknown' })
  })

  test.for(['down', 'silent', 'garbage'] as const)(
    'to a provider that is %s is unknown and sent once',
    async (kind) => {
      const before = calls(PATH)
      provider.fault(kind)
      // An accepted request never has status 200, so the unreadable reply is unknown.
      expect(await open().start(http, order())).toMatchObject({ outcome: 'unknown' })
      expect(calls(PATH) - before).toBe(kind === 'down' ? 0 : 1)
    },
  )

  test('with a lost reply is found as paid and reported as known', async () => {
    const placed = order()
    const rail = open()
    provider.fault('silent')
    expect(await rail.start(http, placed)).toMatchObject({ outcome: 'unknown' })
    provider.heal()
    expect(await rail.start(http, placed)).toEqual({ outcome: 'known' })
    provider.pay(placed.reference)
    expect(await rail.check(http, queryOf(placed))).toMatchObject({ status: 'paid', amountMinor: 1_500n })
  })

  test('that times out is unknown', async () => {
    const { rail } = await startRequest()
    provider.loopback.scriptedReplies.push('never')
    expect(await rail.start(shortTimeoutHttp(), order())).toMatchObject({ outcome: 'unknown' })
  })

  test.for([{ MOMO_SUBSCRIPTION_KEY: 'wrong' }, { MOMO_API_USER: 'wrong' }, { MOMO_API_KEY: 'wrong' }])(
    'with %j is rejected without mentioning our keys',
    async (variables) => {
      expect(await open(variables).start(http, order())).toEqual({
        outcome: 'rejected',
        reason: 'MTN Mobile Money payments are not available at the moment.',
        detail: expect.any(String),
        isAccountProblem: true,
      })
    },
  )
})

describe('the access token', () => {
  test('is cached for many calls and renewed when the provider rejects it', async () => {
    const before = calls(TOKEN)
    const { query, rail } = await startRequest()
    expect(await rail.check(http, query)).toMatchObject({ status: 'pending' })
    expect(calls(TOKEN) - before).toBe(1)
    provider.expireTokens()
    expect(await rail.check(http, query)).toMatchObject({ status: 'pending' })
    expect(calls(TOKEN) - before).toBe(2)
  })

  test('that is rejected twice is not renewed again', async () => {
    const before = calls(PATH)
    const refusal = { status: 401, body: '' }
    provider.loopback.scriptedReplies.push(refusal, refusal, refusal)
    expect(await open().start(http, order())).toMatchObject({ outcome: 'rejected' })
    expect(calls(PATH) - before).toBe(2)
  })
})
