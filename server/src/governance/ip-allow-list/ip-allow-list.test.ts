import {
  type Person,
  startTestServer,
  type TestServer,
  type Visitor,
} from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reloadActor } from '../../identity/identity.ts'
import type { Actor } from '../../platform/http/actor.ts'

const OFFICE = '198.51.100.7'
const HOME = '203.0.113.9'
const LIST = [{ cidr: '198.51.100.0/24', label: 'Office' }]

let server: TestServer
/** Shares the database. */
let replica: TestServer
beforeAll(async () => {
  const variables = { TRUST_PROXY: '127.0.0.1' }
  server = await startTestServer({ variables })
  replica = await startTestServer({ url: server.url, clock: server.clock, variables })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

type By = { bearer: string }
const from = (address: string) => ({ 'x-forwarded-for': address })
const path = (org: string) => `/orgs/${org}/ip-allow-list`
const put = (as: By, org: string, body: object, address = OFFICE) =>
  server.call('PUT', path(org), { as, body, headers: from(address) })
const me = async (as: By, address: string, on = server) => {
  const { status, body } = await on.call('GET', '/me', { as, headers: from(address) })
  return status === 200 ? 200 : body.code
}
const set = async (owner: Person, entries: object[] = LIST) =>
  expect((await put(owner, owner.orgId, { entries, allowLockOut: true })).status).toBe(200)

async function team() {
  const owner = await server.person({ type: 'team' })
  return { owner, key: await server.key(owner, ['wallet:read', 'keys:manage']) }
}

describe('the list', () => {
  test('is replaced and shown by owners and admins, and by no one else', async () => {
    const { owner, key } = await team()
    const admin = await server.member(owner.orgId, 'admin')
    const member = await server.member(owner.orgId, 'member')
    const stranger = await server.person()
    const statuses: number[] = []
    for (const as of [owner, admin, member, stranger, key])
      statuses.push((await put(as, owner.orgId, { entries: LIST })).status)
    expect(statuses).toEqual([200, 200, 403, 404, 403])
    const shown = await server.call('GET', path(owner.orgId), { as: admin, headers: from(OFFICE) })
    expect(shown).toMatchObject({ status: 200, body: { entries: LIST, yourAddress: OFFICE } })
    expect((await put(owner, owner.orgId, { entries: [] })).body).toMatchObject({ entries: [] })
    expect(await me(key, HOME)).toBe(200)
    const events = await server.sql.rows<{ metadata: object }>`
      select metadata from audit_entries where org_id = ${owner.orgId} and action = 'orgs.ipAllowList.set' order by seq`
    expect(events.at(-1)?.metadata).toEqual({ before: ['198.51.100.0/24'], after: [] })
  })

  test.for([
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.0/120', '198.51.100.0/24'],
    ['198.51.100.7/32', '198.51.100.7'],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['2001:db8::1/128', '2001:db8::1'],
  ])('stores %s as %s', async ([given, cidr]) => {
    const owner = await server.person()
    const { body } = await put(owner, owner.orgId, { entries: [{ cidr: given }], allowLockOut: true })
    expect(body.entries).toEqual([{ cidr, label: null }])
  })

  test.for([
    ['fe80::1%eth0'],
    ['010.0.0.1'],
    ['10.0.0.0/08'],
    ['10.0.0.0/33'],
    ['10.0.0.5/8'],
    ['0.0.0.0/0'],
    ['::/0'],
    ['::ffff:0:0/96'],
    ['::ffff:0:0/90'],
    ['10.0.0.1,10.0.0.2'],
    ['example.com'],
  ])('refuses %s', async ([cidr]) => {
    const owner = await server.person()
    expect(await put(owner, owner.orgId, { entries: [{ cidr }], allowLockOut: true })).toMatchObject({
      status: 400,
      body: { code: 'invalid_fields', fields: [{ path: 'entries.0.cidr' }] },
    })
  })

  test('refuses duplicates in any spelling, long labels and more than 100 entries', async () => {
    const owner = await server.person()
    for (const [entries, at] of [
      [[{ cidr: OFFICE }, { cidr: `::ffff:${OFFICE}` }], 'entries.1.cidr'],
      [[{ cidr: OFFICE, label: 'x'.repeat(101) }], 'entries.0.label'],
      [Array.from({ length: 101 }, (_, i) => ({ cidr: `10.0.0.${i}` })), 'entries'],
    ] as const)
      expect(await put(owner, owner.orgId, { entries })).toMatchObject({
        status: 400,
        body: { fields: [{ path: at }] },
      })
  })

  test('does not lock out its editor unless they ask for it', async () => {
    const owner = await server.person()
    const refused = await put(owner, owner.orgId, { entries: LIST }, HOME)
    expect(refused).toMatchObject({ status: 409, body: { code: 'would_lock_you_out' } })
    expect(await me(owner, HOME)).toBe(200)
    expect((await put(owner, owner.orgId, { entries: LIST, allowLockOut: true }, HOME)).status).toBe(200)
    expect(await me(owner, HOME)).toBe('org_address_not_allowed')
  })
})

describe('a call from another address', () => {
  test('is refused for keys and people, on each replica from the next request', async () => {
    const { owner, key } = await team()
    expect(await me(key, HOME, replica)).toBe(200)
    await set(owner)
    for (const as of [owner, key])
      for (const on of [server, replica]) {
        expect(await me(as, HOME, on)).toBe('org_address_not_allowed')
        expect(await me(as, OFFICE, on)).toBe(200)
        expect(await me(as, `::ffff:${OFFICE}`, on)).toBe(200)
      }
    expect(await me(key, `${OFFICE}, ${HOME}`)).toBe('org_address_not_allowed')
    const other = await server.person()
    expect(await me(other, HOME)).toBe(200)
  })

  test('is refused for the organisation in the path too, and for a stream that is already open', async () => {
    const { owner } = await team()
    const both = await server.person()
    await server.sql.rows`
      insert into memberships (org_id, user_id, role, created_at)
      values (${owner.orgId}, ${both.userId}, 'admin', ${server.clock.now()})`
    await set(owner)
    const members = (address: string) =>
      server.call('GET', `/teams/${owner.orgId}/members`, { as: both, headers: from(address) })
    expect((await members(OFFICE)).status).toBe(200)
    expect((await members(HOME)).body.code).toBe('org_address_not_allowed')
    const reload = (address: string) =>
      server.app.db.tx(owner.orgId, (tx) =>
        reloadActor(tx, {
          ...{ orgId: owner.orgId, userId: owner.userId, keyId: null, sessionId: null, ssoOrgId: null },
          address,
        } as Actor),
      )
    expect([await reload(OFFICE), await reload(HOME)]).toMatchObject([{ role: 'owner' }, null])
  })

  test('is narrowed further by the list of a key', async () => {
    const { owner, key } = await team()
    await set(owner)
    await server.sql.rows`update api_keys set allowed_addresses = '{198.51.100.8}' where id = ${key.id}`
    expect(await me(key, OFFICE)).toBe('address_not_allowed')
    expect(await me(key, '198.51.100.8')).toBe(200)
    await server.sql.rows`update api_keys set allowed_addresses = ${[HOME]}::text[] where id = ${key.id}`
    expect(await me(key, HOME)).toBe('org_address_not_allowed')
  })

  test('leaves the account, sign-out and public pages open to a session, but not the way into the organisation', async () => {
    const owner = await server.person()
    await set(owner)
    const browser: Visitor = server.visitor()
    await browser.call('POST', '/auth/dev-login', { body: { email: owner.email } })
    const call = (method: string, at: string, body?: object) =>
      browser.call(method, at, { ...(body && { body }), headers: from(HOME) })
    expect((await call('GET', '/wallet')).body.code).toBe('org_address_not_allowed')
    expect((await call('GET', '/me/sessions')).status).toBe(200)
    expect((await call('GET', '/me/orgs')).status).toBe(200)
    expect((await call('GET', '/auth/config')).status).toBe(200)
    expect((await call('POST', '/me/org', { orgId: owner.orgId })).body.code).toBe('org_address_not_allowed')
    expect((await call('POST', '/auth/logout')).status).toBe(200)
  })

  test('is counted, and audited once per hour', async () => {
    const { owner, key } = await team()
    await set(owner)
    const trail = () =>
      server.sql.rows<{ ip: string }>`
        select ip from audit_entries where org_id = ${owner.orgId} and action = 'orgs.address_refused'`
    await Promise.all([server, replica, server, replica].map((on) => me(key, HOME, on)))
    expect(await trail()).toEqual([{ ip: HOME }])
    server.clock.advance({ minutes: 61 })
    await me(key, HOME)
    expect(await trail()).toHaveLength(2)
    expect(await server.app.metrics.exposition()).toMatch(
      /cowrie_address_refused_total\{list="organisation"\} \d/,
    )
  })
})

test('a change needs a sign-in of the last 15 minutes', async () => {
  const owner = await server.person()
  const browser = server.visitor()
  await browser.call('POST', '/auth/dev-login', { body: { email: owner.email } })
  server.clock.advance({ minutes: 16 })
  const reply = await browser.call('PUT', path(owner.orgId), { body: { entries: [] } })
  expect(reply).toMatchObject({ status: 403, body: { code: 'reauth_required' } })
})

test('staff remove the list of an organisation that locked itself out, and its audit log shows it', async () => {
  const { owner } = await team()
  await set(owner)
  const clear = (as: By) => server.call('DELETE', `/admin/orgs/${owner.orgId}/ip-allow-list`, { as })
  const support = await server.person({ staff: 'support' })
  expect((await clear(support)).status).toBe(403)
  expect((await clear(owner)).body.code).toBe('org_address_not_allowed')
  const operator = await server.person({ staff: 'operator' })
  expect((await clear(operator)).status).toBe(200)
  expect(await me(owner, HOME)).toBe(200)
  const rows = await server.sql.rows`
    select actor_kind, actor_user_id from audit_entries
    where org_id = ${owner.orgId} and action = 'admin.orgs.clearIpAllowList'`
  expect(rows).toEqual([{ actor_kind: 'operator', actor_user_id: operator.userId }])
})
