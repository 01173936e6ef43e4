import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import {
  login,
  mailsTo,
  newAddress,
  OTHER_PASSWORD,
  PASSWORD,
  register,
} from '@cowrie/testkit/sign-in/password-users.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const ROUNDS = rounds(2, 4)

let server: TestServer
let replica: TestServer
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
})
beforeEach(() => server.sql.rows`delete from attempts`)
afterAll(async () => {
  await replica.close()
  await server.close()
})

const atOnce = (email: string, passwords: string[]) =>
  Promise.all(passwords.map((password, i) => register(i % 2 ? replica : server, email, password)))
const tokensTo = async (email: string, path: string) =>
  (await mailsTo(server, email)).flatMap(
    ({ text }) => new RegExp(`${path}token=([\\w-]{43})`).exec(text)?.[1] ?? [],
  )

test.for([2, 3])(
  '%i registrations at once with one password leave that password and one good link',
  { timeout: 120_000 },
  async (count) => {
    for (let round = 0; round < ROUNDS; round++) {
      const email = newAddress()
      const replies = await atOnce(email, Array(count).fill(PASSWORD))
      expect(replies.map(({ status }) => status)).toEqual(Array(count).fill(201))
      const tokens = await tokensTo(email, '/auth/verify\\?')
      expect(tokens).toHaveLength(count)
      const statuses = []
      for (const token of tokens)
        statuses.push((await server.call('POST', '/auth/verify', { body: { token } })).status)
      expect(statuses.sort()).toEqual([200, ...Array(count - 1).fill(400)])
      expect((await login(server, email)).status).toBe(200)
    }
  },
)

test('concurrent registrations with two passwords keep neither and mail a link to choose one', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const email = newAddress()
    await atOnce(email, [PASSWORD, OTHER_PASSWORD])
    for (const token of await tokensTo(email, '/auth/verify\\?'))
      expect((await server.call('POST', '/auth/verify', { body: { token } })).status).toBe(400)
    for (const password of [PASSWORD, OTHER_PASSWORD])
      expect((await login(server, email, password)).status).toBe(401)
    const [token] = await tokensTo(email, '/app/reset#')
    const chosen = { token, password: 'five storks in May' }
    expect((await server.call('POST', '/auth/password/reset', { body: chosen })).status).toBe(200)
  }
})
