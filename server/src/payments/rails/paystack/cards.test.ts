import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { testHttp } from '@cowrie/testkit/payments/http-client.ts'
import { queryOf, testOrder } from '@cowrie/testkit/payments/order-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../../kernel/assert.ts'
import type { CardCharge } from '../rail.ts'
import { readCard } from './cards.ts'
import { paystack } from './paystack.ts'

let provider: FakePaystack
const http = testHttp()
const rail = () => present(paystack.open(provider.variables), 'the stand-in has a key')

beforeAll(async () => {
  provider = await startFakePaystack()
})
afterEach(() => {
  provider.heal()
  provider.cards.behave('4081', { does: 'pays' })
})
afterAll(() => provider.close())

const AUTHORIZATION = {
  authorization_code: 'AUTH_8dfhjjdt',
  bin: '539999',
  last4: '8877',
  exp_month: '08',
  exp_year: '2030',
  channel: 'card',
  card_type: 'mastercard DEBIT',
  bank: 'Guaranty Trust Bank',
  country_code: 'NG',
  brand: 'mastercard',
  reusable: true,
  signature: 'SIG_idyuhgd87dUYSHO92D',
  account_name: null,
}

describe('a card that paid', () => {
  test('is known by what is said of it', () => {
    expect(readCard(AUTHORIZATION)).toEqual({
      authorizationCode: 'AUTH_8dfhjjdt',
      signature: 'SIG_idyuhgd87dUYSHO92D',
      isReusable: true,
      brand: 'Mastercard',
      last4: '8877',
      expMonth: 8,
      expYear: 2030,
      bank: 'Guaranty Trust Bank',
      country: 'NG',
    })
  })

  test.for<[string, object, object]>([
    ['numbers as numbers', { exp_month: 8, exp_year: 2030 }, { expMonth: 8, expYear: 2030 }],
    ['no bank', { bank: '' }, { bank: null }],
    ['a bank that is none', { bank: 7 }, { bank: null }],
    ['no brand', { brand: null }, { brand: 'Mastercard' }],
    ['a brand of its own', { brand: 'afrigo' }, { brand: 'afrigo' }],
    ['no brand at all', { brand: null, card_type: null }, { brand: 'Card' }],
    ['capitals', { brand: 'VISA' }, { brand: 'Visa' }],
    ['a text for yes', { reusable: 'true' }, { isReusable: false }],
    ['nothing for yes', { reusable: undefined }, { isReusable: false }],
  ])('may be said with %s', ([, said, seen]) => {
    expect(readCard({ ...AUTHORIZATION, ...said })).toMatchObject(seen)
  })

  test.for<[string, unknown]>([
    ['nothing', undefined],
    ['a text', ''],
    ['an account', { ...AUTHORIZATION, channel: 'bank' }],
    ['no code', { ...AUTHORIZATION, authorization_code: '' }],
    ['no signature', { ...AUTHORIZATION, signature: null }],
    ['half its digits', { ...AUTHORIZATION, last4: '77' }],
    ['a thirteenth month', { ...AUTHORIZATION, exp_month: '13' }],
    ['a year of two digits', { ...AUTHORIZATION, exp_year: '30' }],
  ])('is none with %s', ([, said]) => {
    expect(readCard(said)).toBeNull()
  })

  test('is no reason to read its payment otherwise', async () => {
    const order = testOrder()
    await rail().start(http, order)
    provider.pay(order.reference)
    const standing = () => rail().check(http, queryOf(order))
    expect(await standing()).toMatchObject({ status: 'paid', card: { last4: '4081', isReusable: true } })
    provider.override(order.reference, { authorization: { last4: ['x'] } })
    expect(await standing()).toMatchObject({ status: 'paid', amountMinor: order.amountMinor })
    expect(await standing()).not.toHaveProperty('card')
  })
})

/** A charge of a card that paid on the page before. */
async function chargeOf(changes: Partial<CardCharge> = {}): Promise<CardCharge> {
  const order = testOrder()
  await rail().start(http, order)
  provider.cards.payWith(order.reference)
  const standing = await rail().check(http, queryOf(order))
  const card = standing.status === 'paid' ? standing.card : undefined
  const { email } = order
  const authorizationCode = present(card, 'a paid page shows its card').authorizationCode
  return { ...testOrder({ amountMinor: 950_000n }), email, authorizationCode, ...changes }
}
const charge = async (changes: Partial<CardCharge> = {}) => rail().chargeCard(http, await chargeOf(changes))

describe('charging a stored card', () => {
  test('sends what charges it and is answered', async () => {
    const wanted = await chargeOf()
    expect(await rail().chargeCard(http, wanted)).toEqual({ outcome: 'answered' })
    const { path, raw } = present(provider.requests.at(-1), 'it was asked')
    expect(path).toBe('/transaction/charge_authorization')
    expect(JSON.parse(raw)).toEqual({
      authorization_code: wanted.authorizationCode,
      email: wanted.email,
      amount: 950_000,
      currency: 'NGN',
      reference: wanted.reference,
    })
    const asked = { ...queryOf(testOrder()), reference: wanted.reference }
    expect(await rail().check(http, asked)).toMatchObject({ status: 'paid', amountMinor: 950_000n })
  })

  test('counts hundredths of a currency that has none', async () => {
    await charge({ currency: 'XOF', amountMinor: 5_000n })
    expect(JSON.parse(provider.requests.at(-1)?.raw ?? '')).toMatchObject({ amount: 500_000 })
  })

  test('again under the same reference charges nothing, and is to be asked about', async () => {
    const wanted = await chargeOf()
    const before = provider.cards.charges.length
    await rail().chargeCard(http, wanted)
    expect(await rail().chargeCard(http, wanted)).toEqual({ outcome: 'answered' })
    expect(provider.cards.charges).toHaveLength(before + 1)
  })

  test('that the bank asks its customer about is not paid', async () => {
    provider.cards.behave('4081', { does: 'asks' })
    const wanted = await chargeOf()
    expect(await rail().chargeCard(http, wanted)).toEqual({
      outcome: 'challenged',
      authorizationUrl: `https://checkout.paystack.com/resume/${wanted.reference}`,
    })
    const asked = { ...queryOf(testOrder()), reference: wanted.reference }
    expect(await rail().check(http, asked)).toMatchObject({ status: 'pending' })
  })

  test('that failed or waits is answered: how it stands is asked', async () => {
    provider.cards.behave('4081', { does: 'declines', message: 'Do Not Honour' })
    expect(await charge()).toEqual({ outcome: 'answered' })
    provider.cards.behave('4081', { does: 'waits' })
    expect(await charge()).toEqual({ outcome: 'answered' })
  })

  test.for<[string, string, boolean]>([
    ['Expired card', 'The card has expired.', true],
    ['Stolen card, pick up', 'The payment was declined.', true],
    ['Insufficient Funds', 'There was not enough money in the account.', false],
    ['Issuer or switch inoperative', 'The payment was declined.', false],
  ])('that is refused with %s is declined', async ([saying, reason, isFinal]) => {
    provider.cards.behave('4081', { does: 'refuses', saying })
    expect(await charge()).toMatchObject({ outcome: 'declined', reason, isFinal })
  })

  test('for another address, or by a code that is gone, is declined for good', async () => {
    const reason = 'The card cannot be charged any more; add it again.'
    expect(await charge({ email: 'else@example.com' })).toMatchObject({ outcome: 'declined', reason })
    expect(await charge({ authorizationCode: 'AUTH_gone' })).toMatchObject({
      ...{ outcome: 'declined', reason, isFinal: true },
    })
  })

  test.for<[string, { status: number; body: object | string }]>([
    ['a wrong key of ours', { status: 401, body: { status: false, message: 'Invalid key' } }],
    ['our haste', { status: 429, body: { status: false, message: 'Too many' } }],
    ['a failure of theirs', { status: 500, body: { status: false, message: 'Oops' } }],
    ['no word about the charge', { status: 200, body: { status: true, message: 'Charge attempted' } }],
    [
      'a page that is none',
      {
        status: 200,
        body: { status: true, message: '', data: { paused: true, authorization_url: 'javascript:1' } },
      },
    ],
  ])('declines nothing because of %s', async ([, reply]) => {
    const wanted = await chargeOf()
    provider.scriptedReplies.push(reply)
    expect(await rail().chargeCard(http, wanted)).toMatchObject({ outcome: 'unknown' })
  })

  test.for(['down', 'garbage', 'silent'] as const)('is unknown when the provider is %s', async (fault) => {
    const wanted = await chargeOf()
    provider.fault(fault)
    expect(await rail().chargeCard(http, wanted)).toMatchObject({ outcome: 'unknown' })
  })
})

describe('forgetting a card', () => {
  test('makes it unusable, and may be asked for twice', async () => {
    const wanted = await chargeOf()
    expect(await rail().deleteCard(http, wanted.authorizationCode)).toBe(true)
    expect(await rail().deleteCard(http, wanted.authorizationCode)).toBe(true)
    expect(await rail().chargeCard(http, wanted)).toMatchObject({ outcome: 'declined', isFinal: true })
    expect(await rail().deleteCard(http, 'AUTH_never_seen')).toBe(true)
  })

  test.for(['down', 'garbage', 'silent'] as const)(
    'has not happened when the provider is %s',
    async (fault) => {
      const { authorizationCode } = await chargeOf()
      provider.fault(fault)
      expect(await rail().deleteCard(http, authorizationCode)).toBe(false)
    },
  )

  test('has not happened when the provider refuses our key', async () => {
    const { authorizationCode } = await chargeOf()
    provider.scriptedReplies.push({ status: 401, body: { status: false, message: 'Invalid key' } })
    expect(await rail().deleteCard(http, authorizationCode)).toBe(false)
  })
})
