import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { findActiveComp } from './comps.ts'

let server: TestServer
let staff: Person
let org: Person
beforeAll(async () => {
  server = await startTestServer()
  staff = await server.person({ staff: 'billing' })
})
afterAll(() => server.close())

const GIFT = { planCode: 'team', reason: 'A partner.' }
const path = ({ orgId }: Pick<Person, 'orgId'>) => `/admin/orgs/${orgId}/comp`
const give = (to: Pick<Person, 'orgId'>, body: object = GIFT, as = staff) =>
  server.call('POST', path(to), { as, body })
const inForce = ({ orgId }: Person) =>
  server.app.db.tx(orgId, (tx) => findActiveComp(tx, orgId, server.clock.now()))
const recorded = ({ orgId }: Person) => server.sql.rows<Record<string, unknown>>`
  select action, actor_kind as kind, actor_user_id as actor, metadata from audit_entries
  where org_id = ${orgId} and action like 'admin.comps.%' order by seq`

test('a comp is shown, applies while it lasts, and is in the audit log of the organisation', async () => {
  org = await server.person()
  const until = new Date(server.clock.now().getTime() + 86_400_000)
  expect(await inForce(org)).toBeNull()
  const { status, body } = await give(org, { ...GIFT, until: until.toISOString() })
  expect([status, body]).toMatchObject([
    200,
    { comp: { planCode: 'team', until: until.toISOString(), inForce: true, grantedBy: staff.userId } },
  ])
  expect(await inForce(org)).toEqual({ planCode: 'team', until })
  const support = await server.person({ staff: 'support' })
  expect((await server.call('GET', path(org), { as: support })).body).toEqual(body)
  expect(await recorded(org)).toMatchObject([
    {
      ...{ action: 'admin.comps.grant', kind: 'operator', actor: staff.userId },
      metadata: { planCode: 'team', reason: 'A partner.', replaced: null },
    },
  ])
  server.clock.advance({ days: 1 })
  expect(await inForce(org)).toBeNull()
  expect((await server.call('GET', path(org), { as: staff })).body).toMatchObject({
    comp: { inForce: false },
  })
})

test('a second comp replaces the first, and revoking removes it', async () => {
  org = await server.person()
  await give(org)
  await give(org, { ...GIFT, planCode: 'enterprise' })
  expect(await inForce(org)).toEqual({ planCode: 'enterprise', until: null })
  const revoked = await server.call('DELETE', path(org), { as: staff })
  expect([revoked.status, revoked.body]).toEqual([200, { ok: true }])
  expect(await inForce(org)).toBeNull()
  expect((await server.call('DELETE', path(org), { as: staff })).status).toBe(404)
  expect((await server.call('GET', path(org), { as: staff })).body).toEqual({ comp: null })
  expect((await recorded(org)).map(({ action }) => action)).toEqual([
    ...['admin.comps.grant', 'admin.comps.grant', 'admin.comps.revoke'],
  ])
})

test('a comp applies to one organisation only', async () => {
  org = await server.person()
  await give(org)
  const other = await server.person()
  expect(await inForce(other)).toBeNull()
  const foreign = await server.app.db.tx(other.orgId, (tx) =>
    findActiveComp(tx, org.orgId, server.clock.now()),
  )
  expect(foreign).toBeNull()
})

test('only a super admin may comp their own organisation', async () => {
  expect(await give(staff)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const highest = await server.person({ staff: 'super_admin' })
  expect((await give(highest, GIFT, highest)).status).toBe(200)
})

test.for<[string, object]>([
  ['the free plan', { ...GIFT, planCode: 'free' }],
  ['an unknown plan', { ...GIFT, planCode: 'gold' }],
  ['no reason', { planCode: 'team' }],
  ['a blank reason', { ...GIFT, reason: ' ' }],
  ['an end in the past', { ...GIFT, until: '2020-01-01' }],
  ['an end that is not a time', { ...GIFT, until: 'soon' }],
])('%s is rejected', async ([, body]) => {
  const person = await server.person()
  expect(await give(person, body)).toMatchObject({ status: 400, body: { code: 'invalid_fields' } })
  expect(await inForce(person)).toBeNull()
})

test('an unknown organisation gets no comp, and only some staff roles may grant one', async () => {
  const nobody = { orgId: newId('org') }
  expect((await give(nobody)).status).toBe(404)
  expect((await server.call('GET', path(nobody), { as: staff })).status).toBe(404)
  const person = await server.person()
  for (const staff of ['support', 'compliance'] as const)
    expect((await give(person, GIFT, await server.person({ staff }))).status).toBe(403)
  expect((await give(person, GIFT, person)).status).toBe(403)
})

test('a comp worth more than the limit of staff is given after the approval of another one', async () => {
  org = await server.person()
  const admin = await server.person({ staff: 'super_admin' })
  const approver = await server.person({ staff: 'operator' })
  const setLimit = (value: number) =>
    server.call('PUT', '/admin/settings/staff_approval_limit_minor', { as: admin, body: { value } })
  // Two months of the plan.
  await setLimit(6_400_000)
  const until = (days: number) => new Date(server.clock.now().getTime() + days * 86_400_000).toISOString()
  expect((await give(org, { ...GIFT, until: until(50) })).status).toBe(200)
  const asked = await give(org, { ...GIFT, reason: 'A partner for years.' })
  expect(asked).toMatchObject({ status: 403, body: { code: 'approval_required' } })
  expect(await inForce(org)).toMatchObject({ until: expect.any(Date) })
  const { approvals } = (
    await server.call<{ approvals: object[] }>('GET', '/admin/approvals', { as: approver })
  ).body
  expect(approvals).toMatchObject([
    { kind: 'admin.comps.grant', amountMinor: 12n * 3_200_000n, reason: 'A partner for years.' },
  ])
  const { status } = await server.call('POST', `/admin/approvals/${asked.body.approvalId}/decide`, {
    as: approver,
    body: { decision: 'approve' },
    headers: { 'idempotency-key': 'approve-comp' },
  })
  expect(status).toBe(200)
  expect(await inForce(org)).toEqual({ planCode: 'team', until: null })
  expect((await recorded(org)).at(-1)).toMatchObject({
    actor: staff.userId,
    metadata: { approvedBy: approver.email },
  })
  await setLimit(0)
})

test('the seats of the members count towards the limit of staff', async () => {
  org = await server.person({ type: 'team' })
  for (let count = 0; count < 6; count++) await server.member(org.orgId, 'member')
  const admin = await server.person({ staff: 'super_admin' })
  const setLimit = (value: number) =>
    server.call('PUT', '/admin/settings/staff_approval_limit_minor', { as: admin, body: { value } })
  const giver = await server.person({ staff: 'billing' })
  const until = new Date(server.clock.now().getTime() + 86_400_000).toISOString()
  // One month of the plan, and two seats that it does not include.
  await setLimit(3_200_000 + 2 * 600_000 - 1)
  expect(await give(org, { ...GIFT, until }, giver)).toMatchObject({ body: { code: 'approval_required' } })
  await setLimit(3_200_000 + 2 * 600_000)
  expect((await give(org, { ...GIFT, until }, giver)).status).toBe(200)
  await setLimit(0)
})
