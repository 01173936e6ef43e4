// A payment that one provider cannot start is started at another one, unless the payer could pay twice.

import {
  CARD,
  MOMO,
  MPESA,
  OZOW,
  type RoutedChannel,
  type RoutedRail,
  type RoutingWorld,
  startRoutingWorld,
} from '@cowrie/testkit/payments/routing-world.ts'
import { balanceOf, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { settlePayment } from '../settle/settle.ts'
import { sweepPayments } from '../settle/sweeper.ts'
import { mayAskNext } from './attempts.ts'

let world: RoutingWorld

beforeAll(async () => {
  world = await startRoutingWorld()
})
afterEach(() => {
  world.heal()
  for (const { requests, scriptedReplies } of [world.fakes.paystack, world.fakes.flutterwave]) {
    requests.length = 0
    scriptedReplies.length = 0
  }
  // Longer than the pause after refused keys.
  world.server.clock.advance({ minutes: 16 })
})
afterAll(() => world.close())

const start = async (routed: RoutedChannel, key?: string) => {
  const person = await world.person(routed[1])
  return { person, ...(await world.topUp(person, routed, key)) }
}

/** The provider refuses our keys once. */
const refuseKeys = (rail: 'paystack' | 'flutterwave') =>
  world.fakes[rail].scriptedReplies.push({
    ...{ status: 401, body: { status: rail === 'paystack' ? false : 'error', message: 'Invalid key' } },
  })

describe('a page', () => {
  test.for<[string, RoutedChannel, RoutedRail, 'down' | 'silent' | 'garbage', RoutedRail]>([
    ['card', CARD, 'paystack', 'down', 'flutterwave'],
    ['card', CARD, 'paystack', 'silent', 'flutterwave'],
    ['card', CARD, 'paystack', 'garbage', 'flutterwave'],
    ['ozow', OZOW, 'ozow', 'down', 'paystack'],
    ['ozow', OZOW, 'ozow', 'silent', 'paystack'],
  ])('%s %o: %s is %s, and %s has the page', async ([, routed, first, fault, second]) => {
    world.fakes[first].fault(fault)
    const { person, status, body } = await start(routed)
    expect({ status, url: body.authorizationUrl }).toEqual({ status: 200, url: expect.any(String) })
    const { reference } = body
    expect(await world.attempts(reference)).toEqual([`${first} unknown`, `${second} accepted`])
    expect(await world.account(reference)).toMatchObject({ rail: second, status: 'pending' })
    world.heal()
    world.fakes[second].pay(reference)
    expect((await verify(world.server, person, reference)).body).toMatchObject({ creditedMinor: routed[2] })
    expect(await balanceOf(world.server, person)).toBe(routed[2])
  })

  test('of an account that refuses our keys is opened by another one, which comes first afterwards', async () => {
    refuseKeys('paystack')
    const { body } = await start(CARD)
    expect(await world.attempts(body.reference)).toEqual(['paystack refused', 'flutterwave accepted'])
    const next = await start(CARD)
    expect(await world.attempts(next.body.reference)).toEqual(['flutterwave accepted'])
  })

  test('with a currency that the account does not have is opened by another account', async () => {
    world.fakes.paystack.scriptedReplies.push({
      ...{ status: 403, body: { status: false, message: 'Currency not supported by merchant' } },
    })
    const { body } = await start(CARD)
    expect(await world.attempts(body.reference)).toEqual(['paystack refused', 'flutterwave accepted'])
  })

  test('that the provider refuses because of the payer is refused at once', async () => {
    world.fakes.paystack.fault('reject')
    const { status, body } = await start(CARD)
    expect({ status, code: body.code }).toEqual({ status: 402, code: 'payment_refused' })
    expect(await world.attempts(body.reference)).toEqual(['paystack rejected'])
    expect(world.fakes.flutterwave.requests).toEqual([])
  })

  test('that no provider opens is unavailable, and a retry opens it', async () => {
    world.fakes.paystack.fault('down')
    world.fakes.flutterwave.fault('down')
    const { person, status, body } = await start(CARD, 'one-key')
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'rail_unavailable' })
    world.heal()
    const again = await world.topUp(person, CARD, 'one-key')
    expect(again).toMatchObject({ status: 200, body: { reference: body.reference, status: 'pending' } })
    expect(await world.attempts(body.reference)).toHaveLength(2)
  })

  test('that both accounts refuse is refused and checked no more', async () => {
    refuseKeys('paystack')
    refuseKeys('flutterwave')
    const { status, body } = await start(CARD)
    expect(status).toBe(402)
    expect(await world.attempts(body.reference)).toEqual(['paystack refused', 'flutterwave refused'])
    const { next } = await world.server.sql.one<{ next: Date | null }>`
      select next_check_at as next from payments where reference = ${body.reference}`
    expect(next).toBeNull()
  })

  test('refused by the second provider stays open while the first one may have it', async () => {
    world.fakes.paystack.fault('silent')
    refuseKeys('flutterwave')
    const { status, body } = await start(CARD)
    expect(status).toBe(503)
    expect(await world.account(body.reference)).toMatchObject({ status: 'pending' })
  })
})

describe('a prompt', () => {
  test.for<[string, RoutedChannel, 'daraja' | 'momo']>([
    ['mpesa', MPESA, 'daraja'],
    ['mtn_momo', MOMO, 'momo'],
  ])('%s %o whose provider issues no token is sent by Paystack, once', async ([, routed, first]) => {
    world.fakes[first].expireTokens()
    world.server.clock.advance({ hours: 2 })
    world.fakes[first].fault('down')
    const { person, status, body } = await start(routed)
    expect(status).toBe(200)
    const { reference } = body
    expect(await world.attempts(reference)).toEqual([`${first} unsent`, 'paystack accepted'])
    expect(world.holders(reference)).toEqual(['paystack'])
    world.heal()
    world.fakes.paystack.pay(reference)
    expect((await verify(world.server, person, reference)).body).toMatchObject({ creditedMinor: routed[2] })
  })

  test.for<[string, RoutedChannel, 'daraja' | 'momo', 'silent' | 'garbage']>([
    ['mpesa', MPESA, 'daraja', 'silent'],
    ['mpesa', MPESA, 'daraja', 'garbage'],
    ['mtn_momo', MOMO, 'momo', 'silent'],
    ['mtn_momo', MOMO, 'momo', 'garbage'],
  ])(
    '%s %o that may have been sent by a provider that is %s is never sent again',
    async ([, routed, first, fault]) => {
      world.fakes[first].fault(fault)
      const { status, body } = await start(routed)
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'rail_unavailable' })
      expect(await world.attempts(body.reference)).toEqual([`${first} unknown`])
      expect(world.holders(body.reference)).toEqual([first])
      expect(world.fakes.paystack.requests).toEqual([])
    },
  )

  test.for<[string, RoutedChannel, 'daraja' | 'momo']>([
    ['mpesa', MPESA, 'daraja'],
    ['mtn_momo', MOMO, 'momo'],
  ])('%s %o whose payer is refused is not sent by another provider', async ([, routed, first]) => {
    world.fakes[first].fault('reject')
    const { status, body } = await start(routed)
    expect(status).toBe(402)
    expect(await world.attempts(body.reference)).toEqual([`${first} rejected`])
  })

  test('is sent by the third provider when two refuse our keys', async () => {
    world.fakes.daraja.loopback.scriptedReplies.push({
      ...{
        status: 500,
        body: { requestId: '1', errorCode: '500.001.1001', errorMessage: 'Wrong credentials' },
      },
    })
    refuseKeys('paystack')
    const { person, body } = await start(MPESA)
    expect(await world.attempts(body.reference)).toEqual([
      ...['daraja refused', 'paystack refused', 'flutterwave accepted'],
    ])
    world.fakes.flutterwave.pay(body.reference)
    expect((await verify(world.server, person, body.reference)).body).toMatchObject({
      creditedMinor: 20_000n,
    })
  })
})

test.for([
  ['card', { outcome: 'unknown', reason: '' }, true],
  ['card', { outcome: 'known' }, true],
  ['card', { outcome: 'rejected', reason: '', isAccountProblem: true }, true],
  ['card', { outcome: 'rejected', reason: '' }, false],
  ['mpesa', { outcome: 'unknown', reason: '' }, false],
  ['mpesa', { outcome: 'unknown', reason: '', isUnsent: true }, true],
  ['mpesa', { outcome: 'known' }, false],
  ['mpesa', { outcome: 'rejected', reason: '', isAccountProblem: true }, true],
  ['mpesa', { outcome: 'rejected', reason: '' }, false],
] as const)('after %s %o the next account is asked: %s', ([channel, result, expected]) => {
  expect(mayAskNext(channel, result)).toBe(expected)
})

describe('a payment that was paid at an earlier account', () => {
  /** Paystack has the payment and its reply was lost; the payer has the page of Flutterwave. */
  async function startTwice() {
    world.fakes.paystack.fault('silent')
    const { person, body } = await start(CARD)
    world.heal()
    const { reference } = body
    expect(world.holders(reference)).toEqual(['paystack', 'flutterwave'])
    return { person, reference }
  }
  const sweep = async () => {
    world.server.clock.advance({ minutes: 2 })
    await sweepPayments(world.server.app)
  }
  const paystackWebhook = async (reference: string) => {
    const { headers, body } = world.fakes.paystack.message(reference)
    await world.server.call('POST', '/webhooks/card_provider', { headers, raw: body })
    await world.server.app.jobs.drain()
  }

  test.for(['sweep', 'webhook'] as const)('is credited there by the %s', async (by) => {
    const { person, reference } = await startTwice()
    world.fakes.paystack.pay(reference)
    await (by === 'sweep' ? sweep() : paystackWebhook(reference))
    expect(await world.credits(reference)).toEqual([{ rail: 'paystack', captured: 500_000n }])
    expect(await world.account(reference)).toEqual({ rail: 'paystack', account: 'NG', status: 'settled' })
    expect(await balanceOf(world.server, person)).toBe(500_000n)
    await sweep()
    expect(await balanceOf(world.server, person)).toBe(500_000n)
  })

  test('is credited although the payer cancelled at the later one', async () => {
    const { person, reference } = await startTwice()
    world.fakes.flutterwave.decline(reference)
    world.fakes.paystack.pay(reference)
    await sweep()
    expect(await world.credits(reference)).toEqual([{ rail: 'paystack', captured: 500_000n }])
    expect(await balanceOf(world.server, person)).toBe(500_000n)
  })

  test('and at the later one is credited as two payments, in either order', async () => {
    const one = await startTwice()
    world.fakes.flutterwave.pay(one.reference)
    await sweep()
    expect(await world.credits(one.reference)).toEqual([{ rail: 'flutterwave', captured: 500_000n }])
    world.fakes.paystack.pay(one.reference)
    await paystackWebhook(one.reference)
    await paystackWebhook(one.reference)
    const both = [
      { rail: 'flutterwave', captured: 500_000n },
      { rail: 'paystack', captured: 500_000n },
    ]
    expect(await world.credits(one.reference)).toEqual(both)
    expect(await balanceOf(world.server, one.person)).toBe(1_000_000n)

    const other = await startTwice()
    world.fakes.paystack.pay(other.reference)
    await sweep()
    world.fakes.flutterwave.pay(other.reference)
    // At its expiry the payment is checked at every account again.
    world.server.clock.advance({ hours: 25 })
    await sweepPayments(world.server.app)
    expect(await world.credits(other.reference)).toEqual(both)
    expect(await balanceOf(world.server, other.person)).toBe(1_000_000n)
  })

  test('and at the later one is credited once there, also when its transaction is named late', async () => {
    const { person, reference } = await startTwice()
    world.fakes.paystack.pay(reference)
    await sweep()
    const source = { rail: 'flutterwave', account: 'all', providerRef: null } as const
    const paid = { status: 'paid', amountMinor: 500_000n, currency: 'NGN', reference, live: true } as const
    for (const transactionId of [null, 'late-1', null])
      await settlePayment(world.server.app, reference, { ...paid, transactionId }, 'sweep', source)
    expect(await balanceOf(world.server, person)).toBe(1_000_000n)
  })

  test('and refunded there is taken back, and the later one stays', async () => {
    const { person, reference } = await startTwice()
    world.fakes.flutterwave.pay(reference)
    world.fakes.paystack.pay(reference)
    await sweep()
    expect(await balanceOf(world.server, person)).toBe(1_000_000n)
    world.fakes.paystack.reverse(reference)
    await paystackWebhook(reference)
    expect(await balanceOf(world.server, person)).toBe(500_000n)
  })

  test('with another amount goes to review', async () => {
    const { person, reference } = await startTwice()
    world.fakes.paystack.pay(reference, { amountMinor: 100_000n })
    await sweep()
    expect(await world.account(reference)).toMatchObject({ rail: 'paystack', status: 'review' })
    expect(await balanceOf(world.server, person)).toBe(0n)
  })

  test('is found even where the provider first refused it', async () => {
    refuseKeys('paystack')
    const { person, body } = await start(CARD)
    const { reference } = body
    expect(await world.attempts(reference)).toEqual(['paystack refused', 'flutterwave accepted'])
    const createdAt = world.server.clock.now()
    world.fakes.paystack.addPaid({
      id: 900_001,
      reference,
      amountMinor: 500_000n,
      currency: 'NGN',
      createdAt,
    })
    await paystackWebhook(reference)
    expect(await world.credits(reference)).toEqual([{ rail: 'paystack', captured: 500_000n }])
    expect(await balanceOf(world.server, person)).toBe(500_000n)
  })
})
