import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit, grantAllowance } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrgId, UserId } from '../../kernel/ids.ts'
import type { Setting } from '../../platform/settings/settings.ts'
import { readBalances } from '../../wallet/wallet.ts'
import {
  costOf,
  priceOf,
  releaseTurn,
  releaseTurnIn,
  reserveTurn,
  settleTurn,
  settleTurnIn,
} from '../metering.ts'
import { pricingSettings } from '../settings.ts'
import type { TurnRequest } from './turns.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const { price_open_kobo_per_1m, price_frontier_kobo_per_1m } = pricingSettings.settings
type Owner = { orgId: OrgId; userId: UserId }
let count = 0

async function owner(balanceMinor: bigint, includedMinor = 0n): Promise<Owner> {
  const { orgId, userId } = await server.person()
  if (balanceMinor > 0n) await giveCredit(server, orgId, balanceMinor)
  if (includedMinor > 0n) await grantAllowance(server, orgId, includedMinor)
  return { orgId, userId }
}

const turn = ({ orgId, userId }: Owner, rest: Partial<TurnRequest> = {}): TurnRequest => ({
  orgId,
  userId,
  ref: `turn ${++count}`,
  source: 'agent',
  lane: 'open',
  model: 'm',
  currency: 'NGN',
  promptTokens: 10_000,
  outputCeiling: 10_000,
  leastOutput: 10_000,
  spentMicroKobo: 0n,
  deadline: new Date(server.clock.now().getTime() + 60_000),
  ...rest,
})

const set = async (setting: Setting<number>, value: number) => {
  await server.app.db.tx('platform', (tx) =>
    server.app.settings.set(tx, setting, value, { email: 'ops@example.com' }),
  )
  await server.app.settings.refresh()
}

const available = async ({ orgId }: Owner) => (await readBalances(server.app.db.direct, orgId)).availableMinor

beforeEach(async () => {
  if (priceOf(server.app, 'open', 'NGN').koboPer1m !== 90_000n) await set(price_open_kobo_per_1m, 90_000)
})

describe('a price', () => {
  test('is that of the lane by the current rate card', () => {
    expect(priceOf(server.app, 'frontier', 'KES')).toEqual({
      lane: 'frontier',
      currency: 'KES',
      koboPer1m: BigInt(server.app.settings.get(price_frontier_kobo_per_1m)),
      classes: null,
      rateCard: '2026-11',
      numerator: 89n,
      denominator: 1000n,
      accrues: true,
    })
  })

  test('of tokens is rounded up once, over price and conversion together', () => {
    expect(costOf(priceOf(server.app, 'open', 'NGN'), 1204)).toBe(109n)
    // 108.36 kobo × 0.0039 = 0.42 francs: one franc. Rounding in between could give another result.
    expect(costOf(priceOf(server.app, 'open', 'XOF'), 1204)).toBe(1n)
    expect(costOf(priceOf(server.app, 'open', 'UGX'), 1_000_000)).toBe(2205n)
  })
})

describe('a turn', () => {
  test('holds its worst case and charges the real usage', async () => {
    const who = await owner(10_000n)
    const reserved = await reserveTurn(server.app, turn(who))
    expect(reserved).toMatchObject({ outputCeiling: 10_000, maxMinor: 1800n, hold: { amountMinor: 1800n } })
    expect(await available(who)).toBe(8200n)
    const settled = await settleTurn(server.app, reserved, {
      promptTokens: 1000,
      outputTokens: 204,
      cachedTokens: 900,
    })
    expect(settled).toMatchObject({ chargedMinor: 109n, spentMicroKobo: 108_360_000n })
    expect(settled.entryId).toMatch(/^led_/)
    expect(await available(who)).toBe(9891n)
    expect(
      await server.sql
        .rows`select lane, model, tokens, cost_minor from usage_points where org_id = ${who.orgId}`,
    ).toEqual([{ lane: 'open', model: 'm', tokens: 1204n, cost_minor: 109n }])
  })

  test('that uses more than the hold is charged the hold, and its run counts no more', async () => {
    const who = await owner(10_000n)
    const reserved = await reserveTurn(server.app, turn(who))
    const settled = await settleTurn(server.app, reserved, { promptTokens: 90_000, outputTokens: 90_000 })
    expect(settled).toMatchObject({ chargedMinor: 1800n, spentMicroKobo: 1_800_000_000n })
  })

  test('that is not affordable gets a lower output limit, which is never exceeded', async () => {
    const who = await owner(1000n)
    const reserved = await reserveTurn(server.app, turn(who, { leastOutput: 500 }))
    expect(reserved).toMatchObject({ outputCeiling: 1111, maxMinor: 1000n, hold: { amountMinor: 1000n } })
    const settled = await settleTurn(server.app, reserved, { promptTokens: 10_000, outputTokens: 1111 })
    expect(settled.chargedMinor).toBe(1000n)
    expect(await available(who)).toBe(0n)
  })

  test('whose minimum is not affordable is rejected with the missing amount', async () => {
    const who = await owner(900n, 44n)
    await expect(reserveTurn(server.app, turn(who, { leastOutput: 500 }))).rejects.toMatchObject({
      code: 'insufficient_funds',
      status: 402,
      detail: { requiredMinor: 945n, availableMinor: 944n },
    })
    expect(await available(who)).toBe(900n)
  })

  test('above the cap of the member is rejected, and within it is limited to the cap', async () => {
    const who = await owner(10_000n)
    await server.sql.rows`update memberships set seat_cap_minor = 950 where org_id = ${who.orgId}`
    await expect(reserveTurn(server.app, turn(who))).rejects.toMatchObject({
      code: 'member_cap_reached',
      status: 402,
      detail: { requiredMinor: 1800n, availableMinor: 950n },
    })
    const { maxMinor } = await reserveTurn(server.app, turn(who, { leastOutput: 1 }))
    expect(maxMinor).toBe(950n)
  })

  test('that is released costs nothing', async () => {
    const who = await owner(5000n)
    await releaseTurn(server.app, await reserveTurn(server.app, turn(who)))
    expect(await available(who)).toBe(5000n)
  })

  test('whose hold expired before the settlement costs nothing, and its run does not count it', async () => {
    const who = await owner(5000n)
    const reserved = await reserveTurn(server.app, turn(who, { spentMicroKobo: 7n }))
    await releaseTurn(server.app, reserved)
    const late = await settleTurn(server.app, reserved, { promptTokens: 10, outputTokens: 10 })
    expect(late).toMatchObject({ chargedMinor: 0n, spentMicroKobo: 7n })
  })

  test('can be settled in the transaction of its outcome, or not at all', async () => {
    const who = await owner(5000n)
    const reserved = await reserveTurn(server.app, turn(who))
    const used = { promptTokens: 1000, outputTokens: 204 }
    const broken = server.app.db.tx(who.orgId, async (tx) => {
      await settleTurnIn(server.app, tx, reserved, used)
      throw new Error('the outcome could not be stored')
    })
    await expect(broken).rejects.toThrow('could not be stored')
    expect(await available(who)).toBe(3200n)
    await server.app.db.tx(who.orgId, (tx) => settleTurnIn(server.app, tx, reserved, used))
    expect(await available(who)).toBe(4891n)
  })

  test('can be released in the transaction of its failure, or not at all', async () => {
    const who = await owner(5000n)
    const reserved = await reserveTurn(server.app, turn(who))
    const broken = server.app.db.tx(who.orgId, async (tx) => {
      await releaseTurnIn(server.app, tx, reserved)
      throw new Error('the failure could not be stored')
    })
    await expect(broken).rejects.toThrow('could not be stored')
    expect(await available(who)).toBe(3200n)
    await server.app.db.tx(who.orgId, (tx) => releaseTurnIn(server.app, tx, reserved))
    expect(await available(who)).toBe(5000n)
  })

  test('is stored with the model that answered', async () => {
    const who = await owner(5000n)
    const reserved = await reserveTurn(server.app, turn(who))
    await settleTurn(server.app, reserved, { promptTokens: 1, outputTokens: 1, model: 'another' })
    expect(await server.sql.rows`select model from usage_points where org_id = ${who.orgId}`).toEqual([
      { model: 'another' },
    ])
  })

  test('holds only the amount that it adds to its run', async () => {
    const who = await owner(5000n)
    // 17 tokens cost 1.53 kobo: rounded to two alone, and to one after 0.47 that was charged as one.
    const asked = { promptTokens: 17, outputCeiling: 0, leastOutput: 0 }
    expect((await reserveTurn(server.app, turn(who, asked))).hold.amountMinor).toBe(2n)
    const later = turn(who, { ...asked, spentMicroKobo: 470_000n })
    expect((await reserveTurn(server.app, later)).hold.amountMinor).toBe(1n)
  })

  test.for<[string, Partial<TurnRequest>, RegExp]>([
    ['in another currency than its wallet', { currency: 'KES' }, /currency of its wallet/],
    ['with a minimum above its maximum', { leastOutput: 10_001 }, /range of tokens/],
    ['with more tokens than any model accepts', { outputCeiling: 1_000_000_000 }, /range of tokens/],
  ])('%s is a bug and is rejected', async ([, wrong, message]) => {
    const who = await owner(5000n)
    await expect(reserveTurn(server.app, turn(who, wrong))).rejects.toThrow(message)
  })

  test('that has ended cannot start again', async () => {
    const who = await owner(5000n)
    const asked = turn(who)
    await releaseTurn(server.app, await reserveTurn(server.app, asked))
    await expect(reserveTurn(server.app, asked)).rejects.toMatchObject({ code: 'work_ended', status: 409 })
  })
})

describe('a turn with prices by token class', () => {
  const classPrices = { input: 300_000n, output: 1_500_000n, cachedInput: 30_000n, cacheWrite: 375_000n }

  test('holds the prompt at its dearest class and charges what the provider reported', async () => {
    const who = await owner(10_000n)
    const asked = turn(who, { classPrices, promptTokens: 10_000, outputCeiling: 1000, leastOutput: 1000 })
    const reserved = await reserveTurn(server.app, asked)
    // 10,000 × 375,000 and 1,000 × 1,500,000 per million.
    expect(reserved).toMatchObject({ outputCeiling: 1000, maxMinor: 5250n, hold: { amountMinor: 5250n } })
    expect(reserved.terms).toMatchObject({ koboPer1m: 300_000 })
    expect(await reserveTurn(server.app, asked)).toEqual(reserved)
    const settled = await settleTurn(server.app, reserved, {
      promptTokens: 9000,
      cachedTokens: 7000,
      cacheWriteTokens: 1500,
      outputTokens: 101,
    })
    // 500 × 0.3 + 7,000 × 0.03 + 1,500 × 0.375 + 101 × 1.5 = 1,074 kobo.
    expect(settled).toMatchObject({ chargedMinor: 1074n, spentMicroKobo: 1_074_000_000n })
    expect(await available(who)).toBe(8926n)
  })

  test('gets the output that the balance pays for after the prompt', async () => {
    const who = await owner(4000n)
    const asked = turn(who, { classPrices, promptTokens: 10_000, outputCeiling: 1000, leastOutput: 100 })
    expect(await reserveTurn(server.app, asked)).toMatchObject({ outputCeiling: 166, maxMinor: 3999n })
    const poor = await owner(3800n)
    await expect(
      reserveTurn(server.app, { ...asked, ...poor, ref: `turn ${++count}` }),
    ).rejects.toMatchObject({ code: 'insufficient_funds', detail: { requiredMinor: 3900n } })
  })

  test('keeps its prices when those of the model change', async () => {
    const who = await owner(10_000n)
    const asked = turn(who, { classPrices, promptTokens: 1000, outputCeiling: 1000, leastOutput: 1000 })
    const first = await reserveTurn(server.app, asked)
    const dearer = { input: 9n ** 7n, output: 9n ** 7n, cachedInput: 9n ** 7n, cacheWrite: 9n ** 7n }
    expect(await reserveTurn(server.app, { ...asked, classPrices: dearer })).toEqual(first)
  })
})

describe('a changed price', () => {
  test('does not affect a turn that was reserved before, nor a retry of it', async () => {
    const who = await owner(10_000n)
    const asked = turn(who)
    const first = await reserveTurn(server.app, asked)
    await set(price_open_kobo_per_1m, 900_000)
    const again = await reserveTurn(server.app, asked)
    expect(again).toEqual(first)
    const settled = await settleTurn(server.app, again, { promptTokens: 1000, outputTokens: 204 })
    expect(settled.chargedMinor).toBe(109n)
    expect((await reserveTurn(server.app, turn(who, { outputCeiling: 0, leastOutput: 0 }))).maxMinor).toBe(
      9000n,
    )
  })

  test('of zero allows work with an empty wallet', async () => {
    const who = await owner(0n)
    await set(price_open_kobo_per_1m, 0)
    const asked = turn(who)
    const reserved = await reserveTurn(server.app, asked)
    expect(await reserveTurn(server.app, asked)).toEqual(reserved)
    expect(reserved).toMatchObject({ outputCeiling: 10_000, maxMinor: 0n })
    const settled = await settleTurn(server.app, reserved, { promptTokens: 1000, outputTokens: 204 })
    expect(settled).toMatchObject({ chargedMinor: 0n, entryId: null, hold: { state: 'settled' } })
  })
})

test('the turns of a run are charged its rounded-up total once', async () => {
  const who = await owner(10_000n)
  let spentMicroKobo = 0n
  let charged = 0n
  // 9 tokens cost 0.81 kobo. Rounded up one by one, forty turns would cost 40.
  for (let step = 0; step < 40; step++) {
    const reserved = await reserveTurn(server.app, turn(who, { spentMicroKobo }))
    const settled = await settleTurn(server.app, reserved, { promptTokens: 8, outputTokens: 1 })
    spentMicroKobo = settled.spentMicroKobo
    charged += settled.chargedMinor
  }
  expect(charged).toBe(33n)
  expect(charged).toBe(costOf(priceOf(server.app, 'open', 'NGN'), 360))
  expect(await available(who)).toBe(9967n)
})
