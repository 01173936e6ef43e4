import { pricingAt, VERSION } from '@cowrie/testkit/billing/quote.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { holdSome, spend } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { currencies } from '../../kernel/money.ts'
import { addMonths, type Interval, monthAt } from '../calendar.ts'
import { findSavedQuote, planTarget, quoteFromJson, savePreview, seatsTarget } from '../quotes/previews.ts'
import { prorate } from '../quotes/proration.ts'
import { quoteStart, quoteUpgrade } from '../quotes/quote.ts'
import { refillAllowances } from '../subscriptions/allowance-refills.ts'
import { applyEffect, startSubscription } from '../subscriptions/lifecycle.ts'
import { findCurrentSubscription, lockOrg, type Subscription } from '../subscriptions/subscriptions.ts'
import { listPlans, type PlanCode, planOf } from './plans.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ schedules: ['billing.', 'payments.', 'wallet.', 'invoices.'] })
})
afterAll(() => server.close())

type Wanted = { planCode?: PlanCode; interval?: Interval; isComped?: boolean; currency?: 'NGN' | 'KES' }

/** A person whose plan started now. */
async function subscriber({
  planCode = 'pro',
  interval = 'month',
  isComped = false,
  currency = 'NGN',
}: Wanted = {}) {
  const person = await server.person({ type: 'team' })
  const { orgId } = person
  await server.sql.rows`update orgs set currency = ${currency} where id = ${orgId}`
  await server.app.db.tx(orgId, async (tx) => {
    await lockOrg(tx, orgId)
    const plan = planOf(VERSION, planCode, interval, currency)
    const { effect } = quoteStart(plan, VERSION, tx.now, { isComped, occupied: 1 })
    await startSubscription(
      server.app,
      tx,
      { id: newId('sub'), orgId, currency, isComped, status: 'active' },
      effect,
    )
  })
  return person
}

const subscriptionOf = (person: Person): Promise<Subscription> =>
  server.app.db.tx(person.orgId, async (tx) => {
    const found = await findCurrentSubscription(tx, person.orgId)
    if (!found) throw new Error('there is a subscription')
    return found
  })
const savedQuote = (person: Person, target: string) =>
  server.app.db.tx(person.orgId, async (tx) => {
    const found = await findCurrentSubscription(tx, person.orgId)
    return found ? findSavedQuote(tx, found, target) : null
  })
const preview = (as: Person, body: object) => server.call('POST', '/subscription/preview', { as, body })
const summary = async (as: Person) => (await server.call('GET', '/billing/summary', { as })).body

describe('the list of plans', () => {
  test('is in the currency of the organisation', async () => {
    const person = await subscriber({ currency: 'KES' })
    const { status, body } = await server.call('GET', '/plans', { as: person })
    expect([status, body]).toEqual([200, { plans: listPlans(VERSION, 'KES') }])
  })

  test('is public, in naira or the requested currency, and cacheable', async () => {
    const { status, body, headers } = await server.call('GET', '/public/plans')
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=300'])
    expect(body).toEqual({ currency: 'NGN', rateCardVersion: VERSION, plans: listPlans(VERSION, 'NGN') })
    const francs = await server.call('GET', '/public/plans', { query: { currency: 'XOF' } })
    expect(francs.body).toMatchObject({ currency: 'XOF', plans: listPlans(VERSION, 'XOF') })
  })

  test.for(['ngn', 'EUR', '', 'toString'])(
    'is rejected in %j with the list of currencies',
    async (currency) => {
      const { status, body } = await server.call('GET', '/public/plans', { query: { currency } })
      expect([status, body.code]).toEqual([400, 'invalid_fields'])
      expect(body.fields).toEqual([
        { path: 'query.currency', message: `must be one of ${currencies.join(', ')}` },
      ])
    },
  )
})

describe('a preview', () => {
  test('of an upgrade lists the charge and is saved for an hour', async () => {
    const person = await subscriber()
    server.clock.advance({ days: 15 })
    const { status, body } = await preview(person, { planCode: 'team' })
    expect([status, body]).toMatchObject([
      200,
      {
        ...{ kind: 'upgrade', currency: 'NGN', walletCreditMinor: 0n, nextAmountMinor: 3_200_000n },
        ...{ chargeNowMinor: 1_125_000n, creditMinor: 475_000n },
        lines: [{ amountMinor: 1_600_000n }, { description: 'Unused time on Pro', amountMinor: -475_000n }],
        effectiveAt: server.clock.now().toISOString(),
        expiresAt: new Date(server.clock.now().getTime() + 3_600_000).toISOString(),
      },
    ])
    const computed = quoteUpgrade(
      await subscriptionOf(person),
      { planCode: 'team', interval: 'month' },
      pricingAt(server.clock.now(), { minChargeMinor: 5_000n }),
    )
    expect(await savedQuote(person, 'team/month')).toEqual(computed)
    server.clock.advance({ minutes: 59 })
    expect(await savedQuote(person, 'team/month')).toMatchObject({
      chargeNowMinor: 1_125_000n,
      lines: computed.lines,
    })
    expect(await savedQuote(person, 'team/year')).toBeNull()
    server.clock.advance({ minutes: 1 })
    expect(await savedQuote(person, 'team/month')).toBeNull()
  })

  test('is for one version of the subscription: a later version gets a new quote', async () => {
    const person = await subscriber({ planCode: 'team' })
    await preview(person, { seats: 8 })
    expect(await savedQuote(person, seatsTarget(8))).toMatchObject({ chargeNowMinor: 1_800_000n })
    await server.app.db.tx(person.orgId, async (tx) => {
      const before = await subscriptionOf(person)
      const quote = await findSavedQuote(tx, before, seatsTarget(8))
      if (!quote?.effect) throw new Error('it was previewed')
      await applyEffect(server.app, tx, before, quote.effect, `test ${before.id}`)
    })
    expect(await savedQuote(person, seatsTarget(8))).toBeNull()
  })

  test('keeps its price across the start of a month, with the allowance of the new month', async () => {
    const person = await subscriber({ interval: 'year' })
    const { anchor } = await subscriptionOf(person)
    const untilMonthMs = addMonths(anchor, 1).getTime() - server.clock.now().getTime()
    server.clock.advance({ ms: untilMonthMs - 1_800_000 })
    await preview(person, { planCode: 'enterprise' })
    const first = await savedQuote(person, 'enterprise/year')
    expect(Number(first?.effect?.allowanceMinor)).toBeLessThan(30_000)
    server.clock.advance({ minutes: 45 })
    const ungranted = await savedQuote(person, 'enterprise/year')
    expect(ungranted?.effect?.allowanceMinor).toBeNull()
    await refillAllowances(server.app)
    const second = await savedQuote(person, 'enterprise/year')
    expect(Number(second?.effect?.allowanceMinor)).toBeGreaterThan(25_900_000)
    for (const quote of [ungranted, second]) expect(quote?.chargeNowMinor).toBe(first?.chargeNowMinor)
  })

  test('is one of fifty: the oldest are deleted, never the newest', async () => {
    const person = await subscriber({ planCode: 'team' })
    for (let seats = 6; seats < 60; seats++) await preview(person, { seats })
    server.clock.advance({ seconds: 1 })
    await preview(person, { seats: 99 })
    const { count } = await server.sql.one<{ count: number }>`
      select count(*)::int as count from previews where org_id = ${person.orgId}`
    expect(count).toBe(50)
    expect(await savedQuote(person, seatsTarget(99))).not.toBeNull()
  })

  test('of a downgrade, of the current plan and of seats has its kind', async () => {
    const person = await subscriber({ planCode: 'team' })
    const { currentPeriodEnd } = (await summary(person)).subscription as { currentPeriodEnd: string }
    const down = await preview(person, { planCode: 'pro' })
    expect(down.body).toMatchObject({
      ...{ kind: 'downgrade', chargeNowMinor: 0n, lines: [], effectiveAt: currentPeriodEnd },
      nextAmountMinor: 950_000n,
    })
    expect((await preview(person, { planCode: 'team' })).body).toMatchObject({
      ...{ kind: 'cleared', chargeNowMinor: 0n, nextAmountMinor: 3_200_000n },
    })
    expect((await preview(person, { seats: 6 })).body).toMatchObject({
      ...{ kind: 'seats', chargeNowMinor: 600_000n, nextAmountMinor: 3_800_000n },
    })
    expect((await preview(person, { planCode: 'team', interval: 'year' })).body).toMatchObject({
      ...{ kind: 'upgrade', chargeNowMinor: 28_800_000n, nextAmountMinor: 32_000_000n },
    })
  })

  test('of a first subscription has the full price', async () => {
    const person = await server.person()
    expect((await preview(person, { planCode: 'pro', interval: 'year' })).body).toMatchObject({
      ...{ kind: 'start', chargeNowMinor: 9_500_000n, nextAmountMinor: 9_500_000n, expiresAt: null },
      lines: [{ amountMinor: 9_500_000n }],
    })
  })

  test('of a comped plan costs nothing and is not saved, because the comp may be revoked', async () => {
    const person = await subscriber()
    await server.sql.rows`
      insert into comps (org_id, plan_code, reason, granted_by, created_at)
      values (${person.orgId}, 'team', 'A partner.', ${person.userId}, ${server.clock.now()})`
    expect((await preview(person, { planCode: 'team', interval: 'year' })).body).toMatchObject({
      ...{ kind: 'upgrade', chargeNowMinor: 0n, nextAmountMinor: 0n, expiresAt: null },
      ...{ creditMinor: 950_000n, walletCreditMinor: 950_000n },
    })
    expect(await savedQuote(person, 'team/year')).toBeNull()
    const other = await server.person()
    expect((await preview(other, { planCode: 'team' })).body).toMatchObject({ chargeNowMinor: 3_200_000n })
  })

  test.for<[string, object, number, string]>([
    ['an unknown plan', { planCode: 'gold' }, 404, 'plan_not_found'],
    ['an inherited property name', { planCode: 'toString' }, 404, 'plan_not_found'],
    ['seats of a plan that sells none', { seats: 4 }, 400, 'seats_not_sold'],
    ['nothing', {}, 400, 'invalid_fields'],
    ['both', { planCode: 'team', seats: 4 }, 400, 'invalid_fields'],
    ['an interval of seats', { interval: 'year', seats: 4 }, 400, 'invalid_fields'],
    ['no seats', { seats: 0 }, 400, 'invalid_fields'],
    ['half a seat', { seats: 1.5 }, 400, 'invalid_fields'],
    ['too many seats', { seats: 100_001 }, 400, 'invalid_fields'],
    ['another interval', { planCode: 'team', interval: 'week' }, 400, 'invalid_fields'],
  ])('of %s is rejected', async ([, body, status, code]) => {
    const person = await subscriber()
    expect(await preview(person, body)).toMatchObject({ status, body: { code } })
  })

  test('is rejected without a subscription, with fewer seats than members, and while past due', async () => {
    const nobody = await server.person()
    expect(await preview(nobody, { seats: 6 })).toMatchObject({
      status: 404,
      body: { code: 'no_subscription' },
    })
    const person = await subscriber({ planCode: 'team' })
    await server.member(person.orgId, 'member')
    expect(await preview(person, { seats: 1 })).toMatchObject({
      ...{ status: 400, body: { code: 'seats_below_occupied' } },
    })
    expect(await preview(person, { planCode: 'team', interval: 'year' })).toMatchObject({ status: 200 })
    await server.sql.rows`update subscriptions set status = 'past_due' where org_id = ${person.orgId}`
    expect(await preview(person, { planCode: 'enterprise' })).toMatchObject({
      ...{ status: 409, body: { code: 'subscription_past_due' } },
    })
  })

  test('is for owners only, and for one organisation', async () => {
    const person = await subscriber({ planCode: 'team' })
    const admin = await server.member(person.orgId, 'admin')
    expect((await preview(admin, { seats: 6 })).status).toBe(403)
  })

  test('is restored from the database unchanged', async () => {
    const person = await subscriber()
    const subscription = await subscriptionOf(person)
    const quote = {
      ...quoteUpgrade(subscription, { planCode: 'team', interval: 'year' }, pricingAt(server.clock.now())),
      chargeNowMinor: 9_223_372_036_854_775_807n,
      nextAmountMinor: 9_007_199_254_740_993n,
      lines: [{ description: 'Ünused “time” \\ 5 000', quantity: 3, amountMinor: -9_007_199_254_740_993n }],
    }
    const { effect } = quote
    if (!effect) throw new Error('an upgrade has an effect')
    for (const allowanceMinor of [null, 0n, -5n, 2_500_000n]) {
      const expected = { ...quote, effect: { ...effect, allowanceMinor } }
      await server.app.db.tx(person.orgId, (tx) => savePreview(tx, subscription, 'team/year', expected))
      const [row] = await server.sql.rows<{ quote: unknown }>`
        select quote from previews where subscription_id = ${subscription.id} and target = ${planTarget({ planCode: 'team', interval: 'year' })}`
      expect(quoteFromJson(row?.quote)).toEqual(expected)
    }
    expect(() => quoteFromJson({ chargeNowMinor: 1 })).toThrow()
  })

  test('is deleted after an hour', async () => {
    const person = await subscriber()
    await preview(person, { planCode: 'team' })
    const savedTargets = () => server.sql.rows`select target from previews where org_id = ${person.orgId}`
    await server.app.jobs.drain()
    expect(await savedTargets()).toHaveLength(1)
    server.clock.advance({ hours: 2 })
    await server.app.jobs.drain()
    expect(await savedTargets()).toHaveLength(0)
  })
})

describe('the summary', () => {
  test('without a plan has the wallet and the seats of the organisation type', async () => {
    const person = await server.person()
    expect(await summary(person)).toEqual({
      currency: 'NGN',
      wallet: {
        ...{
          balanceMinor: 0n,
          heldMinor: 0n,
          availableMinor: 0n,
          includedRemainingMinor: 0n,
          trialMinor: 0n,
          trialExpiresAt: null,
          currency: 'NGN',
        },
      },
      ...{ subscription: null, plan: null, scheduledChange: null },
      included: { totalMinor: 0n, usedMinor: 0n, remainingMinor: 0n, resetsAt: null },
      seats: { allotment: 1, purchased: 0, total: 1, occupied: 1 },
    })
  })

  test('shows used and reserved allowance through an upgrade and into the next month', async () => {
    const person = await subscriber({ interval: 'year' })
    const began = server.clock.now()
    expect((await summary(person)).included).toMatchObject({
      ...{ totalMinor: 1_000_000n, usedMinor: 0n, remainingMinor: 1_000_000n },
    })
    await spend(server, person, 300_000n, 400_000n)
    await holdSome(server, person, 100_000n)
    server.clock.advance({ days: 15 })
    expect((await summary(person)).included).toMatchObject({
      ...{ totalMinor: 1_000_000n, usedMinor: 400_000n, remainingMinor: 600_000n },
    })
    await preview(person, { planCode: 'team' })
    await server.app.db.tx(person.orgId, async (tx) => {
      const before = await subscriptionOf(person)
      const quote = await findSavedQuote(tx, before, 'team/year')
      if (!quote?.effect) throw new Error('it was previewed')
      await applyEffect(server.app, tx, before, quote.effect, `test ${before.id} upgrade`)
    })
    const after = await summary(person)
    const month = monthAt(began, server.clock.now())
    const addedMinor = prorate(2_500_000n, month, server.clock.now())
    expect(after).toMatchObject({
      plan: { code: 'team', interval: 'year', amountMinor: 32_000_000n },
      subscription: { planCode: 'team', seats: 5 },
      seats: { allotment: 5, purchased: 0, total: 5, occupied: 1 },
      included: {
        ...{
          totalMinor: 1_000_000n + addedMinor,
          usedMinor: 400_000n,
          remainingMinor: 600_000n + addedMinor,
        },
        resetsAt: month.end.toISOString(),
      },
    })
  })

  test('shows bought seats and the scheduled change', async () => {
    const person = await subscriber({ planCode: 'team' })
    await server.sql.rows`
      update subscriptions set seats = 8, seats_paid = 8, scheduled_plan_code = 'pro', scheduled_interval = 'month'
      where org_id = ${person.orgId}`
    await server.sql.rows`update orgs set seat_allotment = 8 where id = ${person.orgId}`
    const key = await server.key(person, [])
    const { body } = await server.call('GET', '/billing/summary', { as: key })
    expect(body).toMatchObject({
      seats: { allotment: 5, purchased: 3, total: 8, occupied: 1 },
      scheduledChange: { planCode: 'pro', interval: 'month' },
    })
  })
})
