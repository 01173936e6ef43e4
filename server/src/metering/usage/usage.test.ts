import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'

type Spent = { costMinor: bigint; tokens: number }
type OwnUsage = {
  points: (Spent & { at: string; lane: string; model: string; source: string })[]
  totals: Spent & {
    byLane: Record<string, Spent>
    bySource: Record<string, Spent>
    byDay: (Spent & { day: string })[]
  }
  from: string
  to: string
}
type TeamUsage = {
  members: {
    userId: string
    email: string
    monthMinor: bigint
    seatCapMinor: bigint | null
    remainingMinor: bigint | null
  }[]
  totalMinor: bigint
  nextCursor: string | null
}
type Used = { at?: string; lane?: string; source?: string; tokens?: number; cost?: bigint; user?: null }

let server: TestServer
let ada: Person
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  ada = await server.person({ type: 'team' })
})
afterAll(() => server.close())

const own = (as: { bearer: string }, query: Record<string, string> = {}) =>
  server.call<OwnUsage>('GET', '/me/usage', { as, query })
const team = (as: { bearer: string }, orgId: string, query: Record<string, string> = {}) =>
  server.call<TeamUsage>('GET', `/teams/${orgId}/usage`, { as, query })

async function use(
  person: Person,
  { at, lane = 'open', source = 'agent', tokens = 100, cost = 10n, user }: Used = {},
) {
  await server.sql.rows`
    insert into usage_points (id, org_id, user_id, at, lane, model, source, tokens, cost_minor)
    values (${newId('use')}, ${person.orgId}, ${user === null ? null : person.userId},
            ${at ? new Date(at) : new Date('2026-11-15T08:00:00Z')}, ${lane}, 'm-1', ${source}, ${tokens}, ${cost})`
}

describe('GET /me/usage', () => {
  describe('200', () => {
    test('returns own points, newest first, with totals', async () => {
      await use(ada, { at: '2026-11-14T23:59:59.999Z', tokens: 5, cost: 1n })
      await use(ada, {
        at: '2026-11-15T00:00:00.000Z',
        lane: 'frontier',
        source: 'chat',
        tokens: 7,
        cost: 2n,
      })
      await use(ada, { at: '2026-11-15T08:00:00.000Z', source: 'chat', tokens: 11, cost: 4n })
      const { status, body } = await own(ada)
      expect(status).toBe(200)
      expect(body).toEqual({
        points: [
          {
            at: '2026-11-15T08:00:00.000Z',
            lane: 'open',
            model: 'm-1',
            source: 'chat',
            tokens: 11,
            costMinor: 4n,
            exactCost: null,
          },
          {
            at: '2026-11-15T00:00:00.000Z',
            lane: 'frontier',
            model: 'm-1',
            source: 'chat',
            tokens: 7,
            costMinor: 2n,
            exactCost: null,
          },
          {
            at: '2026-11-14T23:59:59.999Z',
            lane: 'open',
            model: 'm-1',
            source: 'agent',
            tokens: 5,
            costMinor: 1n,
            exactCost: null,
          },
        ],
        totals: {
          costMinor: 7n,
          tokens: 23,
          byLane: { open: { costMinor: 5n, tokens: 16 }, frontier: { costMinor: 2n, tokens: 7 } },
          bySource: { agent: { costMinor: 1n, tokens: 5 }, chat: { costMinor: 6n, tokens: 18 } },
          byDay: [
            { day: '2026-11-14', costMinor: 1n, tokens: 5 },
            { day: '2026-11-15', costMinor: 6n, tokens: 18 },
          ],
        },
        from: '2026-10-16T09:00:00.000Z',
        to: '2026-11-15T09:00:00.000Z',
      })
    })

    test('is empty for a user without usage', async () => {
      expect((await own(ada)).body).toMatchObject({
        points: [],
        totals: { costMinor: 0n, tokens: 0, byLane: {}, bySource: {}, byDay: [] },
      })
    })

    test('returns nothing of colleagues, of other organisations, or of work without a member', async () => {
      await use(ada)
      await use(await server.member(ada.orgId, 'member'))
      await use(ada, { user: null })
      const elsewhere = await server.person()
      await use({ ...ada, orgId: elsewhere.orgId })
      expect((await own(ada)).body.totals.costMinor).toBe(10n)
    })

    test('includes `from` and excludes `to`; a date is its start in UTC', async () => {
      for (const day of ['01', '02', '03']) await use(ada, { at: `2026-06-${day}T00:00:00Z` })
      expect((await own(ada)).body.points).toEqual([])
      const { body } = await own(ada, { from: '2026-06-01', to: '2026-06-03' })
      expect(body.points.map(({ at }) => at.slice(0, 10))).toEqual(['2026-06-02', '2026-06-01'])
      expect((await own(ada, { to: '2026-06-04' })).body.points).toHaveLength(3)
      expect((await own(ada, { from: '2026-06-03', to: '2026-06-03' })).body.points).toEqual([])
    })

    test('lists 1000 points and sums all of them exactly', async () => {
      await server.sql.rows`
        insert into usage_points (id, org_id, user_id, at, lane, model, source, tokens, cost_minor)
        select 'use_many_' || ${ada.userId} || n, ${ada.orgId}, ${ada.userId}, ${new Date('2026-11-01T00:00:00Z')}::timestamptz + n * interval '1 second',
               'open', 'm-1', 'index', 3, 9007199254741 from generate_series(1, 1500) as n`
      const { body } = await own(ada)
      expect(body.points).toHaveLength(1000)
      expect(body.points[0]?.at).toBe('2026-11-01T00:25:00.000Z')
      expect(body.totals).toMatchObject({
        costMinor: 13510798882111500n,
        tokens: 4500,
        bySource: { index: { costMinor: 13510798882111500n } },
      })
    })

    test('accepts a key with the wallet scope, and at most a year, including leap days', async () => {
      await use(ada)
      const key = await server.key(ada, ['wallet:read'])
      expect((await own(key)).body.points).toHaveLength(1)
      expect((await own(ada, { from: '2026-01-01', to: '2027-01-02' })).status).toBe(200)
    })

    test('accepts the earliest possible date', async () => {
      expect((await own(ada, { to: '0001-01-01' })).status).toBe(200)
      expect((await own(ada, { from: '9998-12-31', to: '9999-12-31' })).status).toBe(200)
    })
  })

  test.for([
    [{ from: 'yesterday' }, 'query.from'],
    [{ to: '2026-02-30' }, 'query.to'],
    [{ from: '2026-11-16' }, 'query.from'],
    [{ from: '2026-01-01', to: '2027-01-03' }, 'query.from'],
    [{ from: '2020-01-01' }, 'query.from'],
  ] as const)('400 for %j, naming %s', async ([query, path]) => {
    expect(await own(ada, query)).toMatchObject({ status: 400, body: { fields: [{ path }] } })
  })

  test('401 without credentials, 403 for keys without the scope', async () => {
    expect((await server.call('GET', '/me/usage')).status).toBe(401)
    const key = await server.key(ada, ['agent:run', 'metrics:read'])
    expect(await own(key)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  })
})

describe('GET /teams/{orgId}/usage', () => {
  const cap = (person: Person, minor: bigint) => server.sql.rows`
    update memberships set seat_cap_minor = ${minor} where org_id = ${person.orgId} and user_id = ${person.userId}`

  describe('200', () => {
    test('returns the usage of each member this month in UTC and the rest of their cap', async () => {
      const grace = await server.member(ada.orgId, 'admin')
      const zora = await server.member(ada.orgId, 'member')
      await cap(grace, 100n)
      await cap(zora, 15n)
      await use(grace, { at: '2026-11-01T00:00:00Z', cost: 30n })
      await use(grace, { at: '2026-11-30T23:59:59.999Z', cost: 5n })
      await use(grace, { at: '2026-10-31T23:59:59.999Z', cost: 1000n })
      await use(grace, { at: '2026-12-01T00:00:00Z', cost: 1000n })
      await use(zora, { cost: 20n })
      const { status, body } = await team(grace, ada.orgId)
      expect(status).toBe(200)
      expect(body.members.find(({ userId }) => userId === ada.userId)).toEqual({
        userId: ada.userId,
        email: ada.email,
        monthMinor: 0n,
        seatCapMinor: null,
        remainingMinor: null,
      })
      expect(body.members.find(({ userId }) => userId === grace.userId)).toMatchObject({
        monthMinor: 35n,
        seatCapMinor: 100n,
        remainingMinor: 65n,
      })
      expect(body.members.find(({ userId }) => userId === zora.userId)).toMatchObject({
        monthMinor: 20n,
        remainingMinor: 0n,
      })
      expect(body).toMatchObject({
        totalMinor: 55n,
        monthStart: '2026-11-01T00:00:00.000Z',
        nextCursor: null,
      })
    })

    test('includes former members and work without a member in the total, and nothing of other organisations', async () => {
      const leaver = await server.member(ada.orgId, 'member')
      await use(leaver, { cost: 3n })
      await use(ada, { user: null, cost: 4n })
      await use({ ...ada, orgId: (await server.person()).orgId }, { cost: 100n })
      await server.sql.rows`delete from memberships where user_id = ${leaver.userId}`
      const { body } = await team(ada, ada.orgId)
      expect(body.members).toMatchObject([{ userId: ada.userId, monthMinor: 0n }])
      expect(body.totalMinor).toBe(7n)
    })

    test('is paginated', async () => {
      for (let i = 0; i < 4; i++) await server.member(ada.orgId, 'member')
      const first = await team(ada, ada.orgId, { limit: '3' })
      const rest = await team(ada, ada.orgId, { limit: '3', cursor: first.body.nextCursor ?? '' })
      const seen = [...first.body.members, ...rest.body.members].map(({ userId }) => userId)
      expect(new Set(seen).size).toBe(5)
      expect(rest.body.nextCursor).toBeNull()
    })
  })

  test('400 for an invalid cursor', async () => {
    expect((await team(ada, ada.orgId, { cursor: 'nonsense' })).status).toBe(400)
  })

  test('401 without credentials, 403 for members and keys', async () => {
    expect((await server.call('GET', `/teams/${ada.orgId}/usage`)).status).toBe(401)
    expect((await team(await server.member(ada.orgId, 'member'), ada.orgId)).status).toBe(403)
    expect((await team(await server.key(ada, ['wallet:read']), ada.orgId)).status).toBe(403)
  })

  test('404 with the same body for a foreign and a missing organisation', async () => {
    const clean = ({ requestId: _, ...body }: Record<string, unknown>) => body
    const stranger = await server.person()
    const replies = [await team(stranger, ada.orgId), await team(stranger, newId('org'))]
    expect(replies.map(({ status }) => status)).toEqual([404, 404])
    expect(clean(replies[0]?.body ?? {})).toEqual(clean(replies[1]?.body ?? {}))
  })
})

test('a transaction of one organisation sees no usage of others', async () => {
  await use(ada)
  const other = await server.person()
  const seen = await server.app.db.tx(other.orgId, (tx) => tx.rows`select id from usage_points`)
  expect(seen).toEqual([])
})
