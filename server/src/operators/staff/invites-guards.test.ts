import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccount } from '../../identity/identity.ts'

const PASSWORD = 'three pelicans in April'

let server: TestServer
let replica: TestServer
let chief: Person
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
  chief = await server.person({ staff: 'super_admin' })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

async function invite(email: string, role: string): Promise<string> {
  const body = { email, role }
  const reply = await server.call<{ devToken: string }>('POST', '/admin/operators/invite', {
    as: chief,
    body,
  })
  return reply.body.devToken
}
const accept = (on: TestServer, token: string, password?: string) =>
  on.call('POST', '/auth/operator-invite/accept', { body: { token, ...(password && { password }) } })

test('sessions of an unverified account end when it becomes staff', async () => {
  const email = 'newcomer@example.com'
  await server.app.db.tx('platform', (tx) => openAccount(tx, { email, verified: false }))
  const stranger = server.visitor()
  await stranger.call('POST', '/auth/dev-login', { body: { email } })
  expect((await stranger.call('GET', '/me')).status).toBe(200)
  expect((await accept(server, await invite(email, 'support'), PASSWORD)).status).toBe(200)
  expect((await stranger.call('GET', '/me')).status).toBe(401)
})

test('accepting an invitation during a staff change waits, and lowers no tier', async () => {
  const person = await server.person()
  const token = await invite(person.email, 'support')
  const accepted: ReturnType<typeof accept>[] = []
  await server.app.db.tx('platform', async (tx) => {
    await tx.lock('staff')
    accepted.push(accept(replica, token))
    await expect
      .poll(
        () =>
          server.sql.rows`
            select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        { timeout: 10_000 },
      )
      .toHaveLength(1)
    await tx.rows`
      insert into staff (user_id, role, created_at) values (${person.userId}, 'operator', ${tx.now})`
  })
  expect(await accepted[0]).toMatchObject({ status: 200, body: { role: 'operator' } })
})
