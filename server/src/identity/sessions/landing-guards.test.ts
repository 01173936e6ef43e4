import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { present } from '../../kernel/assert.ts'
import { route } from '../../platform/http/route.ts'
import { ok, text } from '../../platform/http/shapes.ts'
import { signIn, userByEmail } from '../identity.ts'

/** A sign-in method without checks, to test the steps after it. */
const believing = route('test.enter', 'POST /test/enter', {
  summary: 'Enter.',
  access: 'none',
  rate: 'auth',
  body: z.object({ email: text(200) }),
  reply: { 200: ok },
  errors: ['sso_required'],
  handle: async ({ app, body, request }) => {
    await signIn(app, request, async (tx) => ({
      user: present(await userByEmail(tx, body.email), 'who enters has an account'),
      method: 'password',
    }))
    return { ok: true as const }
  },
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ modules: [{ name: 'test', routes: [believing] }] })
})
afterAll(() => server.close())

test('an organisation binds the addresses of its domain only while it requires single sign-on and its connection is enabled', async () => {
  const { orgId } = await server.person({ type: 'team' })
  const { email } = await server.person({ email: 'ada@lagoslabs.example' })
  const now = server.clock.now()
  await server.sql.rows`
    insert into sso_domains (org_id, domain, token, created_at, verified_at)
    values (${orgId}, 'lagoslabs.example', 't', ${now}, ${now})`
  await server.sql.rows`
    insert into sso_connections (id, org_id, type, enabled, issuer, client_id, created_at, updated_at)
    values ('sso_one', ${orgId}, 'oidc', true, 'https://idp.example.com', 'x', ${now}, ${now})`
  const statusWhen = async (isRequired: boolean, isEnabled: boolean) => {
    await server.sql.rows`update orgs set sso_required = ${isRequired} where id = ${orgId}`
    await server.sql.rows`update sso_connections set enabled = ${isEnabled} where org_id = ${orgId}`
    return (await server.visitor().call('POST', '/test/enter', { body: { email } })).status
  }
  expect(await statusWhen(true, true)).toBe(403)
  expect(await statusWhen(true, false)).toBe(200)
  expect(await statusWhen(false, true)).toBe(200)
})
