import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { createPayment } from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { settlePayment } from './settle.ts'

let server: TestServer
let ada: Person
let settled: string
let waiting: string

beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person()
  waiting = await createPayment(server, ada, { providerRef: 'theirs 2' })
  settled = await createPayment(server, ada, { providerRef: 'theirs 1' })
  const paid = { amountMinor: null, currency: null, reference: null, live: true, transactionId: 'one' }
  await settlePayment(server.app, settled, { status: 'paid', ...paid }, 'webhook')
  await refundOf('led_1', 'refund', settled)
  await server.sql.rows`
    insert into payment_events (id, rail, event_key, kind, org_id, source_ip, raw, received_at)
    values ('pev_1', 'paystack', 'one', 'x', ${ada.orgId}, '127.0.0.1', '', ${server.clock.now()})`
})
afterAll(() => server.close())

const refundOf = (entryId: string, source: string, reference: string | null) => server.sql.rows`
  insert into wallet_refunds (id, org_id, source, reference, amount_minor, reason, actor_user_id, entry_id, created_at)
  values (${newId('rfd')}, ${ada.orgId}, ${source}, ${reference}, 1, 'x', ${ada.userId}, ${entryId}, ${server.clock.now()})`

describe('constraints on payments', () => {
  test.for<[string, () => Promise<unknown>]>([
    [
      'refunds stay within the captured amount',
      () =>
        server.sql.rows`update payments set refunded_minor = captured_minor + 1 where reference = ${settled}`,
    ],
    [
      'an unsettled payment has no captured amount',
      () => server.sql.rows`update payments set captured_minor = 1 where reference = ${waiting}`,
    ],
    [
      'a settled payment has a ledger entry',
      () => server.sql.rows`
        update payments set status = 'settled', settled_at = created_at, captured_minor = 1 where reference = ${waiting}`,
    ],
    [
      'a settled payment has an amount',
      () => server.sql.rows`
        update payments set status = 'settled', settled_at = created_at, entry_id = 'led_x' where reference = ${waiting}`,
    ],
    [
      'the amount is positive',
      () => server.sql.rows`update payments set amount_minor = 0 where reference = ${waiting}`,
    ],
  ])('%s', async ([, change]) => {
    await expect(change()).rejects.toThrow(/violates check constraint/)
  })

  test('a provider id belongs to one payment', async () => {
    const renamed = server.sql
      .rows`update payments set provider_ref = 'theirs 1' where reference = ${waiting}`
    await expect(renamed).rejects.toThrow(/payments_provider_ref/)
  })

  test('a transaction settles one payment', async () => {
    const paid = server.sql.rows`
      update payments set status = 'settled', settled_at = created_at, captured_minor = 1, entry_id = 'led_x',
        transaction_id = 'one' where reference = ${waiting}`
    await expect(paid).rejects.toThrow(/payments_transaction/)
  })
})

describe('constraints on refunds', () => {
  test.for<[string, () => Promise<unknown>]>([
    ['changed', () => server.sql.rows`update wallet_refunds set amount_minor = 2`],
    ['deleted', () => server.sql.rows`delete from wallet_refunds`],
  ])('cannot be %s', async ([, change]) => {
    await expect(change()).rejects.toThrow(/wallet_refunds is append-only/)
  })

  test('a refund has a payment and an adjustment has none', async () => {
    await expect(refundOf('led_2', 'refund', null)).rejects.toThrow(/violates check constraint/)
    await expect(refundOf('led_2', 'adjustment', settled)).rejects.toThrow(/violates check constraint/)
  })

  test('each refund has its ledger entry', async () => {
    await expect(refundOf('led_1', 'refund', settled)).rejects.toThrow(/entry_id/)
  })
})

test('payments, webhook events and refunds are invisible to other organisations', async () => {
  const { orgId } = await server.person()
  const see = (reach: typeof orgId) =>
    server.app.db.tx(reach, async (tx) => ({
      payments: (await tx.rows`select reference from payments`).length,
      events: (await tx.rows`select id from payment_events`).length,
      refunds: (await tx.rows`select id from wallet_refunds`).length,
    }))
  expect(await see(orgId)).toEqual({ payments: 0, events: 0, refunds: 0 })
  expect(await see(ada.orgId)).toEqual({ payments: 2, events: 1, refunds: 1 })
})
