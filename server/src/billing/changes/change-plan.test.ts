import { addCard } from '@cowrie/testkit/billing/renewal.ts'
import {
  auditOf,
  billsOf,
  chargesOf,
  expectInvariants,
  getSubscription,
  invoicesOf,
  orgOf,
  postSubscription,
  reconcileByWebhook,
  subscribe,
  walletOf,
} from '@cowrie/testkit/billing/subscription.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo } from '@cowrie/testkit/payments/payment-fixture.ts'
import { spend } from '@cowrie/testkit/wallet/money.ts'
import { describe, expect, test } from 'vitest'
import { sweepPayments } from '../../payments/settle/sweeper.ts'
import { runRenewals } from '../renewals/renewals.ts'
import { refillAllowances } from '../subscriptions/allowance-refills.ts'
import type { SubscriptionView } from '../subscriptions/view.ts'

const world = useWorld({ atEnd: expectInvariants })
let ada: Person
let last4: string

async function subscribed(planCode: string, interval = 'month') {
  ada = await world.server.person()
  last4 = (await subscribe(world, ada, planCode, interval)).last4
}
const half = () => world.server.clock.advance({ days: 15 })
/** The unused part of the payment for the current period. */
function partLeft(minor: number, view: SubscriptionView | null): bigint {
  const at = (instant: unknown) => new Date(String(instant)).getTime()
  const [start, end] = [at(view?.currentPeriodStart), at(view?.currentPeriodEnd)]
  return BigInt(Math.round((minor * (end - world.server.clock.now().getTime())) / (end - start)))
}
/** Half a month of the price difference between two plans, in kobo. */
const HALF_TEAM = 1_125_000n

describe('an upgrade', () => {
  test('charges the previewed lines and changes plan, tier, seats and allowance', async () => {
    await subscribed('pro')
    await spend(world.server, ada, 400_000n)
    half()
    const preview = await postSubscription(world, ada, 'preview', { planCode: 'team' })
    expect(preview.body.chargeNowMinor).toBe(HALF_TEAM)
    world.server.clock.advance({ minutes: 59 })
    const changed = await postSubscription(world, ada, 'change', { planCode: 'team' })
    expect(changed).toMatchObject({
      status: 200,
      body: { changed: true, chargedMinor: HALF_TEAM, subscription: { planCode: 'team', seats: 5 } },
    })
    expect(chargesOf(world, last4)).toBe(1)
    expect(await orgOf(world, ada)).toEqual({ plan: 'team', status: 'active', tier: 'team', seats: 5 })
    const { balance, included } = await walletOf(world, ada)
    expect(balance).toBe(0n)
    // The remaining allowance, plus the difference for the rest of the month.
    expect(included).toBeGreaterThan(600_000n + 1_240_000n)
    expect(included).toBeLessThanOrEqual(600_000n + 1_250_000n)
    expect(await invoicesOf(world, ada)).toEqual([
      { subject: 'checkout', status: 'paid', total: 950_000n },
      { subject: 'change', status: 'paid', total: HALF_TEAM },
    ])
    expect(await auditOf(world, ada)).toEqual([
      'user subscription.checkout',
      'system subscription.paid',
      'user subscription.change',
      'system subscription.paid',
    ])
    expect((await mailsTo(world.server, ada.email)).map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/for Team$/),
    )
  })

  test('has the current price if the preview is older than an hour', async () => {
    await subscribed('pro')
    await postSubscription(world, ada, 'preview', { planCode: 'team' })
    half()
    const { body } = await postSubscription(world, ada, 'change', { planCode: 'team' })
    expect(body.chargedMinor).toBe(HALF_TEAM)
  })

  test('never costs more than was quoted within the hour, even if the period has ended since', async () => {
    await subscribed('pro')
    const { subscription } = await getSubscription(world, ada)
    const end = new Date(String(subscription?.currentPeriodEnd)).getTime()
    world.server.clock.advance({ ms: end - world.server.clock.now().getTime() - 600_000 })
    const preview = await postSubscription(world, ada, 'preview', { planCode: 'team' })
    world.server.clock.advance({ minutes: 20 })
    await runRenewals(world.server.app)
    expect(await postSubscription(world, ada, 'change', { planCode: 'team' })).toMatchObject({
      status: 409,
      body: { code: 'price_changed', toldMinor: preview.body.chargeNowMinor },
    })
    const again = await postSubscription(world, ada, 'preview', { planCode: 'team' })
    const changed = await postSubscription(world, ada, 'change', { planCode: 'team' })
    expect(changed.body).toMatchObject({ changed: true, chargedMinor: again.body.chargeNowMinor })
  })

  test('from month to year starts a new period', async () => {
    await subscribed('pro')
    half()
    const { subscription } = await getSubscription(world, ada)
    const { body } = await postSubscription(world, ada, 'change', { planCode: 'pro', interval: 'year' })
    expect(body).toMatchObject({
      chargedMinor: 9_500_000n - partLeft(950_000, subscription),
      subscription: { interval: 'year', currentPeriodStart: world.server.clock.now().toISOString() },
    })
  })

  test('from month to year in the first second of the month grants the allowance of every month', async () => {
    await subscribed('pro')
    await postSubscription(world, ada, 'change', { planCode: 'pro', interval: 'year' })
    await spend(world.server, ada, 400_000n)
    world.server.clock.advance({ days: 32 })
    await refillAllowances(world.server.app)
    expect(await walletOf(world, ada)).toMatchObject({ included: 1_000_000n })
  })

  test('that costs less than the unused time credits the rest to the wallet', async () => {
    await subscribed('pro', 'year')
    const { body } = await postSubscription(world, ada, 'change', { planCode: 'team', interval: 'month' })
    const restMinor = 9_500_000n - 3_200_000n
    expect(body).toMatchObject({
      changed: true,
      chargedMinor: 0n,
      walletCreditMinor: restMinor,
      subscription: { planCode: 'team' },
    })
    expect(await walletOf(world, ada)).toMatchObject({ balance: restMinor })
    expect(chargesOf(world, last4)).toBe(0)
  })

  test('to a comped plan costs nothing and credits the unused time', async () => {
    await subscribed('pro')
    await world.server.sql.rows`
      insert into comps (org_id, plan_code, reason, granted_by, created_at)
      values (${ada.orgId}, 'team', 'a friend', 'usr_x', ${world.server.clock.now()})`
    const { body } = await postSubscription(world, ada, 'change', { planCode: 'team' })
    expect(body).toMatchObject({ chargedMinor: 0n, subscription: { comped: true, planCode: 'team' } })
    expect(await walletOf(world, ada)).toEqual({ balance: 950_000n, included: 3_500_000n })
  })

  test('needs a card, also from the free plan', async () => {
    ada = await world.server.person()
    await postSubscription(world, ada, 'checkout', { planCode: 'free' })
    expect(await postSubscription(world, ada, 'change', { planCode: 'pro' })).toMatchObject({
      status: 402,
      body: { code: 'no_payment_method' },
    })
    expect(await billsOf(world, ada)).toEqual([])
    last4 = await addCard(world.server, world.bank, ada)
    expect(await postSubscription(world, ada, 'change', { planCode: 'pro' })).toMatchObject({
      status: 200,
      body: { chargedMinor: 950_000n, subscription: { planCode: 'pro' } },
    })
  })

  test('needs a seat for every member, and charges each where seats are sold', async () => {
    ada = await world.server.person({ type: 'team' })
    await postSubscription(world, ada, 'checkout', { planCode: 'free' })
    last4 = await addCard(world.server, world.bank, ada)
    for (let n = 0; n < 6; n++) await world.server.member(ada.orgId, 'member')
    for (const action of ['change', 'preview'] as const)
      expect(await postSubscription(world, ada, action, { planCode: 'pro' })).toMatchObject({
        status: 400,
        body: { code: 'seats_below_occupied', occupied: 7 },
      })
    expect(await postSubscription(world, ada, 'change', { planCode: 'team' })).toMatchObject({
      body: { chargedMinor: 4_400_000n, subscription: { seats: 7, nextAmountMinor: 4_400_000n } },
    })
  })

  test('that the bank declines changes nothing, and the next attempt may succeed', async () => {
    await subscribed('pro')
    world.bank.cards.behave(last4, { does: 'declines', message: 'Insufficient Funds' })
    const declined = await postSubscription(world, ada, 'change', { planCode: 'team' }, 'one')
    expect(declined).toMatchObject({ status: 402, body: { code: 'card_declined' } })
    expect(declined.body.reason).toBeTruthy()
    expect(await postSubscription(world, ada, 'change', { planCode: 'team' }, 'one')).toMatchObject({
      status: 402,
    })
    expect(chargesOf(world, last4)).toBe(1)
    expect(await getSubscription(world, ada)).toMatchObject({
      subscription: { planCode: 'pro', changeInProgress: false },
    })
    world.bank.cards.behave(last4, { does: 'pays' })
    expect(await postSubscription(world, ada, 'change', { planCode: 'team' })).toMatchObject({ status: 200 })
  })

  test('with a challenge happens when it is confirmed, and blocks other changes until then', async () => {
    await subscribed('pro')
    world.bank.cards.behave(last4, { does: 'asks' })
    const challenged = await postSubscription(world, ada, 'change', { planCode: 'team' })
    expect(challenged).toMatchObject({
      status: 402,
      body: { code: 'card_challenged', authorizationUrl: expect.stringMatching(/^https:/) },
    })
    expect(await getSubscription(world, ada)).toMatchObject({ subscription: { changeInProgress: true } })
    for (const body of [{ planCode: 'enterprise' }, { planCode: 'free' }, { planCode: 'pro' }])
      expect(await postSubscription(world, ada, 'change', body)).toMatchObject({
        body: { code: 'change_in_progress' },
      })
    // A caller who lost the page of the bank gets the same page again.
    const { authorizationUrl, reference: challengeReference } = challenged.body
    const again = await postSubscription(world, ada, 'change', { planCode: 'team' })
    expect(again.body).toMatchObject({
      code: 'card_challenged',
      authorizationUrl,
      reference: challengeReference,
    })

    const reference = String(challenged.body.reference)
    world.bank.pay(reference)
    await reconcileByWebhook(world, reference)
    expect(await getSubscription(world, ada)).toMatchObject({
      subscription: { planCode: 'team', changeInProgress: false },
    })
    expect(chargesOf(world, last4)).toBe(1)
  })

  test('that the bank declines later is abandoned', async () => {
    await subscribed('pro')
    world.bank.cards.behave(last4, { does: 'asks' })
    const { body } = await postSubscription(world, ada, 'change', { planCode: 'team' })
    world.bank.decline(String(body.reference))
    await reconcileByWebhook(world, String(body.reference))
    expect(await billsOf(world, ada)).toMatchObject([{ status: 'paid' }, { status: 'abandoned' }])
    world.bank.cards.behave(last4, { does: 'pays' })
    expect(await postSubscription(world, ada, 'change', { planCode: 'team' })).toMatchObject({ status: 200 })
  })

  test('without an answer is found by the sweeper and never charged twice', async () => {
    await subscribed('pro')
    world.bank.cards.behave(last4, { does: 'pays_without_reply' })
    const lost = await postSubscription(world, ada, 'change', { planCode: 'team' }, 'lost')
    expect(lost).toMatchObject({ status: 503, body: { code: 'rail_unavailable' } })
    expect(await postSubscription(world, ada, 'change', { planCode: 'enterprise' })).toMatchObject({
      status: 409,
    })
    world.server.clock.advance({ minutes: 10 })
    await sweepPayments(world.server.app)
    expect(await getSubscription(world, ada)).toMatchObject({ subscription: { planCode: 'team' } })
    const again = await postSubscription(world, ada, 'change', { planCode: 'team' }, 'lost')
    expect(again).toMatchObject({ status: 200, body: { changed: true, chargedMinor: 2_250_000n } })
    expect(chargesOf(world, last4)).toBe(1)
  })
})

describe('a downgrade', () => {
  test('waits for the end of the period, and choosing the current plan cancels it', async () => {
    await subscribed('team')
    const down = await postSubscription(world, ada, 'change', { planCode: 'pro' })
    const { subscription } = down.body
    expect(down).toMatchObject({ status: 200, body: { scheduled: true } })
    expect(subscription).toMatchObject({
      planCode: 'team',
      nextAmountMinor: 950_000n,
      scheduledChange: { planCode: 'pro', interval: 'month', effectiveAt: down.body.effectiveAt },
    })
    expect(subscription?.currentPeriodEnd).toBe(down.body.effectiveAt)
    expect((await postSubscription(world, ada, 'change', { planCode: 'pro' })).body).toEqual(down.body)
    expect(await postSubscription(world, ada, 'change', { planCode: 'team' })).toMatchObject({
      status: 200,
      body: { cleared: true, subscription: { scheduledChange: null, nextAmountMinor: 3_200_000n } },
    })
    expect(await postSubscription(world, ada, 'change', { planCode: 'team' })).toMatchObject({
      body: { cleared: true },
    })
    expect(chargesOf(world, last4)).toBe(0)
  })

  test('is rejected while the plan has too few seats for the members', async () => {
    await subscribed('team')
    await world.server.member(ada.orgId, 'member')
    expect(await postSubscription(world, ada, 'change', { planCode: 'pro' })).toMatchObject({
      status: 400,
      body: { code: 'seats_below_occupied' },
    })
  })

  test('is cleared by an upgrade', async () => {
    await subscribed('team')
    await postSubscription(world, ada, 'change', { planCode: 'pro' })
    expect(await postSubscription(world, ada, 'change', { planCode: 'enterprise' })).toMatchObject({
      status: 200,
      body: { changed: true, subscription: { planCode: 'enterprise', scheduledChange: null } },
    })
  })
})

describe('is rejected', () => {
  test('without a subscription, for an unknown plan, and while past due or expired', async () => {
    ada = await world.server.person()
    expect(await postSubscription(world, ada, 'change', { planCode: 'pro' })).toMatchObject({
      status: 404,
      body: { code: 'no_subscription' },
    })
    await subscribed('pro')
    expect(await postSubscription(world, ada, 'change', { planCode: 'gold' })).toMatchObject({
      status: 404,
      body: { code: 'plan_not_found' },
    })
    await world.server.sql.rows`update subscriptions set status = 'past_due' where org_id = ${ada.orgId}`
    for (const [action, body] of [
      ['change', { planCode: 'team' }] as const,
      ['seats', { seats: 1 }] as const,
    ])
      expect(await postSubscription(world, ada, action, body)).toMatchObject({
        status: 409,
        body: { code: 'subscription_past_due' },
      })
    await world.server.sql.rows`update subscriptions set status = 'active' where org_id = ${ada.orgId}`
    world.server.clock.advance({ days: 31 })
    // The period is over: a change would be free although the renewal is unpaid.
    expect(await postSubscription(world, ada, 'change', { planCode: 'enterprise' })).toMatchObject({
      status: 409,
      body: { code: 'change_in_progress' },
    })
  })
})
