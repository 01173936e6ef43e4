import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { type AuthenticatorOverrides, SoftAuthenticator } from '@cowrie/testkit/sign-in/authenticator.ts'
import {
  actionsOf,
  mailsTo,
  type SignedInUser,
  signInNewUser,
} from '@cowrie/testkit/sign-in/second-factor.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

type Passkey = { id: string; name: string; createdAt: string; lastUsedAt: string | null; backedUp: boolean }
type Options = {
  challenge: string
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  excludeCredentials: { id: string }[]
  authenticatorSelection: object
  attestation: string
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ schedules: ['signIn'] })
})
afterAll(() => server.close())

const optionsFor = async ({ browser }: SignedInUser) =>
  (await browser.call<Options>('POST', '/auth/passkeys/options')).body
const send = ({ browser }: SignedInUser, response: object, name = 'Laptop') =>
  browser.call<{ passkey: Passkey; code?: string }>('POST', '/auth/passkeys', { body: { name, response } })
const add = async (
  person: SignedInUser,
  twist: AuthenticatorOverrides = {},
  authenticator = new SoftAuthenticator(),
) => send(person, authenticator.create(await optionsFor(person), twist))
const list = async ({ browser }: SignedInUser) =>
  (await browser.call<{ passkeys: Passkey[] }>('GET', '/auth/passkeys')).body.passkeys

describe('POST /auth/passkeys/options 200', () => {
  test('asks for a passkey that needs no name and checks the person', async () => {
    const person = await signInNewUser(server)
    const { challenge, ...options } = await optionsFor(person)
    expect(challenge).toMatch(/^[\w-]{43}$/)
    expect(options).toMatchObject({
      rp: { id: 'cowrie.test', name: 'Cowrie' },
      user: { id: Buffer.from(person.userId).toString('base64url'), name: person.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    })
  })

  test('names the credentials that exist, so that none is made twice', async () => {
    const person = await signInNewUser(server)
    const authenticator = new SoftAuthenticator()
    await add(person, {}, authenticator)
    expect((await optionsFor(person)).excludeCredentials).toEqual([
      {
        id: authenticator.credentialId.toString('base64url'),
        type: 'public-key',
        transports: ['internal', 'hybrid'],
      },
    ])
  })

  test('the challenge is kept as a hash alone', async () => {
    const { challenge } = await optionsFor(await signInNewUser(server))
    const rows = await server.sql.rows<{ hash: Uint8Array }>`select hash from passkey_challenges`
    const kept = rows.map(({ hash }) => Buffer.from(hash).toString('base64url'))
    expect(kept.length).toBeGreaterThan(0)
    expect(kept).not.toContain(challenge)
  })
})

describe('POST /auth/passkeys 201', () => {
  test('adds it, with a mail and an audit event', async () => {
    const person = await signInNewUser(server)
    const { status, body } = await add(person, { backedUp: true })
    expect(status).toBe(201)
    expect(body.passkey).toEqual({
      id: expect.stringMatching(/^pky_/),
      name: 'Laptop',
      createdAt: server.clock.now().toISOString(),
      lastUsedAt: null,
      backedUp: true,
    })
    expect(await list(person)).toEqual([body.passkey])
    expect((await person.browser.call('GET', '/auth/mfa')).body).toMatchObject({ passkeys: 1 })
    expect(await mailsTo(server, person.email)).toContain('A passkey was added to your Cowrie account')
    expect(await actionsOf(server, person)).toEqual(['auth.signIn', 'auth.passkeys.add'])
  })

  test('gives the session a new cookie, and a copy of the old one is worthless after a minute', async () => {
    const person = await signInNewUser(server)
    const before = person.browser.cookies.get('service_session') ?? ''
    await add(person)
    server.clock.advance({ minutes: 1 })
    const copy = await server.call('GET', '/me', { headers: { cookie: `service_session=${before}` } })
    expect(copy.status).toBe(401)
    expect((await person.browser.call('GET', '/me')).status).toBe(200)
  })
})

test('a mail about a passkey does not link its name and explains how to remove it', async () => {
  const person = await signInNewUser(server)
  const authenticator = new SoftAuthenticator()
  const { body } = await send(person, authenticator.create(await optionsFor(person)), 'evil.example/undo')
  await person.browser.call('DELETE', `/auth/passkeys/${body.passkey.id}`)
  await server.app.jobs.drain()
  const { text } = await server.call('GET', '/dev/outbox', { query: { to: person.email } })
  expect(text.match(/“evil example undo”/g)?.length).toBeGreaterThanOrEqual(2)
  expect(text).not.toContain('evil.example')
  expect(text).toContain('remove the passkeys and the GitHub account')
})

test('201: a passkey that vouches for itself, without a certificate, is as good as one that does not', async () => {
  expect((await add(await signInNewUser(server), { selfAttested: true })).status).toBe(201)
})

describe('POST /auth/passkeys 400', () => {
  const hostile: [why: string, AuthenticatorOverrides][] = [
    ['made for another website', { origin: 'https://evil.example' }],
    ['made for our host on another port', { origin: 'http://cowrie.test:8080' }],
    ['bound to another host', { host: 'evil.example' }],
    ['that answers a challenge we never gave', { challenge: 'A'.repeat(43) }],
    ['whose challenge is no challenge', { challenge: '' }],
    ['that was not to create but to sign in', { type: 'webauthn.get' }],
    ['without a check of the person', { userVerified: false }],
    ['without a person present', { userPresent: false }],
    ['that is cut off', { tamper: (bytes) => bytes.subarray(0, -20) }],
    ['that is no CBOR', { tamper: () => Buffer.from('{"fmt":"none"}') }],
    [
      'with a statement where there should be none',
      {
        attestation: { format: 'none', statement: new Map([['sig', 'x']]) },
      },
    ],
    [
      'with a signature that is not its own',
      {
        attestation: {
          format: 'packed',
          statement: new Map<string, unknown>([
            ['alg', -7],
            ['sig', Buffer.alloc(64)],
          ]),
        },
      },
    ],
    ['of an unknown format', { attestation: { format: 'made-up', statement: new Map() } }],
    ['without an id', { attestedId: Buffer.alloc(0) }],
    ['with another id than the browser names', { attestedId: Buffer.alloc(32) }],
    ['with a longer id than the standard allows', { attestedId: Buffer.alloc(1_024) }],
    ['with a larger key than any there is', { ballast: Buffer.alloc(2_048) }],
  ]
  test.for(hostile)('refuses one %s', async ([, twist]) => {
    const person = await signInNewUser(server)
    expect(await add(person, twist)).toMatchObject({ status: 400, body: { code: 'passkey_invalid' } })
    expect(await list(person)).toEqual([])
  })

  test.for(['packed', 'fido-u2f', 'apple', 'tpm', 'android-key', 'android-safetynet'])(
    'refuses certificates (%s) before it would follow an address in them',
    async (format) => {
      const person = await signInNewUser(server)
      const statement = new Map<string, unknown>([
        ['alg', -7],
        ['sig', Buffer.alloc(64)],
        ['x5c', [Buffer.alloc(300)]],
      ])
      expect((await add(person, { attestation: { format, statement } })).body.code).toBe('passkey_invalid')
      expect(server.logged.join('\n')).toContain(`an attestation of format ${format} was not asked for`)
    },
  )

  test('refuses a second use of the same challenge', async () => {
    const person = await signInNewUser(server)
    const options = await optionsFor(person)
    expect((await send(person, new SoftAuthenticator().create(options))).status).toBe(201)
    expect((await send(person, new SoftAuthenticator().create(options))).body.code).toBe('passkey_invalid')
    expect(await list(person)).toHaveLength(1)
  })

  test('refuses the challenge of another user, and one older than five minutes', async () => {
    const [person, other] = [await signInNewUser(server), await signInNewUser(server)]
    const theirs = await optionsFor(other)
    expect((await send(person, new SoftAuthenticator().create(theirs))).status).toBe(400)
    const late = await optionsFor(person)
    server.clock.advance({ minutes: 5 })
    expect((await send(person, new SoftAuthenticator().create(late))).status).toBe(400)
  })

  test('refuses a challenge that was given for signing in', async () => {
    const person = await signInNewUser(server)
    const { body } = await person.browser.call<{ challenge: string }>(
      'POST',
      '/auth/passkeys/sign-in/options',
    )
    const response = new SoftAuthenticator().create({ ...(await optionsFor(person)), ...body })
    expect((await send(person, response)).body.code).toBe('passkey_invalid')
  })

  test('refuses a credential that an account has already, whosever it is', async () => {
    const [person, other] = [await signInNewUser(server), await signInNewUser(server)]
    const authenticator = new SoftAuthenticator()
    expect((await add(other, {}, authenticator)).status).toBe(201)
    for (const each of [person, other])
      expect((await add(each, {}, authenticator)).body.code).toBe('passkey_invalid')
    expect(await list(person)).toEqual([])
  })

  test('says which field is wrong when the shape is', async () => {
    const person = await signInNewUser(server)
    const good = new SoftAuthenticator().create(await optionsFor(person))
    const wrong = [
      { name: '  ', response: good },
      { name: 'x'.repeat(101), response: good },
      { name: 'two\nlines', response: good },
      { name: 'x', response: { ...good, id: 'not base64url!' } },
      { name: 'x', response: { ...good, id: 'A'.repeat(1_365) } },
      { name: 'x', response: { ...good, type: 'password' } },
      {
        name: 'x',
        response: { ...good, response: { ...good.response, attestationObject: 'A'.repeat(16_385) } },
      },
      { name: 'x', response: { ...good, response: { ...good.response, transports: Array(11).fill('usb') } } },
      { name: 'x' },
    ]
    for (const body of wrong)
      expect((await person.browser.call('POST', '/auth/passkeys', { body })).body.code).toBe('invalid_fields')
  })
})

describe('POST /auth/passkeys 401', () => {
  test('needs a session, like every passkey route of the account', async () => {
    for (const [method, path] of [
      ['POST', '/auth/passkeys/options'],
      ['POST', '/auth/passkeys'],
      ['GET', '/auth/passkeys'],
      ['DELETE', '/auth/passkeys/pky_1'],
    ] as const)
      expect((await server.call(method, path)).status).toBe(401)
  })
})

describe('POST /auth/passkeys 409', () => {
  test('an account has at most twenty, also when the last are added at the same moment', async () => {
    const person = await signInNewUser(server)
    const attempts = await Promise.all(Array.from({ length: 22 }, () => optionsFor(person)))
    for (const options of attempts.slice(0, 18))
      expect((await send(person, new SoftAuthenticator().create(options))).status).toBe(201)
    // As the development bearer: a session would get a new cookie with the first of them.
    const replies = await Promise.all(
      attempts.slice(18).map((options) =>
        server.call('POST', '/auth/passkeys', {
          as: { bearer: person.userId },
          body: { name: 'one more', response: new SoftAuthenticator().create(options) },
        }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
    expect(await list(person)).toHaveLength(20)
    expect(await person.browser.call('POST', '/auth/passkeys/options')).toMatchObject({
      status: 409,
      body: { code: 'limit_reached' },
    })
  })
})

describe('DELETE /auth/passkeys/{id}', () => {
  test('200: removes it, with a mail and an audit event', async () => {
    const person = await signInNewUser(server)
    const { id } = (await add(person)).body.passkey
    const removed = await person.browser.call('DELETE', `/auth/passkeys/${id}`)
    expect(removed).toMatchObject({ status: 200, body: { ok: true } })
    expect(await list(person)).toEqual([])
    expect(await mailsTo(server, person.email)).toContain('A passkey was removed from your Cowrie account')
    expect(await actionsOf(server, person)).toContain('auth.passkeys.remove')
  })

  test('404 for a passkey of another user', async () => {
    const [person, other] = [await signInNewUser(server), await signInNewUser(server)]
    const { id } = (await add(other)).body.passkey
    for (const each of [id, 'pky_nothing', `pky_${'0'.repeat(26)}`])
      expect((await person.browser.call('DELETE', `/auth/passkeys/${each}`)).body.code).toBe('not_found')
    expect(await list(other)).toHaveLength(1)
    expect((await person.browser.call<{ passkeys: [] }>('GET', '/auth/passkeys')).body.passkeys).toEqual([])
  })
})
