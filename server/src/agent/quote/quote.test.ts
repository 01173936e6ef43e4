import {
  type AgentTestServer,
  createFundedPerson,
  fixingAnswer,
  readWallet,
  startAgentServer,
  TASK,
} from '@cowrie/testkit/agent/run.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { giveCredit, grantAllowance, holdSome } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AgentRunResult } from '../schema.ts'

type Quoted = {
  lane: string
  model: string
  promptTokens: number
  minMinor: bigint
  maxMinor: bigint
  leastMinor: bigint
  balanceMinor: bigint
  availableMinor: bigint
  affordable: boolean
  iterations: number
  code?: string
}

let stage: AgentTestServer
beforeAll(async () => {
  stage = await startAgentServer()
})
afterAll(() => stage.close())
beforeEach(() => stage.upstream.reset())

const quote = (who: { bearer: string }, body: object = TASK) =>
  stage.server.call<Quoted>('POST', '/agent/quote', { as: who, body })
const run = (who: Person, body: object = TASK) =>
  stage.server.call<AgentRunResult>('POST', '/agent/run', { as: who, body })

describe('a quote', () => {
  test('contains lane, model and price, and neither calls a model nor holds money', async () => {
    const who = await createFundedPerson(stage.server, 50_000n)
    const { status, body } = await quote(who)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      lane: 'open',
      model: 'small-1',
      balanceMinor: 50_000n,
      availableMinor: 50_000n,
      affordable: true,
      iterations: 1,
    })
    expect(body.minMinor).toBeGreaterThan(0n)
    expect(body.minMinor).toBeLessThan(body.leastMinor)
    expect(body.leastMinor).toBeLessThan(body.maxMinor)
    expect(stage.upstream.requests).toEqual([])
    expect(await readWallet(stage.server, who)).toMatchObject({ heldMinor: 0n, balanceMinor: 50_000n })
  })

  test('is the same on repetition', async () => {
    const who = await createFundedPerson(stage.server, 50_000n)
    const quotes = await Promise.all(Array.from({ length: 5 }, () => quote(who)))
    expect(new Set(quotes.map(({ text }) => text)).size).toBe(1)
  })

  test('applies for an hour, even if prices rise', async () => {
    const who = await createFundedPerson(stage.server, 10_000_000n)
    const root = await stage.server.person({ staff: 'super_admin' })
    const price = async (value: number) => {
      await stage.server.call('PUT', '/admin/settings/price_open_kobo_per_1m', { as: root, body: { value } })
      await stage.server.app.settings.refresh()
    }
    const usage = { prompt_tokens: 900, completion_tokens: 700 }
    const { body: told } = await quote(who)
    await price(2_000_000)
    stage.upstream.script(fixingAnswer({ usage }), fixingAnswer({ usage }))
    const { body: kept } = await run(who)
    // At the new price it would cost 3 200.
    expect(kept.costMinor).toBeLessThanOrEqual(told.maxMinor)
    expect((await run(who, { ...TASK, prompt: 'Something else.' })).body.costMinor).toBe(3_200n)
    await price(90_000)
  })

  test('and an error name the same amount, which is sufficient', async () => {
    const who = await createFundedPerson(stage.server, 0n)
    const refused = async () => (await run(who)).body as unknown as { requiredMinor: bigint; code: string }
    const first = await refused()
    expect(first).toMatchObject({ code: 'insufficient_funds' })
    expect((await refused()).requiredMinor).toBe(first.requiredMinor)
    expect((await quote(who)).body.leastMinor).toBe(first.requiredMinor)
    await giveCredit(stage.server, who.orgId, first.requiredMinor)
    stage.upstream.script(fixingAnswer())
    expect((await run(who)).status).toBe(200)
  })

  test.for(isSoak ? ['NGN', 'KES', 'UGX', 'USD', 'TZS'] : ['KES', 'UGX'])(
    'in %s is respected by every run, regardless of the usage that the upstream reports',
    async (currency) => {
      const random = seeded(currency.charCodeAt(0))
      const below = (most: number) => Math.floor(random() * most)
      const who = await createFundedPerson(stage.server, 100_000_000n, currency)
      for (let round = 0; round < 6; round++) {
        const frontier = random() < 0.5
        const usage = () => ({ prompt_tokens: below(60_000), completion_tokens: below(20_000) })
        stage.upstream.script(
          random() < 0.5 ? wrongly({ usage: usage() }) : fixingAnswer({ usage: usage() }),
          fixingAnswer({ usage: usage() }),
        )
        const body = { ...TASK, frontier }
        const quoted = (await quote(who, body)).body
        const { body: done } = await run(who, body)
        expect(done.costMinor).toBeLessThanOrEqual(quoted.maxMinor)
        expect(done.balanceMinor).toBe(quoted.balanceMinor - done.costMinor)
        expect(done.lane).toBe(quoted.lane)
        stage.upstream.reset()
      }
      expect(await readWallet(stage.server, who)).toMatchObject({ heldMinor: 0n })
    },
  )

  test('is affordable exactly when a run would start', async () => {
    const { leastMinor } = (await quote(await createFundedPerson(stage.server, 0n))).body
    for (const [balanceMinor, isEnough] of [
      [leastMinor, true],
      [leastMinor - 1n, false],
    ] as const) {
      const who = await createFundedPerson(stage.server, balanceMinor)
      expect((await quote(who)).body.affordable).toBe(isEnough)
    }
    const enough = await createFundedPerson(stage.server, leastMinor)
    stage.upstream.fallback(fixingAnswer())
    expect((await run(enough)).status).toBe(200)
    expect((await run(await createFundedPerson(stage.server, leastMinor / 2n))).status).toBe(402)
  })

  test('includes the plan allowance, existing holds and the cap of the member', async () => {
    const who = await createFundedPerson(stage.server, 10_000n)
    await grantAllowance(stage.server, who.orgId, 500n)
    expect((await quote(who)).body).toMatchObject({ availableMinor: 10_500n, balanceMinor: 10_000n })
    await holdSome(stage.server, who, 1_500n)
    expect((await quote(who)).body).toMatchObject({ availableMinor: 9_000n, balanceMinor: 10_000n })
    await stage.server.sql.rows`update memberships set seat_cap_minor = 1600 where org_id = ${who.orgId}`
    expect((await quote(who)).body).toMatchObject({ availableMinor: 100n, affordable: false })
  })

  test('with a cost limit never exceeds it', async () => {
    const who = await createFundedPerson(stage.server, 50_000n)
    const { leastMinor } = (await quote(who)).body
    expect((await quote(who, { ...TASK, maxMinor: leastMinor })).body).toMatchObject({
      maxMinor: leastMinor,
      affordable: true,
    })
    expect((await quote(who, { ...TASK, maxMinor: 1 })).body).toMatchObject({
      minMinor: 1n,
      maxMinor: 1n,
      affordable: false,
    })
  })

  test('of a loop depends on its iterations, up to the maximum of the plan', async () => {
    const who = await createFundedPerson(stage.server, 50_000n)
    const of = async (more: object) => (await quote(who, { ...TASK, ...more })).body
    const [one, two, eight] = [
      await of({ maxIters: 1 }),
      await of({ maxIters: 2 }),
      await of({ maxIters: 8 }),
    ]
    expect([one.iterations, two.iterations, eight.iterations]).toEqual([1, 2, 3])
    expect(two.maxMinor).toBeGreaterThan(one.maxMinor)
    expect((await of({ sandbox: 'none' })).maxMinor).toBe(eight.maxMinor)
    await stage.server.sql.rows`update orgs set tier = 'enterprise' where id = ${who.orgId}`
    expect((await of({ maxIters: 8 })).iterations).toBe(6)
    expect((await quote(who, { ...TASK, maxIters: 9 })).status).toBe(400)
  })

  test('is rejected for the same reasons as a run', async () => {
    const who = await createFundedPerson(stage.server, 50_000n)
    expect(await quote(who, { prompt: '\u1200'.repeat(200_000) })).toMatchObject({
      body: { code: 'prompt_too_long' },
    })
    await stage.server.sql.rows`update orgs set residency_region = 'eu' where id = ${who.orgId}`
    expect(await quote(who)).toMatchObject({ status: 451, body: { code: 'residency_blocked' } })
    const key = await stage.server.key(who, ['wallet:read'])
    expect(await quote(key)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  })
})

/** An answer whose edit does not match, so that a repair turn follows. */
const wrongly = (rest: object) => (request: Parameters<ReturnType<typeof fixingAnswer>>[0]) => {
  const { text = '', ...reply } = fixingAnswer(rest)(request)
  return { ...reply, text: text.replace('return a - b', 'return a * b') }
}
