import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit, grantAllowance, spend } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import { sealNext } from '../metering/usage/seal.ts'
import { STAFF_TIERS } from '../platform/http/actor.ts'

let server: TestServer
let staff: Person
let ada: Person
let member: Person
let kem: Person
const ALL = { scope: 'all' }

beforeAll(async () => {
  server = await startTestServer()
  staff = await server.person({ staff: 'support' })
  ada = await server.person({ type: 'team' })
  member = await server.member(ada.orgId, 'member')
  kem = await server.person()
  await inCurrency(kem, 'KES')
  // 2026-10-20, a Tuesday. The test clock is at 2026-11-15T09:00Z, a Sunday.
  await use(ada, { at: '2026-10-20T23:30:00Z', tokens: 1_000, cost: 100n })
  await use(ada, {
    at: '2026-11-13T10:00:00Z',
    tokens: 2_000,
    cost: 3_000n,
    lane: 'frontier',
    source: 'chat',
  })
  await use(ada, { at: '2026-11-15T08:15:00Z', tokens: 500, cost: 50n, by: member, model: 'm-2' })
  await use(kem, { at: '2026-11-15T07:00:00Z', tokens: 10_000, cost: 89n })
  await giveCredit(server, ada.orgId, 10_000n)
  await grantAllowance(server, ada.orgId, 500n)
  await spend(server, ada, 1_200n)
  await giveCredit(server, kem.orgId, 8_900n)
  await spend(server, kem, 890n)
  await giveCredit(server, kem.orgId, 89n, 'adjustment')
  server.clock.advance({ seconds: 1 })
})
afterAll(() => server.close())

type Use = {
  at: string
  tokens: number
  cost: bigint
  lane?: string
  source?: string
  model?: string
  by?: Person
}

async function use(org: Person, used: Use) {
  const { at, tokens, cost, lane = 'open', source = 'agent', model = 'm-1', by = org } = used
  await server.sql.rows`
    insert into usage_points (id, org_id, user_id, at, lane, model, source, tokens, cost_minor)
    values (${newId('use')}, ${org.orgId}, ${by.userId}, ${new Date(at)}, ${lane}, ${model}, ${source}, ${tokens}, ${cost})`
}

const inCurrency = ({ orgId }: Person, currency: Currency) =>
  server.sql.rows`update orgs set currency = ${currency} where id = ${orgId}`

const get = <T = Record<string, unknown>>(
  page: string,
  as: { bearer: string },
  query: Record<string, string> = {},
) => server.call<T>('GET', `/metrics/${page}`, { as, query })

describe('access to figures', () => {
  const PAGES = ['overview', 'usage', 'timeseries', 'kpis']

  test.for(PAGES)(
    '%s covers the own organisation by default, and allows keys with the scope',
    async (page) => {
      const key = await server.key(ada, ['metrics:read'])
      for (const as of [ada, member, key]) {
        expect(await get(page, as)).toMatchObject({
          status: 200,
          body: { scope: 'org', orgId: ada.orgId, currency: 'NGN' },
        })
        expect((await get(page, as, { orgId: ada.orgId })).status).toBe(200)
      }
      expect((await get(page, await server.key(ada, ['wallet:read']))).body.code).toBe('insufficient_scope')
    },
  )

  test.for(PAGES)('%s of others is refused with the same error, whether they exist or not', async (page) => {
    const asked = [
      ALL,
      { orgId: kem.orgId },
      { orgId: newId('org') },
      { orgId: 'x' },
      { ...ALL, orgId: ada.orgId },
    ]
    const callers = [ada, member, await server.key(staff, ['metrics:read'])]
    for (const as of callers)
      for (const query of asked) {
        const { status, body } = await get(page, as, query)
        expect([status, { ...body, requestId: '' }]).toEqual([
          403,
          { code: 'staff_only', error: expect.any(String), requestId: '' },
        ])
      }
  })

  test.for(PAGES)('%s of any and of all organisations is for staff', async (page) => {
    expect((await get(page, staff, { orgId: kem.orgId })).body).toMatchObject({
      ...{ scope: 'org', orgId: kem.orgId, currency: 'KES' },
    })
    expect((await get(page, staff, ALL)).body).toMatchObject({ scope: 'all', orgId: null, currency: 'NGN' })
    for (const orgId of [newId('org'), 'x'])
      expect(await get(page, staff, { orgId })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await get(page, staff, { ...ALL, orgId: kem.orgId })).status).toBe(400)
  })

  test('every staff tier can read', async () => {
    for (const tier of STAFF_TIERS) {
      const someone = await server.person({ staff: tier })
      expect((await get('overview', someone, ALL)).status).toBe(200)
      expect((await get('orgs', someone)).status).toBe(200)
    }
  })

  test('the list of organisations is for staff, but not for their keys', async () => {
    expect(await get('orgs', ada)).toMatchObject({ status: 403, body: { code: 'staff_only' } })
    expect((await get('orgs', await server.key(staff, ['metrics:read']))).status).toBe(403)
  })
})

type Used = { costMinor: bigint; tokens: number; turns: number }
type Usage = {
  totals: Used & { byLane: Record<string, Used>; bySource: Record<string, Used>; byModel: Used[] | null }
  rows: (Used & { day: string; lane: string; source: string })[]
  byMember: (Used & { userId: string; email: string })[] | null
}
const ROWS = [
  { day: '2026-10-20', lane: 'open', source: 'agent', costMinor: 100n, tokens: 1_000, turns: 1 },
  { day: '2026-11-13', lane: 'frontier', source: 'chat', costMinor: 3_000n, tokens: 2_000, turns: 1 },
  { day: '2026-11-15', lane: 'open', source: 'agent', costMinor: 50n, tokens: 500, turns: 1 },
]

describe('GET /metrics/usage', () => {
  test('adds up by day, lane, source, model and member', async () => {
    const { body } = await get<Usage>('usage', ada)
    expect(body.rows).toEqual(ROWS)
    expect(body.totals).toEqual({
      ...{ costMinor: 3_150n, tokens: 3_500, turns: 3 },
      byLane: {
        open: { costMinor: 150n, tokens: 1_500, turns: 2 },
        frontier: { costMinor: 3_000n, tokens: 2_000, turns: 1 },
      },
      bySource: {
        agent: { costMinor: 150n, tokens: 1_500, turns: 2 },
        chat: { costMinor: 3_000n, tokens: 2_000, turns: 1 },
      },
      byModel: [
        { model: 'm-1', costMinor: 3_100n, tokens: 3_000, turns: 2 },
        { model: 'm-2', costMinor: 50n, tokens: 500, turns: 1 },
      ],
    })
    expect(body.byMember).toEqual([
      { userId: ada.userId, email: ada.email, costMinor: 3_100n, tokens: 3_000, turns: 2 },
      { userId: member.userId, email: member.email, costMinor: 50n, tokens: 500, turns: 1 },
    ])
  })

  test('shows usage by member only to owners, admins and staff', async () => {
    const admin = await server.member(ada.orgId, 'admin')
    expect((await get<Usage>('usage', admin)).body.byMember).toHaveLength(2)
    expect((await get<Usage>('usage', staff, { orgId: ada.orgId })).body.byMember).toHaveLength(2)
    const key = await server.key(ada, ['metrics:read'])
    for (const as of [member, key]) expect((await get<Usage>('usage', as)).body.byMember).toBeNull()
    expect((await get<Usage>('usage', staff, ALL)).body.byMember).toBeNull()
  })

  test('is in kobo for all organisations', async () => {
    const { body } = await get<Usage>('usage', staff, ALL)
    // 89 cents of a shilling are 1000 kobo.
    expect(body.totals).toMatchObject({ costMinor: 4_150n, tokens: 13_500, turns: 4 })
    expect(body.rows.at(-1)).toMatchObject({ day: '2026-11-15', costMinor: 1_050n })
  })

  test('is the same after days are sealed, respects its range, and has models for up to a month', async () => {
    const query = { from: '2026-10-20T23:30:00Z', to: '2026-11-15T08:15:00Z' }
    const before = await get<Usage>('usage', ada, query)
    expect(before.body.rows).toEqual(ROWS.slice(0, 2))
    expect(await server.app.db.tx('platform', (tx) => sealNext(tx, 60))).toBe(26)
    expect((await get<Usage>('usage', ada, query)).body).toEqual(before.body)
    expect((await get<Usage>('usage', ada)).body.rows).toEqual(ROWS)
    const long = await get<Usage>('usage', ada, { from: '2026-10-15', to: '2026-11-15T08:15:01Z' })
    expect(long.body.totals).toMatchObject({ costMinor: 3_150n, byModel: null })
  })

  test.for([
    { from: '2026-11-16', to: '2026-11-15' },
    { from: '2025-11-13', to: '2026-11-15' },
    { from: 'yesterday' },
  ])('refuses %j', async (query) => {
    expect(await get('usage', ada, query)).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
  })
})

type Point = { at: string } & Record<string, bigint | number>
type Series = { from: string; to: string; metrics: string[]; points: Point[] }

describe('GET /metrics/timeseries', () => {
  test('has a point for each day, including empty ones', async () => {
    const { body } = await get<Series>('timeseries', ada)
    expect(body.points.map(({ at }) => at.slice(0, 10))).toEqual(
      Array.from({ length: 31 }, (_, i) => new Date(Date.UTC(2026, 9, 16 + i)).toISOString().slice(0, 10)),
    )
    const spent = { usageMinor: 0n, allowanceMinor: 0n, subscriptionMinor: 0n }
    const nothing = { ...spent, netCreditedMinor: 0n, grantedMinor: 0n }
    const silence = { tokens: 0, turns: 0 }
    expect(body.points[0]).toEqual({ at: '2026-10-16T00:00:00.000Z', ...nothing, ...silence })
    expect(body.points.at(-1)).toEqual({
      ...{ at: '2026-11-15T00:00:00.000Z', ...nothing },
      // The plan paid 500 of the 1200 spent.
      ...{ usageMinor: 700n, allowanceMinor: 500n, netCreditedMinor: 10_000n },
      ...{ tokens: 500, turns: 1 },
    })
  })

  test('adds currencies in kobo for each interval', async () => {
    const { body } = await get<Series>('timeseries', staff, { ...ALL, interval: 'month' })
    expect(body.points.at(-1)).toMatchObject({
      ...{ at: '2026-11-01T00:00:00.000Z', usageMinor: 10_700n },
      ...{ netCreditedMinor: 110_000n, grantedMinor: 1_000n },
      ...{ tokens: 12_500, turns: 3 },
    })
    expect(body.points.at(-2)).toMatchObject({ tokens: 1_000 })
  })

  test('shows a single series by weeks that start on Monday', async () => {
    const query = { metric: 'tokens', interval: 'week', from: '2026-10-20' }
    const { body } = await get<Series>('timeseries', ada, query)
    expect(body.points).toEqual([
      { at: '2026-10-19T00:00:00.000Z', tokens: 1_000 },
      { at: '2026-10-26T00:00:00.000Z', tokens: 0 },
      { at: '2026-11-02T00:00:00.000Z', tokens: 0 },
      { at: '2026-11-09T00:00:00.000Z', tokens: 2_500 },
    ])
    expect(body).toMatchObject({ from: '2026-10-19T00:00:00.000Z', metrics: ['tokens'] })
  })

  test.for([
    { metric: 'active_orgs', field: 'activeOrgs', october: 1, november: 2 },
    { metric: 'active_users', field: 'activeUsers', october: 1, november: 3 },
  ])('counts each subject once per interval ($metric)', async ({ metric, field, october, november }) => {
    const { body } = await get<Series>('timeseries', staff, { ...ALL, metric, interval: 'month' })
    expect(body.points.slice(-2).map((point) => point[field])).toEqual([october, november])
  })

  test('supports hours, also for sealed days', async () => {
    const query = {
      metric: 'turns',
      interval: 'hour',
      from: '2026-11-12T22:30:00Z',
      to: '2026-11-14T01:00:00Z',
    }
    const { points } = (await get<Series>('timeseries', ada, query)).body
    expect([points.length, points[0]?.at]).toEqual([27, '2026-11-12T22:00:00.000Z'])
    expect(points.filter(({ turns }) => turns !== 0)).toEqual([{ at: '2026-11-13T10:00:00.000Z', turns: 1 }])
  })

  test('refuses more than 400 points with a message', async () => {
    const { status, body } = await get('timeseries', ada, { interval: 'hour', from: '2026-10-15' })
    expect([status, JSON.stringify(body.fields)]).toEqual([
      400,
      expect.stringContaining('at most 400 points'),
    ])
    expect((await get('timeseries', ada, { interval: 'month', from: '2020-01-01' })).status).toBe(400)
    expect((await get('timeseries', ada, { metric: 'secrets' })).status).toBe(400)
  })
})

describe('GET /metrics/overview', () => {
  test('shows the figures of an organisation', async () => {
    const { body } = await get('overview', ada)
    expect(body).toMatchObject({
      wallet: { balanceMinor: 9_300n, heldMinor: 0n, includedMinor: 0n },
      usage: { today: { costMinor: 50n, tokens: 500, turns: 1 }, last30Days: { costMinor: 3_150n } },
      last30Days: { usageMinor: 700n, allowanceMinor: 500n, creditedMinor: 10_000n, grantedMinor: 0n },
      subscriptions: { active: 0, pastDue: 0, comped: 0, monthlyMinor: 0n },
      org: {
        plan: null,
        suspended: false,
        members: 3,
        activeUsers: 2,
        lastActiveAt: '2026-11-15T08:15:00.000Z',
      },
      fleet: null,
    })
  })

  test('shows the figures of all organisations', async () => {
    const other = await server.person()
    await server.sql.rows`
      update orgs set suspended_at = created_at, kyc_status = 'pending' where id = ${other.orgId}`
    await server.sql.rows`
      insert into payments (reference, org_id, user_id, purpose, channel, rail, mode, currency, amount_minor, email, status,
                            created_at, expires_at)
      values ('review000001', ${other.orgId}, ${other.userId}, 'topup', 'card', 'paystack', 'mock', 'NGN', 100, 'x@example.com',
              'review', ${server.clock.now()}, ${server.clock.now()})`
    server.clock.advance({ seconds: 5 })
    const { orgs, users } = await server.sql.one<{ orgs: number; users: number }>`
      select (select count(*)::int from orgs) as orgs, (select count(*)::int from users) as users`
    expect((await get('overview', staff, ALL)).body).toMatchObject({
      wallet: { balanceMinor: 9_300n + 91_000n },
      last30Days: { usageMinor: 10_700n, creditedMinor: 110_000n, grantedMinor: 1_000n },
      org: null,
      fleet: {
        ...{ orgs, users, closedOrgs: 0, activeOrgs: 2, activeUsers: 3, payingOrgs: 2 },
        ...{ suspendedOrgs: 1, kycPending: 1, paymentsInReview: 1 },
      },
    })
  })

  test('is cached for five seconds for all organisations, and not cached for one', async () => {
    const rich = await server.person()
    const credited = async (as: Person, query: Record<string, string>) => {
      const { body } = await get<{ last30Days: { creditedMinor: bigint } }>('overview', as, query)
      return body.last30Days.creditedMinor
    }
    const before = await credited(staff, ALL)
    await giveCredit(server, rich.orgId, 5n)
    server.clock.advance({ ms: 4_999 })
    expect([await credited(staff, ALL), await credited(rich, {})]).toEqual([before, 5n])
    server.clock.advance({ ms: 1 })
    expect(await credited(staff, ALL)).toBe(before + 5n)
  })
})

type Listed = { orgs: { orgId: string; revenueMinor: bigint }[]; nextCursor: string | null }

describe('GET /metrics/orgs', () => {
  test('sorts by revenue in kobo', async () => {
    const { body } = await get<Listed>('orgs', staff)
    // 890 cents of a shilling are 10 000 kobo.
    expect(body.orgs.slice(0, 2)).toMatchObject([
      {
        ...{ orgId: kem.orgId, currency: 'KES', revenueMinor: 890n, balanceMinor: 8_099n },
        ...{ netCreditedMinor: 8_900n, tokens: 10_000, lastActiveAt: '2026-11-15T07:00:00.000Z' },
      },
      { orgId: ada.orgId, tier: 'team', plan: null, revenueMinor: 700n, tokens: 3_500, suspended: false },
    ])
  })

  test.for([
    { sort: 'revenue', first: () => kem },
    { sort: 'balance', first: () => kem },
    { sort: 'recent', first: () => ada },
  ])('pages without gaps or duplicates ($sort)', async ({ sort, first }) => {
    const seen: string[] = []
    let cursor: string | null = null
    for (let page = 0; page < 20; page++) {
      const query: Record<string, string> = { sort, limit: '3', ...(cursor !== null && { cursor }) }
      const { body } = await get<Listed>('orgs', staff, query)
      seen.push(...body.orgs.map(({ orgId }) => orgId))
      cursor = body.nextCursor
      if (cursor === null) break
    }
    const all = await server.sql.rows<{ id: string }>`select id from orgs`
    expect(seen[0]).toBe(first().orgId)
    expect(seen.toSorted()).toEqual(all.map(({ id }) => id).toSorted())
  })

  test('uses the thirty days of its first page', async () => {
    const first = await get<Listed>('orgs', staff, { limit: '1' })
    server.clock.advance({ seconds: 1 })
    await spend(server, ada, 60n)
    server.clock.advance({ seconds: 1 })
    const cursor = String(first.body.nextCursor)
    expect((await get<Listed>('orgs', staff, { limit: '1', cursor })).body.orgs).toMatchObject([
      { orgId: ada.orgId, revenueMinor: 700n },
    ])
    expect((await get('orgs', staff, { cursor, sort: 'recent' })).status).toBe(400)
    expect((await get('orgs', staff, { cursor: 'x' })).status).toBe(400)
  })

  test('is exported as CSV without spreadsheet formulas', async () => {
    await server.sql.rows`update orgs set name = '=1+1, "x"' where id = ${kem.orgId}`
    const { headers, text } = await server.call('GET', '/metrics/orgs', {
      as: staff,
      headers: { accept: 'text/csv' },
    })
    expect(headers['content-type']).toContain('text/csv')
    const [head, row] = text.split('\r\n')
    expect(head).toBe(
      'orgId,name,tier,plan,currency,balanceMinor,revenueMinor,netCreditedMinor,tokens,lastActiveAt,suspended',
    )
    expect(row).toBe(
      `${kem.orgId},"'=1+1, ""x""",individual,,KES,8099,890,8900,10000,2026-11-15T07:00:00.000Z,false`,
    )
  })
})
