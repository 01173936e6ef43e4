import {
  type Person,
  startTestServer,
  type TestServer,
  type Visitor,
} from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrgId } from '../../kernel/ids.ts'
import type { OrgRole } from '../../platform/http/actor.ts'

let server: TestServer
let replica: TestServer
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

async function signIn(email: string): Promise<Visitor> {
  const visitor = server.visitor()
  expect((await visitor.call('POST', '/auth/dev-login', { body: { email } })).status).toBe(200)
  return visitor
}
async function join(person: Person, org: OrgId, role: OrgRole): Promise<void> {
  server.clock.advance({ seconds: 1 })
  await server.sql.rows`
    insert into memberships (org_id, user_id, role, created_at)
    values (${org}, ${person.userId}, ${role}, ${server.clock.now()})`
}
async function personInTwo(role: OrgRole = 'member'): Promise<{ person: Person; team: Person }> {
  const [person, team] = [await server.person(), await server.person({ type: 'team' })]
  await join(person, team.orgId, role)
  return { person, team }
}
const insistOnSso = (org: OrgId) => server.sql.rows`update orgs set sso_required = true where id = ${org}`
const go = (visitor: Visitor, orgId: string) => visitor.call('POST', '/me/org', { body: { orgId } })
const orgOf = async (visitor: Visitor) => (await visitor.call('GET', '/me')).body.orgId

describe('GET /me/orgs 200', () => {
  test('lists every membership with its role, and which one is active', async () => {
    const { person, team } = await personInTwo('admin')
    await insistOnSso(team.orgId)
    const { status, body } = await server.call('GET', '/me/orgs', { as: person })
    expect(status).toBe(200)
    expect(body.orgs).toEqual([
      {
        orgId: person.orgId,
        name: person.email,
        type: 'individual',
        role: 'owner',
        active: true,
        ssoRequired: false,
        githubAllowed: false,
      },
      {
        orgId: team.orgId,
        name: team.email,
        type: 'team',
        role: 'admin',
        active: false,
        ssoRequired: true,
        githubAllowed: false,
      },
    ])
  })

  test('shows a key its one organisation', async () => {
    const { person } = await personInTwo()
    const key = await server.key(person, [])
    const { body } = await server.call('GET', '/me/orgs', { as: key })
    expect(body.orgs).toMatchObject([{ orgId: person.orgId, active: true }])
  })
})

describe('POST /me/org 200', () => {
  test('switches the session to the other organisation and its role', async () => {
    const { person, team } = await personInTwo('admin')
    const visitor = await signIn(person.email)
    expect(await orgOf(visitor)).toBe(person.orgId)
    expect((await go(visitor, team.orgId)).body).toEqual({ ok: true, orgId: team.orgId })
    expect((await visitor.call('GET', '/me')).body).toMatchObject({
      userId: person.userId,
      orgId: team.orgId,
      role: 'admin',
    })
    const [trace] = await server.sql.rows`
      select action, target, metadata from audit_entries where org_id = ${team.orgId} order by seq desc`
    expect(trace).toEqual({ action: 'me.switchOrg', target: team.orgId, metadata: { from: person.orgId } })
  })

  test('applies to the existing cookie on every replica', async () => {
    const { person, team } = await personInTwo()
    const visitor = await signIn(person.email)
    const cookie = { headers: { cookie: `service_session=${visitor.cookies.get('service_session')}` } }
    await go(visitor, team.orgId)
    for (const each of [server, replica])
      expect((await each.call('GET', '/me', cookie)).body.orgId).toBe(team.orgId)
  })

  test('applies to the next sign-in and leaves other sessions alone', async () => {
    const { person, team } = await personInTwo()
    const [here, there] = [await signIn(person.email), await signIn(person.email)]
    await go(here, team.orgId)
    expect(await orgOf(there)).toBe(person.orgId)
    expect(await orgOf(await signIn(person.email))).toBe(team.orgId)
  })

  test('opens an organisation that requires single sign-on to a session by its own provider', async () => {
    const { person, team } = await personInTwo()
    await insistOnSso(team.orgId)
    const visitor = await signIn(person.email)
    await server.sql.rows`update sessions set sso_org_id = ${team.orgId} where user_id = ${person.userId}`
    expect((await go(visitor, team.orgId)).status).toBe(200)
    expect(await orgOf(visitor)).toBe(team.orgId)
  })
})

describe('POST /me/org refused', () => {
  test('400 without an organisation', async () => {
    const visitor = await signIn((await server.person()).email)
    expect((await visitor.call('POST', '/me/org', { body: {} })).status).toBe(400)
  })

  test('403 where single sign-on is required and the session has none', async () => {
    const { person, team } = await personInTwo()
    await insistOnSso(team.orgId)
    const visitor = await signIn(person.email)
    const cookie = visitor.cookies.get('service_session')
    expect(await go(visitor, team.orgId)).toMatchObject({ status: 403, body: { code: 'sso_required' } })
    await server.sql.rows`update sessions set sso_org_id = ${person.orgId} where user_id = ${person.userId}`
    expect(await go(visitor, team.orgId)).toMatchObject({ status: 403, body: { code: 'sso_required' } })
    expect(visitor.cookies.get('service_session')).toBe(cookie)
    expect(await orgOf(visitor)).toBe(person.orgId)
  })

  test('403 to a key and to the development bearer, which have no session', async () => {
    const { person, team } = await personInTwo()
    const key = await server.key(person, ['keys:manage'])
    for (const as of [person, key]) {
      const reply = await server.call('POST', '/me/org', { as, body: { orgId: team.orgId } })
      expect(reply.body).toMatchObject({ code: 'session_required' })
    }
  })

  test('404, the same for a foreign and an unknown organisation', async () => {
    const stranger = await server.person({ type: 'team' })
    await insistOnSso(stranger.orgId)
    const visitor = await signIn((await server.person()).email)
    const before = await orgOf(visitor)
    const bodies = []
    for (const org of [stranger.orgId, 'org_00000000000000000000000000', 'nonsense']) {
      const { status, body } = await go(visitor, org)
      const { requestId: _, ...rest } = body
      bodies.push({ status, ...rest })
    }
    expect(bodies[0]).toMatchObject({ status: 404, code: 'not_found' })
    expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]])
    expect(await orgOf(visitor)).toBe(before)
  })
})

describe('a user who was removed from the active organisation', () => {
  test('is signed out on the next request and lands elsewhere at the next sign-in', async () => {
    const { person, team } = await personInTwo()
    const visitor = await signIn(person.email)
    await go(visitor, team.orgId)
    await server.sql.rows`delete from memberships where org_id = ${team.orgId} and user_id = ${person.userId}`
    expect((await visitor.call('GET', '/me')).status).toBe(401)
    expect((await go(visitor, person.orgId)).status).toBe(401)
    expect(await orgOf(await signIn(person.email))).toBe(person.orgId)
  })
})
