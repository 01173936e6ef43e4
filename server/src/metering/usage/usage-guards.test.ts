import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a user reads only their own points: none of colleagues, of work without a member, or of other organisations', async () => {
  const ada = await server.person({ type: 'team' })
  const colleague = await server.member(ada.orgId, 'member')
  const elsewhere = await server.person()
  const used: [org: string, user: string | null, model: string][] = [
    [ada.orgId, ada.userId, 'own'],
    [ada.orgId, colleague.userId, 'of a colleague'],
    [ada.orgId, null, 'of nobody'],
    [elsewhere.orgId, ada.userId, 'elsewhere'],
  ]
  for (const [org, user, model] of used)
    await server.sql.rows`
      insert into usage_points (id, org_id, user_id, at, lane, model, source, tokens, cost_minor)
      values (${newId('use')}, ${org}, ${user}, ${new Date('2026-11-15T08:00:00Z')}, 'open', ${model}, 'agent', 100, 10)`
  const { body } = await server.call<{ points: { model: string }[] }>('GET', '/me/usage', { as: ada })
  expect(body.points.map(({ model }) => model)).toEqual(['own'])
})
