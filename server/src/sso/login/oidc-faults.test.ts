// Providers that are down, slow, too verbose or at a forbidden address.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CONTINUE, type HostileProvider, reply } from '@cowrie/testkit/fakes/sso/hostile-provider.ts'
import { signInThrough } from '@cowrie/testkit/fakes/sso/oidc.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { openHostileOrg } from '@cowrie/testkit/sso/hostile.ts'
import { MachineClock } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock: new MachineClock() })
})
afterAll(() => server.close())

const DISCOVERY = '/.well-known/openid-configuration'
const ADDRESSES = [DISCOVERY, '/token', '/jwks']

describe('a provider that', () => {
  const answers: [string, HostileProvider['overrides'] extends Map<string, infer H> ? H : never][] = [
    ['answers with an error', (_, response) => void response.writeHead(500).end('{}')],
    ['answers with nothing', (_, response) => void response.end()],
    ['answers with a page', (_, response) => void response.setHeader('content-type', 'text/html').end('<p>')],
    ['answers with half of it', (_, response) => void reply(response, '{"issuer": "ht')],
    ['answers with a list', (_, response) => reply(response, [])],
    ['answers with numbers', (_, response) => reply(response, { issuer: 1, keys: [1], id_token: 1 })],
    ['answers with null', (_, response) => reply(response, null)],
    ['answers with far too much', (_, response) => reply(response, { keys: ['x'.repeat(2 ** 21)] })],
    [
      'answers in a strange encoding',
      (_, response) => void response.setHeader('content-encoding', 'gzip').end('x'),
    ],
  ]
  const cases = answers.flatMap(([name, handle]) => ADDRESSES.map((path) => [name, path, handle] as const))

  test.for(cases)('%s at %s is a failed sign-in and not a server error', async ([, path, handle]) => {
    const { provider, email } = await openHostileOrg(server)
    provider.overrides.set(path, handle)
    const answer = await signInThrough(provider, server.visitor(), { email })
    expect(answer).toMatchObject({ status: 401, body: { code: 'sso_failed' } })
  })

  test.for(ADDRESSES)('breaks the connection at %s is reported as unreachable', async (path) => {
    const { provider, email } = await openHostileOrg(server)
    provider.overrides.set(path, (request) => void request.socket.destroy())
    const answer = await signInThrough(provider, server.visitor(), { email })
    expect(answer).toMatchObject({ status: 503, body: { code: 'sso_unreachable' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('does not reply times out after ten seconds', async () => {
    const { provider, email } = await openHostileOrg(server)
    provider.overrides.set(DISCOVERY, () => undefined)
    // Time runs a hundred times as fast here.
    const inRealTime = AbortSignal.timeout
    const given = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => inRealTime(ms / 100))
    onTestFinished(() => given.mockRestore())
    const answer = await server.call('GET', '/auth/sso/initiate', {
      query: { email },
      headers: { accept: 'text/html' },
    })
    expect(answer).toMatchObject({
      status: 302,
      headers: { location: '/app/sign-in?problem=sso_unreachable' },
    })
    expect(new Set(given.mock.calls.flat())).toEqual(new Set([10_000]))
  })

  test('needs the secret in the form gets it there, and later only there', async () => {
    const { provider, email } = await openHostileOrg(server)
    provider.metadata.token_endpoint_auth_methods_supported = ['client_secret_basic', 'client_secret_post']
    const heads: boolean[] = []
    provider.overrides.set('/token', (request, response) => {
      heads.push(request.headers.authorization !== undefined)
      if (!request.headers.authorization) return CONTINUE
      response.statusCode = 401
      return reply(response, { error: 'invalid_client' })
    })
    for (let time = 0; time < 2; time++)
      expect((await signInThrough(provider, server.visitor(), { email })).headers.location).toBe('/app')
    expect(heads).toEqual([true, false, false])
    expect(provider.requests.findLast(({ path }) => path === '/token')?.form.get('client_secret')).toBe(
      'shared',
    )
  })

  test('needs the secret in the form accepts two concurrent sign-ins', async () => {
    const { provider, email } = await openHostileOrg(server)
    provider.metadata.token_endpoint_auth_methods_supported = ['client_secret_basic', 'client_secret_post']
    const both = Promise.withResolvers<void>()
    let refused = 0
    provider.overrides.set('/token', async (request, response) => {
      if (!request.headers.authorization) return CONTINUE
      if (++refused === 2) both.resolve()
      await both.promise
      response.statusCode = 401
      return reply(response, { error: 'invalid_client' })
    })
    const signIn = () => signInThrough(provider, server.visitor(), { email })
    const replies = await Promise.all([signIn(), signIn()])
    expect(replies.map(({ headers }) => headers.location)).toEqual(['/app', '/app'])
  })

  test('refused every authentication method gets all of them again', async () => {
    const { provider, email } = await openHostileOrg(server)
    provider.metadata.token_endpoint_auth_methods_supported = ['client_secret_basic', 'client_secret_post']
    let knowsUs = false
    provider.overrides.set('/token', (request, response) => {
      if (knowsUs && request.headers.authorization) return CONTINUE
      response.statusCode = 401
      return reply(response, { error: 'invalid_client' })
    })
    expect((await signInThrough(provider, server.visitor(), { email })).status).toBe(401)
    knowsUs = true
    expect((await signInThrough(provider, server.visitor(), { email })).headers.location).toBe('/app')
  })

  test.for([
    ['invalid_client', 2],
    ['invalid_grant', 1],
  ] as const)('refuses with %s gets %i requests', async ([error, times]) => {
    const { provider, email } = await openHostileOrg(server)
    provider.metadata.token_endpoint_auth_methods_supported = ['client_secret_basic', 'client_secret_post']
    provider.overrides.set('/token', (_, response) => {
      response.statusCode = error === 'invalid_client' ? 401 : 400
      reply(response, { error })
    })
    expect((await signInThrough(provider, server.visitor(), { email })).status).toBe(401)
    expect(provider.requests.filter(({ path }) => path === '/token')).toHaveLength(times)
  })

  test('is back gets a new request at once', async () => {
    const { provider, email } = await openHostileOrg(server)
    provider.overrides.set(DISCOVERY, (request) => void request.socket.destroy())
    expect((await signInThrough(provider, server.visitor(), { email })).status).toBe(503)
    provider.overrides.delete(DISCOVERY)
    expect((await signInThrough(provider, server.visitor(), { email })).headers.location).toBe('/app')
  })

  test.for(ADDRESSES)('redirects from %s is not followed', async (path) => {
    const { provider, email } = await openHostileOrg(server)
    let visits = 0
    const elsewhere = createServer((_, response) => {
      visits++
      reply(response, {})
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void elsewhere.close())
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
    provider.overrides.set(path, (_, response) => void response.writeHead(302, { location }).end())
    const answer = await signInThrough(provider, server.visitor(), { email })
    expect(answer).toMatchObject({ status: 401, body: { code: 'sso_failed' } })
    expect(visits).toBe(0)
  })

  test.for([
    ['token_endpoint', 'http://169.254.169.254/latest/meta-data'],
    ['token_endpoint', 'http://10.0.0.1/token'],
    ['jwks_uri', 'https://[fd00:ec2::254]/jwks'],
    ['jwks_uri', 'file:///etc/passwd'],
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['authorization_endpoint', 'http://idp.example.com/authorize'],
    ['issuer', 'https://idp.example.com'],
  ])('names %s as %s is not believed', async ([name = '', value]) => {
    const { provider, email } = await openHostileOrg(server)
    provider.metadata[name] = value
    const answer = await signInThrough(provider, server.visitor(), { email })
    expect(answer).toMatchObject({ status: 401, body: { code: 'sso_failed' } })
  })

  test('has a non-normalised key URL gets one request for it', async () => {
    const { provider, email } = await openHostileOrg(server)
    provider.metadata.jwks_uri = `${provider.issuer}/x/../jwks`
    for (let time = 0; time < 2; time++)
      expect((await signInThrough(provider, server.visitor(), { email })).headers.location).toBe('/app')
    expect(provider.requests.filter(({ path }) => path === '/jwks')).toHaveLength(1)
  })

  test('gets one discovery request in ten minutes, and one after a change', async () => {
    const { provider, email, orgId, operator } = await openHostileOrg(server)
    const timesAsked = () => provider.requests.filter(({ path }) => path === DISCOVERY).length
    await signInThrough(provider, server.visitor(), { email })
    await signInThrough(provider, server.visitor(), { email })
    expect(timesAsked()).toBe(1)
    await server.call('PATCH', `/orgs/${orgId}/sso`, { as: operator, body: { clientSecret: 'new' } })
    await signInThrough(provider, server.visitor(), { email })
    expect(timesAsked()).toBe(2)
    server.clock.advance({ minutes: 10, seconds: 1 })
    await server.call('GET', '/auth/sso/initiate', { query: { email } })
    server.clock.advance({ minutes: -10, seconds: -1 })
    expect(timesAsked()).toBe(3)
  })
})
