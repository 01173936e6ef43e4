import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test.for(['a person', 'a key'])(
  '401 to %s whose membership ended while the call waited, and no key is made',
  async (who) => {
    const person = await server.person()
    const caller = who === 'a key' ? await server.key(person, ['keys:manage']) : person
    const calls: Promise<{ status: number }>[] = []
    await server.app.db.tx('platform', async (tx) => {
      await tx.rows`delete from memberships where user_id = ${person.userId}`
      calls.push(server.call('POST', '/auth/keys', { as: caller, body: { name: 'too late' } }))
      await expect
        .poll(
          () =>
            server.sql.rows`
            select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          { timeout: 10_000 },
        )
        .toHaveLength(1)
    })
    expect((await calls[0])?.status).toBe(401)
    expect(
      await server.sql.rows`select id from api_keys where user_id = ${person.userId} and name = 'too late'`,
    ).toEqual([])
  },
)
