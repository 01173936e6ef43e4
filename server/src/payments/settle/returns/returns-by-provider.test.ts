// Refunds, chargebacks and repeated payments at the other providers, and returns that the API does not list.

import type { Person, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { postedAmounts, readPayment } from '@cowrie/testkit/payments/payment-fixture.ts'
import { type ReturnsWorld, startReturnsWorld } from '@cowrie/testkit/payments/returns-world.ts'
import { customer, topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { settlePayment } from '../settle.ts'
import { webhookUrl } from '../webhooks/webhook-url.ts'
import { applyReturns } from './returns.ts'

const AMOUNT = 500_000n
let world: ReturnsWorld
let server: TestServer
let second: TestServer
let staff: Person
let flutterwave: ReturnsWorld['flutterwave']
let opay: ReturnsWorld['opay']
let ozow: ReturnsWorld['ozow']
let fawry: ReturnsWorld['fawry']

beforeAll(async () => {
  world = await startReturnsWorld()
  ;({ server, second, staff, flutterwave, opay, ozow, fawry } = world)
})
afterAll(() => world.close())
afterEach(() => world.checkLedger())

describe('Flutterwave', () => {
  const hook = () => new URL(webhookUrl(server.app, 'flutterwave')).pathname
  async function settledHere(person: Person): Promise<string> {
    const { reference } = (await topUp(server, person, { amountMinor: AMOUNT, channel: 'flutterwave' })).body
    flutterwave.pay(reference)
    await world.post(hook(), flutterwave.message(reference))
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    return reference
  }

  test('refunds that name only the transaction are debited', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    const message = flutterwave.refund(reference, 1_200)
    for (const on of [server, second]) await world.post(hook(), message, on)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n])
  })

  test('chargebacks freeze, and a lost one debits', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    flutterwave.chargeback(reference, 2_000, 'initiated')
    const check = () => server.call('POST', `/admin/payments/${reference}/check`, { as: staff, body: {} })
    await check()
    expect(await world.walletOf(person)).toMatchObject({ heldMinor: 200_000n })
    flutterwave.chargeback(reference, 2_000, 'lost')
    await check()
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -200_000n])
    expect(await world.walletOf(person)).toMatchObject({ heldMinor: 0n })
  })

  test('a chargeback that is lost after a full refund leaves nothing frozen', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    const check = () => server.call('POST', `/admin/payments/${reference}/check`, { as: staff, body: {} })
    flutterwave.chargeback(reference, Number(AMOUNT / 100n), 'initiated')
    await check()
    await world.post(hook(), flutterwave.refund(reference, Number(AMOUNT / 100n)))
    flutterwave.chargeback(reference, Number(AMOUNT / 100n), 'lost')
    await check()
    expect(await world.walletOf(person)).toMatchObject({ heldMinor: 0n })
    expect(await world.casesOf(reference)).not.toContainEqual(
      expect.objectContaining({ kind: 'dispute', resolvedAt: null }),
    )
  })

  test('a refund that is listed twice is applied once', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    const refund = { key: 'refund:501' as const, amountMinor: 250_000n, state: 'returned' as const }
    const options = { trigger: 'sweep' as const, isAnnounced: false }
    await applyReturns(server.app, reference, [refund, { ...refund }], options)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -250_000n])
    expect(await world.casesOf(reference)).toEqual([])
  })

  test('a repeated payment that was reversed early takes nothing from the first', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    const reversed = { status: 'reversed' as const, reason: 'Given back.', transactionId: 'another-1' }
    await settlePayment(server.app, reference, reversed, 'sweep')
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test('a repeated payment under one reference is credited once as a separate payment', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    flutterwave.pay(reference)
    const message = flutterwave.message(reference)
    for (const on of [server, second, server]) await world.post(hook(), message, on)
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT * 2n })
    const payments = await server.sql.rows<{ reference: string; repeat_of: string; transaction_id: string }>`
      select reference, repeat_of, transaction_id from payments where org_id = ${person.orgId} order by created_at, reference`
    expect(payments).toHaveLength(2)
    expect(new Set(payments.map(({ transaction_id }) => transaction_id)).size).toBe(2)
    expect(payments.map(({ repeat_of }) => repeat_of)).toContain(reference)
    expect((await world.ledgerOf(person)).map(({ type }) => type)).toEqual(['credit', 'credit'])
  })

  test('a repeated payment in another currency goes to review', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    flutterwave.pay(reference, { currency: 'USD', amountMinor: 1_000n })
    await world.post(hook(), flutterwave.message(reference))
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT })
    const { status } = await server.sql.one<{ status: string }>`
      select status from payments where repeat_of = ${reference}`
    expect(status).toBe('review')
  })

  test('a refund of a repeated payment is debited from that payment', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    flutterwave.pay(reference)
    await world.post(hook(), flutterwave.message(reference))
    const message = flutterwave.refund(reference, 1_200)
    for (const on of [server, second]) await world.post(hook(), message, on)
    const { repeat } = await server.sql.one<{ repeat: string }>`
      select reference as repeat from payments where repeat_of = ${reference}`
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    expect(await postedAmounts(server, repeat)).toEqual([AMOUNT, -120_000n])
  })

  test('a chargeback of a repeated payment freezes its money', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    flutterwave.pay(reference)
    await world.post(hook(), flutterwave.message(reference))
    flutterwave.chargeback(reference, 2_000, 'initiated')
    await server.call('POST', `/admin/payments/${reference}/check`, { as: staff, body: {} })
    expect(await world.walletOf(person)).toMatchObject({ heldMinor: 200_000n })
  })

  test('a repeated payment is credited when the provider no longer lists the first as paid', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    const again = { status: 'paid', transactionId: 'again-1', amountMinor: AMOUNT, currency: 'NGN' } as const
    for (const trigger of ['webhook', 'sweep'] as const)
      await settlePayment(server.app, reference, { ...again, reference, live: true }, trigger)
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT * 2n })
  })

  test('a repeated payment that the provider reports as refunded goes to review', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    const { transactionId } = await readPayment(server, reference)
    const paid = { status: 'paid', transactionId, amountMinor: AMOUNT, currency: 'NGN', live: true } as const
    const refunded = { ...paid, transactionId: 'refunded-1', unclearReturn: 'It was refunded.' }
    await settlePayment(server.app, reference, { ...paid, reference, others: [refunded] }, 'sweep')
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT })
    expect(await server.sql.rows`select status from payments where repeat_of = ${reference}`).toEqual([
      { status: 'review' },
    ])
  })

  test('a repeated payment without a webhook is found when the page expires', async () => {
    const person = await server.person()
    const reference = await settledHere(person)
    flutterwave.pay(reference)
    server.clock.advance({ hours: 25 })
    await server.app.jobs.drain()
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: AMOUNT * 2n })
  })
})

test('a repeated payment under one reference at Ozow is credited once as a separate payment', async () => {
  const person = await customer(server, 'ZAR')
  const { reference } = (await topUp(server, person, { amountMinor: 25_000n, channel: 'ozow' })).body
  const path = new URL(webhookUrl(server.app, 'ozow')).pathname
  ozow.pay(reference)
  await world.post(path, ozow.message(reference))
  ozow.pay(reference)
  const message = ozow.message(reference)
  for (const on of [server, second, server]) await world.post(path, message, on)
  expect(await world.walletOf(person)).toMatchObject({ balanceMinor: 50_000n })
  expect(await postedAmounts(server, reference)).toEqual([25_000n])
  const repeats = await server.sql.rows`
    select status, captured_minor from payments where repeat_of = ${reference}`
  expect(repeats).toEqual([{ status: 'settled', captured_minor: 25_000n }])
})

describe('a return that the API does not list', () => {
  test('opens a case for a partial return without an amount', async () => {
    const person = await customer(server, 'EGP')
    const input = { amountMinor: 25_000n, channel: 'fawry', phone: '01012345678' }
    const { reference } = (await topUp(server, person, input)).body
    fawry.pay(reference)
    const check = () => server.call('POST', `/admin/payments/${reference}/check`, { as: staff, body: {} })
    await check()
    fawry.setOrderStatus(reference, 'PARTIAL_REFUNDED')
    await check()
    await check()
    expect(await postedAmounts(server, reference)).toEqual([25_000n])
    expect(await world.casesOf(reference)).toMatchObject([{ kind: 'unclear_return', resolvedAt: null }])
  })

  test('opens a case when a webhook announced it and the API does not list it', async () => {
    const person = await customer(server)
    const { reference } = (await topUp(server, person, { amountMinor: AMOUNT, channel: 'opay' })).body
    opay.pay(reference)
    const path = `/webhooks/rail/${new URL(webhookUrl(server.app, 'opay')).pathname.split('/').at(-1)}`
    await world.post(path, opay.message(reference))
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    opay.reverse(reference)
    await world.post(path, opay.message(reference, 1))
    for (let i = 0; i < 8; i++) {
      server.clock.advance({ minutes: 15 })
      await server.app.jobs.drain()
    }
    expect(await world.casesOf(reference)).toMatchObject([{ kind: 'unclear_return' }])
    expect(await readPayment(server, reference)).toMatchObject({ status: 'settled', reversedAt: null })
  })

  test('opens a case when the webhook names no known payment', async () => {
    const reply = await server.call('POST', '/webhooks/rail/operator-token', {
      body: { Result: { ResultCode: 0, ResultDesc: 'Reversal done', TransactionID: 'QKA81LK5CY' } },
    })
    expect(reply.status).toBe(200)
    const { body } = await server.call('GET', '/admin/payment-cases', {
      as: staff,
      query: { status: 'open' },
    })
    expect(body.cases).toContainEqual(expect.objectContaining({ kind: 'unread_message', reference: null }))
  })
})
