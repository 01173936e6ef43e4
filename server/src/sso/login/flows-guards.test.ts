import { startTestServer } from '@cowrie/testkit/harness/harness.ts'
import { RSA_2048 } from '@cowrie/testkit/sso/certificates.ts'
import { openSsoOrg } from '@cowrie/testkit/sso/sso.ts'
import { expect, onTestFinished, test } from 'vitest'
import { enqueue } from '../../platform/jobs/jobs.ts'

test.for([
  ['https://cowrie.test', 'and for encrypted connections alone'],
  ['http://cowrie.test', 'also where there are none'],
] as const)(
  'at %s the cookie of a sign-in is for its own paths, out of reach of scripts and other sites, %s',
  async ([origin]) => {
    const server = await startTestServer({ variables: { SERVICE_BASE_URL: origin } })
    onTestFinished(() => server.close())
    const { orgId } = await openSsoOrg(server, {
      connection: {
        type: 'saml',
        entityId: 'https://idp.example.com',
        ssoUrl: 'https://idp.example.com/sso',
        certificate: RSA_2048,
      },
    })
    const { status, headers } = await server.call('GET', '/auth/sso/initiate', { query: { orgId } })
    expect(status).toBe(302)
    const secure = origin.startsWith('https:') ? '; Secure' : ''
    expect([headers['set-cookie']].flat().join()).toMatch(
      new RegExp(`^service_sso=[\\w-]{43}; Path=/auth/sso; HttpOnly; SameSite=Lax${secure}; Max-Age=600$`),
    )
  },
)

test('an open flow is not deleted until an hour after it expired', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { orgId } = await openSsoOrg(server, {
    connection: {
      type: 'saml',
      entityId: 'https://idp.example.com',
      ssoUrl: 'https://idp.example.com/sso',
      certificate: RSA_2048,
    },
  })
  await server.call('GET', '/auth/sso/initiate', { query: { orgId } })
  const sweep = async () => {
    await server.app.db.tx('platform', (tx) => enqueue(tx, 'sso.sweepFlows', {}))
    await server.app.jobs.drain()
    return (await server.sql.rows`select key_hash from sso_flows`).length
  }
  server.clock.advance({ minutes: 9 })
  expect(await sweep()).toBe(1)
  server.clock.advance({ minutes: 62 })
  expect(await sweep()).toBe(0)
})
