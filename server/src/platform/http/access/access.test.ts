import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
let owner: Person
let stranger: Person

beforeAll(async () => {
  server = await startTestServer({
    modules: [probe],
    tables: PROBE_TABLES,
    variables: { INTERNAL_SECRET: 'an internal secret' },
  })
  owner = await server.person({ type: 'team' })
  stranger = await server.person()
})
afterAll(() => server.close())

async function signIn(email: string): Promise<string> {
  const reply = await server.call('POST', '/auth/dev-login', { body: { email } })
  return (reply.headers['set-cookie'] ?? '').toString().split(';')[0] ?? ''
}

describe('a session cookie', () => {
  test('signs a user in with every scope, and signs out on every replica immediately', async () => {
    const cookie = await signIn('ada@example.com')
    const replica = await startTestServer({ url: server.url, clock: server.clock })
    const me = await replica.call('GET', '/me', { headers: { cookie } })
    expect(me).toMatchObject({
      status: 200,
      body: { email: 'ada@example.com', scopes: ['*'], role: 'owner' },
    })
    const out = await server.call('POST', '/auth/logout', { headers: { cookie } })
    expect(out.status).toBe(200)
    expect(String(out.headers['set-cookie'])).toContain('Max-Age=0')
    expect((await replica.call('GET', '/me', { headers: { cookie } })).status).toBe(401)
    await replica.close()
  })

  test('is HttpOnly, Lax, for the whole site, and Secure where the public origin is https', async () => {
    const plain = await server.call('POST', '/auth/dev-login', { body: { email: 'flags@example.com' } })
    expect([plain.headers['set-cookie']].flat()[0]).toMatch(
      /^service_session=\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
    )
    const https = await startTestServer({
      url: server.url,
      clock: server.clock,
      variables: { SERVICE_BASE_URL: 'https://cowrie.test' },
    })
    const secure = await https.call('POST', '/auth/dev-login', { body: { email: 'flags@example.com' } })
    for (const cookie of [secure.headers['set-cookie']].flat()) expect(cookie).toContain('; Secure')
    expect(secure.headers['strict-transport-security']).toContain('max-age=')
    await https.close()
  })

  test('is not stored in the database in plain text', async () => {
    const cookie = await signIn('dump@example.com')
    const rows = await server.sql.rows<{ id: string; hash: string }>`
      select s.id, encode(s.token_hash, 'hex') as hash from sessions s join users u on u.id = s.user_id where u.email = 'dump@example.com'`
    for (const { id, hash } of rows) {
      expect(cookie).not.toContain(id)
      expect(
        (await server.call('GET', '/me', { headers: { cookie: `service_session=${hash}` } })).status,
      ).toBe(401)
    }
  })

  test.for(['', 'x', 'service_session=abc.def', 'service_session=%00'])(
    'that the service did not create (%j) is unauthenticated',
    async (cookie) => {
      expect((await server.call('GET', '/me', { headers: { cookie } })).status).toBe(401)
    },
  )

  test('with one changed character is rejected', async () => {
    const cookie = await signIn('tamper@example.com')
    const last = cookie.at(-2) === 'A' ? 'B' : 'A'
    expect(
      (
        await server.call('GET', '/me', {
          headers: { cookie: `${cookie.slice(0, -2)}${last}${cookie.at(-1)}` },
        })
      ).status,
    ).toBe(401)
  })

  test('expires after seven idle days, and after thirty days in any case', async () => {
    const cookie = await signIn('idle@example.com')
    server.clock.advance({ days: 6, hours: 23 })
    expect((await server.call('GET', '/me', { headers: { cookie } })).status).toBe(200)
    await expect
      .poll(
        () =>
          server.sql
            .rows`select 1 from sessions s join users u on u.id = s.user_id where u.email = 'idle@example.com' and s.last_seen_at > s.created_at`,
      )
      .toHaveLength(1)
    server.clock.advance({ days: 6, hours: 23 })
    expect((await server.call('GET', '/me', { headers: { cookie } })).status).toBe(200)
    server.clock.advance({ days: 7, hours: 1 })
    expect((await server.call('GET', '/me', { headers: { cookie } })).status).toBe(401)
  })

  test('is accepted with the previous secret after a rotation', async () => {
    const cookie = await signIn('rotate@example.com')
    const rotated = await startTestServer({
      url: server.url,
      clock: server.clock,
      variables: {
        SERVICE_SECRET: 'another secret that only tests know, also long',
        SERVICE_SECRET_PREVIOUS: 'a secret that only tests know, long enough',
      },
    })
    const fresh = await startTestServer({
      url: server.url,
      clock: server.clock,
      variables: { SERVICE_SECRET: 'another secret that only tests know, also long' },
    })
    expect((await rotated.call('GET', '/me', { headers: { cookie } })).status).toBe(200)
    expect((await fresh.call('GET', '/me', { headers: { cookie } })).status).toBe(401)
    await rotated.close()
    await fresh.close()
  })
})

describe('a request from another website', () => {
  const post = async (headers: Record<string, string>) => {
    const cookie = await signIn('csrf@example.com')
    return server.call('POST', '/auth/logout', { headers: { cookie, ...headers } })
  }
  test.for<[string, Record<string, string>]>([
    ['by fetch metadata', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['by origin', { origin: 'https://evil.example' }],
    ['by an origin that looks like ours', { origin: 'http://cowrie.test.evil.example' }],
    ['by a null origin', { origin: 'null' }],
  ])('is rejected %s', async ([, headers]) => {
    expect(await post(headers)).toMatchObject({ status: 403, body: { code: 'cross_origin' } })
  })
  test.for<[string, Record<string, string>]>([
    ['our own page', { 'sec-fetch-site': 'same-origin', origin: 'http://cowrie.test' }],
    ['our origin in an old browser', { origin: 'http://cowrie.test' }],
    ['the host addressed', { origin: 'http://localhost:8080', host: 'localhost:8080' }],
    ['a program', {}],
  ])('is allowed for %s', async ([, headers]) => {
    expect((await post(headers)).status).toBe(200)
  })
  test('with a bearer token instead of a cookie is allowed', async () => {
    expect(
      (
        await server.call('POST', '/probe/money', {
          as: owner,
          body: { amountMinor: 1 },
          headers: { origin: 'https://evil.example' },
        })
      ).status,
    ).toBe(200)
  })
  test('cannot sign a victim in to the account of an attacker', async () => {
    const reply = await server.call('POST', '/auth/dev-login', {
      body: { email: 'evil@example.com' },
      headers: { origin: 'https://evil.example' },
    })
    expect(reply).toMatchObject({ status: 403, body: { code: 'cross_origin' } })
  })
})

describe('an API key', () => {
  test('reaches the routes of its scopes and none that need a session', async () => {
    const runner = await server.key(owner, ['agent:run'])
    const reader = await server.key(owner, ['wallet:read'])
    expect((await server.call('POST', '/probe/spend', { as: runner, body: { amountMinor: 1 } })).status).toBe(
      200,
    )
    expect(await server.call('POST', '/probe/spend', { as: reader, body: { amountMinor: 1 } })).toMatchObject(
      { status: 403, body: { code: 'insufficient_scope' } },
    )
    expect(await server.call('DELETE', '/probe/person', { as: runner })).toMatchObject({
      status: 403,
      body: { code: 'session_required' },
    })
    expect(
      await server.call('PUT', `/probe/orgs/${owner.orgId}/thing`, { as: runner, body: { name: 'x' } }),
    ).toMatchObject({ status: 403 })
    expect(await server.call('GET', '/me', { as: runner })).toMatchObject({
      status: 200,
      body: { scopes: ['agent:run'] },
    })
  })
  test('of staff does not carry their tier', async () => {
    const staff = await server.person({ staff: 'super_admin' })
    const key = await server.key(staff, ['agent:run', 'wallet:read', 'keys:manage', 'metrics:read'])
    expect((await server.call('GET', '/admin/settings', { as: staff })).status).toBe(200)
    expect((await server.call('GET', '/admin/settings', { as: key })).status).toBe(403)
  })
  test('with a wrong checksum is rejected without a database query', async () => {
    const { bearer } = await server.key(owner, [])
    const typo = `${bearer.slice(0, -1)}${bearer.endsWith('a') ? 'b' : 'a'}`
    expect((await server.call('GET', '/me', { as: { bearer: typo } })).status).toBe(401)
    expect((await server.call('GET', '/me', { as: { bearer } })).status).toBe(200)
  })
  test('that is revoked or expired is rejected on the next request', async () => {
    const revoked = await server.key(owner, [])
    const expired = await server.key(owner, [])
    await server.sql.rows`update api_keys set revoked_at = now() where id = ${revoked.id}`
    await server.sql.rows`update api_keys set expires_at = ${server.clock.now()} where id = ${expired.id}`
    for (const as of [revoked, expired]) expect((await server.call('GET', '/me', { as })).status).toBe(401)
  })
  test('is not read from the query or another scheme', async () => {
    const { bearer } = await server.key(owner, [])
    expect((await server.call('GET', `/me?access_token=${bearer}&api_key=${bearer}`)).status).toBe(401)
    expect(
      (
        await server.call('GET', '/me', {
          headers: { authorization: `Basic ${Buffer.from(`x:${bearer}`).toString('base64')}` },
        })
      ).status,
    ).toBe(401)
  })
})

describe('roles', () => {
  test('apply in the organisation of the path; another organisation is not found', async () => {
    const member = await server.member(owner.orgId, 'member')
    const admin = await server.member(owner.orgId, 'admin')
    const put = (as: Person) =>
      server.call('PUT', `/probe/orgs/${owner.orgId}/thing`, { as, body: { name: 'x' } })
    expect((await put(owner)).status).toBe(200)
    for (const as of [member, admin])
      expect(await put(as)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const foreign = await put(stranger)
    const random = await server.call('PUT', '/probe/orgs/org_00000000000000000000000000/thing', {
      as: stranger,
      body: { name: 'x' },
    })
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...random.body, requestId: '' })
  })
})

describe('paid work', () => {
  const spend = (as: { bearer: string }) =>
    server.call('POST', '/probe/spend', { as, body: { amountMinor: 1 } })
  test('is rejected for a suspended organisation, which can still read', async () => {
    const other = await server.person()
    await server.sql.rows`update orgs set suspended_at = now() where id = ${other.orgId}`
    expect(await spend(other)).toMatchObject({ status: 403, body: { code: 'org_suspended' } })
    expect((await server.call('GET', '/me', { as: other })).body).toMatchObject({ orgSuspended: true })
  })
  test('requires verification of businesses when the setting is on, not of individuals', async () => {
    const staff = await server.person({ staff: 'operator' })
    await server.call('PUT', '/admin/settings/kyc_required', { as: staff, body: { value: true } })
    await server.app.settings.refresh()
    expect(await spend(owner)).toMatchObject({ status: 403, body: { code: 'kyc_required' } })
    expect((await spend(stranger)).status).toBe(200)
    await server.sql.rows`update orgs set kyc_status = 'verified' where id = ${owner.orgId}`
    expect((await spend(owner)).status).toBe(200)
    await server.call('DELETE', '/admin/settings/kyc_required', { as: staff })
    await server.app.settings.refresh()
  })
  test('and every change are rejected during maintenance, except for staff and sign-in', async () => {
    const root = await server.person({ staff: 'super_admin' })
    await server.call('PUT', '/admin/settings/maintenance_mode', { as: root, body: { value: true } })
    await server.app.settings.refresh()
    expect(await spend(owner)).toMatchObject({ status: 503, body: { code: 'maintenance' } })
    expect((await server.call('POST', '/probe/money', { as: owner, body: { amountMinor: 1 } })).status).toBe(
      503,
    )
    expect((await server.call('GET', '/me', { as: owner })).status).toBe(200)
    expect(
      (await server.call('POST', '/auth/dev-login', { body: { email: 'late@example.com' } })).status,
    ).toBe(200)
    expect((await server.call('POST', '/probe/money', { as: root, body: { amountMinor: 1 } })).status).toBe(
      200,
    )
    expect(
      (await server.call('POST', '/probe/rail', { raw: 'abc', headers: { 'x-probe-signature': '3' } }))
        .status,
    ).toBe(200)
    await server.call('DELETE', '/admin/settings/maintenance_mode', { as: root })
    await server.app.settings.refresh()
  })
})

describe('machines', () => {
  test('send the internal secret; a wrong one is 403 and an unset one 503', async () => {
    const call = (on: TestServer, secret?: string) =>
      on.call('POST', '/probe/internal', { headers: secret ? { 'x-internal-secret': secret } : {} })
    expect((await call(server, 'an internal secret')).status).toBe(200)
    expect(await call(server, 'another')).toMatchObject({ status: 403, body: { code: 'wrong_secret' } })
    expect((await call(server)).status).toBe(403)
    const unset = await startTestServer({ modules: [probe], url: server.url, clock: server.clock })
    expect(await call(unset, 'anything')).toMatchObject({ status: 503, body: { code: 'not_configured' } })
    await unset.close()
  })
  test('a payment provider is authenticated only by its signature of the raw bytes', async () => {
    const call = (raw: string, signature: string) =>
      server.call('POST', '/probe/rail', {
        raw,
        headers: { 'x-probe-signature': signature, 'content-type': 'text/plain' },
      })
    expect(await call('{ "a": 1 }', '10')).toMatchObject({ status: 200, body: { bytes: 10 } })
    expect(await call('{ "a": 1 }', '9')).toMatchObject({ status: 401, body: { code: 'invalid_signature' } })
  })
  test('metrics require the token or staff', async () => {
    expect((await server.call('GET', '/metrics')).status).toBe(403)
    expect((await server.call('GET', '/metrics', { as: owner })).status).toBe(403)
    const staff = await server.person({ staff: 'support' })
    const shown = await server.call('GET', '/metrics', { as: staff })
    expect(shown.headers['content-type']).toContain('text/plain')
    expect(shown.text).toContain('cowrie_http_requests_total')
    const guarded = await startTestServer({
      url: server.url,
      clock: server.clock,
      variables: { METRICS_TOKEN: 'scrape me' },
    })
    expect((await guarded.call('GET', '/metrics', { as: { bearer: 'scrape me' } })).status).toBe(200)
    expect((await guarded.call('GET', '/metrics', { as: { bearer: 'scrape you' } })).status).toBe(403)
    expect((await guarded.call('GET', '/metrics', { as: owner })).status).toBe(403)
    expect((await guarded.call('GET', '/metrics', { as: staff })).status).toBe(200)
    await guarded.close()
  })
})

describe('the root administrator', () => {
  test('is super admin from the first sign-in, by email address', async () => {
    const ruled = await startTestServer({
      url: server.url,
      clock: server.clock,
      variables: { SERVICE_ROOT_ADMIN_EMAIL: 'Root@Example.com' },
    })
    const reply = await ruled.call('POST', '/auth/dev-login', { body: { email: 'root@example.com' } })
    const me = await ruled.call('GET', '/me', { as: { bearer: String(reply.body.userId) } })
    expect(me.body).toMatchObject({ isSuperAdmin: true, staffRole: 'super_admin' })
    await ruled.close()
  })
})

test('development sign-in and its bearer token do not exist when it is off', async () => {
  const strict = await startTestServer({
    url: server.url,
    clock: server.clock,
    variables: { SERVICE_DEV_AUTH: 'off' },
  })
  expect((await strict.call('POST', '/auth/dev-login', { body: { email: 'a@example.com' } })).status).toBe(
    404,
  )
  expect((await strict.call('GET', '/me', { as: owner })).status).toBe(401)
  await strict.close()
})
