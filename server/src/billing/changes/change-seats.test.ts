import { addCard } from '@cowrie/testkit/billing/renewal.ts'
import {
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
import { describe, expect, test } from 'vitest'
import { openBill } from '../bills/bills.ts'
import { findCurrentSubscription, lockOrg } from '../subscriptions/subscriptions.ts'

const world = useWorld({ atEnd: expectInvariants })
let ada: Person
let last4: string

async function team(planCode = 'team') {
  ada = await world.server.person({ type: 'team' })
  last4 = (await subscribe(world, ada, planCode)).last4
}
const seats = (count: unknown, key?: string) => postSubscription(world, ada, 'seats', { seats: count }, key)

describe('seats', () => {
  test('beyond the plan are charged now and stored on the organisation', async () => {
    await team()
    const preview = await postSubscription(world, ada, 'preview', { seats: 8 })
    world.server.clock.advance({ minutes: 59 })
    const more = await seats(8)
    expect(more).toMatchObject({
      status: 200,
      body: {
        seats: 8,
        chargedMinor: 1_800_000n,
        subscription: { seats: 8, nextAmountMinor: 3_200_000n + 1_800_000n },
      },
    })
    expect(more.body.chargedMinor).toBe(preview.body.chargeNowMinor)
    expect(await orgOf(world, ada)).toMatchObject({ seats: 8 })
    expect(await walletOf(world, ada)).toEqual({ balance: 0n, included: 3_500_000n })
    expect(await invoicesOf(world, ada)).toContainEqual({
      subject: 'seats',
      status: 'paid',
      total: 1_800_000n,
    })
  })

  test('that are returned cost and credit nothing, and are free again within the period', async () => {
    await team()
    await seats(7)
    expect(await seats(3)).toMatchObject({
      body: { seats: 3, chargedMinor: 0n, subscription: { nextAmountMinor: 3_200_000n } },
    })
    expect(await orgOf(world, ada)).toMatchObject({ seats: 3 })
    expect(await seats(7)).toMatchObject({ body: { seats: 7, chargedMinor: 0n } })
    expect(await seats(7)).toMatchObject({ body: { seats: 7, chargedMinor: 0n } })
    expect(chargesOf(world, last4)).toBe(1)
  })

  test('keep the scheduled change', async () => {
    await team()
    await postSubscription(world, ada, 'cancel')
    expect(await seats(6)).toMatchObject({
      body: { chargedMinor: 600_000n, subscription: { cancelAtPeriodEnd: true } },
    })
    expect(await seats(4)).toMatchObject({
      body: { chargedMinor: 0n, subscription: { cancelAtPeriodEnd: true } },
    })
  })

  test('are charged once per key', async () => {
    await team()
    const replies = await Promise.all([seats(9, 'k'), seats(9, 'k'), seats(9, 'k')])
    for (const { status } of replies) expect([200, 409]).toContain(status)
    expect(await seats(9, 'k')).toMatchObject({ status: 200, body: { chargedMinor: 2_400_000n } })
    expect(chargesOf(world, last4)).toBe(1)
  })

  test('are rejected below the number of members, if none are sold, and out of bounds', async () => {
    await team()
    for (let n = 0; n < 2; n++) await world.server.member(ada.orgId, 'member')
    expect(await seats(2)).toMatchObject({ status: 400, body: { code: 'seats_below_occupied', occupied: 3 } })
    expect(await seats(3)).toMatchObject({ status: 200 })
    for (const count of [0, -1, 1.5, 100_001, '5']) expect((await seats(count)).status).toBe(400)
    expect(await seats(100_000)).toMatchObject({ status: 402, body: { code: 'card_declined' } })
    await team('pro')
    expect(await seats(2)).toMatchObject({ status: 400, body: { code: 'seats_not_sold' } })
    expect(await seats(1)).toMatchObject({ status: 200, body: { chargedMinor: 0n } })
    ada = await world.server.person()
    expect(await seats(2)).toMatchObject({ status: 404, body: { code: 'no_subscription' } })
  })

  test('of a comped plan are the included ones, or those paid before the comp', async () => {
    for (const [members, given] of [
      [0, 5],
      [6, 7],
    ] as const) {
      ada = await world.server.person({ type: 'team' })
      for (let n = 0; n < members; n++) await world.server.member(ada.orgId, 'member')
      await world.server.sql.rows`
        insert into comps (org_id, plan_code, reason, granted_by, created_at)
        values (${ada.orgId}, 'team', 'a friend', 'usr_x', ${world.server.clock.now()})`
      expect(await postSubscription(world, ada, 'checkout', { planCode: 'team' })).toMatchObject({
        body: { subscription: { comped: true, seats: given } },
      })
      for (const action of ['seats', 'preview'] as const)
        expect(await postSubscription(world, ada, action, { seats: given + 1 })).toMatchObject({
          status: 400,
          body: { code: 'seats_not_sold', error: expect.stringContaining('free of charge') },
        })
      expect(await seats(given)).toMatchObject({ status: 200, body: { chargedMinor: 0n } })
      expect(await orgOf(world, ada)).toMatchObject({ seats: given })
    }
  })

  test('never fall below concurrent joins', async () => {
    await team()
    const { app, sql, clock } = world.server
    const [bea, cleo] = [await world.server.person(), await world.server.person()]
    let fewer: ReturnType<typeof seats> | undefined
    // Two members join while a call that leaves one free seat waits for the organisation.
    await app.db.tx('platform', async (tx) => {
      await lockOrg(tx, ada.orgId)
      for (const { userId } of [bea, cleo])
        await tx.rows`
          insert into memberships (org_id, user_id, role, created_at)
          values (${ada.orgId}, ${userId}, 'member', ${clock.now()})`
      fewer = seats(2)
      await expect.poll(() => isSomebodyWaiting()).toBe(true)
    })
    expect(await fewer).toMatchObject({ status: 400, body: { code: 'seats_below_occupied', occupied: 3 } })

    async function isSomebodyWaiting() {
      const { waits } = await sql.one<{ waits: boolean }>`
        select exists (select from pg_stat_activity
                       where datname = current_database() and wait_event_type = 'Lock') as waits`
      return waits
    }
  })

  test('that were removed admit no member, even concurrently', async () => {
    await team()
    const add = (n: number) =>
      world.server.call('POST', `/teams/${ada.orgId}/members`, {
        as: ada,
        body: { email: `racer${n}@example.com`, role: 'member' },
      })
    for (let n = 0; n < 2; n++) expect((await add(n)).status).toBe(200)
    await Promise.all([add(2), seats(3), add(3), seats(4), seats(3)])
    const { subscription } = await getSubscription(world, ada)
    expect(subscription?.seatsOccupied).toBeLessThanOrEqual(subscription?.seats ?? 0)
    expect(await orgOf(world, ada)).toMatchObject({ seats: subscription?.seats })
  })
})

describe('cards', () => {
  test('are charged one after the other, and the bill stays open between them', async () => {
    await team()
    const other = await addCard(world.server, world.bank, ada)
    const { balance } = await walletOf(world, ada)
    world.bank.cards.behave(last4, { does: 'declines', message: 'Insufficient Funds' })
    expect(await seats(6)).toMatchObject({ status: 200, body: { chargedMinor: 600_000n } })
    expect([chargesOf(world, last4), chargesOf(world, other)]).toEqual([1, 1])
    expect(await billsOf(world, ada)).toMatchObject([{ status: 'paid' }, { status: 'paid' }])
    // The late success of the first card stays in the wallet.
    const declined = world.bank.cards.charges.find((charge) => charge.last4 === last4)
    world.bank.pay(String(declined?.reference))
    await reconcileByWebhook(world, String(declined?.reference))
    expect((await walletOf(world, ada)).balance).toBe(balance + 600_000n)
  })

  test('that all decline leave everything unchanged', async () => {
    await team()
    world.bank.cards.behave(last4, { does: 'refuses', message: 'Do Not Honour' })
    expect(await seats(6)).toMatchObject({ status: 402, body: { code: 'card_declined' } })
    expect(await orgOf(world, ada)).toMatchObject({ seats: 5 })
    expect((await billsOf(world, ada)).at(-1)).toMatchObject({ status: 'abandoned' })
  })
})

test('the database allows one change at a time', async () => {
  await team()
  const { app } = world.server
  const opened = await app.db.tx(ada.orgId, async (tx) => {
    await lockOrg(tx, ada.orgId)
    const subscription = await findCurrentSubscription(tx, ada.orgId)
    if (!subscription) throw new Error('she has just subscribed')
    const { id: subscriptionId, currency, version: baseVersion } = subscription
    const bill = {
      ...{ orgId: ada.orgId, subscriptionId, kind: 'seats' as const, currency, amountMinor: 1n, lines: [] },
      ...{ effect: { ...subscription, allowanceMinor: 0n }, baseVersion, userId: null, periodStart: null },
      deadline: new Date(tx.now.getTime() + 1000),
    }
    return [await openBill(tx, bill), await openBill(tx, bill)]
  })
  expect(opened).toMatchObject([{ status: 'open' }, null])
  expect(await seats(6)).toMatchObject({ status: 409, body: { code: 'change_in_progress' } })
  world.server.clock.advance({ seconds: 1 })
  expect(await seats(6)).toMatchObject({ status: 200 })
})
