import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { SoftAuthenticator } from '@cowrie/testkit/sign-in/authenticator.ts'
import { signInNewUser } from '@cowrie/testkit/sign-in/second-factor.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Options = { challenge: string; user: { id: string } }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a passkey whose counter a concurrent sign-in has increased opens nothing', async () => {
  const owner = await signInNewUser(server)
  const authenticator = new SoftAuthenticator()
  const created = await owner.browser.call<Options>('POST', '/auth/passkeys/options')
  await owner.browser.call('POST', '/auth/passkeys', {
    body: { name: 'Phone', response: authenticator.create(created.body) },
  })
  const browser = server.visitor()
  const asked = await browser.call<Options>('POST', '/auth/passkeys/sign-in/options')
  const response = authenticator.get(asked.body, { counter: 7 })
  const calls: Promise<{ status: number }>[] = []
  await server.app.db.tx('platform', async (tx) => {
    // As a copy on another replica does.
    await tx.rows`update passkeys set counter = 7 where user_id = ${owner.userId}`
    calls.push(browser.call('POST', '/auth/passkeys/sign-in', { body: { response } }))
    await expect
      .poll(
        () =>
          server.sql.rows`
            select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        { timeout: 10_000 },
      )
      .toHaveLength(1)
  })
  expect(await calls[0]).toMatchObject({ status: 401, body: { code: 'passkey_refused' } })
  expect((await browser.call('GET', '/me')).status).toBe(401)
})
