// A policy applies from the next request: with a session, with an API key, and on another replica.

import { type FakeUpstream, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { signInThrough, startOidc } from '@cowrie/testkit/fakes/sso/oidc.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { createPasswordUser, login } from '@cowrie/testkit/sign-in/password-users.ts'
import { MachineClock, openSsoOrg, roleOf } from '@cowrie/testkit/sso/sso.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'

type ReplyBody = { lane?: string; model?: string; iterations?: number; code?: string }

let upstream: FakeUpstream
let server: TestServer
let replica: TestServer
let operator: Person
let ada: Person
/** Each kind of credentials. */
let ways: (() => { on: TestServer; as: { bearer: string } })[]
let key: { bearer: string }

beforeAll(async () => {
  upstream = await startFakeUpstream()
  const variables = {
    SERVICE_UPSTREAM_BASE_URL: upstream.url,
    SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
    SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
  }
  // The tokens of the identity provider contain the real time.
  server = await startTestServer({ variables, clock: new MachineClock() })
  replica = await startTestServer({ variables, url: server.url, clock: server.clock })
  operator = await server.person({ staff: 'operator' })
  ways = [server, replica].flatMap((on) => [() => ({ on, as: ada }), () => ({ on, as: key })])
})
beforeEach(async () => {
  ada = await server.person()
  key = await server.key(ada, ['agent:run'])
  await giveCredit(server, ada.orgId, 10_000_000n)
})
afterAll(async () => {
  await replica.close()
  await server.close()
  await upstream.close()
})

const decide = (body: object, orgId: string = ada.orgId) =>
  server.call('PUT', `/orgs/${orgId}/policy`, { as: operator, body })

/** The reply to each kind of credentials after a policy change. */
async function repliesTo(path: string, body: object): Promise<ReplyBody[]> {
  const replies = await Promise.all(
    ways.map((way) => way()).map(({ on, as }) => on.call<ReplyBody>('POST', path, { as, body })),
  )
  return replies.map((reply) => reply.body)
}
const each = (expected: object) => ways.map(() => expect.objectContaining(expected))
const HARD = { prompt: 'Refactor it.', frontier: true }

test('removed lanes are not used, and requests for them use the open lane', async () => {
  expect(await repliesTo('/agent/quote', HARD)).toEqual(each({ lane: 'frontier', model: 'big-1' }))
  await decide({ allowedLanes: ['open'] })
  expect(await repliesTo('/agent/quote', HARD)).toEqual(each({ lane: 'open', model: 'small-1' }))
  upstream.script({ text: 'Done.' })
  const run = await replica.call<ReplyBody>('POST', '/agent/run', { as: key, body: HARD })
  expect([run.status, run.body.lane, run.body.model]).toEqual([200, 'open', 'small-1'])
  expect(upstream.requests.map(({ body }) => body.model)).toEqual(['small-1'])
  expect((await replica.call('GET', '/me', { as: key })).body.orgPolicy).toEqual({
    ...{ tier: 'individual', allowedLanes: ['open'], residencyRegion: null },
  })
  await decide({ allowedLanes: ['open', 'frontier'] })
  expect(await repliesTo('/agent/quote', HARD)).toEqual(each({ lane: 'frontier' }))
})

test('models that the policy does not list are refused, until the list is removed', async () => {
  const ask = async () => {
    const body = { model: 'open', messages: [{ role: 'user', content: 'Hello' }] }
    upstream.fallback(() => ({ text: 'Hello.' }))
    const replies = ways
      .map((way) => way())
      .map(({ on, as }) => on.call('POST', '/v1/chat/completions', { as, body }))
    return (await Promise.all(replies)).map(({ status }) => status)
  }
  await decide({ allowedModels: ['claude-*'] })
  expect(await ask()).toEqual([403, 403, 403, 403])
  expect(await repliesTo('/agent/quote', HARD)).toEqual(each({ code: 'model_not_allowed' }))
  await decide({ allowedModels: ['claude-*', 'op*'] })
  // The frontier lane is not in the list: as with lanes, such work uses the open lane.
  expect(await repliesTo('/agent/quote', HARD)).toEqual(each({ lane: 'open' }))
  expect(await ask()).toEqual([200, 200, 200, 200])
  await decide({ allowedModels: null })
  expect(await ask()).toEqual([200, 200, 200, 200])
  upstream.reset()
})

test('the tier limits agent loops', async () => {
  const loop = { prompt: 'Refactor it.', maxIters: 8 }
  expect(await repliesTo('/agent/quote', loop)).toEqual(each({ iterations: 3 }))
  await decide({ tier: 'enterprise' })
  expect(await repliesTo('/agent/quote', loop)).toEqual(each({ iterations: 6 }))
  await decide({ tier: 'individual' })
  expect(await repliesTo('/agent/quote', loop)).toEqual(each({ iterations: 3 }))
})

test('a region refuses all work until a model is approved, and then uses only that model', async () => {
  upstream.reset()
  await decide({ residencyRegion: 'ng' })
  expect(await repliesTo('/agent/run', HARD)).toEqual(each({ code: 'residency_blocked' }))
  const thread = await server.call<{ id: string }>('POST', '/chat/threads', { as: ada, body: {} })
  const chat = await server.call('POST', `/chat/threads/${thread.body.id}/messages`, {
    as: ada,
    body: { prompt: 'Hello' },
  })
  const door = await server.call('POST', '/v1/chat/completions', {
    as: key,
    body: { model: 'open', messages: [{ role: 'user', content: 'Hello' }] },
  })
  expect([chat.status, door.status]).toEqual([451, 451])
  expect(upstream.requests).toEqual([])

  const set = await clearModel('cleared-1')
  expect(set).toBe(200)
  await replica.app.settings.refresh()
  expect(await repliesTo('/agent/quote', HARD)).toEqual(each({ lane: 'open', model: 'cleared-1' }))
  await decide({ residencyRegion: null })
  expect(await repliesTo('/agent/quote', HARD)).toEqual(each({ lane: 'frontier' }))
})

async function clearModel(model: string): Promise<number> {
  const root = await server.person({ staff: 'super_admin' })
  const reply = await server.call('PUT', '/admin/settings/upstream_open_noprc_model', {
    as: root,
    body: { value: model },
  })
  return reply.status
}

describe('required single sign-on', () => {
  test('ends sessions and password sign-in immediately and keeps API keys', async () => {
    const { email, orgId, userId } = await createPasswordUser(server)
    const [here, there] = [server.visitor(), replica.visitor()]
    for (const browser of [here, there]) await browser.call('POST', '/auth/dev-login', { body: { email } })
    const own = await server.key({ userId, orgId, email, bearer: '' }, ['agent:run'])
    const seen = async () => [
      (await here.call('GET', '/me')).status,
      (await there.call('GET', '/me')).status,
      (await replica.call('GET', '/me', { as: own })).status,
    ]
    expect(await seen()).toEqual([200, 200, 200])
    await decide({ ssoRequired: true }, orgId)
    expect(await seen()).toEqual([403, 403, 200])
    const refusals = [await there.call('GET', '/me'), await login(replica.visitor(), email)]
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ status: 403, body: { code: 'sso_required' } })
    await decide({ ssoRequired: false }, orgId)
    expect(await seen()).toEqual([200, 200, 200])
  })
})

test('group roles apply from the next sign-in', async () => {
  const provider = await startOidc()
  const domain = `${newId('dom').replace('_', '-')}.test`
  const email = `ada@${domain}`
  provider.person = { sub: 'ada', email, email_verified: true, name: 'Ada', groups: ['leads'] }
  const connection = { type: 'oidc', issuer: provider.issuer, ...provider.client }
  const { orgId } = await openSsoOrg(server, { connection, domains: [domain] })
  const roleAfterSignIn = async () => {
    await signInThrough(provider, replica.visitor(), { email })
    return roleOf(server, orgId, email)
  }
  expect(await roleAfterSignIn()).toBe('member')
  await decide({ groupRoleMap: { leads: 'admin' } }, orgId)
  expect(await roleOf(server, orgId, email)).toBe('member')
  expect(await roleAfterSignIn()).toBe('admin')
  await decide({ groupRoleMap: { others: 'admin' } }, orgId)
  expect(await roleAfterSignIn()).toBe('member')
})
