// Automatic top-up whose rule, people or provider change between the start of an attempt and its charge.

import {
  type Customer,
  cardCustomer,
  newestCardOf,
  putRule,
  readRule,
} from '@cowrie/testkit/billing/automatic-topup.ts'
import { addCard } from '@cowrie/testkit/billing/renewal.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import type { FakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import type { Person, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo } from '@cowrie/testkit/payments/payment-fixture.ts'
import { spend } from '@cowrie/testkit/wallet/money.ts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { paymentChecks } from '../../payments/payments.ts'
import { sweepPayments } from '../../payments/settle/sweeper.ts'
import { runChecks, walletChecks } from '../../wallet/wallet.ts'
import { billingChecks } from '../billing.ts'
import { findAutomaticTopups } from './jobs.ts'
import { attemptReference } from './run-topup.ts'

let bank: FakePaystack
let server: TestServer

const world = useWorld({
  variables: { SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1' },
  // Not those of automatic top-ups: these tests count the rounds of their work.
  schedules: ['payments.', 'wallet.', 'invoices.'],
})
beforeAll(() => {
  ;({ bank, server } = world)
})
afterEach(() => {
  bank.heal()
  // The circuit breaker of the provider closes again.
  server.clock.advance({ hours: 2 })
})

const put = (as: Customer, changes?: object, by?: { bearer: string }) => putRule(server, as, changes, by)
const read = (as: Person) => readRule(server, as)
const turnOff = (as: Person) => server.call('DELETE', '/wallet/automatic-topup', { as })
const openAttemptOf = async (as: Person) =>
  (await server.call<{ openAttempt: object | null }>('GET', '/wallet/automatic-topup', { as })).body
    .openAttempt
const chargesOf = ({ last4 }: Pick<Customer, 'last4'>) =>
  bank.cards.charges.filter((charge) => charge.last4 === last4)
const subjectsTo = async (email: string) => (await mailsTo(server, email)).map(({ subject }) => subject)

async function active(changes: object = {}, type?: 'team'): Promise<Customer> {
  const ada = await cardCustomer(server, bank, type)
  expect(await put(ada, changes)).toMatchObject({ status: 200 })
  return ada
}
/** Does the work of the schedule. */
async function tick(): Promise<void> {
  await findAutomaticTopups(server.app)
  await server.app.jobs.drain()
}
async function spendAndTick(ada: Customer, minor = 60_000n): Promise<void> {
  await spend(server, ada, minor)
  await tick()
}
async function ticks(count: number, minutes: number): Promise<void> {
  for (let round = 0; round < count; round++) {
    server.clock.advance({ minutes })
    await tick()
  }
}
async function deliver({ headers, body }: { headers: Record<string, string>; body: string }): Promise<void> {
  await server.call('POST', '/webhooks/card_provider', { headers, raw: body })
  await server.app.jobs.drain()
}
/** An attempt whose charge never reached the provider. */
async function unsent(changes?: object, type?: 'team'): Promise<Customer> {
  const ada = await active(changes, type)
  bank.fault('down')
  await spendAndTick(ada, 70_000n)
  expect(await openAttemptOf(ada)).toMatchObject({ reference: attemptReference(ada.orgId, 1) })
  bank.heal()
  return ada
}

describe('a charge that was not sent yet is never sent', () => {
  test('after it is turned off, and the open attempt is shown until it is dropped', async () => {
    const ada = await unsent()
    await turnOff(ada)
    expect(await read(ada)).toBeNull()
    expect(await openAttemptOf(ada)).toMatchObject({ amountMinor: 200_000n, authorizationUrl: null })
    await ticks(3, 2)
    expect(chargesOf(ada)).toEqual([])
    expect(await openAttemptOf(ada)).toBeNull()
  })

  test('after the organisation is suspended', async () => {
    const ada = await unsent()
    await server.sql.rows`update orgs set suspended_at = ${server.clock.now()} where id = ${ada.orgId}`
    await ticks(3, 10)
    expect(chargesOf(ada)).toEqual([])
  })

  test('after another card payment is disputed, and it pauses', async () => {
    const ada = await active()
    await spendAndTick(ada)
    const { reference = '' } = chargesOf(ada)[0] ?? {}
    bank.fault('down')
    await spendAndTick(ada, 200_000n)
    bank.heal()
    // The circuit breaker has closed, and the next check is not due.
    server.clock.advance({ seconds: 40 })
    await deliver(bank.returns.dispute(reference, 200_000))
    await ticks(3, 10)
    expect(chargesOf(ada)).toHaveLength(1)
    expect(await read(ada)).toMatchObject({ status: 'paused', pausedReason: 'payment_disputed' })
  })

  test('after the amount or the maximum is lowered: the new amount is charged', async () => {
    const ada = await unsent()
    await put(ada, { amountMinor: 60_000n, monthlyMaxMinor: 60_000n })
    await ticks(1, 5)
    expect(await read(ada)).toMatchObject({ status: 'active', attempt: null, monthChargedMinor: 0n })
    await ticks(2, 5)
    expect(chargesOf(ada).map(({ reference }) => reference)).toEqual([attemptReference(ada.orgId, 2)])
    expect(await read(ada)).toMatchObject({ attempt: null, monthChargedMinor: 60_000n })
  })

  test('after another card is chosen: only that card is charged', async () => {
    const ada = await unsent()
    server.clock.advance({ seconds: 30 })
    const last4 = await addCard(server, bank, ada)
    await put({ ...ada, cardId: await newestCardOf(server, ada) })
    await ticks(4, 5)
    expect([chargesOf(ada).length, chargesOf({ last4 }).length]).toEqual([0, 1])
  })

  test('after the owner who turned it on is no longer an owner', async () => {
    const ada = await unsent({}, 'team')
    await server.member(ada.orgId, 'owner')
    await server.sql
      .rows`update memberships set role = 'admin' where org_id = ${ada.orgId} and user_id = ${ada.userId}`
    await ticks(4, 5)
    expect(chargesOf(ada)).toEqual([])
    expect(await read(ada)).toMatchObject({ status: 'paused', pausedReason: 'member_left', attempt: null })
  })
})

describe('the monthly maximum', () => {
  test('counts the page of a bank that was replaced by another card, for a day', async () => {
    const ada = await active({ monthlyMaxMinor: 200_000n })
    bank.cards.behave(ada.last4, { does: 'asks' })
    await spendAndTick(ada, 70_000n)
    server.clock.advance({ seconds: 1 })
    const last4 = await addCard(server, bank, ada)
    const other = { ...ada, cardId: await newestCardOf(server, ada) }
    await put(other, { monthlyMaxMinor: 200_000n })
    await tick()
    expect(chargesOf({ last4 })).toEqual([])
    expect(await read(ada)).toMatchObject({
      status: 'active',
      attempt: null,
      limitedUntil: expect.any(String),
    })
    await ticks(1, 25 * 60)
    expect(chargesOf({ last4 })).toHaveLength(1)
  })

  test('counts a charge that expired without an answer', async () => {
    const ada = await active({ monthlyMaxMinor: 200_000n })
    bank.cards.behave(ada.last4, { does: 'waits' })
    await spendAndTick(ada, 70_000n)
    for (let round = 0; round < 4; round++) {
      server.clock.advance({ hours: 12 })
      await sweepPayments(server.app)
      await tick()
    }
    expect(await read(ada)).toMatchObject({ status: 'paused', pausedReason: 'no_answer' })
    bank.cards.behave(ada.last4, { does: 'pays' })
    await put(ada, { monthlyMaxMinor: 200_000n })
    await tick()
    expect(chargesOf(ada)).toHaveLength(1)
    expect(await read(ada)).toMatchObject({ monthChargedMinor: 200_000n, limitedUntil: expect.any(String) })
  })
})

test('resuming with the same card is refused while its bank waits for a confirmation', async () => {
  const ada = await active()
  bank.cards.behave(ada.last4, { does: 'asks' })
  await spendAndTick(ada)
  const reference = attemptReference(ada.orgId, 1)
  const refusal = { status: 402, body: { code: 'card_challenged', reference } }
  expect(await put(ada)).toMatchObject(refusal)
  await turnOff(ada)
  expect(await put(ada)).toMatchObject(refusal)
  expect(await openAttemptOf(ada)).toMatchObject({ authorizationUrl: expect.stringContaining(reference) })
  server.clock.advance({ hours: 24 })
  await sweepPayments(server.app)
  await tick()
  bank.cards.behave(ada.last4, { does: 'pays' })
  expect((await put(ada)).status).toBe(200)
})

describe('when a person leaves', () => {
  test('it pauses, and the remaining owners get the mails', async () => {
    const ada = await active({}, 'team')
    const owner = await server.member(ada.orgId, 'owner')
    expect(
      (await server.call('DELETE', `/teams/${ada.orgId}/members/${ada.userId}`, { as: owner })).status,
    ).toBe(200)
    await spend(server, owner, 60_000n)
    await tick()
    expect(chargesOf(ada)).toEqual([])
    expect(await read(owner)).toMatchObject({ status: 'paused', pausedReason: 'member_left' })
    expect(await subjectsTo(owner.email)).toContain('Automatic top-up is paused')
    expect(await subjectsTo(ada.email)).not.toContain('Automatic top-up is paused')
    expect(await put(ada, {}, owner)).toMatchObject({ status: 400, body: { fields: [{ path: 'cardId' }] } })
  })

  test('the receipt of a charge that was sent before goes to the owners only', async () => {
    const ada = await active({}, 'team')
    const owner = await server.member(ada.orgId, 'owner')
    bank.cards.behave(ada.last4, { does: 'waits' })
    await spendAndTick(ada)
    await server.call('DELETE', `/teams/${ada.orgId}/members/${ada.userId}`, { as: owner })
    const reference = attemptReference(ada.orgId, 1)
    bank.pay(reference)
    await deliver(bank.message(reference))
    const receipt = 'Receipt: ₦2,000.00 added to your wallet automatically'
    expect(await subjectsTo(owner.email)).toContain(receipt)
    expect(await subjectsTo(ada.email)).not.toContain(receipt)
  })
})

test('a provider that cannot be reached is no decline: another attempt follows, at most every ten minutes', async () => {
  const ada = await active()
  bank.fault('down')
  await spendAndTick(ada)
  server.clock.advance({ hours: 1 })
  bank.heal()
  await ticks(2, 20)
  expect(chargesOf(ada).map(({ reference }) => reference)).toEqual([attemptReference(ada.orgId, 2)])
  expect(await read(ada)).toMatchObject({ status: 'active', attempt: null })
  expect(await subjectsTo(ada.email)).not.toContain('Automatic top-up is paused')
})

test('turning it off and on does not avoid the limit of ten declines in an hour', async () => {
  const ada = await active()
  bank.cards.behave(ada.last4, { does: 'declines', message: 'Do Not Honour' })
  await spendAndTick(ada)
  const statuses: number[] = []
  for (let round = 0; round < 11; round++) {
    await turnOff(ada)
    statuses.push((await put(ada)).status)
    await tick()
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  expect(chargesOf(ada)).toHaveLength(10)
})

test.for<['review' | 'pending', string]>([
  ['review', 'under review'],
  ['pending', 'that the provider reports as pending'],
])('a payment in %s (%s) is checked, never sent again', async ([status]) => {
  const ada = await active()
  bank.cards.behave(ada.last4, { does: 'waits' })
  await spendAndTick(ada)
  const reference = attemptReference(ada.orgId, 1)
  await server.sql
    .rows`update payments set status = ${status}, reason = 'A test' where reference = ${reference}`
  const sent = () => bank.requests.filter(({ path }) => path === '/transaction/charge_authorization').length
  const before = sent()
  await ticks(3, 20)
  expect(sent()).toBe(before)
  expect(await read(ada)).toMatchObject({ attempt: { reference } })
  await server.sql.rows`update payments set status = 'pending', reason = null where reference = ${reference}`
})

test('all invariants hold after these tests', async () => {
  const results = await runChecks(server.app, [...walletChecks, ...paymentChecks, ...billingChecks])
  expect(results.filter(({ ok }) => !ok)).toEqual([])
})
