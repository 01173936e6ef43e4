import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { present } from '../../kernel/assert.ts'
import { newId } from '../../kernel/ids.ts'

type Policy = Record<string, unknown>
type Said = {
  policy: Policy
  warnings: string[]
  code?: string
  fields?: { path: string; message: string }[]
}

let server: TestServer
let operator: Person
let ada: Person
beforeAll(async () => {
  server = await startTestServer()
  operator = await server.person({ staff: 'operator' })
})
beforeEach(async () => {
  ada = await server.person()
})
afterAll(() => server.close())

const path = (orgId: string = ada.orgId) => `/orgs/${orgId}/policy`
const get = (as = operator) => server.call<Said>('GET', path(), { as })
const put = (body: object, as = operator) => server.call<Said>('PUT', path(), { as, body })
const trail = () => server.sql.rows<{ metadata: { before: Policy; after: Policy } }>`
  select action, target, metadata, actor_kind as kind, actor_user_id as actor from audit_entries
  where org_id = ${ada.orgId} order by seq`

const BEGUN = {
  tier: 'individual',
  planTier: 'individual',
  tierFrom: 'plan',
  dataIsolation: 'shared',
  isolationStatus: 'settled',
  residencyRegion: null,
  allowedLanes: ['open', 'frontier'],
  allowedModels: null,
  ssoRequired: false,
  groupRoleMap: null,
  updatedAt: null,
}

describe('GET', () => {
  test('shows the policy to every staff role, also before any change', async () => {
    const support = await server.person({ staff: 'support' })
    expect(await get(support)).toMatchObject({
      status: 200,
      body: { policy: { orgId: ada.orgId, ...BEGUN } },
    })
  })

  test('is refused to the organisation, and 404 for an unknown one', async () => {
    expect(await get(ada)).toMatchObject({ status: 403, body: { code: 'staff_only' } })
    for (const orgId of [newId('org'), 'nothing'])
      expect((await server.call('GET', path(orgId), { as: operator })).status).toBe(404)
  })
})

describe('PUT', () => {
  const WISHED = {
    tier: 'enterprise',
    residencyRegion: 'eu-west-1',
    allowedLanes: ['open'],
    allowedModels: ['open', 'claude-*'],
    ssoRequired: true,
    groupRoleMap: { 'cowrie-admins': 'admin', token: 'member' },
  }

  test('changes the given fields, returns them and audits the difference', async () => {
    const { status, body } = await put({ orgId: ada.orgId, dataIsolation: 'shared', ...WISHED })
    const updatedAt = server.clock.now().toISOString()
    const policy = { ...BEGUN, orgId: ada.orgId, ...WISHED, tierFrom: 'policy', updatedAt }
    expect([status, body.policy]).toEqual([200, policy])
    expect((await get()).body).toEqual({ policy })
    expect(await trail()).toEqual([
      {
        ...{ action: 'policy.change', target: ada.orgId, kind: 'operator', actor: operator.userId },
        metadata: {
          before: {
            ...{ tier: 'individual', tierFrom: 'plan', residencyRegion: null, ssoRequired: false },
            ...{ allowedLanes: ['open', 'frontier'], allowedModels: null, groupRoleMap: null },
          },
          after: {
            ...{ tier: 'enterprise', tierFrom: 'policy', residencyRegion: 'eu-west-1', ssoRequired: true },
            ...{ allowedLanes: ['open'], allowedModels: ['open', 'claude-*'] },
            groupRoleMap: { count: 2, entries: ['cowrie-admins: admin', 'token: member'] },
          },
        },
      },
    ])
  })

  test('keeps omitted fields, and audits nothing without a change', async () => {
    await put(WISHED)
    const { body } = await put({ residencyRegion: null })
    expect(body.policy).toMatchObject({ ...WISHED, residencyRegion: null })
    const { policy } = (await get()).body
    for (const same of [
      {},
      policy,
      { allowedLanes: ['open'] },
      { groupRoleMap: { token: 'member', 'cowrie-admins': 'admin' } },
    ])
      expect(await put(same)).toMatchObject({ status: 200, body: { policy } })
    expect((await trail()).map(({ metadata }) => metadata.after)).toEqual([
      expect.anything(),
      { residencyRegion: null },
    ])
    expect((await put({ groupRoleMap: null })).body.policy).toMatchObject({ groupRoleMap: null })
  })

  test('accepts lanes in any order', async () => {
    expect((await put({ allowedLanes: ['frontier', 'open'] })).body.policy).toMatchObject(BEGUN)
    expect(await trail()).toEqual([])
  })

  test.for<[string, object, string]>([
    ['another organisation than in the path', { orgId: newId('org') }, 'orgId'],
    ['an unknown tier', { tier: 'gold' }, 'tier'],
    ['an unknown isolation', { dataIsolation: 'cellar' }, 'dataIsolation'],
    ['no lane', { allowedLanes: [] }, 'allowedLanes'],
    ['no open lane', { allowedLanes: ['frontier'] }, 'allowedLanes'],
    ['a lane twice', { allowedLanes: ['open', 'open'] }, 'allowedLanes'],
    ['an empty region', { residencyRegion: '' }, 'residencyRegion'],
    ['a region of one letter', { residencyRegion: 'x' }, 'residencyRegion'],
    ['a region with spaces', { residencyRegion: 'eu west' }, 'residencyRegion'],
    ['a region with a line break', { residencyRegion: 'eu\n' }, 'residencyRegion'],
    ['a region of 41 letters', { residencyRegion: 'x'.repeat(41) }, 'residencyRegion'],
    ['a string instead of true', { ssoRequired: 'yes' }, 'ssoRequired'],
    ['null for a field without null', { ssoRequired: null }, 'ssoRequired'],
    ['a list of groups', { groupRoleMap: ['admin'] }, 'groupRoleMap'],
    ['an empty group name', { groupRoleMap: { '': 'admin' } }, 'groupRoleMap.'],
    [
      'a group with a very long name',
      { groupRoleMap: { ['x'.repeat(201)]: 'admin' } },
      `groupRoleMap.${'x'.repeat(201)}`,
    ],
    ['an unknown role', { groupRoleMap: { all: 'boss' } }, 'groupRoleMap.all'],
    [
      'more than 200 groups',
      { groupRoleMap: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`g${i}`, 'member'])) },
      'groupRoleMap',
    ],
  ])('refuses %s without a change', async ([, wrong, field]) => {
    const { status, body } = await put({ tier: 'team', ...wrong })
    expect([status, body.code, body.fields?.map((each) => each.path)]).toEqual([
      400,
      'invalid_fields',
      [field],
    ])
    expect((await get()).body.policy).toMatchObject(BEGUN)
  })

  test('explains why a group cannot have the role owner', async () => {
    const { status, body } = await put({ groupRoleMap: { bosses: 'owner' } })
    expect(status).toBe(400)
    expect(body.fields).toMatchObject([
      { path: 'groupRoleMap.bosses', message: expect.stringContaining('only an owner can appoint') },
    ])
  })

  test('audits the changed groups, also of the largest maps', async () => {
    const map = (role: string) =>
      Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${i} ${'ẹ'.repeat(190)}`, role]))
    await put({ groupRoleMap: map('member') })
    const other = { ...map('admin'), [`0 ${'ẹ'.repeat(190)}`]: 'member' }
    expect((await put({ groupRoleMap: other, tier: 'team' })).body.policy).toMatchObject({
      groupRoleMap: other,
    })
    const { before, after } = present((await trail())[1], 'the second change has a trace').metadata
    expect(before).toMatchObject({ tier: 'individual', groupRoleMap: { count: 200 } })
    expect(after).toMatchObject({ tier: 'team', groupRoleMap: { count: 200 } })
    const { entries, unnamed } = after.groupRoleMap as { entries: string[]; unnamed: number }
    expect(entries.length + unnamed).toBe(199)
    expect(entries[0]).toBe(`1 ${'ẹ'.repeat(190)}: admin`)
  })

  test.for(['support', 'billing', 'compliance'] as const)('is refused to %s', async (staff) => {
    const person = await server.person({ staff })
    expect(await put({ tier: 'team' }, person)).toMatchObject({ status: 403, body: { code: 'staff_only' } })
  })

  test('is refused to members of the organisation, except super admins', async () => {
    const both = await server.person({ staff: 'operator' })
    expect((await put({ tier: 'team' }, both)).status).toBe(200)
    const own = { as: both, body: { tier: 'enterprise' } }
    const refused = await server.call('PUT', path(both.orgId), own)
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    await server.sql.rows`update staff set role = 'super_admin' where user_id = ${both.userId}`
    expect((await server.call('PUT', path(both.orgId), own)).status).toBe(200)
  })

  test('is 404 for an unknown and a closed organisation', async () => {
    await server.sql.rows`update orgs set closed_at = ${server.clock.now()} where id = ${ada.orgId}`
    for (const orgId of [newId('org'), 'nothing', ada.orgId]) {
      const reply = await server.call('PUT', path(orgId), { as: operator, body: { tier: 'team' } })
      expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect((await get()).status).toBe(200)
  })

  test('sees the result of a concurrent change', async () => {
    const tiers = ['team', 'enterprise', 'individual', 'team', 'enterprise']
    await Promise.all(tiers.map((tier) => put({ tier })))
    const chain = (await trail()).map(({ metadata }) => metadata)
    expect(chain[0]?.before.tier).toBe('individual')
    for (const [i, { before }] of chain.entries())
      if (i > 0) expect(before.tier).toBe(chain[i - 1]?.after.tier)
    expect((await get()).body.policy.tier).toBe(chain.at(-1)?.after.tier)
  })
})

describe('a warning', () => {
  const warned = async (body: object) => (await put(body)).body.warnings

  test('is given when required single sign-on cannot be used', async () => {
    expect(await warned({ ssoRequired: true })).toEqual([expect.stringContaining('no connection is enabled')])
    await server.sql.rows`
      insert into sso_connections (id, org_id, type, enabled, issuer, client_id, created_at, updated_at)
      values (${newId('sso')}, ${ada.orgId}, 'oidc', false, 'https://idp.example.com', 'x', ${server.clock.now()}, ${server.clock.now()})`
    expect(await warned({})).toEqual([expect.stringContaining('no connection is enabled')])
    await server.sql.rows`update sso_connections set enabled = true where org_id = ${ada.orgId}`
    expect(await warned({})).toEqual([expect.stringContaining('no domain is verified')])
    await server.sql.rows`
      insert into sso_domains (org_id, domain, token, created_at, verified_at)
      values (${ada.orgId}, ${`${ada.orgId.toLowerCase()}.test`}, 'x', ${server.clock.now()}, ${server.clock.now()})`
    expect(await warned({})).toEqual([])
  })

  test('is given when no model is approved for the region', async () => {
    expect(await warned({ residencyRegion: 'ng' })).toEqual([
      expect.stringContaining('upstream_open_noprc_model'),
    ])
    expect(await warned({ residencyRegion: null })).toEqual([])
  })

  test('is given when the organisation pays for a higher tier', async () => {
    await server.sql
      .rows`update orgs set plan_tier = 'enterprise', tier = 'enterprise' where id = ${ada.orgId}`
    expect(await warned({ tier: 'team' })).toEqual([expect.stringContaining('pays for enterprise')])
    expect(await warned({ tier: 'enterprise' })).toEqual([])
  })
})
