// Invoices of payments and credit notes of refunds.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { createPayment, mailsTo } from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { invoiceChecks } from '../../invoices/invoices.ts'
import { runChecks } from '../../wallet/wallet.ts'
import type { ProviderStatus } from '../rails/rail.ts'
import { invoiceOldPayments } from './invoice-backfill.ts'
import { settlePayment } from './settle.ts'

let server: TestServer
let second: TestServer
let biller: Person
let ada: Person

beforeAll(async () => {
  server = await startTestServer()
  second = await startTestServer({ url: server.url, clock: server.clock })
  biller = await server.person({ staff: 'billing' })
})
afterAll(async () => {
  await second.close()
  await server.close()
})
beforeEach(async () => {
  ada = await server.person()
})

const PAYMENTS = rounds(9, 30)
/** They wait for the same counter, each for at most the statement timeout. In the soak: all connections of two replicas. */
const AT_ONCE = rounds(3, 8)
const AMOUNT = 500_000n
const reversed: ProviderStatus = { status: 'reversed', reason: 'The bank took it back.', transactionId: null }
const paid = (reference: string): ProviderStatus => ({
  status: 'paid',
  transactionId: `t-${reference}`,
  amountMinor: AMOUNT,
  currency: 'NGN',
  reference,
  live: true,
})

async function settled(): Promise<string> {
  const reference = await createPayment(server, ada)
  await settlePayment(server.app, reference, paid(reference), 'webhook')
  return reference
}

type Refunded = { creditNote: { id: string; number: string; receiptUrl: string } | null }
const refund = (reference: string, amountMinor: number, more = {}, key = reference) =>
  server.call<Refunded>('POST', '/wallet/refund', {
    as: biller,
    body: { orgId: ada.orgId, amountMinor, reason: 'Paid twice', reference, ...more },
    headers: { 'idempotency-key': key },
  })

const invoices = () =>
  server.sql.rows<{ seq: bigint; reference: string; total: bigint; credited: bigint }>`
    select i.seq, i.reference, i.total_minor as total, i.credited_minor as credited
    from invoices i join payments p on p.invoice_id = i.id where i.org_id = ${ada.orgId} order by i.seq`
const notes = () =>
  server.sql.rows<{ number: string; total: bigint; cause: string; reason: string }>`
    select number, total_minor as total, cause, reason from credit_notes where org_id = ${ada.orgId} order by seq`
const broken = async () => (await runChecks(server.app, invoiceChecks)).filter(({ ok }) => !ok)

describe('a settled payment', () => {
  test('gets one invoice with concurrent settlements, and the numbers have no gap', async () => {
    const references: string[] = []
    for (let n = 0; n < PAYMENTS; n++) references.push(await createPayment(server, ada))
    // Each payment on both replicas.
    for (let first = 0; first < PAYMENTS; first += AT_ONCE)
      await Promise.all(
        references
          .slice(first, first + AT_ONCE)
          .flatMap((reference) =>
            [server, second].map(({ app }) => settlePayment(app, reference, paid(reference), 'webhook')),
          ),
      )
    const issued = await invoices()
    expect(issued.map(({ seq }) => Number(seq))).toEqual(references.map((_, at) => at + 1))
    expect(issued.map(({ reference }) => reference).sort()).toEqual([...references].sort())
    expect(await broken()).toEqual([])
  })

  test('sends a receipt with the invoice number and its address', async () => {
    const reference = await settled()
    const { body } = await server.call<{ invoices: { number: string; receiptUrl: string }[] }>(
      'GET',
      '/invoices',
      {
        as: ada,
      },
    )
    expect(body.invoices).toMatchObject([{ reference, totalMinor: AMOUNT, method: 'Card' }])
    const [mail] = await mailsTo(server, ada.email)
    expect(mail?.text).toContain(`Receipt ${body.invoices[0]?.number}: ${body.invoices[0]?.receiptUrl}`)
  })

  test('leaves neither an invoice nor a gap after a rollback', async () => {
    const [first, last] = [await createPayment(server, ada), await createPayment(server, ada)]
    await server.sql
      .rows`create function fails() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`
    await server.sql
      .rows`create trigger fails before update on payments for each row execute function fails()`
    await expect(settlePayment(server.app, first, paid(first), 'webhook')).rejects.toThrow()
    await server.sql.rows`drop trigger fails on payments`
    await settlePayment(server.app, last, paid(last), 'webhook')
    await settlePayment(server.app, first, paid(first), 'webhook')
    expect(await invoices()).toMatchObject([
      { seq: 1n, reference: last },
      { seq: 2n, reference: first },
    ])
  })
})

describe('a refund', () => {
  test('issues one credit note on the invoice and notifies the payer', async () => {
    const reference = await settled()
    const { body } = await refund(reference, 4_000)
    expect((await refund(reference, 4_000)).body).toEqual(body)
    expect(await notes()).toMatchObject([
      { total: 4_000n, reason: 'Paid twice', number: body.creditNote?.number },
    ])
    expect(await invoices()).toMatchObject([{ total: AMOUNT, credited: 4_000n }])
    const mail = (await mailsTo(server, ada.email)).find(({ subject }) =>
      subject.includes('back in your wallet'),
    )
    expect(mail?.subject).toBe('₦40.00 is back in your wallet')
    expect(mail?.text).toContain(`Credit note ${body.creditNote?.number}: ${body.creditNote?.receiptUrl}`)
    expect(await broken()).toEqual([])
  })

  test('never exceeds the invoice with concurrent calls', async () => {
    const reference = await settled()
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => refund(reference, 100_000, {}, `${reference}-${n}`)),
    )
    expect(await notes()).toHaveLength(5)
    expect(await invoices()).toMatchObject([{ credited: AMOUNT }])
    expect(await broken()).toEqual([])
  })

  test('issues no credit note for an adjustment', async () => {
    const reference = await settled()
    const { body } = await refund(reference, 4_000, { source: 'adjustment' })
    expect(body.creditNote).toBeNull()
    expect(await notes()).toEqual([])
  })
})

describe('a reversal', () => {
  test('issues one credit note for the rest of the invoice and notifies the payer', async () => {
    const reference = await settled()
    await refund(reference, 100_000)
    await settlePayment(server.app, reference, reversed, 'webhook')
    await settlePayment(server.app, reference, reversed, 'sweep')
    expect(await notes()).toMatchObject([
      { total: 100_000n },
      { total: 400_000n, cause: `reversal ${reference}` },
    ])
    const [, { number = '' } = {}] = await notes()
    const mail = (await mailsTo(server, ada.email)).find(({ subject }) => subject.includes('was reversed'))
    expect(mail?.text).toContain(`Credit note ${number}`)
    expect(await broken()).toEqual([])
  })

  test('of a fully refunded payment issues no further credit note', async () => {
    const reference = await settled()
    await refund(reference, Number(AMOUNT))
    await settlePayment(server.app, reference, reversed, 'webhook')
    expect(await notes()).toHaveLength(1)
    expect(await broken()).toEqual([])
  })
})

test('the backfill issues backdated invoices and credit notes for old payments', async () => {
  const old = [await settled(), await settled(), await settled()]
  await server.sql.rows`update payments set invoice_id = null where org_id = ${ada.orgId}`
  await server.sql.rows`alter table invoices disable trigger user`
  await server.sql.rows`delete from invoices where org_id = ${ada.orgId}`
  await server.sql.rows`alter table invoices enable trigger user`
  await server.sql.rows`delete from document_counters where org_id = ${ada.orgId}`
  const settledAt = server.clock.now()
  server.clock.advance({ days: 3 })
  await refund(old[0] ?? '', 1_000)
  await settlePayment(server.app, old[1] ?? '', reversed, 'webhook')
  expect(await notes()).toEqual([])

  expect(await invoiceOldPayments(server.app, 2)).toBe(2)
  await Promise.all([invoiceOldPayments(server.app), invoiceOldPayments(second.app)])
  expect(await invoiceOldPayments(server.app)).toBe(0)
  expect(await invoices()).toHaveLength(3)
  expect((await notes()).map(({ total }) => total).sort()).toEqual([1_000n, AMOUNT])
  const dates = await server.sql.rows`
    select distinct issued_at, paid_at, method from invoices where org_id = ${ada.orgId}`
  expect(dates).toEqual([{ issued_at: settledAt, paid_at: settledAt, method: 'Card' }])
  expect(await broken()).toEqual([])
})

// Keep this last: it disables the database constraints, so that only the checks detect violations.
describe('the invoice checks', () => {
  let reference: string
  beforeAll(async () => {
    ada = await server.person()
    reference = await settled()
    await refund(reference, 1_000)
    await settlePayment(server.app, reference, reversed, 'webhook')
    await server.sql.rows`
      do $$
      declare each record;
      begin
        for each in select conrelid::regclass as at, conname as name from pg_constraint
          where contype in ('c', 'f') and conrelid in ('invoices'::regclass, 'credit_notes'::regclass, 'payments'::regclass)
        loop
          execute format('alter table %s drop constraint %I', each.at, each.name);
        end loop;
        alter table invoices disable trigger user;
        alter table credit_notes disable trigger user;
      end $$`
  })

  const INVOICED = 'settled_payments_have_invoices'
  const NUMBERS = 'document_numbers_have_no_gap'
  const SUMS = 'invoices_add_up'
  const WITHIN = 'credit_notes_are_within_their_invoices'
  const NOTES = 'refunds_have_credit_notes'
  type Change = () => Promise<unknown>
  const q = () => server.sql
  test.for<[string, names: string[], change: Change, undo: Change]>([
    [
      'a payment without its invoice',
      [INVOICED, NOTES],
      () => q().rows`update payments set invoice_id = null where reference = ${reference}`,
      () =>
        q()
          .rows`update payments p set invoice_id = i.id from invoices i where i.reference = p.reference and p.invoice_id is null`,
    ],
    [
      'an invoice without a payment',
      [INVOICED],
      () => q().rows`update invoices set reference = 'other' where cause = ${reference}`,
      () => q().rows`update invoices set reference = cause where cause = ${reference}`,
    ],
    [
      'an invoice with another amount than its payment',
      [INVOICED, NOTES],
      () => q().rows`update payments set captured_minor = captured_minor + 1 where reference = ${reference}`,
      () => q().rows`update payments set captured_minor = captured_minor - 1 where reference = ${reference}`,
    ],
    [
      'a skipped invoice number',
      [NUMBERS],
      () => q().rows`update invoices set seq = seq + 100 where cause = ${reference}`,
      () => q().rows`update invoices set seq = seq - 100 where cause = ${reference}`,
    ],
    [
      'a missing credit note number',
      [NUMBERS],
      () => q().rows`update credit_notes set seq = seq + 100 where cause = ${`reversal ${reference}`}`,
      () => q().rows`update credit_notes set seq = seq - 100 where cause = ${`reversal ${reference}`}`,
    ],
    [
      'an invoice whose lines do not sum to its total',
      [SUMS],
      () =>
        q()
          .rows`update invoices set lines = jsonb_set(lines, '{0,amountMinor}', '9') where cause = ${reference}`,
      () =>
        q()
          .rows`update invoices set lines = jsonb_set(lines, '{0,amountMinor}', '500000') where cause = ${reference}`,
    ],
    [
      'a tax that is not the sum of its parts',
      [SUMS],
      () => q().rows`update credit_notes set tax_minor = tax_minor - 1, subtotal_minor = subtotal_minor + 1`,
      () => q().rows`update credit_notes set tax_minor = tax_minor + 1, subtotal_minor = subtotal_minor - 1`,
    ],
    [
      'an invoice whose credited total differs from its credit notes',
      [WITHIN],
      () => q().rows`update invoices set credited_minor = credited_minor - 1 where cause = ${reference}`,
      () => q().rows`update invoices set credited_minor = credited_minor + 1 where cause = ${reference}`,
    ],
    [
      'a credit note with another amount than its refund',
      [WITHIN, NOTES],
      () =>
        q()
          .rows`update credit_notes set total_minor = total_minor + 1, subtotal_minor = subtotal_minor + 1 where cause = ${`reversal ${reference}`}`,
      () =>
        q()
          .rows`update credit_notes set total_minor = total_minor - 1, subtotal_minor = subtotal_minor - 1 where cause = ${`reversal ${reference}`}`,
    ],
  ])('find %s', async ([, names, change, undo]) => {
    await change()
    const found = (await broken()).map(({ name }) => name)
    await undo()
    expect(found.sort()).toEqual([...names].sort())
    expect(await broken()).toEqual([])
  })
})
