// What the tests of MTN MoMo begin with: the stand-in, the rail opened against it, and an order that it takes.

import { present } from '@cowrie/server/src/kernel/assert.ts'
import { ManualClock } from '@cowrie/server/src/kernel/clock.ts'
import type { HttpClient } from '@cowrie/server/src/payments/rails/http-client.ts'
import { momo } from '@cowrie/server/src/payments/rails/momo/momo.ts'
import type { OpenRail, Order, PaymentQuery, Variables } from '@cowrie/server/src/payments/rails/rail.ts'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type FakeMomo, startFakeMomo } from '../fakes/payments/momo.ts'
import { testHttp } from './http-client.ts'
import { queryOf, testOrder } from './order-fixture.ts'

export let provider: FakeMomo
beforeAll(async () => {
  provider = await startFakeMomo()
})
afterEach(() => {
  provider.heal()
  provider.loopback.scriptedReplies.length = 0
})
afterAll(() => provider.close())

export const http = testHttp()

/** A line that many minutes after an order was placed. */
export function httpAfter(minutes: number): HttpClient {
  const clock = new ManualClock()
  clock.advance({ minutes })
  return testHttp(clock)
}

export const open = (changes: Variables = {}): OpenRail =>
  present(momo.open({ ...provider.variables, ...changes }), 'the rail has its keys')

export const order = (changes: Partial<Order> = {}): Order =>
  testOrder({
    channel: 'mtn_momo',
    currency: 'UGX',
    amountMinor: 1_500n,
    phone: '+256772123456',
    notifyUrl: 'https://cowrie.example/webhooks/rail/0a1b2c3d',
    ...changes,
  })

/** A request that was accepted, and how to ask about it. */
export async function startRequest(
  rail: OpenRail = open(),
): Promise<{ placed: Order; reference: string; query: PaymentQuery; rail: OpenRail }> {
  const placed = order()
  const started = await rail.start(http, placed)
  if (started.outcome !== 'accepted') throw new Error(`accepted, not ${started.outcome}`)
  return { placed, reference: placed.reference, query: queryOf(placed, started.providerRef), rail }
}

export const calls = (path: string): number =>
  provider.loopback.requests.filter((each) => each.path === path).length
