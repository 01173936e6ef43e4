import { reply } from '@cowrie/testkit/fakes/sso/hostile-provider.ts'
import { signInThrough } from '@cowrie/testkit/fakes/sso/oidc.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { expectRefused, openHostileOrg } from '@cowrie/testkit/sso/hostile.ts'
import { MachineClock } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock: new MachineClock() })
})
afterAll(() => server.close())

test('a userinfo address is accepted only for the subject of the token', async () => {
  const { provider, orgId, domain } = await openHostileOrg(server)
  const email = `grace@${domain}`
  provider.metadata.userinfo_endpoint = `${provider.issuer}/userinfo`
  provider.claims = { sub: 'mallory' }
  let about = 'grace'
  provider.overrides.set('/userinfo', (_, response) =>
    reply(response, { sub: about, email, email_verified: true }),
  )
  const come = () => signInThrough(provider, server.visitor(), { orgId })
  await expectRefused(server, { email }, await come())
  about = 'mallory'
  expect((await come()).headers.location).toBe('/app')
})
