import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAccount } from '../../identity/identity.ts'
import { STAFF_TIERS } from '../../platform/http/actor.ts'

type Operator = { userId: string; email: string; role: string; isSuperAdmin: boolean; isRoot: boolean }
type Listing = { operators: Operator[]; invites: object[] }
const ROOT = 'root@example.com'

let server: TestServer
let replica: TestServer
let chief: Person
beforeAll(async () => {
  server = await startTestServer({ variables: { SERVICE_ROOT_ADMIN_EMAIL: 'Root@Example.com' } })
  replica = await startTestServer({
    url: server.url,
    clock: server.clock,
    variables: { SERVICE_ROOT_ADMIN_EMAIL: ROOT },
  })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})
beforeEach(async () => {
  await server.sql.rows`delete from staff`
  chief = await server.person({ staff: 'super_admin' })
})

const list = async (as: Person) => (await server.call<Listing>('GET', '/admin/operators', { as })).body
const grant = (body: object, as = chief) => server.call('POST', '/admin/operators', { as, body })
const setRole = (userId: string, role: unknown, as = chief) =>
  server.call('PUT', `/admin/operators/${userId}/role`, { as, body: { role } })
const remove = (userId: string, as = chief) => server.call('DELETE', `/admin/operators/${userId}`, { as })
const tierOf = async (person: Person, on = server) =>
  (await on.call('GET', '/me', { as: person })).body.staffRole
const trail = () =>
  server.sql.rows<{ action: string; target: string; metadata: object; actor_kind: string }>`
    select action, target, metadata, actor_kind from audit_entries where org_id is null order by seq desc`
async function unverified(email: string): Promise<Person> {
  const account = await server.app.db.tx('platform', (tx) => openAccount(tx, { email, verified: false }))
  if (!account) throw new Error('the address is taken')
  return { ...account, email, bearer: account.userId }
}

describe('GET /admin/operators 200', () => {
  test('shows all staff, and only staff, to every tier', async () => {
    await server.person()
    const staff = [chief]
    for (const tier of STAFF_TIERS) {
      server.clock.advance({ seconds: 1 })
      staff.push(await server.person({ staff: tier }))
    }
    for (const person of staff) {
      const { operators } = await list(person)
      expect(operators.map(({ userId }) => userId)).toEqual(staff.map(({ userId }) => userId))
      expect(operators.map(({ role }) => role)).toEqual(['super_admin', ...STAFF_TIERS])
      expect(operators[0]).toEqual({
        userId: chief.userId,
        email: chief.email,
        role: 'super_admin',
        isSuperAdmin: true,
        isRoot: false,
      })
      expect(operators[1]).toMatchObject({ isSuperAdmin: false })
    }
  })
})

describe('POST /admin/operators 200', () => {
  test('grants access from the next request on, and is audited', async () => {
    const person = await server.person()
    expect(await tierOf(person)).toBeNull()
    const { status, body } = await grant({ email: ` ${person.email.toUpperCase()}`.trim(), role: 'billing' })
    expect(status).toBe(200)
    expect(body).toEqual({
      ok: true,
      changed: true,
      operator: {
        userId: person.userId,
        email: person.email,
        role: 'billing',
        isSuperAdmin: false,
        isRoot: false,
      },
    })
    expect([await tierOf(person), await tierOf(person, replica)]).toEqual(['billing', 'billing'])
    expect((await trail())[0]).toEqual({
      action: 'operators.grant',
      target: person.userId,
      metadata: { email: person.email, role: 'billing' },
      actor_kind: 'operator',
    })
  })

  test('grants the tier operator by default', async () => {
    const person = await server.person()
    expect((await grant({ email: person.email })).body.operator).toMatchObject({ role: 'operator' })
  })

  test('repeated has no effect and is not audited', async () => {
    const person = await server.person({ staff: 'support' })
    const before = await trail()
    const { status, body } = await grant({ email: person.email, role: 'support' })
    expect([status, body.changed]).toEqual([200, false])
    expect(await trail()).toEqual(before)
  })
})

describe('POST /admin/operators refused', () => {
  test('400 for a tier that is not a string, and without an address', async () => {
    const { email } = await server.person()
    for (const role of [null, 7, ['operator'], 'x'.repeat(51)])
      expect(await grant({ email, role })).toMatchObject({
        status: 400,
        body: { fields: [{ path: 'role' }] },
      })
    expect((await grant({ role: 'support' })).status).toBe(400)
  })

  test('403 to every other tier, customers and keys', async () => {
    const target = await server.person()
    for (const staff of ['support', 'billing', 'compliance', 'operator'] as const) {
      const reply = await grant({ email: target.email }, await server.person({ staff }))
      expect(reply.body).toMatchObject({ code: 'staff_only' })
    }
    expect((await grant({ email: target.email }, await server.person())).status).toBe(403)
    const key = await server.key(chief, ['keys:manage'])
    expect((await grant({ email: target.email }, { ...chief, ...key })).status).toBe(403)
    expect(await tierOf(target)).toBeNull()
  })

  test('404 for an address without an account', async () => {
    expect((await grant({ email: 'nobody@example.com' })).body).toMatchObject({ code: 'not_found' })
  })

  test.for(STAFF_TIERS)('409 for an account with the tier %s and another requested tier', async (tier) => {
    const person = await server.person({ staff: tier })
    for (const role of STAFF_TIERS.filter((other) => other !== tier))
      expect((await grant({ email: person.email, role })).body).toMatchObject({ code: 'already_staff' })
    expect(await tierOf(person)).toBe(tier)
  })

  test('409 for an unverified account', async () => {
    const person = await unverified('unconfirmed@example.com')
    expect((await grant({ email: person.email })).body).toMatchObject({ code: 'unverified_account' })
    expect(await tierOf(person)).toBeNull()
  })

  test.for(['god', '', 'Operator', '__proto__'])('422 for the unknown tier "%s"', async (role) => {
    const person = await server.person()
    const reply = await grant({ email: person.email, role })
    expect(reply).toMatchObject({ status: 422, body: { code: 'unknown_role' } })
    expect(await tierOf(person)).toBeNull()
  })
})

describe('PUT /admin/operators/{userId}/role 200', () => {
  test('assigns the tier from the next request on, and is audited', async () => {
    const person = await server.person({ staff: 'operator' })
    expect((await setRole(person.userId, 'support')).body).toEqual({
      ok: true,
      changed: true,
      userId: person.userId,
      role: 'support',
      previousRole: 'operator',
    })
    expect([await tierOf(person), await tierOf(person, replica)]).toEqual(['support', 'support'])
    expect((await trail())[0]).toEqual({
      action: 'operators.changeRole',
      target: person.userId,
      metadata: { email: person.email, from: 'operator', to: 'support' },
      actor_kind: 'operator',
    })
    const write = { as: person, body: { value: 'kente' } }
    expect((await server.call('PUT', '/admin/settings/default_skin', write)).status).toBe(403)
  })

  test('with the current tier has no effect and is not audited', async () => {
    const person = await server.person({ staff: 'billing' })
    const before = await trail()
    expect((await setRole(person.userId, 'billing')).body).toEqual({
      ok: true,
      changed: false,
      userId: person.userId,
      role: 'billing',
      previousRole: 'billing',
    })
    expect((await setRole(chief.userId, 'super_admin')).body).toMatchObject({ changed: false })
    expect(await trail()).toEqual(before)
  })

  test('allows a super admin to step down while another remains', async () => {
    const other = await server.person({ staff: 'super_admin' })
    expect((await setRole(chief.userId, 'operator')).body).toMatchObject({ previousRole: 'super_admin' })
    expect((await setRole(other.userId, 'operator')).status).toBe(403)
    expect((await setRole(chief.userId, 'super_admin', other)).status).toBe(200)
  })
})

describe('PUT /admin/operators/{userId}/role refused', () => {
  test.for([undefined, null, 7, ['operator'], {}, 'x'.repeat(51)])('400 for the role %o', async (role) => {
    const person = await server.person({ staff: 'support' })
    expect((await setRole(person.userId, role)).body).toMatchObject({
      code: 'invalid_fields',
      fields: [{ path: 'role' }],
    })
  })

  test('403 to every other tier, even for oneself', async () => {
    for (const staff of ['support', 'billing', 'compliance', 'operator'] as const) {
      const person = await server.person({ staff })
      expect((await setRole(person.userId, 'super_admin', person)).status).toBe(403)
      expect(await tierOf(person)).toBe(staff)
    }
  })

  test('404 for a customer and an unknown user', async () => {
    const customer = await server.person()
    for (const id of [customer.userId, 'usr_00000000000000000000000000', 'nonsense'])
      expect((await setRole(id, 'support')).body).toMatchObject({ code: 'not_found' })
    expect(await tierOf(customer)).toBeNull()
  })

  test.for(['support', 'billing', 'compliance', 'operator'])(
    '409 when the last super admin would become %s',
    async (role) => {
      await server.person({ staff: 'operator' })
      expect((await setRole(chief.userId, role)).body).toMatchObject({ code: 'last_super_admin' })
      expect(await tierOf(chief)).toBe('super_admin')
    },
  )

  test.for(['god', '', 'Operator', 'SUPER_ADMIN', 'super admin', '__proto__'])(
    '422 for the unknown tier "%s", which says what there is',
    async (role) => {
      const person = await server.person({ staff: 'support' })
      const { status, body } = await setRole(person.userId, role)
      expect([status, body.code]).toEqual([422, 'unknown_role'])
      for (const tier of STAFF_TIERS) expect(body.error).toContain(tier)
      expect(await tierOf(person)).toBe('support')
    },
  )
})

describe('DELETE /admin/operators/{userId}', () => {
  test('200 removes access from the next request on; the account stays', async () => {
    const person = await server.person({ staff: 'operator' })
    expect(await remove(person.userId)).toMatchObject({ status: 200, body: { ok: true } })
    expect([await tierOf(person), await tierOf(person, replica)]).toEqual([null, null])
    expect((await server.call('GET', '/admin/operators', { as: person })).status).toBe(403)
    expect((await trail())[0]).toEqual({
      action: 'operators.remove',
      target: person.userId,
      metadata: { email: person.email, role: 'operator' },
      actor_kind: 'operator',
    })
  })

  test('200 for oneself while another super admin remains', async () => {
    await server.person({ staff: 'super_admin' })
    expect((await remove(chief.userId)).status).toBe(200)
    expect(await tierOf(chief)).toBeNull()
  })

  test('403 to every other tier', async () => {
    for (const staff of ['support', 'billing', 'compliance', 'operator'] as const)
      expect((await remove(chief.userId, await server.person({ staff }))).status).toBe(403)
  })

  test('404 for a customer, an unknown user, and a repeated call', async () => {
    const [customer, person] = [await server.person(), await server.person({ staff: 'support' })]
    await remove(person.userId)
    for (const id of [customer.userId, person.userId, 'nonsense'])
      expect((await remove(id)).body).toMatchObject({ code: 'not_found' })
  })

  test('409 for the last super admin and the last staff member', async () => {
    const person = await server.person({ staff: 'operator' })
    expect((await remove(chief.userId)).body).toMatchObject({ code: 'last_super_admin' })
    await remove(person.userId)
    expect((await remove(chief.userId)).body).toMatchObject({ code: 'last_operator' })
    expect(await tierOf(chief)).toBe('super_admin')
  })
})

describe('the root administrator', () => {
  test('is a super admin without a staff row once the address is verified, not before', async () => {
    const early = await unverified(ROOT)
    expect(await tierOf(early)).toBeNull()
    expect((await server.call('GET', '/admin/operators', { as: early })).status).toBe(403)
    expect((await list(chief)).operators.map(({ email }) => email)).not.toContain(ROOT)
    // Not counted before verification, so the last super admin in the table cannot be removed.
    await server.person({ staff: 'support' })
    expect((await setRole(chief.userId, 'support')).body).toMatchObject({ code: 'last_super_admin' })
    expect((await setRole(early.userId, 'support')).body).toMatchObject({ code: 'root_admin' })

    await server.sql.rows`update users set verified_at = ${server.clock.now()} where email = ${ROOT}`
    expect(await tierOf(early)).toBe('super_admin')
    expect((await list(chief)).operators.find(({ email }) => email === ROOT)).toEqual({
      userId: early.userId,
      email: ROOT,
      role: 'super_admin',
      isSuperAdmin: true,
      isRoot: true,
    })
  })

  test('has all super admin rights after the first sign-in on an empty platform', async () => {
    const fresh = await startTestServer({ variables: { SERVICE_ROOT_ADMIN_EMAIL: ROOT } })
    try {
      const [visitor, other] = [fresh.visitor(), fresh.visitor()]
      await visitor.call('POST', '/auth/dev-login', { body: { email: ROOT } })
      await other.call('POST', '/auth/dev-login', { body: { email: 'root@example.com.evil.example' } })
      expect((await other.call('GET', '/me')).body).toMatchObject({ staffRole: null, isSuperAdmin: false })
      expect((await visitor.call('GET', '/me')).body).toMatchObject({
        staffRole: 'super_admin',
        isSuperAdmin: true,
        isPlatformAdmin: true,
      })
      const person = await fresh.person()
      const granted = await visitor.call('POST', '/admin/operators', {
        body: { email: person.email, role: 'super_admin' },
      })
      expect(granted.status).toBe(200)
    } finally {
      await fresh.close()
    }
  })

  test('counts as a super admin, so the last one in the table can be removed', async () => {
    await server.visitor().call('POST', '/auth/dev-login', { body: { email: ROOT } })
    expect((await setRole(chief.userId, 'support')).status).toBe(200)
  })

  test('409 for every attempt to demote, remove or change them', async () => {
    await server.visitor().call('POST', '/auth/dev-login', { body: { email: ROOT } })
    const id = (await list(chief)).operators.find(({ isRoot }) => isRoot)?.userId ?? ''
    const attempts = async () => [
      (await setRole(id, 'support')).body.code,
      (await setRole(id, 'super_admin')).body.code,
      (await remove(id)).body.code,
      (await grant({ email: ROOT, role: 'support' })).body.code,
    ]
    expect(await attempts()).toEqual(['root_admin', 'root_admin', 'root_admin', 'already_staff'])
    expect((await grant({ email: ROOT, role: 'super_admin' })).body).toMatchObject({ changed: false })
    await server.sql.rows`insert into staff (user_id, role, created_at) values (${id}, 'support', now())`
    expect(await attempts()).toEqual(['root_admin', 'root_admin', 'root_admin', 'already_staff'])
    expect((await list(chief)).operators.find(({ isRoot }) => isRoot)?.role).toBe('super_admin')
  })
})
