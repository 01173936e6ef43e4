// The read-only views of the migrations: as fast as the tables, and closed to writes.

import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type Plan = { 'QUERY PLAN': string }

test('a join of the published views has the plan of a join of the tables', async () => {
  const views = await server.sql.rows<Plan>`
    explain (costs off) select o.tier, m.role, u.email
    from sessions s join user_profiles u on u.id = s.user_id
    join org_members m on m.org_id = s.org_id and m.user_id = s.user_id join org_profiles o on o.id = s.org_id
    where s.id = 'ses_x'`
  const tables = await server.sql.rows<Plan>`
    explain (costs off) select orgs.tier, memberships.role, users.email
    from sessions s join users on users.id = s.user_id
    join memberships on memberships.org_id = s.org_id and memberships.user_id = s.user_id
    join orgs on orgs.id = s.org_id
    where s.id = 'ses_x'`
  expect(views).toEqual(tables)
})

test.for(['org_profiles', 'org_members', 'user_profiles'])(
  '%s cannot be written by the service',
  async (view) => {
    const [row] = await server.sql.rows<{ allowed: boolean }>`
      select has_table_privilege('cowrie_app', ${view}, 'insert, update, delete') as allowed`
    expect(row).toEqual({ allowed: false })
  },
)
