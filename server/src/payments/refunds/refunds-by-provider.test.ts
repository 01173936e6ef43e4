// Refunds to the payer at the other providers, and providers that have none.
import type { Person, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { createPayment, postedAmounts } from '@cowrie/testkit/payments/payment-fixture.ts'
import { type ReturnsWorld, startReturnsWorld } from '@cowrie/testkit/payments/returns-world.ts'
import { customer, topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { applyReturns } from '../settle/returns/returns.ts'
import { webhookUrl } from '../settle/webhooks/webhook-url.ts'

let world: ReturnsWorld
let server: TestServer
let staff: Person
let count = 0

beforeAll(async () => {
  world = await startReturnsWorld()
  ;({ server, staff } = world)
})
afterAll(() => world.close())
afterEach(() => {
  for (const { ownRefunds } of [world.flutterwave, world.opay, world.ozow, world.fawry])
    ownRefunds.answer('pending')
  return world.checkLedger()
})

const CASES = [
  { rail: 'flutterwave', channel: 'flutterwave', currency: 'NGN', amountMinor: 500_000n },
  { rail: 'opay', channel: 'opay', currency: 'NGN', amountMinor: 500_000n },
  { rail: 'ozow', channel: 'ozow', currency: 'ZAR', amountMinor: 25_000n },
  { rail: 'fawry', channel: 'fawry', currency: 'EGP', amountMinor: 25_000n },
] as const
type Case = (typeof CASES)[number]

async function settled({ rail, channel, currency, amountMinor }: Case) {
  const person = await customer(server, currency)
  const phone = rail === 'fawry' ? { phone: '01012345678' } : {}
  const { reference } = (await topUp(server, person, { amountMinor, channel, ...phone })).body
  world[rail].pay(reference)
  await check(reference)
  expect(await postedAmounts(server, reference)).toEqual([amountMinor])
  return { person, reference }
}

const check = (reference: string) =>
  server.call('POST', `/admin/payments/${reference}/check`, { as: staff, body: {} })

const ask = (reference: string, amountMinor: bigint) =>
  server.call('POST', `/admin/payments/${reference}/refund-to-source`, {
    as: staff,
    body: { amountMinor, reason: 'Paid twice by mistake' },
    headers: { 'idempotency-key': `refund${++count}` },
  })

async function refund(reference: string, amountMinor: bigint): Promise<void> {
  expect(await ask(reference, amountMinor)).toMatchObject({ status: 200 })
  await server.app.jobs.drain()
}

async function pass(minutes: number) {
  server.clock.advance({ minutes })
  await server.app.jobs.drain()
}

describe.for(CASES)('$rail', (it) => {
  const part = it.amountMinor / 5n

  test('pays a part back, and it is debited once', async () => {
    const { person, reference } = await settled(it)
    world[it.rail].ownRefunds.answer('processed')
    await refund(reference, part)
    await pass(2)
    await check(reference)
    await pass(60)
    expect(await postedAmounts(server, reference)).toEqual([it.amountMinor, -part])
    expect(await world.walletOf(person)).toMatchObject({ heldMinor: 0n })
    expect(world[it.rail].ownRefunds.of(reference)).toHaveLength(1)
    expect(await world.casesOf(reference)).toEqual([])
  })

  test('pays all of it back, and it is debited once', async () => {
    const { person, reference } = await settled(it)
    world[it.rail].ownRefunds.answer('processed')
    await refund(reference, it.amountMinor)
    await pass(2)
    await check(reference)
    expect(await postedAmounts(server, reference)).toEqual([it.amountMinor, -it.amountMinor])
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: 0n, heldMinor: 0n })
  })

  test('refuses, and the money is given back', async () => {
    const { person, reference } = await settled(it)
    world[it.rail].ownRefunds.answer('refused')
    await refund(reference, part)
    expect(await postedAmounts(server, reference)).toEqual([it.amountMinor])
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: it.amountMinor, heldMinor: 0n })
  })

  test('accepts without a reply, and the refund is found without a second request', async () => {
    const { person, reference } = await settled(it)
    world[it.rail].ownRefunds.answer('processed')
    world[it.rail].fault('silent')
    await refund(reference, part)
    expect(await world.walletOf(person)).toMatchObject({ heldMinor: part })
    world[it.rail].heal()
    await pass(5)
    await pass(40)
    expect(await postedAmounts(server, reference)).toEqual([it.amountMinor, -part])
    expect(world[it.rail].ownRefunds.of(reference)).toHaveLength(1)
  })
})

describe.for(CASES.filter(({ rail }) => rail !== 'fawry'))('$rail', (it) => {
  const part = it.amountMinor / 5n

  test('decides later: paid', async () => {
    const { person, reference } = await settled(it)
    await refund(reference, part)
    await pass(20)
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: it.amountMinor, heldMinor: part })
    world[it.rail].ownRefunds.finish(reference, 'processed')
    await pass(60)
    expect(await postedAmounts(server, reference)).toEqual([it.amountMinor, -part])
  })

  test('decides later: failed', async () => {
    const { person, reference } = await settled(it)
    await refund(reference, part)
    world[it.rail].ownRefunds.finish(reference, 'failed')
    await pass(60)
    expect(await postedAmounts(server, reference)).toEqual([it.amountMinor])
    expect(await world.walletOf(person)).toMatchObject({ balanceMinor: it.amountMinor, heldMinor: 0n })
  })
})

test('a refund is not sent when the payer disputes the payment before the request', async () => {
  const { person, reference } = await settled(CASES[0])
  await ask(reference, 300_000n)
  const dispute = { key: 'dispute:early-1', amountMinor: 500_000n, state: 'open' } as const
  await applyReturns(server.app, reference, [dispute], { trigger: 'webhook', isAnnounced: false })
  await pass(2)
  expect(world.flutterwave.ownRefunds.of(reference)).toHaveLength(0)
  expect(await server.sql.rows`select state from source_refunds where reference = ${reference}`).toEqual([
    { state: 'failed' },
  ])
  expect(await world.walletOf(person)).toMatchObject({ balanceMinor: 500_000n })
})

test('a dispute that is lost after a refund of the same money opens a case', async () => {
  const { reference } = await settled(CASES[0])
  world.flutterwave.ownRefunds.answer('processed')
  await refund(reference, 500_000n)
  const dispute = { key: 'dispute:late-1', amountMinor: 500_000n, state: 'returned' } as const
  for (const trigger of ['webhook', 'sweep'] as const)
    await applyReturns(server.app, reference, [dispute], { trigger, isAnnounced: false })
  expect(await postedAmounts(server, reference)).toEqual([500_000n, -500_000n])
  expect(await world.casesOf(reference)).toMatchObject([{ kind: 'shortfall' }])
})

test('a refund of a repeated payment is not taken for the refund of the first one', async () => {
  const it = CASES[2]
  const { person, reference } = await settled(it)
  world.ozow.pay(reference)
  await check(reference)
  const { repeat } = await server.sql.one<{ repeat: string }>`
    select reference as repeat from payments where repeat_of = ${reference}`
  world.ozow.ownRefunds.answer('processed')
  await refund(reference, 5_000n)
  await pass(2)
  expect(await postedAmounts(server, reference)).toEqual([25_000n, -5_000n])
  // The request for the repeat is lost on its way, so that the provider has one refund only.
  world.ozow.ownRefunds.answer('refused')
  world.ozow.fault('silent')
  await refund(repeat, 5_000n)
  world.ozow.heal()
  await pass(40)
  expect(world.ozow.ownRefunds.of(reference)).toHaveLength(1)
  expect(await postedAmounts(server, repeat)).toEqual([25_000n])
  expect(await world.walletOf(person)).toMatchObject({ balanceMinor: 45_000n, heldMinor: 5_000n })
})

test('a callback of OPay about our refund opens no case', async () => {
  const it = CASES[1]
  const { reference } = await settled(it)
  world.opay.ownRefunds.answer('processed')
  await refund(reference, 100_000n)
  world.opay.reverse(reference)
  const path = new URL(webhookUrl(server.app, 'opay')).pathname
  await world.post(path, world.opay.message(reference, 1))
  await pass(90)
  expect(await postedAmounts(server, reference)).toEqual([500_000n, -100_000n])
  expect(await world.casesOf(reference)).toEqual([])
})

test.for([
  { rail: 'daraja', channel: 'mpesa', currency: 'KES' },
  { rail: 'momo', channel: 'mtn_momo', currency: 'UGX' },
  { rail: 'palmpay', channel: 'palmpay', currency: 'NGN' },
] as const)('$rail has no refund here, and the reply names the remedy', async (it) => {
  const person = await customer(server, it.currency)
  const reference = await createPayment(server, person, { ...it, status: 'failed' })
  const shown = await server.call('GET', `/admin/payments/${reference}`, { as: staff })
  expect(shown.body.refundObstacle).toContain('Pay it out by hand')
  const reply = await ask(reference, 1_000n)
  expect(reply).toMatchObject({ status: 400, body: { code: 'refund_not_supported' } })
  expect(reply.body.error).toContain('Pay it out by hand')
})
