import type { SamlProvider } from '@cowrie/testkit/fakes/sso/saml-provider.ts'
import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { signedAnew, VICTIM } from '@cowrie/testkit/sso/saml-forgeries.ts'
import {
  browse,
  openSamlWorld,
  opensSession,
  post,
  postFromElsewhere,
  type SamlWorld,
} from '@cowrie/testkit/sso/saml-world.ts'
import { roleOf } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enqueue } from '../../platform/jobs/jobs.ts'

let world: SamlWorld
let server: TestServer
let replica: TestServer
let provider: SamlProvider

beforeAll(async () => {
  world = await openSamlWorld()
  ;({ server, replica, provider } = world)
})
afterAll(() => world.close())

describe('302', () => {
  test('a browser starts with an authentication request for this connection', async () => {
    await world.begin()
    expect(provider.requests.at(-1)).toMatchObject({
      issuer: 'http://cowrie.test/auth/sso/saml/metadata',
      assertionConsumerServiceURL: 'http://cowrie.test/auth/sso/saml/acs',
      destination: provider.ssoUrl,
    })
    expect(provider.requests.at(-1)?.forceAuthn).toBeUndefined()
    expect(provider.requests.at(-1)?.id).not.toBe(provider.requests.at(-2)?.id)
  })

  test('a browser posts without cookies, then gets its session with them and opens the app', async () => {
    const nameId = 'grace@example.com'
    const { visitor, form } = await world.begin(
      { nameId, attributes: { displayName: 'Grace H.' } },
      { next: '/app/runs?page=2' },
    )
    const received = await postFromElsewhere(server, form)
    expect(received.status).toBe(302)
    expect(received.headers.location).toMatch(/^\/auth\/sso\/saml\/finish\?ticket=[\w-]{43}$/)
    expect(received.headers['set-cookie']).toBeUndefined()

    const arrived = await visitor.call('GET', received.headers.location ?? '', {
      headers: { accept: 'text/html' },
    })
    expect(arrived.status).toBe(302)
    expect(arrived.headers.location).toBe('/app/runs?page=2')
    const me = await visitor.call('GET', '/me')
    expect(me.body).toMatchObject({ email: nameId, orgId: world.org, role: 'member' })
  })

  test('another replica receives the response, and another ends the sign-in', async () => {
    const { visitor, form } = await world.begin({ nameId: 'joan@example.com' })
    const received = await postFromElsewhere(replica, form)
    const arrived = await browse(server, visitor, received.headers.location)
    expect(arrived.headers.location).toBe('/app')
    expect(opensSession(arrived)).toBe(true)
    const again = await browse(replica, visitor, received.headers.location)
    expect(again.headers.location).toBe('/app/sign-in?problem=sso_failed')
  })

  test('the RelayState of the provider page is ignored', async () => {
    const { visitor, form } = await world.begin()
    const received = await postFromElsewhere(server, { ...form, RelayState: 'https://evil.example/' })
    expect((await browse(server, visitor, received.headers.location)).headers.location).toBe('/app')
  })

  test('an external address in `next` is ignored', async () => {
    const { visitor, form } = await world.begin({}, { next: 'https://evil.example/' })
    const received = await postFromElsewhere(server, form)
    expect((await browse(server, visitor, received.headers.location)).headers.location).toBe('/app')
  })

  test('a browser whose sign-in failed sees a page with the problem', async () => {
    const { form } = await world.begin({ audience: 'https://elsewhere.example' })
    const received = await postFromElsewhere(server, form)
    expect(received.status).toBe(302)
    expect(received.headers.location).toBe('/app/sign-in?problem=sso_failed')
  })

  test('a browser sees when the organisation has no seat left', async () => {
    await server.sql.rows`update orgs set seat_allotment = 1 where id = ${world.org}`
    const { visitor, form } = await world.begin({ nameId: 'one-too-many@example.com' })
    const received = await postFromElsewhere(server, form)
    const arrived = await browse(server, visitor, received.headers.location)
    await server.sql.rows`update orgs set seat_allotment = 100 where id = ${world.org}`
    expect(arrived.headers.location).toBe('/app/sign-in?problem=seats_exceeded')
    expect(await roleOf(server, world.org, 'one-too-many@example.com')).toBeUndefined()
  })
})

test('an assertion from before a change of the connection is refused', async () => {
  const orgId = await world.team('changed.example')
  const operator = await server.person({ staff: 'operator' })
  const arrive = async (nameId: string, change?: object) => {
    const { visitor, form } = await world.begin({ nameId }, { orgId })
    const { location } = (await postFromElsewhere(server, form)).headers
    if (change)
      expect((await server.call('PATCH', `/orgs/${orgId}/sso`, { as: operator, body: change })).status).toBe(
        200,
      )
    return (await browse(server, visitor, location)).headers.location
  }
  expect(await arrive('ada@changed.example')).toBe('/app')
  const { certificate } = world.otherKeys
  expect(await arrive('bola@changed.example', { certificate })).toBe('/app/sign-in?problem=sso_failed')
  expect(await roleOf(server, orgId, 'bola@changed.example')).toBeUndefined()
})

describe('200', () => {
  test('a program that kept its cookies is signed in by the response itself', async () => {
    const { visitor, form } = await world.begin()
    const reply = await post(visitor, form)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ ok: true, orgId: world.org })
    expect(await roleOf(server, world.org, VICTIM)).toBe('member')
    expect((await visitor.call('GET', '/me')).body).toMatchObject({
      userId: reply.body.userId,
      email: VICTIM,
    })
  })

  test('a returning user keeps the account and gets the role of the current groups', async () => {
    const orgId = await world.team('groups.example', provider, { Chiefs: 'admin', Crew: 'member' })
    const nameId = 'lin@groups.example'
    const signIn = async (groups: string[]) => {
      const { visitor, form } = await world.begin({ nameId, attributes: { groups } }, { orgId })
      return (await post(visitor, form)).body.userId
    }
    const first = await signIn(['Crew'])
    expect(await roleOf(server, orgId, nameId)).toBe('member')
    expect(await signIn(['Crew', 'Chiefs'])).toBe(first)
    expect(await roleOf(server, orgId, nameId)).toBe('admin')
    await signIn([])
    expect(await roleOf(server, orgId, nameId)).toBe('member')
  })

  test('an assertion without a realistic end is accepted', async () => {
    const { visitor, form } = await world.begin({ nameId: 'eternal@example.com' })
    const forEver = (assertion: string) =>
      assertion.replaceAll(/ NotOnOrAfter="[^"]*"/g, ' NotOnOrAfter="9999-12-31T23:59:59.9999999Z"')
    const xml = signedAnew(Buffer.from(form.SAMLResponse, 'base64').toString(), forEver, provider.keys)
    expect(xml).toContain('9999-12-31')
    const endless = { ...form, SAMLResponse: Buffer.from(xml).toString('base64') }
    expect((await post(visitor, endless)).status).toBe(200)
    expect((await post(visitor, endless)).status).toBe(401)
  })

  test('either certificate of the connection is accepted', async () => {
    const { visitor, form } = await world.begin({ keys: world.otherKeys })
    expect((await post(visitor, form)).status).toBe(200)
  })

  test('the metadata contains the entity id and the response URL', async () => {
    const reply = await server.call('GET', '/auth/sso/saml/metadata')
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toMatch(/^application\/samlmetadata\+xml/)
    expect(reply.text).toContain('entityID="http://cowrie.test/auth/sso/saml/metadata"')
    expect(reply.text).toContain('WantAssertionsSigned="true"')
    expect(reply.text).toMatch(
      /<AssertionConsumerService[^>]*HTTP-POST"[^>]*http:\/\/cowrie\.test\/auth\/sso\/saml\/acs"/,
    )
    expect((await server.call('GET', '/auth/sso/saml/metadata')).text).toBe(reply.text)
  })
})

describe('400', () => {
  test.for<[string, string]>([
    ['no response', 'RelayState=x'],
    ['two responses', 'SAMLResponse=YQ%3D%3D&SAMLResponse=Yg%3D%3D'],
    ['an endless RelayState', `SAMLResponse=YQ%3D%3D&RelayState=${'x'.repeat(201)}`],
  ])('a form with %s is refused', async ([, raw]) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await server.call('POST', '/auth/sso/saml/acs', { raw, headers })).status).toBe(400)
  })
})

describe('413', () => {
  test('a form of 300 KiB is not read', async () => {
    const raw = `SAMLResponse=${'A'.repeat(300 * 1024)}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await server.call('POST', '/auth/sso/saml/acs', { raw, headers })).status).toBe(413)
  })
})

test('expired tickets and assertions are deleted, valid ones stay', async () => {
  const counts = async () => {
    const [row] = await server.sql.rows<{ tickets: bigint; assertions: bigint }>`
      select (select count(*) from saml_tickets) as tickets, (select count(*) from saml_assertions) as assertions`
    return [Number(row?.tickets), Number(row?.assertions)]
  }
  const { visitor, form } = await world.begin()
  await postFromElsewhere(server, form)
  expect((await post(visitor, form)).status).toBe(200)
  const [tickets = 0, assertions = 0] = await counts()
  expect(Math.min(tickets, assertions)).toBeGreaterThan(0)
  await sweep()
  expect(await counts()).toEqual([tickets, assertions])
  server.clock.advance({ hours: 26 })
  await sweep()
  server.clock.advance({ hours: -26 })
  expect(await counts()).toEqual([0, 0])
})

async function sweep(): Promise<void> {
  for (const kind of ['sso.sweepTickets', 'sso.sweepAssertions'])
    await server.app.db.tx('platform', (tx) => enqueue(tx, kind, {}))
  await server.app.jobs.drain()
}
