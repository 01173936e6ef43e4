// Attacks by an impostor.

import {
  makeKeys,
  type SamlForm,
  type SamlProvider,
  type SamlResponseOptions,
  startSamlProvider,
} from '@cowrie/testkit/fakes/sso/saml-provider.ts'
import type { Reply, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { INTRUDER, VICTIM, WRAPPINGS } from '@cowrie/testkit/sso/saml-forgeries.ts'
import {
  asForm,
  cookiesOf,
  openSamlWorld,
  opensSession,
  post,
  postFromElsewhere,
  type SamlWorld,
} from '@cowrie/testkit/sso/saml-world.ts'
import { roleOf } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const strangers = makeKeys()
let world: SamlWorld
let server: TestServer
let replica: TestServer
let provider: SamlProvider

beforeAll(async () => {
  world = await openSamlWorld()
  ;({ server, replica, provider } = world)
})
afterAll(() => world.close())

const changed = (form: SamlForm, change: (xml: string) => string): SamlForm => ({
  ...form,
  SAMLResponse: Buffer.from(change(Buffer.from(form.SAMLResponse, 'base64').toString())).toString('base64'),
})

function expectFailed(reply: Reply): void {
  expect(reply.status).toBe(401)
  expect(reply.body).toMatchObject({ code: 'sso_failed' })
  expect(opensSession(reply)).toBe(false)
}

describe('401', () => {
  test.for<[string, SamlResponseOptions]>([
    ['is not signed', { signAssertion: false }],
    ['is signed around the assertion only', { signAssertion: false, signResponse: true }],
    ['is signed with another key', { keys: strangers }],
    ['is signed with SHA-1', { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' }],
    ['is for another audience', { audience: 'https://elsewhere.example' }],
    ['is for another recipient', { recipient: 'https://elsewhere.example/acs' }],
    ['is meant for another address', { destination: 'https://elsewhere.example/acs' }],
    ['answers another request', { inResponseTo: `_${'x'.repeat(43)}` }],
    ['answers no request', { inResponseTo: '' }],
    ['comes from another provider', { issuer: 'https://elsewhere.example' }],
    ['has expired', { lifetimeInSeconds: -90 }],
    ['is encrypted', { encryptionCert: strangers.certificate, encryptionPublicKey: strangers.certificate }],
    ['says that the sign-in failed', { samlStatusCode: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed' }],
    ['is about an address of a domain that is not the organisation’s', { nameId: 'ada@elsewhere.example' }],
  ])('a response that %s opens nothing', async ([, responseOptions]) => {
    const { visitor, form } = await world.begin(responseOptions)
    expectFailed(await post(visitor, form))
    expect((await visitor.call('GET', '/me')).status).toBe(401)
  })

  test.for(Object.keys(WRAPPINGS))('%s', async (name) => {
    const { visitor, form } = await world.begin({ signResponse: /XSW[12]/.test(name) })
    expectFailed(await post(visitor, changed(form, WRAPPINGS[name] ?? String)))
    expect(await roleOf(server, world.org, INTRUDER)).toBeUndefined()
  })

  test.for<[string, (xml: string) => string]>([
    ['another name', (xml) => xml.replace(`>${VICTIM}<`, `>${INTRUDER}<`)],
    ['a comment in the name', (xml) => xml.replace(VICTIM, `${VICTIM}<!---->.evil.example`)],
    ['a comment in the digest', (xml) => xml.replace('<DigestValue>', '<DigestValue><!--x-->')],
    ['two SignedInfo', (xml) => xml.replace(/<SignedInfo>.*<\/SignedInfo>/s, '$&$&')],
    ['a document type', (xml) => `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(999)}">]>${xml}`],
  ])('a genuine response with %s put in opens nothing', async ([, change]) => {
    const { visitor, form } = await world.begin()
    expectFailed(await post(visitor, changed(form, change)))
  })

  test('an input that is not a response opens nothing', async () => {
    const { visitor, form } = await world.begin()
    for (const SAMLResponse of ['%%%', 'YQ==', Buffer.from('<a/>').toString('base64')])
      expectFailed(await post(visitor, { ...form, SAMLResponse }))
    expect((await post(visitor, form)).status).toBe(200)
  })

  test('before and after its validity, by the service clock', async () => {
    const early = await world.begin()
    server.clock.advance({ minutes: -2 })
    expectFailed(await post(early.visitor, early.form))
    server.clock.advance({ minutes: 2 })
    const late = await world.begin()
    server.clock.advance({ minutes: 6, seconds: 10 })
    expectFailed(await post(late.visitor, late.form))
    server.clock.advance({ minutes: -6, seconds: -10 })
  })

  test('a response works once on all replicas', async () => {
    const { visitor, form } = await world.begin()
    expect((await post(visitor, form)).status).toBe(200)
    for (const each of [server, replica]) {
      expectFailed(await post(visitor, form))
      expectFailed(
        await each.call('POST', '/auth/sso/saml/acs', asForm(form, { cookie: cookiesOf(visitor) })),
      )
    }
  })

  test('an assertion works once even if its request were open again', async () => {
    const { visitor, form } = await world.begin()
    expect((await post(visitor, form)).status).toBe(200)
    await server.sql.rows`update sso_flows set used_at = null`
    expectFailed(await post(visitor, form))
  })

  test('a ticket works once even if its request and its assertion were forgotten', async () => {
    const { visitor, form } = await world.begin()
    const { location = '' } = (await postFromElsewhere(server, form)).headers
    expect((await visitor.call('GET', location)).status).toBe(200)
    await server.sql.rows`update sso_flows set used_at = null`
    await server.sql.rows`delete from saml_assertions`
    expectFailed(await visitor.call('GET', location))
  })

  test('concurrent posts of a response on two replicas open one session', async () => {
    const { visitor, form } = await world.begin()
    const headers = { cookie: cookiesOf(visitor) }
    const replies = await Promise.all(
      [server, replica, server, replica, server, replica].map((each) =>
        each.call('POST', '/auth/sso/saml/acs', asForm(form, headers)),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401])
  })

  test('concurrent uses of a ticket on two replicas open one session', async () => {
    const { visitor, form } = await world.begin()
    const { location = '' } = (await postFromElsewhere(server, form)).headers
    const headers = { cookie: cookiesOf(visitor) }
    const replies = await Promise.all(
      [server, replica, server, replica].map((each) => each.call('GET', location, { headers })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })

  test('a ticket fails in another browser and stays valid for its own', async () => {
    const { visitor, form } = await world.begin()
    const { location = '' } = (await postFromElsewhere(server, form)).headers
    expectFailed(await server.call('GET', location))
    expectFailed(await (await world.begin()).visitor.call('GET', location))
    expect((await visitor.call('GET', location)).status).toBe(200)
    expectFailed(await visitor.call('GET', location))
  })

  test('a ticket lasts two minutes, and only as it was given', async () => {
    const { visitor, form } = await world.begin()
    const { location = '' } = (await postFromElsewhere(server, form)).headers
    expectFailed(await visitor.call('GET', location.slice(0, -1)))
    server.clock.advance({ minutes: 2 })
    expectFailed(await visitor.call('GET', location))
    server.clock.advance({ minutes: -2 })
  })

  test('the response for one user fails in the browser of another', async () => {
    const { form } = await world.begin()
    const stranger = await world.begin()
    expectFailed(await post(stranger.visitor, form))
  })

  test('one provider cannot answer the request to another', async () => {
    const strange = await startSamlProvider({ nameId: VICTIM })
    onTestFinished(() => strange.close())
    await world.team('strange.example', strange)
    const { visitor } = await world.begin()
    const asked = provider.requests.at(-1)?.id ?? ''
    strange.responseOptions = { nameId: VICTIM, inResponseTo: asked, issuer: provider.entityId }
    const sent = await visitor.call('GET', '/auth/sso/initiate', { query: { orgId: world.org } })
    const form = await strange.visit((sent.headers.location ?? '').replace(provider.ssoUrl, strange.ssoUrl))
    expectFailed(await post(visitor, form))
  })

  test('a connection that was disabled meanwhile refuses the sign-in', async () => {
    const { visitor, form } = await world.begin()
    const { location = '' } = (await postFromElsewhere(server, form)).headers
    await server.sql.rows`update sso_connections set enabled = false where org_id = ${world.org}`
    expectFailed(await visitor.call('GET', location))
    expectFailed(await post(visitor, form))
    await server.sql.rows`update sso_connections set enabled = true where org_id = ${world.org}`
    expect((await post(visitor, form)).status).toBe(200)
  })

  test('the log has the reason, the reply does not', async () => {
    const { visitor, form } = await world.begin({ audience: 'https://elsewhere.example' })
    const { text } = await post(visitor, form)
    expect(text).not.toContain('audience')
    expect(server.logged.some((line) => line.includes('audience'))).toBe(true)
  })
})
