import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type KeyId, newId } from '../../kernel/ids.ts'
import { applyOps, type WalletOp } from '../ledger/apply-ops.ts'
import { type HoldId, release, reserve, runChecks, settle, walletChecks } from '../wallet.ts'
import { expire } from './holds.ts'

let server: TestServer
let replica: TestServer
let ada: Person
let key: KeyId
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
})
afterAll(async () => {
  // A property of the whole file: every hold that it placed is counted.
  const check = walletChecks.filter(({ name }) => name === 'key_spend_is_the_sum_of_holds')
  const [result] = await runChecks(server.app, check)
  await replica.close()
  await server.close()
  expect(result).toMatchObject({ ok: true, violations: 0n })
  expect(result?.checked).toBeGreaterThan(0n)
})
beforeEach(async () => {
  ada = await server.person()
  await giveCredit(server, ada.orgId, 100_000n)
  key = await newKey()
})

type Budget = { minor?: bigint | null; period?: string; ancestors?: readonly KeyId[] }

async function newKey({ minor = null, period = 'total', ancestors = [] }: Budget = {}): Promise<KeyId> {
  const { id } = await server.key(ada, ['agent:run'])
  await server.sql.rows`
    update api_keys set budget_minor = ${minor}, budget_period = ${period}, ancestors = ${[...ancestors]}::text[],
      parent_id = ${ancestors[0] ?? null} where id = ${id}`
  return id as KeyId
}
const setBudget = (minor: bigint | null, period = 'total') => server.sql.rows`
  update api_keys set budget_minor = ${minor}, budget_period = ${period} where id = ${key}`

let count = 0
const deadline = () => new Date(server.clock.now().getTime() + 60_000)
const hold = (amountMinor: bigint, keyId: KeyId | null = key, on = server, leastMinor = amountMinor) =>
  reserve(on.app, {
    ...{ orgId: ada.orgId, userId: ada.userId, keyId, ref: `work ${++count}`, source: 'gateway' },
    ...{ amountMinor, leastMinor, terms: {}, deadline: deadline() },
  })
async function held(amountMinor: bigint, keyId: KeyId | null = key): Promise<HoldId> {
  const result = await hold(amountMinor, keyId)
  if (!result.ok) throw new Error(`not held: ${result.reason}`)
  return result.hold.holdId
}
const spend = async (amountMinor: bigint, keyId: KeyId | null = key) =>
  settle(server.app, { orgId: ada.orgId, holdId: await held(amountMinor, keyId), amountMinor, usage: null })
/** The amount that a key can still hold, from the refusal of a huge one. */
async function remaining(keyId: KeyId = key): Promise<[bigint, string]> {
  const refused = await hold(1_000_000n, keyId)
  if (refused.ok) throw new Error('the reservation was expected to be refused')
  return [refused.availableMinor, refused.reason]
}
const left = async (keyId?: KeyId) => (await remaining(keyId))[0]

describe('the rest of a key budget', () => {
  test('excludes spent and held money, but not released or expired money', async () => {
    await setBudget(1000n)
    await spend(300n)
    const [one, other] = [await held(200n), await held(100n)]
    expect(await remaining()).toEqual([400n, 'key_budget'])
    await release(server.app, { orgId: ada.orgId, holdId: one })
    expect(await left()).toBe(600n)
    server.clock.advance({ minutes: 2 })
    expect(await expire(server.app, { orgId: ada.orgId, holdId: other })).toBe(true)
    expect(await left()).toBe(700n)
    const partly = await held(700n)
    await settle(server.app, { orgId: ada.orgId, holdId: partly, amountMinor: 50n, usage: null })
    expect(await left()).toBe(650n)
  })

  test('counts money that was spent and held before the budget was set', async () => {
    await spend(300n)
    await held(100n)
    await setBudget(1000n)
    expect(await left()).toBe(600n)
    await setBudget(100n)
    expect(await remaining()).toEqual([0n, 'key_budget'])
  })

  test('cuts work that can be shortened, and does not concern other keys or people', async () => {
    await setBudget(500n)
    expect(await hold(800n, key, server, 200n)).toMatchObject({ ok: true, hold: { amountMinor: 500n } })
    expect(await hold(800n, key, server, 200n)).toMatchObject({ ok: false, reason: 'key_budget' })
    expect(await hold(800n, null)).toMatchObject({ ok: true })
    expect(await hold(800n, await newKey())).toMatchObject({ ok: true })
  })

  test('is named in a refusal only if it is the lowest limit', async () => {
    await setBudget(200_000n)
    expect(await remaining()).toEqual([100_000n, 'insufficient'])
    await server.sql.rows`update memberships set seat_cap_minor = 400 where user_id = ${ada.userId}`
    expect(await remaining()).toEqual([400n, 'cap_reached'])
    await setBudget(300n)
    expect(await remaining()).toEqual([300n, 'key_budget'])
  })
})

test('periods start at midnight UTC, on Mondays and on the first, and changing one loses no count', async () => {
  const goTo = (time: string) =>
    server.clock.advance({ ms: new Date(time).getTime() - server.clock.now().getTime() })
  const rests = async () => {
    const found: Record<string, bigint> = {}
    for (const period of ['day', 'week', 'month', 'total']) {
      await setBudget(1000n, period)
      found[period] = await left()
    }
    return found
  }
  // A Sunday, the last second of an ISO week.
  goTo('2026-11-29T23:59:59Z')
  await spend(100n)
  const open = await held(10n)
  expect(await rests()).toEqual({ day: 890n, week: 890n, month: 890n, total: 890n })
  goTo('2026-11-30T00:00:00Z')
  expect(await rests()).toEqual({ day: 1000n, week: 1000n, month: 890n, total: 890n })
  await spend(1n)
  goTo('2026-12-01T00:00:00Z')
  await spend(2n)
  expect(await rests()).toEqual({ day: 998n, week: 997n, month: 998n, total: 887n })
  // A hold that ends later counts on the day on which it was placed.
  await settle(server.app, { orgId: ada.orgId, holdId: open, amountMinor: 7n, usage: null })
  expect(await rests()).toEqual({ day: 998n, week: 997n, month: 998n, total: 890n })
})

test('a key spends from the budgets of the keys that created it', async () => {
  await setBudget(1000n)
  const child = await newKey({ ancestors: [key] })
  const grandchild = await newKey({ ancestors: [child, key], minor: 300n, period: 'day' })
  await spend(100n, key)
  await spend(200n, child)
  expect([await remaining(child), await remaining(grandchild)]).toEqual([
    [700n, 'key_budget'],
    [300n, 'key_budget'],
  ])
  await spend(250n, grandchild)
  expect([await left(key), await left(child), await left(grandchild)]).toEqual([450n, 450n, 50n])
  await server.sql.rows`update api_keys set budget_minor = 0 where id = ${child}`
  expect([await left(key), await left(child), await left(grandchild)]).toEqual([450n, 0n, 0n])
})

test('50 concurrent holds on two replicas never exceed the budget', async () => {
  await setBudget(1000n)
  const child = await newKey({ ancestors: [key] })
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, i) => hold(70n, i % 3 ? key : child, i % 2 ? server : replica)),
  )
  expect(results.filter(({ ok }) => ok)).toHaveLength(14)
  expect(new Set(results.map((result) => (result.ok ? 'held' : result.reason)))).toEqual(
    new Set(['held', 'key_budget']),
  )
  expect(await left()).toBe(20n)
})

test('the holds of one batch see each other', async () => {
  await setBudget(100n)
  const reserveOf = (n: number): WalletOp => ({
    ...{ kind: 'reserve', org: ada.orgId, mid: newId('led'), id: newId('hld'), ref: `batch ${++count} ${n}` },
    ...{ usr: ada.userId, key, source: 'gateway', amount: 30n, least: 30n, terms: {}, deadline: deadline() },
  })
  const results = await applyOps(server.app.db, [1, 2, 3, 4].map(reserveOf), server.clock.now(), {})
  expect(results.map(({ verdict }) => verdict)).toEqual(['held', 'held', 'held', 'key_budget'])
})

test('the counters always equal the holds, recomputed, in any order of operations', async () => {
  const step = fc.record({
    who: fc.integer({ min: 0, max: 3 }),
    amount: fc.bigInt({ min: 0n, max: 400n }),
    end: fc.constantFrom('settle', 'release', 'leave', 'nextDay'),
    charge: fc.bigInt({ min: 0n, max: 400n }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.bigInt({ min: 0n, max: 900n }),
      async (steps, budget) => {
        const root = await newKey({ minor: budget, period: 'day' })
        const child = await newKey({ ancestors: [root] })
        const callers = [root, child, await newKey({ ancestors: [child, root], minor: 200n }), await newKey()]
        for (const { who, amount, end, charge } of steps) {
          const result = await hold(amount, callers[who], who % 2 ? replica : server)
          if (end === 'nextDay') server.clock.advance({ days: 1 })
          if (!result.ok) continue
          const ref = { orgId: ada.orgId, holdId: result.hold.holdId }
          if (end === 'settle') await settle(server.app, { ...ref, amountMinor: charge, usage: null })
          if (end === 'release') await release(server.app, ref)
        }
        const counted = await server.sql.rows<{ key: KeyId; total: bigint }>`
        select key_id as key, sum(spent_minor + held_minor)::bigint as total from key_spend
        where key_id = any(${callers}::text[]) group by key_id`
        const recomputed = await server.sql.rows<{ key: KeyId; total: bigint }>`
        select key, sum(case when state = 'open' then amount_minor else charged_minor end)::bigint as total
        from holds, unnest(key_ids) key where key = any(${callers}::text[]) group by key`
        const toMap = (rows: typeof counted) => Object.fromEntries(rows.map((row) => [row.key, row.total]))
        expect(toMap(counted)).toEqual(toMap(recomputed))
        const days = await server.sql.rows<{ total: bigint }>`
        select spent_minor + held_minor as total from key_spend where key_id = ${root}`
        for (const { total } of days) expect(total).toBeLessThanOrEqual(budget)
      },
    ),
    { numRuns: 12 },
  )
})
