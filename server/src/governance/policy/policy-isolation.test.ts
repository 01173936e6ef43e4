// A policy that changes the isolation of content. The move itself is tested in platform/content.

import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

type Said = { policy: Record<string, unknown>; code?: string }

let server: TestServer
let replica: TestServer
let operator: Person
let ada: Person
let threadId: string
beforeAll(async () => {
  server = await startTestServer()
  // This server cannot reach dedicated databases.
  const variables = { SERVICE_DEDICATED_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/{org}' }
  replica = await startTestServer({ variables, url: server.url, clock: server.clock })
  operator = await server.person({ staff: 'operator' })
})
beforeEach(async () => {
  ada = await server.person()
  threadId = (
    await server.call<{ id: string }>('POST', '/chat/threads', { as: ada, body: { title: 'Mine' } })
  ).body.id
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

const put = (body: object, on = server) =>
  on.call<Said>('PUT', `/orgs/${ada.orgId}/policy`, { as: operator, body })
const get = async () =>
  (await server.call<Said>('GET', `/orgs/${ada.orgId}/policy`, { as: operator })).body.policy
const threads = async () => {
  const replies = await Promise.all(
    [server, replica].map((on) =>
      on.call<{ title: string }>('GET', `/chat/threads/${threadId}`, { as: ada }),
    ),
  )
  return replies.map(({ body }) => body.title)
}
const placeOf = () => server.sql.maybe<{ place: string; movingTo: string | null; triedAt: Date | null }>`
  select place, moving_to as "movingTo", tried_at as "triedAt" from content_places where org_id = ${ada.orgId}`
const changes = async () => {
  const rows = await server.sql.rows<{ metadata: object }>`
    select metadata from audit_entries where org_id = ${ada.orgId} and action = 'policy.change' order by seq`
  return rows.map(({ metadata }) => metadata)
}
const MOVED = { before: { dataIsolation: 'shared' }, after: { dataIsolation: 'schema' } }

test('content is moved during the call, visible to all replicas, and cannot move back', async () => {
  const { status, body } = await put({ dataIsolation: 'schema' })
  expect([status, body.policy]).toMatchObject([200, { dataIsolation: 'schema', isolationStatus: 'settled' }])
  expect(await threads()).toEqual(['Mine', 'Mine'])
  const left = await server.sql.rows`select id from public.chat_threads where org_id = ${ada.orgId}`
  expect(left).toEqual([])
  expect((await put({ dataIsolation: 'schema' })).status).toBe(200)

  const back = await put({ dataIsolation: 'shared', tier: 'enterprise' })
  expect(back).toMatchObject({ status: 409, body: { code: 'isolation_one_way' } })
  expect(await get(), 'nothing else of such a wish is done').toMatchObject({
    ...{ dataIsolation: 'schema', tier: 'individual' },
  })
  expect(await changes()).toEqual([MOVED])
})

test('a storage that cannot be prepared changes nothing', async () => {
  const refused = await put({ dataIsolation: 'dedicated', tier: 'enterprise' }, replica)
  expect(refused).toMatchObject({ status: 503, body: { code: 'isolation_unavailable' } })
  expect(await get()).toMatchObject({
    dataIsolation: 'shared',
    isolationStatus: 'settled',
    tier: 'individual',
  })
  expect([await changes(), await placeOf()]).toEqual([[], undefined])
  expect(await threads()).toEqual(['Mine', 'Mine'])
})

test('two concurrent changes move the content once', async () => {
  const replies = await Promise.all([server, replica].map((on) => put({ dataIsolation: 'schema' }, on)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(await changes()).toEqual([MOVED])
  expect(await get()).toMatchObject({ dataIsolation: 'schema', isolationStatus: 'settled' })
})

test('a long move is reported as moving and continues later', async () => {
  const [reading, done] = [gate(), gate()]
  // The deadline of a move starts after the decision.
  const underWay = { place: 'shared', movingTo: 'schema', triedAt: expect.any(Date) }
  const busy = server.app.db.tx(ada.orgId, async (tx) => {
    // Blocked until the end of this test.
    await tx.rows`select set_config('idle_in_transaction_session_timeout', '0', true)`
    await tx.content.rows`select id from chat_threads`
    reading.open()
    await done.opened
  })
  await reading.opened
  const change = put({ dataIsolation: 'schema', tier: 'team' })
  await expect.poll(placeOf, { timeout: 15_000 }).toMatchObject(underWay)
  server.clock.advance({ seconds: 21 })
  expect(await change).toMatchObject({
    status: 200,
    body: { policy: { dataIsolation: 'schema', isolationStatus: 'moving', tier: 'team' } },
  })
  expect(await threads()).toEqual(['Mine', 'Mine'])

  // The unfinished move can be cancelled and started again.
  expect((await put({ dataIsolation: 'shared' })).body.policy).toMatchObject({
    ...{ dataIsolation: 'shared', isolationStatus: 'settled', tier: 'team' },
  })
  server.clock.advance({ seconds: 1 })
  const again = put({ dataIsolation: 'schema' })
  await expect.poll(placeOf, { timeout: 15_000 }).toMatchObject(underWay)
  server.clock.advance({ seconds: 21 })
  await again
  done.open()
  await busy
  // The first run registers the schedules, the second finds one due.
  await server.app.jobs.drain()
  server.clock.advance({ seconds: 31 })
  await server.app.jobs.drain()
  expect(await get()).toMatchObject({ dataIsolation: 'schema', isolationStatus: 'settled' })
  expect(await threads()).toEqual(['Mine', 'Mine'])
})
