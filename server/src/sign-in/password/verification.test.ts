import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import {
  createPasswordUser,
  FROM_PAGE,
  login,
  me,
  NAVIGATING,
  newAddress,
  PASSWORD,
  register,
  tokenTo,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(() => server.sql.rows`delete from attempts`)
afterAll(() => server.close())

/** A browser registers and gets the mail. */
async function registered(email = newAddress()): Promise<{ email: string; browser: Visitor; token: string }> {
  const browser = server.visitor()
  await register(browser, email, PASSWORD, { headers: FROM_PAGE })
  return { email, browser, token: await tokenTo(server, email) }
}
const confirm = (caller: Pick<Visitor, 'call'>, token: string, headers: Record<string, string> = FROM_PAGE) =>
  caller.call('POST', '/auth/verify', { body: { token }, headers })
const isVerified = async (email: string) =>
  (await server.sql.rows`select 1 as one from users where email = ${email} and verified_at is not null`)
    .length === 1

describe('opening the link in a browser', () => {
  test('never confirms, and tells the page whether this browser registered', async () => {
    const { email, browser, token } = await registered()
    const page = `/app/sign-in/link#token=${token}&kind=verify`
    for (const ahead of [{}, { purpose: 'prefetch' }, { 'sec-purpose': 'prefetch;prerender' }]) {
      const headers = { ...NAVIGATING, ...ahead }
      const own = await browser.call('GET', '/auth/verify', { query: { token }, headers })
      expect(own).toMatchObject({ status: 302, headers: { location: `${page}&own=1` } })
      const other = await server.visitor().call('GET', '/auth/verify', { query: { token }, headers })
      expect(other).toMatchObject({ status: 302, headers: { location: page } })
    }
    expect(await isVerified(email)).toBe(false)
    expect((await me(browser)).status).toBe(401)
  })
})

describe('posting the token', () => {
  test('signs in the browser that registered, with a new session', async () => {
    const { email, browser, token } = await registered()
    const reply = await confirm(browser, token)
    expect(reply).toMatchObject({ status: 200, body: { ok: true, signedIn: true } })
    expect(String(reply.headers['set-cookie'])).toMatch(
      /service_session=[^;]+; Path=\/; HttpOnly; SameSite=Lax/,
    )
    expect(await me(browser)).toMatchObject({ status: 200, body: { email, orgType: 'individual' } })
    const events = await server.sql.rows<{ action: string }>`
      select action from audit_entries where actor_email = ${email} order by seq`
    expect(events.map(({ action }) => action)).toEqual(['auth.register', 'auth.verify', 'auth.signIn'])
  })

  test('only confirms in another browser, also in one that has registered another address', async () => {
    for (const other of [server.visitor(), (await registered()).browser]) {
      const { email, browser, token } = await registered()
      const reply = await confirm(other, token)
      expect(reply).toMatchObject({ status: 200, body: { ok: true, signedIn: false } })
      expect(String(reply.headers['set-cookie'] ?? '')).not.toContain('service_session')
      expect((await me(other)).status).toBe(401)
      expect((await me(browser)).status).toBe(401)
      expect((await login(other, email)).status).toBe(200)
    }
  })

  test('from another website is refused and changes nothing', async () => {
    const { email, browser, token } = await registered()
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect(await confirm(browser, token, headers as Record<string, string>)).toMatchObject({
        status: 403,
        body: { code: 'cross_origin' },
      })
    expect(await isVerified(email)).toBe(false)
    expect((await confirm(browser, token)).body).toMatchObject({ signedIn: true })
  })

  test('does not adopt a session that the browser brought, and ends it', async () => {
    const stranger = await createPasswordUser(server)
    const { email, browser, token } = await registered()
    await login(browser, stranger.email)
    expect((await confirm(browser, token)).body).toMatchObject({ signedIn: true })
    expect((await me(browser)).body).toMatchObject({ email })
    expect(
      await server.sql
        .rows`select id from sessions where user_id = ${stranger.userId} and revoked_at is null`,
    ).toEqual([])
  })

  test('succeeds once of many at the same time on two replicas, and opens one session', async () => {
    const { email, browser, token } = await registered()
    const second = await startTestServer({ url: server.url, clock: server.clock })
    const replies = await Promise.all(Array.from({ length: 6 }, () => confirm(browser, token)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    expect(
      await server.sql.rows`
        select s.id from sessions s join users u on u.id = s.user_id where u.email = ${email}`,
    ).toHaveLength(1)
    expect(await second.call('POST', '/auth/verify', { body: { token } })).toMatchObject({
      status: 400,
      body: { code: 'link_invalid' },
    })
    await second.close()
  })

  test('confirms without a session where the domain requires single sign-on or the account a second factor', async () => {
    const team = await server.person({ type: 'team' })
    const domain = `${newId('org').slice(4)}.example.com`
    await server.sql.rows`update orgs set sso_required = true where id = ${team.orgId}`
    await server.sql.rows`
      insert into sso_connections (id, org_id, type, enabled, issuer, client_id, created_at, updated_at)
      values (${newId('sso')}, ${team.orgId}, 'oidc', true, 'https://idp.example.com', 'x', now(), now())`
    await server.sql.rows`
      insert into sso_domains (domain, org_id, token, verified_at, created_at)
      values (${domain}, ${team.orgId}, 'x', now(), now())`
    const bound = await registered(`ada@${domain}`)
    expect((await confirm(bound.browser, bound.token)).body).toEqual({ ok: true, signedIn: false })
    expect(await isVerified(bound.email)).toBe(true)
    expect((await me(bound.browser)).status).toBe(401)

    const careful = await registered()
    await server.sql.rows`update users set mfa_enabled = true where email = ${careful.email}`
    expect((await confirm(careful.browser, careful.token)).body).toEqual({ ok: true, signedIn: false })
    expect(await isVerified(careful.email)).toBe(true)
    expect((await me(careful.browser)).status).toBe(401)
  })

  test('of a link that was replaced opens no session', async () => {
    const { email, browser, token } = await registered()
    server.clock.advance({ seconds: 1 })
    await browser.call('POST', '/auth/verify/resend', { body: { email }, headers: FROM_PAGE })
    const second = await tokenTo(server, email)
    expect((await confirm(browser, token)).status).toBe(400)
    expect((await confirm(browser, second)).body).toMatchObject({ signedIn: true })
  })
})
