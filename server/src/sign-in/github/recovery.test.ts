// Recovery of an account after a theft, and sign-ins that another website starts.
import { type FakeGithubLogin, startFakeGithubLogin } from '@cowrie/testkit/fakes/github/login.ts'
import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import { githubPerson, githubSteps, githubVariables } from '@cowrie/testkit/sign-in/github-people.ts'
import {
  createPasswordUser,
  FROM_PAGE,
  login,
  mailsTo,
  me,
  NAVIGATING,
  OTHER_PASSWORD,
  type PasswordUser,
  tokenTo,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let github: FakeGithubLogin
let server: TestServer
let steps: ReturnType<typeof githubSteps>
beforeAll(async () => {
  github = await startFakeGithubLogin()
  server = await startTestServer({ schedules: ['signIn'], variables: githubVariables(github) })
  steps = githubSteps(server, github)
})
afterAll(async () => {
  await server.close()
  await github.close()
})

async function linkedTo(owner: PasswordUser) {
  const browser = server.visitor()
  await login(browser, owner.email)
  const { body } = await browser.call('POST', '/auth/github/account', { headers: FROM_PAGE })
  const who = githubPerson()
  await steps.back(browser, github.allow(String(body.url), who))
  return { browser, who }
}

test('unlinking GitHub ends the sessions that it opened, and no other', async () => {
  const owner = await createPasswordUser(server)
  const { browser, who } = await linkedTo(owner)
  const thief = (await steps.enter(who)).browser
  const phone = server.visitor()
  await login(phone, owner.email)
  await server.sql.rows`update users set mfa_enabled = true where id = ${owner.userId}`
  expect((await steps.enter(who)).location).toMatch(/second-factor/)
  const statuses = async () =>
    Promise.all([thief, phone, browser].map(async (each) => (await me(each)).status))
  expect(await statuses()).toEqual([200, 200, 200])
  expect((await browser.call('DELETE', '/auth/github/account', { headers: FROM_PAGE })).status).toBe(200)
  expect(await statuses()).toEqual([401, 200, 200])
  expect(await server.sql.rows`select 1 from mfa_challenges where user_id = ${owner.userId}`).toEqual([])
})

test('a reset of the password by mail unlinks GitHub, and the mail reports it', async () => {
  const owner = await createPasswordUser(server)
  const { who } = await linkedTo(owner)
  server.clock.advance({ seconds: 1 })
  await server.call('POST', '/auth/password/forgot', { body: { email: owner.email } })
  const body = { token: await tokenTo(server, owner.email), password: OTHER_PASSWORD }
  expect((await server.call('POST', '/auth/password/reset', { body })).status).toBe(200)
  const { browser } = await steps.enter(who)
  expect((await me(browser)).body).not.toMatchObject({ email: owner.email })
  const mail = (await mailsTo(server, owner.email)).find(
    ({ subject }) => subject === 'Your password was changed',
  )
  expect(mail?.text).toContain(`The GitHub account ${who.login} was unlinked`)
  const events = await server.sql.rows<{ action: string }>`
    select action from audit_entries where org_id = ${owner.orgId} and action like 'auth.github.%' order by seq`
  expect(events.map(({ action }) => action)).toEqual(['auth.github.link', 'auth.github.unlink'])
})

test('another website cannot start a sign-in for a signed-in visitor, but can for a stranger', async () => {
  const from = (browser: Visitor, site: string) =>
    browser.call('GET', '/auth/github', { headers: { ...NAVIGATING, 'sec-fetch-site': site } })
  const owner = await createPasswordUser(server)
  const browser = server.visitor()
  await login(browser, owner.email)
  for (const site of ['cross-site', 'same-site'])
    expect((await from(browser, site)).headers.location).toBe('/app/security?problem=github_other_site')
  for (const site of ['same-origin', 'none'])
    expect((await from(browser, site)).headers.location).toMatch(/login.oauth.authorize/)
  expect((await from(server.visitor(), 'cross-site')).headers.location).toMatch(/login.oauth.authorize/)
  await server.sql.rows`update sessions set revoked_at = now() where user_id = ${owner.userId}`
  expect((await from(browser, 'cross-site')).headers.location).toMatch(/login.oauth.authorize/)
})
