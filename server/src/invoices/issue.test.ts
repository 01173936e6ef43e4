import { creditFor, issueFor, newInvoice } from '@cowrie/testkit/billing/invoice.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import type { NewInvoice } from './document.ts'
import { issueInvoice, payInvoice, voidInvoice } from './issue.ts'

let server: TestServer
let second: TestServer
let ada: Person

beforeAll(async () => {
  server = await startTestServer({
    variables: { SERVICE_SELLER_NAME: 'Cowrie Ltd', SERVICE_SELLER_TAX_ID: 'T-1' },
  })
  second = await startTestServer({ url: server.url, clock: server.clock })
})
afterAll(async () => {
  await second.close()
  await server.close()
})
beforeEach(async () => {
  ada = await server.person()
})

const issue = (more: Partial<NewInvoice> = {}, by = server) => issueFor(by, ada.orgId, more)
const credit = (reference: string, amountMinor: bigint, cause?: string) =>
  creditFor(server, ada.orgId, reference, amountMinor, cause === undefined ? {} : { cause })

const numbers = async (): Promise<number[]> =>
  (
    await server.sql.rows<{ seq: bigint }>`
      select seq from invoices where org_id = ${ada.orgId} order by seq`
  ).map(({ seq }) => Number(seq))

const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

describe('numbers', () => {
  test('start at one in each organisation and carry its mark', async () => {
    const mark = ada.orgId.slice(-6).toUpperCase()
    expect((await issue()).number).toBe(`COW-${mark}-000001`)
    expect((await issue()).number).toBe(`COW-${mark}-000002`)
    const reference = newId('x')
    await issue({ cause: reference, reference })
    expect((await credit(reference, 1n))?.number).toBe(`COW-${mark}-CN-0001`)
    ada = await server.person()
    expect((await issue()).number).toBe(`COW-${ada.orgId.slice(-6).toUpperCase()}-000001`)
  })

  test('have no gap if thirty are issued concurrently on two replicas and every third rolls back', async () => {
    const attempts = upTo(30).map((n) => {
      const by = n % 2 ? server : second
      return by.app.db.tx(ada.orgId, async (tx) => {
        await issueInvoice(by.app, tx, newInvoice(ada.orgId))
        if (n % 3 === 0) throw new Error('changed my mind')
      })
    })
    const ended = await Promise.allSettled(attempts)
    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(10)
    expect(await numbers()).toEqual(upTo(20))
  })

  test('are drawn once per cause, also for concurrent calls', async () => {
    const cause = newId('x')
    const issued = await Promise.all(
      upTo(10).map((n) => issue({ cause, reference: cause }, n % 2 ? server : second)),
    )
    expect(new Set(issued.map(({ id }) => id)).size).toBe(1)
    await issue()
    expect(await numbers()).toEqual([1, 2])
  })
})

describe('an invoice', () => {
  test('keeps the seller, the buyer and the tax of its issue date', async () => {
    await server.call('PUT', '/billing/details', {
      as: ada,
      body: { legalName: 'Ada Ltd', address: '1 Road\nAccra', taxId: 'C-9', country: 'GH' },
    })
    const { id } = await issue({ lines: [{ description: 'x', quantity: 1, amountMinor: 120_000n }] })
    await server.call('PUT', '/billing/details', {
      as: ada,
      body: { legalName: 'Ada plc', country: 'NG' },
    })
    expect(
      await server.sql
        .one`select seller, buyer, taxes, subtotal_minor, tax_minor from invoices where id = ${id}`,
    ).toEqual({
      seller: { name: 'Cowrie Ltd', address: null, taxId: 'T-1' },
      buyer: { name: 'Ada Ltd', address: '1 Road\nAccra', taxId: 'C-9', country: 'GH' },
      taxes: [
        { name: 'VAT', rateBps: 1500, amountMinor: 15_000n },
        { name: 'NHIL', rateBps: 250, amountMinor: 2_500n },
        { name: 'GETFund', rateBps: 250, amountMinor: 2_500n },
      ],
      subtotal_minor: 100_000n,
      tax_minor: 20_000n,
    })
  })

  test('without buyer details has the tax of the country of its currency, or none if several countries share it', async () => {
    const taxOf = async (currency: NewInvoice['currency']) => {
      const { id } = await issue({ currency })
      return (
        await server.sql.one<{
          tax: bigint
        }>`select tax_minor as tax from invoices where id = ${id}`
      ).tax
    }
    expect(await taxOf('NGN')).toBe(7_500n)
    expect(await taxOf('XOF')).toBe(0n)
    expect(await taxOf('USD')).toBe(0n)
  })

  test('that is open is either paid by one payment or voided, never both', async () => {
    const paid = await issue({ status: 'open', reference: null, method: null })
    const pay = (reference: string) =>
      server.app.db.tx(ada.orgId, (tx) =>
        payInvoice(server.app, tx, paid.id, { reference, method: 'Card', mode: 'mock' }),
      )
    await pay('ref-a')
    await pay('ref-a')
    await expect(pay('ref-b')).rejects.toThrow('is paid by one payment')
    const voidUnpaid = (id: typeof paid.id) =>
      server.app.db.tx(ada.orgId, (tx) => voidInvoice(tx, id, 'It was not paid.'))
    await expect(voidUnpaid(paid.id)).rejects.toThrow('is credited instead')
    const open = await issue({ status: 'open', reference: null, method: null })
    await voidUnpaid(open.id)
    await voidUnpaid(open.id)
    expect(
      await server.sql
        .rows`select status, reference, reason, mode from invoices where org_id = ${ada.orgId} order by seq`,
    ).toEqual([
      { status: 'paid', reference: 'ref-a', reason: null, mode: 'mock' },
      { status: 'void', reference: null, reason: 'It was not paid.', mode: 'live' },
    ])
  })

  test('is never rewritten or deleted by any database role', async () => {
    const { id } = await issue()
    const never = /never rewritten/
    const { sql } = server
    await expect(
      sql.rows`update invoices set total_minor = 1, subtotal_minor = 1, tax_minor = 0 where id = ${id}`,
    ).rejects.toThrow(never)
    await expect(sql.rows`update invoices set number = 'COW-1' where id = ${id}`).rejects.toThrow(never)
    await expect(sql.rows`update invoices set buyer = '{}' where id = ${id}`).rejects.toThrow(never)
    await expect(sql.rows`update invoices set mode = 'mock' where id = ${id}`).rejects.toThrow(never)
    await expect(sql.rows`update invoices set method = 'Cash' where id = ${id}`).rejects.toThrow(never)
    await expect(
      sql.rows`update invoices set status = 'open', paid_at = null where id = ${id}`,
    ).rejects.toThrow(never)
    await expect(sql.rows`delete from invoices where id = ${id}`).rejects.toThrow(/append-only/)
    await expect(sql.rows`truncate invoices cascade`).rejects.toThrow(/append-only/)
  })
})

describe('a credit note', () => {
  test('is issued once per cause and counts on its invoice, with the remaining tax', async () => {
    const reference = newId('x')
    const { id } = await issue({ cause: reference, reference })
    const notes = await Promise.all(upTo(5).map(() => credit(reference, 4n, `rfd_${reference}`)))
    expect(new Set(notes.map((note) => note?.id)).size).toBe(1)
    await credit(reference, 4n)
    await credit(reference, 107_492n)
    expect(
      await server.sql
        .rows`select total_minor, tax_minor from credit_notes where invoice_id = ${id} order by seq`,
    ).toEqual([
      { total_minor: 4n, tax_minor: 0n },
      { total_minor: 4n, tax_minor: 1n },
      { total_minor: 107_492n, tax_minor: 7_499n },
    ])
    expect(await server.sql.one`select credited_minor from invoices where id = ${id}`).toEqual({
      credited_minor: 107_500n,
    })
    await expect(credit(reference, 1n)).rejects.toThrow('within its total')
  })

  test('is not issued for a payment without an invoice', async () => {
    expect(await credit('never-paid', 1n)).toBeNull()
  })

  test('cannot be changed', async () => {
    const reference = newId('x')
    await issue({ cause: reference, reference })
    const note = await credit(reference, 10n)
    await expect(
      server.sql.rows`update credit_notes set reason = 'other' where id = ${note?.id ?? ''}`,
    ).rejects.toThrow(/append-only/)
  })
})
