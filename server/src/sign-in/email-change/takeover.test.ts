// A thief with an open session changes the address. The owner keeps the old mailbox.
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { emailChanges } from '@cowrie/testkit/sign-in/email-changes.ts'
import {
  createPasswordUser,
  login,
  mailsTo,
  newAddress,
  OTHER_PASSWORD,
  PASSWORD,
  tokenTo,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { codeOf } from '@cowrie/testkit/sign-in/second-factor.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const SCHEDULES = ['signIn']

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ schedules: SCHEDULES })
})
afterAll(() => server.close())

const { signedIn, browserOf, request, confirm, revert, emailOf, changed } = emailChanges(() => server)

describe('the old mailbox', () => {
  test.for(['undo', 'cancel'] as const)(
    'keeps its links when the new mailbox uses the link to %s a later change',
    async (link) => {
      const user = await changed()
      const third = newAddress()
      await request(user.browser, third)
      const cancel = await tokenTo(server, user.newEmail)
      if (link === 'undo') await confirm(user.browser, await tokenTo(server, third))
      const later = link === 'undo' ? await tokenTo(server, user.newEmail) : cancel
      expect((await revert(later)).body).toEqual({ ok: true, restored: link === 'undo' })
      expect(await emailOf(user.userId)).toBe(user.newEmail)
      expect((await revert(user.undo)).body).toEqual({ ok: true, restored: true })
      expect(await emailOf(user.userId)).toBe(user.email)
    },
  )

  test('undoes a change also when a team has invited the address since', async () => {
    const user = await changed()
    const thief = await server.person({ type: 'team' })
    await server.sql.rows`update orgs set seat_allotment = 2 where id = ${thief.orgId}`
    const invited = await server.call<{ userId: string }>('POST', `/teams/${thief.orgId}/members`, {
      as: thief,
      body: { email: user.email, role: 'member' },
    })
    expect(invited.status).toBe(200)
    expect((await revert(user.undo)).body).toEqual({ ok: true, restored: true })
    expect(await emailOf(user.userId)).toBe(user.email)
  })

  test('undoes a change also when a thief registers the address that the invited account would get', async () => {
    const user = await changed()
    const thief = await server.person({ type: 'team' })
    await server.sql.rows`update orgs set seat_allotment = 3 where id = ${thief.orgId}`
    const invite = (email: string) =>
      server.call('POST', `/teams/${thief.orgId}/members`, {
        as: thief,
        body: { email, role: 'member' },
      })
    await invite(user.email)
    const { id } = await server.sql.one<{ id: string }>`select id from users where email = ${user.email}`
    expect((await invite(`${id}@released.invalid`)).status).toBe(200)
    expect((await revert(user.undo)).body).toEqual({ ok: true, restored: true })
    expect(await emailOf(user.userId)).toBe(user.email)
  })

  test('removes an authenticator app that is newer than the request, and keeps an older one', async () => {
    const user = await signedIn()
    const enrol = async () => {
      const { body } = await user.browser.call<{ secret: string }>('POST', '/auth/mfa/enroll')
      const code = { code: codeOf(server, body.secret) }
      expect((await user.browser.call('POST', '/auth/mfa/verify', { body: code })).status).toBe(200)
    }
    const change = async () => {
      const email = newAddress()
      await request(user.browser, email)
      expect((await confirm(user.browser, await tokenTo(server, email))).status).toBe(200)
      return tokenTo(server, user.email)
    }
    const undo = await change()
    await enrol()
    expect((await revert(undo)).status).toBe(200)
    const body = { token: await tokenTo(server, user.email), password: OTHER_PASSWORD }
    expect((await server.call('POST', '/auth/password/reset', { body })).status).toBe(200)
    expect((await login(user.browser, user.email, OTHER_PASSWORD)).status).toBe(200)
    expect((await user.browser.call('GET', '/auth/mfa')).body).toEqual({
      enabled: false,
      recoveryCodesLeft: 0,
      passkeys: 0,
    })
    await enrol()
    expect((await revert(await change())).status).toBe(200)
    const { kept } = await server.sql.one<{ kept: boolean }>`
      select mfa_enabled as kept from users where id = ${user.userId}`
    expect(kept).toBe(true)
  })
})

test.for(['change', 'reset'] as const)(
  'a %s of the password cancels a change that waits, because a thief may have requested it',
  async (way) => {
    const { browser, userId, email } = await signedIn()
    const wanted = newAddress()
    await request(browser, wanted)
    const token = await tokenTo(server, wanted)
    const cancel = await tokenTo(server, email)
    if (way === 'change') {
      const body = { currentPassword: PASSWORD, newPassword: OTHER_PASSWORD }
      expect((await browser.call('POST', '/auth/password/change', { body })).status).toBe(200)
    } else {
      server.clock.advance({ seconds: 1 })
      await server.call('POST', '/auth/password/forgot', { body: { email } })
      const body = { token: await tokenTo(server, email), password: OTHER_PASSWORD }
      expect((await server.call('POST', '/auth/password/reset', { body })).status).toBe(200)
    }
    const fresh = await browserOf(email, OTHER_PASSWORD)
    expect((await confirm(fresh, token)).status).toBe(400)
    expect(await emailOf(userId)).toBe(email)
    expect((await revert(cancel)).body).toEqual({ ok: true, restored: false })
  },
)

test('the root administrator keeps the address, because the configuration names the account by it', async () => {
  const root = newAddress()
  const configured = await startTestServer({
    schedules: SCHEDULES,
    url: server.url,
    clock: server.clock,
    variables: { SERVICE_ROOT_ADMIN_EMAIL: root },
  })
  await createPasswordUser(configured, { email: root })
  const browser = configured.visitor()
  expect((await login(browser, root)).status).toBe(200)
  const wanted = newAddress()
  expect(await request(browser, wanted)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(await mailsTo(configured, wanted)).toEqual([])
  await configured.close()
})

test('a change makes no account the root administrator, also before that account exists', async () => {
  const root = newAddress()
  const configured = await startTestServer({
    schedules: SCHEDULES,
    url: server.url,
    clock: server.clock,
    variables: { SERVICE_ROOT_ADMIN_EMAIL: root },
  })
  const { email } = await createPasswordUser(configured)
  const browser = configured.visitor()
  expect((await login(browser, email)).status).toBe(200)
  expect((await request(browser, root)).status).toBe(200)
  const mails = await mailsTo(configured, root)
  expect(mails.map(({ subject }) => subject)).toEqual(['This address already has a Cowrie account'])
  expect(mails[0]?.text).not.toContain('token=')
  await configured.close()
})
