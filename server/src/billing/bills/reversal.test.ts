// Refunds by staff, reversals by the provider, and payments that never arrived.
import {
  billsOf,
  expectInvariants,
  getSubscription,
  orgOf,
  pay,
  postSubscription,
  reconcileByWebhook,
  subscribe,
  type World,
  walletOf,
} from '@cowrie/testkit/billing/subscription.ts'
import { startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer } from '@cowrie/testkit/harness/harness.ts'
import { mailsTo } from '@cowrie/testkit/payments/payment-fixture.ts'
import { topUp } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareOrg } from '../../orgs/orgs.ts'
import { abandonExpiredCheckouts } from '../changes/checkout.ts'
import { runRenewals } from '../renewals/renewals.ts'
import { lockOrg } from '../subscriptions/subscriptions.ts'

const YEAR = 9_500_000n
const MONTH = 950_000n
const TEAM = 3_200_000n

let world: World
let biller: Person
beforeAll(async () => {
  const bank = await startFakePaystack()
  world = { bank, server: await startTestServer({ variables: bank.variables }) }
  biller = await world.server.person({ staff: 'billing' })
})
afterAll(async () => {
  await expectInvariants(world)
  await world.server.close()
  await world.bank.close()
})

let count = 0
async function refund({ orgId }: Person, reference: string, amountMinor: bigint) {
  const { status } = await world.server.call('POST', '/wallet/refund', {
    as: biller,
    headers: { 'idempotency-key': `back-${++count}` },
    body: { orgId, amountMinor: Number(amountMinor), reason: 'sorry', source: 'refund', reference },
  })
  expect(status).toBe(200)
}

async function takeBack(reference: string) {
  world.bank.reverse(reference)
  await reconcileByWebhook(world, reference)
}

async function toEnd(as: Person) {
  const { subscription } = await getSubscription(world, as)
  const end = new Date(subscription?.currentPeriodEnd ?? 0)
  world.server.clock.advance({ ms: end.getTime() - world.server.clock.now().getTime() })
}

const endings = async ({ email }: Person): Promise<string[]> =>
  (await mailsTo(world.server, email))
    .filter(({ subject }) => subject.endsWith('has ended'))
    .map(({ text }) => text)

describe('a staff refund of a plan', () => {
  test('is not credited a second time by an upgrade, and ends nothing', async () => {
    const ada = await world.server.person()
    const { reference } = await subscribe(world, ada, 'pro', 'year')
    const target = { planCode: 'team', interval: 'month' }
    await postSubscription(world, ada, 'preview', target)
    await refund(ada, reference, YEAR)
    expect(await orgOf(world, ada)).toMatchObject({ plan: 'pro', status: 'active' })
    // The quote from before the refund is no longer valid.
    expect(await postSubscription(world, ada, 'change', target)).toMatchObject({
      body: { code: 'price_changed' },
    })
    expect((await postSubscription(world, ada, 'preview', target)).body).toMatchObject({
      chargeNowMinor: TEAM,
    })
    const changed = await postSubscription(world, ada, 'change', target)
    expect(changed).toMatchObject({ status: 200, body: { changed: true, chargedMinor: TEAM } })
    expect(await walletOf(world, ada)).toMatchObject({ balance: YEAR })
  })

  test('leaves the remaining credit, and counts for the current period only', async () => {
    const ada = await world.server.person()
    const { reference } = await subscribe(world, ada, 'pro', 'year')
    await refund(ada, reference, YEAR - MONTH)
    const changed = await postSubscription(world, ada, 'change', { planCode: 'team', interval: 'month' })
    expect(changed.body).toMatchObject({ chargedMinor: TEAM - MONTH })
    const again = await postSubscription(world, ada, 'preview', { planCode: 'team', interval: 'year' })
    expect(again.body).toMatchObject({ chargeNowMinor: 32_000_000n - TEAM })
  })

  test('of a change counts for the part of the period that the change paid for', async () => {
    const ada = await world.server.person()
    const { last4 } = await subscribe(world, ada, 'pro')
    const { subscription } = await getSubscription(world, ada)
    const end = new Date(subscription?.currentPeriodEnd ?? 0)
    world.server.clock.advance({ ms: (end.getTime() - world.server.clock.now().getTime()) / 2 })
    const { body } = await postSubscription(world, ada, 'change', { planCode: 'team' })
    const halfMinor = (TEAM - MONTH) / 2n
    expect(body.chargedMinor).toBe(halfMinor)
    const charge = world.bank.cards.charges.find((each) => each.last4 === last4)
    await refund(ada, charge?.reference ?? '', halfMinor)
    // The payment for Pro remains.
    const again = await postSubscription(world, ada, 'preview', { planCode: 'team', interval: 'year' })
    expect(again.body).toMatchObject({ chargeNowMinor: 32_000_000n - MONTH / 2n })
  })

  test('of an ended period does not affect the current one', async () => {
    const ada = await world.server.person()
    const { reference } = await subscribe(world, ada, 'pro')
    await toEnd(ada)
    await runRenewals(world.server.app)
    await refund(ada, reference, MONTH)
    expect((await postSubscription(world, ada, 'preview', { planCode: 'team' })).body).toMatchObject({
      chargeNowMinor: TEAM - MONTH,
    })
  })
})

describe('a reversed payment', () => {
  test('ends the plan and credits the other payments for it to the wallet', async () => {
    const ada = await world.server.person()
    const { reference } = await subscribe(world, ada, 'pro')
    const { body } = await postSubscription(world, ada, 'change', { planCode: 'pro', interval: 'year' })
    expect(body.chargedMinor).toBe(YEAR - MONTH)
    await takeBack(reference)
    expect(await orgOf(world, ada)).toMatchObject({ plan: null, status: 'canceled' })
    expect(await walletOf(world, ada)).toEqual({ balance: YEAR - MONTH, included: 0n })
    expect((await endings(ada))[0]).toContain('₦85,500.00 for the unused part of its period')
  })

  test('credits nothing if there was no other payment', async () => {
    const ada = await world.server.person()
    const { reference } = await subscribe(world, ada, 'pro')
    await takeBack(reference)
    expect(await walletOf(world, ada)).toEqual({ balance: 0n, included: 0n })
    expect((await endings(ada))[0]).not.toContain('for the unused part')
  })

  test('that was refunded before is not credited again', async () => {
    const ada = await world.server.person()
    const { reference } = await subscribe(world, ada, 'pro')
    await refund(ada, reference, 400_000n)
    await takeBack(reference)
    expect(await orgOf(world, ada)).toMatchObject({ plan: null })
    expect(await walletOf(world, ada)).toEqual({ balance: 0n, included: 0n })
  })
})

describe('an expired checkout', () => {
  const leave = async () => {
    const ada = await world.server.person()
    const { body } = await postSubscription(world, ada, 'checkout', { planCode: 'pro' })
    return { ada, reference: String(body.reference) }
  }
  const tidy = () => abandonExpiredCheckouts(world.server.app)

  test('is abandoned after a day, unless a payment is undecided', async () => {
    const [left, waiting] = [await leave(), await leave()]
    await world.server.sql
      .rows`update payments set status = 'expired', next_check_at = null where reference = ${left.reference}`
    expect(await tidy()).toBe(0)
    world.server.clock.advance({ hours: 24 })
    expect(await tidy()).toBe(1)
    expect(await billsOf(world, left.ada)).toMatchObject([{ kind: 'checkout', status: 'abandoned' }])
    expect((await getSubscription(world, left.ada)).subscription).toBeNull()
    expect((await getSubscription(world, waiting.ada)).subscription).toMatchObject({ status: 'incomplete' })
  })

  test('still starts when it is paid later', async () => {
    const { ada, reference } = await leave()
    await world.server.sql.rows`update payments set status = 'failed' where reference = ${reference}`
    world.server.clock.advance({ hours: 25 })
    await tidy()
    expect((await getSubscription(world, ada)).subscription).toBeNull()
    await pay(world, reference)
    expect((await getSubscription(world, ada)).subscription).toMatchObject({
      status: 'active',
      planCode: 'pro',
    })
  })
})

test.for([
  ['below', 500_000],
  ['above', 100],
] as const)('a bill sends no mail about a balance that was %s its threshold', async ([is, threshold]) => {
  const { server } = world
  const ada = await server.person()
  const { body } = await topUp(server, ada, { amountMinor: 20_000, channel: 'card' })
  await pay(world, String(body.reference))
  await server.call('PATCH', '/wallet/settings', { as: ada, body: { lowBalanceThresholdMinor: threshold } })
  await subscribe(world, ada, 'pro')
  await toEnd(ada)
  await runRenewals(server.app)
  expect(await orgOf(world, ada)).toMatchObject({ status: 'active' })
  const { low } = await server.sql.one<{ low: string }>`select low from wallets where org_id = ${ada.orgId}`
  // Neither crossed the threshold, which would send a mail.
  expect(low).toBe(is === 'above' ? 'above' : 'told')
})

test('staff who credit a bill wait for its organisation without blocking others', async () => {
  const { server, bank } = world
  const ada = await server.person()
  const { body } = await postSubscription(world, ada, 'checkout', { planCode: 'pro' })
  const reference = String(body.reference)
  bank.pay(reference, { amountMinor: MONTH + 1n })
  await reconcileByWebhook(world, reference)
  const resolved = await server.app.db.tx('platform', async (tx) => {
    await tx.rows`set local lock_timeout = '500ms'`
    // As the settlement of a top-up does.
    await shareOrg(tx, ada.orgId)
    const resolving = server.call('POST', `/admin/payments/${reference}/resolve`, {
      as: biller,
      headers: { 'idempotency-key': 'resolve-1' },
      body: { decision: 'credit', note: 'The payment arrived.' },
    })
    await expect.poll(async () => (await waiting()).length).toBe(1)
    await lockOrg(tx, ada.orgId)
    return { resolving }
  })
  expect((await resolved.resolving).status).toBe(200)
  expect(await orgOf(world, ada)).toMatchObject({ plan: 'pro', status: 'active' })
})

const waiting = () => world.server.sql.rows`
  select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
