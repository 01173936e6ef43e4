// Card payments on the provider's page other than top-ups.

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
  server = await startTestServer({
    schedules: ['payments.', 'wallet.', 'invoices.'],
    variables: paystack.variables,
  })
})
afterAll(async () => {
  await server.close()
  await paystack.close()
})
afterEach(() => paystack.heal())

async function newInput(changes: Partial<CardPaymentInput> = {}): Promise<CardPaymentInput> {
  const { orgId, userId, email }: Person = await server.person()
  const reference = `cd${newId('x').slice(2)}`
  return {
    ...{ reference, purpose: 'card', billId: null, orgId, userId, orgName: 'Ada', email },
    ...{ amountMinor: 5_000n, currency: 'NGN', description: 'Card check' },
    ...changes,
  }
}
const start = (input: CardPaymentInput) => startCardPayment(server.app, input)

test('a card payment is started once, and every retry returns the same page', async () => {
  const input = await newInput()
  const page = `https://checkout.paystack.com/${input.reference}`
  const requestsBefore = paystack.requests.length
  expect(await start(input)).toEqual({ reference: input.reference, authorizationUrl: page, mode: 'live' })
  expect(JSON.parse(paystack.requests.at(-1)?.raw ?? '')).toMatchObject({
    ...{ email: input.email, amount: 5_000, currency: 'NGN', reference: input.reference, channels: ['card'] },
    callback_url: `http://cowrie.test/pay/return?topup=${input.reference}`,
  })
  expect(await start(input)).toMatchObject({ authorizationUrl: page })
  expect(paystack.requests).toHaveLength(requestsBefore + 1)
})

test('two concurrent calls start one payment', async () => {
  const input = await newInput()
  const started = await Promise.allSettled([start(input), start(input), start(input)])
  expect(started.some(({ status }) => status === 'fulfilled')).toBe(true)
  for (const each of started)
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'rail_unavailable' })
  expect(await readPayment(server, input.reference)).toMatchObject({ status: 'pending' })
  expect(paystack.orders.filter(({ reference }) => reference === input.reference)).toHaveLength(1)
})

test('a refused payment stays refused', async () => {
  const input = await newInput()
  paystack.fault('reject')
  const refusal = { code: 'payment_refused', detail: { reference: input.reference } }
  await expect(start(input)).rejects.toMatchObject(refusal)
  expect(await readPayment(server, input.reference)).toMatchObject({ status: 'failed' })
  expect(
    server.logged.some(
      (line) => line.includes('billing.card_check.failed') && line.includes(input.reference),
    ),
  ).toBe(true)
  paystack.heal()
  await expect(start(input)).rejects.toMatchObject(refusal)
})

test('a retry after an outage uses the same reference', async () => {
  const input = await newInput()
  paystack.fault('down')
  await expect(start(input)).rejects.toMatchObject({
    ...{ code: 'rail_unavailable', detail: { reference: input.reference } },
  })
  paystack.heal()
  expect(await start(input)).toMatchObject({ reference: input.reference })
})

test('a payment with a lost page fails, and is still credited if it is paid later', async () => {
  const input = await newInput()
  paystack.fault('silent')
  await expect(start(input)).rejects.toMatchObject({ code: 'rail_unavailable' })
  paystack.heal()
  await expect(start(input)).rejects.toMatchObject({ code: 'rail_unavailable' })
  server.clock.advance({ seconds: 61 })
  await expect(start(input)).rejects.toMatchObject({ code: 'payment_refused' })
  expect(await readPayment(server, input.reference)).toMatchObject({ status: 'failed' })
  paystack.pay(input.reference)
  server.clock.advance({ hours: 2 })
  await sweepPayments(server.app)
  expect(await postedAmounts(server, input.reference)).toEqual([5_000n])
})

test('a retry of a paid payment reports it as paid', async () => {
  const input = await newInput()
  paystack.fault('silent')
  await expect(start(input)).rejects.toMatchObject({ code: 'rail_unavailable' })
  paystack.heal()
  paystack.pay(input.reference)
  await expect(start(input)).rejects.toMatchObject({
    ...{ code: 'payment_refused', detail: { reason: expect.stringContaining('paid already') } },
  })
  expect(await readPayment(server, input.reference)).toMatchObject({ status: 'settled' })
})

test('an unsupported currency is refused with the supported ones', async () => {
  const input = await newInput({ currency: 'EGP' })
  await expect(start(input)).rejects.toMatchObject({
    code: 'channel_not_available',
    message: expect.stringMatching(/EGP.*NGN/),
    detail: { channels: expect.arrayContaining(['fawry']) },
  })
})

test('an amount outside the limits is refused without a provider call', async () => {
  const requestsBefore = paystack.requests.length
  for (const amountMinor of [4_999n, 1_000_000_001n])
    await expect(start(await newInput({ amountMinor }))).rejects.toMatchObject({ code: 'payment_refused' })
  expect(paystack.requests).toHaveLength(requestsBefore)
})

test('at most twenty unpaid card payments can be started per hour', async () => {
  const input = await newInput()
  await server.sql.rows`
    insert into payments (reference, org_id, user_id, purpose, channel, rail, mode, currency, amount_minor, email,
                          created_at, expires_at)
    select 'cdflood' || n, ${input.orgId}, ${input.userId}, 'card', 'card', 'paystack', 'live', 'NGN', 5000, 'a@b.c',
           ${server.clock.now()}, ${server.clock.now()} from generate_series(1, 20) n`
  await expect(start(input)).rejects.toMatchObject({ code: 'limit_reached', retryAfter: 60 })
  server.clock.advance({ minutes: 61 })
  expect(await start(input)).toMatchObject({ reference: input.reference })
})

test('the limits of cards and their live mode are reported', () => {
  expect(cardRange('NGN')).toEqual({ minMinor: 50_00n, maxMinor: 10_000_000_00n })
  expect(cardRange('EGP')).toBeNull()
  expect(hasLiveCards(server.app)).toBe(true)
})
