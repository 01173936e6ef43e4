import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import {
  comparable,
  createPasswordUser,
  login,
  mailsTo,
  me,
  newAddress,
  OTHER_PASSWORD,
  PASSWORD,
  tokenTo,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLink } from '../../identity/identity.ts'
import { createChallenge } from '../second-factor/challenge.ts'

const SCHEDULES = ['signIn']

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ schedules: SCHEDULES })
})
beforeEach(() => server.sql.rows`delete from attempts`)
afterAll(() => server.close())

const forgot = (email: string, headers = {}) =>
  server.call('POST', '/auth/password/forgot', { body: { email }, headers })
const reset = (token: string, password = OTHER_PASSWORD) =>
  server.call('POST', '/auth/password/reset', { body: { token, password } })
const change = (browser: Visitor, currentPassword = PASSWORD, newPassword = OTHER_PASSWORD) =>
  browser.call('POST', '/auth/password/change', { body: { currentPassword, newPassword } })
const subjects = async (email: string) => (await mailsTo(server, email)).map(({ subject }) => subject)
const challengesOf = (userId: string) =>
  server.sql.rows`select user_id from mfa_challenges where user_id = ${userId}`

async function resetToken(email: string): Promise<string> {
  await forgot(email)
  return tokenTo(server, email)
}

describe('POST /auth/password/forgot 200', () => {
  test('mails a link to a page of the app, with the token where no server sees it', async () => {
    const { email } = await createPasswordUser(server)
    const headers = {
      host: 'evil.localhost',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
    }
    expect(await forgot(email.toUpperCase(), headers)).toMatchObject({ status: 200, body: { ok: true } })
    const [mail] = await mailsTo(server, email)
    expect(mail?.text).toMatch(/\nhttp:\/\/cowrie\.test\/app\/reset#token=[\w-]{43}\n/)
    expect(JSON.stringify(mail)).not.toContain('evil')
  })

  test('the same answer and the same job for an address without an account, and no mail', async () => {
    const known = await createPasswordUser(server)
    const unknown = newAddress()
    const first = await forgot(known.email)
    const queued = await server.app.jobs.count()
    const second = await forgot(unknown)
    expect(comparable(second)).toEqual(comparable(first))
    expect(queued).toEqual([{ name: 'signIn.mailLink', state: 'waiting', count: 1 }])
    expect(await server.app.jobs.count()).toEqual([{ name: 'signIn.mailLink', state: 'waiting', count: 2 }])
    const payloads = JSON.stringify(await server.sql.rows`select payload::text from jobs`)
    expect(payloads).not.toContain(unknown.split('@')[0])
    expect(await mailsTo(server, unknown)).toEqual([])
    expect(await mailsTo(server, known.email)).toHaveLength(1)
  })

  test('a newer link ends the older', async () => {
    const { email } = await createPasswordUser(server)
    const first = await resetToken(email)
    server.clock.advance({ seconds: 1 })
    const second = await resetToken(email)
    expect((await reset(first)).status).toBe(400)
    expect((await reset(second)).status).toBe(200)
  })
})

describe('POST /auth/password/reset 200', () => {
  test('sets the password, ends every session and link, notifies the owner and opens no session', async () => {
    const { email, userId, orgId } = await createPasswordUser(server)
    const browsers = [server.visitor(), server.visitor()]
    for (const browser of browsers) await login(browser, email)
    await server.call('POST', '/auth/magic/request', { body: { email } })
    const magic = await tokenTo(server, email)
    server.clock.advance({ seconds: 1 })
    const token = await resetToken(email)
    const reply = await reset(token)
    expect(reply).toMatchObject({ status: 200, body: { ok: true } })
    expect(reply.headers['set-cookie']).toBeUndefined()
    for (const browser of browsers) expect((await me(browser)).status).toBe(401)
    expect((await server.call('POST', '/auth/magic/consume', { body: { token: magic } })).status).toBe(400)
    expect((await reset(token)).status).toBe(400)
    expect((await login(server, email)).status).toBe(401)
    expect((await login(server, email, OTHER_PASSWORD)).status).toBe(200)
    expect(await subjects(email)).toContain('Your password was changed')
    const trail = await server.sql.rows`
      select org_id, target from audit_entries where action = 'auth.password.reset' and actor_user_id = ${userId}`
    expect(trail).toEqual([{ org_id: orgId, target: userId }])
  })

  test('confirms an unconfirmed address', async () => {
    const { email } = await createPasswordUser(server, { verified: false })
    expect((await reset(await resetToken(email))).status).toBe(200)
    expect((await login(server, email, OTHER_PASSWORD)).status).toBe(200)
  })

  test('denies the programs that were approved and have not collected their key, as a change of password does', async () => {
    const { email } = await createPasswordUser(server)
    const browser = server.visitor()
    const approved = async (password: string): Promise<string> => {
      await login(browser, email, password)
      const { body } = await server.call<{ deviceCode: string; userCode: string }>('POST', '/auth/device', {
        body: { scopes: ['agent:run'] },
      })
      const reply = await browser.call('POST', `/auth/device/${body.userCode}/approve`)
      expect(reply.status).toBe(200)
      return body.deviceCode
    }
    const collect = (deviceCode: string) =>
      server.call('POST', '/auth/device/token', { body: { deviceCode } })
    const first = await approved(PASSWORD)
    expect((await change(browser)).status).toBe(200)
    expect((await collect(first)).body).toMatchObject({ code: 'access_denied' })
    const second = await approved(OTHER_PASSWORD)
    expect((await reset(await resetToken(email), PASSWORD)).status).toBe(200)
    expect((await collect(second)).body).toMatchObject({ code: 'access_denied' })
  })

  test('tells the owner that keys and passkeys stay, and where to look', async () => {
    const { email } = await createPasswordUser(server)
    await reset(await resetToken(email))
    const mail = (await mailsTo(server, email)).find(({ subject }) => subject === 'Your password was changed')
    expect(mail?.text).toContain('API keys and passkeys still work')
    expect(mail?.text).toContain('http://cowrie.test/app/security')
  })

  test('takes the link of an invitation', async () => {
    const { email, userId } = await createPasswordUser(server, { password: null, verified: false })
    const { token } = await server.app.db.tx('platform', (tx) =>
      createLink(tx, { kind: 'invitation', userId }),
    )
    server.clock.advance({ days: 6 })
    expect((await reset(token)).status).toBe(200)
    expect((await login(server, email, OTHER_PASSWORD)).status).toBe(200)
  })

  test('keeps the second factor and ends open challenges', async () => {
    const { email, userId } = await createPasswordUser(server)
    await server.sql.rows`update users set mfa_enabled = true where id = ${userId}`
    expect((await login(server, email)).body).toMatchObject({ mfaRequired: true })
    expect(await challengesOf(userId)).toHaveLength(1)
    expect((await reset(await resetToken(email))).status).toBe(200)
    expect(await challengesOf(userId)).toEqual([])
    expect((await login(server, email, OTHER_PASSWORD)).body).toMatchObject({ mfaRequired: true })
  })

  test('does not open an organisation that requires single sign-on', async () => {
    const { email, orgId } = await createPasswordUser(server)
    await server.sql.rows`update orgs set sso_required = true where id = ${orgId}`
    expect((await reset(await resetToken(email))).status).toBe(200)
    expect((await login(server, email, OTHER_PASSWORD)).body).toMatchObject({ code: 'sso_required' })
  })

  test('once, of two replicas at the same time', async () => {
    const { email } = await createPasswordUser(server)
    const token = await resetToken(email)
    const second = await startTestServer({ schedules: SCHEDULES, url: server.url, clock: server.clock })
    const replies = await Promise.all(
      [server, second, server, second].map((replica, i) =>
        replica.call('POST', '/auth/password/reset', { body: { token, password: `${OTHER_PASSWORD} ${i}` } }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
    await second.close()
  })
})

describe('POST /auth/password/reset 400', () => {
  test('when the link is unknown, an hour old or of another kind; the password stays', async () => {
    const { email } = await createPasswordUser(server)
    const token = await resetToken(email)
    server.clock.advance({ hours: 1 })
    await server.call('POST', '/auth/magic/request', { body: { email } })
    const magic = await tokenTo(server, email)
    for (const wrong of [token, magic, 'x'.repeat(43)])
      expect(await reset(wrong)).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
    expect((await login(server, email)).status).toBe(200)
  })

  test('when the invitation is of an account that was confirmed another way', async () => {
    const { email, userId } = await createPasswordUser(server, { verified: false })
    const invite = () => server.app.db.tx('platform', (tx) => createLink(tx, { kind: 'invitation', userId }))
    const before = await invite()
    await server.call('POST', '/auth/magic/request', { body: { email } })
    const magic = await tokenTo(server, email)
    await server.call('POST', '/auth/magic/consume', { body: { token: magic } })
    // The second one could come from a team that did not know yet.
    for (const { token } of [before, await invite()])
      expect(await reset(token)).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
    expect((await login(server, email, OTHER_PASSWORD)).status).toBe(401)
  })

  test('when the password is weak; the link stays good', async () => {
    const { email } = await createPasswordUser(server)
    const token = await resetToken(email)
    for (const weak of ['password1', email])
      expect(await reset(token, weak)).toMatchObject({ status: 400, body: { code: 'weak_password' } })
    expect(await reset(token, 'short')).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
    expect((await reset(token)).status).toBe(200)
  })
})

describe('POST /auth/password/change', () => {
  test('200: the session gets another token, all others and open links end, and the owner is notified', async () => {
    const { email, userId, orgId } = await createPasswordUser(server)
    const [here, there] = [server.visitor(), server.visitor()]
    for (const browser of [here, there]) await login(browser, email)
    const token = await resetToken(email)
    const before = here.cookies.get('service_session')
    expect(await change(here)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await me(here)).status).toBe(200)
    expect((await me(there)).status).toBe(401)
    const old = await server.call('GET', '/me', { headers: { cookie: `service_session=${before}` } })
    expect(old.status).toBe(401)
    expect((await reset(token)).status).toBe(400)
    expect((await login(server, email)).status).toBe(401)
    expect((await login(server, email, OTHER_PASSWORD)).status).toBe(200)
    expect(await subjects(email)).toContain('Your password was changed')
    const trail = await server.sql.rows`
      select org_id, target from audit_entries where action = 'auth.password.change' and actor_user_id = ${userId}`
    expect(trail).toEqual([{ org_id: orgId, target: userId }])
  })

  test('200: an open challenge ends', async () => {
    const { email, userId } = await createPasswordUser(server)
    const browser = server.visitor()
    await login(browser, email)
    await server.app.db.tx('platform', async (tx) =>
      createChallenge(
        tx,
        { id: userId, email, name: null, verified: true, passwordHash: null, mfaEnabled: true },
        'password',
      ),
    )
    expect((await change(browser)).status).toBe(200)
    expect(await challengesOf(userId)).toEqual([])
  })

  test('400 for a weak one, naming the field', async () => {
    const { email } = await createPasswordUser(server)
    const browser = server.visitor()
    await login(browser, email)
    expect(await change(browser, PASSWORD, 'password1')).toMatchObject({
      status: 400,
      body: { code: 'weak_password', fields: [{ path: 'newPassword' }] },
    })
  })

  test('401 for a wrong old password, for an account without one, and without a session', async () => {
    const { email } = await createPasswordUser(server)
    const browser = server.visitor()
    await login(browser, email)
    expect(await change(browser, 'not it')).toMatchObject({
      status: 401,
      body: { code: 'wrong_credentials' },
    })
    expect((await login(server, email)).status).toBe(200)
    const without = server.visitor()
    await without.call('POST', '/auth/dev-login', { body: { email: newAddress() } })
    expect(await change(without)).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
    expect(await change(server.visitor())).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })

  test('429 after ten wrong passwords, so that a stolen session cannot guess it', async () => {
    const { email } = await createPasswordUser(server)
    const browser = server.visitor()
    await login(browser, email)
    for (let i = 0; i < 10; i++) expect((await change(browser, `guess ${i}`)).status).toBe(401)
    expect(await change(browser)).toMatchObject({
      status: 429,
      body: { code: 'too_many_attempts' },
      headers: { 'retry-after': '900' },
    })
  })
})
