import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  createPayment,
  eventsOf,
  type PaymentOptions,
  postedAmounts,
  readPayment,
} from '@cowrie/testkit/payments/payment-fixture.ts'
import { topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { after } from '../../kernel/clock.ts'
import { deleteOldEvents, sweepPayments } from './sweeper.ts'

const SCHEDULES = ['payments.', 'wallet.', 'invoices.']

const AMOUNT = 500_000n
let paystack: FakePaystack
let server: TestServer
let second: TestServer
let ada: Person

beforeAll(async () => {
  paystack = await startFakePaystack()
  server = await startTestServer({ schedules: SCHEDULES, variables: paystack.variables })
  second = await startTestServer({
    schedules: SCHEDULES,
    variables: paystack.variables,
    url: server.url,
    clock: server.clock,
  })
  // Schedules start when they are first read.
  await server.app.jobs.drain()
})
afterAll(async () => {
  await second.close()
  await server.close()
  await paystack.close()
})
beforeEach(async () => {
  ada = await server.person()
})
afterEach(async () => {
  paystack.heal()
  // Removes the payments of the previous test.
  await server.sql.rows`update payments set next_check_at = null`
})

async function begun(): Promise<string> {
  return (await topUp(server, ada, { amountMinor: AMOUNT })).body.reference
}
const dueNow = (reference: string) => server.sql.rows`
  update payments set next_check_at = ${server.clock.now()} where reference = ${reference}`
const askedAbout = (reference: string): number =>
  paystack.requests.filter(({ path }) => path === `/transaction/verify/${reference}`).length

describe('the sweeper', () => {
  test('settles a paid payment without a webhook', async () => {
    const reference = await begun()
    paystack.pay(reference)
    expect(await sweepPayments(server.app)).toBe(0)
    server.clock.advance({ minutes: 2 })
    await server.app.jobs.drain()
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    expect(await readPayment(server, reference)).toMatchObject({
      status: 'settled',
      nextCheckAt: null,
      checks: 1,
    })
  })

  test('checks pending payments at growing intervals', async () => {
    const reference = await begun()
    for (const [age, most] of [
      [{ minutes: 1 }, 25],
      [{ minutes: 13 }, 72],
      [{ hours: 2 }, 1080],
    ] as const) {
      server.clock.advance(age)
      await dueNow(reference)
      await sweepPayments(server.app)
      const { nextCheckAt } = await readPayment(server, reference)
      const seconds = ((nextCheckAt?.getTime() ?? 0) - server.clock.now().getTime()) / 1000
      expect(seconds).toBeGreaterThan(11)
      expect(seconds).toBeLessThanOrEqual(most)
    }
    expect(askedAbout(reference)).toBe(3)
  })

  test('checks each payment once with several replicas', async () => {
    const references = await Promise.all(Array.from({ length: 12 }, begun))
    for (const reference of references) paystack.pay(reference)
    server.clock.advance({ minutes: 2 })
    const counts = await Promise.all([server, second, server, second].map(({ app }) => sweepPayments(app)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12)
    for (const reference of references) {
      expect(askedAbout(reference)).toBe(1)
      expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    }
  })

  test('respects a claim and takes over after the claiming replica has died', async () => {
    const reference = await begun()
    paystack.pay(reference)
    server.clock.advance({ minutes: 2 })
    // Claimed by a replica that dies before the query.
    const dead = { ...server.app, db: { ...server.app.db, tx: onlyOnce(server) } }
    await sweepPayments(dead)
    expect(askedAbout(reference)).toBe(0)
    expect(await sweepPayments(second.app)).toBe(0)
    server.clock.advance({ seconds: 90 })
    expect(await sweepPayments(second.app)).toBe(1)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test.for(['down', 'silent', 'garbage'] as const)(
    'changes nothing while the provider is %s, and settles when it is back',
    async (fault) => {
      const reference = await begun()
      paystack.pay(reference)
      server.clock.advance({ minutes: 2 })
      paystack.fault(fault)
      await sweepPayments(server.app)
      expect(await readPayment(server, reference)).toMatchObject({ status: 'pending', reason: null })
      paystack.heal()
      server.clock.advance({ minutes: 1 })
      await sweepPayments(server.app)
      expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    },
  )

  test('expires an unpaid payment after a last check, and still settles a late one', async () => {
    const reference = await begun()
    server.clock.advance({ hours: 24 })
    await sweepPayments(server.app)
    expect(await readPayment(server, reference)).toMatchObject({
      status: 'expired',
      reason: 'The payment was not completed in time.',
      nextCheckAt: expect.any(Date),
    })
    expect(askedAbout(reference)).toBe(1)
    paystack.pay(reference)
    server.clock.advance({ hours: 48 })
    await sweepPayments(server.app)
    expect(await readPayment(server, reference)).toMatchObject({ status: 'settled', reason: null })
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test('does not expire a payment without an answer until the last check', async () => {
    const reference = await begun()
    paystack.fault('down')
    server.clock.advance({ hours: 25 })
    await sweepPayments(server.app)
    expect((await readPayment(server, reference)).status).toBe('pending')
    server.clock.advance({ days: 3 })
    await sweepPayments(server.app)
    expect(await readPayment(server, reference)).toMatchObject({ status: 'expired', nextCheckAt: null })
  })

  test('keeps checking failed payments, because the payer can retry', async () => {
    const reference = await begun()
    paystack.decline(reference)
    server.clock.advance({ minutes: 2 })
    await sweepPayments(server.app)
    expect(await readPayment(server, reference)).toMatchObject({
      status: 'failed',
      nextCheckAt: expect.any(Date),
    })
    paystack.pay(reference)
    server.clock.advance({ hours: 2 })
    await sweepPayments(server.app)
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  const gone: PaymentOptions = { rail: 'daraja', channel: 'mpesa', providerRef: 'ws_CO_1' }
  test('skips payments whose rail is no longer configured', async () => {
    const reference = await createPayment(server, ada, gone)
    await sweepPayments(server.app)
    expect(await readPayment(server, reference)).toMatchObject({
      status: 'pending',
      nextCheckAt: expect.any(Date),
    })
  })

  test('keeps undecided mock payments pending until they expire', async () => {
    const reference = await createPayment(server, ada, { rail: 'mock', mode: 'mock', lifeMinutes: 60 })
    await sweepPayments(server.app)
    expect((await readPayment(server, reference)).status).toBe('pending')
    server.clock.advance({ hours: 1 })
    await sweepPayments(server.app)
    expect((await readPayment(server, reference)).status).toBe('expired')
    expect(await postedAmounts(server, reference)).toEqual([])
  })

  test('enqueues events again whose job was lost', async () => {
    const reference = await begun()
    paystack.pay(reference)
    await server.sql.rows`
      insert into payment_events (id, rail, event_key, kind, reference, source_ip, raw, received_at)
      values (${`pev_${reference}`}, 'paystack', ${reference}, 'charge.success', ${reference}, '127.0.0.1', '\\x7b7d',
              ${server.clock.now()})`
    await server.sql.rows`update payments set next_check_at = null where reference = ${reference}`
    server.clock.advance({ minutes: 3 })
    await server.app.jobs.drain()
    expect(await eventsOf(server, reference)).toMatchObject([{ verdict: 'settled' }])
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })

  test('continues with the others when one payment fails', async () => {
    const [broken, fine] = [await begun(), await begun()]
    for (const reference of [broken, fine]) paystack.pay(reference)
    await server.sql.rows`update payments set email = 'nobody' where reference = ${broken}`
    server.clock.advance({ minutes: 2 })
    expect(await sweepPayments(server.app)).toBe(2)
    expect(await postedAmounts(server, fine)).toEqual([AMOUNT])
    expect(await postedAmounts(server, broken)).toEqual([])
    expect((await readPayment(server, broken)).nextCheckAt).toEqual(
      after(server.clock.now(), { seconds: 90 }),
    )
  })
})

/** A database that fails after the first transaction. */
function onlyOnce({ app: { db } }: TestServer): typeof db.tx {
  let left = 1
  return (reach, work) => (left-- > 0 ? db.tx(reach, work) : Promise.reject(new Error('killed')))
}

test('processed events are deleted after 400 days, and unprocessed ones are kept', async () => {
  const at = server.clock.now()
  for (const [id, processed] of [
    ['evt_done', at],
    ['evt_waiting', null],
  ] as const)
    await server.sql.rows`
      insert into payment_events (id, rail, event_key, kind, source_ip, raw, verdict, received_at, processed_at)
      values (${id}, 'paystack', ${id}, 'charge.success', '127.0.0.1', ${new Uint8Array()},
              ${processed && 'settled'}, ${at}, ${processed})`
  const kept = async () =>
    (
      await server.sql.rows<{ id: string }>`
      select id from payment_events where id in ('evt_done', 'evt_waiting') order by id`
    ).map(({ id }) => id)
  server.clock.advance({ days: 400 })
  await deleteOldEvents(server.app)
  expect(await kept()).toEqual(['evt_done', 'evt_waiting'])
  server.clock.advance({ seconds: 1 })
  await deleteOldEvents(server.app)
  expect(await kept()).toEqual(['evt_waiting'])
})
