import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { route } from '../../platform/http/route.ts'
import { ok, text } from '../../platform/http/shapes.ts'
import { NotSignedIn, rotateSession, type SignInMethod, signIn, userByEmail } from '../identity.ts'

/** A sign-in method without checks, to test the steps after it. */
const believing = route('test.enter', 'POST /test/enter', {
  summary: 'Enter.',
  access: 'none',
  rate: 'auth',
  body: z.object({ email: text(200), method: text(20), ssoOrgId: text(40).optional() }),
  reply: { 200: ok },
  errors: ['sso_required', 'wrong_code'],
  handle: async ({ app, body, request }) => {
    const entered = await signIn(app, request, async (tx) => {
      const user = await userByEmail(tx, body.email)
      if (!user) return new NotSignedIn('nobody')
      const sso = body.ssoOrgId ? { ssoOrgId: body.ssoOrgId as OrgId } : {}
      return { user, method: body.method as SignInMethod, ...sso }
    })
    if (entered instanceof NotSignedIn) throw new ApiError('wrong_code')
    return { ok: true as const }
  },
})

const rotating = route('test.rotate', 'POST /test/rotate', {
  summary: 'Get a new cookie.',
  access: 'session',
  rate: 'auth',
  reply: { 200: ok },
  handle: async ({ app, actor, request }) => {
    await app.db.tx('platform', (tx) => rotateSession(app, tx, actor, request))
    return { ok: true as const }
  },
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    schedules: ['signIn'],
    modules: [{ name: 'test', routes: [believing, rotating] }],
  })
})
afterAll(() => server.close())

const enter = (visitor: Visitor, email: string, method = 'password', ssoOrgId?: string) =>
  visitor.call('POST', '/test/enter', {
    body: { email, method, ...(ssoOrgId ? { ssoOrgId } : {}) },
    headers: { 'user-agent': 'Netscape 4, see https://evil.example/' },
  })
const me = (visitor: Visitor) => visitor.call('GET', '/me')
const cookieOf = (visitor: Visitor) => ({
  headers: { cookie: `service_session=${visitor.cookies.get('service_session')}` },
})
async function mailsTo(email: string): Promise<{ subject: string; text: string }[]> {
  await server.app.jobs.drain()
  const { body } = await server.call<{ mails: { subject: string; text: string }[] }>('GET', '/dev/outbox', {
    query: { to: email },
  })
  return body.mails
}

describe('signing in', () => {
  test('opens a session, sets the readable hint cookie, and sends no mail the first time', async () => {
    const { email } = await server.person()
    const visitor = server.visitor()
    const reply = await enter(visitor, email)
    expect(reply.status).toBe(200)
    expect(await me(visitor)).toMatchObject({ status: 200, body: { email } })
    const [session, mark, device] = [reply.headers['set-cookie']].flat()
    expect(session).toMatch(/^service_session=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/)
    expect(mark).toBe('service_signed_in=1; Path=/; SameSite=Lax; Max-Age=2592000')
    expect(device).toMatch(/^service_device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    expect(await mailsTo(email)).toEqual([])
  })

  test('from a new browser notifies the owner once, with the address', async () => {
    const { email } = await server.person()
    const [home, cafe] = [server.visitor(), server.visitor()]
    await enter(home, email)
    await enter(cafe, email)
    await enter(cafe, email)
    const mails = await mailsTo(email)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.subject).toBe('New sign-in to your Cowrie account')
    expect(mails[0]?.text).toContain('127.0.0.1')
    expect(mails[0]?.text).toContain('Netscape 4')
    expect(mails[0]?.text).not.toContain('evil.example')
  })

  test('ends the previous session of the browser', async () => {
    const [{ email }, victim] = [await server.person(), await server.person()]
    const visitor = server.visitor()
    await enter(visitor, email)
    const before = cookieOf(visitor)
    await enter(visitor, victim.email)
    expect((await server.call('GET', '/me', before)).status).toBe(401)
    expect((await me(visitor)).body.email).toBe(victim.email)
  })

  test('for the 101st session ends the least recently seen one', async () => {
    const { email } = await server.person()
    const visitors: Visitor[] = []
    for (let i = 0; i < 101; i++) {
      const visitor = server.visitor()
      await enter(visitor, email)
      server.clock.advance({ seconds: 1 })
      visitors.push(visitor)
    }
    const statuses = []
    for (const visitor of visitors) statuses.push((await me(visitor)).status)
    expect(statuses).toEqual([401, ...Array.from({ length: 100 }, () => 200)])
  })

  test('that fails leaves no session and no cookie', async () => {
    const visitor = server.visitor()
    expect((await enter(visitor, 'nobody@example.com')).status).toBe(401)
    expect(visitor.cookies.size).toBe(0)
  })

  test('writes an audit event with its method', async () => {
    const person = await server.person()
    const visitor = server.visitor()
    await enter(visitor, person.email, 'magic_link')
    const { body } = await server.call<{ entries: { action: string; metadata: object }[] }>('GET', '/audit', {
      as: person,
    })
    expect(body.entries[0]).toMatchObject({ action: 'auth.signIn', metadata: { method: 'magic_link' } })
  })
})

describe('a session', () => {
  const staffOf = async (visitor: Visitor) => (await me(visitor)).body.staffRole

  test('from an organisation’s provider has no staff role', async () => {
    const { email, orgId } = await server.person({ staff: 'super_admin', type: 'team' })
    const [own, vouched] = [server.visitor(), server.visitor()]
    await enter(own, email)
    await enter(vouched, email, 'oidc', orgId)
    expect([await staffOf(own), await staffOf(vouched)]).toEqual(['super_admin', null])
    expect((await vouched.call('GET', '/admin/settings')).status).toBe(403)
  })

  test('accepts its old cookie for one minute after a rotation', async () => {
    const { email } = await server.person()
    const visitor = server.visitor()
    await enter(visitor, email)
    const old = cookieOf(visitor)
    const rotated = await visitor.call('POST', '/test/rotate')
    expect(rotated.status).toBe(200)
    expect(cookieOf(visitor)).not.toEqual(old)
    expect((await server.call('GET', '/me', old)).status).toBe(200)
    server.clock.advance({ seconds: 61 })
    expect((await server.call('GET', '/me', old)).status).toBe(401)
    expect((await me(visitor)).status).toBe(200)
  })

  test('keeps its second factor in a rotation by its cookie, and not by a copy of the one before', async () => {
    const { email, userId } = await server.person()
    const visitor = server.visitor()
    await enter(visitor, email)
    await server.sql.rows`update sessions set second_factor_at = created_at where user_id = ${userId}`
    const old = cookieOf(visitor)
    const proofs = async () => {
      const rows = await server.sql.rows<{ shown: boolean }>`
        select second_factor_at is not null as shown from sessions where user_id = ${userId}`
      return rows.map(({ shown }) => shown)
    }
    await visitor.call('POST', '/test/rotate')
    expect(await proofs()).toEqual([true])
    expect((await server.call('POST', '/test/rotate', old)).status).toBe(200)
    expect(await proofs()).toEqual([false])
  })

  test('that has ended meanwhile gets no new cookie', async () => {
    const { email, userId } = await server.person()
    const visitor = server.visitor()
    await enter(visitor, email)
    let waiting: Promise<{ status: number }> | undefined
    await server.app.db.tx('platform', async (tx) => {
      await tx.rows`update sessions set revoked_at = ${tx.now} where user_id = ${userId}`
      waiting = visitor.call('POST', '/test/rotate')
      await expect
        .poll(
          () =>
            server.sql
              .rows`select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        .toHaveLength(1)
    })
    expect((await waiting)?.status).toBe(401)
  })

  test('is recent for 15 minutes', async () => {
    const { email } = await server.person()
    const visitor = server.visitor()
    await enter(visitor, email)
    const enroll = async () => (await visitor.call('POST', '/auth/mfa/enroll')).status
    server.clock.advance({ minutes: 15 })
    expect(await enroll()).toBe(200)
    server.clock.advance({ seconds: 1 })
    expect(await visitor.call('POST', '/auth/mfa/enroll')).toMatchObject({
      status: 403,
      body: { code: 'reauth_required' },
    })
    expect((await visitor.call('POST', '/auth/passkeys/options')).status).toBe(403)
    await enter(visitor, email)
    expect(await enroll()).toBe(200)
  })

  test('is not ended by an expired cookie of it', async () => {
    const { email } = await server.person()
    const visitor = server.visitor()
    await enter(visitor, email)
    const stale = cookieOf(visitor)
    await visitor.call('POST', '/test/rotate')
    server.clock.advance({ minutes: 2 })
    const thief = await server.person()
    await server.call('POST', '/test/enter', { body: { email: thief.email, method: 'password' }, ...stale })
    expect((await me(visitor)).status).toBe(200)
  })
})

test('an account remembers its fifty most recent browsers', async () => {
  const { email, userId } = await server.person()
  for (let i = 0; i < 55; i++) {
    await enter(server.visitor(), email)
    server.clock.advance({ seconds: 1 })
  }
  const { known } = await server.sql.one<{ known: number }>`
    select count(*)::int as known from devices where user_id = ${userId}`
  expect(known).toBe(50)
  // Many sign-ins must not cause as many mails.
  expect(await mailsTo(email)).toHaveLength(10)
})

describe('an organisation that requires single sign-on', () => {
  async function insisting() {
    const owner = await server.person({ type: 'team' })
    await server.sql.rows`update orgs set sso_required = true where id = ${owner.orgId}`
    return owner
  }

  test('is opened only by its own provider', async () => {
    const { email, orgId } = await insisting()
    const other = await server.person()
    for (const method of ['password', 'magic_link', 'passkey'])
      expect(await enter(server.visitor(), email, method)).toMatchObject({
        status: 403,
        body: { code: 'sso_required' },
      })
    expect((await enter(server.visitor(), email, 'oidc', other.orgId)).status).toBe(403)
    const visitor = server.visitor()
    expect((await enter(visitor, email, 'oidc', orgId)).status).toBe(200)
    expect((await me(visitor)).body.orgId).toBe(orgId)
  })

  test('leaves members their other organisations and cannot be opened from there', async () => {
    const { orgId } = await insisting()
    const person = await server.person()
    await server.sql
      .rows`insert into memberships (org_id, user_id, role, created_at) values (${orgId}, ${person.userId}, 'admin', ${server.clock.now()})`
    await server.sql.rows`update users set active_org_id = ${orgId} where id = ${person.userId}`
    const visitor = server.visitor()
    expect((await enter(visitor, person.email)).status).toBe(200)
    expect((await me(visitor)).body.orgId).toBe(person.orgId)
    expect(await visitor.call('GET', `/teams/${orgId}/members`)).toMatchObject({
      status: 403,
      body: { code: 'sso_required' },
    })
  })

  test('refuses older sessions on their next request, except for signing out and listing organisations', async () => {
    const owner = await server.person({ type: 'team' })
    const visitor = server.visitor()
    await enter(visitor, owner.email)
    expect((await me(visitor)).status).toBe(200)
    await server.sql.rows`update orgs set sso_required = true where id = ${owner.orgId}`
    expect(await me(visitor)).toMatchObject({ status: 403, body: { code: 'sso_required' } })
    expect(await visitor.call('GET', '/me/orgs')).toMatchObject({
      status: 200,
      body: { orgs: [{ orgId: owner.orgId, ssoRequired: true }] },
    })
    expect((await visitor.call('POST', '/auth/logout')).status).toBe(200)
  })

  test('applies to every address of its verified domains', async () => {
    const { orgId } = await insisting()
    const now = server.clock.now()
    const domain = `${orgId.toLowerCase().replace('_', '-')}.example`
    const person = await server.person({ email: `ada@${domain}` })
    await server.sql
      .rows`insert into sso_domains (org_id, domain, token, created_at) values (${orgId}, ${domain}, 't', ${now})`
    await server.sql
      .rows`insert into sso_connections (id, org_id, type, enabled, issuer, client_id, created_at, updated_at)
        values (${`sso_${orgId}`}, ${orgId}, 'oidc', true, 'https://idp.example.com', 'x', ${now}, ${now})`
    expect((await enter(server.visitor(), person.email)).status).toBe(200)
    await server.sql.rows`update sso_domains set verified_at = ${now} where org_id = ${orgId}`
    expect(await enter(server.visitor(), person.email)).toMatchObject({
      status: 403,
      body: { code: 'sso_required' },
    })
  })
})
