// The start of a sign-in.

import { startHostile } from '@cowrie/testkit/fakes/sso/hostile-provider.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { MachineClock, openSsoOrg, verifyDomain } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'

let server: TestServer
let operator: Person
beforeAll(async () => {
  server = await startTestServer({ clock: new MachineClock() })
  operator = await server.person({ staff: 'operator' })
})
afterAll(() => server.close())

describe('the start of a sign-in', () => {
  async function setUp() {
    const provider = await startHostile()
    const domain = `${newId('dom').replace('_', '-')}.test`
    const connection = { type: 'oidc', issuer: provider.issuer, clientId: 'cowrie' }
    return { provider, domain, ...(await openSsoOrg(server, { connection, domains: [domain] })) }
  }
  const initiate = (query: Record<string, string>, headers = {}) =>
    server.call('GET', '/auth/sso/initiate', { query, headers })

  test('redirects the browser to the provider with all required parameters', async () => {
    const { provider, domain } = await setUp()
    const answer = await initiate({ email: `ada@${domain}` })
    expect(answer.status).toBe(302)
    expect(answer.headers['cache-control']).toBe('no-store')
    const url = new URL(answer.headers.location ?? '')
    expect(`${url.origin}${url.pathname}`).toBe(`${provider.issuer}/authorize`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'cowrie',
      response_type: 'code',
      redirect_uri: 'http://cowrie.test/auth/sso/oidc/callback',
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      login_hint: `ada@${domain}`,
    })
    expect(answer.headers['set-cookie']).toMatch(
      /^service_sso=[\w-]{43}; Path=\/auth\/sso; HttpOnly; SameSite=Lax; Max-Age=600$/,
    )
  })

  test('stores nothing that would help to complete it', async () => {
    const { domain } = await setUp()
    const answer = await initiate({ email: `ada@${domain}` })
    const state = new URL(answer.headers.location ?? '').searchParams.get('state') ?? ''
    const cookie = /service_sso=([\w-]+)/.exec(answer.headers['set-cookie'] ?? '')?.[1] ?? ''
    const rows = await server.sql
      .rows`select encode(key_hash, 'escape') as a, encode(browser_hash, 'escape') as b, data from sso_flows`
    expect(JSON.stringify(rows)).not.toContain(state)
    expect(JSON.stringify(rows)).not.toContain(cookie)
  })

  test('is the same for known and unknown addresses', async () => {
    const { domain } = await setUp()
    await server.person({ email: `known@${domain}` })
    const shape = async (email: string) => {
      const answer = await initiate({ email })
      return [answer.status, [...new URL(answer.headers.location ?? '').searchParams.keys()]]
    }
    expect(await shape(`known@${domain}`)).toEqual(await shape(`unknown@${domain}`))
    await server.person({ email: 'known@nowhere.test' })
    const [known, unknown] = await Promise.all(
      ['known@nowhere.test', 'unknown@nowhere.test'].map((email) => initiate({ email })),
    )
    expect(known).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect({ ...unknown?.body, requestId: '' }).toEqual({ ...known?.body, requestId: '' })
  })

  test.for<[string, (known: { domain: string; orgId: string }) => Record<string, string>]>([
    ['a domain without a verified owner', () => ({ email: 'ada@nowhere.test' })],
    ['a domain below one that is known', ({ domain }) => ({ email: `ada@sub.${domain}` })],
    ['an organisation that does not exist', () => ({ orgId: newId('org') })],
    ['something that is no organisation', () => ({ orgId: "' or 1=1" })],
  ])('by %s leads nowhere, for programs and for browsers', async ([, query]) => {
    const known = await setUp()
    expect(await initiate(query(known))).toMatchObject({ status: 404, body: { code: 'not_found' } })
    const page = await initiate(query(known), { accept: 'text/html' })
    expect(page).toMatchObject({ status: 302, headers: { location: '/app/sign-in?problem=sso_unknown' } })
    expect(page.headers['set-cookie']).toBeUndefined()
  })

  test('without parameters is refused with the missing field; a browser goes back to the sign-in page', async () => {
    expect(await initiate({ next: '/app' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_fields', fields: [{ path: 'query.email' }] },
    })
    const page = await initiate({}, { accept: 'text/html' })
    expect(page).toMatchObject({ status: 302, headers: { location: '/app/sign-in?problem=sso_unknown' } })
  })

  test.for([
    ['/app/keys?page=2', '/app/keys?page=2'],
    ['https://evil.example/app', '/app'],
    ['//evil.example', '/app'],
  ] as const)('that fails keeps the requested path: %s', async ([next, kept]) => {
    const page = await initiate({ email: 'ada@nobody.example', next }, { accept: 'text/html' })
    expect(page).toMatchObject({
      status: 302,
      headers: { location: `/app/sign-in?problem=sso_unknown&next=${encodeURIComponent(kept)}` },
    })
  })

  test('fails while the connection is disabled or the domain is not verified', async () => {
    const { domain, orgId } = await setUp()
    await server.sql.rows`update sso_domains set verified_at = null where org_id = ${orgId}`
    expect((await initiate({ email: `ada@${domain}` })).status).toBe(404)
    expect((await initiate({ orgId })).status).toBe(302)
    await server.call('PATCH', `/orgs/${orgId}/sso`, { as: operator, body: { enabled: false } })
    expect((await initiate({ orgId })).status).toBe(404)
  })

  test('is not triggered by HEAD requests and prefetches', async () => {
    const { domain, orgId } = await setUp()
    const path = `/auth/sso/initiate?email=ada@${domain}`
    expect((await server.call('HEAD', path)).status).toBe(405)
    expect((await server.call('HEAD', '/auth/sso/oidc/callback?state=x')).status).toBe(405)
    for (const headers of [
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'x-moz': 'prefetch' },
    ])
      expect((await server.call('GET', path, { headers })).status).toBe(400)
    const flows = await server.sql.rows`
      select 1 from sso_flows f join sso_connections c on c.id = f.connection_id where c.org_id = ${orgId}`
    expect(flows).toEqual([])
  })

  test('works however the address is written', async () => {
    const { domain } = await setUp()
    expect((await initiate({ email: `Ada@${domain.toUpperCase()}` })).status).toBe(302)
    const { orgId } = await setUp()
    await verifyDomain(server, orgId, 'xn--bcher-kva.test')
    expect((await initiate({ email: 'ada@bücher.test' })).status).toBe(302)
  })

  test('is deleted after it has expired', async () => {
    const { orgId } = await setUp()
    await initiate({ orgId })
    const left = async () =>
      (
        await server.sql.rows`
          select 1 from sso_flows f join sso_connections c on c.id = f.connection_id where c.org_id = ${orgId}`
      ).length
    const sweepIn = async (hours: number) => {
      server.clock.advance({ hours })
      await server.app.db.tx('platform', (tx) => enqueue(tx, 'sso.sweepFlows', {}))
      await server.app.jobs.drain()
      server.clock.advance({ hours: -hours })
    }
    await sweepIn(1)
    expect(await left()).toBe(1)
    await sweepIn(2)
    expect(await left()).toBe(0)
  })
})
