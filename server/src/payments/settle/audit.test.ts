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

describe('whoever writes, a payment', () => {
  test.for<[string, () => Promise<unknown>]>([
    [
      'is not refunded beyond what it brought',
      () =>
        server.sql.rows`update payments set refunded_minor = captured_minor + 1 where reference = ${settled}`,
    ],
    [
      'brings nothing before it is settled',
      () => server.sql.rows`update payments set captured_minor = 1 where reference = ${waiting}`,
    ],
    [
      'is not settled without its entry',
      () => server.sql.rows`
        update payments set status = 'settled', settled_at = created_at, captured_minor = 1 where reference = ${waiting}`,
    ],
    [
      'is not settled without an amount',
      () => server.sql.rows`
        update payments set status = 'settled', settled_at = created_at, entry_id = 'led_x' where reference = ${waiting}`,
    ],
    [
      'is of something',
      () => server.sql.rows`update payments set amount_minor = 0 where reference = ${waiting}`,
    ],
  ])('%s', async ([, change]) => {
    await expect(change()).rejects.toThrow(/violates check constraint/)
  })

  test('has a name at its provider that no other has', async () => {
    const renamed = server.sql
      .rows`update payments set provider_ref = 'theirs 1' where reference = ${waiting}`
    await expect(renamed).rejects.toThrow(/payments_provider_ref/)
  })

  test('is not paid by a transaction that has paid for another', async () => {
    const paid = server.sql.rows`
      update payments set status = 'settled', settled_at = created_at, captured_minor = 1, entry_id = 'led_x',
        transaction_id = 'one' where reference = ${waiting}`
    await expect(paid).rejects.toThrow(/payments_transaction/)
  })
})

describe('whoever writes, a refund', () => {
  test.for<[string, () => Promise<unknown>]>([
    ['changed', () => server.sql.rows`update wallet_refunds set amount_minor = 2`],
    ['deleted', () => server.sql.rows`delete from wallet_refunds`],
  ])('is not %s', async ([, change]) => {
    await expect(change()).rejects.toThrow(/wallet_refunds is append-only/)
  })

  test('cites a payment, and an adjustment cites none', async () => {
    await expect(refundOf('led_2', 'refund', null)).rejects.toThrow(/violates check constraint/)
    await expect(refundOf('led_2', 'adjustment', settled)).rejects.toThrow(/violates check constraint/)
  })

  test('has an entry of its own', async () => {
    await expect(refundOf('led_1', 'refund', settled)).rejects.toThrow(/entry_id/)
  })
})

test('nobody of another organisation sees payments, messages or refunds', async () => {
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
