// Compares every figure of a busy world with an independent recount from the rows.

import { expectInvariants } from '@cowrie/testkit/billing/subscription.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import { type BusyWorld, buildBusyWorld } from '@cowrie/testkit/metrics/busy-world.ts'
import { RATES, type RecountedFigures, recount } from '@cowrie/testkit/metrics/recount.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { sealNext } from '../../metering/usage/seal.ts'

const SEED = 20_261_115
const world = useWorld({ atEnd: expectInvariants })
let busy: BusyWorld
beforeAll(async () => {
  busy = await buildBusyWorld(world, SEED)
})

type Margin = {
  lane: string
  revenueMinor: bigint
  cogsMinor: bigint
  marginPct: number | null
  tokens: bigint
}
type Figures = RecountedFigures & { arpuMinor: bigint | null; margin: Margin[] }
type Kpis = Figures & { from: string; to: string; compedSubscriptions: bigint; byCurrency: Figures[] }

const kpis = async (as: { bearer: string }, query: Record<string, string> = {}) => {
  const { status, body } = await world.server.call<Kpis>('GET', '/metrics/kpis', { as, query })
  expect(status).toBe(200)
  return { body, span: [new Date(body.from), new Date(body.to)] as const }
}

type Rate = { numerator: bigint; denominator: bigint }
const OUR_COST = { open: 45_000n, frontier: 1_100_000n }
const half = (value: bigint, divisor: bigint): bigint => (2n * value + divisor) / (2n * divisor)

/** A recount in the format of the route. */
function figuresOf(counted: RecountedFigures, { numerator, denominator }: Rate): Figures {
  const { earnedMinor, openTokens, openMinor, frontierTokens, frontierMinor, ...same } = counted
  const margin = (lane: 'open' | 'frontier', tokens: bigint, revenueMinor: bigint) => {
    const cogsMinor = half(tokens * OUR_COST[lane] * numerator, 1_000_000n * denominator)
    return expect.objectContaining({
      lane,
      tokens: Number(tokens),
      revenueMinor,
      cogsMinor,
      marginMinor: revenueMinor - cogsMinor,
    })
  }
  return expect.objectContaining({
    ...onTheWire(same),
    arpuMinor: counted.payingOrgs === 0n ? null : half(earnedMinor, counted.payingOrgs),
    margin: [margin('open', openTokens, openMinor), margin('frontier', frontierTokens, frontierMinor)],
  })
}

/** In the reply, amounts are bigints and counts are numbers. */
const onTheWire = (values: object) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'bigint' && !name.endsWith('Minor') ? Number(value) : value,
    ]),
  )

const exact = (counted: RecountedFigures) => figuresOf(counted, rateOf(counted))
const rateOf = ({ currency }: RecountedFigures): Rate => RATES[currency as keyof typeof RATES]

/** Amounts are converted per currency, rounded to the kobo, then added; counts are added. */
function inKobo(all: readonly RecountedFigures[]): RecountedFigures {
  const sum: Record<string, bigint> = {}
  for (const { currency, ...values } of all)
    for (const [name, value] of Object.entries(values)) {
      const { numerator, denominator } = RATES[currency as keyof typeof RATES]
      const worth = name.endsWith('Minor') ? half(value * denominator, numerator) : value
      sum[name] = (sum[name] ?? 0n) + worth
    }
  return { ...(sum as unknown as RecountedFigures), currency: 'NGN' }
}

describe('the figures', () => {
  test('of each organisation equal the recount of its rows', async () => {
    for (const one of busy.everyone) {
      const { body, span } = await kpis(busy.staff, { orgId: one.orgId })
      const counted = await recount(world.server.sql, ...span, one.orgId)
      expect(counted).toHaveLength(1)
      expect([body]).toEqual(counted.map(exact))
      expect(body.byCurrency).toEqual(counted.map(exact))
    }
  })

  test('show our model costs only to staff', async () => {
    for (const one of busy.everyone) {
      const [own, seen] = [await kpis(one), await kpis(busy.staff, { orgId: one.orgId })]
      const hidden = { cogsMinor: null, marginMinor: null, marginPct: null }
      const margin = seen.body.margin.map((lane) => ({ ...lane, ...hidden }))
      expect(own.body).toEqual({ ...seen.body, margin, byCurrency: [expect.objectContaining({ margin })] })
    }
  })

  test.for(['30', '7', '366'])(
    'of all organisations over %s days equal the recount of all rows',
    async (days) => {
      const { body, span } = await kpis(busy.staff, { scope: 'all', days })
      const counted = await recount(world.server.sql, ...span)
      expect(body.byCurrency).toEqual(counted.map(exact))
      expect(body).toEqual(figuresOf(inKobo(counted), RATES.NGN))
    },
  )

  test('cover every kind of event in this world', async () => {
    const { body } = await kpis(busy.staff, { scope: 'all' })
    expect(body.byCurrency.map(({ currency }) => currency)).toEqual(['GHS', 'KES', 'NGN'])
    const { mrrMinor, allowanceUsedMinor, netCreditedMinor, grantedMinor, subscriptionPaidMinor } = body
    for (const minor of [mrrMinor, allowanceUsedMinor, grantedMinor, subscriptionPaidMinor])
      expect(minor).toBeGreaterThan(0n)
    expect(netCreditedMinor).toBeGreaterThan(mrrMinor)
    // Monthly, yearly, team with seats, yearly in shillings; also one past due, one complimentary, one free, one ended.
    expect(body).toMatchObject({ activeSubscriptions: 4, pastDueSubscriptions: 1, compedSubscriptions: 1 })
    const naira = 950_000n + 791_667n + 3_200_000n + 3n * 600_000n
    const shillings = half(10n * (284_800n + 2n * 53_400n), 12n)
    expect(body.byCurrency).toMatchObject([
      { subscriptionMrrMinor: 0n },
      { subscriptionMrrMinor: shillings },
      { subscriptionMrrMinor: naira, pastDueMrrMinor: 950_000n },
    ])
    expect(body.subscriptionMrrMinor).toBe(naira + half(shillings * 1_000n, 89n))
  })

  test('explain wallet balances: all credits minus spending and forfeits', async () => {
    const { body } = await kpis(busy.staff, { scope: 'all', days: '366' })
    for (const each of body.byCurrency)
      expect(each.floatMinor + each.forfeitedMinor).toBe(
        each.netCreditedMinor + each.grantedMinor - each.mrrMinor - each.subscriptionPaidMinor,
      )
    const [cedis, shillings, naira] = body.byCurrency.map(({ forfeitedMinor }) => forfeitedMinor)
    expect(cedis).toBe(0n)
    for (const minor of [shillings, naira]) expect(minor).toBeGreaterThanOrEqual(40_000n)
  })

  test('are the same after days are sealed', async () => {
    const before = await kpis(busy.staff, { orgId: busy.ada.orgId })
    expect(await world.server.app.db.tx('platform', (tx) => sealNext(tx, 60))).toBeGreaterThan(30)
    expect((await kpis(busy.staff, { orgId: busy.ada.orgId })).body).toEqual(before.body)
    world.server.clock.advance({ seconds: 10 })
    const { body, span } = await kpis(busy.staff, { scope: 'all' })
    expect(body.byCurrency).toEqual((await recount(world.server.sql, ...span)).map(exact))
  })
})
