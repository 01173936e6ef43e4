import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { createPasswordUser, from, login, PASSWORD, PROXIED } from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const HOME = from('203.0.113.7')

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ variables: PROXIED })
})
afterAll(() => server.close())

test('a browser known to another account shares the limit of its network', async () => {
  const [victim, stranger] = [await createPasswordUser(server), await createPasswordUser(server)]
  const browsers = [server.visitor(), server.visitor()] as const
  for (const browser of browsers)
    expect((await login(browser, stranger.email, PASSWORD, HOME)).status).toBe(200)
  for (let i = 0; i < 10; i++)
    expect((await login(browsers[0], victim.email, `wrong ${i} of many`, HOME)).status).toBe(401)
  expect((await login(browsers[1], victim.email, PASSWORD, HOME)).status).toBe(429)
})
