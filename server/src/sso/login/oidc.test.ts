// Sign-in through a certified OpenID provider.
import { domainToASCII } from 'node:url'
import {
  type FakeOidcOptions,
  type FakeOidcProvider,
  signInThrough,
  startOidc,
} from '@cowrie/testkit/fakes/sso/oidc.ts'
import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { createPasswordUser, login, tokenTo } from '@cowrie/testkit/sign-in/password-users.ts'
import {
  actionsIn,
  MachineClock,
  openSsoOrg,
  roleOf,
  type SsoOrgOptions,
  verifyDomain,
} from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createLink, peekLink } from '../../identity/identity.ts'
import { newId } from '../../kernel/ids.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock: new MachineClock() })
})
afterAll(() => server.close())

/** An organisation with a unique domain, and its provider. */
async function setUp(wishes: Partial<SsoOrgOptions> = {}, habits: FakeOidcOptions = {}) {
  const provider = await startOidc(habits)
  const domain = `${newId('dom').replace('_', '-')}.test`
  const email = `ada@${domain}`
  provider.person = { sub: 'ada', email, email_verified: true, name: 'Ada' }
  const org = await openSsoOrg(server, {
    connection: { type: 'oidc', issuer: provider.issuer, ...provider.client },
    domains: [domain],
    ...wishes,
  })
  return { provider, domain, email, ...org }
}

/** For the rest of a test. */
function shiftClock({ seconds }: { seconds: number }): void {
  server.clock.advance({ seconds })
  onTestFinished(() => server.clock.advance({ seconds: -seconds }))
}

const me = async (browser: Visitor) => (await browser.call('GET', '/me')).body
const through = (provider: FakeOidcProvider, query: Record<string, string>, browser = server.visitor()) =>
  signInThrough(provider, browser, query)

describe('a first sign-in', () => {
  test('creates a verified account and a membership, and opens the app', async () => {
    const { provider, email, orgId } = await setUp()
    const browser = server.visitor()
    const reply = await through(provider, { email }, browser)
    expect(reply).toMatchObject({ status: 302, headers: { location: '/app' } })
    expect(await me(browser)).toMatchObject({ email, orgId, role: 'member' })
    const user = await server.sql
      .one`select name, verified_at is not null as verified, password_hash from users where email = ${email}`
    expect(user).toMatchObject({ name: 'Ada', verified: true, password_hash: null })
    expect(await actionsIn(server, orgId)).toEqual(['orgs.sso.add', 'sso.link', 'sso.join', 'auth.signIn'])
  })

  test.for(isSoak ? (['RS256', 'EdDSA', 'PS256'] as const) : (['EdDSA'] as const))(
    'is understood when it is signed with %s',
    async (algorithm) => {
      const { provider, email } = await setUp({}, { algorithm })
      expect((await through(provider, { email })).headers.location).toBe('/app')
    },
  )

  test('opens the requested path if it is local', async () => {
    const { provider, email, orgId } = await setUp()
    const wanted = await through(provider, { email, next: '/app/wallet?tab=1' })
    expect(wanted.headers.location).toBe('/app/wallet?tab=1')
    const elsewhere = await through(provider, { orgId, next: '//evil.test/app' })
    expect(elsewhere.headers.location).toBe('/app')
  })

  test('is linked to the account that has the address, and keeps what it had', async () => {
    const { provider, email, orgId } = await setUp()
    const person = await server.person({ email })
    const browser = server.visitor()
    await through(provider, { email }, browser)
    expect(await me(browser)).toMatchObject({ userId: person.userId, orgId })
    const { body } = await browser.call<{ orgs: { orgId: string }[] }>('GET', '/me/orgs')
    expect(body.orgs.map((each) => each.orgId).sort()).toEqual([orgId, person.orgId].sort())
  })

  test('takes over an unverified account without its password and sessions', async () => {
    const { provider, email } = await setUp()
    const person = await server.person({ email })
    await server.sql
      .rows`update users set verified_at = null, password_hash = 'theirs' where id = ${person.userId}`
    const kinds = ['verify', 'reset', 'magic', 'invitation'] as const
    const tokens = await server.app.db.tx('platform', async (tx) => {
      const made: string[] = []
      for (const kind of kinds) made.push((await createLink(tx, { kind, userId: person.userId })).token)
      return made
    })
    expect((await through(provider, { email })).headers.location).toBe('/app')
    const user = await server.sql
      .one`select password_hash, verified_at is not null as verified from users where id = ${person.userId}`
    expect(user).toEqual({ password_hash: null, verified: true })
    for (const token of tokens)
      expect(await peekLink(server.app.db.direct, kinds, token, server.clock.now())).toBeNull()
  })

  test('needs a free seat', async () => {
    const { provider, email, orgId } = await setUp({ seats: 1 })
    expect(await through(provider, { email })).toMatchObject({
      status: 402,
      body: { code: 'seats_exceeded' },
    })
    expect(await roleOf(server, orgId, email)).toBeUndefined()
    const users = await server.sql.rows`select id from users where email = ${email}`
    expect(users, 'nothing is left behind').toEqual([])
  })

  test('of eight at once for the last two seats lets two in', async () => {
    const { provider, domain, orgId } = await setUp({ seats: 3 })
    const replies = []
    for (let i = 0; i < 8; i++) {
      const browser = server.visitor()
      provider.person = { sub: `p${i}`, email: `p${i}@${domain}`, email_verified: true }
      const begun = await browser.call('GET', '/auth/sso/initiate', { query: { orgId } })
      const back = await provider.visit(begun.headers.location ?? '')
      replies.push(() => browser.call('GET', `${back.pathname}${back.search}`))
    }
    const statuses = (await Promise.all(replies.map((finish) => finish()))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 302)).toHaveLength(2)
    expect(statuses.filter((status) => status === 402)).toHaveLength(6)
  })

  test('gets a userinfo request when the token has no email address', async () => {
    const { provider, email } = await setUp({}, { claimsInUserinfoOnly: true })
    const browser = server.visitor()
    expect((await through(provider, { email }, browser)).headers.location).toBe('/app')
    expect(await me(browser)).toMatchObject({ email })
    expect(provider.requestCount('/me')).toBe(1)
  })

  test('of a user without an email address fails', async () => {
    const { provider, orgId } = await setUp({}, { claimsInUserinfoOnly: true })
    provider.person = { sub: 'nobody' }
    expect(await through(provider, { orgId })).toMatchObject({ status: 401, body: { code: 'sso_failed' } })
  })
})

describe('a known user', () => {
  test('keeps the account under another address', async () => {
    const { provider, domain, email } = await setUp()
    const first = server.visitor()
    await through(provider, { email }, first)
    provider.person = { ...provider.person, email: `married@${domain}` }
    const second = server.visitor()
    await through(provider, { email }, second)
    expect((await me(second)).userId).toBe((await me(first)).userId)
  })

  test('is not matched by another subject with the same address', async () => {
    const { provider, email } = await setUp()
    await through(provider, { email })
    provider.person = { ...provider.person, sub: 'the-next-ada' }
    expect(await through(provider, { email })).toMatchObject({ status: 401, body: { code: 'sso_failed' } })
  })

  test('joins again after a removal, as long as their domain leads here', async () => {
    const { provider, domain, email, orgId, operator } = await setUp()
    await through(provider, { email })
    const leave = () => server.sql.rows`delete from memberships where org_id = ${orgId} and user_id in
      (select id from users where email = ${email})`
    await leave()
    await through(provider, { email })
    expect(await roleOf(server, orgId, email)).toBe('member')
    await leave()
    await server.call('DELETE', `/orgs/${orgId}/sso/domains/${domain}`, { as: operator })
    expect(await through(provider, { orgId })).toMatchObject({ status: 401, body: { code: 'sso_failed' } })
    expect(await roleOf(server, orgId, email)).toBeUndefined()
  })

  test('is signed in after the provider has changed its keys', async () => {
    const { provider, email } = await setUp()
    expect((await through(provider, { email })).headers.location).toBe('/app')
    provider.rotate()
    expect((await through(provider, { email })).headers.location).toBe('/app')
    expect(provider.requestCount('/jwks')).toBe(2)
  })

  test('waits when the provider changes its keys more than once a minute', async () => {
    const { provider, email } = await setUp()
    // At the maximum skew, so that a minute later the clocks are still close enough.
    shiftClock({ seconds: -40 })
    for (let time = 0; time < 2; time++) {
      expect((await through(provider, { email })).headers.location).toBe('/app')
      provider.rotate()
    }
    expect((await through(provider, { email })).status).toBe(401)
    expect(provider.requestCount('/jwks')).toBe(2)
    shiftClock({ seconds: 61 })
    expect((await through(provider, { email })).headers.location).toBe('/app')
    expect(provider.requestCount('/jwks')).toBe(3)
  })
})

describe('groups', () => {
  const map = { 'cowrie-admins': 'admin', staff: 'member', bosses: 'owner' }

  test('set the role at every sign-in, the highest of them', async () => {
    const { provider, email, orgId } = await setUp({ groupRoleMap: map })
    const roleWith = async (groups: string[]) => {
      provider.person = { ...provider.person, groups }
      await through(provider, { email })
      return roleOf(server, orgId, email)
    }
    expect(await roleWith(['staff', 'cowrie-admins'])).toBe('admin')
    expect(await roleWith(['staff'])).toBe('member')
    expect(await roleWith(['cowrie-admins'])).toBe('admin')
    expect(await roleWith([]), 'leaving a group takes away what it gave').toBe('member')
    expect(await roleWith(['bosses', 'constructor', '__proto__']), 'no group makes an owner').toBe('member')
    expect(await actionsIn(server, orgId)).toContain('sso.changeRole')
  })

  test('leave an owner alone', async () => {
    const { provider, domain, owner, orgId } = await setUp({ groupRoleMap: map })
    const email = `boss@${domain}`
    await server.sql.rows`update users set email = ${email} where id = ${owner.userId}`
    provider.person = { sub: 'boss', email, email_verified: true, groups: ['staff'] }
    expect((await through(provider, { email })).headers.location).toBe('/app')
    expect(await roleOf(server, orgId, email)).toBe('owner')
  })

  test('change nothing without a map', async () => {
    const { provider, email, orgId } = await setUp()
    await through(provider, { email })
    await server.sql.rows`update memberships set role = 'admin' where org_id = ${orgId} and role = 'member'`
    provider.person = { ...provider.person, groups: ['staff'] }
    await through(provider, { email })
    expect(await roleOf(server, orgId, email)).toBe('admin')
  })
})

describe('a directory service', () => {
  test('keeps its groups and its deactivated users at a sign-in', async () => {
    const { provider, email, orgId, owner } = await setUp({ groupRoleMap: { Admins: 'admin' } })
    const made = await server.call('POST', `/orgs/${orgId}/sso/scim/tokens`, {
      as: owner,
      body: { name: 'Okta' },
    })
    const scim = (method: string, path: string, body: object) =>
      server.call(method, `/scim/v2${path}`, { as: { bearer: String(made.body.token) }, body })
    const { body: user } = await scim('POST', '/Users', { userName: email })
    await scim('POST', '/Groups', { displayName: 'Admins', members: [{ value: user.id }] })
    expect((await through(provider, { email })).headers.location).toBe('/app')
    expect(await roleOf(server, orgId, email), 'the provider sends no groups').toBe('admin')

    const setActive = (active: boolean) =>
      scim('PATCH', `/Users/${user.id}`, { Operations: [{ op: 'replace', path: 'active', value: active }] })
    await setActive(false)
    expect((await through(provider, { email })).headers.location).not.toBe('/app')
    expect(await roleOf(server, orgId, email)).toBeUndefined()
    await setActive(true)
    expect((await through(provider, { email })).headers.location).toBe('/app')
  })
})

describe('an organisation that requires single sign-on', () => {
  test('is open to a session from its provider and closed to other sessions of the same user', async () => {
    const { provider, email, orgId } = await setUp({ required: true })
    const person = await server.person({ email })
    const browser = server.visitor()
    await through(provider, { email }, browser)
    expect(await me(browser)).toMatchObject({ userId: person.userId, orgId })

    const other = server.visitor()
    await other.call('POST', '/auth/dev-login', { body: { email } })
    const refused = await other.call('POST', '/me/org', { body: { orgId } })
    expect(refused).toMatchObject({ status: 403, body: { code: 'sso_required' } })
    await browser.call('POST', '/me/org', { body: { orgId: person.orgId } })
    expect(await me(browser)).toMatchObject({ orgId: person.orgId })
    await browser.call('POST', '/me/org', { body: { orgId } })
    expect(await me(browser), 'the word of the provider holds for the session').toMatchObject({ orgId })
  })

  test('accepts neither a password nor a mailed link of its members', async () => {
    const { provider, email } = await setUp({ required: true })
    await createPasswordUser(server, { email })
    await through(provider, { email })
    expect(await login(server, email)).toMatchObject({ status: 403, body: { code: 'sso_required' } })
    await server.call('POST', '/auth/magic/request', { body: { email } })
    const token = await tokenTo(server, email)
    const mailed = await server.call('POST', '/auth/magic/consume', { body: { token } })
    expect(mailed).toMatchObject({ status: 403, body: { code: 'sso_required' } })
  })

  test('binds the addresses of its domains in any spelling', async () => {
    const { domain, orgId } = await setUp({ required: true })
    await verifyDomain(server, orgId, domainToASCII(`bücher.${domain}`))
    const email = `ada@bücher.${domain}`
    await createPasswordUser(server, { email })
    expect(await login(server, email)).toMatchObject({ status: 403, body: { code: 'sso_required' } })
  })
})

describe('two replicas', () => {
  test('share a sign-in: started on one, completed on the other', async () => {
    const { provider, email, orgId } = await setUp()
    const second = await startTestServer({ url: server.url, clock: server.clock })
    try {
      const here = server.visitor()
      const there = second.visitor()
      const begun = await here.call('GET', '/auth/sso/initiate', { query: { email } })
      for (const [name, value] of here.cookies) there.cookies.set(name, value)
      const back = await provider.visit(begun.headers.location ?? '')
      const finish = (browser: Visitor) => browser.call('GET', `${back.pathname}${back.search}`)
      const replies = await Promise.all([finish(there), finish(here)])
      expect(replies.map(({ status }) => status).sort()).toEqual([302, 401])
      const winner = replies[0]?.status === 302 ? there : here
      expect(await me(winner)).toMatchObject({ email, orgId })
    } finally {
      await second.close()
    }
  })
})
