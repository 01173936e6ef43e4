import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { add, auditTrail, edit, join, openTeam, type Team } from '@cowrie/testkit/sign-in/team.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'

let server: TestServer
let team: Team
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  team = await openTeam(server)
})
afterAll(() => server.close())
const fresh = () => `${newId('usr')}@example.com`

describe('PATCH /teams/{orgId}/members/{userId}', () => {
  const change = (as: { bearer: string }, userId: string, body: unknown) =>
    edit(server, as as typeof team.owner, team.orgId, userId, body)

  describe('200', () => {
    test('changes role and cap, together or separately; null removes the cap', async () => {
      const both = await change(team.owner, team.member.userId, { role: 'admin', capNaira: 250.75 })
      expect(both.status).toBe(200)
      expect(both.body.member).toMatchObject({ role: 'admin', seatCapMinor: 25075n })
      const capped = await change(team.admin, team.member.userId, { capNaira: 1 })
      expect(capped.body.member).toMatchObject({ role: 'admin', seatCapMinor: 100n })
      const demoted = await change(team.admin, team.member.userId, { role: 'member' })
      expect(demoted.body.member).toMatchObject({ role: 'member', seatCapMinor: 100n })
      const free = await change(team.admin, team.member.userId, { capNaira: null })
      expect(free.body.member).toMatchObject({ role: 'member', seatCapMinor: null })
      expect((await auditTrail(server, team.orgId))[0]).toMatchObject({
        action: 'teams.members.change',
        target: team.member.userId,
        metadata: {
          from: { role: 'member', seatCapMinor: 100n },
          to: { role: 'member', seatCapMinor: null },
        },
      })
    })

    test('is not audited when nothing changes', async () => {
      const before = await auditTrail(server, team.orgId)
      expect((await change(team.owner, team.member.userId, {})).status).toBe(200)
      expect((await change(team.owner, team.member.userId, { role: 'member', capNaira: null })).status).toBe(
        200,
      )
      expect(await auditTrail(server, team.orgId)).toEqual(before)
    })

    test('takes effect with the next request', async () => {
      const body = { email: fresh(), role: 'member' }
      expect((await add(server, team.admin, team.orgId, body)).status).toBe(200)
      await change(team.owner, team.admin.userId, { role: 'member' })
      expect((await add(server, team.admin, team.orgId, { ...body, email: fresh() })).status).toBe(403)
    })

    test('lets an owner demote another owner, and themselves while another remains', async () => {
      const second = await server.person()
      await join(server, team.orgId, second, 'owner')
      expect((await change(team.owner, team.owner.userId, { role: 'admin' })).status).toBe(200)
      const again = await server.person()
      await join(server, team.orgId, again, 'owner')
      expect((await change(again, second.userId, { role: 'member' })).status).toBe(200)
    })

    test('lets an admin step down', async () => {
      const { body } = await change(team.admin, team.admin.userId, { role: 'member' })
      expect(body.member.role).toBe('member')
    })
  })

  test('400 for an invalid role or cap', async () => {
    for (const [body, path] of [
      [{ role: 'owner' }, 'role'],
      [{ role: null }, 'role'],
      [{ capNaira: 0.001 }, 'capNaira'],
      [{ capNaira: -1 }, 'capNaira'],
      [{ capNaira: 'none' }, 'capNaira'],
    ] as const)
      expect(await change(team.owner, team.member.userId, body)).toMatchObject({
        status: 400,
        body: { fields: [{ path }] },
      })
  })

  describe('403', () => {
    test('to members, even for themselves', async () => {
      for (const { userId } of [team.member, team.admin, team.owner])
        expect((await change(team.member, userId, { role: 'admin' })).status).toBe(403)
    })

    test('to an admin for an owner', async () => {
      expect((await change(team.admin, team.owner.userId, { role: 'member' })).status).toBe(403)
      expect((await change(team.admin, team.owner.userId, { capNaira: 0 })).status).toBe(403)
    })

    test('to an admin for their own cap', async () => {
      await change(team.owner, team.admin.userId, { capNaira: 5 })
      expect((await change(team.admin, team.admin.userId, { capNaira: null })).status).toBe(403)
      expect((await change(team.owner, team.owner.userId, { capNaira: 7 })).status).toBe(200)
    })
  })

  test('404 for a user outside the team, existing or not', async () => {
    const outsider = await server.person()
    const replies = [outsider.userId, newId('usr')].map((userId) =>
      change(team.owner, userId, { role: 'admin' }),
    )
    const [known, unknown] = (await Promise.all(replies)).map(({ status, body: { error, code } }) => ({
      status,
      error,
      code,
    }))
    expect(known).toMatchObject({ status: 404, code: 'not_found' })
    expect(known).toEqual(unknown)
    expect((await change(outsider, team.member.userId, { role: 'admin' })).status).toBe(404)
  })

  test('409 for the last owner', async () => {
    expect(await change(team.owner, team.owner.userId, { role: 'admin' })).toMatchObject({
      status: 409,
      body: { code: 'last_owner' },
    })
  })
})
