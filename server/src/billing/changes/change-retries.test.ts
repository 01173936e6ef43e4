import {
  billsOf,
  chargesOf,
  expectInvariants,
  getSubscription,
  invoicesOf,
  postSubscription,
  reconcileByWebhook,
  subscribe,
  type World,
  walletOf,
} from '@cowrie/testkit/billing/subscription.ts'
import { startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { present } from '../../kernel/assert.ts'
import { endSubscription } from '../subscriptions/lifecycle.ts'
import { findCurrentSubscription, lockOrg } from '../subscriptions/subscriptions.ts'

let world: World
let replica: World
let second: TestServer
let ada: Person
let last4: string
beforeAll(async () => {
  const bank = await startFakePaystack()
  const server = await startTestServer({ variables: bank.variables })
  world = { bank, server }
  second = await startTestServer({ variables: bank.variables, url: server.url, clock: server.clock })
  replica = { bank, server: second }
})
afterAll(async () => {
  await expectInvariants(world)
  await second.close()
  await world.server.close()
  await world.bank.close()
})

async function subscribed(planCode: string) {
  ada = await world.server.person()
  last4 = (await subscribe(world, ada, planCode)).last4
}

describe('happens once', () => {
  test('two concurrent requests on two replicas are one charge', async () => {
    await subscribed('pro')
    const replies = await Promise.all([
      postSubscription(world, ada, 'change', { planCode: 'team' }),
      postSubscription(replica, ada, 'change', { planCode: 'team' }),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([200, 409])])
    expect(replies.filter(({ body }) => body.changed)).toHaveLength(1)
    expect(chargesOf(world, last4)).toBe(1)
  })

  test('many retries with one key are one charge and one answer', async () => {
    await subscribed('pro')
    const tries = [world, replica, world, replica].map((each) =>
      postSubscription(each, ada, 'change', { planCode: 'team' }, 'one'),
    )
    for (const { status } of await Promise.all(tries)) expect([200, 409]).toContain(status)
    const last = await postSubscription(replica, ada, 'change', { planCode: 'team' }, 'one')
    expect(last).toMatchObject({ status: 200, headers: { 'idempotency-replayed': 'true' } })
    expect(chargesOf(world, last4)).toBe(1)
  })

  test('a retry finishes a call that crashed after its bill was opened', async () => {
    await subscribed('pro')
    world.bank.fault('down')
    expect(await postSubscription(world, ada, 'change', { planCode: 'team' }, 'died')).toMatchObject({
      status: 503,
    })
    world.bank.heal()
    expect(chargesOf(world, last4)).toBe(0)
    world.server.clock.advance({ minutes: 2 })
    expect(await postSubscription(replica, ada, 'change', { planCode: 'team' }, 'died')).toMatchObject({
      status: 200,
      body: { changed: true, chargedMinor: 2_250_000n },
    })
    expect(chargesOf(world, last4)).toBe(1)
    expect(await billsOf(world, ada)).toMatchObject([{ status: 'paid' }, { status: 'paid' }])
  })

  test('a retry answers a call that crashed after its charge', async () => {
    await subscribed('pro')
    await postSubscription(world, ada, 'change', { planCode: 'team' }, 'died')
    // As if the process had crashed before it stored the answer.
    await world.server.sql.rows`
      update idempotency_keys set state = 'free', status = null, body = null
      where user_id = ${ada.userId} and key = 'died'`
    const again = await postSubscription(replica, ada, 'change', { planCode: 'team' }, 'died')
    expect(again).toMatchObject({ status: 200, body: { changed: true, chargedMinor: 2_250_000n } })
    expect(chargesOf(world, last4)).toBe(1)
  })

  test('a retry on another day is not charged at the old price', async () => {
    await subscribed('pro')
    world.bank.fault('down')
    await postSubscription(world, ada, 'change', { planCode: 'team' }, 'old')
    world.bank.heal()
    // As if the process had crashed between bill and payment.
    await world.server.sql.rows`delete from payments where org_id = ${ada.orgId} and status = 'pending'`
    world.server.clock.advance({ days: 1 })
    expect(await postSubscription(world, ada, 'change', { planCode: 'team' }, 'old')).toMatchObject({
      status: 402,
      body: { code: 'card_declined' },
    })
    expect(chargesOf(world, last4)).toBe(0)
    expect(await postSubscription(world, ada, 'change', { planCode: 'team' }, 'new')).toMatchObject({
      status: 200,
    })
  })
})

describe('a retry with the same key', () => {
  test('finds a challenged change applied', async () => {
    await subscribed('pro')
    world.bank.cards.behave(last4, { does: 'asks' })
    const first = await postSubscription(world, ada, 'change', { planCode: 'team' }, 'asked')
    expect(first).toMatchObject({ status: 402, body: { code: 'card_challenged' } })
    const again = await postSubscription(world, ada, 'change', { planCode: 'team' }, 'asked')
    expect(again.body.reference).toBe(first.body.reference)
    world.bank.pay(String(first.body.reference))
    await reconcileByWebhook(world, String(first.body.reference))
    expect(await postSubscription(replica, ada, 'change', { planCode: 'team' }, 'asked')).toMatchObject({
      status: 200,
      body: { changed: true, subscription: { planCode: 'team' } },
    })
    expect(chargesOf(world, last4)).toBe(1)
  })

  test('returns the ended subscription', async () => {
    await subscribed('pro')
    await postSubscription(world, ada, 'change', { planCode: 'team' }, 'ended')
    await world.server.sql.rows`
      update idempotency_keys set state = 'free', status = null, body = null
      where user_id = ${ada.userId} and key = 'ended'`
    await world.server.app.db.tx(ada.orgId, async (tx) => {
      await lockOrg(tx, ada.orgId)
      const live = present(await findCurrentSubscription(tx, ada.orgId), 'there is one')
      await endSubscription(world.server.app, tx, live, 'The test ends it.')
    })
    expect(await postSubscription(world, ada, 'change', { planCode: 'team' }, 'ended')).toMatchObject({
      status: 200,
      body: { changed: true, subscription: { planCode: 'team', status: 'canceled' } },
    })
  })
})

test('a declining card is charged at most ten times an hour, for any purpose', async () => {
  await subscribed('team')
  world.bank.cards.behave(last4, { does: 'declines', message: 'Insufficient Funds' })
  for (let i = 0; i < 5; i++) {
    expect(await postSubscription(world, ada, 'change', { planCode: 'enterprise' })).toMatchObject({
      status: 402,
    })
    expect(await postSubscription(replica, ada, 'seats', { seats: 8 })).toMatchObject({ status: 402 })
  }
  for (const [action, body] of [
    ['change', { planCode: 'enterprise' }],
    ['seats', { seats: 8 }],
  ] as const) {
    const refused = await postSubscription(world, ada, action, body)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
  }
  expect(chargesOf(world, last4)).toBe(10)
  expect(await getSubscription(world, ada)).toMatchObject({ subscription: { changeInProgress: false } })
  world.server.clock.advance({ hours: 1 })
  world.bank.cards.behave(last4, { does: 'pays' })
  expect(await postSubscription(world, ada, 'seats', { seats: 8 })).toMatchObject({ status: 200 })
})

describe('a late payment', () => {
  test('an unfinished bill blocks other changes only while its payment may still succeed', async () => {
    await subscribed('pro')
    world.bank.cards.behave(last4, { does: 'waits' })
    const waiting = await postSubscription(world, ada, 'change', { planCode: 'team' })
    expect(waiting).toMatchObject({ status: 503, body: { code: 'rail_unavailable' } })
    world.bank.cards.behave(last4, { does: 'pays' })
    world.server.clock.advance({ minutes: 31 })
    expect(await postSubscription(world, ada, 'change', { planCode: 'enterprise' })).toMatchObject({
      status: 409,
      body: { code: 'change_in_progress' },
    })
    expect(chargesOf(world, last4)).toBe(1)
    world.server.clock.advance({ hours: 23, minutes: 29 })
    expect(await postSubscription(world, ada, 'change', { planCode: 'enterprise' })).toMatchObject({
      status: 200,
    })

    // It was paid late, for a subscription that has changed since.
    world.bank.pay(String(waiting.body.reference))
    await reconcileByWebhook(world, String(waiting.body.reference))
    expect(await getSubscription(world, ada)).toMatchObject({ subscription: { planCode: 'enterprise' } })
    const { balance } = await walletOf(world, ada)
    expect(balance).toBe(2_250_000n)
    expect(await invoicesOf(world, ada)).toContainEqual({ subject: 'credit', status: 'paid', total: balance })
  })

  test('an unreported payment is applied by the next call, which is charged nothing', async () => {
    await subscribed('pro')
    world.bank.cards.behave(last4, { does: 'waits' })
    const waiting = await postSubscription(world, ada, 'change', { planCode: 'team' })
    world.bank.pay(String(waiting.body.reference))
    world.bank.cards.behave(last4, { does: 'pays' })
    world.server.clock.advance({ minutes: 31 })
    expect(await postSubscription(world, ada, 'change', { planCode: 'enterprise' })).toMatchObject({
      status: 409,
      body: { code: 'change_in_progress' },
    })
    expect(await getSubscription(world, ada)).toMatchObject({ subscription: { planCode: 'team' } })
    expect(chargesOf(world, last4)).toBe(1)
    expect(await walletOf(world, ada)).toMatchObject({ balance: 0n })
  })

  test('of an abandoned bill is applied if nothing else has changed', async () => {
    await subscribed('pro')
    world.bank.cards.behave(last4, { does: 'asks' })
    const { body } = await postSubscription(world, ada, 'change', { planCode: 'team' })
    const reference = String(body.reference)
    world.bank.decline(reference)
    await reconcileByWebhook(world, reference)
    world.bank.pay(reference)
    await reconcileByWebhook(world, reference)
    expect(await getSubscription(world, ada)).toMatchObject({ subscription: { planCode: 'team' } })
    expect(await walletOf(world, ada)).toMatchObject({ balance: 0n })
  })

  test('of a bill that was cancelled while the bank decided changes nothing and stays in the wallet', async () => {
    await subscribed('pro')
    world.bank.cards.behave(last4, { does: 'asks' })
    const { body } = await postSubscription(world, ada, 'change', { planCode: 'team' })
    expect(await postSubscription(world, ada, 'cancel')).toMatchObject({
      status: 200,
      body: { subscription: { changeInProgress: false } },
    })
    world.bank.pay(String(body.reference))
    await reconcileByWebhook(world, String(body.reference))
    expect(await getSubscription(world, ada)).toMatchObject({
      subscription: { planCode: 'pro', cancelAtPeriodEnd: true },
    })
    expect(await walletOf(world, ada)).toMatchObject({ balance: 2_250_000n })
  })
})
