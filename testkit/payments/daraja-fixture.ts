// The setup of M-Pesa tests: the fake, the rail connected to it, and an order that it accepts.

import { present } from '@cowrie/server/src/kernel/assert.ts'
import { daraja } from '@cowrie/server/src/payments/rails/daraja/daraja.ts'
import type { OpenRail, Order, PaymentQuery, Variables } from '@cowrie/server/src/payments/rails/rail.ts'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type FakeDaraja, startFakeDaraja } from '../fakes/payments/daraja.ts'
import { testHttp } from './http-client.ts'
import { queryOf, testOrder } from './order-fixture.ts'

export let provider: FakeDaraja

/** For the top of a test file: starts the fake for its tests. */
export function useFakeDaraja(): void {
  beforeAll(async () => {
    provider = await startFakeDaraja()
  })
  afterEach(() => {
    provider.heal()
    provider.loopback.scriptedReplies.length = 0
  })
  afterAll(() => provider.close())
}

export const http = testHttp()

export const open = (changes: Variables = {}): OpenRail =>
  present(daraja.open({ ...provider.variables, ...changes }), 'the rail is configured')

export const order = (changes: Partial<Order> = {}): Order =>
  testOrder({
    channel: 'mpesa',
    currency: 'KES',
    amountMinor: 1_500_00n,
    phone: '+254712345678',
    notifyUrl: 'https://cowrie.example/webhooks/rail/0a1b2c3d',
    ...changes,
  })

/** Starts a prompt and returns the query for its status. */
export async function startPrompt(
  rail: OpenRail = open(),
): Promise<{ reference: string; query: PaymentQuery; rail: OpenRail }> {
  const placed = order()
  const started = await rail.start(http, placed)
  if (started.outcome !== 'accepted') throw new Error(`expected accepted, got ${started.outcome}`)
  return { reference: placed.reference, query: queryOf(placed, started.providerRef), rail }
}

export const calls = (path: string): number =>
  provider.loopback.requests.filter((each) => each.path === path).length

/** An error body of the provider. */
export const errorBody = (errorCode: string, errorMessage: string) => ({
  requestId: '1',
  errorCode,
  errorMessage,
})
