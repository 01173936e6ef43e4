// Staff manage the connection of an organisation.
import { generateKeyPairSync } from 'node:crypto'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { EC, ED25519, RSA_1024, RSA_2048, RSA_2048_NEXT } from '@cowrie/testkit/sso/certificates.ts'
import { actionsIn, MachineClock } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'

let server: TestServer
let production: TestServer
let operator: Person
beforeAll(async () => {
  server = await startTestServer({ clock: new MachineClock() })
  operator = await server.person({ staff: 'operator' })
})
afterAll(() => server.close())

const OIDC = {
  type: 'oidc',
  issuer: 'https://idp.example.com',
  clientId: 'cowrie',
  clientSecret: 'very secret',
}
const SAML = {
  type: 'saml',
  entityId: 'https://idp.example.com/saml',
  ssoUrl: 'https://idp.example.com/sso',
  certificate: RSA_2048,
}

/** The object id of the key type, with its last byte changed. */
function withUnknownKey(pem: string): string {
  const hex = Buffer.from(pem.replaceAll(/-----.*-----/g, ''), 'base64').toString('hex')
  const changed = hex.replace('06092a864886f70d010101', '06092a864886f70d01017f')
  expect(changed).not.toBe(hex)
  return Buffer.from(changed, 'hex').toString('base64')
}

async function newOrg() {
  const owner = await server.person({ type: 'team' })
  const call = (method: string, body?: unknown, path = '', as: Person = operator) =>
    server.call<{ connection: Record<string, unknown> }>(method, `/orgs/${owner.orgId}/sso${path}`, {
      as,
      body,
    })
  return { ...owner, call }
}

describe('200', () => {
  test('a connection is added, shown, changed and deleted, with an audit event each', async () => {
    const { orgId, call } = await newOrg()
    expect((await call('GET')).body).toEqual({ connection: null })
    const added = await call('POST', OIDC)
    expect(added.status).toBe(201)
    expect(added.body.connection).toMatchObject({
      type: 'oidc',
      enabled: true,
      issuer: OIDC.issuer,
      clientId: 'cowrie',
      hasClientSecret: true,
      entityId: null,
      certificate: null,
      redirectUri: 'http://cowrie.test/auth/sso/oidc/callback',
    })
    expect((await call('GET')).body).toEqual(added.body)
    const changed = await call('PATCH', { enabled: false, clientId: 'other' })
    expect(changed.body.connection).toMatchObject({
      enabled: false,
      clientId: 'other',
      hasClientSecret: true,
    })
    expect((await call('PATCH', { clientSecret: null })).body.connection).toMatchObject({
      hasClientSecret: false,
    })
    expect((await call('DELETE')).status).toBe(200)
    expect((await call('GET')).body).toEqual({ connection: null })
    expect(await actionsIn(server, orgId)).toEqual([
      'orgs.sso.add',
      'orgs.sso.change',
      'orgs.sso.change',
      'orgs.sso.remove',
    ])
    const kinds = await server.sql.rows`select distinct actor_kind from audit_entries where org_id = ${orgId}`
    expect(kinds).toEqual([{ actor_kind: 'operator' }])
  })

  test('a secret is never readable: not in replies, the audit log or the table', async () => {
    const { orgId, call } = await newOrg()
    const secret = newId('sec')
    const texts = [
      (await call('POST', { ...OIDC, clientSecret: secret })).text,
      (await call('GET')).text,
      (await call('PATCH', { clientSecret: `${secret}-2` })).text,
    ]
    const rows = await server.sql.rows`
      select c.client_secret, a.metadata from sso_connections c join audit_entries a on a.org_id = c.org_id
      where c.org_id = ${orgId}`
    expect(rows).toHaveLength(2)
    expect([...texts, JSON.stringify(rows), ...server.logged].join()).not.toContain(secret)
  })

  test('a SAML connection stores its certificates in normal form', async () => {
    const { call } = await newOrg()
    const bare = RSA_2048.replaceAll(/-----.*-----|\s/g, '')
    const added = await call('POST', { ...SAML, certificate: bare })
    expect(added.body.connection).toMatchObject({
      type: 'saml',
      issuer: null,
      certificate: RSA_2048,
      redirectUri: 'http://cowrie.test/auth/sso/saml/acs',
    })
    const two = await call('PATCH', { certificate: `${RSA_2048}\n${RSA_2048_NEXT}` })
    expect(two.body.connection.certificate).toBe(`${RSA_2048}${RSA_2048_NEXT}`)
  })

  test('unknown fields are ignored, in a new connection and in a change', async () => {
    const { call } = await newOrg()
    const unknown = { scopes: 'all', id: 'sso_mine', orgId: newId('org'), sealedSecret: 'x' }
    const added = await call('POST', { ...OIDC, ...unknown })
    expect(added.status).toBe(201)
    expect(added.body.connection).not.toMatchObject({ id: 'sso_mine' })
    const changed = await call('PATCH', { clientId: 'other', type: 'saml', ...unknown })
    expect(changed.status).toBe(200)
    expect(changed.body.connection).toEqual({
      ...added.body.connection,
      clientId: 'other',
      updatedAt: expect.any(String),
    })
  })

  test('all staff may look', async () => {
    const { call } = await newOrg()
    expect((await call('GET', undefined, '', await server.person({ staff: 'support' }))).status).toBe(200)
  })
})

describe('400', () => {
  test.for<[string, object]>([
    ['of a third type', { ...OIDC, type: 'ldap' }],
    ['without an issuer', { ...OIDC, issuer: undefined }],
  ])('a connection %s is refused', async ([, body]) => {
    const { call } = await newOrg()
    expect(await call('POST', body)).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
  })
})

describe('403', () => {
  test.for(['support', 'billing', 'compliance'] as const)('%s may not change anything', async (staff) => {
    const { call } = await newOrg()
    const person = await server.person({ staff })
    for (const [method, body, path] of [
      ['POST', OIDC, ''],
      ['PATCH', { enabled: false }, ''],
      ['DELETE', undefined, ''],
      ['POST', { domain: 'example.com' }, '/domains'],
      ['DELETE', undefined, '/domains/example.com'],
    ] as const)
      expect(await call(method, body, path, person)).toMatchObject({
        status: 403,
        body: { code: 'staff_only' },
      })
  })
})

describe('404', () => {
  test('an organisation or connection that is not there', async () => {
    const nowhere = (method: string, body?: unknown) =>
      server.call(method, `/orgs/${newId('org')}/sso`, { as: operator, body })
    expect((await nowhere('GET')).status).toBe(404)
    expect((await nowhere('POST', OIDC)).status).toBe(404)
    const { call } = await newOrg()
    expect((await call('PATCH', { enabled: false })).status).toBe(404)
    expect((await call('DELETE')).status).toBe(404)
    expect((await call('DELETE', undefined, '/domains/example.com')).status).toBe(404)
  })
})

describe('409', () => {
  test('an organisation has one connection, also when two are added at once', async () => {
    const { call } = await newOrg()
    const replies = await Promise.all([call('POST', OIDC), call('POST', SAML)])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
  })
})

describe('422', () => {
  test.for([
    'http://idp.example.com',
    'http://169.254.169.254',
    'https://169.254.169.254/latest',
    'https://10.0.0.8',
    'https://[::ffff:a9fe:a9fe]',
    'https://metadata.google.internal',
    'https://idp.example.com:22',
    'https://user:pass@idp.example.com',
    'https://idp.example.com?x=1',
    'https://idp.example.com/.well-known/openid-configuration',
    'javascript:alert(1)',
  ])('the issuer %s', async (issuer) => {
    const { call } = await newOrg()
    const fields = [{ path: 'issuer', message: expect.any(String) }]
    expect(await call('POST', { ...OIDC, issuer })).toMatchObject({
      status: 422,
      body: { code: 'invalid_connection', fields },
    })
    await call('POST', OIDC)
    expect(await call('PATCH', { issuer })).toMatchObject({ status: 422, body: { fields } })
  })

  test.for(['http://idp.example.com/sso', 'https://idp.example.com:22/sso', 'javascript:alert(1)', 'sso'])(
    'the SAML address %s',
    async (ssoUrl) => {
      const { call } = await newOrg()
      expect(await call('POST', { ...SAML, ssoUrl })).toMatchObject({
        status: 422,
        body: { fields: [{ path: 'ssoUrl' }] },
      })
    },
  )

  test.for<[string, string]>([
    ['no certificate', 'hello'],
    ['a key', generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    ['a certificate with a short key', RSA_1024],
    ['a certificate with a key SAML does not know', ED25519],
    ['a certificate with a key whose signatures are not verified here', EC],
    ['a certificate with an unsupported key type', withUnknownKey(RSA_2048)],
    ['a good and a bad one', `${RSA_2048}\n${RSA_1024}`],
    ['too many', RSA_2048.repeat(11)],
  ])('%s for a certificate', async ([, certificate]) => {
    const { call } = await newOrg()
    expect(await call('POST', { ...SAML, certificate })).toMatchObject({
      status: 422,
      body: { code: 'invalid_connection', fields: [{ path: 'certificate' }] },
    })
  })

  test('fields of the other type in a change', async () => {
    const { call } = await newOrg()
    await call('POST', OIDC)
    expect(await call('PATCH', { entityId: 'x', certificate: RSA_2048 })).toMatchObject({
      status: 422,
      body: { fields: [{ path: 'entityId' }, { path: 'certificate' }] },
    })
  })

  test('fields of the other type in a new one', async () => {
    const { call } = await newOrg()
    const fields = [{ path: 'entityId' }, { path: 'ssoUrl' }, { path: 'certificate' }]
    expect(await call('POST', { ...SAML, ...OIDC })).toMatchObject({
      status: 422,
      body: { code: 'invalid_connection', fields },
    })
    expect(await call('POST', { ...SAML, clientSecret: null })).toMatchObject({
      status: 422,
      body: { fields: [{ path: 'clientSecret' }] },
    })
    expect((await call('GET')).body).toEqual({ connection: null })
  })

  test('an issuer on this machine in production', async () => {
    production = await startTestServer({
      url: server.url,
      clock: server.clock,
      variables: {
        SERVICE_ENV: 'production',
        SERVICE_BASE_URL: 'https://cowrie.test',
        SERVICE_SMTP_URL: 'smtp://127.0.0.1:1',
        SERVICE_MAIL_FROM: 'a@cowrie.test',
        SERVICE_STAFF_SECOND_FACTOR: 'off',
      },
    })
    try {
      const { orgId } = await newOrg()
      const browser = server.visitor()
      await browser.call('POST', '/auth/dev-login', { body: { email: operator.email } })
      const cookie = `service_session=${browser.cookies.get('service_session')}`
      for (const issuer of ['http://127.0.0.1:3000', 'https://localhost', 'https://[::1]'])
        expect(
          await production.call('POST', `/orgs/${orgId}/sso`, {
            headers: { cookie, origin: 'https://cowrie.test' },
            body: { ...OIDC, issuer },
          }),
        ).toMatchObject({ status: 422, body: { code: 'invalid_connection' } })
    } finally {
      await production.close()
    }
  })
})
