// A callback works in one browser, for one flow, once.

import { startHostile } from '@cowrie/testkit/fakes/sso/hostile-provider.ts'
import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import { expectRefused, type HostileOrg, openHostileOrg, sessionsOf } from '@cowrie/testkit/sso/hostile.ts'
import { MachineClock } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock: new MachineClock() })
})
afterAll(() => server.close())

describe('a callback is refused', () => {
  async function begin({ provider, email }: HostileOrg, browser: Visitor): Promise<URL> {
    const begun = await browser.call('GET', '/auth/sso/initiate', { query: { email } })
    return provider.visit(begun.headers.location ?? '')
  }
  const finish = (browser: Visitor, back: URL) => browser.call('GET', `${back.pathname}${back.search}`)

  test('without a state', async () => {
    const known = await openHostileOrg(server)
    const browser = server.visitor()
    const back = await begin(known, browser)
    back.searchParams.delete('state')
    await expectRefused(server, known, await finish(browser, back), 400)
  })

  test.for(['wrong', 'x'.repeat(43), ''])('with the state %j', async (state) => {
    const known = await openHostileOrg(server)
    const browser = server.visitor()
    const back = await begin(known, browser)
    back.searchParams.set('state', state)
    await expectRefused(server, known, await finish(browser, back), state ? 401 : 400)
  })

  test('in another browser, and still works in the right one', async () => {
    const known = await openHostileOrg(server)
    const browser = server.visitor()
    const back = await begin(known, browser)
    await expectRefused(server, known, await finish(server.visitor(), back))
    const other = server.visitor()
    await begin(known, other)
    await expectRefused(server, known, await finish(other, back))
    expect((await finish(browser, back)).headers.location).toBe('/app')
  })

  test('the second time', async () => {
    const known = await openHostileOrg(server)
    const browser = server.visitor()
    const back = await begin(known, browser)
    expect((await finish(browser, back)).headers.location).toBe('/app')
    expect(await finish(browser, back)).toMatchObject({ status: 401, body: { code: 'sso_failed' } })
    expect(await sessionsOf(server, known.email)).toBe(1)
  })

  test('after a failure, because a state works once', async () => {
    const known = await openHostileOrg(server)
    const browser = server.visitor()
    const back = await begin(known, browser)
    const wrong = new URL(back)
    wrong.searchParams.set('code', 'guessed')
    known.provider.claims.nonce = 'wrong'
    await expectRefused(server, known, await finish(browser, wrong))
    known.provider.claims.nonce = undefined
    delete known.provider.claims.nonce
    await expectRefused(server, known, await finish(browser, back))
  })

  test('after ten minutes', async () => {
    const known = await openHostileOrg(server)
    const browser = server.visitor()
    server.clock.advance({ minutes: -11 })
    const begun = await browser.call('GET', '/auth/sso/initiate', { query: { email: known.email } })
    server.clock.advance({ minutes: 11 })
    const back = await known.provider.visit(begun.headers.location ?? '')
    await expectRefused(server, known, await finish(browser, back))
  })

  test('when the connection was disabled or changed meanwhile', async () => {
    const known = await openHostileOrg(server)
    const browser = server.visitor()
    const path = `/orgs/${known.orgId}/sso`
    const first = await begin(known, browser)
    await server.call('PATCH', path, { as: known.operator, body: { enabled: false } })
    await expectRefused(server, known, await finish(browser, first))
    await server.call('PATCH', path, { as: known.operator, body: { enabled: true } })
    const second = await begin(known, browser)
    const elsewhere = await startHostile()
    const { issuer } = elsewhere
    await server.call('PATCH', path, { as: known.operator, body: { issuer } })
    await expectRefused(server, known, await finish(browser, second))
    expect(
      elsewhere.requests.map(({ path }) => path),
      'another client cannot use the code',
    ).not.toContain('/token')
  })

  test('with the code of another provider, which never receives the verifier', async () => {
    const mallory = await openHostileOrg(server)
    const victim = await openHostileOrg(server)
    const browser = server.visitor()
    const back = await begin(victim, browser)
    // The victim's code is brought to a sign-in that mallory's provider ends.
    const begun = await browser.call('GET', '/auth/sso/initiate', { query: { email: mallory.email } })
    const mixed = new URL(back)
    mixed.searchParams.set('state', new URL(begun.headers.location ?? '').searchParams.get('state') ?? '')
    mixed.searchParams.set('iss', victim.provider.issuer)
    const answer = await finish(browser, mixed)
    await expectRefused(server, victim, answer)
    expect(mallory.provider.requests.map(({ path }) => path)).not.toContain('/token')
  })

  test('when a provider that promises an `iss` parameter omits it', async () => {
    const known = await openHostileOrg(server)
    known.provider.metadata.authorization_response_iss_parameter_supported = true
    const browser = server.visitor()
    await expectRefused(server, known, await finish(browser, await begin(known, browser)))
  })

  test('with the code of another flow, because each needs its own verifier', async () => {
    const known = await openHostileOrg(server)
    const mine = server.visitor()
    const theirs = server.visitor()
    const stolen = await begin(known, theirs)
    const begun = await mine.call('GET', '/auth/sso/initiate', { query: { email: known.email } })
    const wanted = new URL(begun.headers.location ?? '').searchParams
    expect(wanted.get('code_challenge_method')).toBe('S256')
    stolen.searchParams.set('state', wanted.get('state') ?? '')
    await expectRefused(server, known, await finish(mine, stolen))
    const form = known.provider.requests.findLast(({ path }) => path === '/token')?.form
    const verifier = form?.get('code_verifier') ?? ''
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(verifier))
    expect(Buffer.from(digest).toString('base64url')).toBe(wanted.get('code_challenge'))
  })

  test('that brings an error, whatever it says', async () => {
    const known = await openHostileOrg(server)
    const browser = server.visitor()
    const back = await begin(known, browser)
    back.searchParams.delete('code')
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', '<script>alert(1)</script>')
    const answer = await finish(browser, back)
    await expectRefused(server, known, answer)
    expect(answer.text).not.toContain('script')
  })

  test('in a browser, with a redirect to the sign-in page and the problem', async () => {
    const known = await openHostileOrg(server)
    const answer = await server.call('GET', '/auth/sso/oidc/callback', {
      query: { state: 'x'.repeat(43), code: 'x' },
      headers: { accept: 'text/html,application/xhtml+xml' },
    })
    expect(answer).toMatchObject({ status: 302, headers: { location: '/app/sign-in?problem=sso_failed' } })
    expect(await sessionsOf(server, known.email)).toBe(0)
  })
})
