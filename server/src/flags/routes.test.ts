import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isEnabled } from './flags.ts'

type Seen = {
  flags: Record<string, boolean>
  sources: { key: string; enabled: boolean; source: string }[]
}
type Override = { orgId: string; enabled: boolean }
type Flag = { key: string; tierOverrides: object; orgOverrides: Override[]; moreOrgOverrides: boolean }

let server: TestServer
let replica: TestServer
let ada: Person
let operator: Person
let support: Person
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
  ada = await server.person({ type: 'team' })
  operator = await server.person({ staff: 'operator' })
  support = await server.person({ staff: 'support' })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

const set = (key: string, body: object = {}) =>
  server.call<{ flag: Flag; changed: boolean }>('PUT', `/admin/flags/${key}`, { as: operator, body })
const decide = (key: string, enabled: boolean, org: string = ada.orgId) =>
  server.call('PUT', `/orgs/${org}/flags/${key}`, { as: operator, body: { enabled } })
const clear = (key: string, org: string = ada.orgId) =>
  server.call('DELETE', `/orgs/${org}/flags/${key}`, { as: operator })
const mine = async (as: { bearer: string } = ada, on = server) =>
  (await on.call<Seen>('GET', '/me/flags', { as })).body
const sourceOf = async (key: string) => (await mine()).sources.find((each) => each.key === key)
const recorded = (action: string, target: string) =>
  server.sql.rows<Record<string, unknown>>`
    select org_id, actor_kind, actor_user_id, metadata from audit_entries
    where action = ${action} and target = ${target} order by created_at, seq`

describe('a flag', () => {
  test('is decided by the organisation’s override, else by its tier’s, else by the default', async () => {
    await set('order', { defaultEnabled: false })
    expect(await sourceOf('order')).toEqual({ key: 'order', enabled: false, source: 'default' })
    await set('order', { tierOverrides: { team: true } })
    expect(await sourceOf('order')).toEqual({ key: 'order', enabled: true, source: 'tier' })
    expect((await mine(operator)).flags.order).toBe(false)
    await decide('order', false)
    expect(await sourceOf('order')).toEqual({ key: 'order', enabled: false, source: 'org' })
    await clear('order')
    expect(await sourceOf('order')).toMatchObject({ enabled: true, source: 'tier' })
  })

  test('follows the tier of the organisation with its next request', async () => {
    await set('big', { tierOverrides: { enterprise: true } })
    const grace = await server.person()
    expect((await mine(grace)).flags.big).toBe(false)
    await server.sql.rows`update orgs set tier = 'enterprise' where id = ${grace.orgId}`
    expect((await mine(grace)).flags.big).toBe(true)
  })

  test('is the same for a key of the organisation and for server code', async () => {
    await set('code', { defaultEnabled: true })
    expect((await mine(await server.key(ada, []))).flags.code).toBe(true)
    const org = { orgId: ada.orgId, tier: 'team' }
    expect([isEnabled(server.app, org, 'code'), isEnabled(server.app, org, 'unknown')]).toEqual([true, false])
  })

  test('changes on another replica within seconds, there and back', async () => {
    await set('far')
    await decide('far', true)
    await expect.poll(async () => (await mine(ada, replica)).flags.far, { timeout: 15_000 }).toBe(true)
    await clear('far')
    await expect.poll(async () => (await mine(ada, replica)).flags.far, { timeout: 15_000 }).toBe(false)
  })

  test('that was deleted and created again has no overrides', async () => {
    await set('again')
    await decide('again', true)
    const gone = await server.call('DELETE', '/admin/flags/again', { as: operator })
    expect(gone.status).toBe(200)
    expect(await mine()).not.toHaveProperty('flags.again')
    expect((await server.call('DELETE', '/admin/flags/again', { as: operator })).status).toBe(404)
    await set('again')
    expect((await mine()).flags.again).toBe(false)
  })

  test('may be called like something that every object has', async () => {
    expect((await set('constructor', { defaultEnabled: true })).status).toBe(200)
    const { flags } = await mine()
    expect(Object.entries(flags)).toContainEqual(['constructor', true])
    expect((await server.call('DELETE', '/admin/flags/constructor', { as: operator })).status).toBe(200)
  })
})

describe('PUT /admin/flags/{key}', () => {
  test('creates a flag that is off, and changes only the given fields', async () => {
    const made = await set('partial', { description: 'Half of it' })
    expect(made).toMatchObject({
      status: 200,
      body: {
        ok: true,
        changed: true,
        flag: { key: 'partial', defaultEnabled: false, tierOverrides: {}, orgOverrides: [] },
      },
    })
    await set('partial', { tierOverrides: { team: true, enterprise: false } })
    expect((await set('partial', { defaultEnabled: true })).body.flag).toMatchObject({
      description: 'Half of it',
      defaultEnabled: true,
      tierOverrides: { team: true, enterprise: false },
    })
    expect((await set('partial', { tierOverrides: {} })).body.flag.tierOverrides).toEqual({})
  })

  test.for(['A', '1st', '_x', '__proto__', 'a b', `a${'b'.repeat(64)}`, 'é'])(
    'refuses the key %j',
    async (key) => {
      const refused = await set(encodeURIComponent(key), { defaultEnabled: true })
      expect(refused).toMatchObject({ status: 400, body: { fields: [{ path: 'key' }] } })
    },
  )

  test.for([
    { defaultEnabled: 'yes' },
    { description: 'x'.repeat(501) },
    { tierOverrides: { gold: true } },
    { tierOverrides: { team: 1 } },
    { tierOverrides: [] },
  ])('refuses %j', async (body) => expect((await set('refused', body)).status).toBe(400))

  test('ends at 500 flags', async () => {
    const { count } = await server.sql.one<{ count: bigint }>`select count(*) as count from flags`
    await server.sql.rows`
      insert into flags (key, description, default_enabled, tier_overrides, updated_at, updated_by)
      select 'many.' || n, '', false, '{}', now(), ${operator.userId} from generate_series(1, ${500 - Number(count)}) n`
    expect(await set('one-more')).toMatchObject({ status: 409, body: { code: 'limit_reached' } })
    expect((await set('many.1', { defaultEnabled: true })).status).toBe(200)
    await server.sql.rows`delete from flags where key like 'many.%'`
  })
})

describe('an override', () => {
  test('is for an organisation and a flag that exist', async () => {
    await set('known')
    const nobody = `org_${'0'.repeat(26)}`
    for (const [key, org] of [
      ['known', nobody],
      ['known', 'nothing'],
      ['unknown', ada.orgId],
    ] as const) {
      expect((await decide(key, true, org)).status, `${key} ${org}`).toBe(404)
      expect((await clear(key, org)).status, `${key} ${org}`).toBe(404)
    }
    expect((await server.call('GET', `/orgs/${nobody}/flags`, { as: support })).status).toBe(404)
  })

  test('cannot be set by staff for their own organisation, except by a super admin', async () => {
    await set('own')
    const root = await server.person({ staff: 'super_admin' })
    for (const [as, status] of [
      [operator, 403],
      [root, 200],
    ] as const) {
      const path = `/orgs/${as.orgId}/flags/own`
      expect((await server.call('PUT', path, { as, body: { enabled: true } })).status).toBe(status)
      expect((await server.call('DELETE', path, { as })).status).toBe(status)
    }
    expect((await mine(operator)).flags.own).toBe(false)
  })

  test('is cleared with success also where there is none', async () => {
    await set('calm')
    expect((await clear('calm')).body).toEqual({
      ok: true,
      changed: false,
      orgId: ada.orgId,
      key: 'calm',
      enabled: null,
    })
  })

  test('is shown to staff with the flag, by organisation, and by flag', async () => {
    await set('shown')
    await decide('shown', true)
    const one = { orgId: ada.orgId, enabled: true }
    const { body } = await server.call<{ flags: Flag[] }>('GET', '/admin/flags', { as: support })
    expect(body.flags.find(({ key }) => key === 'shown')).toEqual({
      key: 'shown',
      description: '',
      defaultEnabled: false,
      tierOverrides: {},
      orgOverrides: [one],
      moreOrgOverrides: false,
      updatedAt: expect.stringMatching(/^2026-/),
    })
    const org = await server.call<Seen>('GET', `/orgs/${ada.orgId}/flags`, { as: support })
    expect(org.body).toMatchObject({ orgId: ada.orgId, tier: 'team', flags: { shown: true } })
    const orgs = await server.call('GET', '/admin/flags/shown/orgs', { as: support })
    expect(orgs.body).toMatchObject({ overrides: [one], nextCursor: null })
    await clear('shown')
    const cleared = await server.call('GET', '/admin/flags/shown/orgs', { as: support })
    expect(cleared.body).toMatchObject({ overrides: [] })
  })

  test('is listed in pages', async () => {
    await set('many')
    await server.sql.rows`
      insert into orgs (id, name, type, tier, currency, created_at)
      select 'org_' || lpad(n::text, 26, '0'), 'x', 'individual', 'individual', 'NGN', now() from generate_series(1, 150) n`
    await server.sql.rows`
      insert into flag_overrides (flag_key, org_id, enabled, updated_at, updated_by)
      select 'many', 'org_' || lpad(n::text, 26, '0'), true, now(), ${operator.userId} from generate_series(1, 150) n`
    await decide('many', true)
    const { flag } = (await set('many')).body
    expect([flag.orgOverrides.length, flag.moreOrgOverrides]).toEqual([100, true])
    expect(flag.orgOverrides[0]?.orgId).toBe(ada.orgId)
    const page = (query: Record<string, string>) =>
      server.call<{ overrides: Override[]; nextCursor: string }>('GET', '/admin/flags/many/orgs', {
        as: support,
        query,
      })
    const first = (await page({ limit: '100' })).body
    const rest = (await page({ limit: '100', cursor: first.nextCursor })).body
    expect([first.overrides.length, rest.overrides.length, rest.nextCursor]).toEqual([100, 51, null])
  })
})

describe('the audit log', () => {
  test('has each change with its previous value, and no entry without a change', async () => {
    await set('kept', { description: 'First' })
    await set('kept', { defaultEnabled: true })
    expect((await set('kept', { defaultEnabled: true })).body.changed).toBe(false)
    const first = { description: 'First', defaultEnabled: false, tierOverrides: {} }
    const second = { ...first, defaultEnabled: true }
    const who = { org_id: null, actor_kind: 'operator', actor_user_id: operator.userId }
    expect(await recorded('admin.flags.set', 'kept')).toEqual([
      { ...who, metadata: { before: null, after: first } },
      { ...who, metadata: { before: first, after: second } },
    ])
    await server.call('DELETE', '/admin/flags/kept', { as: operator })
    expect(await recorded('admin.flags.remove', 'kept')).toMatchObject([
      { ...who, metadata: { before: second, after: null } },
    ])
  })

  test('of an organisation shows its overrides by staff', async () => {
    await set('told')
    await decide('told', true)
    await decide('told', true)
    await decide('told', false)
    await clear('told')
    const who = { org_id: ada.orgId, actor_kind: 'operator' }
    expect(await recorded('orgs.flags.set', 'told')).toMatchObject([
      { ...who, metadata: { before: null, after: true } },
      { ...who, metadata: { before: true, after: false } },
    ])
    expect(await recorded('orgs.flags.clear', 'told')).toMatchObject([
      { ...who, metadata: { before: false, after: null } },
    ])
  })
})
