import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maintenanceMode, runsLeaseSeconds } from '../platform/settings/platform-settings.ts'

type Shown = { key: string; value: unknown; source: string } & Record<string, unknown>
type Listing = { settings: Shown[]; orphans: object[]; groups: object[]; canManageRestricted: boolean }
type Changed = { ok: boolean; setting: Shown | null; cleared: string[]; code?: string; error?: string }

const CANARY = 'sk-canary-0123456789abcdef'

let server: TestServer
let root: Person
let operator: Person
let support: Person
beforeAll(async () => {
  server = await startTestServer({ variables: { SERVICE_RESEARCH_FETCH_POOL: '8' } })
  root = await server.person({ email: 'root@example.com', staff: 'super_admin' })
  operator = await server.person({ email: 'operator@example.com', staff: 'operator' })
  support = await server.person({ staff: 'support' })
})
afterAll(() => server.close())

const list = (as: Person) => server.call<Listing>('GET', '/admin/settings', { as })
const put = (as: Person, key: string, value: unknown) =>
  server.call<Changed>('PUT', `/admin/settings/${key}`, { as, body: { value } })
const reset = (as: Person, key: string) => server.call<Changed>('DELETE', `/admin/settings/${key}`, { as })
const shown = async (key: string) => (await list(root)).body.settings.find((setting) => setting.key === key)
const trail = () =>
  server.sql.rows<{
    action: string
    target: string
    metadata: object
    actor_kind: string
    actor_email: string
    ip: string
  }>`
    select action, target, metadata, actor_kind, actor_email, ip from audit_entries where org_id is null order by seq desc`

describe('GET /admin/settings 200', () => {
  test('lists every setting with its groups to all staff', async () => {
    const { status, body } = await list(support)
    expect(status).toBe(200)
    // The 71 of the contract, usage_log_days, six of trial credit, status_notice, and the approval limit of staff.
    expect(body.settings).toHaveLength(80)
    expect(body.groups).toHaveLength(16)
    expect(body.groups[0]).toEqual({ id: 'platform', label: 'Platform', blurb: expect.any(String) })
    expect(body.orphans).toEqual([])
    expect(body.canManageRestricted).toBe(false)
    expect((await list(root)).body.canManageRestricted).toBe(true)
  })

  test('shows values seeded by variables', async () => {
    expect(await shown('research_fetch_pool')).toMatchObject({
      value: 8,
      default: 6,
      isDefault: false,
      source: 'env',
      env: 'SERVICE_RESEARCH_FETCH_POOL',
      min: 1,
      max: 64,
      unit: 'count',
      updatedByEmail: null,
    })
  })
})

describe('PUT /admin/settings/{key} 200', () => {
  test('stores the value, applies it at once and is audited', async () => {
    const { status, body } = await put(operator, 'runs_lease_seconds', 90)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: true, cleared: [] })
    expect(body.setting).toEqual(await shown('runs_lease_seconds'))
    expect(body.setting).toMatchObject({
      value: 90,
      source: 'operator',
      isDefault: false,
      updatedByEmail: operator.email,
    })
    expect(server.app.settings.get(runsLeaseSeconds)).toBe(90)
    expect((await trail())[0]).toEqual({
      action: 'settings.set',
      target: 'runs_lease_seconds',
      metadata: { from: 60, to: 90, previousSource: 'default' },
      actor_kind: 'operator',
      actor_email: operator.email,
      ip: expect.any(String),
    })
  })

  test('marks the current value as set by an operator', async () => {
    expect((await put(operator, 'research_fetch_pool', 8)).body.setting).toMatchObject({
      value: 8,
      source: 'operator',
    })
    expect((await trail())[0]?.metadata).toEqual({ from: 8, to: 8, previousSource: 'env' })
  })

  test('lets a super admin change restricted settings', async () => {
    expect((await put(root, 'maintenance_mode', true)).status).toBe(200)
    expect(server.app.settings.get(maintenanceMode)).toBe(true)
    expect((await reset(root, 'maintenance_mode')).status).toBe(200)
  })

  test('keeps a secret out of replies, audit log and log', async () => {
    const stored = await put(root, 'upstream_api_key', CANARY)
    expect(stored.body.setting).toMatchObject({ value: '••••cdef' })
    const back = await put(root, 'upstream_api_key', '••••cdef')
    const wrong = await put(root, 'upstream_api_key', `${CANARY} \n`)
    expect([stored.status, back.status, wrong.status]).toEqual([200, 422, 422])
    expect((await trail())[0]).toMatchObject({
      action: 'settings.set',
      target: 'upstream_api_key',
      metadata: { valueHidden: true, previousSource: 'default' },
    })
    const everything = [
      stored.text,
      back.text,
      wrong.text,
      (await list(root)).text,
      await trail(),
      server.logged,
    ]
    const dump = await server.sql.rows`select key, value, sealed from platform_settings`
    expect(JSON.stringify([everything, dump])).not.toContain('canary')
  })

  test('clears the key when the upstream moves to another host, and reports it', async () => {
    await put(root, 'upstream_base_url', 'https://models.example.com/v1')
    await put(root, 'upstream_api_key', CANARY)
    const moved = await put(root, 'upstream_base_url', 'https://elsewhere.example.com/v1')
    expect(moved.body.cleared).toEqual(['upstream_api_key'])
    expect(await shown('upstream_api_key')).toMatchObject({ value: '' })
    expect((await trail())[0]).toMatchObject({
      target: 'upstream_api_key',
      metadata: { valueHidden: true, because: 'upstream_base_url moved to another host' },
    })
  })
})

describe('PUT /admin/settings/{key} refused', () => {
  test('400 without a value, or with a body that is not an object', async () => {
    const empty = await server.call('PUT', '/admin/settings/signups_enabled', { as: operator, body: {} })
    expect(empty.body).toMatchObject({ code: 'invalid_fields', fields: [{ path: 'value' }] })
    expect(
      (await server.call('PUT', '/admin/settings/signups_enabled', { as: operator, body: [] })).status,
    ).toBe(400)
    expect((await server.call('PUT', '/admin/settings/signups_enabled', { as: operator })).status).toBe(400)
  })

  test('401 to anonymous callers and 403 to customers, keys and lower tiers', async () => {
    expect(
      (await server.call('PUT', '/admin/settings/signups_enabled', { body: { value: false } })).status,
    ).toBe(401)
    const customer = await server.person()
    expect((await put(customer, 'signups_enabled', false)).status).toBe(403)
    expect((await list(customer)).status).toBe(403)
    for (const tier of ['support', 'billing', 'compliance'] as const) {
      const person = await server.person({ staff: tier })
      expect((await list(person)).status).toBe(200)
      expect((await put(person, 'signups_enabled', false)).status).toBe(403)
      expect((await reset(person, 'signups_enabled')).status).toBe(403)
    }
    const key = await server.key(root, ['keys:manage'])
    expect((await server.call('GET', '/admin/settings', { as: key })).status).toBe(403)
    expect(await shown('signups_enabled')).toMatchObject({ isDefault: true })
  })

  test('403 to an operator for every restricted key, and for its reset', async () => {
    const restricted = (await list(root)).body.settings.filter((setting) => setting.superAdminOnly)
    expect(restricted).toHaveLength(19)
    for (const { key, value } of restricted) {
      expect((await put(operator, key, value)).body).toMatchObject({ code: 'staff_only' })
      expect((await reset(operator, key)).body).toMatchObject({ code: 'staff_only' })
    }
  })

  test.for(['no_such_setting', '__proto__', 'constructor', 'SIGNUPS_ENABLED', 'x'.repeat(300)])(
    '422 for the unknown key %s',
    async (key) => expect((await put(root, key, true)).body).toMatchObject({ code: 'unknown_setting' }),
  )

  test('422 for a value out of range, with the range or the options in the message', async () => {
    for (const { key, type, min, max, options } of (await list(root)).body.settings) {
      const wrong =
        type === 'number' ? [Number(min) - 1, Number(max) + 1, 1.5, String(min), null] : [17, null, {}, []]
      for (const value of wrong) {
        const { status, body } = await put(root, key, value)
        expect([status, body.code], `${key} ${value}`).toEqual([422, 'invalid_setting'])
        if (type === 'number') expect(body.error).toContain(`from ${min} to ${max}`)
        for (const option of (options as { value: string }[] | undefined) ?? [])
          expect(body.error).toContain(option.value)
      }
    }
  })

  test('changes nothing when the change cannot be recorded', async () => {
    await server.sql
      .rows`alter table audit_entries add constraint broken check (action <> 'settings.set') not valid`
    try {
      expect((await put(operator, 'runs_reap_grace_seconds', 5)).status).toBe(500)
    } finally {
      await server.sql.rows`alter table audit_entries drop constraint broken`
    }
    expect(await shown('runs_reap_grace_seconds')).toMatchObject({ value: 30, isDefault: true })
  })
})

describe('DELETE /admin/settings/{key}', () => {
  test('200 resets a setting and is audited; 404 when it has its default', async () => {
    await put(operator, 'default_skin', 'kente')
    const { status, body } = await reset(operator, 'default_skin')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ok: true,
      setting: { key: 'default_skin', value: 'indigo', source: 'default', isDefault: true },
    })
    expect((await trail())[0]).toMatchObject({
      action: 'settings.reset',
      target: 'default_skin',
      metadata: { from: 'kente', to: 'indigo', previousSource: 'operator' },
    })
    const entries = (await trail()).length
    expect((await reset(operator, 'default_skin')).status).toBe(404)
    expect((await reset(operator, 'no_such_setting')).status).toBe(404)
    expect(await trail()).toHaveLength(entries)
  })

  test('200 clears a stored key that this build does not declare', async () => {
    await server.sql.rows`
      insert into platform_settings (key, value, source, updated_at, updated_by_email)
      values ('gone_feature', '1', 'operator', now(), 'old@example.com')`
    expect((await list(support)).body.orphans).toMatchObject([{ key: 'gone_feature', value: 1 }])
    expect((await reset(operator, 'gone_feature')).body).toMatchObject({ ok: true, setting: null })
    expect((await list(support)).body.orphans).toEqual([])
  })
})
