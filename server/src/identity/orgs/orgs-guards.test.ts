import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function enter({ email }: Person) {
  const visitor = server.visitor()
  await visitor.call('POST', '/auth/dev-login', { body: { email } })
  return visitor
}

test('switching organisation leaves the sessions of other users alone', async () => {
  const team = await server.person({ type: 'team' })
  const [ada, grace] = [await server.person(), await server.person()]
  // The personal organisation is the older one.
  server.clock.advance({ seconds: 1 })
  for (const { userId } of [ada, grace])
    await server.sql.rows`
      insert into memberships (org_id, user_id, role, created_at)
      values (${team.orgId}, ${userId}, 'member', ${server.clock.now()})`
  const [visitor, other] = [await enter(ada), await enter(grace)]
  const orgOf = async (each: typeof visitor) => (await each.call('GET', '/me')).body.orgId
  expect((await visitor.call('POST', '/me/org', { body: { orgId: team.orgId } })).status).toBe(200)
  expect([await orgOf(visitor), await orgOf(other)]).toEqual([team.orgId, grace.orgId])
  expect([await orgOf(await enter(ada)), await orgOf(await enter(grace))]).toEqual([team.orgId, grace.orgId])
})

test('a session that ended while its call waited cannot switch', async () => {
  const person = await server.person()
  const visitor = await enter(person)
  const calls: Promise<{ status: number }>[] = []
  await server.app.db.tx('platform', async (tx) => {
    await tx.rows`update sessions set revoked_at = ${tx.now} where user_id = ${person.userId}`
    calls.push(visitor.call('POST', '/me/org', { body: { orgId: person.orgId } }))
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
  const traces = await server.sql.rows`
    select id from audit_entries where action = 'me.switchOrg' and org_id = ${person.orgId}`
  expect(traces).toEqual([])
})
