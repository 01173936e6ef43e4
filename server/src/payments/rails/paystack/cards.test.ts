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
const rail = () => present(paystack.open(provider.variables), 'the rail is configured')

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
  test('is read from the reply', () => {
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
    ['numeric fields', { exp_month: 8, exp_year: 2030 }, { expMonth: 8, expYear: 2030 }],
    ['no bank', { bank: '' }, { bank: null }],
    ['an invalid bank', { bank: 7 }, { bank: null }],
    ['no brand', { brand: null }, { brand: 'Mastercard' }],
    ['an unusual brand', { brand: 'afrigo' }, { brand: 'afrigo' }],
    ['no brand at all', { brand: null, card_type: null }, { brand: 'Card' }],
    ['capitals', { brand: 'VISA' }, { brand: 'Visa' }],
    ['a string instead of true', { reusable: 'true' }, { isReusable: false }],
    ['a missing boolean', { reusable: undefined }, { isReusable: false }],
  ])('can have %s', ([, fields, expected]) => {
    expect(readCard({ ...AUTHORIZATION, ...fields })).toMatchObject(expected)
  })

  test.for<[string, unknown]>([
    ['nothing', undefined],
    ['a string', ''],
    ['an account instead of a card', { ...AUTHORIZATION, channel: 'bank' }],
    ['no code', { ...AUTHORIZATION, authorization_code: '' }],
    ['no signature', { ...AUTHORIZATION, signature: null }],
    ['incomplete digits', { ...AUTHORIZATION, last4: '77' }],
    ['month 13', { ...AUTHORIZATION, exp_month: '13' }],
    ['a two-digit year', { ...AUTHORIZATION, exp_year: '30' }],
  ])('is ignored with %s', ([, fields]) => {
    expect(readCard(fields)).toBeNull()
  })

  test('does not change the status of its payment', async () => {
    const order = testOrder()
    await rail().start(http, order)
    provider.pay(order.reference)
    const checkStatus = () => rail().check(http, queryOf(order))
    expect(await checkStatus()).toMatchObject({ status: 'paid', card: { last4: '4081', isReusable: true } })
    provider.override(order.reference, { authorization: { last4: ['x'] } })
    expect(await checkStatus()).toMatchObject({ status: 'paid', amountMinor: order.amountMinor })
    expect(await checkStatus()).not.toHaveProperty('card')
  })
})

/** Charges a card that paid on the page before. */
async function chargeOf(changes: Partial<CardCharge> = {}): Promise<CardCharge> {
  const order = testOrder()
  await rail().start(http, order)
  provider.cards.payWith(order.reference)
  const checkStatus = await rail().check(http, queryOf(order))
  const card = checkStatus.status === 'paid' ? checkStatus.card : undefined
  const { email } = order
  const authorizationCode = present(card, 'a paid page shows its card').authorizationCode
  return { ...testOrder({ amountMinor: 950_000n }), email, authorizationCode, ...changes }
}
const charge = async (changes: Partial<CardCharge> = {}) => rail().chargeCard(http, await chargeOf(changes))

describe('charging a stored card', () => {
  test('sends the authorization and is processed', async () => {
    const charge = await chargeOf()
    expect(await rail().chargeCard(http, charge)).toEqual({ outcome: 'answered' })
    const { path, raw } = present(provider.requests.at(-1), 'it was asked')
    expect(path).toBe('/transaction/charge_authorization')
    expect(JSON.parse(raw)).toEqual({
      authorization_code: charge.authorizationCode,
      email: charge.email,
      amount: 950_000,
      currency: 'NGN',
      reference: charge.reference,
    })
    const asked = { ...queryOf(testOrder()), reference: charge.reference }
    expect(await rail().check(http, asked)).toMatchObject({ status: 'paid', amountMinor: 950_000n })
  })

  test('sends hundredths for a currency without decimals', async () => {
    await charge({ currency: 'XOF', amountMinor: 5_000n })
    expect(JSON.parse(provider.requests.at(-1)?.raw ?? '')).toMatchObject({ amount: 500_000 })
  })

  test('with the same reference charges nothing and needs a status query', async () => {
    const charge = await chargeOf()
    const before = provider.cards.charges.length
    await rail().chargeCard(http, charge)
    expect(await rail().chargeCard(http, charge)).toEqual({ outcome: 'answered' })
    expect(provider.cards.charges).toHaveLength(before + 1)
  })

  test('that needs the confirmation of the customer is not paid', async () => {
    provider.cards.behave('4081', { does: 'asks' })
    const charge = await chargeOf()
    expect(await rail().chargeCard(http, charge)).toEqual({
      outcome: 'challenged',
      authorizationUrl: `https://checkout.paystack.com/resume/${charge.reference}`,
    })
    const asked = { ...queryOf(testOrder()), reference: charge.reference }
    expect(await rail().check(http, asked)).toMatchObject({ status: 'pending' })
  })

  test('that failed or is pending needs a status query', async () => {
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
  ])('that is refused with %s is declined', async ([message, reason, isFinal]) => {
    provider.cards.behave('4081', { does: 'refuses', message })
    expect(await charge()).toMatchObject({ outcome: 'declined', reason, isFinal })
  })

  test('with another email address or a deleted authorization is declined finally', async () => {
    const reason = 'The card cannot be charged any more; add it again.'
    expect(await charge({ email: 'else@example.com' })).toMatchObject({ outcome: 'declined', reason })
    expect(await charge({ authorizationCode: 'AUTH_gone' })).toMatchObject({
      ...{ outcome: 'declined', reason, isFinal: true },
    })
  })

  test.for<[string, { status: number; body: object | string }]>([
    ['a wrong key', { status: 401, body: { status: false, message: 'Invalid key' } }],
    ['a rate limit', { status: 429, body: { status: false, message: 'Too many' } }],
    ['a failure of Paystack', { status: 500, body: { status: false, message: 'Oops' } }],
    ['no charge in the reply', { status: 200, body: { status: true, message: 'Charge attempted' } }],
    [
      'an invalid page',
      {
        status: 200,
        body: { status: true, message: '', data: { paused: true, authorization_url: 'javascript:1' } },
      },
    ],
  ])('is unknown after %s', async ([, reply]) => {
    const charge = await chargeOf()
    provider.scriptedReplies.push(reply)
    expect(await rail().chargeCard(http, charge)).toMatchObject({ outcome: 'unknown' })
  })

  test.for(['down', 'garbage', 'silent'] as const)('is unknown when the provider is %s', async (fault) => {
    const charge = await chargeOf()
    provider.fault(fault)
    expect(await rail().chargeCard(http, charge)).toMatchObject({ outcome: 'unknown' })
  })
})

describe('deleting a card', () => {
  test('makes it unusable and is idempotent', async () => {
    const charge = await chargeOf()
    expect(await rail().deleteCard(http, charge.authorizationCode)).toBe(true)
    expect(await rail().deleteCard(http, charge.authorizationCode)).toBe(true)
    expect(await rail().chargeCard(http, charge)).toMatchObject({ outcome: 'declined', isFinal: true })
    expect(await rail().deleteCard(http, 'AUTH_never_seen')).toBe(true)
  })

  test.for(['down', 'garbage', 'silent'] as const)(
    'is not confirmed while the provider is %s',
    async (fault) => {
      const { authorizationCode } = await chargeOf()
      provider.fault(fault)
      expect(await rail().deleteCard(http, authorizationCode)).toBe(false)
    },
  )

  test('is not confirmed if the provider rejects our key', async () => {
    const { authorizationCode } = await chargeOf()
    provider.scriptedReplies.push({ status: 401, body: { status: false, message: 'Invalid key' } })
    expect(await rail().deleteCard(http, authorizationCode)).toBe(false)
  })
})
