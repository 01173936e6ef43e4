import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { auditTrail, join, type Member, openTeam, type Team } from '@cowrie/testkit/sign-in/team.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'

type Opened = { orgId: string; name: string; code?: string } & Record<string, unknown>
type Page = { members: Member[]; nextCursor: string | null; code?: string }

let server: TestServer
let ada: Person
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person({ email: 'ada@example.com' })
})
afterAll(() => server.close())

const open = (as: { bearer: string }, body: unknown) => server.call<Opened>('POST', '/teams', { as, body })
const rename = (as: Person, orgId: string, name: unknown) =>
  server.call<Opened>('PATCH', `/teams/${orgId}`, { as, body: { name } })
const list = (as: Person, orgId: string, query: Record<string, string> = {}) =>
  server.call<Page>('GET', `/teams/${orgId}/members`, { as, query })
const clean = ({ requestId: _, ...body }: Record<string, unknown>) => body

describe('POST /teams', () => {
  describe('200', () => {
    test('creates a team with five seats owned by the caller, audited on its chain', async () => {
      const { status, body } = await open(ada, { name: '  Lagos Labs ' })
      expect(status).toBe(200)
      expect(body).toEqual({
        orgId: expect.stringMatching(/^org_/),
        name: 'Lagos Labs',
        type: 'team',
        role: 'owner',
        currency: 'NGN',
        seatAllotment: 5,
      })
      const [org] = await server.sql.rows`
        select name, type, tier, currency, seat_allotment, kyc_status from orgs where id = ${body.orgId}`
      expect(org).toEqual({
        name: 'Lagos Labs',
        type: 'team',
        tier: 'team',
        currency: 'NGN',
        seat_allotment: 5,
        kyc_status: 'unsubmitted',
      })
      expect(await auditTrail(server, body.orgId)).toMatchObject([
        { action: 'teams.create', target: body.orgId, actor_user_id: ada.userId },
      ])
      expect((await list(ada, body.orgId)).body.members).toMatchObject([
        { userId: ada.userId, role: 'owner' },
      ])
    })

    test('uses the requested currency, or that of the caller’s organisation', async () => {
      const person = await server.person()
      await server.sql.rows`update orgs set currency = 'KES' where id = ${person.orgId}`
      expect((await open(person, { name: 'Nairobi' })).body.currency).toBe('KES')
      expect((await open(person, { name: 'Kampala', currency: 'UGX' })).body.currency).toBe('UGX')
    })

    test('assigns a team created with a key to the user of the key', async () => {
      const person = await server.person()
      const key = await server.key(person, [])
      const { status, body } = await open(key, { name: 'By a script' })
      expect(status).toBe(200)
      expect((await list(person, body.orgId)).body.members).toMatchObject([{ userId: person.userId }])
    })
  })

  describe('400', () => {
    test.for([
      [{}, 'name'],
      [{ name: '   ' }, 'name'],
      [{ name: 5 }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ name: 'a\nBcc: all@example.com' }, 'name'],
      [{ name: 'abc\u202efdp' }, 'name'],
      [{ name: 'a', currency: 'EUR' }, 'currency'],
    ] as const)('for %j, naming %s', async ([body, path]) => {
      expect(await open(ada, body)).toMatchObject({ status: 400, body: { fields: [{ path }] } })
    })
  })

  test('401 to anonymous callers', async () => {
    expect((await server.call('POST', '/teams', { body: { name: 'x' } })).status).toBe(401)
  })

  describe('409', () => {
    test('for the 21st team, even with concurrent requests on two replicas', async () => {
      const busy = await server.person()
      const second = await startTestServer({ url: server.url, clock: server.clock })
      try {
        const replies = await Promise.all(
          Array.from({ length: 30 }, (_, i) =>
            (i % 2 ? server : second).call('POST', '/teams', { as: busy, body: { name: `Team ${i}` } }),
          ),
        )
        const statuses = replies.map(({ status }) => status).sort()
        expect(statuses).toEqual([...Array(20).fill(200), ...Array(10).fill(409)])
        expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'limit_reached' })
      } finally {
        await second.close()
      }
    })

    test('for the 21st created team, even if transferred; teams received from others do not count', async () => {
      const [giver, taker] = [await server.person(), await server.person()]
      for (let i = 0; i < 20; i++) {
        const { orgId } = (await open(giver, { name: `Team ${i}` })).body
        await server.sql
          .rows`update memberships set user_id = ${taker.userId} where org_id = ${orgId} and role = 'owner'`
      }
      expect((await open(taker, { name: 'Mine' })).status).toBe(200)
      expect((await open(giver, { name: 'One more' })).body).toMatchObject({ code: 'limit_reached' })
    })
  })
})

describe('PATCH /teams/{orgId}', () => {
  let team: Team
  beforeAll(async () => {
    team = await openTeam(server)
  })

  test('200 renames, with one audit entry per change', async () => {
    const { status, body } = await rename(team.admin, team.orgId, 'Abuja Labs')
    expect(status).toBe(200)
    expect(body).toMatchObject({ orgId: team.orgId, name: 'Abuja Labs', type: 'team', role: 'admin' })
    expect((await rename(team.owner, team.orgId, 'Abuja Labs')).status).toBe(200)
    const renamed = (await auditTrail(server, team.orgId)).filter(({ action }) => action === 'teams.rename')
    expect(renamed).toMatchObject([{ metadata: { from: 'Lagos Labs', to: 'Abuja Labs' } }])
  })

  test('400 without a name', async () => {
    expect((await rename(team.owner, team.orgId, '')).status).toBe(400)
    expect((await rename(team.owner, team.orgId, null)).status).toBe(400)
  })

  test('403 to members, 404 to other users', async () => {
    expect(await rename(team.member, team.orgId, 'Mine')).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
    expect((await rename(ada, team.orgId, 'Mine')).status).toBe(404)
  })
})

describe('GET /teams/{orgId}/members', () => {
  let team: Team
  beforeAll(async () => {
    team = await openTeam(server)
  })

  describe('200', () => {
    test('shows all members to every member, in the order they joined', async () => {
      const { status, body } = await list(team.member, team.orgId)
      expect(status).toBe(200)
      expect(body.nextCursor).toBeNull()
      expect(body.members).toEqual(
        [team.owner, team.admin, team.member].map(({ userId, email }, i) => ({
          userId,
          email,
          name: null,
          role: ['owner', 'admin', 'member'][i],
          seatCapMinor: null,
          pending: false,
          joinedAt: expect.stringMatching(/^2026-11-15T/),
        })),
      )
    })

    test('pages without gaps or duplicates, even with equal join times', async () => {
      const crowd = await openTeam(server)
      for (let i = 0; i < 6; i++) await join(server, crowd.orgId, await server.person(), 'member')
      const at = server.clock.now()
      await server.sql
        .rows`update memberships set created_at = ${at} where org_id = ${crowd.orgId} and role = 'member'`
      const seen: string[] = []
      let cursor: string | null = null
      for (let page = 0; page < 20; page++) {
        const { body }: { body: Page } = await list(crowd.owner, crowd.orgId, {
          limit: '2',
          ...(cursor !== null && { cursor }),
        })
        seen.push(...body.members.map(({ userId }) => userId))
        cursor = body.nextCursor
        if (cursor === null) break
      }
      expect(seen).toHaveLength(9)
      expect(new Set(seen).size).toBe(9)
    })
  })

  test.for([{ limit: '0' }, { limit: '201' }, { cursor: 'nonsense' }, { cursor: 'YR9i' }])(
    '400 for %j',
    async (query) => expect((await list(team.owner, team.orgId, query)).status).toBe(400),
  )

  test('401 to anonymous callers, 403 to keys', async () => {
    expect((await server.call('GET', `/teams/${team.orgId}/members`)).status).toBe(401)
    const key = await server.key(team.owner, ['keys:manage'])
    expect(await server.call('GET', `/teams/${team.orgId}/members`, { as: key })).toMatchObject({
      status: 403,
      body: { code: 'session_required' },
    })
  })

  test('404 with the same body for other teams, for staff, and for an unknown team', async () => {
    const staff = await server.person({ staff: 'super_admin' })
    const unknown = await list(ada, newId('org'))
    expect(unknown.status).toBe(404)
    for (const reply of [
      await list(ada, team.orgId),
      await list(staff, team.orgId),
      await list(ada, 'nonsense'),
    ])
      expect([reply.status, clean(reply.body)]).toEqual([404, clean(unknown.body)])
  })
})
