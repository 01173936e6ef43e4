// A service with several providers per channel, and the payments that their fakes have.
import type { Currency } from '@cowrie/server/src/kernel/money.ts'
import type { ChannelName } from '@cowrie/server/src/payments/channels.ts'
import { startFakeDaraja } from '../fakes/payments/daraja.ts'
import { startFakeFlutterwave } from '../fakes/payments/flutterwave.ts'
import { startFakeMomo } from '../fakes/payments/momo.ts'
import { startFakeOzow } from '../fakes/payments/ozow.ts'
import { startFakePaystack } from '../fakes/payments/paystack.ts'
import { startTestServer } from '../harness/harness.ts'
import { customer, topUp } from './topup-fixture.ts'

export type RoutingWorld = Awaited<ReturnType<typeof startRoutingWorld>>
export type RoutedRail = 'paystack' | 'flutterwave' | 'daraja' | 'momo' | 'ozow'

export type RoutedChannel = readonly [channel: ChannelName, currency: Currency, amountMinor: bigint]
export const CARD: RoutedChannel = ['card', 'NGN', 500_000n]
export const MPESA: RoutedChannel = ['mpesa', 'KES', 20_000n]
export const MOMO: RoutedChannel = ['mtn_momo', 'GHS', 5_000n]
export const OZOW: RoutedChannel = ['ozow', 'ZAR', 15_000n]

export async function startRoutingWorld() {
  const [paystack, flutterwave, daraja, momo, ozow] = await Promise.all([
    startFakePaystack(),
    startFakeFlutterwave(),
    startFakeDaraja(),
    startFakeMomo({ target: 'mtnghana', currency: 'GHS' }),
    startFakeOzow(),
  ])
  const fakes = { paystack, flutterwave, daraja, momo, ozow }
  const server = await startTestServer({
    schedules: ['payments.', 'wallet.', 'invoices.'],
    variables: {
      ...Object.assign({}, ...Object.values(fakes).map(({ variables }) => variables)),
      SERVICE_WEBHOOK_IPS_CARD: '127.0.0.1',
      SERVICE_WEBHOOK_IPS_MPESA: '127.0.0.1',
      SERVICE_WEBHOOK_IPS_MOMO: '127.0.0.1',
    },
  })
  let phones = 0
  const world = {
    server,
    fakes,
    person: (currency: Currency) => customer(server, currency),
    topUp(as: { bearer: string }, [channel, currency, amountMinor]: RoutedChannel, key?: string) {
      // A new number each time, because prompts per phone are limited.
      phones += 1
      const digits = String(phones).padStart(6, '0')
      const phone = { KES: `0712${digits}`, GHS: `0244${digits}` }[currency as string]
      return topUp(server, as, { amountMinor, channel, ...(phone && { phone }) }, key)
    },
    /** The providers that have an order with this reference. */
    holders: (reference: string): RoutedRail[] =>
      (Object.keys(fakes) as RoutedRail[]).filter((rail) =>
        fakes[rail].orders.some((order) => reference.endsWith(order.reference)),
      ),
    /** The attempts as `rail outcome`. */
    async attempts(reference: string): Promise<string[]> {
      const rows = await server.sql.rows<{ attempt: string }>`
        select rail || ' ' || outcome as attempt from payment_attempts where reference = ${reference} order by position`
      return rows.map(({ attempt }) => attempt)
    },
    account: (reference: string) =>
      server.sql.one<{ rail: string; account: string; status: string }>`
        select rail, account, status from payments where reference = ${reference}`,
    /** Credits of the payment and of its repeats, by rail. */
    credits: (reference: string) =>
      server.sql.rows<{ rail: string; captured: bigint }>`
        select rail, captured_minor as captured from payments
        where (reference = ${reference} or repeat_of = ${reference}) and status = 'settled' order by rail`,
    heal() {
      for (const fake of Object.values(fakes)) fake.heal()
    },
    async close() {
      await server.close()
      await Promise.all(Object.values(fakes).map((fake) => fake.close()))
    },
  }
  return world
}
