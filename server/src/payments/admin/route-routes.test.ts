import { reconcileDay } from '@cowrie/testkit/payments/reconciliation-world.ts'
import { CARD, MPESA, type RoutingWorld, startRoutingWorld } from '@cowrie/testkit/payments/routing-world.ts'
import { balanceOf, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let world: RoutingWorld
beforeAll(async () => {
  world = await startRoutingWorld()
})
afterEach(() => world.heal())
afterAll(() => world.close())

type Route = {
  channel: string
  currency: string
  accounts: { rail: string; account: string; priority: number | null; isDown: boolean; decided: number }[]
}
type Performance = {
  accounts: {
    rail: string
    channel: string
    results: Record<'day' | 'month', Record<string, number | bigint | null>>
  }[]
  isComplete: boolean
}

const FLUTTERWAVE_FIRST = { channel: 'card', currency: 'NGN', accounts: [route('flutterwave', 'all', 1)] }

function route(rail: string, account: string, priority: number) {
  return { rail, account, priority }
}

const operator = () => world.server.person({ staff: 'operator' })
const put = async (body: object, as?: { bearer: string }) =>
  world.server.call('PUT', '/admin/rails/routes', { as: as ?? (await operator()), body })

async function railsOf(channel: string, currency: string): Promise<string[]> {
  const { body } = await world.server.call<{ routes: Route[] }>('GET', '/admin/rails/routes', {
    as: await operator(),
  })
  const found = body.routes.find((each) => each.channel === channel && each.currency === currency)
  return found?.accounts.map(({ rail, priority }) => (priority === null ? rail : `${rail} ${priority}`)) ?? []
}

describe('the order', () => {
  test('is that of the channel, and new payments follow the one that staff set, until it is reset', async () => {
    expect(await railsOf('card', 'NGN')).toEqual(['paystack', 'flutterwave'])
    expect(await railsOf('mpesa', 'KES')).toEqual(['daraja', 'paystack', 'flutterwave'])
    expect(await put(FLUTTERWAVE_FIRST)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await railsOf('card', 'NGN')).toEqual(['flutterwave 1', 'paystack'])
    const person = await world.person('NGN')
    const { reference } = (await world.topUp(person, CARD)).body
    expect(world.holders(reference)).toEqual(['flutterwave'])
    expect(await put({ ...FLUTTERWAVE_FIRST, accounts: [] })).toMatchObject({ status: 200 })
    expect(await railsOf('card', 'NGN')).toEqual(['paystack', 'flutterwave'])
    const audited = await world.server.sql.rows`
      select target from audit_entries where action = 'admin.railRoutes.set'`
    expect(audited).toEqual([{ target: 'card NGN' }, { target: 'card NGN' }])
  })

  test('puts an account with an open circuit last', async () => {
    const person = await world.person('NGN')
    world.fakes.paystack.fault('down')
    for (let i = 0; i < 5; i++) await world.topUp(person, CARD)
    world.heal()
    expect(await railsOf('card', 'NGN')).toEqual(['flutterwave', 'paystack'])
    world.server.clock.advance({ seconds: 31 })
    expect(await railsOf('card', 'NGN')).toEqual(['paystack', 'flutterwave'])
  })

  test.for<[what: string, change: object, path: string]>([
    ['an account of another channel', { accounts: [route('momo', 'GH', 1)] }, 'accounts.0'],
    ['an unknown account', { accounts: [route('paystack', 'XX', 1)] }, 'accounts.0'],
    [
      'an account twice',
      { accounts: [route('paystack', 'NG', 1), route('paystack', 'NG', 2)] },
      'accounts.1',
    ],
    ['an unknown currency', { currency: 'QQQ' }, 'currency'],
    ['a priority of 0', { accounts: [route('paystack', 'NG', 0)] }, 'accounts.0.priority'],
  ])('with %s is refused', async ([, change, path]) => {
    const { status, body } = await put({ ...FLUTTERWAVE_FIRST, ...change })
    expect({ status, body }).toMatchObject({ status: 400, body: { fields: [{ path }] } })
    expect(await railsOf('card', 'NGN')).toEqual(['paystack', 'flutterwave'])
  })

  test('is not changed by support staff', async () => {
    const support = await world.server.person({ staff: 'support' })
    expect((await put(FLUTTERWAVE_FIRST, support)).status).toBe(403)
  })
})

test('staff see attempts, failovers, results, durations and fees of each account', async () => {
  await world.server.sql.rows`delete from payment_attempts`
  const person = await world.person('KES')
  world.fakes.daraja.loopback.scriptedReplies.push({
    ...{ status: 500, body: { errorCode: '500.001.1001', errorMessage: 'Wrong credentials' } },
  })
  const paid = (await world.topUp(person, MPESA)).body.reference
  const declined = (await world.topUp(person, MPESA)).body.reference
  world.server.clock.advance({ seconds: 20 })
  world.fakes.paystack.pay(paid)
  world.fakes.daraja.decline(declined)
  for (const reference of [paid, declined]) await verify(world.server, person, reference)
  const { body } = await world.server.call<Performance>('GET', '/admin/rails/performance', {
    as: await operator(),
  })
  const none = { attempts: 0, accepted: 0, settled: 0, failed: 0, expired: 0, pending: 0, failovers: 0 }
  expect(body).toMatchObject({
    isComplete: true,
    accounts: [
      {
        ...{ rail: 'daraja', account: 'KE', channel: 'mpesa', currency: 'KES' },
        results: {
          day: {
            ...{ ...none, attempts: 2, accepted: 1, failed: 1, failovers: 1, successPercent: 0 },
            ...{ medianSeconds: null, feesMinor: 0n, feeBasisPoints: null },
          },
        },
      },
      {
        ...{ rail: 'paystack', account: 'KE', channel: 'mpesa', currency: 'KES' },
        results: {
          month: {
            ...{ ...none, attempts: 1, accepted: 1, settled: 1, successPercent: 100, medianSeconds: 20 },
            ...{ feesMinor: 300n, feeBasisPoints: 150 },
          },
        },
      },
    ],
  })
  const { body: detail } = await world.server.call('GET', `/admin/payments/${paid}`, { as: await operator() })
  expect(detail.attempts).toMatchObject([
    { position: 1, rail: 'daraja', outcome: 'refused', detail: '500, 500.001.1001, Wrong credentials' },
    { position: 2, rail: 'paystack', outcome: 'accepted' },
  ])
  // One fake answers for the accounts of all countries.
  world.fakes.paystack.remove(paid)
})

test('a payment that only the list of an earlier account shows is credited by the reconciliation', async () => {
  const person = await world.person('NGN')
  world.fakes.paystack.fault('silent')
  const { reference } = (await world.topUp(person, CARD)).body
  world.heal()
  expect(world.holders(reference)).toEqual(['paystack', 'flutterwave'])
  world.fakes.flutterwave.pay(reference)
  await verify(world.server, person, reference)
  world.fakes.paystack.pay(reference)
  world.server.clock.advance({ days: 1 })
  const run = await reconcileDay(world.server)
  expect(run.counts.differences).toEqual({})
  expect(await balanceOf(world.server, person)).toBe(1_000_000n)
})

test('the list of a provider completes missing fees', async () => {
  const person = await world.person('NGN')
  world.fakes.paystack.lists.setTime(world.server.clock.now())
  const { reference } = (await world.topUp(person, CARD)).body
  world.fakes.paystack.pay(reference)
  world.fakes.paystack.override(reference, { fees: undefined })
  await verify(world.server, person, reference)
  const fee = async () =>
    (
      await world.server.sql.one<{ fee: bigint | null }>`
        select fee_minor as fee from payments where reference = ${reference}`
    ).fee
  expect(await fee()).toBeNull()
  world.fakes.paystack.override(reference, { fees: 7_500 })
  await reconcileDay(world.server, world.server.clock.now().toISOString().slice(0, 10))
  expect(await fee()).toBe(7_500n)
})
