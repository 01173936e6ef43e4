import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  add,
  auditTrail,
  edit,
  join,
  mailsTo,
  openTeam,
  remove,
  roles,
  type Team,
  visitorIn,
} from '@cowrie/testkit/sign-in/team.ts'
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

const leave = (as: Person) => server.call('POST', `/teams/${team.orgId}/leave`, { as })
const transfer = (as: Person, userId: unknown) =>
  server.call('POST', `/teams/${team.orgId}/transfer`, { as, body: { userId } })

describe('DELETE /teams/{orgId}/members/{userId}', () => {
  describe('200', () => {
    test('ends sessions and keys of the team with the next request, and nothing else', async () => {
      const inTeam = await visitorIn(server, team.orgId, team.member)
      const athome = await visitorIn(server, team.member.orgId, team.member)
      const teamKey = await server.key({ ...team.member, orgId: team.orgId }, ['wallet:read'])
      const homeKey = await server.key(team.member, ['wallet:read'])
      expect((await inTeam.call('GET', '/me')).body.orgId).toBe(team.orgId)
      expect((await server.call('GET', '/me', { as: teamKey })).status).toBe(200)

      expect(await remove(server, team.admin, team.orgId, team.member.userId)).toMatchObject({
        status: 200,
        body: { ok: true },
      })
      expect((await inTeam.call('GET', '/me')).status).toBe(401)
      expect((await server.call('GET', '/me', { as: teamKey })).status).toBe(401)
      expect((await athome.call('GET', '/me')).status).toBe(200)
      expect((await server.call('GET', '/me', { as: homeKey })).status).toBe(200)
      expect((await athome.call('GET', `/teams/${team.orgId}/members`)).status).toBe(404)
      const [live] = await server.sql.rows`
        select (select count(*)::int from sessions where user_id = ${team.member.userId} and org_id = ${team.orgId} and revoked_at is null) as sessions,
               (select count(*)::int from api_keys where user_id = ${team.member.userId} and org_id = ${team.orgId} and revoked_at is null) as keys`
      expect(live).toEqual({ sessions: 0, keys: 0 })
      expect((await auditTrail(server, team.orgId))[0]).toEqual({
        action: 'teams.members.remove',
        target: team.member.userId,
        metadata: { email: team.member.email, role: 'member' },
        actor_user_id: team.admin.userId,
      })
    })

    test('opens a personal organisation for a user without another one', async () => {
      const { body } = await add(server, team.owner, team.orgId, {
        email: `${newId('usr')}@example.com`,
        role: 'member',
      })
      await remove(server, team.owner, team.orgId, body.member.userId)
      const homes = await server.sql.rows`
        select o.type, m.role, o.seat_allotment from memberships m join orgs o on o.id = m.org_id
        where m.user_id = ${body.member.userId}`
      expect(homes).toEqual([{ type: 'individual', role: 'owner', seat_allotment: 1 }])
    })

    test('opens no organisation for a user with another one', async () => {
      await remove(server, team.owner, team.orgId, team.member.userId)
      const homes = await server.sql
        .rows`select org_id from memberships where user_id = ${team.member.userId}`
      expect(homes).toEqual([{ org_id: team.member.orgId }])
    })

    test('frees the seat', async () => {
      await server.sql.rows`update orgs set seat_allotment = 3 where id = ${team.orgId}`
      const newcomer = { email: `${newId('usr')}@example.com`, role: 'member' }
      expect((await add(server, team.owner, team.orgId, newcomer)).status).toBe(402)
      await remove(server, team.owner, team.orgId, team.member.userId)
      expect((await add(server, team.owner, team.orgId, newcomer)).status).toBe(200)
    })

    test('lets an owner remove another owner', async () => {
      await transfer(team.owner, team.admin.userId)
      expect((await remove(server, team.admin, team.orgId, team.owner.userId)).status).toBe(200)
      expect(await roles(server, team.orgId)).toEqual({
        [team.admin.userId]: 'owner',
        [team.member.userId]: 'member',
      })
    })
  })

  test('401 to anonymous callers, 403 to members, and to admins for an owner', async () => {
    const path = `/teams/${team.orgId}/members/${team.owner.userId}`
    expect((await server.call('DELETE', path)).status).toBe(401)
    expect((await remove(server, team.member, team.orgId, team.admin.userId)).status).toBe(403)
    expect((await remove(server, team.admin, team.orgId, team.owner.userId)).status).toBe(403)
    expect(Object.keys(await roles(server, team.orgId))).toHaveLength(3)
  })

  test('404 for a user outside the team, and to members of other teams', async () => {
    const other = await openTeam(server)
    expect((await remove(server, team.owner, team.orgId, other.member.userId)).status).toBe(404)
    expect((await remove(server, team.owner, team.orgId, newId('usr'))).status).toBe(404)
    expect((await remove(server, team.owner, team.orgId, 'nonsense')).status).toBe(404)
    expect((await remove(server, other.owner, team.orgId, team.member.userId)).status).toBe(404)
    expect(Object.keys(await roles(server, other.orgId))).toHaveLength(3)
  })

  test('409 for the last owner, even by themselves', async () => {
    expect(await remove(server, team.owner, team.orgId, team.owner.userId)).toMatchObject({
      status: 409,
      body: { code: 'last_owner' },
    })
  })
})

describe('POST /teams/{orgId}/leave', () => {
  test('200 to every member; ends their access', async () => {
    const visitor = await visitorIn(server, team.orgId, team.member)
    expect((await visitor.call('POST', `/teams/${team.orgId}/leave`)).status).toBe(200)
    expect((await visitor.call('GET', '/me')).status).toBe(401)
    expect((await leave(team.admin)).status).toBe(200)
    expect(await roles(server, team.orgId)).toEqual({ [team.owner.userId]: 'owner' })
    expect((await auditTrail(server, team.orgId))[0]).toMatchObject({
      action: 'teams.leave',
      target: team.admin.userId,
      actor_user_id: team.admin.userId,
    })
  })

  test('401 to anonymous callers, 404 to other users', async () => {
    expect((await server.call('POST', `/teams/${team.orgId}/leave`)).status).toBe(401)
    expect((await leave(await server.person())).status).toBe(404)
  })

  test('409 to the last owner, until there is another', async () => {
    expect(await leave(team.owner)).toMatchObject({ status: 409, body: { code: 'last_owner' } })
    await transfer(team.owner, team.member.userId)
    expect((await leave(team.owner)).status).toBe(200)
    expect(await roles(server, team.orgId)).toMatchObject({ [team.member.userId]: 'owner' })
  })
})

describe('POST /teams/{orgId}/transfer', () => {
  test('200 makes a member an additional owner, audited once', async () => {
    const { status, body } = await transfer(team.owner, team.member.userId)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: true, member: { userId: team.member.userId, role: 'owner' } })
    expect((await transfer(team.owner, team.member.userId)).status).toBe(200)
    const traces = (await auditTrail(server, team.orgId)).filter(({ action }) => action === 'teams.transfer')
    expect(traces).toMatchObject([{ target: team.member.userId, actor_user_id: team.owner.userId }])
    expect((await edit(server, team.member, team.orgId, team.owner.userId, { role: 'member' })).status).toBe(
      200,
    )
  })

  test('400 without a user id, 401 to anonymous callers, 403 to admins', async () => {
    expect((await transfer(team.owner, undefined)).status).toBe(400)
    expect(
      (await server.call('POST', `/teams/${team.orgId}/transfer`, { body: { userId: team.member.userId } }))
        .status,
    ).toBe(401)
    expect((await transfer(team.admin, team.admin.userId)).status).toBe(403)
    expect((await transfer(team.admin, team.member.userId)).status).toBe(403)
  })

  test('404 for a user outside the team', async () => {
    const outsider = await server.person()
    expect((await transfer(team.owner, outsider.userId)).status).toBe(404)
    expect((await transfer(team.owner, 'nonsense')).status).toBe(404)
    expect((await transfer(outsider, team.member.userId)).status).toBe(404)
  })

  test('409 for a pending member', async () => {
    const { body } = await add(server, team.owner, team.orgId, {
      email: `${newId('usr')}@example.com`,
      role: 'member',
    })
    expect(await transfer(team.owner, body.member.userId)).toMatchObject({
      status: 409,
      body: { code: 'invitation_pending' },
    })
  })
})

test('a caller who is removed or demoted while waiting for the lock is refused', async () => {
  const person = await server.person()
  await join(server, team.orgId, person, 'admin')
  const email = `${newId('usr')}@example.com`
  let waiting: ReturnType<typeof add> | undefined
  await server.app.db.tx('platform', async (tx) => {
    await tx.rows`select id from orgs where id = ${team.orgId} for no key update`
    waiting = add(server, person, team.orgId, { email, role: 'member' })
    await expect
      .poll(
        () =>
          server.sql
            .rows`select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      .toHaveLength(1)
    await tx.rows`update memberships set role = 'member' where org_id = ${team.orgId} and user_id = ${person.userId}`
  })
  expect((await waiting)?.status).toBe(403)
  expect(await server.sql.rows`select id from users where email = ${email}`).toEqual([])
})

describe('POST /teams/leave', () => {
  const leave = (token: string) => server.call('POST', '/teams/leave', { body: { token } })
  const tokenFor = async (email: string) => {
    const [mail] = (await mailsTo(server, email)).toReversed()
    return /link#token=([\w.-]+)&kind=leave/.exec(mail?.text ?? '')?.[1] ?? ''
  }

  test.for(['an account', 'no account'])(
    '200 removes a member added with %s, once, without sign-in',
    async (who) => {
      const email = who === 'an account' ? (await server.person()).email : `${newId('usr')}@example.com`
      const { body } = await add(server, team.owner, team.orgId, { email, role: 'member' })
      const { userId } = body.member
      const token = await tokenFor(email)
      expect(await leave(token)).toMatchObject({ status: 200, body: { ok: true } })
      expect(await roles(server, team.orgId)).not.toHaveProperty(userId)
      expect((await auditTrail(server, team.orgId))[0]).toMatchObject({
        action: 'teams.leave',
        target: userId,
        actor_user_id: userId,
      })
      expect(await leave(token)).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
      server.clock.advance({ ms: 1 })
      await add(server, team.owner, team.orgId, { email, role: 'member' })
      expect((await leave(token)).status).toBe(400)
      expect(await roles(server, team.orgId)).toHaveProperty(userId)
    },
  )

  test('400 for an invalid token', async () => {
    const email = `${newId('usr')}@example.com`
    await add(server, team.owner, team.orgId, { email, role: 'member' })
    const token = await tokenFor(email)
    const changed = `${token.slice(0, -3)}${token.endsWith('AAA') ? 'BBB' : 'AAA'}`
    for (const wrong of [changed, 'nonsense', token.slice(0, 20)])
      expect(await leave(wrong)).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
  })
})
