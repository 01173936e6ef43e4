import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import {
  comparable,
  createPasswordUser,
  FROM_PAGE,
  login,
  mailsTo,
  NAVIGATING,
  newAddress,
  OTHER_PASSWORD,
  PASSWORD,
  register,
  tokenTo,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifyPassword } from './passwords.ts'

const SCHEDULES = ['signIn']

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ schedules: SCHEDULES })
})
beforeEach(() => server.sql.rows`delete from attempts`)
afterAll(() => server.close())

const verify = (token: string, headers: Record<string, string> = {}) =>
  server.call('GET', '/auth/verify', { query: { token }, headers })
const confirm = (token: string) => server.call('POST', '/auth/verify', { body: { token } })
const accountOf = (email: string) =>
  server.sql.maybe<Record<string, unknown>>`
    select u.name, u.verified_at, u.password_hash, o.name as org, o.type, o.currency, m.role, f.role as staff
    from users u join memberships m on m.user_id = u.id join orgs o on o.id = m.org_id
    left join staff f on f.user_id = u.id where u.email = ${email}`

describe('POST /auth/register 201', () => {
  test('opens an account with a personal organisation, and mails a confirmation link', async () => {
    const email = newAddress()
    const reply = await register(server, email, PASSWORD, { body: { name: 'Ada', currency: 'KES' } })
    expect(reply).toMatchObject({ status: 201, body: { ok: true, verificationRequired: true } })
    expect(await accountOf(email)).toMatchObject({
      name: 'Ada',
      org: 'Ada',
      type: 'individual',
      currency: 'KES',
      role: 'owner',
      verified_at: null,
      password_hash: expect.stringMatching(/^\$argon2id\$/),
    })
    const [mail] = await mailsTo(server, email)
    expect(mail?.subject).toBe('Confirm your email address')
    expect(mail?.text).toMatch(/http:\/\/cowrie\.test\/auth\/verify\?token=[\w-]{43}\n/)
  })

  test('remembers the language of the request for mails', async () => {
    const email = newAddress()
    const headers = { 'accept-language': 'ar-EG, en;q=0.4' }
    await register(server, email, PASSWORD, { headers })
    const [mail] = await mailsTo(server, email)
    expect(mail?.subject).toBe('أكّد عنوان بريدك الإلكتروني')
    expect(mail?.html).toContain('<html lang="ar" dir="rtl">')
    expect(mail?.text).toMatch(/\nhttp:\/\/cowrie\.test\/auth\/verify\?token=[\w-]{43}\n/)
    await register(server, email, OTHER_PASSWORD, { headers: { 'accept-language': 'fr' } })
    expect((await mailsTo(server, email)).map(({ subject }) => subject)).toContain(
      'Vous avez déjà un compte Cowrie : choisissez votre mot de passe',
    )
  })

  test('accepts the longest valid address, also a second time', async () => {
    const email = `${'a'.repeat(242)}@example.com`
    for (const password of [PASSWORD, PASSWORD, OTHER_PASSWORD])
      expect((await register(server, email, password)).status).toBe(201)
    expect(await accountOf(email)).toMatchObject({ org: email.slice(0, 200) })
  })

  test('the same reply for an address with an account, whose owner is notified; nothing else happens', async () => {
    const known = await createPasswordUser(server)
    const before = await accountOf(known.email)
    const headers = { ...FROM_PAGE }
    const fresh = await register(server, newAddress(), OTHER_PASSWORD, { headers })
    const again = await register(server, known.email.toUpperCase(), OTHER_PASSWORD, { headers })
    expect(comparable(again)).toEqual(comparable(fresh))
    expect(String(again.headers['set-cookie'])).toMatch(/^service_device=/)
    expect(await accountOf(known.email)).toEqual(before)
    expect((await mailsTo(server, known.email)).map(({ subject }) => subject)).toEqual([
      'You already have a Cowrie account',
    ])
    expect((await login(server, known.email)).status).toBe(200)
  })

  test('ignores unknown fields, such as roles and flags', async () => {
    const email = newAddress()
    const more = {
      role: 'operator',
      staffRole: 'super_admin',
      verified: true,
      verifiedAt: '2020-01-01',
      orgId: 'org_x',
      balanceMinor: 1_000_000,
      mfaEnabled: true,
    }
    expect((await register(server, email, PASSWORD, { body: more })).status).toBe(201)
    expect(await accountOf(email)).toMatchObject({ verified_at: null, staff: null, role: 'owner' })
    expect((await login(server, email)).status).toBe(403)
  })

  test('writes links from the configured origin, whatever the request says about hosts', async () => {
    const email = newAddress()
    await register(server, email, PASSWORD, {
      headers: { host: 'evil.localhost', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    })
    const [mail] = await mailsTo(server, email)
    expect(mail?.text).toContain('http://cowrie.test/auth/verify')
    expect(JSON.stringify(mail)).not.toContain('evil')
  })

  test('one address in any spelling is one account', async () => {
    const email = newAddress()
    await register(server, email)
    await register(server, ` ${email}`.trim().toUpperCase())
    await register(server, email.replace('a', 'ａ'))
    const rows = await server.sql.rows`select id from users where email = ${email}`
    expect(rows).toHaveLength(1)
  })
})

test('POST /auth/register 503 while too many passwords wait, and those tries do not count for the mails', async () => {
  const email = newAddress()
  const gate = Promise.withResolvers<void>()
  const crowd = Array.from({ length: 34 }, () =>
    verifyPassword(server.app, null, PASSWORD, () => gate.promise),
  )
  for (let i = 0; i < 4; i++)
    expect(await register(server, email)).toMatchObject({ status: 503, body: { code: 'busy' } })
  gate.resolve()
  await Promise.allSettled(crowd)
  expect((await register(server, email)).status).toBe(201)
  expect(await mailsTo(server, email)).toHaveLength(1)
})

describe('POST /auth/register of an address that was registered and not confirmed', () => {
  test('with the same password sends a new link, and the old one stops working', async () => {
    const email = newAddress()
    await register(server, email)
    const first = await tokenTo(server, email)
    server.clock.advance({ seconds: 1 })
    await register(server, email, PASSWORD, { body: { name: 'Ada', currency: 'KES' } })
    const second = await tokenTo(server, email)
    const [mail] = await mailsTo(server, email)
    expect(mail?.subject).toBe('You already have a Cowrie account: confirm your address')
    expect(mail?.text).toContain('registered again with the same password')
    expect((await verify(first)).body).toMatchObject({ code: 'link_invalid' })
    expect((await verify(second)).status).toBe(200)
    expect(await accountOf(email)).toMatchObject({ name: 'Ada', org: 'Ada', currency: 'KES' })
    expect((await login(server, email)).status).toBe(200)
  })

  test('with another password removes both; the reader of the mail chooses one', async () => {
    for (const [first, second] of [
      ['of a stranger who came first', 'of the owner, afterwards'],
      ['of the owner, first of all', 'of a stranger who came after'],
    ] as const) {
      const email = newAddress()
      await register(server, email, first)
      const earlier = await tokenTo(server, email)
      server.clock.advance({ seconds: 1 })
      await register(server, email, second)
      const token = await tokenTo(server, email)
      const [mail] = await mailsTo(server, email)
      expect(mail?.subject).toBe('You already have a Cowrie account: choose your password')
      expect(mail?.text).toContain('registered before with another password')
      expect(mail?.text).toMatch(/http:\/\/cowrie\.test\/app\/reset#token=[\w-]{43}\n/)
      expect((await confirm(earlier)).body).toMatchObject({ code: 'link_invalid' })
      const chosen = { token, password: OTHER_PASSWORD }
      expect((await server.call('POST', '/auth/password/reset', { body: chosen })).status).toBe(200)
      for (const password of [first, second]) expect((await login(server, email, password)).status).toBe(401)
      expect((await login(server, email, OTHER_PASSWORD)).status).toBe(200)
    }
  })

  test('that was invited sets no password and mails a link to choose one', async () => {
    const invited = await createPasswordUser(server, { password: null, verified: false })
    await register(server, invited.email)
    expect(await accountOf(invited.email)).toMatchObject({ password_hash: null, verified_at: null })
    expect((await mailsTo(server, invited.email))[0]?.text).toContain('/app/reset#token=')
  })
})

describe('POST /auth/register 400', () => {
  test.for([
    ['a short password', { password: 'x7 Kq!d' }, 'invalid_fields', 'password'],
    ['a long password', { password: 'xy'.repeat(65) }, 'invalid_fields', 'password'],
    [
      'a megabyte of password, before anything is made of it',
      { password: 'x'.repeat(1_000_000) },
      'invalid_fields',
      'password',
    ],
    ['a common password', { password: 'Password1' }, 'weak_password', 'password'],
    ['the product as password', { password: 'cowrie123' }, 'weak_password', 'password'],
    ['no password', { password: undefined }, 'invalid_fields', 'password'],
    [
      'an address that begins another header',
      { email: 'a@example.com\r\nBcc: b@example.com' },
      'invalid_fields',
      'email',
    ],
    ['two addresses', { email: 'a@example.com,b@example.com' }, 'invalid_fields', 'email'],
    ['an address that becomes two', { email: 'a＠b@example.com' }, 'invalid_fields', 'email'],
    ['a currency that does not exist', { currency: 'XAU' }, 'invalid_fields', 'currency'],
    ['a name of two lines', { name: 'Ada\nBcc: b@example.com' }, 'invalid_fields', 'name'],
  ] as const)('%s', async ([, wrong, code, path]) => {
    const jobs = await server.app.jobs.count()
    const reply = await server.call('POST', '/auth/register', {
      body: { email: newAddress(), password: PASSWORD, ...wrong },
    })
    expect(reply).toMatchObject({ status: 400, body: { code, fields: [{ path }] } })
    expect(await server.app.jobs.count()).toEqual(jobs)
  })

  test('the address itself as password', async () => {
    const email = newAddress()
    expect((await register(server, email, email)).body).toMatchObject({ code: 'weak_password' })
  })
})

test('POST /auth/register 403 while sign-ups are disabled, for known and new addresses', async () => {
  const closed = await startTestServer({
    schedules: SCHEDULES,
    variables: { SERVICE_SIGNUPS_ENABLED: 'false' },
  })
  const known = await createPasswordUser(closed)
  for (const email of [known.email, newAddress()])
    expect(await register(closed, email)).toMatchObject({ status: 403, body: { code: 'signups_disabled' } })
  await closed.close()
})

describe('GET /auth/verify', () => {
  test('200 once for a program that registered, which can then sign in', async () => {
    const email = newAddress()
    await register(server, email)
    expect(await login(server, email)).toMatchObject({
      status: 403,
      body: { code: 'verification_required', verificationRequired: true },
    })
    const token = await tokenTo(server, email)
    expect(await verify(token)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await verify(token)).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
    expect((await login(server, email)).status).toBe(200)
    const trail = await server.sql.rows<{ action: string }>`
      select action from audit_entries where actor_email = ${email} order by seq`
    expect(trail.map(({ action }) => action)).toEqual(['auth.register', 'auth.verify', 'auth.signIn'])
  })

  test('302 to a page with a button for other browsers, without confirming', async () => {
    const email = newAddress()
    const browser = server.visitor()
    await register(browser, email, PASSWORD, { headers: FROM_PAGE })
    const token = await tokenTo(server, email)
    const stranger = server.visitor()
    await register(stranger, newAddress(), PASSWORD, { headers: FROM_PAGE })
    for (const scanner of [server, stranger]) {
      const reply = await scanner.call('GET', '/auth/verify', { query: { token }, headers: NAVIGATING })
      expect(reply).toMatchObject({
        status: 302,
        headers: { location: `/app/sign-in/link#token=${token}&kind=verify` },
      })
    }
    expect(await verify(token)).toMatchObject({ status: 200, body: { ok: false, confirm: true } })
    expect((await server.call('HEAD', '/auth/verify', { query: { token } })).status).toBe(405)
    expect((await login(server, email)).status).toBe(403)
    expect(await confirm(token)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await login(server, email)).status).toBe(200)
  })

  test('400, or a page that explains, when the link is unknown, of another kind or a day old', async () => {
    const email = newAddress()
    await register(server, email)
    const token = await tokenTo(server, email)
    const asked = await createPasswordUser(server, { verified: false })
    await server.call('POST', '/auth/magic/request', { body: { email: asked.email } })
    const magic = await tokenTo(server, asked.email)
    server.clock.advance({ hours: 24 })
    for (const wrong of [token, 'x'.repeat(43), `${token}x`, magic]) {
      expect(await verify(wrong)).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
      expect(await confirm(wrong)).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
      expect(await verify(wrong, NAVIGATING)).toMatchObject({
        status: 302,
        headers: { location: '/app/sign-in/link#problem=link_invalid' },
      })
    }
    expect(await server.call('GET', '/auth/verify')).toMatchObject({
      status: 400,
      body: { code: 'invalid_fields' },
    })
  })

  test('removes the password of a user who was invited to a team meanwhile', async () => {
    const email = newAddress()
    await register(server, email)
    const token = await tokenTo(server, email)
    const team = await server.person({ type: 'team' })
    await server.sql.rows`
      insert into memberships (org_id, user_id, role, created_at)
      select ${team.orgId}, id, 'member', ${server.clock.now()} from users where email = ${email}`
    expect((await confirm(token)).status).toBe(200)
    expect((await login(server, email)).status).toBe(401)
    expect((await mailsTo(server, email)).map(({ subject }) => subject)).toContain(
      'Your account has no password',
    )
  })
})

describe('POST /auth/verify/resend 200', () => {
  test('mails a new link and ends the old one, for an account that needs it', async () => {
    const email = newAddress()
    await register(server, email)
    const first = await tokenTo(server, email)
    server.clock.advance({ seconds: 1 })
    const reply = await server.call('POST', '/auth/verify/resend', { body: { email } })
    expect(reply).toMatchObject({ status: 200, body: { ok: true } })
    const second = await tokenTo(server, email)
    expect(second).not.toBe(first)
    expect((await confirm(first)).status).toBe(400)
    expect((await confirm(second)).status).toBe(200)
    expect((await login(server, email)).status).toBe(200)
  })

  test('and no mail where there is nothing to confirm', async () => {
    const known = await createPasswordUser(server)
    const unknown = newAddress()
    const replies = []
    for (const email of [known.email, unknown])
      replies.push(comparable(await server.call('POST', '/auth/verify/resend', { body: { email } })))
    expect(replies[0]).toEqual(replies[1])
    expect(await mailsTo(server, known.email)).toEqual([])
    expect(await mailsTo(server, unknown)).toEqual([])
  })
})
