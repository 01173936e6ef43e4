import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import {
  comparable,
  createPasswordUser,
  FROM_PAGE,
  login,
  mailsTo,
  me,
  NAVIGATING,
  newAddress,
  PASSWORD,
  type PasswordUser,
  tokenTo,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const SCHEDULES = ['signIn']

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ schedules: SCHEDULES })
})
beforeEach(() => server.sql.rows`delete from attempts`)
afterAll(() => server.close())

type Client = Pick<Visitor, 'call'>
const request = (email: string, client: Client = server, headers: Record<string, string> = {}) =>
  client.call('POST', '/auth/magic/request', { body: { email }, headers })
const open = (token: string, client: Client = server, headers: Record<string, string> = {}) =>
  client.call('GET', '/auth/magic/consume', { query: { token }, headers })
const consume = (token: string, client: Client = server) =>
  client.call('POST', '/auth/magic/consume', { body: { token } })

/** A browser requests a link. */
async function requestMagicLink(
  person?: PasswordUser,
): Promise<{ person: PasswordUser; browser: Visitor; token: string }> {
  const user = person ?? (await createPasswordUser(server))
  const browser = server.visitor()
  await request(user.email, browser, FROM_PAGE)
  return { person: user, browser, token: await tokenTo(server, user.email) }
}

describe('POST /auth/magic/request 200', () => {
  test('mails a link, and gives the browser a cookie by which it is known again', async () => {
    const { email } = await createPasswordUser(server)
    const reply = await request(email, server, { ...FROM_PAGE, host: 'evil.localhost' })
    expect(reply).toMatchObject({ status: 200, body: { ok: true } })
    expect(String(reply.headers['set-cookie'])).toMatch(/^service_device=[\w-]{43}; Path=\/; HttpOnly/)
    const [mail] = await mailsTo(server, email)
    expect(mail?.text).toMatch(/\nhttp:\/\/cowrie\.test\/auth\/magic\/consume\?token=[\w-]{43}\n/)
  })

  test('the same for an address without an account, which gets neither a mail nor an account', async () => {
    const known = await createPasswordUser(server)
    const unknown = newAddress()
    for (const headers of [{}, FROM_PAGE])
      expect(comparable(await request(unknown, server, headers))).toEqual(
        comparable(await request(known.email, server, headers)),
      )
    expect(await mailsTo(server, unknown)).toEqual([])
    expect(await server.sql.rows`select id from users where email = ${unknown}`).toEqual([])
  })
})

describe('GET /auth/magic/consume signs in', () => {
  test('302 to the app in the browser that asked, however it gets there', async () => {
    const { person, browser, token } = await requestMagicLink()
    const reply = await open(token, browser, NAVIGATING)
    expect(reply).toMatchObject({ status: 302, headers: { location: '/app' } })
    expect(await me(browser)).toMatchObject({ status: 200, body: { email: person.email } })
    expect(await open(token, browser, NAVIGATING)).toMatchObject({
      status: 302,
      headers: { location: '/app/sign-in/link#problem=link_invalid' },
    })
  })

  test('200 to a program where a program asked', async () => {
    const { email, userId, orgId } = await createPasswordUser(server)
    await request(email)
    const program = server.visitor()
    const reply = await open(await tokenTo(server, email), program)
    expect(reply).toMatchObject({ status: 200, body: { ok: true, userId, orgId } })
    expect((await me(program)).status).toBe(200)
  })

  test('and asks for the second factor first: JSON to programs, the page for it to browsers', async () => {
    const person = await createPasswordUser(server)
    await server.sql.rows`update users set mfa_enabled = true where id = ${person.userId}`
    const { browser, token } = await requestMagicLink(person)
    const reply = await open(token, browser, NAVIGATING)
    expect(reply.status).toBe(302)
    expect(reply.headers.location).toMatch(/^\/app\/sign-in\/second-factor#challenge=[\w-]{43}$/)
    expect((await me(browser)).status).toBe(401)
    server.clock.advance({ seconds: 1 })
    await request(person.email)
    const asProgram = await open(await tokenTo(server, person.email))
    expect(asProgram).toMatchObject({
      status: 200,
      body: { mfaRequired: true, challenge: expect.any(String) },
    })
  })

  test('and confirms the address; a password set before that is removed', async () => {
    const person = await createPasswordUser(server, { verified: false })
    const { browser, token } = await requestMagicLink(person)
    expect((await open(token, browser, NAVIGATING)).headers.location).toBe('/app')
    expect((await me(browser)).status).toBe(200)
    expect((await login(server, person.email)).status).toBe(401)
    expect((await mailsTo(server, person.email)).map(({ subject }) => subject)).toContain(
      'Your account has no password',
    )
  })

  test('and leaves the password of a confirmed account alone', async () => {
    const { person, browser, token } = await requestMagicLink()
    await open(token, browser, NAVIGATING)
    expect((await login(server, person.email, PASSWORD)).status).toBe(200)
  })
})

describe('GET /auth/magic/consume does not consume the link', () => {
  test('for scanners, look-ahead, HEAD and other browsers; the person still gets in', async () => {
    const { browser, token } = await requestMagicLink()
    const page = `/app/sign-in/link#token=${token}&kind=magic`
    const other = (await requestMagicLink()).browser
    expect((await open(token, server, NAVIGATING)).headers.location).toBe(page)
    expect((await open(token, other, NAVIGATING)).headers.location).toBe(page)
    expect(await open(token)).toMatchObject({ status: 200, body: { ok: false, confirm: true } })
    expect((await server.call('HEAD', '/auth/magic/consume', { query: { token } })).status).toBe(405)
    for (const ahead of [
      { purpose: 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { 'x-moz': 'prefetch' },
      { 'x-purpose': 'preview' },
    ])
      expect((await open(token, browser, { ...NAVIGATING, ...ahead })).headers.location).toBe(page)
    expect((await me(browser)).status).toBe(401)
    expect((await open(token, browser, NAVIGATING)).headers.location).toBe('/app')
    expect((await me(browser)).status).toBe(200)
  })

  test('for a browser where a program asked, and for look-ahead without HTML', async () => {
    const { email } = await createPasswordUser(server)
    await request(email)
    const token = await tokenTo(server, email)
    expect((await open(token, server, NAVIGATING)).headers.location).toContain('kind=magic')
    expect((await open(token, server, { purpose: 'prefetch' })).body).toEqual({ ok: false, confirm: true })
    expect((await open(token)).body).toMatchObject({ ok: true })
  })

  test('and returns only valid tokens to the browser', async () => {
    const hostile = 'x&kind=verify#https://evil.example'
    expect((await open(hostile, server, NAVIGATING)).headers.location).toBe(
      '/app/sign-in/link#problem=link_invalid',
    )
  })
})

describe('POST /auth/magic/consume', () => {
  test('200 in any browser, because a user has pressed a button', async () => {
    const { person, token } = await requestMagicLink()
    const elsewhere = server.visitor()
    const reply = await elsewhere.call('POST', '/auth/magic/consume', { body: { token }, headers: FROM_PAGE })
    expect(reply).toMatchObject({
      status: 200,
      body: { ok: true, userId: person.userId, orgId: person.orgId },
    })
    expect((await me(elsewhere)).status).toBe(200)
  })

  test('200 for exactly one of many on two replicas', async () => {
    const { person, token } = await requestMagicLink()
    const second = await startTestServer({ schedules: SCHEDULES, url: server.url, clock: server.clock })
    const replies = await Promise.all(
      [server, second, server, second, server, second].map((replica) => consume(token, replica)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    expect(await server.sql.rows`select id from sessions where user_id = ${person.userId}`).toHaveLength(1)
    await second.close()
  })

  test('400 when it is a quarter of an hour old, replaced, used, unknown or for something else', async () => {
    const first = await requestMagicLink()
    server.clock.advance({ seconds: 1 })
    const second = await requestMagicLink(first.person)
    expect(await consume(first.token)).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
    expect((await consume(second.token)).status).toBe(200)
    expect((await consume(second.token)).status).toBe(400)
    const late = await requestMagicLink()
    server.clock.advance({ minutes: 15 })
    expect((await consume(late.token)).status).toBe(400)
    await server.call('POST', '/auth/password/forgot', { body: { email: late.person.email } })
    expect((await consume(await tokenTo(server, late.person.email))).status).toBe(400)
    expect((await consume('x'.repeat(43))).status).toBe(400)
  })

  test('403 where single sign-on is required, and on a page for browsers', async () => {
    const person = await createPasswordUser(server)
    await server.sql.rows`update orgs set sso_required = true where id = ${person.orgId}`
    const { browser, token } = await requestMagicLink(person)
    expect(await consume(token)).toMatchObject({ status: 403, body: { code: 'sso_required' } })
    expect((await open(token, browser, NAVIGATING)).headers.location).toBe(
      '/app/sign-in/link#problem=sso_required',
    )
  })

  test('403 from another website, which could sign users in to a foreign account', async () => {
    const { token } = await requestMagicLink()
    const reply = await server.call('POST', '/auth/magic/consume', {
      body: { token },
      headers: { origin: 'https://evil.example' },
    })
    expect(reply).toMatchObject({ status: 403, body: { code: 'cross_origin' } })
    expect((await consume(token)).status).toBe(200)
  })
})
