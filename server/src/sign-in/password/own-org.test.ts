import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import {
  login,
  newAddress,
  OTHER_PASSWORD,
  PASSWORD,
  register,
  tokenTo,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLink, openAccountWithoutOrg } from '../../identity/identity.ts'
import type { OrgId, UserId } from '../../kernel/ids.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ schedules: ['signIn'] })
})
beforeEach(() => server.sql.rows`delete from attempts`)
afterAll(() => server.close())

type Invited = { email: string; userId: UserId; teamId: OrgId; invitation: string }

/** A user whom a team has invited and who has not signed in yet. */
async function invited(): Promise<Invited> {
  const email = newAddress()
  const team = await server.person({ type: 'team' })
  const { userId, token } = await server.app.db.tx('platform', async (tx) => {
    const userId = await openAccountWithoutOrg(tx, { email, verified: false })
    if (!userId) throw new Error('the address is new')
    return { userId, ...(await createLink(tx, { kind: 'invitation', userId })) }
  })
  await server.sql.rows`
    insert into memberships (org_id, user_id, role, created_at)
    values (${team.orgId}, ${userId}, 'member', ${server.clock.now()})`
  server.clock.advance({ seconds: 1 })
  return { email, userId, teamId: team.orgId, invitation: token }
}
const post = (path: string, body: object, client: Pick<Visitor, 'call'> = server) =>
  client.call('POST', path, { body })
const seen = async (browser: Visitor) => (await browser.call('GET', '/me')).body
/** Audit entries that the team can read. */
const recordOf = ({ email, userId, teamId }: Invited) =>
  server.sql.rows`
    select action from audit_entries
    where org_id = ${teamId} and (actor_email = ${email} or target = ${userId})`

/** Methods to confirm an address; each ends signed in. */
const WAYS: Record<string, (person: Invited, browser: Visitor) => Promise<unknown>> = {
  'a sign-in link': async ({ email }, browser) => {
    await post('/auth/magic/request', { email })
    return post('/auth/magic/consume', { token: await tokenTo(server, email) }, browser)
  },
  'a link to confirm the address': async ({ email }, browser) => {
    await post('/auth/verify/resend', { email })
    await post('/auth/verify', { token: await tokenTo(server, email) })
    server.clock.advance({ seconds: 1 })
    await post('/auth/password/forgot', { email })
    await post('/auth/password/reset', { token: await tokenTo(server, email), password: PASSWORD })
    return login(browser, email)
  },
  'registering and choosing a password': async ({ email }, browser) => {
    await register(server, email)
    await post('/auth/password/reset', { token: await tokenTo(server, email), password: PASSWORD })
    return login(browser, email)
  },
}

describe.for(Object.keys(WAYS))('an invited user who confirms by %s', (way) => {
  const come = async () => {
    const person = await invited()
    const browser = server.visitor()
    await WAYS[way]?.(person, browser)
    return { person, browser }
  }

  test('lands in a personal organisation and stays a member of the team', async () => {
    const { person, browser } = await come()
    const { orgId } = await seen(browser)
    expect(orgId).not.toBe(person.teamId)
    expect(await browser.call('GET', '/me')).toMatchObject({ status: 200, body: { role: 'owner' } })
    const orgs = await server.sql.rows`select org_id from memberships where user_id = ${person.userId}`
    expect(orgs).toHaveLength(2)
    expect(await recordOf(person)).toEqual([])
  })

  test('comes in although the team requires single sign-on', async () => {
    const person = await invited()
    await server.sql.rows`update orgs set sso_required = true where id = ${person.teamId}`
    const browser = server.visitor()
    await WAYS[way]?.(person, browser)
    expect((await browser.call('GET', '/me')).status).toBe(200)
  })

  test('makes the invitation worthless as a way to another password', async () => {
    const { person } = await come()
    const reply = await post('/auth/password/reset', { token: person.invitation, password: OTHER_PASSWORD })
    expect(reply).toMatchObject({ status: 400, body: { code: 'link_invalid' } })
  })
})

test('a user who accepts the invitation lands in the team without a personal organisation', async () => {
  const person = await invited()
  expect((await post('/auth/password/reset', { token: person.invitation, password: PASSWORD })).status).toBe(
    200,
  )
  const browser = server.visitor()
  expect((await login(browser, person.email)).body).toMatchObject({ orgId: person.teamId })
  expect(await server.sql.rows`select 1 from memberships where user_id = ${person.userId}`).toHaveLength(1)
})

test('confirming an address ends every other mail that could open the account', async () => {
  const email = newAddress()
  await register(server, email)
  const verify = await tokenTo(server, email)
  server.clock.advance({ seconds: 1 })
  await post('/auth/magic/request', { email })
  const magic = await tokenTo(server, email)
  server.clock.advance({ seconds: 1 })
  await post('/auth/password/forgot', { email })
  const reset = await tokenTo(server, email)
  expect((await post('/auth/verify', { token: verify })).status).toBe(200)
  expect((await post('/auth/magic/consume', { token: magic })).status).toBe(400)
  expect((await post('/auth/password/reset', { token: reset, password: OTHER_PASSWORD })).status).toBe(400)
  expect((await login(server, email)).status).toBe(200)
})

test('audit events of a user are kept in the personal organisation', async () => {
  const person = await invited()
  const browser = server.visitor()
  await WAYS['a sign-in link']?.(person, browser)
  server.clock.advance({ seconds: 1 })
  await post('/auth/password/forgot', { email: person.email })
  await post('/auth/password/reset', { token: await tokenTo(server, person.email), password: PASSWORD })
  expect(await recordOf(person)).toEqual([])
})
