import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  add,
  auditTrail,
  mailsTo,
  openTeam,
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
const fresh = () => `${newId('usr')}@example.com`
const resend = (userId: string, as = team.owner) =>
  server.call('POST', `/teams/${team.orgId}/members/${userId}/invite`, { as, body: {} })

describe('POST /teams/{orgId}/members', () => {
  describe('200', () => {
    test('adds an existing user at once, sends a mail and is audited', async () => {
      const grace = await server.person()
      const { status, body } = await add(server, team.admin, team.orgId, {
        email: grace.email.toUpperCase(),
        role: 'admin',
        capNaira: 1500.5,
      })
      expect(status).toBe(200)
      expect(body).toEqual({
        ok: true,
        mailed: true,
        member: {
          userId: grace.userId,
          email: grace.email,
          name: null,
          role: 'admin',
          seatCapMinor: 150050n,
          pending: true,
          joinedAt: expect.any(String),
        },
      })
      const [mail] = await mailsTo(server, grace.email)
      expect(mail?.subject).toBe('You are now a member of Lagos Labs on Cowrie')
      expect(mail?.text).toContain(team.admin.email)
      expect(mail?.text).not.toContain('kind=invitation')
      expect((await auditTrail(server, team.orgId))[0]).toEqual({
        action: 'teams.members.add',
        target: grace.userId,
        metadata: { email: grace.email, role: 'admin', seatCapMinor: 150050n },
        actor_user_id: team.admin.userId,
      })
      expect((await server.call('GET', `/teams/${team.orgId}/members`, { as: grace })).status).toBe(200)
    })

    test('opens an account for an unknown address: unverified, without password or other organisations', async () => {
      const email = fresh()
      const { status, body } = await add(server, team.owner, team.orgId, { email, role: 'member' })
      expect(status).toBe(200)
      expect(body.member).toMatchObject({ email, role: 'member', seatCapMinor: null, pending: true })
      const [user] = await server.sql.rows`
        select verified_at, password_hash, (select count(*)::int from memberships m where m.user_id = u.id) as places
        from users u where email = ${email}`
      expect(user).toEqual({ verified_at: null, password_hash: null, places: 1 })
      const [mail] = await mailsTo(server, email)
      expect(mail?.subject).toBe('You are invited to Lagos Labs on Cowrie')
      expect(mail?.text).toMatch(/http:\/\/cowrie\.test\/app\/reset#token=[\w-]{43}&kind=invitation/)
      const links = await server.sql.rows`select kind from links where user_id = ${body.member.userId}`
      expect(links).toEqual([{ kind: 'invitation' }])
    })

    test('invites an unverified user like an unknown address', async () => {
      const email = fresh()
      const id = newId('usr')
      await server.sql.rows`
        insert into users (id, email, password_hash, created_at) values (${id}, ${email}, 'x', ${server.clock.now()})`
      const { body } = await add(server, team.owner, team.orgId, { email, role: 'member' })
      expect(body.member).toMatchObject({ userId: id, pending: true })
      expect((await mailsTo(server, email))[0]?.text).toContain('kind=invitation')
    })

    test.for([
      ['1', 100n],
      ['0', 0n],
      ['0.10', 10n],
      ['1500.500', 150050n],
      ['90071992547409.93', 9007199254740993n],
      ['9999999999999999.99', 999999999999999999n],
    ] as const)('stores a cap of %s exactly', async ([cap, minor]) => {
      const { status, body } = await server.call<{ member: object }>('POST', `/teams/${team.orgId}/members`, {
        as: team.owner,
        raw: `{"email":"${fresh()}","role":"member","capNaira":${cap}}`,
      })
      expect(status).toBe(200)
      expect(body.member).toMatchObject({ seatCapMinor: minor })
    })

    test('has no link to another website in the mail, for any team name', async () => {
      await server.sql
        .rows`update orgs set name = 'Win at https://evil.example.com/now' where id = ${team.orgId}`
      const email = fresh()
      await add(server, team.owner, team.orgId, { email, role: 'member' })
      const [mail] = await mailsTo(server, email)
      expect(`${mail?.subject}${mail?.text}`).not.toMatch(/evil\.example|https:/)
    })

    test('does not restore sessions and keys of an earlier membership', async () => {
      const visitor = await visitorIn(server, team.orgId, team.member)
      const key = await server.key({ ...team.member, orgId: team.orgId }, ['wallet:read'])
      await server.sql
        .rows`delete from memberships where org_id = ${team.orgId} and user_id = ${team.member.userId}`
      await add(server, team.owner, team.orgId, { email: team.member.email, role: 'member' })
      expect((await visitor.call('GET', '/me')).status).toBe(401)
      expect((await server.call('GET', '/me', { as: key })).status).toBe(401)
    })
  })

  describe('400', () => {
    test.for([
      [{ role: 'member' }, 'email'],
      [{ email: 'nonsense', role: 'member' }, 'email'],
      [{ email: 'a\u0001b@example.com', role: 'member' }, 'email'],
      [{ email: 'a\uff20b@example.com', role: 'member' }, 'email'],
      [{ email: `${'\ufdfa'.repeat(20)}@example.com`, role: 'member' }, 'email'],
      [{ email: 'a@example.com, b@example.com', role: 'member' }, 'email'],
      [{ email: 'a@example.com' }, 'role'],
      [{ email: 'a@example.com', role: 'owner' }, 'role'],
      [{ email: 'a@example.com', role: 'superuser' }, 'role'],
      [{ email: 'a@example.com', role: 'member', capNaira: null }, 'capNaira'],
      [{ email: 'a@example.com', role: 'member', capNaira: '5' }, 'capNaira'],
    ] as const)('for %j, naming %s', async ([body, path]) => {
      expect(await add(server, team.owner, team.orgId, body)).toMatchObject({
        status: 400,
        body: { fields: [{ path }] },
      })
    })

    test.for(['-1', '-0', '1e3', '1.001', '0.001', '1E0', '1e309', '10000000000000000', '9'.repeat(500)])(
      'for a cap of %s, naming the field',
      async (cap) => {
        const reply = await server.call('POST', `/teams/${team.orgId}/members`, {
          as: team.owner,
          raw: `{"email":"a@example.com","role":"member","capNaira":${cap}}`,
        })
        expect(reply).toMatchObject({ status: 400, body: { fields: [{ path: 'capNaira' }] } })
        expect(reply.text).not.toContain('"internal"')
      },
    )

    test('for a fraction in a currency without minor units', async () => {
      const ugandan = await openTeam(server, { currency: 'UGX' })
      const body = { email: fresh(), role: 'member', capNaira: 10.5 }
      expect(await add(server, ugandan.owner, ugandan.orgId, body)).toMatchObject({
        status: 400,
        body: { fields: [{ path: 'capNaira', message: expect.stringContaining('UGX') }] },
      })
      const whole = await add(server, ugandan.owner, ugandan.orgId, { ...body, capNaira: 10 })
      expect(whole.body.member.seatCapMinor).toBe(10n)
    })
  })

  test('401 to anonymous callers, 403 to members and keys, 404 to members of other teams', async () => {
    const body = { email: fresh(), role: 'member' }
    const path = `/teams/${team.orgId}/members`
    expect((await server.call('POST', path, { body })).status).toBe(401)
    expect((await add(server, team.member, team.orgId, body)).status).toBe(403)
    const key = await server.key({ ...team.owner, orgId: team.orgId }, ['keys:manage'])
    expect((await server.call('POST', path, { as: key, body })).status).toBe(403)
    const other = await openTeam(server)
    expect((await add(server, other.owner, team.orgId, body)).status).toBe(404)
    expect(await server.sql.rows`select id from users where email = ${body.email}`).toEqual([])
  })

  describe('402', () => {
    test('when all seats are taken, with the counts, and without opening an account or sending a mail', async () => {
      await server.sql.rows`update orgs set seat_allotment = 3 where id = ${team.orgId}`
      const email = fresh()
      const { status, body } = await add(server, team.owner, team.orgId, { email, role: 'member' })
      expect(status).toBe(402)
      expect(body).toMatchObject({ code: 'seats_exceeded', allotment: 3, occupied: 3 })
      expect(await server.sql.rows`select id from users where email = ${email}`).toEqual([])
      expect(await mailsTo(server, email)).toEqual([])
    })

    test('for a second member of an individual organisation', async () => {
      const reply = await add(server, team.owner, team.owner.orgId, { email: fresh(), role: 'member' })
      expect(reply).toMatchObject({ status: 402, body: { allotment: 1, occupied: 1 } })
    })
  })

  test('409 for an existing member, including the caller', async () => {
    for (const { email } of [team.member, team.owner])
      expect(await add(server, team.owner, team.orgId, { email, role: 'admin' })).toMatchObject({
        status: 409,
        body: { code: 'already_member' },
      })
    expect(await roles(server, team.orgId)).toMatchObject({
      [team.member.userId]: 'member',
      [team.owner.userId]: 'owner',
    })
  })

  describe('200 without a mail', () => {
    const wanted = (email: string) => ({ email, role: 'member' })
    const addTo = async ({ owner, orgId }: Team, email: string) => {
      const { status, body } = await add(server, owner, orgId, wanted(email))
      return [status, body.mailed]
    }

    test('after 20 mails of a team within an hour', async () => {
      for (let i = 0; i < 20; i++) expect(await addTo(team, fresh())).toEqual([200, true])
      const [invited, known] = [fresh(), await server.person()]
      expect(await addTo(team, invited)).toEqual([200, false])
      expect(await addTo(team, known.email)).toEqual([200, false])
      expect([...(await mailsTo(server, invited)), ...(await mailsTo(server, known.email))]).toEqual([])
      expect(Object.keys(await roles(server, team.orgId))).toContain(known.userId)
      server.clock.advance({ hours: 1, seconds: 1 })
      expect(await addTo(team, fresh())).toEqual([200, true])
    })

    test('after 3 mails of a team to one address within a day; other teams are not limited', async () => {
      const person = await server.person()
      for (const mailed of [true, true, true, false, false]) {
        expect(await addTo(team, person.email)).toEqual([200, mailed])
        await server.call('DELETE', `/teams/${team.orgId}/members/${person.userId}`, { as: team.owner })
      }
      expect(await addTo(await openTeam(server), person.email)).toEqual([200, true])
      expect(await mailsTo(server, person.email)).toHaveLength(4)
    })

    test('after 10 mails of all teams to one address within a day', async () => {
      const email = fresh()
      for (let i = 0; i < 10; i++) expect(await addTo(await openTeam(server), email)).toEqual([200, true])
      expect(await addTo(team, email)).toEqual([200, false])
      expect(await mailsTo(server, email)).toHaveLength(10)
      expect(Object.keys(await roles(server, team.orgId))).toHaveLength(4)
    })

    test('a blocked mail of one team does not count against other teams', async () => {
      const email = fresh()
      const { body } = await add(server, team.owner, team.orgId, wanted(email))
      for (let i = 0; i < 12; i++) await resend(body.member.userId)
      for (let i = 0; i < 7; i++) expect(await addTo(await openTeam(server), email)).toEqual([200, true])
      expect(await addTo(await openTeam(server), email)).toEqual([200, false])
    })
  })
})

describe('POST /teams/{orgId}/members/{userId}/invite', () => {
  test('200 sends the invitation again and invalidates the earlier link', async () => {
    const email = fresh()
    const { body } = await add(server, team.owner, team.orgId, { email, role: 'member' })
    const before = await server.sql.rows`select token_hash from links where user_id = ${body.member.userId}`
    expect((await resend(body.member.userId, team.admin)).status).toBe(200)
    const after = await server.sql.rows`select token_hash from links where user_id = ${body.member.userId}`
    expect(after).toHaveLength(1)
    expect(after).not.toEqual(before)
    expect(await mailsTo(server, email)).toHaveLength(2)
    expect((await auditTrail(server, team.orgId))[0]).toMatchObject({
      action: 'teams.members.invite',
      target: body.member.userId,
    })
  })

  test('403 to members, 404 for a user outside the team', async () => {
    expect((await resend(team.admin.userId, team.member)).status).toBe(403)
    const outsider = await server.person()
    expect((await resend(outsider.userId)).status).toBe(404)
    expect((await resend('nonsense')).status).toBe(404)
  })

  test('409 for a member who has joined', async () => {
    expect(await resend(team.member.userId)).toMatchObject({ status: 409, body: { code: 'already_member' } })
  })

  test('429 after three mails of the team to the address', async () => {
    const { body } = await add(server, team.owner, team.orgId, { email: fresh(), role: 'member' })
    const again = () => resend(body.member.userId)
    for (let i = 0; i < 2; i++) expect(await again()).toMatchObject({ status: 200, body: { mailed: true } })
    const refused = await again()
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000)
    server.clock.advance({ days: 1, seconds: 1 })
    expect((await again()).status).toBe(200)
  })
})
