// The daily job over the accounts of several providers: Flutterwave with lists, Ozow with status queries only.
import { type FakeFlutterwave, startFakeFlutterwave } from '@cowrie/testkit/fakes/payments/flutterwave.ts'
import { startFakeOzow } from '@cowrie/testkit/fakes/payments/ozow.ts'
import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { postedAmounts } from '@cowrie/testkit/payments/payment-fixture.ts'
import {
  differenceCases,
  openDifferences,
  readRun,
  reconcileDay,
  startRun,
} from '@cowrie/testkit/payments/reconciliation-world.ts'
import { customer, topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { reconcilePayment } from '../settle/reconcile.ts'
import { startDueDays } from './jobs.ts'
import { runReconciliation } from './run.ts'

const SCHEDULES = ['payments.', 'wallet.', 'invoices.']

const AMOUNT = 500_000n
let paystack: FakePaystack
let flutterwave: FakeFlutterwave
let ozow: Awaited<ReturnType<typeof startFakeOzow>>
let server: TestServer
let second: TestServer
let person: Person

beforeAll(async () => {
  ;[paystack, flutterwave, ozow] = await Promise.all([
    startFakePaystack(),
    startFakeFlutterwave(),
    startFakeOzow(),
  ])
  const variables = { ...paystack.variables, ...flutterwave.variables, ...ozow.variables }
  server = await startTestServer({ schedules: SCHEDULES, variables })
  second = await startTestServer({ schedules: SCHEDULES, variables, url: server.url, clock: server.clock })
})
afterAll(async () => {
  await second.close()
  await server.close()
  await Promise.all([paystack.close(), flutterwave.close(), ozow.close()])
})
beforeEach(async () => {
  person = await customer(server)
  await server.sql.rows`delete from reconciliations`
  await server.sql.rows`delete from payment_cases`
})

async function started(channel: string, as = person): Promise<string> {
  const { body } = await topUp(server, as, { amountMinor: AMOUNT, channel })
  return body.reference
}

async function settled(channel: string, pay: (reference: string) => void, as = person): Promise<string> {
  const reference = await started(channel, as)
  pay(reference)
  await reconcilePayment(server.app, reference, 'webhook')
  return reference
}

test('a refund of ours to the payer is debited once by list, check and sweep, and is no difference', async () => {
  const reference = await started('card')
  paystack.pay(reference)
  await reconcilePayment(server.app, reference, 'webhook')
  const staff = await server.person({ staff: 'billing' })
  const requested = await server.call('POST', `/admin/payments/${reference}/refund-to-source`, {
    as: staff,
    body: { amountMinor: 120_000n, reason: 'Paid twice' },
    headers: { 'idempotency-key': reference },
  })
  expect(requested).toMatchObject({ status: 200 })
  await server.app.jobs.drain()
  paystack.returns.finish(reference, 'processed')
  await reconcileDay(server)
  await reconcilePayment(server.app, reference, 'sweep')
  server.clock.advance({ minutes: 30 })
  await server.app.jobs.drain()
  const run = await reconcileDay(server)
  expect(await postedAmounts(server, reference)).toEqual([AMOUNT, -120_000n])
  expect(run.counts.differences).toEqual({})
  expect(await openDifferences(server)).toEqual([])
})

test('Flutterwave: a second payment under one reference is credited, refunds are taken, and changes are found', async () => {
  const twice = await settled('flutterwave', flutterwave.pay)
  const refunded = await settled('flutterwave', flutterwave.pay)
  const changed = await settled('flutterwave', flutterwave.pay)
  const pending = await started('flutterwave')
  flutterwave.decline(pending)
  flutterwave.pay(pending)
  flutterwave.pay(twice)
  flutterwave.refund(refunded, 1200)
  flutterwave.override(changed, { amount: 4999 })
  const id = await startRun(server, '2026-11-15', 'flutterwave')
  await runReconciliation(server.app, id)
  expect(await openDifferences(server)).toEqual([`amount ${changed}`])
  expect(await readRun(server, id)).toMatchObject({
    state: 'complete',
    counts: {
      explained: { settled_late: 2, return_recorded: 1 },
      differences: { amount: 1 },
      fees: { NGN: '10500' },
    },
  })
  expect(await postedAmounts(server, pending)).toEqual([AMOUNT])
  expect(await postedAmounts(server, refunded)).toEqual([AMOUNT, -120_000n])
  const repeats = await server.sql.rows`select status from payments where repeat_of = ${twice}`
  expect(repeats).toEqual([{ status: 'settled' }])
})

test('a provider without a list: pending payments are settled, and credits are confirmed by status queries', async () => {
  const payer = await customer(server, 'ZAR')
  const confirmed = await settled('ozow', ozow.pay, payer)
  const pending = await started('ozow', payer)
  ozow.pay(pending)
  const id = await startRun(server, '2026-11-15', 'ozow')
  await runReconciliation(server.app, id)
  expect(await readRun(server, id)).toMatchObject({
    ...{ source: 'status', state: 'complete' },
    counts: { matched: 2, differences: {} },
  })
  expect(await postedAmounts(server, confirmed)).toEqual([AMOUNT])
  expect(await postedAmounts(server, pending)).toEqual([AMOUNT])
  expect(await differenceCases(server)).toEqual([])
})

test('every account is reconciled once after the end of the day, with several replicas, and gaps are filled', async () => {
  const days = () => server.sql.rows<{ rail: string; account: string; day: string }>`
    select rail, account, day::text as day, state from reconciliations order by day, rail, account`
  server.clock.advance({ hours: 16 })
  // 01:00 of the next day: the lists of the provider may still change.
  await startDueDays(server.app)
  expect([...new Set((await days()).map(({ day }) => day))]).toEqual(['2026-11-14'])
  server.clock.advance({ hours: 1 })
  await Promise.all([server, second, server].map(({ app }) => startDueDays(app)))
  await server.app.jobs.drain()
  const accounts = [
    'flutterwave all',
    'ozow ZA',
    ...['CI', 'GH', 'KE', 'NG', 'ZA'].map((each) => `paystack ${each}`),
  ]
  const after = (await days()).filter(({ day }) => day === '2026-11-15')
  expect(after.map(({ rail, account }) => `${rail} ${account}`)).toEqual(accounts)
  expect(await days()).toEqual((await days()).map((each) => ({ ...each, state: 'complete' })))
  server.clock.advance({ days: 3 })
  await startDueDays(second.app)
  const nigeria = (await days()).filter(({ rail, account }) => rail === 'paystack' && account === 'NG')
  expect(nigeria.map(({ day }) => day.slice(-2))).toEqual(['14', '15', '16', '17', '18'])
})
