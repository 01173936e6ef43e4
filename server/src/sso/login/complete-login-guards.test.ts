import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import { openSsoOrg, roleOf, verifyDomain } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openAccount } from '../../identity/identity.ts'
import { present } from '../../kernel/assert.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { route } from '../../platform/http/route.ts'
import { ok, text } from '../../platform/http/shapes.ts'
import { findConnectionByOrg } from '../connections.ts'
import { completeLogin } from './complete-login.ts'

const ISSUER = 'https://idp.example.com'

/** A provider that returns the claims of the caller, to test the steps after it. */
const arriving = route('test.arrive', 'POST /test/arrive', {
  summary: 'Arrive.',
  access: 'none',
  rate: 'auth',
  body: z.object({ orgId: text(40), subject: text(100), email: text(200), groups: z.array(text(100)) }),
  reply: { 200: ok },
  errors: ['sso_failed', 'seats_exceeded', 'sso_required'],
  handle: async ({ app, body, request }) => {
    const connection = present(await findConnectionByOrg(app, body.orgId as OrgId), 'the test has made one')
    const flow = {
      key: 'k',
      connectionId: connection.id,
      data: {},
      next: '/app',
      createdAt: app.clock.now(),
    }
    const { subject, email, groups } = body
    const claims = { issuer: ISSUER, subject, email, emailVerified: true, name: null, groups }
    await completeLogin(app, request, connection, claims, async () => flow)
    return { ok: true as const }
  },
})

let server: TestServer
let replica: TestServer
beforeAll(async () => {
  const modules = [{ name: 'test', routes: [arriving] }]
  server = await startTestServer({ modules })
  replica = await startTestServer({ modules, url: server.url, clock: server.clock })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

async function setUp({ seats = 100, isProven = true, groupRoleMap = {} } = {}) {
  const domain = `${newId('dom').replace('_', '-')}.test`
  const connection = { type: 'oidc', issuer: ISSUER, clientId: 'cowrie' }
  const { orgId } = await openSsoOrg(server, { connection, seats, groupRoleMap })
  await verifyDomain(server, orgId, domain)
  if (!isProven) await server.sql.rows`update sso_domains set verified_at = null where org_id = ${orgId}`
  return { orgId, domain, email: `ada@${domain}` }
}
const come = (by: Pick<Visitor, 'call'>, orgId: string, email: string, groups: string[] = []) =>
  by.call('POST', '/test/arrive', { body: { orgId, subject: 'ada', email, groups } })
const membersOf = async (orgId: string) =>
  (await server.sql.rows`select user_id from memberships where org_id = ${orgId}`).length

/** Starts calls while the organisation is locked, and releases it once all of them wait. */
async function whileHeld<T>(orgId: string, calls: (() => Promise<T>)[], change = async () => {}) {
  const begun: Promise<T>[] = []
  await server.app.db.tx('platform', async (tx) => {
    await tx.rows`select id from orgs where id = ${orgId} for no key update`
    for (const call of calls) begun.push(call())
    await expect
      .poll(
        () =>
          server.sql.rows`
            select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        { timeout: 10_000 },
      )
      .toHaveLength(calls.length)
    await change()
  })
  return Promise.all(begun)
}

describe('a user from a provider', () => {
  test('is not trusted for a domain that is claimed but not verified', async () => {
    const { orgId, email } = await setUp({ isProven: false })
    expect(await come(server, orgId, email)).toMatchObject({ status: 401, body: { code: 'sso_failed' } })
    expect(await server.sql.rows`select id from users where email = ${email}`).toEqual([])
  })

  test('does not exceed the seats when another user joins at the same time', async () => {
    const { orgId, email } = await setUp({ seats: 2 })
    const other = await server.person()
    const [reply] = await whileHeld(orgId, [() => come(replica, orgId, email)], async () => {
      await server.sql.rows`
        insert into memberships (org_id, user_id, role, created_at)
        values (${orgId}, ${other.userId}, 'member', ${server.clock.now()})`
    })
    expect(reply).toMatchObject({ status: 402, body: { code: 'seats_exceeded' } })
    expect(await membersOf(orgId)).toBe(2)
  })

  test('with two concurrent first sign-ins gets one account and two sessions', async () => {
    const { orgId, email } = await setUp()
    const replies = await whileHeld(orgId, [
      () => come(server, orgId, email),
      () => come(replica, orgId, email),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(await membersOf(orgId)).toBe(2)
  })

  test('ends sessions from before the address was confirmed', async () => {
    const { orgId, email } = await setUp()
    await server.app.db.tx('platform', (tx) => openAccount(tx, { email, verified: false }))
    const stranger = server.visitor()
    await stranger.call('POST', '/auth/dev-login', { body: { email } })
    expect((await stranger.call('GET', '/me')).status).toBe(200)
    expect((await come(server, orgId, email)).status).toBe(200)
    expect((await stranger.call('GET', '/me')).status).toBe(401)
  })

  test('gets a role from groups in that organisation only', async () => {
    const { orgId, email } = await setUp({ groupRoleMap: { chiefs: 'admin' } })
    expect((await come(server, orgId, email)).status).toBe(200)
    const elsewhere = await server.person({ type: 'team' })
    await server.sql.rows`
      insert into memberships (org_id, user_id, role, created_at)
      select ${elsewhere.orgId}, id, 'member', ${server.clock.now()}::timestamptz from users where email = ${email}`
    expect((await come(server, orgId, email, ['chiefs'])).status).toBe(200)
    expect(await roleOf(server, orgId, email)).toBe('admin')
    expect(await roleOf(server, elsewhere.orgId, email)).toBe('member')
  })

  test('is another user through the connection of another organisation with the same issuer', async () => {
    const [one, two] = [await setUp(), await setUp()]
    const browsers = [server.visitor(), server.visitor()] as const
    expect((await come(browsers[0], one.orgId, one.email)).status).toBe(200)
    expect((await come(browsers[1], two.orgId, two.email)).status).toBe(200)
    expect((await browsers[0].call('GET', '/me')).body).toMatchObject({ email: one.email, orgId: one.orgId })
    expect((await browsers[1].call('GET', '/me')).body).toMatchObject({ email: two.email, orgId: two.orgId })
  })

  test('is not linked to the same subject of an earlier provider', async () => {
    const { orgId, domain, email } = await setUp()
    expect((await come(server, orgId, email)).status).toBe(200)
    await server.sql.rows`
      update sso_identities set issuer = 'https://earlier.example.com'
      where connection_id in (select id from sso_connections where org_id = ${orgId})`
    const browser = server.visitor()
    expect((await come(browser, orgId, `grace@${domain}`)).status).toBe(200)
    expect((await browser.call('GET', '/me')).body.email).toBe(`grace@${domain}`)
  })
})
