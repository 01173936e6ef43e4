import { type FakeGithubLogin, startFakeGithubLogin } from '@cowrie/testkit/fakes/github/login.ts'
import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import {
  githubSteps,
  githubVariables,
  githubPerson as person,
} from '@cowrie/testkit/sign-in/github-people.ts'
import {
  createPasswordUser,
  FROM_PAGE,
  login,
  mailsTo,
  me,
  newAddress,
  tokenTo,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId, type OrgId } from '../../kernel/ids.ts'

const SCHEDULES = ['signIn']

type Steps = ReturnType<typeof githubSteps>

let github: FakeGithubLogin
let server: TestServer
let start: Steps['start']
let back: Steps['back']
let enter: Steps['enter']
beforeAll(async () => {
  github = await startFakeGithubLogin()
  server = await startTestServer({
    schedules: SCHEDULES,
    variables: { ...githubVariables(github), SERVICE_TRIAL_CREDIT_MINOR: '20000' },
  })
  ;({ start, back, enter } = githubSteps(server, github))
})
beforeEach(() => server.sql.rows`delete from attempts`)
afterAll(async () => {
  await server.close()
  await github.close()
})

const accounts = (email: string) => server.sql.rows`select id from users where email = ${email}`

describe('a sign-in with GitHub', () => {
  test('is named by the configuration where it is configured, and not found elsewhere', async () => {
    const { body } = await server.call('GET', '/auth/config')
    expect(body.methods).toContain('github')
    const plain = await startTestServer({ schedules: SCHEDULES })
    expect((await plain.call('GET', '/auth/config')).body.methods).not.toContain('github')
    expect((await plain.call('GET', '/auth/github')).status).toBe(404)
    await plain.close()
  })

  test('opens a verified account with its personal organisation and trial credit, and continues', async () => {
    const who = person()
    const next = '/app/tasks/new?sample=1&prompt=Fix+the+failing+test.%E2%82%A6'
    const { browser, location } = await enter(who, server.visitor(), { next, currency: 'KES' })
    expect(location).toBe(next)
    expect((await me(browser)).body).toMatchObject({
      email: who.emails[0]?.email,
      orgType: 'individual',
      trialMinor: 1_780n,
    })
    expect((await enter(who)).location).toBe('/app')
    expect(await accounts(who.emails[0]?.email ?? '')).toHaveLength(1)
  })

  test('sends state and PKCE, and never leads to another site', async () => {
    const browser = server.visitor()
    const url = new URL(await start(browser, { next: '//evil.example' }))
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      scope: 'user:email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect((await back(browser, github.allow(url.href, person()))).headers.location).toBe('/app')
  })

  test('belongs to the person, not to the address: a changed address opens the same account', async () => {
    const who = person()
    const first = who.emails[0]?.email
    await enter(who)
    const victim = await createPasswordUser(server)
    const { browser } = await enter({
      ...who,
      emails: [{ email: victim.email, primary: true, verified: true }],
    })
    expect((await me(browser)).body).toMatchObject({ email: first })
  })

  test('asks for the second factor', async () => {
    const who = person()
    await enter(who)
    await server.sql.rows`update users set mfa_enabled = true where email = ${who.emails[0]?.email ?? ''}`
    const { browser, location } = await enter(who, server.visitor(), { next: '/app/keys' })
    expect(location).toMatch(/^\/app\/sign-in\/second-factor\?next=%2Fapp%2Fkeys#challenge=[\w-]{43}$/)
    expect((await me(browser)).status).toBe(401)
  })

  test('is refused where the domain requires single sign-on, and opens no account', async () => {
    const team = await server.person({ type: 'team' })
    const domain = `${newId('org').slice(4)}.example.com`
    await server.sql.rows`update orgs set sso_required = true where id = ${team.orgId}`
    await server.sql.rows`
      insert into sso_connections (id, org_id, type, enabled, issuer, client_id, created_at, updated_at)
      values (${newId('sso')}, ${team.orgId}, 'oidc', true, 'https://idp.example.com', 'x', now(), now())`
    await server.sql.rows`
      insert into sso_domains (domain, org_id, token, verified_at, created_at)
      values (${domain}, ${team.orgId}, 'x', now(), now())`
    const { browser, location } = await enter(person(`ada@${domain}`))
    expect(location).toBe('/app/sign-in?problem=sso_required')
    expect((await me(browser)).status).toBe(401)
    expect(await accounts(`ada@${domain}`)).toEqual([])
  })

  test('enters an organisation that requires single sign-on only while its owner allows it', async () => {
    const owner = await createPasswordUser(server)
    const ownerAt = server.visitor()
    await login(ownerAt, owner.email)
    const team = await ownerAt.call<{ orgId: OrgId }>('POST', '/teams', {
      body: { name: 'Strict' },
      headers: FROM_PAGE,
    })
    const { orgId } = team.body
    const who = person()
    await enter(who)
    const email = who.emails[0]?.email ?? ''
    const { id: userId } = await server.sql.one<{ id: string }>`select id from users where email = ${email}`
    await server.sql.rows`
      insert into memberships (org_id, user_id, role, created_at) values (${orgId}, ${userId}, 'member', now())`
    await server.sql.rows`update users set active_org_id = ${orgId} where id = ${userId}`
    await server.sql.rows`update orgs set sso_required = true where id = ${orgId}`
    const orgOf = async (browser: Visitor) => (await me(browser)).body.orgId

    // The rule is not weakened by the sign-in itself: it opens the personal organisation.
    expect(await orgOf((await enter(who)).browser)).not.toBe(orgId)
    const allow = (githubAllowed: boolean, as: Visitor = ownerAt) =>
      as.call('PATCH', `/orgs/${orgId}/sign-in`, { body: { githubAllowed }, headers: FROM_PAGE })
    await server.sql.rows`update orgs set sso_required = false where id = ${orgId}`
    await ownerAt.call('POST', '/me/org', { body: { orgId }, headers: FROM_PAGE })
    expect((await allow(true)).status).toBe(200)
    await server.sql.rows`update orgs set sso_required = true where id = ${orgId}`
    const member = (await enter(who)).browser
    expect(await orgOf(member)).toBe(orgId)
    expect((await allow(false, member)).status).toBe(403)

    // A second factor does not lose the permission.
    await server.sql.rows`update users set mfa_enabled = true where id = ${userId}`
    expect((await enter(who)).location).toMatch(/second-factor/)
    await server.sql.rows`update users set mfa_enabled = false where id = ${userId}`

    await server.sql.rows`update orgs set sso_required = false where id = ${orgId}`
    expect((await allow(false)).status).toBe(200)
    await server.sql.rows`update orgs set sso_required = true where id = ${orgId}`
    expect((await me(member)).status).toBe(401)
    expect(await orgOf((await enter(who)).browser)).not.toBe(orgId)
    const events = await server.sql.rows<{ allowed: boolean }>`
      select (metadata->>'githubAllowed')::boolean as allowed from audit_entries
      where org_id = ${orgId} and action = 'orgs.signIn.change' order by seq`
    expect(events.map(({ allowed }) => allowed)).toEqual([true, false])
  })

  test('is refused to an address of a domain whose organisation does not allow it, whatever another one allows', async () => {
    const strict = await server.person({ type: 'team' })
    const lenient = await server.person({ type: 'team' })
    const domain = `${newId('org').slice(4)}.example.com`
    const who = person(`ada@${domain}`)
    await enter(who)
    await server.sql.rows`
      insert into sso_connections (id, org_id, type, enabled, issuer, client_id, created_at, updated_at)
      values (${newId('sso')}, ${strict.orgId}, 'oidc', true, 'https://idp.example.com', 'x', now(), now())`
    await server.sql.rows`
      insert into sso_domains (domain, org_id, token, verified_at, created_at)
      values (${domain}, ${strict.orgId}, 'x', now(), now())`
    await server.sql.rows`
      insert into memberships (org_id, user_id, role, created_at)
      select ${lenient.orgId}, id, 'member', now() from users where email = ${`ada@${domain}`}`
    await server.sql.rows`update orgs set sso_required = true where id in (${strict.orgId}, ${lenient.orgId})`
    await server.sql.rows`update orgs set github_sign_in = true where id = ${lenient.orgId}`
    expect((await enter(who)).location).toBe('/app/sign-in?problem=sso_required')
    await server.sql.rows`update orgs set github_sign_in = true where id = ${strict.orgId}`
    expect((await enter(who)).location).toBe('/app')
  })

  test('of one new person twice at once opens one account', async () => {
    const who = person()
    const outcomes = await Promise.all([enter(who), enter(who), enter(who)])
    expect(outcomes.map(({ location }) => location)).toEqual(['/app', '/app', '/app'])
    expect(await accounts(who.emails[0]?.email ?? '')).toHaveLength(1)
  })
})

describe('an existing account', () => {
  test('is not opened by its address; the owner confirms once by mail, then it is linked', async () => {
    const owner = await createPasswordUser(server)
    const who = person(owner.email)
    const { browser, location } = await enter(who)
    expect(location).toBe('/app/sign-in?done=github_mail')
    expect((await me(browser)).status).toBe(401)
    const token = await tokenTo(server, owner.email)
    const confirm = () =>
      browser.call('POST', '/auth/github/confirm', { body: { token }, headers: FROM_PAGE })
    expect((await confirm()).status).toBe(200)
    expect((await confirm()).status).toBe(400)
    expect((await me(browser)).status).toBe(401)
    expect((await enter(who, browser)).location).toBe('/app')
    expect((await me(browser)).body).toMatchObject({ email: owner.email })
    expect((await login(server, owner.email)).status).toBe(200)
  })

  test('is not linked by an old mail, or by one from before a new password', async () => {
    const owner = await createPasswordUser(server)
    await enter(person(owner.email))
    const token = await tokenTo(server, owner.email)
    server.clock.advance({ minutes: 15 })
    const confirm = (mailed: string) =>
      server.call('POST', '/auth/github/confirm', { body: { token: mailed } })
    expect((await confirm(token)).status).toBe(400)
    await enter(person(owner.email))
    const second = await tokenTo(server, owner.email)
    server.clock.advance({ seconds: 1 })
    await server.call('POST', '/auth/password/forgot', { body: { email: owner.email } })
    const body = { token: await tokenTo(server, owner.email), password: 'seven herons in October' }
    expect((await server.call('POST', '/auth/password/reset', { body })).status).toBe(200)
    expect((await confirm(second)).status).toBe(400)
  })

  test('keeps no expired confirmation for more than a day', async () => {
    const owner = await createPasswordUser(server)
    await enter(person(owner.email))
    const left = () => server.sql.rows`select 1 from github_confirmations where user_id = ${owner.userId}`
    server.clock.advance({ hours: 2 })
    await server.app.jobs.drain()
    expect(await left()).toHaveLength(1)
    server.clock.advance({ hours: 24 })
    await server.app.jobs.drain()
    expect(await left()).toHaveLength(0)
  })

  test('is not linked by a session that was ended before GitHub replied', async () => {
    const owner = await createPasswordUser(server)
    const thief = server.visitor()
    await login(thief, owner.email)
    const { body } = await thief.call('POST', '/auth/github/account', { headers: FROM_PAGE })
    await server.sql.rows`update sessions set revoked_at = now() where user_id = ${owner.userId}`
    expect((await back(thief, github.allow(String(body.url), person()))).headers.location).toBe(
      '/app/security?problem=github_failed',
    )
    expect(await server.sql.rows`select 1 from github_identities where user_id = ${owner.userId}`).toEqual([])
  })

  test('that was never confirmed is taken over without its password', async () => {
    const owner = await createPasswordUser(server, { verified: false })
    const { browser, location } = await enter(person(owner.email))
    expect(location).toBe('/app')
    expect((await me(browser)).body).toMatchObject({ userId: owner.userId })
    expect((await login(server, owner.email)).status).toBe(401)
  })

  test('is linked and unlinked by its signed-in owner, with audit events and mails', async () => {
    const owner = await createPasswordUser(server)
    const browser = server.visitor()
    await login(browser, owner.email)
    const started = await browser.call('POST', '/auth/github/account', { headers: FROM_PAGE })
    const who = person()
    expect((await back(browser, github.allow(String(started.body.url), who))).headers.location).toBe(
      '/app/security',
    )
    expect((await browser.call('GET', '/auth/github/account')).body).toMatchObject({
      github: { login: who.login },
    })
    expect(await accounts(who.emails[0]?.email ?? '')).toEqual([])
    const other = await createPasswordUser(server)
    const second = server.visitor()
    await login(second, other.email)
    const again = await second.call('POST', '/auth/github/account', { headers: FROM_PAGE })
    expect((await back(second, github.allow(String(again.body.url), who))).headers.location).toBe(
      '/app/security?problem=github_taken',
    )
    const removed = await browser.call('DELETE', '/auth/github/account', { headers: FROM_PAGE })
    expect(removed.status).toBe(200)
    expect((await browser.call('GET', '/auth/github/account')).body).toEqual({ github: null })
    const events = await server.sql.rows<{ action: string }>`
      select action from audit_entries where org_id = ${owner.orgId} and action like 'auth.github.%' order by seq`
    expect(events.map(({ action }) => action)).toEqual(['auth.github.link', 'auth.github.unlink'])
    expect((await mailsTo(server, owner.email)).map(({ subject }) => subject)).toContain(
      'GitHub was unlinked from your Cowrie account',
    )
  })
})

describe('is refused, without an account or a session,', () => {
  test('when the person denies it, and to unverified or secondary addresses', async () => {
    const browser = server.visitor()
    expect((await back(browser, github.deny(await start(browser)))).headers.location).toBe(
      '/app/sign-in?problem=github_denied',
    )
    expect(
      (await back(browser, github.deny(await start(browser, { next: '/app/keys?a=b' })))).headers.location,
    ).toBe('/app/sign-in?problem=github_denied&next=%2Fapp%2Fkeys%3Fa%3Db')
    const email = newAddress()
    for (const emails of [
      [{ email, primary: true, verified: false }],
      [{ email, primary: false, verified: true }],
      [],
    ])
      expect((await enter({ ...person(), emails })).location).toBe('/app/sign-in?problem=github_email')
    expect(await accounts(email)).toEqual([])
    const several = person(newAddress(), [{ email, primary: false, verified: true }])
    expect((await enter(several)).location).toBe('/app')
    expect(await accounts(email)).toEqual([])
  })

  test('with a wrong, foreign, reused or expired state, and with an expired code', async () => {
    const failed = '/app/sign-in?problem=github_failed'
    const browser = server.visitor()
    const url = github.allow(await start(browser), person())
    expect((await back(server.visitor(), url)).headers.location).toBe(failed)
    const wrong = new URL(url)
    wrong.searchParams.set('state', 'x'.repeat(43))
    expect((await back(browser, wrong)).headers.location).toBe(failed)
    expect((await back(browser, url)).headers.location).toBe('/app')
    expect((await back(browser, url)).headers.location).toBe(failed)
    const late = github.allow(await start(browser), person())
    server.clock.advance({ minutes: 10 })
    expect((await back(browser, late)).headers.location).toBe(failed)
    const code = github.allow(await start(browser), person())
    github.expireCodes()
    expect((await back(browser, code)).headers.location).toBe(failed)
  })

  test('with a code of another flow, because the verifier differs', async () => {
    const browser = server.visitor()
    const foreign = github.allow(await start(server.visitor()), person())
    const own = github.allow(await start(browser), person())
    own.searchParams.set('code', foreign.searchParams.get('code') ?? '')
    expect((await back(browser, own)).headers.location).toBe('/app/sign-in?problem=github_failed')
  })

  test('while GitHub is down, silent or broken', async () => {
    for (const [fault, problem] of [
      ['down', 'sso_unreachable'],
      ['silent', 'sso_unreachable'],
      ['garbage', 'github_failed'],
    ] as const) {
      github.fault = fault
      expect((await enter(person())).location).toBe(`/app/sign-in?problem=${problem}`)
    }
    github.fault = null
  })

  test('when it is prefetched, or registration is closed', async () => {
    expect((await server.call('GET', '/auth/github', { headers: { purpose: 'prefetch' } })).status).toBe(400)
    const staff = await server.person({ staff: 'operator' })
    await server.call('PUT', '/admin/settings/signups_enabled', { as: staff, body: { value: false } })
    expect((await enter(person())).location).toBe('/app/sign-in?problem=signups_disabled')
    await server.call('DELETE', '/admin/settings/signups_enabled', { as: staff })
  })
})
