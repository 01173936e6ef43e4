import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { openDb } from '../../platform/db/open-db.ts'
import type { Sql } from '../../platform/db/tx.ts'
import { runChecks } from '../../wallet/wallet.ts'
import { usageChecks } from './invariants.ts'
import { repairLate, sealNext } from './seal.ts'
import { daysAreSums } from './seals-sql.ts'

const SCHEDULES = ['metering.', 'wallet.']

type Spent = { costMinor: bigint; tokens: number }
type Totals = Spent & {
  byLane: Record<string, Spent>
  bySource: Record<string, Spent>
  byDay: (Spent & { day: string })[]
}
type Point = {
  user: string | null
  at: Date
  lane: string
  source: string
  tokens: number
  costMinor: bigint
}
type Team = { members: { userId: string; monthMinor: bigint }[]; totalMinor: bigint }

const LANES = ['open', 'frontier'] as const
const SOURCES = ['agent', 'chat', 'index', 'research', 'review', 'gateway'] as const
const DAY_MS = 86_400_000

let server: TestServer
let other: TestServer
let ada: Person
let colleague: Person
beforeAll(async () => {
  server = await startTestServer({ schedules: SCHEDULES })
  other = await startTestServer({ schedules: SCHEDULES, url: server.url, clock: server.clock })
  ada = await server.person({ type: 'team' })
  colleague = await server.member(ada.orgId, 'member')
})
afterAll(async () => {
  await other.close()
  await server.close()
})
afterEach(async () => {
  for (const table of ['usage_points', 'usage_days', 'usage_seals'])
    await server.sql.rows(Object.assign([`delete from ${table}`], { raw: [`delete from ${table}`] }))
})

/** Deterministic pseudo-random numbers, so that a failure can be reproduced. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const daysAgo = (days: number, ms = 0) =>
  new Date(Math.floor(server.clock.now().getTime() / DAY_MS) * DAY_MS - days * DAY_MS + ms)

const pointAt = (at: Date, rest: Partial<Point> = {}): Point => ({
  user: ada.userId,
  at,
  lane: 'open',
  source: 'agent',
  tokens: 100,
  costMinor: 10n,
  ...rest,
})

/** Points of three users, many of them close to midnight. */
function randomPoints(seed: number, count: number, days: number): Point[] {
  const upTo = chance(seed)
  return Array.from({ length: count }, () => {
    const near = [0, 1, DAY_MS - 1, upTo(DAY_MS)][upTo(4)] ?? 0
    return {
      user: [ada.userId, colleague.userId, null][upTo(3)] ?? null,
      at: new Date(Math.min(daysAgo(upTo(days), near).getTime(), server.clock.now().getTime() - 1)),
      lane: LANES[upTo(2)] ?? 'open',
      source: SOURCES[upTo(6)] ?? 'agent',
      tokens: upTo(1_000_000),
      costMinor: 9_007_199_254_740n + BigInt(upTo(1_000_000)),
    }
  })
}

async function plant(points: readonly Point[]): Promise<void> {
  const column = <K extends keyof Point>(key: K) => points.map((point) => point[key])
  const ids = points.map(() => newId('use'))
  await server.sql.rows`
    insert into usage_points (id, org_id, user_id, at, lane, model, source, tokens, cost_minor)
    select id, ${ada.orgId}, user_id, at, lane, 'm', source, tokens, cost_minor
    from unnest(${ids}::text[], ${column('user')}::text[], ${column('at')}::timestamptz[], ${column('lane')}::text[],
                ${column('source')}::text[], ${column('tokens')}::bigint[], ${column('costMinor')}::bigint[])
      each(id, user_id, at, lane, source, tokens, cost_minor)`
}

/** The expected reply, computed point by point. */
function summed(points: readonly Point[], from: Date, to: Date): Totals {
  const own = points.filter(({ user, at }) => user === ada.userId && at >= from && at < to)
  const total = (some: readonly Point[]): Spent => ({
    costMinor: some.reduce((sum, { costMinor }) => sum + costMinor, 0n),
    tokens: some.reduce((sum, { tokens }) => sum + tokens, 0),
  })
  const by = (key: (point: Point) => string) =>
    [...Map.groupBy(own, key)].map(([name, some]) => [name, total(some)] as const)
  const days = by(({ at }) => at.toISOString().slice(0, 10)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    ...total(own),
    byLane: Object.fromEntries(by(({ lane }) => lane)),
    bySource: Object.fromEntries(by(({ source }) => source)),
    byDay: days.map(([day, spent]) => ({ day, ...spent })),
  }
}

async function totals(from: Date, to: Date): Promise<Totals> {
  const query = { from: from.toISOString(), to: to.toISOString() }
  return (await server.call<{ totals: Totals }>('GET', '/me/usage', { as: ada, query })).body.totals
}

const team = async () => (await server.call<Team>('GET', `/teams/${ada.orgId}/usage`, { as: ada })).body
const sealDays = (most: number) => server.app.db.tx('platform', (tx) => sealNext(tx, most))
const seals = async () =>
  (
    await server.sql.rows<{ day: string; points: bigint }>`
      select day::text as day, points from usage_seals order by day`
  ).map(({ day, points }) => [day, Number(points)])
const check = async () => (await runChecks(server.app, usageChecks))[0]

describe('reading', () => {
  test('is exact for any sealed part and any period', async () => {
    const points = randomPoints(7, 400, 9)
    await plant(points)
    const upTo = chance(11)
    const edges = [daysAgo(9), daysAgo(0), daysAgo(3, 1), daysAgo(5, -1), server.clock.now()]
    for (let round = 0; round < 10; round++) {
      const spans = Array.from({ length: 8 }, () => {
        const ends = [0, 1].map(() => edges[upTo(8)] ?? daysAgo(upTo(10), upTo(DAY_MS)))
        return ends.toSorted((a, b) => a.getTime() - b.getTime()) as [Date, Date]
      })
      for (const [from, to] of [[daysAgo(8), server.clock.now()] as const, ...spans])
        expect(await totals(from, to)).toEqual(summed(points, from, to))
      await sealDays(1)
    }
    expect(await seals()).toHaveLength(8)
  })

  test('uses the sums of sealed days, and points otherwise', async () => {
    await plant([pointAt(daysAgo(2, 5)), pointAt(daysAgo(1, 5)), pointAt(daysAgo(0, 5))])
    expect(await sealDays(1)).toBe(1)
    await server.sql.rows`update usage_days set cost_minor = 1000`
    expect((await totals(daysAgo(2), server.clock.now())).costMinor).toBe(1020n)
    expect((await totals(daysAgo(2, 1), server.clock.now())).costMinor).toBe(30n)
    expect((await team()).totalMinor).toBe(1020n)
  })

  test('the usage of a team is the same before and after sealing, including former members and usage without a member', async () => {
    const points = randomPoints(13, 200, 14)
    await plant([...points, pointAt(daysAgo(40), { costMinor: 5n })])
    const sumOf = (user?: string) =>
      points
        .filter((point) => user === undefined || point.user === user)
        .reduce((sum, { costMinor }) => sum + costMinor, 0n)
    for (const most of [0, 30, 30]) {
      if (most > 0) expect(await sealDays(most)).toBeGreaterThan(0)
      const { members, totalMinor } = await team()
      expect(totalMinor).toBe(sumOf())
      for (const { userId } of [ada, colleague])
        expect(members.find((member) => member.userId === userId)?.monthMinor).toBe(sumOf(userId))
    }
  })
})

describe('sealing', () => {
  test('waits until a day has been over for an hour', async () => {
    const sinceMidnightMs = server.clock.now().getTime() - daysAgo(0).getTime()
    await plant([pointAt(daysAgo(0, 1))])
    expect(await sealDays(7)).toBe(0)
    server.clock.advance({ ms: DAY_MS - sinceMidnightMs + 3_599_999 })
    expect(await sealDays(7)).toBe(0)
    server.clock.advance({ ms: 1 })
    expect(await sealDays(7)).toBe(1)
    expect(await sealDays(7)).toBe(0)
    server.clock.advance({ hours: 8 })
  })

  test('catches up with forty days in one job run, including empty ones, and seals each once', async () => {
    await plant([pointAt(daysAgo(0, 5)), pointAt(daysAgo(0, 6))])
    await server.app.jobs.drain()
    server.clock.advance({ days: 40 })
    await plant([pointAt(daysAgo(20, 5)), pointAt(daysAgo(1, 5))])
    await server.app.jobs.drain()
    const sealed = await seals()
    expect(sealed).toHaveLength(40)
    expect(sealed.filter(([, points]) => points !== 0).map(([, points]) => points)).toEqual([2, 1, 1])
    expect((await totals(daysAgo(40), server.clock.now())).costMinor).toBe(40n)
    server.clock.advance({ hours: 1 })
    await server.app.jobs.drain()
    expect(await seals()).toEqual(sealed)
  })

  test('is done by one of two concurrent replicas', async () => {
    const points = randomPoints(17, 100, 12)
    await plant(points)
    const attempts = [server, other, server, other].map(({ app }) =>
      app.db.tx('platform', (tx) => sealNext(tx, 3)),
    )
    const done = await Promise.all(attempts)
    let sealed = done.reduce((sum, days) => sum + days, 0)
    for (let round = 0; round < 5; round++) sealed += await sealDays(3)
    expect(sealed).toBe(11)
    expect(await seals()).toHaveLength(11)
    expect(await totals(daysAgo(12), server.clock.now())).toEqual(
      summed(points, daysAgo(12), server.clock.now()),
    )
  })

  test('does not wait for another replica, and is atomic', async () => {
    await plant([pointAt(daysAgo(2, 5))])
    const failed = server.app.db.tx('platform', async (tx) => {
      expect(await sealNext(tx, 1)).toBe(1)
      expect(await other.app.db.tx('platform', (second) => sealNext(second, 1))).toBe(0)
      expect(await other.app.db.tx('platform', repairLate)).toEqual([])
      throw new Error('the replica died')
    })
    await expect(failed).rejects.toThrow('the replica died')
    expect(await seals()).toEqual([])
    expect(await server.sql.rows`select day from usage_days`).toEqual([])
    expect(await sealDays(7)).toBe(2)
  })

  test('corrects and logs a point that was committed after its day was sealed', async () => {
    await plant([pointAt(daysAgo(3, 5)), pointAt(daysAgo(1, 5))])
    expect(await sealDays(7)).toBe(3)
    const sealed = await seals()
    await plant([pointAt(daysAgo(1, 9)), pointAt(daysAgo(2, 9), { user: null })])
    server.clock.advance({ hours: 1 })
    await server.app.jobs.drain()
    expect(await seals()).toEqual(
      sealed.map(([day, points], i) => [day, i === 0 ? points : Number(points) + 1]),
    )
    expect((await totals(daysAgo(3), server.clock.now())).costMinor).toBe(30n)
    expect(server.logged.filter((line) => line.includes('metering.usage_day.reopened'))).toHaveLength(2)
    expect(await server.app.db.tx('platform', repairLate)).toEqual([])
  })

  test('does not lose a point whose transaction started before the seal and ended after it', async () => {
    await plant([pointAt(daysAgo(1, 5))])
    const begun = Promise.withResolvers<void>()
    const isSealed = Promise.withResolvers<void>()
    const late = insertSlowly(begun.resolve, isSealed.promise)
    await begun.promise
    expect(await sealDays(7)).toBe(1)
    isSealed.resolve()
    await late
    expect(await server.app.db.tx('platform', repairLate)).toEqual([daysAgo(1)])
    expect((await totals(daysAgo(1), daysAgo(0))).costMinor).toBe(20n)
  })
})

describe('the usage check', () => {
  test('accepts correct sums, and reports the day of a wrong one', async () => {
    await plant([...randomPoints(19, 60, 4), pointAt(daysAgo(4, 5))])
    await sealDays(7)
    expect(await check()).toMatchObject({ ok: true, checked: 4n, violations: 0n })
    const day = daysAgo(2).toISOString().slice(0, 10)
    for (const [change, undo] of [
      ['update usage_days set tokens = tokens + 1', 'update usage_days set tokens = tokens - 1'],
      [
        'update usage_days set cost_minor = cost_minor + 1',
        'update usage_days set cost_minor = cost_minor - 1',
      ],
      ['update usage_days set points = points + 1', 'update usage_days set points = points - 1'],
      ['update usage_seals set points = points + 1', 'update usage_seals set points = points - 1'],
    ] as const) {
      await onDay(change, day)
      expect(await check()).toMatchObject({ ok: false, violations: 1n, examples: [day] })
      await onDay(undo, day)
      expect(await check()).toMatchObject({ ok: true })
    }
    await onDay('delete from usage_days', day)
    expect(await check()).toMatchObject({ ok: false, examples: [day] })
  })
})

test('the usage check accepts a day that is sealed again while it runs', async () => {
  await plant([...randomPoints(23, 40, 3), pointAt(daysAgo(1, 5))])
  await sealDays(7)
  await plant([pointAt(daysAgo(1, 6))])
  const found = await server.app.db.tx('platform', (tx) =>
    daysAreSums(
      {
        one: tx.one.bind(tx),
        maybe: tx.maybe.bind(tx),
        async rows(text, ...values) {
          const sample = await tx.rows(text, ...values)
          expect(await server.app.db.tx('platform', repairLate)).toEqual([daysAgo(1)])
          return sample as never
        },
      } as Sql,
      server.clock.now(),
    ),
  )
  expect(found).toMatchObject({ violations: 0n, examples: null })
})

test('an organisation sees no sums of others', async () => {
  await plant([pointAt(daysAgo(1, 5))])
  await sealDays(7)
  const { orgId } = await server.person()
  expect(await server.app.db.tx(orgId, (tx) => tx.rows`select day from usage_days`)).toEqual([])
  expect(await server.app.db.tx(ada.orgId, (tx) => tx.rows`select day from usage_days`)).toHaveLength(1)
})

const onDay = (statement: string, day: string) => {
  const text = [`${statement} where day = `, '::date']
  return server.sql.rows(Object.assign(text, { raw: text }), day)
}

/** A settlement with a delay between write and commit. */
const insertSlowly = (begun: () => void, mayEnd: Promise<void>) => {
  const owner = openDb(server.url, { ...GENEROUS_TIMEOUTS, clock: server.clock, max: 1 })
  return owner
    .tx('platform', async (tx) => {
      await tx.rows`
        insert into usage_points (id, org_id, user_id, at, lane, model, source, tokens, cost_minor)
        values (${newId('use')}, ${ada.orgId}, ${ada.userId}, ${daysAgo(1, 7)}, 'open', 'm', 'agent', 1, 10)`
      begun()
      await mayEnd
    })
    .finally(() => owner.close())
}
