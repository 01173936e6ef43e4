import { startTestServer, type TestServer, type Visitor } from '@cowrie/testkit/harness/harness.ts'
import { type AuthenticatorOverrides, SoftAuthenticator } from '@cowrie/testkit/sign-in/authenticator.ts'
import {
  codeOf,
  createMfaUser,
  type SignedInUser,
  signInNewUser,
} from '@cowrie/testkit/sign-in/second-factor.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Options = { challenge: string; user: { id: string } }
type Entered = { ok: boolean; userId: string; orgId: string; code?: string }
type Holder = SignedInUser & { authenticator: SoftAuthenticator }

let server: TestServer
let replica: TestServer
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

async function holder(person?: SignedInUser, twist: AuthenticatorOverrides = {}): Promise<Holder> {
  const owner = person ?? (await signInNewUser(server))
  const authenticator = new SoftAuthenticator()
  const { body } = await owner.browser.call<Options>('POST', '/auth/passkeys/options')
  await owner.browser.call('POST', '/auth/passkeys', {
    body: { name: 'Phone', response: authenticator.create(body, twist) },
  })
  return { ...owner, authenticator }
}

const ask = async (browser: Visitor) =>
  (await browser.call<Options>('POST', '/auth/passkeys/sign-in/options')).body
const send = (browser: Pick<Visitor, 'call'>, response: object) =>
  browser.call<Entered>('POST', '/auth/passkeys/sign-in', { body: { response } })
const signInWith = async (
  { authenticator }: Holder,
  twist: AuthenticatorOverrides = {},
  browser = server.visitor(),
) => send(browser, authenticator.get(await ask(browser), twist))
const refused = { status: 401, body: { code: 'passkey_refused' } }

describe('200', () => {
  test('the options ask for no name and for a check of the person', async () => {
    expect(await ask(server.visitor())).toMatchObject({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'cowrie.test',
      userVerification: 'required',
    })
  })

  test('opens a session and records the use', async () => {
    const person = await holder()
    server.clock.advance({ minutes: 1 })
    const browser = server.visitor()
    const reply = await signInWith(person, { backedUp: true }, browser)
    expect(reply.body).toEqual({ ok: true, userId: person.userId, orgId: person.orgId })
    expect((await browser.call('GET', '/me')).body).toMatchObject({ email: person.email })
    const { body } = await browser.call<{ passkeys: object[] }>('GET', '/auth/passkeys')
    expect(body.passkeys).toMatchObject([{ lastUsedAt: server.clock.now().toISOString(), backedUp: true }])
    const [entry] = await server.sql.rows<{ action: string; metadata: object }>`
      select action, metadata from audit_entries where org_id = ${person.orgId} order by seq desc limit 1`
    expect(entry).toMatchObject({ action: 'auth.signIn', metadata: { method: 'passkey' } })
  })

  test('replaces both steps of two-step sign-in', async () => {
    const protectedPerson = await createMfaUser(server)
    const person = await holder(protectedPerson)
    const browser = server.visitor()
    expect((await signInWith(person, {}, browser)).status).toBe(200)
    const disabled = await browser.call('POST', '/auth/mfa/disable', {
      body: { code: codeOf(server, protectedPerson.secret) },
    })
    expect(disabled.status).toBe(200)
  })

  test('works again and again with an authenticator that does not count', async () => {
    const person = await holder()
    for (let each = 0; each < 3; each++) expect((await signInWith(person, { counter: 0 })).status).toBe(200)
  })

  test('two windows of one browser may ask at the same time', async () => {
    const person = await holder()
    const browser = server.visitor()
    const [first, second] = [await ask(browser), await ask(browser)]
    expect((await send(browser, person.authenticator.get(first))).status).toBe(200)
    expect((await send(browser, person.authenticator.get(second))).status).toBe(200)
  })

  test('one answer at the same moment on two replicas opens one session', async () => {
    const person = await holder()
    const browser = server.visitor()
    const response = person.authenticator.get(await ask(browser), { counter: 0 })
    const cookie = `service_device=${browser.cookies.get('service_device')}`
    const replies = await Promise.all(
      [server, replica, server, replica].map((on) =>
        on.call('POST', '/auth/passkeys/sign-in', { body: { response }, headers: { cookie } }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })

  test('one counter at the same moment on two replicas opens one session', async () => {
    const person = await holder()
    const [here, there] = [server.visitor(), replica.visitor()]
    const responses = [
      person.authenticator.get(await ask(here), { counter: 7 }),
      person.authenticator.get(await ask(there), { counter: 7 }),
    ]
    const replies = await Promise.all([here, there].map((each, i) => send(each, responses[i] ?? {})))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
  })
})

describe('400', () => {
  test('says which field is wrong when the shape is', async () => {
    const person = await holder()
    const browser = server.visitor()
    const good = person.authenticator.get(await ask(browser))
    const wrong = [
      {},
      { ...good, id: '' },
      { ...good, rawId: 'with+plus' },
      { ...good, response: { ...good.response, signature: 'A'.repeat(2_049) } },
      { ...good, response: { ...good.response, authenticatorData: 'A'.repeat(2_049) } },
      { ...good, response: { ...good.response, clientDataJSON: 'A'.repeat(4_097) } },
      { ...good, response: { ...good.response, userHandle: undefined } },
      { ...good, response: { ...good.response, userHandle: 'A'.repeat(87) } },
    ]
    for (const response of wrong) expect((await send(browser, response)).body.code).toBe('invalid_fields')
    expect((await send(browser, good)).status).toBe(200)
  })
})

describe('401', () => {
  const stranger = new SoftAuthenticator()
  const hostile: [why: string, AuthenticatorOverrides][] = [
    ['for another website', { origin: 'https://evil.example' }],
    ['for a website that begins like ours', { origin: 'http://cowrie.test.evil.example' }],
    ['bound to another host', { host: 'evil.example' }],
    ['to a challenge we never gave', { challenge: 'A'.repeat(43) }],
    ['to something that is no challenge', { challenge: "' or 1=1" }],
    ['meant to create a passkey', { type: 'webauthn.create' }],
    ['given inside a frame of another website', { crossOrigin: true }],
    ['without a check of the person', { userVerified: false }],
    ['without a person present', { userPresent: false }],
    ['with the signature of another key', { signedBy: stranger.privateKey }],
    [
      'changed after it was signed',
      { tamper: (bytes) => Buffer.concat([bytes.subarray(0, 36), Buffer.from([9])]) },
    ],
    ['cut off', { tamper: (bytes) => bytes.subarray(0, 36) }],
    ['of an unknown credential', { credentialId: stranger.credentialId }],
    ['with the user handle of no account', { userHandle: 'AAAA' }],
  ]
  test.for(hostile)('an answer %s', async ([, twist]) => {
    const person = await holder()
    const browser = server.visitor()
    expect(await signInWith(person, twist, browser)).toMatchObject(refused)
    expect(browser.cookies.has('service_session')).toBe(false)
    // The same authenticator still works after the attempt.
    expect((await signInWith(person, {}, browser)).status).toBe(200)
  })

  test('a valid signature for the account of another user', async () => {
    const [attacker, victim] = [await holder(), await holder()]
    const victimHandle = Buffer.from(victim.userId).toString('base64url')
    expect(await signInWith(attacker, { userHandle: victimHandle })).toMatchObject(refused)
    expect(await signInWith(attacker, { credentialId: victim.authenticator.credentialId })).toMatchObject(
      refused,
    )
    const both = { userHandle: victimHandle, credentialId: victim.authenticator.credentialId }
    expect(await signInWith(attacker, both)).toMatchObject(refused)
  })

  test('the same answer again', async () => {
    const person = await holder()
    const browser = server.visitor()
    const response = person.authenticator.get(await ask(browser), { counter: 0 })
    expect((await send(browser, response)).status).toBe(200)
    expect(await send(browser, response)).toMatchObject(refused)
  })

  test('a challenge that was tried in vain before', async () => {
    const person = await holder()
    const browser = server.visitor()
    const options = await ask(browser)
    await send(browser, person.authenticator.get(options, { userVerified: false }))
    expect(await send(browser, person.authenticator.get(options))).toMatchObject(refused)
  })

  test('the answer that another browser was asked for', async () => {
    const person = await holder()
    const [asked, thief] = [server.visitor(), server.visitor()]
    const response = person.authenticator.get(await ask(asked))
    await ask(thief)
    expect(await send(thief, response)).toMatchObject(refused)
    expect(await send(server.visitor(), response)).toMatchObject(refused)
    expect((await send(asked, response)).status).toBe(200)
  })

  test('a challenge of more than five minutes, and one that was given to add a passkey', async () => {
    const person = await holder()
    const browser = server.visitor()
    const late = await ask(browser)
    server.clock.advance({ minutes: 5 })
    expect(await send(browser, person.authenticator.get(late))).toMatchObject(refused)
    const { body } = await person.browser.call<Options>('POST', '/auth/passkeys/options')
    expect(await send(person.browser, person.authenticator.get(body))).toMatchObject(refused)
  })

  test('a counter that does not increase, because the passkey may be cloned', async () => {
    const person = await holder()
    expect((await signInWith(person, { counter: 10 })).status).toBe(200)
    for (const counter of [10, 9, 0]) expect(await signInWith(person, { counter })).toMatchObject(refused)
    expect((await signInWith(person, { counter: 11 })).status).toBe(200)
  })

  test('a passkey that was removed', async () => {
    const person = await holder()
    const { body } = await person.browser.call<{ passkeys: { id: string }[] }>('GET', '/auth/passkeys')
    await person.browser.call('DELETE', `/auth/passkeys/${body.passkeys[0]?.id}`)
    expect(await signInWith(person)).toMatchObject(refused)
  })

  test('the error does not reveal whether the credential exists', async () => {
    const person = await holder()
    const known = await signInWith(person, { signedBy: stranger.privateKey })
    const unknown = await signInWith(person, { credentialId: stranger.credentialId })
    expect({ ...known.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
  })
})

describe('403', () => {
  test('an organisation that requires single sign-on is not opened', async () => {
    const person = await holder()
    await server.sql.rows`update orgs set sso_required = true where id = ${person.orgId}`
    expect(await signInWith(person)).toMatchObject({ status: 403, body: { code: 'sso_required' } })
  })
})

test('new challenges delete expired ones', async () => {
  for (let each = 0; each < 25; each++) await ask(server.visitor())
  server.clock.advance({ minutes: 6 })
  for (let each = 0; each < 10; each++) await ask(server.visitor())
  const { count } = await server.sql.one<{ count: number }>`
    select count(*)::int as count from passkey_challenges where expires_at < ${server.clock.now()}`
  expect(count).toBe(0)
})
