import { startTestServer } from '@cowrie/testkit/harness/harness.ts'
import { expect, test } from 'vitest'

const METHODS = ['password', 'magic_link', 'totp', 'oidc', 'saml']

test.for([
  ['off', METHODS],
  ['on', [...METHODS, 'dev']],
] as const)(
  'GET /auth/config 200 names the ways to sign in, with the development sign-in %s',
  async ([dev, methods]) => {
    const server = await startTestServer({ variables: { SERVICE_DEV_AUTH: dev } })
    expect(await server.call('GET', '/auth/config')).toMatchObject({
      status: 200,
      body: { mode: 'native', methods, signupsEnabled: true, passwordMinLength: 8 },
    })
    await server.close()
  },
)
