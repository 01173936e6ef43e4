// Accounts per provider and country: offered channels, account selection and startup checks.

import { type FakeMomo, startFakeMomo } from '@cowrie/testkit/fakes/payments/momo.ts'
import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { postedAmounts } from '@cowrie/testkit/payments/payment-fixture.ts'
import { customer, topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Currency } from '../../kernel/money.ts'
import { railProblems } from './accounts.ts'
import { paystackSignature } from './paystack/webhook.ts'

let paystack: FakePaystack
let uganda: FakeMomo
let benin: FakeMomo
let server: TestServer

/** Renames the variables of a fake to those of a country account. */
const as = (country: string, { variables }: { variables: Record<string, string> }, ...without: string[]) =>
  Object.fromEntries(
    Object.entries(variables)
      .filter(([name]) => !without.includes(name))
      .map(([name, value]) => [`${name}_${country}`, value]),
  )

beforeAll(async () => {
  paystack = await startFakePaystack()
  uganda = await startFakeMomo({ target: 'mtnuganda', currency: 'UGX' })
  benin = await startFakeMomo({ target: 'mtnbenin', currency: 'XOF' })
  const { PAYSTACK_SECRET_KEY = '', PAYSTACK_BASE_URL = '' } = paystack.variables
  server = await startTestServer({
    variables: {
      PAYSTACK_SECRET_KEY: 'sk_live_nigeria',
      PAYSTACK_SECRET_KEY_GH: PAYSTACK_SECRET_KEY,
      PAYSTACK_BASE_URL,
      ...uganda.variables,
      ...as('BJ', benin, 'MOMO_TARGET_ENVIRONMENT'),
      OPAY_MERCHANT_ID: '1',
      OPAY_PUBLIC_KEY: '2',
      OPAY_SECRET_KEY: '3',
      SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1',
    },
  })
})
afterAll(async () => {
  await server.close()
  await Promise.all([paystack, uganda, benin].map((fake) => fake.close()))
})

type Channels = { channels: { channel: string; mode: string }[] }
type Rails = { rails: { rail: string; accounts: { account: string }[] }[] }

const channelsOf = async (currency: Currency): Promise<string[]> => {
  const { body } = await server.call<Channels>('GET', '/wallet/channels', {
    as: await customer(server, currency),
  })
  return body.channels.filter(({ mode }) => mode === 'live').map(({ channel }) => channel)
}

describe('a channel is listed as live only if an account supports the currency', () => {
  test.for<[Currency, string[]]>([
    ['NGN', ['ussd', 'card', 'opay']],
    ['GHS', ['mtn_momo', 'telecel_cash', 'airteltigo', 'card']],
    ['UGX', ['mtn_momo']],
    ['XOF', ['mtn_momo']],
    ['KES', []],
    ['ZAR', []],
    ['EGP', []],
    ['RWF', []],
    ['XAF', []],
  ])('%s: %j', async ([currency, channels]) => {
    expect(await channelsOf(currency)).toEqual(channels)
  })
})

describe('400', () => {
  test.for<[Currency, string]>([
    ['KES', 'card'],
    ['RWF', 'mtn_momo'],
    ['EGP', 'opay'],
  ])('%s by %s without an account for it names the supported channels', async ([currency, channel]) => {
    const person = await customer(server, currency)
    const phone = currency === 'RWF' ? '+250781234567' : undefined
    const reply = await topUp(server, person, { amountMinor: 10_000n, channel, phone })
    const { body } = await server.call<Channels>('GET', '/wallet/channels', { as: person })
    const offered = body.channels.map((each) => each.channel)
    expect(reply).toMatchObject({ status: 400, body: { code: 'channel_not_available', channels: offered } })
    for (const name of offered) expect(JSON.stringify(reply.body)).toContain(name)
  })

  test('a phone of a country without an account is refused with the accepted numbers', async () => {
    const person = await customer(server, 'XOF')
    const reply = await topUp(server, person, {
      ...{ amountMinor: 1_000n, channel: 'mtn_momo', phone: '+2250512345678' },
    })
    expect(reply).toMatchObject({ status: 400, body: { fields: [{ path: 'phone' }] } })
    expect(reply.body.fields?.[0]?.message).toContain('+229')
  })
})

describe('a payment', () => {
  test('uses the account of its currency, also for status queries', async () => {
    const person = await customer(server, 'XOF')
    const input = { amountMinor: 1_000n, channel: 'mtn_momo', phone: '+2290161234567' }
    const { reference } = (await topUp(server, person, input)).body
    expect(benin.orders.map((order) => order.reference)).toContain(reference)
    expect(uganda.orders).toEqual([])
    const row = await server.sql.one`select rail, account from payments where reference = ${reference}`
    expect(row).toEqual({ rail: 'momo', account: 'BJ' })
    benin.pay(reference)
    await server.call('POST', '/wallet/verify', { as: person, body: { reference } })
    expect(await postedAmounts(server, reference)).toEqual([1_000n])
  })

  test('is settled by a webhook signed with the key of any account of its provider', async () => {
    const person = await customer(server, 'GHS')
    const { reference } = (await topUp(server, person, { amountMinor: 5_000n, channel: 'card' })).body
    paystack.pay(reference)
    const { body } = paystack.message(reference)
    const post = (secret: string) =>
      server.call('POST', '/webhooks/card_provider', {
        headers: {
          'content-type': 'application/json',
          'x-paystack-signature': paystackSignature(body, secret),
        },
        raw: body,
      })
    expect(await post('sk_live_nobody')).toMatchObject({ status: 401 })
    expect(await post(paystack.variables.PAYSTACK_SECRET_KEY ?? '')).toMatchObject({ status: 200 })
    await server.app.jobs.drain()
    expect(await postedAmounts(server, reference)).toEqual([5_000n])
  })
})

describe('startup rejects', () => {
  test.for<[what: string, variables: Record<string, string>, problem: RegExp]>([
    ['an incomplete account', { MOMO_API_USER_UG: 'x' }, /MOMO_SUBSCRIPTION_KEY_UG is not set/],
    [
      'a country without accounts',
      { PAYSTACK_SECRET_KEY_UG: 'sk_live_1' },
      /no accounts in UG; use one of NG, GH/,
    ],
    ['a suffix for a provider with one account', { OZOW_SITE_CODE_ZA: 'x' }, /remove the suffix _ZA/],
    [
      'an unknown country',
      { PAYSTACK_SECRET_KEY: 'sk_live_1', PAYSTACK_COUNTRY: 'XX' },
      /PAYSTACK_COUNTRY must be/,
    ],
    [
      'two accounts in one country',
      { PAYSTACK_SECRET_KEY: 'sk_live_1', PAYSTACK_SECRET_KEY_NG: 'sk_live_2' },
      /both accounts in NG/,
    ],
  ])('%s', ([, variables, problem]) => {
    expect(railProblems(variables).join(' ')).toMatch(problem)
  })
})

test('staff see the health of every account and never a key', async () => {
  const operator = await server.person({ staff: 'operator' })
  const read = async () => (await server.call<Rails>('GET', '/admin/rails', { as: operator })).body
  const person = await customer(server, 'GHS')
  paystack.fault('down')
  await topUp(server, person, { amountMinor: 5_000n, channel: 'card' })
  paystack.heal()
  const accountsIn = (body: Rails) => body.rails.find(({ rail }) => rail === 'paystack')?.accounts
  const failed = await read()
  expect(accountsIn(failed)).toMatchObject([
    { account: 'NG', currencies: ['NGN', 'USD'], keys: 'live', circuit: 'closed', lastSuccessAt: null },
    { account: 'GH', lastFailureAt: expect.anything(), lastFailureReason: 'It answered with status 503.' },
  ])
  server.clock.advance({ minutes: 1 })
  await topUp(server, person, { amountMinor: 5_000n, channel: 'card' })
  const healed = await read()
  expect(accountsIn(healed)?.[1]).toMatchObject({ lastSuccessAt: expect.anything() })
  expect(JSON.stringify(healed)).not.toContain('sk_live')
})

test('staff see the open circuit of an account whose provider does not answer', async () => {
  const operator = await server.person({ staff: 'operator' })
  const person = await customer(server, 'GHS')
  const { reference } = (await topUp(server, person, { amountMinor: 5_000n, channel: 'card' })).body
  const staff = await server.person({ staff: 'billing' })
  paystack.fault('down')
  for (let i = 0; i < 5; i++)
    await server.call('POST', `/admin/payments/${reference}/check`, { as: staff, body: {} })
  paystack.heal()
  const { body } = await server.call<Rails>('GET', '/admin/rails', { as: operator })
  const found = body.rails.find(({ rail }) => rail === 'paystack')
  expect(found?.accounts).toMatchObject([
    { account: 'NG', circuit: 'closed' },
    { account: 'GH', circuit: 'open' },
  ])
})
