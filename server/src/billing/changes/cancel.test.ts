import {
  auditOf,
  expectInvariants,
  getSubscription,
  orgOf,
  pay,
  postSubscription,
  subscribe,
  walletOf,
} from '@cowrie/testkit/billing/subscription.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const world = useWorld({ atEnd: expectInvariants })
let ada: Person

beforeEach(async () => {
  ada = await world.server.person()
})

describe('cancelling', () => {
  test('lets the paid period run to its end, is idempotent, and can be undone', async () => {
    await subscribe(world, ada, 'team')
    await postSubscription(world, ada, 'change', { planCode: 'pro' })
    const first = await postSubscription(world, ada, 'cancel')
    expect(first).toMatchObject({
      status: 200,
      body: {
        ok: true,
        cancelAtPeriodEnd: true,
        subscription: { status: 'active', scheduledChange: null, nextAmountMinor: 0n },
      },
    })
    expect(first.body.effectiveAt).toBe(first.body.subscription?.currentPeriodEnd)
    expect((await postSubscription(world, ada, 'cancel')).body).toEqual(first.body)
    expect(await walletOf(world, ada)).toMatchObject({ included: 3_500_000n })
    expect(await postSubscription(world, ada, 'change', { planCode: 'team' })).toMatchObject({
      body: { cleared: true, subscription: { cancelAtPeriodEnd: false } },
    })
    expect(await auditOf(world, ada)).toEqual([
      'user subscription.checkout',
      'system subscription.paid',
      'user subscription.change',
      'user subscription.cancel',
      'user subscription.change',
    ])
  })

  test('ends an unpaid plan at once and revokes its allowance', async () => {
    expect(await postSubscription(world, ada, 'cancel')).toMatchObject({
      status: 404,
      body: { code: 'no_subscription' },
    })
    const { body } = await postSubscription(world, ada, 'checkout', { planCode: 'pro' })
    // The checkout has not started; a payment of its page still starts it.
    expect(await postSubscription(world, ada, 'cancel')).toMatchObject({ status: 404 })
    await pay(world, String(body.reference))
    world.server.clock.advance({ days: 31 })
    expect(await postSubscription(world, ada, 'cancel')).toMatchObject({ body: { cancelAtPeriodEnd: false } })
    expect(await orgOf(world, ada)).toEqual({ plan: null, status: 'canceled', tier: 'individual', seats: 1 })
    expect(await walletOf(world, ada)).toEqual({ balance: 0n, included: 0n })
    expect(await getSubscription(world, ada)).toMatchObject({
      subscription: null,
      includedRemainingMinor: 0n,
    })
  })
})
