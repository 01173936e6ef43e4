// The reconciliation of a day against the fake Paystack, with planted differences and faults of the list.
import { type FakePaystack, startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo, postedAmounts, readPayment } from '@cowrie/testkit/payments/payment-fixture.ts'
import {
  addToProvider,
  type Credit,
  DAY,
  differenceCases,
  dyingApp,
  insertCredits,
  newCredit,
  openDifferences,
  plantDifferencesIn,
  readRun,
  reconcileDay,
  startRun,
} from '@cowrie/testkit/payments/reconciliation-world.ts'
import { topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reconcilePayment } from '../settle/reconcile.ts'
import { enqueueRun } from './jobs.ts'
import { runReconciliation } from './run.ts'

const SCHEDULES = ['payments.', 'wallet.', 'invoices.']

const AMOUNT = 500_000n
let paystack: FakePaystack
let server: TestServer
let second: TestServer
let person: Person
let staff: Person

beforeAll(async () => {
  paystack = await startFakePaystack()
  const { variables } = paystack
  server = await startTestServer({ schedules: SCHEDULES, variables })
  second = await startTestServer({ schedules: SCHEDULES, variables, url: server.url, clock: server.clock })
  staff = await server.person({ staff: 'billing' })
})
afterAll(async () => {
  await second.close()
  await server.close()
  await paystack.close()
})
beforeEach(async () => {
  person = await server.person()
  for (const { reference } of paystack.orders) paystack.remove(reference)
  await server.sql.rows`delete from reconciliations`
  await server.sql.rows`delete from payment_cases`
  await server.sql.rows`delete from payment_disputes`
  await server.sql.rows`delete from source_refunds`
  await server.sql.rows`delete from payment_returns`
  await server.sql.rows`delete from payments`
})

/** Credits on both sides. */
async function agreed(count: number): Promise<Credit[]> {
  const credits = Array.from({ length: count }, () => newCredit())
  await insertCredits(server, person, credits)
  addToProvider(paystack, credits)
  return credits
}

async function started(): Promise<string> {
  return (await topUp(server, person, { amountMinor: AMOUNT, channel: 'card' })).body.reference
}

async function settled(): Promise<string> {
  const reference = await started()
  paystack.pay(reference)
  await reconcilePayment(server.app, reference, 'webhook')
  expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  return reference
}

const plantDifferences = () => plantDifferencesIn(server, person, paystack)

describe('a reconciliation', () => {
  test('finds every planted difference among hundreds of payments, and invents none', async () => {
    await agreed(350)
    const planted = await plantDifferences()
    const run = await reconcileDay(server)
    expect(await openDifferences(server)).toEqual(planted)
    expect(run).toMatchObject({
      state: 'complete',
      counts: {
        ...{ listed: 355, matched: 350, opened: 6, closed: 0, explained: {} },
        differences: {
          amount: 1,
          currency: 1,
          reference: 1,
          credited_twice: 1,
          not_credited: 1,
          not_listed: 1,
        },
      },
    })
    expect(Number(run.counts.fees.NGN)).toBeGreaterThan(0)
    const items = await server.sql.rows`select item_key from reconciliation_items`
    expect(items).toEqual([])
    const mails = await mailsTo(server, staff.email)
    expect(mails.filter(({ subject }) => subject.includes('reconciliation'))).toHaveLength(1)
  })

  test('takes a payment that the provider lists as failed for not listed, even with a refund', async () => {
    const [failed, refunded] = [newCredit(), newCredit()]
    await insertCredits(server, person, [failed, refunded])
    addToProvider(paystack, [failed, refunded])
    paystack.returns.refund(refunded.reference, 1_000)
    for (const { reference } of [failed, refunded]) paystack.decline(reference)
    await reconcileDay(server)
    expect(await openDifferences(server)).toEqual([
      `not_listed ${failed.reference}`,
      `not_listed ${refunded.reference}`,
      `returned ${refunded.reference}`,
    ])
  })

  test('leaves the payments of other accounts to their own runs', async () => {
    const [elsewhere, named] = [newCredit({ account: 'GH' }), newCredit({ account: 'GH' })]
    await insertCredits(server, person, [elsewhere, named])
    addToProvider(paystack, [named])
    expect(await reconcileDay(server)).toMatchObject({ counts: { matched: 0, explained: {} } })
    expect(await openDifferences(server)).toEqual([`not_credited ${named.reference}`])
  })

  test('shows the evidence of a difference to staff', async () => {
    const credit = newCredit({ amountMinor: 150_000n })
    await insertCredits(server, person, [credit])
    addToProvider(paystack, [{ ...credit, amountMinor: 140_000n }])
    await reconcileDay(server)
    const { body } = await server.call('GET', '/admin/payment-cases', {
      as: staff,
      query: { reference: credit.reference },
    })
    expect(body.cases).toMatchObject([
      {
        kind: 'reconciliation',
        orgId: person.orgId,
        summary: expect.stringMatching(/₦1,400\.00 as paid.*₦1,500\.00 credited/),
        evidence: {
          difference: 'amount',
          provider: { id: credit.transactionId, amountMinor: '140000' },
          here: { capturedMinor: '150000' },
        },
      },
    ])
  })

  test('opens no second case for the same day, and closes a case when the difference is gone', async () => {
    await agreed(20)
    const credit = newCredit()
    await insertCredits(server, person, [credit])
    const unknown = newCredit()
    addToProvider(paystack, [unknown])
    await reconcileDay(server)
    expect(await reconcileDay(server)).toMatchObject({ counts: { opened: 0, closed: 0 } })
    expect(await openDifferences(server)).toHaveLength(2)

    addToProvider(paystack, [credit])
    await insertCredits(server, person, [unknown])
    expect(await reconcileDay(server)).toMatchObject({ counts: { matched: 22, opened: 0, closed: 2 } })
    expect((await differenceCases(server)).map(({ note }) => note)).toEqual([
      expect.stringContaining('later reconciliation'),
      expect.stringContaining('later reconciliation'),
    ])

    paystack.remove(credit.reference)
    expect(await reconcileDay(server)).toMatchObject({ counts: { opened: 1 } })
    expect(await openDifferences(server)).toEqual([`not_listed ${credit.reference}`])
  })

  test('judges a repeated payment by the list alone, because the status query answers for the first one', async () => {
    const [first, repeat] = [newCredit(), newCredit()]
    await insertCredits(server, person, [first, repeat])
    await server.sql
      .rows`update payments set repeat_of = ${first.reference} where reference = ${repeat.reference}`
    addToProvider(paystack, [first])
    await reconcileDay(server)
    expect(await openDifferences(server)).toEqual([`not_listed ${repeat.reference}`])

    addToProvider(paystack, [{ ...repeat, reference: `${first.reference}-2` }])
    paystack.override(`${first.reference}-2`, { reference: first.reference })
    expect(await reconcileDay(server)).toMatchObject({ counts: { matched: 2, closed: 1 } })
    expect(await openDifferences(server)).toEqual([])
  })

  test('leaves a case closed that staff closed', async () => {
    addToProvider(paystack, [newCredit()])
    await reconcileDay(server)
    const [found] = await server.sql.rows<{ id: string }>`select id from payment_cases`
    const reply = await server.call('POST', `/admin/payment-cases/${found?.id}/resolve`, {
      as: staff,
      body: { note: 'A payment of our shop, which uses the same account.' },
      headers: { 'idempotency-key': 'closed' },
    })
    expect(reply.status).toBe(200)
    await reconcileDay(server)
    expect(await openDifferences(server)).toEqual([])
  })
})

describe('explained without a case', () => {
  test('a pending payment that the provider lists as paid, which is settled', async () => {
    const reference = await started()
    paystack.pay(reference)
    const run = await reconcileDay(server)
    expect(run.counts).toMatchObject({ explained: { settled_late: 1 }, differences: {} })
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
    const audit = await server.sql.one<{ how: string }>`
      select metadata->>'how' as how from audit_entries where target = ${reference} and action = 'payments.settle'`
    expect(audit.how).toBe('reconciliation')
  })

  test('a pending payment with another amount, which is put under review', async () => {
    const reference = await started()
    paystack.pay(reference, { amountMinor: AMOUNT - 1n })
    const run = await reconcileDay(server)
    expect(run.counts).toMatchObject({ explained: { in_review: 1 }, differences: {} })
    expect(await readPayment(server, reference)).toMatchObject({ status: 'review', capturedMinor: 0n })
  })

  test('a refund, a dispute and a reversal, which are taken back', async () => {
    const [refunded, disputed, reversed] = [await settled(), await settled(), await settled()]
    paystack.returns.refund(refunded, 120_000)
    paystack.returns.dispute(disputed, 100_000)
    paystack.reverse(reversed)
    const run = await reconcileDay(server)
    expect(run.counts).toMatchObject({ matched: 2, explained: { return_recorded: 3 }, differences: {} })
    expect(await postedAmounts(server, refunded)).toEqual([AMOUNT, -120_000n])
    expect(await postedAmounts(server, reversed)).toEqual([AMOUNT, -AMOUNT])
    const returns = await server.sql.rows`select state from payment_returns where reference = ${disputed}`
    expect(returns).toEqual([{ state: 'frozen' }])
  })

  test('test money, unpaid payments, a decision of staff and a payment from before the window', async () => {
    await started()
    const [test, old, decided] = [newCredit(), newCredit(), newCredit()]
    addToProvider(paystack, [test, { ...decided, amountMinor: decided.amountMinor + 5n }])
    paystack.override(test.reference, { domain: 'test' })
    addToProvider(paystack, [old], new Date('2026-11-10T12:00:00.000Z'))
    await insertCredits(server, person, [old, decided])
    await server.sql.rows`
      update payments set created_at = '2026-11-10T12:00:00Z' where reference = ${old.reference}`
    await server.sql.rows`
      update payments set decided_at = settled_at where reference = ${decided.reference}`
    const run = await reconcileDay(server)
    expect(run.counts).toMatchObject({
      matched: 0,
      explained: { test_money: 1, before_window: 1, decided_by_staff: 1 },
      differences: {},
    })
  })

  test('credits that are on no list, because they went back here or at the provider', async () => {
    const [recorded, reversed] = [await settled(), await settled()]
    paystack.reverse(recorded)
    await reconcilePayment(server.app, recorded, 'webhook')
    paystack.reverse(reversed)
    // The list is of another time than both payments.
    paystack.lists.fault(1, 'page_missing', true)
    const { counts } = await reconcileDay(server)
    paystack.lists.fault(1, 'page_twice')
    expect(counts).toMatchObject({ explained: { return_recorded: 2 }, differences: {} })
    expect(await postedAmounts(server, reversed)).toEqual([AMOUNT, -AMOUNT])
  })

  test('a payment that was credited on the next day', async () => {
    const credit = newCredit()
    addToProvider(paystack, [credit], new Date(`${DAY}T23:59:00.000Z`))
    await insertCredits(server, person, [credit], new Date('2026-11-16T00:01:00.000Z'))
    expect((await reconcileDay(server)).counts).toMatchObject({ explained: { settled_late: 1 } })
    expect((await reconcileDay(server, '2026-11-16')).counts).toMatchObject({ differences: {} })
    expect(await openDifferences(server)).toEqual([])
  })
})

describe('a list', () => {
  test.for([
    ['page_twice', 2],
    ['page_missing', 2],
    ['row_added', 2],
    ['row_removed', 2],
  ] as const)('with the fault %s in the middle causes no false difference', async ([fault, page]) => {
    await agreed(250)
    const planted = await plantDifferences()
    paystack.lists.fault(page, fault)
    expect(await reconcileDay(server)).toMatchObject({ state: 'complete' })
    expect(await openDifferences(server)).toEqual(planted)
  })

  test('that never shows a page is incomplete, and the status query decides about the missing payments', async () => {
    await agreed(250)
    const unlisted = newCredit()
    await insertCredits(server, person, [unlisted])
    paystack.lists.fault(2, 'page_missing', true)
    const run = await reconcileDay(server)
    expect(run).toMatchObject({
      ...{ state: 'incomplete', pass: 3 },
      counts: { matched: 150, explained: { confirmed_by_status: 100 }, differences: { not_listed: 1 } },
    })
    expect(await openDifferences(server)).toEqual([`not_listed ${unlisted.reference}`])
  })

  test('with values that no database can store is compared, and names the rest', async () => {
    const credits = await agreed(5)
    const [nul, long, code, late, early] = credits.map(({ reference }) => reference) as [string, ...string[]]
    paystack.override(nul, { reference: 'a\u0000b' })
    paystack.override(long ?? '', { reference: 'x'.repeat(9_000) })
    paystack.override(code ?? '', { currency: 'N\u0000RA' })
    paystack.override(late ?? '', { paid_at: '+275760-09-13T00:00:00.000Z' })
    paystack.override(early ?? '', { paid_at: '-000001-01-01T00:00:00.000Z' })
    const strange = newCredit()
    addToProvider(paystack, [strange])
    paystack.override(strange.reference, {
      amount: '999999999999999999',
      requested_amount: null,
      currency: 'ZZZ',
    })
    const run = await reconcileDay(server)
    expect(run).toMatchObject({ state: 'complete', counts: { listed: 6 } })
    expect(await openDifferences(server)).toEqual([`currency ${code}`, `not_credited ${strange.reference}`])
  })

  test('with an outage in the middle continues on the same page', async () => {
    await agreed(250)
    const planted = await plantDifferences()
    const id = await startRun(server)
    paystack.lists.fault(2, 'outage')
    await expect(runReconciliation(server.app, id)).rejects.toThrow('status 502')
    expect(await readRun(server, id)).toMatchObject({ state: 'running', cursor: 'payment 2', failures: 1 })
    const before = paystack.requests.length
    await runReconciliation(server.app, id)
    const pages = paystack.requests.slice(before).filter(({ path }) => path === '/transaction')
    expect(pages.map(({ query }) => query.get('page'))).toEqual(['2', '3'])
    expect(await openDifferences(server)).toEqual(planted)
  })
})

describe('a run', () => {
  test('whose provider fails for a week ends as incomplete, and leaves no dead job', async () => {
    const id = await startRun(server)
    const attempt = async (earlierFailures: number) => {
      await server.sql.rows`update reconciliations set failures = ${earlierFailures} where id = ${id}`
      paystack.lists.fault(1, 'outage')
      await server.app.db.tx('platform', (tx) => enqueueRun(tx, id))
      await server.app.jobs.drain()
      return readRun(server, id)
    }
    expect(await attempt(166)).toMatchObject({ state: 'running', failures: 167 })
    expect(server.logged.join()).not.toContain('payments.reconciliation.abandoned')
    expect(await attempt(167)).toMatchObject({ state: 'incomplete', failures: 168 })
    expect(server.logged.filter((line) => line.includes('payments.reconciliation.abandoned'))).toHaveLength(1)
    expect(
      await server.sql.rows`select 1 from jobs where name = 'payments.reconcile_day' and state = 'dead'`,
    ).toEqual([])
  })

  test('that is killed after any step continues and finds the same', async () => {
    await agreed(120)
    const planted = await plantDifferences()
    const id = await startRun(server)
    let kills = 0
    // Each time the process dies one transaction later.
    while (!(await runReconciliation(dyingApp(server.app, kills), id).catch(() => false))) kills++
    expect(kills).toBeGreaterThan(10)
    expect(await openDifferences(server)).toEqual(planted)
    expect(await readRun(server, id)).toMatchObject({ counts: { listed: 125, matched: 120, opened: 6 } })
  })

  test('of two replicas at once counts everything once', async () => {
    await agreed(220)
    const planted = await plantDifferences()
    const id = await startRun(server)
    const replicas = [server, second, server].map(({ app }) => app)
    await Promise.all(replicas.map((app) => runReconciliation(app, id)))
    expect(await readRun(server, id)).toMatchObject({
      state: 'complete',
      counts: { listed: 225, matched: 220, opened: 6 },
    })
    expect(await openDifferences(server)).toEqual(planted)
  })

  test('waits for a provider without an answer, and reports the difference if none ever comes', async () => {
    const reference = await settled()
    // A refund in another currency cannot be read.
    paystack.pay(reference, { currency: 'USD' })
    paystack.returns.refund(reference, 120_000)
    paystack.pay(reference, { currency: 'NGN' })
    const id = await startRun(server)
    for (let attempt = 1; attempt <= 5; attempt++)
      await expect(runReconciliation(server.app, id)).rejects.toThrow('did not report')
    expect(await openDifferences(server)).toEqual([])
    await runReconciliation(server.app, id)
    expect(await openDifferences(server)).toEqual([`returned ${reference}`])
    expect(await postedAmounts(server, reference)).toEqual([AMOUNT])
  })
})
