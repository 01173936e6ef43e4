import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import { emailChanges } from '@cowrie/testkit/sign-in/email-changes.ts'
import {
  createPasswordUser,
  login,
  mailsTo,
  newAddress,
  OTHER_PASSWORD,
  tokenTo,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ schedules: ['signIn'] })
})
afterAll(() => server.close())

const { signedIn, browserOf, request, confirm, revert, emailOf, changed } = emailChanges(() => server)
const me = (browser: Visitor) => browser.call('GET', '/me')
const subjects = async (email: string) => (await mailsTo(server, email)).map(({ subject }) => subject)

describe('a request', () => {
  test('changes nothing before the new mailbox confirms, and is shown and cancelled by its owner', async () => {
    const { browser, email } = await signedIn()
    const wanted = newAddress()
    const { status, body } = await request(browser, ` ${wanted.toUpperCase()} `.trim())
    expect([status, body]).toMatchObject([200, { pendingEmail: { email: wanted } }])
    expect((await me(browser)).body).toMatchObject({ email, pendingEmail: { email: wanted } })
    expect(await subjects(email)).toContain('A new email address was requested for your account')
    const token = await tokenTo(server, wanted)
    expect((await browser.call('DELETE', '/me/email')).status).toBe(200)
    expect((await browser.call('DELETE', '/me/email')).status).toBe(404)
    expect(await confirm(browser, token)).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
    expect((await me(browser)).body).toMatchObject({ email, pendingEmail: null })
  })

  test('replaces the one before, so that one change waits', async () => {
    const { browser, userId } = await signedIn()
    const [first, second] = [newAddress(), newAddress()]
    await request(browser, first)
    await request(browser, second)
    expect((await confirm(browser, await tokenTo(server, first))).status).toBe(400)
    expect((await confirm(browser, await tokenTo(server, second))).status).toBe(200)
    expect(await emailOf(userId)).toBe(second)
  })

  test('gets the same reply for an address that has an account, which gets a mail', async () => {
    const { browser, userId, email } = await signedIn()
    const taken = await createPasswordUser(server)
    const free = await request(browser, newAddress())
    const reply = await request(browser, taken.email)
    const shapeOf = ({ status, body }: typeof reply) => [
      status,
      Object.keys(body),
      Object.keys(body.pendingEmail as object),
    ]
    expect(shapeOf(reply)).toEqual(shapeOf(free))
    const mails = await mailsTo(server, taken.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['This address already has a Cowrie account'])
    expect(mails[0]?.text).not.toContain('token=')
    expect(await emailOf(userId)).toBe(email)
  })

  test('is limited, expires, and needs another address and a recent sign-in', async () => {
    const { browser, email } = await signedIn()
    expect(await request(browser, email)).toMatchObject({
      status: 400,
      body: { fields: [{ path: 'email' }] },
    })
    const wanted = newAddress()
    await request(browser, wanted)
    const token = await tokenTo(server, wanted)
    server.clock.advance({ hours: 25 })
    expect((await confirm(browser, token)).status).toBe(400)
    expect((await request(browser, newAddress())).body.code).toBe('reauth_required')
    const fresh = await browserOf(email)
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await request(fresh, newAddress())).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('is refused to API keys, and where single sign-on manages the address', async () => {
    const { browser, orgId, userId, email } = await signedIn()
    const key = await server.key({ orgId, userId, email, bearer: '' }, [])
    const byKey = await server.call('POST', '/me/email', { as: key, body: { email: newAddress() } })
    expect(byKey).toMatchObject({ status: 403, body: { code: 'session_required' } })
    const managed = `ada@${userId.replace('_', '-')}.example`
    await server.sql.rows`update users set email = ${managed} where id = ${userId}`
    await server.sql.rows`
      insert into sso_connections (id, org_id, type, enabled, issuer, client_id, created_at, updated_at)
      values (${`sso_${orgId}`}, ${orgId}, 'oidc', true, 'https://idp.example', 'c', ${server.clock.now()}, ${server.clock.now()})`
    await server.sql.rows`
      insert into sso_domains (org_id, domain, token, created_at, verified_at)
      values (${orgId}, ${managed.split('@')[1] ?? ''}, 'token', ${server.clock.now()}, ${server.clock.now()})`
    expect(await request(browser, newAddress())).toMatchObject({
      status: 409,
      body: { code: 'email_managed_by_sso' },
    })
  })
})

describe('a confirmed change', () => {
  test('needs a session of the account, which any browser of the person may have', async () => {
    const { browser, userId, email } = await signedIn()
    const wanted = newAddress()
    await request(browser, wanted)
    const token = await tokenTo(server, wanted)
    expect((await confirm(server.visitor(), token)).status).toBe(401)
    const owner = await signedIn()
    expect(await confirm(owner.browser, token)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await emailOf(userId)).toBe(email)
    const phone = await browserOf(email)
    expect((await confirm(phone, token)).status).toBe(200)
    expect((await me(phone)).body).toMatchObject({ email: wanted })
    expect((await me(browser)).status).toBe(401)
  })

  test('ends all other sessions, keeps keys, works once and is audited in each organisation', async () => {
    const user = await signedIn()
    const other = await browserOf(user.email)
    const team = await server.person({ type: 'team' })
    await server.sql.rows`
      insert into memberships (org_id, user_id, role, created_at)
      values (${team.orgId}, ${user.userId}, 'member', ${server.clock.now()})`
    const key = await server.key({ ...user, bearer: '' }, [])
    const wanted = newAddress()
    await server.call('POST', '/auth/password/forgot', { body: { email: user.email } })
    const reset = await tokenTo(server, user.email)
    await request(user.browser, wanted)
    const token = await tokenTo(server, wanted)
    const replies = await Promise.all([confirm(user.browser, token), confirm(user.browser, token)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await me(user.browser)).body).toMatchObject({
      email: wanted,
      pendingEmail: null,
      orgName: wanted,
    })
    expect((await me(other)).status).toBe(401)
    expect((await server.call('GET', '/me', { as: key })).status).toBe(200)
    expect((await login(server, user.email)).status).toBe(401)
    expect((await login(server, wanted)).status).toBe(200)
    const late = { body: { token: reset, password: OTHER_PASSWORD } }
    expect((await server.call('POST', '/auth/password/reset', late)).status).toBe(400)
    const audited = await server.sql.rows<{ org_id: string; metadata: object }>`
      select org_id, metadata from audit_entries where action = 'me.email.change' and target = ${user.userId}`
    expect(audited.map(({ org_id }) => org_id).sort()).toEqual([team.orgId, user.orgId].sort())
    expect(audited[0]?.metadata).toEqual({ from: user.email, to: wanted })
  })

  test('is not shown to a team that only invited the person', async () => {
    const user = await signedIn()
    const stranger = await server.person({ type: 'team' })
    await server.sql.rows`update orgs set seat_allotment = 2 where id = ${stranger.orgId}`
    const added = await server.call('POST', `/teams/${stranger.orgId}/members`, {
      as: stranger,
      body: { email: user.email, role: 'member' },
    })
    expect(added.status).toBe(200)
    const [cancelled, confirmed] = [newAddress(), newAddress()]
    await request(user.browser, cancelled)
    expect((await revert(await tokenTo(server, user.email))).status).toBe(200)
    await request(user.browser, confirmed)
    expect((await confirm(user.browser, await tokenTo(server, confirmed))).status).toBe(200)
    const members = await server.call('GET', `/teams/${stranger.orgId}/members`, { as: stranger })
    const audit = await server.call('GET', '/audit', { as: stranger })
    expect([members.status, audit.status]).toEqual([200, 200])
    for (const address of [cancelled, confirmed])
      for (const { text } of [members, audit]) expect(text).not.toContain(address)
    expect(audit.text).toContain('teams.leave')
  })

  test('gives an address to one of several accounts that confirm it at the same time', async () => {
    const wanted = newAddress()
    const changes: [Visitor, string][] = []
    for (const { browser } of [await signedIn(), await signedIn(), await signedIn()]) {
      await request(browser, wanted)
      changes.push([browser, await tokenTo(server, wanted)])
    }
    const replies = await Promise.all(changes.map(([browser, token]) => confirm(browser, token)))
    expect(replies.map(({ status, body }) => body.code ?? status).sort()).toEqual([
      200,
      'email_taken',
      'email_taken',
    ])
    const rows = await server.sql.rows`select id from users where email = ${wanted}`
    expect(rows).toHaveLength(1)
  })

  test('takes the address from an account that never confirmed it', async () => {
    const wanted = newAddress()
    const squatter = await createPasswordUser(server, { email: wanted, verified: false })
    const { browser, userId } = await signedIn()
    await request(browser, wanted)
    expect((await confirm(browser, await tokenTo(server, wanted))).status).toBe(200)
    expect(await emailOf(userId)).toBe(wanted)
    expect(await emailOf(squatter.userId)).toContain('@released.invalid')
  })
})

describe('the old mailbox', () => {
  test('cancels a change that waits', async () => {
    const { browser, email } = await signedIn()
    const wanted = newAddress()
    await request(browser, wanted)
    const cancel = await tokenTo(server, email)
    const token = await tokenTo(server, wanted)
    expect((await revert(cancel)).body).toEqual({ ok: true, restored: false })
    expect((await confirm(browser, token)).status).toBe(400)
    expect((await me(browser)).body).toMatchObject({ email, pendingEmail: null })
  })

  test.for(['undo', 'cancel'] as const)('undoes a change with the link to %s, once', async (link) => {
    const user = await changed()
    await server.sql.rows`
      insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, backed_up, created_at)
      values (${`pky_${user.userId.slice(4)}`}, ${user.userId}, 'thief', ${Buffer.from(user.userId)}, ${Buffer.from('k')}, 0, '{}', false, ${server.clock.now()})`
    await server.call('POST', '/auth/password/forgot', { body: { email: user.newEmail } })
    const reset = await tokenTo(server, user.newEmail)
    expect((await revert(user[link])).body).toEqual({ ok: true, restored: true })
    expect((await revert(user[link])).status).toBe(400)
    expect(await emailOf(user.userId)).toBe(user.email)
    expect((await me(user.browser)).status).toBe(401)
    expect((await login(server, user.email)).status).toBe(401)
    const setPassword = (token: string) =>
      server.call('POST', '/auth/password/reset', { body: { token, password: OTHER_PASSWORD } })
    expect((await setPassword(reset)).status).toBe(400)
    expect(await server.sql.rows`select id from passkeys where user_id = ${user.userId}`).toEqual([])
    expect((await setPassword(await tokenTo(server, user.email))).status).toBe(200)
    expect((await login(server, user.email, OTHER_PASSWORD)).status).toBe(200)
  })

  test('restores the first address after several changes, and the later links stop working', async () => {
    const user = await changed()
    const third = newAddress()
    await request(user.browser, third)
    await confirm(user.browser, await tokenTo(server, third))
    const later = await tokenTo(server, user.newEmail)
    expect(await emailOf(user.userId)).toBe(third)
    expect((await revert(user.undo)).status).toBe(200)
    expect(await emailOf(user.userId)).toBe(user.email)
    expect((await revert(later)).status).toBe(400)
  })

  test('can undo for seven days, also when a stranger registered the address without confirming it', async () => {
    const user = await changed()
    const squatter = await createPasswordUser(server, { email: user.email, verified: false })
    server.clock.advance({ days: 6, hours: 23 })
    expect((await revert(user.undo)).status).toBe(200)
    expect(await emailOf(squatter.userId)).toContain('@released.invalid')
    const other = await changed()
    server.clock.advance({ days: 7, minutes: 1 })
    for (const token of [other.undo, other.cancel]) expect((await revert(token)).status).toBe(400)
    expect(await emailOf(other.userId)).toBe(other.newEmail)
  })
})
