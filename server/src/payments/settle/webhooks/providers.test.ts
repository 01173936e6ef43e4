// Webhooks of the other providers, at their named routes and their secret URLs.

import { type FakeDaraja, startFakeDaraja } from '@cowrie/testkit/fakes/payments/daraja.ts'
import type { FakeProvider } from '@cowrie/testkit/fakes/payments/fake-provider.ts'
import { type FakeMomo, startFakeMomo } from '@cowrie/testkit/fakes/payments/momo.ts'
import { type FakeOzow, startFakeOzow } from '@cowrie/testkit/fakes/payments/ozow.ts'
import { type FakePalmpay, startFakePalmpay } from '@cowrie/testkit/fakes/payments/palmpay.ts'
import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, type Reply, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { eventsOf, postedAmounts, readPayment } from '@cowrie/testkit/payments/payment-fixture.ts'
import { customer, PHONES, topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RailName } from '../../channels.ts'
import { webhookUrl } from './webhook-url.ts'

const TOKEN = 'the secret that callbacks carry'
const MPESA_TOKEN = 'another secret for callbacks'
const AMOUNT = 500_000n
let paystack: FakePaystack
let daraja: FakeDaraja
let momo: FakeMomo
let ozow: FakeOzow
let palmpay: FakePalmpay
let server: TestServer
let ada: Person

beforeAll(async () => {
  ;[paystack, daraja, momo, ozow, palmpay] = await Promise.all([
    startFakePaystack(),
    startFakeDaraja(),
    startFakeMomo(),
    startFakeOzow(),
    startFakePalmpay(),
  ])
  const variables = {
    ...paystack.variables,
    ...daraja.variables,
    ...momo.variables,
    ...ozow.variables,
    ...palmpay.variables,
    SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1',
    SERVICE_WEBHOOK_IPS_MPESA: '127.0.0.1',
    SERVICE_WEBHOOK_IPS_MOMO: '127.0.0.1',
    SERVICE_WEBHOOK_TOKEN_MPESA: MPESA_TOKEN,
    SERVICE_WEBHOOK_TOKEN_MOMO: TOKEN,
  }
  server = await startTestServer({ schedules: ['payments.', 'wallet.', 'invoices.'], variables })
  ada = await server.person()
})
afterAll(async () => {
  await server.close()
  await Promise.all([paystack, daraja, momo, ozow, palmpay].map((rail) => rail.close()))
})

type Message = ReturnType<FakeProvider['message']>
const post = (path: string, { headers, body }: Message, on = server, method = 'POST'): Promise<Reply> =>
  on.call(method, path, { headers, raw: body })
const alias = (rail: RailName) => new URL(webhookUrl(server.app, rail)).pathname
const works = (on = server) => on.app.jobs.drain()
const countEvents = async () =>
  (await server.sql.one<{ count: bigint }>`select count(*) from payment_events`).count

async function begun(body: object = { amountMinor: AMOUNT }, as: Person = ada): Promise<string> {
  const reply = await topUp(server, as, body)
  expect(reply).toMatchObject({ status: 200, body: { mode: 'live' } })
  return reply.body.reference
}

describe('M-Pesa and MTN', () => {
  test('find no payment of another rail', async () => {
    const reference = await begun()
    const body = JSON.stringify({ externalId: reference, status: 'SUCCESSFUL' })
    await post(`/webhooks/momo?token=${TOKEN}`, { headers: {}, body })
    await works()
    expect(await eventsOf(server, reference)).toMatchObject([{ verdict: 'unknown_reference' }])
  })

  test('with their token settle a payment that the provider confirms', async () => {
    const wanjiku = await customer(server, 'KES')
    const reference = await begun({ amountMinor: 100_000n, channel: 'mpesa', phone: PHONES.KES }, wanjiku)
    const path = `/webhooks/mpesa?token=${encodeURIComponent(MPESA_TOKEN)}`
    const claim = {
      headers: {},
      body: daraja.message(reference).body.replace(/"ResultCode":\d+/, '"ResultCode":0'),
    }
    const early = await post(path, claim)
    expect(early).toMatchObject({ status: 200, body: { ResultCode: 0, ResultDesc: 'Accepted' } })
    await works()
    expect(await postedAmounts(server, reference)).toEqual([])
    daraja.pay(reference)
    await post(path, daraja.message(reference))
    await works()
    expect(await postedAmounts(server, reference)).toEqual([100_000n])
  })

  test.for(['POST', 'PUT'])('MTN by %s', async (method) => {
    const okello = await customer(server, 'UGX')
    const reference = await begun({ amountMinor: 5_000n, channel: 'mtn_momo', phone: PHONES.UGX }, okello)
    momo.pay(reference)
    const reply = await post(`/webhooks/momo?token=${TOKEN}`, momo.message(reference), server, method)
    expect(reply.status).toBe(200)
    await works()
    expect(await postedAmounts(server, reference)).toEqual([5_000n])
  })

  test('a webhook that arrives before the provider’s reply finds its payment later', async () => {
    const wanjiku = await customer(server, 'KES')
    const reference = await begun({ amountMinor: 100_000n, channel: 'mpesa', phone: '0712345670' }, wanjiku)
    daraja.pay(reference)
    const { ref } = await server.sql.one<{ ref: string }>`
      select provider_ref as ref from payments where reference = ${reference}`
    await server.sql.rows`update payments set provider_ref = null where reference = ${reference}`
    await server.sql.rows`update payment_attempts set provider_ref = null where reference = ${reference}`
    await post(`/webhooks/mpesa?token=${MPESA_TOKEN}`, daraja.message(reference))
    await works()
    expect(await postedAmounts(server, reference)).toEqual([])
    await server.sql.rows`update payments set provider_ref = ${ref} where reference = ${reference}`
    server.clock.advance({ seconds: 3 })
    await works()
    expect(await postedAmounts(server, reference)).toEqual([100_000n])
  })
})

describe('the secret URL', () => {
  test('accepts every rail, as JSON, form or PUT, with the reply that each requires', async () => {
    const [kenya, uganda, southAfrica] = await Promise.all([
      customer(server, 'KES'),
      customer(server, 'UGX'),
      customer(server, 'ZAR'),
    ])
    const cases: [RailName, FakeProvider, string, string, string][] = [
      [
        'daraja',
        daraja,
        await begun({ amountMinor: 100_000n, channel: 'mpesa', phone: '0712345671' }, kenya),
        'POST',
        '{"ResultCode":0,"ResultDesc":"Accepted"}',
      ],
      [
        'momo',
        momo,
        await begun({ amountMinor: 5_000n, channel: 'mtn_momo', phone: '0772123457' }, uganda),
        'PUT',
        '{"ok":true}',
      ],
      [
        'ozow',
        ozow,
        await begun({ amountMinor: 100_000n, channel: 'ozow' }, southAfrica),
        'POST',
        '{"ok":true}',
      ],
      ['palmpay', palmpay, await begun({ amountMinor: AMOUNT, channel: 'palmpay' }), 'POST', 'success'],
      ['paystack', paystack, await begun(), 'POST', '{"ok":true}'],
    ]
    for (const [name, rail, reference, method, words] of cases) {
      rail.pay(reference)
      const reply = await post(alias(name), rail.message(reference), server, method)
      expect({ name, status: reply.status, text: reply.text }).toEqual({ name, status: 200, text: words })
    }
    await works()
    for (const [name, , reference] of cases)
      expect({ name, status: (await readPayment(server, reference)).status }).toEqual({
        name,
        status: 'settled',
      })
  })

  test('rejects a form with a wrong hash and signatures of another rail', async () => {
    const southAfrica = await customer(server, 'ZAR')
    const reference = await begun({ amountMinor: 100_000n, channel: 'ozow' }, southAfrica)
    ozow.pay(reference)
    const { headers, body } = ozow.message(reference)
    expect(headers['content-type']).toContain('x-www-form-urlencoded')
    const forged = body.replace('1000.00', '9000.00')
    expect(forged).not.toBe(body)
    const before = await countEvents()
    expect(await post(alias('ozow'), { headers, body: forged })).toMatchObject({ status: 401 })
    expect(await post(alias('paystack'), { headers, body })).toMatchObject({ status: 401 })
    expect(await countEvents()).toBe(before)
  })

  test('is not found with another token', async () => {
    for (const token of ['x', TOKEN.slice(1), 'a'.repeat(40), '..%2f', '%20'])
      expect(await post(`/webhooks/rail/${token}`, { headers: {}, body: '{}' })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
  })
})

describe('403', () => {
  test('for a wrong, missing or repeated token', async () => {
    const before = await countEvents()
    for (const path of ['/webhooks/mpesa', '/webhooks/momo'])
      for (const query of [
        '',
        '?token=',
        '?token=wrong',
        `?token=${TOKEN}x`,
        `?token=${TOKEN}&token=${TOKEN}`,
      ])
        expect(await post(path + query, { headers: {}, body: '{}' })).toMatchObject({
          status: 403,
          body: { code: 'wrong_secret' },
        })
    expect(await countEvents()).toBe(before)
  })
})

test('no log line contains the token of a webhook URL', async () => {
  await post(`/webhooks/momo?token=${TOKEN}`, { headers: {}, body: '{"token":"y"}' })
  await post(alias('ozow'), { headers: {}, body: '{' })
  await post(`/webhooks/mpesa?token=${encodeURIComponent(MPESA_TOKEN)}&x=%ff`, { headers: {}, body: '\0' })
  const log = server.logged.join('')
  expect(log).toContain('webhooks.momo')
  for (const secret of [
    TOKEN,
    MPESA_TOKEN,
    encodeURIComponent(MPESA_TOKEN),
    alias('ozow').split('/').at(-1) ?? '',
  ])
    expect(log).not.toContain(secret)
})
