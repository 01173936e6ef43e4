import {
  endAllSubscriptions,
  PRO_INCLUDED,
  readSubscriptionRow,
  subscriber,
  walletOf,
} from '@cowrie/testkit/billing/renewal.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import type { FakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { spend } from '@cowrie/testkit/wallet/money.ts'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { addMonths } from '../calendar.ts'
import { refillAllowances } from './allowance-refills.ts'

const world = useWorld()
let server: TestServer
let bank: FakePaystack

beforeAll(() => {
  server = world.server
  bank = world.bank
})
afterEach(() => endAllSubscriptions(server))

const yearly = () => subscriber(server, bank, { interval: 'year', hasCard: false })
const toDay = (day: Date) => server.clock.advance({ ms: day.getTime() - server.clock.now().getTime() })

test('a yearly plan is refilled once every month, also by concurrent runs', async () => {
  const someone = await yearly()
  const { periodStart } = await readSubscriptionRow(server, someone)
  await spend(server, someone, 400_000n)
  toDay(new Date(addMonths(periodStart, 1).getTime() - 1))
  expect(await refillAllowances(server.app)).toBe(0)
  expect(await walletOf(server, someone)).toMatchObject({ includedMinor: PRO_INCLUDED - 400_000n })

  toDay(addMonths(periodStart, 1))
  const runs = await Promise.all([1, 2, 3, 4].map(() => refillAllowances(server.app)))
  expect(runs.reduce((sum, granted) => sum + granted, 0)).toBe(1)
  expect(await walletOf(server, someone)).toMatchObject({ includedMinor: PRO_INCLUDED })
  expect(await readSubscriptionRow(server, someone)).toMatchObject({
    allowanceDueAt: addMonths(periodStart, 2),
  })

  await spend(server, someone, 100_000n)
  expect(await refillAllowances(server.app)).toBe(0)
  server.clock.advance({ days: -1 })
  expect(await refillAllowances(server.app)).toBe(0)
  expect(await walletOf(server, someone)).toMatchObject({ includedMinor: PRO_INCLUDED - 100_000n })
})

test('missed months are not granted later', async () => {
  const someone = await yearly()
  const { periodStart } = await readSubscriptionRow(server, someone)
  toDay(new Date(addMonths(periodStart, 4).getTime() + 86_400_000))
  expect(await refillAllowances(server.app)).toBe(1)
  expect(await walletOf(server, someone)).toMatchObject({ includedMinor: PRO_INCLUDED })
  expect(await readSubscriptionRow(server, someone)).toMatchObject({
    allowanceDueAt: addMonths(periodStart, 5),
  })
})

test('the last month of a year is followed by a renewal, not by a refill', async () => {
  const someone = await yearly()
  const { periodStart, periodEnd } = await readSubscriptionRow(server, someone)
  toDay(addMonths(periodStart, 11))
  expect(await refillAllowances(server.app)).toBe(1)
  expect(await readSubscriptionRow(server, someone)).toMatchObject({ allowanceDueAt: null })
  await spend(server, someone, 1n)
  toDay(periodEnd)
  expect(await refillAllowances(server.app)).toBe(0)
  expect(await walletOf(server, someone)).toMatchObject({ includedMinor: PRO_INCLUDED - 1n })
})

test('an expired year grants nothing', async () => {
  const someone = await yearly()
  await spend(server, someone, 7n)
  const { periodEnd } = await readSubscriptionRow(server, someone)
  toDay(periodEnd)
  expect(await refillAllowances(server.app)).toBe(0)
  expect(await walletOf(server, someone)).toMatchObject({ includedMinor: PRO_INCLUDED - 7n })
  expect(await readSubscriptionRow(server, someone)).toMatchObject({ allowanceDueAt: null })
})

test('a past due subscription gets no refill', async () => {
  const someone = await yearly()
  await server.sql.rows`update subscriptions set status = 'past_due' where id = ${someone.subscriptionId}`
  const { periodStart } = await readSubscriptionRow(server, someone)
  toDay(addMonths(periodStart, 1))
  expect(await refillAllowances(server.app)).toBe(0)
})

test('the schedule refills and renews', async () => {
  const someone = await yearly()
  await spend(server, someone, 5n)
  await server.app.jobs.drain()
  toDay(addMonths((await readSubscriptionRow(server, someone)).periodStart, 1))
  server.clock.advance({ minutes: 5 })
  await server.app.jobs.drain()
  expect(await walletOf(server, someone)).toMatchObject({ includedMinor: PRO_INCLUDED })
})
