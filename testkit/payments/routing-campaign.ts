// A campaign of top-ups while one provider after the other fails, and what the fakes say was paid.
import { present } from '@cowrie/server/src/kernel/assert.ts'
import { sweepPayments } from '@cowrie/server/src/payments/settle/sweeper.ts'
import { webhookUrlFor } from '@cowrie/server/src/payments/settle/webhooks/webhook-url.ts'
import type { Person } from '../harness/harness.ts'
import { CARD, MOMO, MPESA, type RoutedRail, type RoutingWorld } from './routing-world.ts'

const CHANNELS = [CARD, MPESA, MOMO] as const
const RAILS = ['paystack', 'daraja', 'momo', 'flutterwave'] as const
const FAULTS = ['silent', 'keys', 'down', 'garbage'] as const
/** The provider that fails changes after this many top-ups: the count decides, not the clock. */
const FAULT_LENGTH = 2
const ORG_PAYMENTS_MAX = 15

export type Loss = { readonly reference: string; readonly problem: string }
export type CampaignResult = {
  readonly started: number
  readonly failedOver: number
  /** Payments with more than one payment at the providers. */
  readonly paidTwice: number
  /** Differences between what the fakes say was paid and what was credited. */
  readonly losses: readonly Loss[]
}

/**
 * Every payer pays wherever a provider has the payment, so also twice where it is at two. Half of the payments are announced by
 * webhooks; the sweeper finds the rest.
 */
export async function runCampaign(world: RoutingWorld, topUps: number): Promise<CampaignResult> {
  const people = new Map<string, { person: Person; payments: number }>()
  const payments: { reference: string; amountMinor: bigint; paidAt: RoutedRail[] }[] = []
  for (let turn = 0; turn < topUps; turn++) {
    const channel = present(CHANNELS[turn % CHANNELS.length], 'a channel')
    applyFault(world, turn)
    const person = await personFor(channel[1])
    const { status, body } = await world.topUp(person, channel)
    endFaults(world)
    if (status !== 200 && status !== 503) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
    const { reference } = body
    const paidAt = world.holders(reference)
    for (const rail of paidAt) {
      world.fakes[rail].pay(reference)
      // Only the webhook names the prompt of M-Pesa when its reply was lost.
      if (turn % 2 === 0 || rail === 'daraja') await announce(world, rail, reference)
    }
    payments.push({ reference, amountMinor: channel[2], paidAt })
    if (turn % 10 === 9) await sweep(world, { seconds: 40 })
  }
  // The circuits close, the payments expire, and the last checks follow.
  for (const minutes of [2, 20, 60 * 25, 60, 60]) await sweep(world, { minutes })
  const losses: Loss[] = []
  let failedOver = 0
  for (const { reference, amountMinor, paidAt } of payments) {
    const credits = await world.credits(reference)
    const credited = credits.map(({ rail, captured }) => `${rail} ${captured}`)
    const expected = [...paidAt].sort().map((rail) => `${rail} ${amountMinor}`)
    if (credited.join() !== expected.join())
      losses.push({ reference, problem: `paid: ${expected.join()}; credited: ${credited.join()}` })
    if ((await world.attempts(reference)).length > 1) failedOver++
  }
  return {
    started: payments.length,
    failedOver,
    paidTwice: payments.filter(({ paidAt }) => paidAt.length > 1).length,
    losses,
  }

  /** Organisations may leave few payments pending. */
  async function personFor(currency: (typeof CHANNELS)[number][1]): Promise<Person> {
    const known = people.get(currency)
    if (known && known.payments < ORG_PAYMENTS_MAX) {
      known.payments++
      return known.person
    }
    const person = await world.person(currency)
    people.set(currency, { person, payments: 1 })
    return person
  }
}

function applyFault(world: RoutingWorld, turn: number): void {
  const period = Math.floor(turn / FAULT_LENGTH)
  const rail = present(RAILS[period % RAILS.length], 'a rail')
  const fault = present(FAULTS[Math.floor(period / RAILS.length) % FAULTS.length], 'a fault')
  if (fault !== 'keys') {
    world.fakes[rail].fault(fault)
    return
  }
  const body = { ...REFUSALS[rail], message: 'Invalid key' }
  scriptsOf(world)[rail].push({ status: rail === 'daraja' ? 500 : 401, body })
}

/** The replies of providers that do not accept our keys. */
const REFUSALS = {
  paystack: { status: false },
  flutterwave: { status: 'error' },
  daraja: { errorCode: '500.001.1001', errorMessage: 'Wrong credentials' },
  momo: { statusCode: 401 },
} as const

const scriptsOf = ({ fakes: { paystack, flutterwave, daraja, momo } }: RoutingWorld) => ({
  paystack: paystack.scriptedReplies,
  flutterwave: flutterwave.scriptedReplies,
  daraja: daraja.loopback.scriptedReplies,
  momo: momo.loopback.scriptedReplies,
})

function endFaults(world: RoutingWorld): void {
  world.heal()
  for (const replies of Object.values(scriptsOf(world))) replies.length = 0
}

async function announce(world: RoutingWorld, rail: RoutedRail, reference: string): Promise<void> {
  const { headers, body } = world.fakes[rail].message(reference)
  const path =
    rail === 'paystack'
      ? '/webhooks/card_provider'
      : new URL(webhookUrlFor(world.server.app, rail, reference)).pathname
  const { status } = await world.server.call('POST', path, { headers, raw: body })
  if (status !== 200) throw new Error(`the webhook of ${rail} was answered with ${status}`)
  await world.server.app.jobs.drain()
}

async function sweep(world: RoutingWorld, by: { seconds: number } | { minutes: number }): Promise<void> {
  world.server.clock.advance(by)
  await sweepPayments(world.server.app)
  await world.server.app.jobs.drain()
}
