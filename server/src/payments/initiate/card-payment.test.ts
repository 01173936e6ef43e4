// Payments by card on the provider's page that are no top-ups.

import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { postedAmounts, readPayment } from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { sweepPayments } from '../settle/sweeper.ts'
import { type CardPaymentInput, cardRange, hasLiveCards, startCardPayment } from './card-payment.ts'

let paystack: FakePaystack
let server: TestServer

beforeAll(async () => {
  paystack = await startFakePaystack()
  server = await startTestServer({ variables: paystack.variables })
})
afterAll(async () => {
  await server.close()
  await paystack.close()
})
afterEach(() => paystack.heal())

async function wanted(changes: Partial<CardPaymentInput> = {}): Promise<CardPaymentInput> {
  const { orgId, userId, email }: Person = await server.person()
  const reference = `cd${newId('x').slice(2)}`
  return {
    ...{ reference, purpose: 'card', billId: null, orgId, userId, orgName: 'Ada', email },
    ...{ amountMinor: 5_000n, currency: 'NGN', description: 'Card check' },
    ...changes,
  }
}
const start = (want: CardPaymentInput) => startCardPayment(server.app, want)

test('is handed to the provider once, and tells the same page to every retry', async () => {
  const want = await wanted()
  const page = `https://checkout.paystack.com/${want.reference}`
  const asked = paystack.requests.length
  expect(await start(want)).toEqual({ reference: want.reference, authorizationUrl: page, mode: 'live' })
  expect(JSON.parse(paystack.requests.at(-1)?.raw ?? '')).toMatchObject({
    ...{ email: want.email, amount: 5_000, currency: 'NGN', reference: want.reference, channels: ['card'] },
    callback_url: `http://cowrie.test/pay/return?topup=${want.reference}`,
  })
  expect(await start(want)).toMatchObject({ authorizationUrl: page })
  expect(paystack.requests).toHaveLength(asked + 1)
})

test('begun by two at once is one payment', async () => {
  const want = await wanted()
  const started = await Promise.allSettled([start(want), start(want), start(want)])
  expect(started.some(({ status }) => status === 'fulfilled')).toBe(true)
  for (const each of started)
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'rail_unavailable' })
  expect(await readPayment(server, want.reference)).toMatchObject({ status: 'pending' })
  expect(paystack.orders.filter(({ reference }) => reference === want.reference)).toHaveLength(1)
})

test('that the provider refuses is over, and stays so', async () => {
  const want = await wanted()
  paystack.fault('reject')
  const refusal = { code: 'payment_refused', detail: { reference: want.reference } }
  await expect(start(want)).rejects.toMatchObject(refusal)
  expect(await readPayment(server, want.reference)).toMatchObject({ status: 'failed' })
  expect(
    server.logged.some((line) => line.includes('billing.card_check.failed') && line.includes(want.reference)),
  ).toBe(true)
  paystack.heal()
  await expect(start(want)).rejects.toMatchObject(refusal)
})

test('goes on after an outage under the same reference', async () => {
  const want = await wanted()
  paystack.fault('down')
  await expect(start(want)).rejects.toMatchObject({
    ...{ code: 'rail_unavailable', detail: { reference: want.reference } },
  })
  paystack.heal()
  expect(await start(want)).toMatchObject({ reference: want.reference })
})

test('whose page was lost on the way is given up, and its money is not lost when it comes after all', async () => {
  const want = await wanted()
  paystack.fault('silent')
  await expect(start(want)).rejects.toMatchObject({ code: 'rail_unavailable' })
  paystack.heal()
  await expect(start(want)).rejects.toMatchObject({ code: 'rail_unavailable' })
  server.clock.advance({ seconds: 61 })
  await expect(start(want)).rejects.toMatchObject({ code: 'payment_refused' })
  expect(await readPayment(server, want.reference)).toMatchObject({ status: 'failed' })
  paystack.pay(want.reference)
  server.clock.advance({ hours: 2 })
  await sweepPayments(server.app)
  expect(await postedAmounts(server, want.reference)).toEqual([5_000n])
})

test('that was paid before its page was told is said to be paid', async () => {
  const want = await wanted()
  paystack.fault('silent')
  await expect(start(want)).rejects.toMatchObject({ code: 'rail_unavailable' })
  paystack.heal()
  paystack.pay(want.reference)
  await expect(start(want)).rejects.toMatchObject({
    ...{ code: 'payment_refused', detail: { reason: expect.stringContaining('paid already') } },
  })
  expect(await readPayment(server, want.reference)).toMatchObject({ status: 'settled' })
})

test('in a currency without cards names those that have them, and the ways that serve it', async () => {
  const want = await wanted({ currency: 'EGP' })
  await expect(start(want)).rejects.toMatchObject({
    code: 'channel_not_available',
    message: expect.stringMatching(/EGP.*NGN/),
    detail: { channels: expect.arrayContaining(['fawry']) },
  })
})

test('of more or less than a card takes is refused before anybody is asked', async () => {
  const asked = paystack.requests.length
  for (const amountMinor of [4_999n, 1_000_000_001n])
    await expect(start(await wanted({ amountMinor }))).rejects.toMatchObject({ code: 'payment_refused' })
  expect(paystack.requests).toHaveLength(asked)
})

test('is begun at most twenty times an hour without being paid', async () => {
  const want = await wanted()
  await server.sql.rows`
    insert into payments (reference, org_id, user_id, purpose, channel, rail, mode, currency, amount_minor, email,
                          created_at, expires_at)
    select 'cdflood' || n, ${want.orgId}, ${want.userId}, 'card', 'card', 'paystack', 'live', 'NGN', 5000, 'a@b.c',
           ${server.clock.now()}, ${server.clock.now()} from generate_series(1, 20) n`
  await expect(start(want)).rejects.toMatchObject({ code: 'limit_reached', retryAfter: 60 })
  server.clock.advance({ minutes: 61 })
  expect(await start(want)).toMatchObject({ reference: want.reference })
})

test('knows what cards take, and that they are live here', () => {
  expect(cardRange('NGN')).toEqual({ minMinor: 50_00n, maxMinor: 10_000_000_00n })
  expect(cardRange('EGP')).toBeNull()
  expect(hasLiveCards(server.app)).toBe(true)
})
