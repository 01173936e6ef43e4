// The setup of MTN MoMo tests: the fake, the rail connected to it, and an order that it accepts.

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

/** For the top of a test file: starts the fake for its tests. */
export function useFakeMomo(): void {
  beforeAll(async () => {
    provider = await startFakeMomo()
  })
  afterEach(() => {
    provider.heal()
    provider.loopback.scriptedReplies.length = 0
  })
  afterAll(() => provider.close())
}

export const http = testHttp()

/** An HTTP client whose clock is this many minutes after the order. */
export function httpAfter(minutes: number): HttpClient {
  const clock = new ManualClock()
  clock.advance({ minutes })
  return testHttp(clock)
}

export const open = (changes: Variables = {}): OpenRail =>
  present(momo.open({ ...provider.variables, ...changes }), 'the rail is configured')

export const order = (changes: Partial<Order> = {}): Order =>
  testOrder({
    channel: 'mtn_momo',
    currency: 'UGX',
    amountMinor: 1_500n,
    phone: '+256772123456',
    notifyUrl: 'https://cowrie.example/webhooks/rail/0a1b2c3d',
    ...changes,
  })

/** Starts a request and returns the query for its status. */
export async function startRequest(
  rail: OpenRail = open(),
): Promise<{ placed: Order; reference: string; query: PaymentQuery; rail: OpenRail }> {
  const placed = order()
  const started = await rail.start(http, placed)
  if (started.outcome !== 'accepted') throw new Error(`expected accepted, got ${started.outcome}`)
  return { placed, reference: placed.reference, query: queryOf(placed, started.providerRef), rail }
}

export const calls = (path: string): number =>
  provider.loopback.requests.filter((each) => each.path === path).length
