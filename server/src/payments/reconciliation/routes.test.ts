import { startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  addToProvider,
  DAY,
  insertCredits,
  newCredit,
  openDifferences,
} from '@cowrie/testkit/payments/reconciliation-world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

let paystack: Awaited<ReturnType<typeof startFakePaystack>>
let server: TestServer
let staff: Person
let person: Person
let keys = 0

beforeAll(async () => {
  paystack = await startFakePaystack()
  server = await startTestServer({
    schedules: ['payments.', 'wallet.', 'invoices.'],
    variables: paystack.variables,
  })
  server.clock.advance({ days: 1 })
  staff = await server.person({ staff: 'billing' })
  person = await server.person()
})
afterAll(async () => {
  await server.close()
  await paystack.close()
})
beforeEach(async () => {
  for (const { reference } of paystack.orders) paystack.remove(reference)
  await server.sql.rows`delete from reconciliations`
  await server.sql.rows`delete from payment_cases`
  await server.sql.rows`delete from payments`
})

const post = (path: string, body: object, as = staff, key = `key-${++keys}`) =>
  server.call('POST', path, { as, body, headers: { 'idempotency-key': key } })
const start = (body: object, as = staff) => post('/admin/reconciliations', body, as)
const upload = (csv: string, columns?: object) =>
  post('/admin/reconciliations/statement', {
    rail: 'paystack',
    account: 'NG',
    csv,
    ...(columns && { columns }),
  })
const list = async () =>
  (
    await server.call<{ reconciliations: Record<string, unknown>[] }>('GET', '/admin/reconciliations', {
      as: staff,
    })
  ).body.reconciliations
const NIGERIA = { rail: 'paystack', account: 'NG', day: DAY }

describe('200', () => {
  test('billing staff reconcile a day again, and see its counts', async () => {
    const credit = newCredit()
    await insertCredits(server, person, [credit])
    addToProvider(paystack, [credit, newCredit()])
    const first = await start(NIGERIA)
    expect(first.status).toBe(200)
    await server.app.jobs.drain()
    const again = await start(NIGERIA)
    expect(again.body.id).toBe(first.body.id)
    await server.app.jobs.drain()
    const [run] = (await list()).filter(({ id }) => id === first.body.id)
    expect(run).toMatchObject({
      ...NIGERIA,
      ...{ source: 'list', state: 'complete', listed: 2, matched: 1, opened: 0, failure: null },
      differences: { not_credited: 1 },
      fees: [{ currency: 'NGN' }],
    })
    expect(await openDifferences(server)).toHaveLength(1)
    const audit = await server.sql.rows`
      select action from audit_entries where action = 'admin.payments.reconcile' and target = ${first.body.id as string}`
    expect(audit).toHaveLength(2)
  })

  test('a statement is compared by our references and by transactions, with other headers and quotes', async () => {
    const [byReference, byTransaction, differing] = [newCredit(), newCredit(), newCredit()]
    await insertCredits(server, person, [byReference, byTransaction, differing])
    const major = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`
    const csv = [
      'Value date;"Ref; bank";Credit;Currency',
      `15/11/2026;${byReference.reference};${major(byReference.amountMinor)};NGN`,
      `${DAY};"${byTransaction.transactionId}";"${major(byTransaction.amountMinor)}";ngn`,
      `${DAY} 10:00;${differing.reference};${major(differing.amountMinor - 1n)};NGN`,
      `${DAY};unknown-1;10.00;NGN`,
      `${DAY};${byReference.reference};${major(byReference.amountMinor)};NGN`,
      '',
    ].join('\r\n')
    const columns = { date: 'value DATE', reference: 'Ref; bank', amount: 'Credit' }
    const { status, body } = await upload(csv, columns)
    expect(status).toBe(200)
    await server.app.jobs.drain()
    expect((await list()).find(({ id }) => id === body.id)).toMatchObject({
      ...{ source: 'statement', state: 'complete', day: DAY, listed: 5, matched: 2, opened: 3 },
      differences: { amount: 1, not_credited: 2 },
    })
    // The same file again: no second case.
    await upload(csv, columns)
    await server.app.jobs.drain()
    expect(await openDifferences(server)).toHaveLength(3)
  })
})

test('a statement may begin with a byte order mark, and formulas in it stay text', async () => {
  const formula = '=HYPERLINK("http://x")'
  const csv = `\uFEFFdate,reference,amount,currency\n${DAY},"${formula.replaceAll('"', '""')}",1.00,NGN`
  expect((await upload(csv)).status).toBe(200)
  await server.app.jobs.drain()
  const found = await server.sql.rows`select evidence->'provider'->>'transactionId' as id from payment_cases`
  expect(found).toEqual([{ id: formula }])
})

test('400: a statement in UTF-16', async () => {
  const csv = Buffer.from('date,reference,amount,currency\n', 'utf16le').toString('latin1')
  expect(await upload(csv)).toMatchObject({ status: 400, body: { code: 'malformed_json' } })
})

test('413: a statement of 50 MB', async () => {
  expect(await upload('x'.repeat(50 * 1024 * 1024))).toMatchObject({ status: 413 })
})

describe('400', () => {
  test.for([
    ['a day that has not ended', { ...NIGERIA, day: '2026-11-16' }],
    ['a day long ago', { ...NIGERIA, day: '2024-11-16' }],
    ['no date', { ...NIGERIA, day: '2026-02-31' }],
  ] as const)('%s', async ([, body]) => {
    expect(await start(body)).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
  })

  test.for([
    ['a column is missing', 'date,reference,amount\n2026-11-15,a,1', /no column for currency/],
    ['there are no rows', 'date,reference,amount,currency\n', /1 to 20000 rows/],
    ['an amount is unreadable', 'date,reference,amount,currency\n2026-11-15,a,x,NGN', /line 2/],
    ['a date is impossible', 'date,reference,amount,currency\n31/02/2026,a,1,NGN', /line 2/],
    ['a year is impossible', 'date,reference,amount,currency\n0000-01-01,a,1,NGN', /last 400 days/],
    ['a year is far away', 'date,reference,amount,currency\n9999-12-31,a,1,NGN', /last 400 days/],
    [
      'the period is long',
      'date,reference,amount,currency\n2026-11-15,a,1,NGN\n2026-07-01,b,1,NGN',
      /at most 100 days/,
    ],
    [
      'an amount is too large',
      'date,reference,amount,currency\n2026-11-15,a,99999999999999999,NGN',
      /line 2/,
    ],
    ['an amount is negative', 'date,reference,amount,currency\n2026-11-15,a,-5,NGN', /line 2/],
    ['a quotation mark is open', 'date,reference,amount,currency\n2026-11-15,"a,1,NGN', /quotation mark/],
  ] as const)('a statement in which %s', async ([, csv, message]) => {
    const reply = await upload(csv)
    expect(reply).toMatchObject({ status: 400, body: { fields: [{ path: 'csv' }] } })
    expect(JSON.stringify(reply.body)).toMatch(message)
  })
})

test('403 and 404: support staff cannot start, and an unknown account is named', async () => {
  const support = await server.person({ staff: 'support' })
  expect(await start(NIGERIA, support)).toMatchObject({ status: 403 })
  expect(await start({ ...NIGERIA, account: 'EG' })).toMatchObject({ status: 404 })
  expect(await start({ ...NIGERIA, rail: 'mock' })).toMatchObject({ status: 404 })
})
