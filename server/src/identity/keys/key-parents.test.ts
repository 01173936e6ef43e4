import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Made = { id: string; key: string; prefix: string }
type By = { bearer: string }

let server: TestServer
let replica: TestServer
let owner: Person
let admin: Person
let member: Person
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
  owner = await server.person({ type: 'team' })
  admin = await server.member(owner.orgId, 'admin')
  member = await server.member(owner.orgId, 'member')
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

const create = (as: By, body: object) => server.call<Made>('POST', '/auth/keys', { as, body })
const revoke = (as: By, id: string) => server.call('DELETE', `/auth/keys/${id}`, { as })
const works = async (key: string, on = server) =>
  (await on.call('GET', '/me', { as: { bearer: key } })).status
const trail = () =>
  server.sql.rows<{ target: string; metadata: Record<string, unknown> }>`
    select target, metadata from audit_entries
    where org_id = ${owner.orgId} and action = 'keys.revoke' order by seq desc`

test('revoking a key revokes the keys created with it, recursively, with an audit event each', async () => {
  const make = async (as: By) => (await create(as, { name: 'chain', scopes: ['keys:manage'] })).body
  const root = await make(member)
  const child = await make({ bearer: root.key })
  const grandchild = await make({ bearer: child.key })
  const sibling = await make(member)
  expect((await revoke(admin, root.id)).status).toBe(200)
  const statuses = [root, child, grandchild, sibling].map(({ key }) => works(key))
  expect(await Promise.all(statuses)).toEqual([401, 401, 401, 200])
  expect(await works(grandchild.key, replica)).toBe(401)
  const revoked = (await trail()).slice(0, 3).map(({ target, metadata }) => [target, metadata.revokedWith])
  expect(revoked.toReversed()).toEqual([
    [root.id, undefined],
    ...[child.id, grandchild.id].map((id) => [id, root.id]),
  ])
  await server.app.jobs.drain()
  const outbox = await server.call<{ mails: { text: string }[] }>('GET', '/dev/outbox', {
    query: { to: member.email },
  })
  expect(outbox.body.mails.filter(({ text }) => text.includes(grandchild.prefix))).toHaveLength(1)
})

test('revoking a key leaves no key that was being created at that moment', async () => {
  const root = (await create(member, { name: 'root', scopes: ['keys:manage'] })).body
  const child = (await create({ bearer: root.key }, { name: 'child', scopes: ['keys:manage'] })).body
  const calls: Promise<{ status: number }>[] = []
  await server.app.db.tx('platform', async (tx) => {
    // The call has its key checked and waits here before it creates another.
    await tx.rows`select from memberships where user_id = ${member.userId} for update`
    calls.push(create({ bearer: child.key }, { name: 'too late' }))
    const waiting = () => server.sql.rows`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1)
    await revoke(member, root.id)
  })
  expect((await calls[0])?.status).toBe(401)
  expect(await server.sql.rows`select id from api_keys where name = 'too late'`).toEqual([])
})
