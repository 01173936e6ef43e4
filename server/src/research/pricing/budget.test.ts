// Costs of a run: within its budget and the balance, and all of them in the ledger.

import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { requireValidCitations } from '@cowrie/testkit/research/citations.ts'
import type { ModelScript, Plant } from '@cowrie/testkit/research/model-script.ts'
import { type ScriptedWorld, startScriptedWorld } from '@cowrie/testkit/research/scripted-world.ts'
import type { RunDetail, RunInput } from '@cowrie/testkit/research/world.ts'
import { giveCredit, grantAllowance, spend } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { priceOf } from '../../metering/metering.ts'
import { QUESTION } from '../world/pages.ts'

const PLENTY = 1_000_000n

let world: ScriptedWorld
let ada: Person
beforeAll(async () => {
  world = await startScriptedWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.renew()
  ada = await world.customer(PLENTY)
})

const start = (as: Person, input: RunInput = {}) =>
  world.server.call<{ code: string; requiredMinor: bigint; availableMinor: bigint; maxMinor: bigint }>(
    'POST',
    '/research',
    { as, body: { question: QUESTION, depth: 'quick', ...input } },
  )
/** As the error states it. */
const leastOf = async (as: Person): Promise<bigint> =>
  (await start(as, { budgetMinor: 1n })).body.requiredMinor
const turnsOf = async (as: Person, run: RunDetail) =>
  (await world.events(as, run.id)).flatMap((event) => (event.kind === 'turn' ? [event] : []))

/** Invariants: there is a report, the cost is in the ledger and within the budget, and nothing is held. */
async function requireSound(as: Person, run: RunDetail, balanceMinor = PLENTY): Promise<void> {
  expect(run).toMatchObject({ status: 'completed', errorCode: null, refundedMinor: 0n })
  expect(run.spentMinor).toBeLessThanOrEqual(run.budgetMinor)
  expect(await world.charged(as)).toBe(run.spentMinor)
  const turns = await turnsOf(as, run)
  expect(turns.reduce((sum, { costMinor }) => sum + costMinor, 0n)).toBe(run.spentMinor)
  expect(turns.length).toBe(run.turns)
  const wallet = await world.wallet(as)
  expect(wallet).toMatchObject({ heldMinor: 0n, balanceMinor: balanceMinor - run.spentMinor })
  const open = await world.server.sql.rows`select id from holds where org_id = ${as.orgId} and state = 'open'`
  expect(open).toEqual([])
  const warned = (await world.events(as, run.id)).some(
    (event) => event.kind === 'warning' && event.code === 'without_model_budget',
  )
  expect(run.stopReason === 'budget').toBe(warned)
  await requireValidCitations(world, as, run)
}

describe('a budget', () => {
  test.for(isSoak ? [0n, 1n, 80n, 320n, 640n] : [0n, 320n])(
    'of %d above the minimum is respected',
    async (moreMinor) => {
      const run = await world.research(ada, { budgetMinor: (await leastOf(ada)) + moreMinor })
      await requireSound(ada, run)
      expect(run.turns).toBeGreaterThan(0)
    },
  )

  test('that is sufficient does not stop a run, and the minimum does', async () => {
    const run = await world.research(ada)
    expect(run).toMatchObject({ stopReason: 'completed', budgetMinor: 200_000n })
    await requireSound(ada, run)
    const small = await world.customer(PLENTY)
    expect((await world.research(small, { budgetMinor: await leastOf(small) })).stopReason).toBe('budget')
  })

  test('of the API key that started the run limits it, and counts all of its turns', async () => {
    const key = await world.server.key(ada, ['agent:run'])
    const program = { ...ada, bearer: key.bearer }
    const setBudget = (minor: bigint) =>
      world.server.sql.rows`update api_keys set budget_minor = ${minor} where id = ${key.id}`
    const least = await leastOf(ada)
    await setBudget(least - 1n)
    expect((await start(program)).body).toMatchObject({ code: 'key_budget_exceeded', requiredMinor: least })
    await setBudget(least + 80n)
    const run = await world.research(program)
    await requireSound(program, run)
    expect(run.spentMinor).toBeGreaterThan(0n)
    expect(run.spentMinor).toBeLessThanOrEqual(least + 80n)
    const counted = await world.server.sql.rows<{ spent: bigint; held: bigint }>`
      select spent_minor as spent, held_minor as held from key_spend where key_id = ${key.id}`
    expect(counted).toEqual([{ spent: run.spentMinor, held: 0n }])
  })

  test('below the minimum is refused, with the required amount', async () => {
    const least = await leastOf(ada)
    expect(await start(ada, { budgetMinor: least - 1n })).toMatchObject({
      status: 402,
      body: { code: 'budget_too_low', requiredMinor: least, maxMinor: least - 1n },
    })
    expect((await start(ada, { budgetMinor: least })).status).toBe(202)
  })

  test('of zero suffices on a free lane', async () => {
    const poor = await world.server.person()
    await world.during({ price_open_kobo_per_1m: 0 }, async () => {
      const run = await world.research(poor, { budgetMinor: 0n })
      expect(run).toMatchObject({ stopReason: 'completed', spentMinor: 0n })
      await requireSound(poor, run, 0n)
    })
  })

  test('is respected if prices rise during the run', async () => {
    const raise = () =>
      world.server.call('PUT', '/admin/settings/price_open_kobo_per_1m', {
        as: world.operator,
        body: { value: 2_000_000 },
      })
    world.script({}, (turn, reply) => (turn === 'extract' ? { pieces: [raise, String(reply)] } : null))
    const run = await world.during({ price_open_kobo_per_1m: 90_000 }, () =>
      world.research(ada, { budgetMinor: 1_500n }),
    )
    expect(run.stopReason).toBe('budget')
    await requireSound(ada, run)
  })

  soakTest('is in the currency of the organisation', async () => {
    const kenyan = await world.server.person()
    await world.server.sql.rows`update orgs set currency = 'KES' where id = ${kenyan.orgId}`
    await giveCredit(world.server, kenyan.orgId, PLENTY)
    const run = await world.research(kenyan)
    await requireSound(kenyan, run)
    const { koboPer1m, numerator, denominator } = priceOf(world.server.app, 'open', 'KES')
    for (const { tokens, costMinor } of await turnsOf(kenyan, run)) {
      const kobo = (tokens * Number(koboPer1m)) / 1e6
      expect(
        Math.abs(Number(costMinor) - (kobo * Number(numerator)) / Number(denominator)),
      ).toBeLessThanOrEqual(1)
    }
    expect(numerator).not.toBe(denominator)
  })
})

describe('the wallet', () => {
  test('that does not cover a report refuses the run, with the required amount', async () => {
    const least = await leastOf(ada)
    for (const balance of [1n, least - 1n]) {
      const poor = await world.customer(balance)
      expect(await start(poor)).toMatchObject({
        status: 402,
        body: { code: 'insufficient_funds', requiredMinor: least, availableMinor: balance },
      })
      expect(await world.wallet(poor)).toMatchObject({ heldMinor: 0n })
    }
    for (const balance of isSoak ? [least, least + 200n, least + 1_000n] : [least]) {
      const just = await world.customer(balance)
      const run = await world.research(just)
      await requireSound(just, run, balance)
      expect((await turnsOf(just, run)).map(({ purpose }) => purpose)).toContain('plan')
    }
  })

  /** During each of these turns the free balance is spent elsewhere. */
  function spendMeanwhile(during: readonly (string | null)[], script: ModelScript = {}) {
    const takeRest = async () => {
      const { availableMinor } = await world.wallet(ada)
      if (availableMinor > 0n) await spend(world.server, ada, availableMinor)
    }
    return world.script(script, (turn, reply) =>
      during.includes(turn) ? { pieces: [takeRest, String(reply)] } : null,
    )
  }

  test('that runs empty during a run still pays for the report', async () => {
    const model = spendMeanwhile(['plan'])
    const run = await world.research(ada)
    expect(run).toMatchObject({ status: 'completed', stopReason: 'budget' })
    expect(model.turns).toEqual(['plan', 'report'])
    expect((await turnsOf(ada, run)).map(({ purpose }) => purpose)).toEqual(['plan', 'report'])
    expect(await world.charged(ada)).toBe(run.spentMinor)
    expect(await world.wallet(ada)).toMatchObject({ heldMinor: 0n })
    await requireValidCitations(world, ada, run)
  })

  test('keeps the report reserve across retries', async () => {
    const firstIsProse = (nth: number): readonly Plant[] => (nth === 0 ? ['prose'] : [])
    const model = spendMeanwhile(['plan', 'report'], { plants: { report: firstIsProse } })
    const run = await world.research(ada)
    expect(model.turns).toEqual(['plan', 'report', 'report'])
    expect((await turnsOf(ada, run)).map(({ purpose }) => purpose)).toEqual(['plan', 'report'])
    expect(await world.wallet(ada)).toMatchObject({ heldMinor: 0n })
  })

  soakTest('is not charged while the plan includes usage', async () => {
    await grantAllowance(world.server, ada.orgId, 10_000n)
    const { spentMinor } = await world.research(ada)
    expect(await world.wallet(ada)).toMatchObject({
      balanceMinor: PLENTY,
      includedRemainingMinor: 10_000n - spentMinor,
      heldMinor: 0n,
    })
    expect(await world.charged(ada)).toBe(spentMinor)
  })

  test('pays what the plan does not include', async () => {
    await grantAllowance(world.server, ada.orgId, 100n)
    const { spentMinor } = await world.research(ada)
    const { balanceMinor, includedRemainingMinor, heldMinor } = await world.wallet(ada)
    expect(PLENTY - balanceMinor + 100n - includedRemainingMinor).toBe(spentMinor)
    expect(includedRemainingMinor).toBeLessThan(100n)
    expect(heldMinor).toBe(0n)
  })

  test('of a member with a cap pays up to the cap', async () => {
    const cap = (minor: bigint) =>
      world.server.sql.rows`update memberships set seat_cap_minor = ${minor} where org_id = ${ada.orgId}`
    await world.server.sql.rows`update orgs set type = 'team', tier = 'team' where id = ${ada.orgId}`
    await cap(1n)
    expect(await start(ada)).toMatchObject({
      status: 402,
      body: { code: 'member_cap_reached', availableMinor: 1n },
    })
    const capMinor = (await leastOf(ada)) + 50n
    await cap(capMinor)
    const run = await world.research(ada)
    await requireSound(ada, run)
    expect(run.spentMinor).toBeLessThanOrEqual(capMinor)
    expect(run.turns).toBeGreaterThan(0)
  })
})

describe('the lanes', () => {
  const MODELS = { open: 'small-1', frontier: 'big-1' }
  const KOBO = { open: 90_000, frontier: 1_500_000 }

  const MODES = [
    ['synthesis-frontier', ['report', 'repair']],
    ['open', []],
    ['frontier', ['plan', 'extract', 'gap', 'report', 'repair']],
  ] as const

  test.for(isSoak ? MODES : MODES.slice(0, 1))(
    'in mode %s follow the setting, each at its price',
    async ([mode, onFrontier]) => {
      const laneOf = (purpose: string) =>
        onFrontier.some((each) => each === purpose) ? ('frontier' as const) : ('open' as const)
      await world.during({ research_lane_mode: mode }, async () => {
        const run = await world.research(ada)
        for (const { turn, model } of world.modelTurns())
          expect(model, `${turn}`).toBe(MODELS[laneOf(turn ?? '')])
        const turns = await turnsOf(ada, run)
        expect(turns.map(({ purpose }) => purpose)).toEqual(
          expect.arrayContaining(['plan', 'extract', 'report']),
        )
        for (const { purpose, lane, tokens, costMinor } of turns) {
          expect(lane).toBe(laneOf(purpose))
          // Amounts below a minor unit are carried over to the next turn.
          expect(Math.abs(Number(costMinor) - (tokens * KOBO[lane]) / 1e6)).toBeLessThanOrEqual(1)
        }
        await requireSound(ada, run)
      })
    },
  )
})
