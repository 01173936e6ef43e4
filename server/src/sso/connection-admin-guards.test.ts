import { type Reply, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { openSsoOrg, type SsoOrg, verifyDomain } from '@cowrie/testkit/sso/sso.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('changing or deleting the connection of one organisation leaves others alone', async () => {
  const connection = { type: 'oidc', issuer: 'https://idp.example.com', clientId: 'first' }
  const [one, two] = [await openSsoOrg(server, { connection }), await openSsoOrg(server, { connection })]
  for (const { orgId } of [one, two])
    await server.sql.rows`
    insert into sso_domains (org_id, domain, token, created_at)
    values (${orgId}, 'claimed-by-both.example', ${orgId}, ${server.clock.now()})`
  await verifyDomain(server, two.orgId, 'two.example')
  const call = (method: string, { orgId, operator }: SsoOrg, path = '', body?: object) =>
    server.call(method, `/orgs/${orgId}/sso${path}`, { as: operator, ...(body && { body }) })
  const stateOf = async (org: SsoOrg) => [
    (await call('GET', org)).body.connection,
    (await call('GET', org, '/domains')).body.domains,
  ]
  const before = await stateOf(two)
  server.clock.advance({ minutes: 1 })
  expect((await call('PATCH', one, '', { clientId: 'second', enabled: false })).status).toBe(200)
  expect(await stateOf(two)).toEqual(before)
  expect((await call('DELETE', one, '/domains/claimed-by-both.example')).status).toBe(200)
  expect((await call('DELETE', one, '/domains/two.example')).status).toBe(404)
  expect(await stateOf(two)).toEqual(before)
  expect((await call('DELETE', one)).status).toBe(200)
  expect(await stateOf(one)).toEqual([null, []])
  expect(await stateOf(two)).toEqual(before)
})

test('concurrent changes keep each other’s fields', async () => {
  const connection = { type: 'oidc', issuer: 'https://idp.example.com', clientId: 'first' }
  const { orgId, operator } = await openSsoOrg(server, { connection })
  const calls: Promise<Reply>[] = []
  await server.app.db.tx('platform', async (tx) => {
    await tx.rows`update sso_connections set enabled = false where org_id = ${orgId}`
    calls.push(server.call('PATCH', `/orgs/${orgId}/sso`, { as: operator, body: { clientId: 'second' } }))
    await expect
      .poll(
        () =>
          server.sql.rows`
            select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        { timeout: 10_000 },
      )
      .toHaveLength(1)
  })
  expect(await calls[0]).toMatchObject({
    status: 200,
    body: { connection: { enabled: false, clientId: 'second' } },
  })
})
