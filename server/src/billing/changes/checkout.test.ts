import {
  auditOf,
  billsOf,
  expectInvariants,
  getSubscription,
  invoicesOf,
  orgOf,
  pay,
  postSubscription,
  reconcileByWebhook,
  subscribe,
  walletOf,
} from '@cowrie/testkit/billing/subscription.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo } from '@cowrie/testkit/payments/payment-fixture.ts'
import { topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { describe, expect, test } from 'vitest'

const world = useWorld({ atEnd: expectInvariants })
let ada: Person

const newcomer = async (type: 'individual' | 'team' = 'individual') => {
  ada = await world.server.person({ type })
  return ada
}
const NOW = { status: 200, body: { activated: true } }

describe('a free plan', () => {
  test('is active at once and stored on the organisation', async () => {
    await newcomer()
    const reply = await postSubscription(world, ada, 'checkout', { planCode: 'free' })
    expect(reply).toMatchObject({
      ...NOW,
      body: { subscription: { planCode: 'free', status: 'active', interval: 'month', seatsOccupied: 1 } },
    })
    expect(await orgOf(world, ada)).toEqual({ plan: 'free', status: 'active', tier: 'individual', seats: 1 })
    expect((await world.server.call('GET', '/me', { as: ada })).status).toBe(200)
    expect(await auditOf(world, ada)).toEqual(['user subscription.checkout'])
    expect(await getSubscription(world, ada)).toMatchObject({
      plan: { code: 'free' },
      includedRemainingMinor: 0n,
    })
  })

  test('removes no seats from a team that had five without it', async () => {
    await newcomer('team')
    for (let n = 0; n < 2; n++) await world.server.member(ada.orgId, 'member')
    expect(await postSubscription(world, ada, 'checkout', { planCode: 'free' })).toMatchObject(NOW)
    expect(await orgOf(world, ada)).toMatchObject({ tier: 'team', seats: 5 })
  })

  test('is comped monthly for any requested interval, and grants its allowance', async () => {
    await newcomer()
    await world.server.sql.rows`
      insert into comps (org_id, plan_code, reason, granted_by, created_at)
      values (${ada.orgId}, 'team', 'a friend', 'usr_x', ${world.server.clock.now()})`
    const reply = await postSubscription(world, ada, 'checkout', { planCode: 'team', interval: 'year' })
    expect(reply).toMatchObject({
      ...NOW,
      body: { subscription: { planCode: 'team', comped: true, interval: 'month', nextAmountMinor: 0n } },
    })
    expect(await walletOf(world, ada)).toEqual({ balance: 0n, included: 3_500_000n })
    expect(await postSubscription(world, ada, 'checkout', { planCode: 'team' })).toMatchObject({
      status: 409,
    })
    expect(await postSubscription(world, ada, 'checkout', { planCode: 'enterprise' })).toMatchObject({
      body: { code: 'subscription_exists' },
    })
  })
})

describe('a paid plan', () => {
  test('starts when its page is paid, and stores the card', async () => {
    await newcomer()
    const requested = await postSubscription(world, ada, 'checkout', { planCode: 'pro' })
    expect(requested).toMatchObject({
      status: 200,
      body: { authorizationUrl: expect.stringMatching(/^https:/) },
    })
    expect(await getSubscription(world, ada)).toMatchObject({ subscription: { status: 'incomplete' } })
    expect(await orgOf(world, ada)).toMatchObject({ plan: null, status: null })
    expect(await postSubscription(world, ada, 'change', { planCode: 'team' })).toMatchObject({
      status: 404,
      body: { code: 'no_subscription' },
    })

    world.server.clock.advance({ hours: 2 })
    await pay(world, String(requested.body.reference), '7001')
    const { subscription, includedRemainingMinor } = await getSubscription(world, ada)
    expect(subscription).toMatchObject({
      planCode: 'pro',
      status: 'active',
      seats: 1,
      nextAmountMinor: 950_000n,
      // Counted from the payment, not from the request.
      currentPeriodStart: world.server.clock.now().toISOString(),
    })
    expect(includedRemainingMinor).toBe(1_000_000n)
    expect(await walletOf(world, ada)).toEqual({ balance: 0n, included: 1_000_000n })
    expect(await invoicesOf(world, ada)).toEqual([{ subject: 'checkout', status: 'paid', total: 950_000n }])
    expect(await orgOf(world, ada)).toEqual({ plan: 'pro', status: 'active', tier: 'individual', seats: 1 })
    const cards = await world.server.call<{ paymentMethods: { last4: string }[] }>(
      'GET',
      '/payment-methods',
      {
        as: ada,
      },
    )
    expect(cards.body.paymentMethods).toMatchObject([{ last4: '7001' }])
    expect(await auditOf(world, ada)).toEqual(['user subscription.checkout', 'system subscription.paid'])
    const [mail] = await mailsTo(world.server, ada.email)
    expect(mail?.subject).toMatch(/^Receipt: .*9,500\.00 for Pro$/)

    await reconcileByWebhook(world, String(requested.body.reference))
    expect(await invoicesOf(world, ada)).toHaveLength(1)
    expect(await postSubscription(world, ada, 'checkout', { planCode: 'team' })).toMatchObject({
      status: 409,
    })
  })

  test('costs at least the occupied seats, as previewed, and keeps the paid ones', async () => {
    await newcomer('team')
    for (let n = 0; n < 6; n++) await world.server.member(ada.orgId, 'member')
    const preview = await postSubscription(world, ada, 'preview', { planCode: 'team' })
    expect(preview.body).toMatchObject({
      chargeNowMinor: 4_400_000n,
      nextAmountMinor: 4_400_000n,
      lines: [{ amountMinor: 3_200_000n }, { quantity: 2, amountMinor: 1_200_000n }],
    })
    const { body } = await postSubscription(world, ada, 'checkout', { planCode: 'team' })
    expect((await postSubscription(world, ada, 'checkout', { planCode: 'team' })).body.reference).toBe(
      body.reference,
    )
    const late = await world.server.member(ada.orgId, 'member')
    expect((await postSubscription(world, ada, 'checkout', { planCode: 'team' })).body.reference).not.toBe(
      body.reference,
    )
    await world.server.sql
      .rows`delete from memberships where org_id = ${ada.orgId} and user_id = ${late.userId}`
    await pay(world, String(body.reference))
    expect(await getSubscription(world, ada)).toMatchObject({
      subscription: { seats: 7, seatsOccupied: 7, nextAmountMinor: 4_400_000n },
    })
    expect(await invoicesOf(world, ada)).toEqual([{ subject: 'checkout', status: 'paid', total: 4_400_000n }])
  })

  test('has one page for repeated calls while it is open', async () => {
    await newcomer()
    const replies = await Promise.all(
      ['a', 'b', undefined].map((key) => postSubscription(world, ada, 'checkout', { planCode: 'pro' }, key)),
    )
    expect(new Set(replies.map(({ body }) => body.reference)).size).toBe(1)
    expect(await billsOf(world, ada)).toHaveLength(1)
    const other = await postSubscription(world, ada, 'checkout', { planCode: 'pro', interval: 'year' })
    expect(other.body.reference).not.toBe(replies[0]?.body.reference)
  })

  test('is bought once if two pages are paid, and the second payment is in the wallet', async () => {
    await newcomer()
    const pro = String((await postSubscription(world, ada, 'checkout', { planCode: 'pro' })).body.reference)
    const team = String((await postSubscription(world, ada, 'checkout', { planCode: 'team' })).body.reference)
    for (const reference of [pro, team]) world.bank.cards.payWith(reference)
    await Promise.all([reconcileByWebhook(world, pro), reconcileByWebhook(world, team)])
    const { subscription } = await getSubscription(world, ada)
    const keptMinor = subscription?.planCode === 'pro' ? 3_200_000n : 950_000n
    expect((await walletOf(world, ada)).balance).toBe(keptMinor)
    expect(await invoicesOf(world, ada)).toContainEqual({
      subject: 'credit',
      status: 'paid',
      total: keptMinor,
    })
    expect((await billsOf(world, ada)).map(({ status }) => status).sort()).toEqual(['abandoned', 'paid'])
    const subjects = (await mailsTo(world.server, ada.email)).map(({ subject }) => subject)
    expect(subjects).toContainEqual(expect.stringMatching(/was added to your wallet$/))
    await expectInvariants(world)
  })

  test('is abandoned if its payment fails, and still starts after a late payment', async () => {
    await newcomer()
    const reference = String(
      (await postSubscription(world, ada, 'checkout', { planCode: 'pro' })).body.reference,
    )
    world.bank.decline(reference)
    await reconcileByWebhook(world, reference)
    expect(await getSubscription(world, ada)).toMatchObject({ subscription: null, plan: null })
    expect(await billsOf(world, ada)).toMatchObject([{ status: 'abandoned' }])
    // A new page for a new call.
    const again = await postSubscription(world, ada, 'checkout', { planCode: 'pro' })
    expect(again.body.reference).not.toBe(reference)

    await pay(world, reference)
    expect(await getSubscription(world, ada)).toMatchObject({
      subscription: { status: 'active', planCode: 'pro' },
    })
    expect(await walletOf(world, ada)).toEqual({ balance: 0n, included: 1_000_000n })
    await pay(world, String(again.body.reference))
    expect(await walletOf(world, ada)).toEqual({ balance: 950_000n, included: 1_000_000n })
  })

  test('replaces a free plan when it is paid', async () => {
    await newcomer()
    await postSubscription(world, ada, 'checkout', { planCode: 'free' })
    const { body } = await postSubscription(world, ada, 'checkout', { planCode: 'pro', interval: 'year' })
    expect(await getSubscription(world, ada)).toMatchObject({ subscription: { planCode: 'free' } })
    await pay(world, String(body.reference))
    expect(await getSubscription(world, ada)).toMatchObject({
      subscription: { planCode: 'pro', interval: 'year', nextAmountMinor: 9_500_000n },
      includedRemainingMinor: 1_000_000n,
    })
    expect(await postSubscription(world, ada, 'checkout', { planCode: 'free' })).toMatchObject({
      status: 409,
      body: { code: 'subscription_exists' },
    })
  })

  test('starts only for the billed amount; other money stays in the wallet', async () => {
    await newcomer()
    const { body } = await postSubscription(world, ada, 'checkout', { planCode: 'pro' })
    const reference = String(body.reference)
    world.bank.cards.payWith(reference)
    world.bank.pay(reference, { amountMinor: 900_000n })
    await reconcileByWebhook(world, reference)
    expect(await getSubscription(world, ada)).toMatchObject({ subscription: { status: 'incomplete' } })
    const staff = await world.server.person({ staff: 'billing' })
    const credited = await world.server.call('POST', `/admin/payments/${reference}/resolve`, {
      as: staff,
      body: { decision: 'credit', amountMinor: 900_000n, note: 'another amount arrived' },
      headers: { 'idempotency-key': reference },
    })
    expect(credited.status, credited.text).toBe(200)
    expect(await walletOf(world, ada)).toEqual({ balance: 900_000n, included: 0n })
    expect(await getSubscription(world, ada)).toMatchObject({ subscription: null })
  })

  test('continues with the same payment after a provider outage', async () => {
    await newcomer()
    world.bank.fault('down')
    const first = await postSubscription(world, ada, 'checkout', { planCode: 'pro' }, 'again')
    expect(first).toMatchObject({ status: 503, body: { code: 'rail_unavailable' } })
    world.bank.heal()
    const second = await postSubscription(world, ada, 'checkout', { planCode: 'pro' }, 'again')
    expect(second).toMatchObject({ status: 200, body: { reference: first.body.reference } })
    expect(await billsOf(world, ada)).toHaveLength(1)
  })

  test('is abandoned if the provider rejects it', async () => {
    await newcomer()
    world.bank.fault('reject')
    expect(await postSubscription(world, ada, 'checkout', { planCode: 'pro' })).toMatchObject({
      status: 402,
      body: { code: 'payment_refused' },
    })
    world.bank.heal()
    expect(await getSubscription(world, ada)).toMatchObject({ subscription: null })
    expect(await postSubscription(world, ada, 'checkout', { planCode: 'pro' })).toMatchObject({ status: 200 })
  })
})

test('a rejected checkout stores nothing', async () => {
  await newcomer()
  const at = world.server.clock.now()
  await world.server.sql.rows`
    insert into payments (reference, org_id, user_id, purpose, channel, rail, mode, currency, amount_minor, email, status,
                          created_at, expires_at)
    select 'sb' || lpad(n::text, 26, 'a'), ${ada.orgId}, ${ada.userId}, 'card', 'card', 'paystack', 'live', 'NGN', 5000,
           ${ada.email}, 'pending', ${at}, ${at}
    from generate_series(1, 20) n`
  expect(await postSubscription(world, ada, 'checkout', { planCode: 'pro' })).toMatchObject({
    body: { code: 'limit_reached' },
  })
  expect(await getSubscription(world, ada)).toMatchObject({ subscription: null })
  expect(await billsOf(world, ada)).toEqual([])
  expect(await world.server.sql.rows`select id from subscriptions where org_id = ${ada.orgId}`).toEqual([])
})

describe('is rejected', () => {
  test.for<[string, object, number, string]>([
    ['an unknown plan', { planCode: 'gold' }, 404, 'plan_not_found'],
    ['an unknown interval', { planCode: 'pro', interval: 'week' }, 400, 'invalid_fields'],
    ['nothing', {}, 400, 'invalid_fields'],
  ])('%s', async ([, body, status, code]) => {
    await newcomer()
    expect(await postSubscription(world, ada, 'checkout', body)).toMatchObject({ status, body: { code } })
  })

  test('for members who are not owners, and for suspended organisations', async () => {
    await newcomer()
    const admin = await world.server.member(ada.orgId, 'admin')
    for (const action of ['checkout', 'change', 'seats', 'cancel'] as const)
      expect((await postSubscription(world, admin, action, { planCode: 'free', seats: 5 })).status).toBe(403)
    await world.server.sql
      .rows`update orgs set suspended_at = ${world.server.clock.now()} where id = ${ada.orgId}`
    expect(await postSubscription(world, ada, 'checkout', { planCode: 'free' })).toMatchObject({
      body: { code: 'org_suspended' },
    })
  })

  test('a plan with too few seats', async () => {
    await newcomer('team')
    await world.server.member(ada.orgId, 'member')
    expect(await postSubscription(world, ada, 'checkout', { planCode: 'pro' })).toMatchObject({
      status: 400,
      body: { code: 'seats_below_occupied' },
    })
  })
})

test('a page whose payment is under review is not paid twice', async () => {
  await newcomer()
  const { body } = await postSubscription(world, ada, 'checkout', { planCode: 'pro' })
  const reference = String(body.reference)
  world.bank.pay(reference, { amountMinor: 1n })
  await reconcileByWebhook(world, reference)
  expect(await postSubscription(world, ada, 'checkout', { planCode: 'pro' })).toMatchObject({
    status: 409,
    body: { code: 'change_in_progress', error: expect.stringContaining('do not need to pay again') },
  })
  expect(await billsOf(world, ada)).toMatchObject([{ status: 'open' }])
})

describe('a reversed payment', () => {
  const takeBack = async (reference: string) => {
    world.bank.reverse(reference)
    await reconcileByWebhook(world, reference)
  }

  test('ends the plan that it paid for', async () => {
    await newcomer()
    const { reference } = await subscribe(world, ada, 'pro')
    await takeBack(reference)
    expect(await getSubscription(world, ada)).toMatchObject({
      subscription: null,
      includedRemainingMinor: 0n,
    })
    expect(await orgOf(world, ada)).toMatchObject({ plan: null, status: 'canceled' })
    expect(await walletOf(world, ada)).toEqual({ balance: 0n, included: 0n })
  })

  test('leaves the plan if the wallet covers it', async () => {
    await newcomer()
    const { reference } = await subscribe(world, ada, 'pro')
    const { body } = await topUp(world.server, ada, { amountMinor: 1_000_000, channel: 'card' })
    await pay(world, String(body.reference))
    await takeBack(reference)
    expect(await orgOf(world, ada)).toMatchObject({ plan: 'pro', status: 'active' })
    expect(await walletOf(world, ada)).toEqual({ balance: 50_000n, included: 1_000_000n })
  })

  test('ends nothing if the money had stayed in the wallet', async () => {
    await newcomer()
    const pages = await Promise.all(
      ['pro', 'team'].map((planCode) => postSubscription(world, ada, 'checkout', { planCode })),
    )
    const [first = '', second = ''] = pages.map(({ body }) => String(body.reference))
    await pay(world, first, '4801')
    await pay(world, second, '4802')
    await takeBack(second)
    expect(await orgOf(world, ada)).toMatchObject({ plan: 'pro', status: 'active' })
    expect(await walletOf(world, ada)).toMatchObject({ balance: 0n })
  })
})
