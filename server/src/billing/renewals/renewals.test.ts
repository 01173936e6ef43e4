import {
  chargesOf,
  endAllSubscriptions,
  PRO_INCLUDED,
  PRO_MINOR,
  readRenewalBills,
  readSubscriptionRow,
  type Subscriber,
  subscriber,
  walletOf,
} from '@cowrie/testkit/billing/renewal.ts'
import { expectInvariants } from '@cowrie/testkit/billing/subscription.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import type { FakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { mailsTo } from '@cowrie/testkit/payments/payment-fixture.ts'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { before as earlierThan } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { addMonths } from '../calendar.ts'
import { renewSubscription } from './renew-subscription.ts'
import { runRenewals } from './renewals.ts'

const SCHEDULES = ['billing.', 'payments.', 'wallet.', 'invoices.']

let server: TestServer
let bank: FakePaystack
const SECRET = 'a secret of the machine'

const world = useWorld({ variables: { INTERNAL_SECRET: SECRET } })
beforeAll(() => {
  ;({ bank, server } = world)
})
afterEach(() => endAllSubscriptions(server))

const NOTHING = { charged: 0, declined: 0, skipped: 0, challenged: 0, pending: 0, ended: 0, renewed: 0 }
const run = () => runRenewals(server.app)
const theirs = async (someone: Subscriber) => {
  const { periodEnd: dueAt } = await readSubscriptionRow(server, someone)
  return { id: someone.subscriptionId, orgId: someone.orgId, dueAt, isLast: false }
}

describe('a renewal', () => {
  test('is charged when its period is over, and not before', async () => {
    const someone = await subscriber(server, bank)
    const { periodEnd } = await readSubscriptionRow(server, someone)
    server.clock.advance({ ms: periodEnd.getTime() - server.clock.now().getTime() - 1 })
    expect(await run()).toEqual(NOTHING)

    server.clock.advance({ ms: 1 })
    const before = await walletOf(server, someone)
    expect(await run()).toEqual({ ...NOTHING, charged: 1 })
    expect(await readSubscriptionRow(server, someone)).toMatchObject({
      status: 'active',
      periodStart: periodEnd,
      periodEnd: addMonths(periodEnd, 1),
    })
    expect(await readRenewalBills(server, someone)).toMatchObject([
      { status: 'paid', amountMinor: PRO_MINOR, invoiceStatus: 'paid', periodStart: periodEnd },
    ])
    expect(await walletOf(server, someone)).toEqual({ ...before, includedMinor: PRO_INCLUDED })
    expect(await run()).toEqual(NOTHING)
    expect(chargesOf(bank, someone)).toBe(1)
  })

  test('is charged once if five runs overlap on two replicas', async () => {
    const someone = await subscriber(server, bank)
    const another = await startTestServer({
      schedules: SCHEDULES,
      url: server.url,
      clock: server.clock,
      variables: bank.variables,
    })
    server.clock.advance({ days: 31 })
    const runs = await Promise.all([run(), run(), run(), runRenewals(another.app), runRenewals(another.app)])
    await another.close()
    expect(runs.reduce((sum, { charged }) => sum + charged, 0)).toBe(1)
    expect(chargesOf(bank, someone)).toBe(1)
    expect(await readRenewalBills(server, someone)).toHaveLength(1)
  })

  test('without an answer is found paid an hour later and charges nothing more', async () => {
    const someone = await subscriber(server, bank)
    server.clock.advance({ days: 31 })
    bank.cards.behave(someone.last4, { does: 'pays_without_reply' })
    expect(await run()).toEqual({ ...NOTHING, pending: 1 })
    expect(await readSubscriptionRow(server, someone)).toMatchObject({ status: 'active' })

    bank.cards.behave(someone.last4, { does: 'pays' })
    server.clock.advance({ hours: 1 })
    expect(await run()).toEqual({ ...NOTHING, charged: 1 })
    expect(chargesOf(bank, someone)).toBe(1)
    expect(await readRenewalBills(server, someone)).toMatchObject([{ status: 'paid', declines: 0 }])
  })

  // A renewal is several transactions and two calls. A crash at any of them is recovered.
  test.for(isSoak ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [2, 4, 7])(
    'survives a crash around transaction %i',
    async (last) => {
      const [unwritten, written] = [await subscriber(server, bank), await subscriber(server, bank)]
      server.clock.advance({ days: 31 })
      await renewSubscription(dyingAt(last, 'before'), await theirs(unwritten), true).catch(String)
      await renewSubscription(dyingAt(last, 'after'), await theirs(written), true).catch(String)
      server.clock.advance({ hours: 1 })
      await run()
      server.clock.advance({ hours: 1 })
      await run()
      for (const someone of [unwritten, written]) {
        expect(await readRenewalBills(server, someone)).toMatchObject([
          { status: 'paid', invoiceStatus: 'paid' },
        ])
        expect(chargesOf(bank, someone)).toBe(1)
        expect(await walletOf(server, someone)).toMatchObject({ includedMinor: PRO_INCLUDED })
      }
    },
  )

  test('stays on the last day of the month over 14 months from 31 January', async () => {
    await toDay('2027-01-31T10:00:00.000Z')
    const someone = await subscriber(server, bank)
    const ends: string[] = []
    for (let month = 1; month <= 14; month++) {
      await toDay((await readSubscriptionRow(server, someone)).periodEnd)
      expect(await run()).toEqual({ ...NOTHING, charged: 1 })
      ends.push((await readSubscriptionRow(server, someone)).periodStart.toISOString().slice(5, 10))
    }
    expect(ends.join(' ')).toBe(
      '02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31 01-31 02-29 03-31',
    )
    expect(chargesOf(bank, someone)).toBe(14)
  })

  test('keeps its day if it is up to three days late; a later renewal starts its period then', async () => {
    const [late, later] = [await subscriber(server, bank), await subscriber(server, bank)]
    const { periodEnd } = await readSubscriptionRow(server, late)
    await suspend(later)
    await toDay(periodEnd)
    server.clock.advance({ days: 3 })
    expect(await run()).toMatchObject({ charged: 1 })
    expect(await readSubscriptionRow(server, late)).toMatchObject({ periodStart: periodEnd })

    await toDay(periodEnd)
    server.clock.advance({ days: 29 })
    const now = server.clock.now()
    await release(later)
    expect(await run()).toMatchObject({ charged: 1 })
    expect(await readSubscriptionRow(server, later)).toMatchObject({
      periodStart: now,
      periodEnd: addMonths(now, 1),
    })
    for (const someone of [late, later]) expect(chargesOf(bank, someone)).toBe(1)
    await toDay(addMonths(now, 1))
    expect(await run()).toMatchObject({ charged: 2 })
    expect(await readSubscriptionRow(server, later)).toMatchObject({ periodStart: addMonths(now, 1) })
  })

  test('into another interval does not charge the missed months', async () => {
    const someone = await subscriber(server, bank, { interval: 'year' })
    await schedule(someone, 'pro')
    await suspend(someone)
    await toDay((await readSubscriptionRow(server, someone)).periodEnd)
    server.clock.advance({ days: 100 })
    await run()
    await release(someone)
    for (let n = 0; n < 3; n++) await run()
    const now = server.clock.now()
    expect(await readSubscriptionRow(server, someone)).toMatchObject({
      periodStart: now,
      periodEnd: addMonths(now, 1),
    })
    expect(await readRenewalBills(server, someone)).toMatchObject([
      { amountMinor: PRO_MINOR, periodStart: now },
    ])
    expect(chargesOf(bank, someone)).toBe(1)
  })

  test('with a bill keeps its period until it is paid', async () => {
    const someone = await subscriber(server, bank)
    const { periodEnd } = await readSubscriptionRow(server, someone)
    await toDay(periodEnd)
    bank.cards.behave(someone.last4, { does: 'declines', message: 'Insufficient Funds' })
    expect(await run()).toMatchObject({ declined: 1 })
    bank.cards.behave(someone.last4, { does: 'pays' })
    server.clock.advance({ days: 4 })
    expect(await run()).toMatchObject({ charged: 1 })
    expect(await readSubscriptionRow(server, someone)).toMatchObject({
      status: 'active',
      periodStart: periodEnd,
    })
    expect(await readRenewalBills(server, someone)).toMatchObject([
      { status: 'paid', periodStart: periodEnd },
    ])
  })

  test('is not repeated if the clock is set back by a day', async () => {
    const someone = await subscriber(server, bank)
    await toDay((await readSubscriptionRow(server, someone)).periodEnd)
    expect(await run()).toMatchObject({ charged: 1 })
    server.clock.advance({ days: -1 })
    expect(await run()).toEqual(NOTHING)
    server.clock.advance({ days: 1 })
    expect(await run()).toEqual(NOTHING)
    expect(chargesOf(bank, someone)).toBe(1)
  })
})

describe('the end of a period', () => {
  test('ends a cancelled subscription without a charge', async () => {
    const someone = await subscriber(server, bank)
    await server.sql
      .rows`update subscriptions set cancel_at_period_end = true where id = ${someone.subscriptionId}`
    server.clock.advance({ days: 31 })
    expect(await run()).toEqual({ ...NOTHING, ended: 1 })
    expect(await readSubscriptionRow(server, someone)).toMatchObject({ status: 'canceled' })
    expect(await walletOf(server, someone)).toMatchObject({ includedMinor: 0n })
    expect(await orgOf(someone)).toEqual({ planCode: null, status: 'canceled' })
    expect(chargesOf(bank, someone)).toBe(0)
  })

  test('applies a scheduled downgrade at its price', async () => {
    const someone = await subscriber(server, bank, { planCode: 'team', type: 'team' })
    await schedule(someone, 'pro')
    server.clock.advance({ days: 31 })
    expect(await run()).toEqual({ ...NOTHING, charged: 1 })
    expect(await readSubscriptionRow(server, someone)).toMatchObject({ planCode: 'pro', status: 'active' })
    expect(await readRenewalBills(server, someone)).toMatchObject([{ amountMinor: PRO_MINOR }])
    expect(await walletOf(server, someone)).toMatchObject({ includedMinor: PRO_INCLUDED })
  })

  test('renews the current plan if the scheduled one has too few seats, and notifies the owners', async () => {
    const someone = await subscriber(server, bank, { planCode: 'team', type: 'team' })
    await schedule(someone, 'pro')
    for (let n = 0; n < 6; n++) await server.member(someone.orgId, 'member')
    expect((await server.call('GET', '/subscription', { as: someone })).body).toMatchObject({
      subscription: { nextAmountMinor: 4_400_000n },
    })
    server.clock.advance({ days: 31 })
    expect(await run()).toEqual({ ...NOTHING, charged: 1 })
    expect(await readSubscriptionRow(server, someone)).toMatchObject({ planCode: 'team', status: 'active' })
    // One seat for each member.
    expect(await readRenewalBills(server, someone)).toMatchObject([{ amountMinor: 4_400_000n }])
    expect((await server.call('GET', '/subscription', { as: someone })).body).toMatchObject({
      subscription: { seats: 7, scheduledChange: null },
    })
    expect(await mailsTo(server, someone.email)).toContainEqual(
      expect.objectContaining({
        subject: 'You stay on Team: Pro has too few seats',
        text: expect.stringContaining('44,000.00'),
      }),
    )
  })

  test('applies a scheduled downgrade to the free plan without a charge', async () => {
    const someone = await subscriber(server, bank)
    await schedule(someone, 'free')
    server.clock.advance({ days: 31 })
    expect(await run()).toEqual({ ...NOTHING, renewed: 1 })
    expect(await readSubscriptionRow(server, someone)).toMatchObject({ planCode: 'free', status: 'active' })
    expect(await walletOf(server, someone)).toMatchObject({ includedMinor: 0n })
    expect(await readRenewalBills(server, someone)).toEqual([])
  })

  test('renews a comped plan for free, and ends it after the comp, because it has no agreed price', async () => {
    const someone = await subscriber(server, bank, { isComped: true })
    await give(someone, 40)
    server.clock.advance({ days: 31 })
    expect(await run()).toEqual({ ...NOTHING, renewed: 1 })
    expect(await readSubscriptionRow(server, someone)).toMatchObject({ status: 'active', isComped: true })
    expect(chargesOf(bank, someone)).toBe(0)

    server.clock.advance({ days: 31 })
    expect(await run()).toEqual({ ...NOTHING, ended: 1 })
    expect(await readSubscriptionRow(server, someone)).toMatchObject({ status: 'canceled' })
    expect(chargesOf(bank, someone)).toBe(0)
  })

  test('charges the plan that was scheduled for the time after a comp', async () => {
    const someone = await subscriber(server, bank, { isComped: true, planCode: 'team' })
    await schedule(someone, 'pro')
    server.clock.advance({ days: 31 })
    expect(await run()).toEqual({ ...NOTHING, charged: 1 })
    expect(await readSubscriptionRow(server, someone)).toMatchObject({
      planCode: 'pro',
      status: 'active',
      isComped: false,
    })
  })

  test('charges nothing while the organisation is suspended, and continues afterwards', async () => {
    const someone = await subscriber(server, bank)
    await suspend(someone)
    server.clock.advance({ days: 31 })
    expect(await run()).toEqual({ ...NOTHING, skipped: 1 })
    expect(await readRenewalBills(server, someone)).toEqual([])

    await release(someone)
    expect(await run()).toEqual({ ...NOTHING, charged: 1 })
  })

  test('waits for a change that is being paid, and abandons an overdue one', async () => {
    const someone = await subscriber(server, bank)
    const { periodEnd } = await readSubscriptionRow(server, someone)
    await toDay(earlierThan(periodEnd, { minutes: 10 }))
    await openChange(someone)
    await toDay(periodEnd)
    expect(await run()).toEqual({ ...NOTHING, skipped: 1 })

    server.clock.advance({ minutes: 30 })
    expect(await run()).toEqual({ ...NOTHING, charged: 1 })
    const { status } = await server.sql.one<{ status: string }>`
      select status from bills where subscription_id = ${someone.subscriptionId} and kind = 'change'`
    expect(status).toBe('abandoned')
  })
})

describe('the internal endpoint', () => {
  const knock = (secret?: string) =>
    server.call('POST', '/internal/billing/run-renewals', {
      headers: secret === undefined ? {} : { 'x-internal-secret': secret },
    })

  test('runs renewals with the secret', async () => {
    await subscriber(server, bank)
    server.clock.advance({ days: 31 })
    const reply = await knock(SECRET)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ ...NOTHING, charged: 1 })
  })

  test('rejects other callers', async () => {
    expect((await knock('another secret')).status).toBe(403)
    expect((await knock()).status).toBe(403)
  })

  test('charges no card without a live key, and still does free renewals', async () => {
    const [paying, canceled] = [await subscriber(server, bank), await subscriber(server, bank)]
    await server.sql
      .rows`update subscriptions set cancel_at_period_end = true where id = ${canceled.subscriptionId}`
    const keyless = await startTestServer({ schedules: SCHEDULES, url: server.url, clock: server.clock })
    server.clock.advance({ days: 31 })
    expect(await runRenewals(keyless.app)).toEqual({ ...NOTHING, skipped: 1, ended: 1 })
    await keyless.close()
    expect(await readSubscriptionRow(server, paying)).toMatchObject({ status: 'active' })
    expect(await readRenewalBills(server, paying)).toEqual([])
  })
})

test('all invariants hold after these tests', () => expectInvariants({ server, bank }))

/** A process that crashes around one of its transactions. */
function dyingAt(last: number, when: 'before' | 'after'): App {
  const { db } = server.app
  let count = 0
  const tx: typeof db.tx = async (reach, work) => {
    const isLast = ++count === last
    if (count > last || (isLast && when === 'before')) throw new Error('killed')
    const done = await db.tx(reach, work)
    if (isLast) throw new Error('killed')
    return done
  }
  return { ...server.app, db: { ...db, tx } }
}

async function toDay(day: string | Date): Promise<void> {
  server.clock.advance({ ms: new Date(day).getTime() - server.clock.now().getTime() })
}

const schedule = ({ subscriptionId }: Subscriber, planCode: string) =>
  server.sql.rows`
    update subscriptions set scheduled_plan_code = ${planCode}, scheduled_interval = 'month', version = version + 1
    where id = ${subscriptionId}`

const suspend = ({ orgId }: Subscriber) =>
  server.sql.rows`update orgs set suspended_at = ${server.clock.now()} where id = ${orgId}`
const release = ({ orgId }: Subscriber) =>
  server.sql.rows`update orgs set suspended_at = null where id = ${orgId}`

async function give({ orgId, userId }: Subscriber, days: number): Promise<void> {
  const now = server.clock.now()
  const until = new Date(now.getTime() + days * 86_400_000)
  await server.sql.rows`
    insert into comps (org_id, plan_code, until, reason, granted_by, created_at)
    values (${orgId}, 'pro', ${until}, 'for a test', ${userId}, ${now})`
}

async function openChange({ subscriptionId, orgId }: Subscriber): Promise<void> {
  const now = server.clock.now()
  await server.sql.rows`
    insert into bills (id, org_id, subscription_id, kind, status, currency, amount_minor, lines, effect, base_version,
      deadline, created_at)
    values (${`bill_${subscriptionId}`}, ${orgId}, ${subscriptionId}, 'change', 'open', 'NGN', 100, '[]', '{}', 1,
      ${new Date(now.getTime() + 30 * 60_000)}, ${now})`
}

const orgOf = ({ orgId }: Subscriber) =>
  server.sql.one<{ planCode: string | null; status: string | null }>`
    select plan_code as "planCode", subscription_status as status from orgs where id = ${orgId}`
