import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { add, openTeam } from '@cowrie/testkit/sign-in/team.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('POST /teams/{orgId}/members 429 after 100 additions per user and hour over all teams; other users are not limited', async () => {
  const [team, second] = [await openTeam(server), await openTeam(server)]
  const addOne = (as = team.owner, orgId = team.orgId) => {
    const email = `${newId('usr')}@example.com`
    return add(server, as, orgId, { email, role: 'member' })
  }
  await addOne()
  await server.sql.rows`update attempts set count = 99 where name = 'teams.additions'`
  expect((await addOne()).status).toBe(200)
  const accounts = () => server.sql.one`select count(*)::int as n from users`
  const before = await accounts()
  const refused = await addOne()
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
  expect(refused.headers['retry-after']).toBe('3600')
  await server.sql.rows`
    insert into memberships (org_id, user_id, role, created_at)
    values (${second.orgId}, ${team.owner.userId}, 'owner', ${server.clock.now()})`
  expect((await addOne(team.owner, second.orgId)).status).toBe(429)
  expect(await accounts()).toEqual(before)
  expect((await addOne(team.admin)).status).toBe(200)
  server.clock.advance({ hours: 1 })
  expect((await addOne()).status).toBe(200)
})
