import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLink, openAccount, openAccountWithoutOrg, peekLink } from '../../identity/identity.ts'
import type { StaffTier } from '../../platform/http/actor.ts'
import { inviteStaff } from './invites.ts'

type Invite = { id: string; email: string; role: string; expiresAt: string }
type Invited = { invite: Invite; devToken: string }
const PASSWORD = 'three pelicans in April'

let server: TestServer
let replica: TestServer
let chief: Person
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
  chief = await server.person({ email: 'chief@example.com', staff: 'super_admin' })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

let addresses = 0
const newAddress = () => `newcomer${++addresses}@example.com`
const invite = (email: string, role?: StaffTier, as = chief) =>
  server.call<Invited>('POST', '/admin/operators/invite', { as, body: { email, ...(role && { role }) } })
const revoke = (id: string, as = chief) => server.call('POST', `/admin/operators/invite/${id}/revoke`, { as })
const accept = (token: string, password?: string, on = server) =>
  on.call<{ userId: string; role: string; code?: string }>('POST', '/auth/operator-invite/accept', {
    body: { token, ...(password !== undefined && { password }) },
  })
const waiting = async () =>
  (await server.call<{ invites: Invite[] }>('GET', '/admin/operators', { as: chief })).body.invites
const staffRoleOf = async (email: string) =>
  (
    await server.sql.maybe<{ role: string }>`
      select f.role from staff f join users u on u.id = f.user_id where u.email = ${email}`
  )?.role
const trail = () =>
  server.sql.rows<{ action: string; target: string; metadata: object; actor_kind: string }>`
    select action, target, metadata, actor_kind from audit_entries where org_id is null order by seq desc`
const passwordHashOf = async (email: string) =>
  (
    await server.sql.one<{ hash: string | null }>`
      select password_hash as hash from users where email = ${email}`
  ).hash

describe('POST /admin/operators/invite 201', () => {
  test('creates an invitation for seven days, lists it, mails its link and is audited', async () => {
    const email = newAddress()
    const { status, body } = await invite(email.toUpperCase(), 'billing')
    expect(status).toBe(201)
    const now = server.clock.now()
    const made = {
      id: expect.stringMatching(/^oin_/),
      email,
      role: 'billing',
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + 7 * 86_400_000).toISOString(),
      invitedByEmail: chief.email,
    }
    expect(body).toEqual({ invite: made, devToken: expect.stringMatching(/^[\w-]{43}$/) })
    expect(await waiting()).toContainEqual(body.invite)
    await server.app.jobs.drain()
    const outbox = await server.call<{ mails: { text: string }[] }>('GET', '/dev/outbox', {
      query: { to: email },
    })
    expect(outbox.body.mails).toHaveLength(1)
    expect(outbox.body.mails[0]?.text).toContain(
      `http://cowrie.test/app/operator-invite#token=${body.devToken}`,
    )
    expect((await trail())[0]).toEqual({
      action: 'operators.invite',
      target: body.invite.id,
      metadata: { email, role: 'billing' },
      actor_kind: 'operator',
    })
  })

  test('stores no token in tables, audit log or log', async () => {
    const { body } = await invite(newAddress())
    await accept(body.devToken, PASSWORD)
    const kept = await server.sql.rows`
      select row_to_json(i)::text as text from staff_invites i union all
      select row_to_json(a)::text from audit_entries a union all select row_to_json(j)::text from jobs j`
    const everything = JSON.stringify([kept, server.logged])
    expect(everything).toContain(body.invite.id)
    expect(everything).not.toContain(body.devToken)
    expect(everything).not.toContain(PASSWORD)
  })

  test('invites operators by default', async () => {
    expect((await invite(newAddress())).body.invite.role).toBe('operator')
  })

  test('only the newest invitation to an address works', async () => {
    const email = newAddress()
    const older = await invite(email, 'super_admin')
    const newer = await invite(email, 'support')
    expect((await waiting()).filter((each) => each.email === email)).toEqual([newer.body.invite])
    expect((await accept(older.body.devToken, PASSWORD)).body.code).toBe('invite_invalid')
    expect((await accept(newer.body.devToken, PASSWORD)).body.role).toBe('support')
  })

  test('in production only the mail contains the token', async () => {
    const { app } = server
    const production = { ...app, config: { ...app.config, environment: 'production' as const } }
    const actor = { ...chief, staffRole: 'super_admin' } as unknown as Parameters<typeof inviteStaff>[1]
    const made = await inviteStaff(production, actor, newAddress(), 'operator', '127.0.0.1')
    expect(Object.keys(made)).toEqual(['invite'])
  })
})

describe('POST /admin/operators/invite refused', () => {
  test.for([null, 7, ['operator'], 'x'.repeat(51)])('400 for the role %o', async (role) => {
    const body = { email: newAddress(), role }
    const reply = await server.call('POST', '/admin/operators/invite', { as: chief, body })
    expect(reply).toMatchObject({ status: 400, body: { fields: [{ path: 'role' }] } })
  })

  test('403 to every other tier', async () => {
    const email = newAddress()
    for (const staff of ['support', 'billing', 'compliance', 'operator'] as const) {
      const person = await server.person({ staff })
      expect((await invite(email, 'operator', person)).status).toBe(403)
    }
    expect((await waiting()).map((each) => each.email)).not.toContain(email)
  })

  test('409 for existing staff', async () => {
    const person = await server.person({ staff: 'support' })
    expect((await invite(person.email, 'operator')).body).toMatchObject({ code: 'already_staff' })
  })

  test('422 for an unknown tier', async () => {
    expect(await invite(newAddress(), 'god' as StaffTier)).toMatchObject({
      status: 422,
      body: { code: 'unknown_role' },
    })
  })
})

describe('POST /admin/operators/invite/{id}/revoke', () => {
  test('200 revokes: removes it from the list and invalidates its token', async () => {
    const { body } = await invite(newAddress())
    expect(await revoke(body.invite.id)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await trail())[0]).toMatchObject({ action: 'operators.revokeInvite', target: body.invite.id })
    expect((await waiting()).map(({ id }) => id)).not.toContain(body.invite.id)
    expect((await accept(body.devToken, PASSWORD)).body.code).toBe('invite_invalid')
  })

  test('403 to every other tier', async () => {
    const { body } = await invite(newAddress())
    for (const staff of ['support', 'billing', 'compliance', 'operator'] as const)
      expect((await revoke(body.invite.id, await server.person({ staff }))).status).toBe(403)
    expect((await accept(body.devToken, PASSWORD)).status).toBe(200)
  })

  test('404 for an unknown, revoked, used or expired invitation', async () => {
    const [gone, used, expired] = [
      await invite(newAddress()),
      await invite(newAddress()),
      await invite(newAddress()),
    ]
    await revoke(gone.body.invite.id)
    await accept(used.body.devToken, PASSWORD)
    server.clock.advance({ days: 7 })
    const ids = ['nonsense', ...[gone, used, expired].map(({ body }) => body.invite.id)]
    for (const id of ids) expect((await revoke(id)).body).toMatchObject({ code: 'not_found' })
  })
})

describe('POST /auth/operator-invite/accept 200', () => {
  test('opens a verified account with the password and a personal organisation, without a session', async () => {
    const email = newAddress()
    const { body } = await invite(email, 'compliance')
    const reply = await accept(body.devToken, PASSWORD)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ ok: true, userId: expect.stringMatching(/^usr_/), role: 'compliance' })
    expect(reply.headers['set-cookie']).toBeUndefined()
    const me = await server.call('GET', '/me', { as: { bearer: reply.body.userId } })
    expect(me.body).toMatchObject({ email, staffRole: 'compliance', role: 'owner', orgType: 'individual' })
    expect(await passwordHashOf(email)).toMatch(/^\$argon2id\$/)
    const signedIn = await server.call('POST', '/auth/login', { body: { email, password: PASSWORD } })
    expect(signedIn.status).toBe(200)
    expect((await trail())[0]).toEqual({
      action: 'operators.acceptInvite',
      target: reply.body.userId,
      metadata: { invite: body.invite.id, role: 'compliance' },
      actor_kind: 'user',
    })
    expect((await waiting()).map(({ id }) => id)).not.toContain(body.invite.id)
  })

  test('promotes an existing account and keeps its password', async () => {
    const person = await server.person({ email: newAddress() })
    await server.sql.rows`update users set password_hash = 'theirs' where id = ${person.userId}`
    const { body } = await invite(person.email, 'super_admin')
    const reply = await accept(body.devToken, PASSWORD)
    expect(reply.body).toEqual({ ok: true, userId: person.userId, role: 'super_admin' })
    expect(await passwordHashOf(person.email)).toBe('theirs')
    expect((await server.call('GET', '/me', { as: person })).body).toMatchObject({ isSuperAdmin: true })
  })

  test('claims an unverified account from its earlier registrant', async () => {
    const email = newAddress()
    const stranger = await server.app.db.tx('platform', (tx) =>
      openAccount(tx, { email, verified: false, passwordHash: 'known to a stranger' }),
    )
    const kinds = ['verify', 'reset', 'magic', 'invitation'] as const
    const links = await server.app.db.tx('platform', async (tx) => {
      const made: string[] = []
      for (const kind of kinds)
        made.push((await createLink(tx, { kind, userId: stranger?.userId ?? 'usr_' })).token)
      return made
    })
    const { body } = await invite(email)
    expect((await accept(body.devToken)).body.code).toBe('password_required')
    expect(await staffRoleOf(email)).toBeUndefined()
    const reply = await accept(body.devToken, PASSWORD)
    expect(reply.body).toMatchObject({ userId: stranger?.userId, role: 'operator' })
    expect(await passwordHashOf(email)).toMatch(/^\$argon2id\$/)
    const now = server.clock.now()
    for (const token of links) expect(await peekLink(server.app.db.direct, kinds, token, now)).toBeNull()
  })

  test('an address that a team had invited starts in a personal organisation', async () => {
    const email = newAddress()
    const team = await server.person({ type: 'team' })
    const userId = await server.app.db.tx('platform', (tx) =>
      openAccountWithoutOrg(tx, { email, verified: false }),
    )
    await server.sql.rows`
      insert into memberships (org_id, user_id, role, created_at)
      values (${team.orgId}, ${userId}, 'member', ${server.clock.now()})`
    const { body } = await invite(email)
    expect((await accept(body.devToken, PASSWORD)).body).toMatchObject({ userId })
    const browser = server.visitor()
    await browser.call('POST', '/auth/login', { body: { email, password: PASSWORD } })
    expect((await browser.call('GET', '/me')).body).toMatchObject({
      staffRole: 'operator',
      role: 'owner',
      orgType: 'individual',
    })
  })

  test.for([
    ['support', 'super_admin', 'super_admin'],
    ['billing', 'compliance', 'compliance'],
    ['operator', 'support', 'operator'],
    ['super_admin', 'operator', 'super_admin'],
  ] as const)('an invitation as %s to an account that became %s results in %s', async ([as, held, after]) => {
    const person = await server.person({ email: newAddress() })
    const { body } = await invite(person.email, as)
    await server.sql
      .rows`insert into staff (user_id, role, created_at) values (${person.userId}, ${held}, now())`
    expect((await accept(body.devToken)).body).toMatchObject({ userId: person.userId, role: after })
    expect(await staffRoleOf(person.email)).toBe(after)
    expect((await accept(body.devToken)).body.code).toBe('invite_invalid')
  })
})

describe('POST /auth/operator-invite/accept 400', () => {
  test('returns the same error for a wrong, expired, used or revoked invitation', async () => {
    const [used, revoked, expired] = [
      await invite(newAddress()),
      await invite(newAddress()),
      await invite(newAddress()),
    ]
    await accept(used.body.devToken, PASSWORD)
    await revoke(revoked.body.invite.id)
    server.clock.advance({ days: 7, ms: -1 })
    expect((await accept(expired.body.devToken)).body.code).toBe('password_required')
    server.clock.advance({ ms: 1 })
    const tokens = ['wrong', 'x'.repeat(43), ...[used, revoked, expired].map(({ body }) => body.devToken)]
    const answers = []
    for (const token of tokens) {
      const { status, body } = await accept(token, PASSWORD)
      answers.push({ ...body, requestId: '', status })
    }
    expect(answers).toEqual(
      Array(5).fill({ status: 400, code: 'invite_invalid', error: expect.any(String), requestId: '' }),
    )
    expect(await staffRoleOf(expired.body.invite.email)).toBeUndefined()
  })

  test('a missing or weak password is refused and leaves the invitation valid', async () => {
    const email = newAddress()
    const { body } = await invite(email)
    expect((await accept(body.devToken)).body.code).toBe('password_required')
    expect((await accept(body.devToken, 'short')).status).toBe(400)
    expect((await accept(body.devToken, 'password1')).body.code).toBe('weak_password')
    expect(await server.sql.rows`select id from users where email = ${email}`).toEqual([])
    expect((await accept(body.devToken, PASSWORD)).status).toBe(200)
  })

  test('the token is read only from the body', async () => {
    const { body } = await invite(newAddress())
    const reply = await server.call('POST', `/auth/operator-invite/accept?token=${body.devToken}`, {
      body: { password: PASSWORD },
    })
    expect(reply.body).toMatchObject({ code: 'invalid_fields', fields: [{ path: 'token' }] })
  })
})

describe('concurrent calls:', () => {
  test('one of many acceptances of an invitation on two replicas succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const email = newAddress()
      const { body } = await invite(email)
      const replies = await Promise.all(
        Array.from({ length: 4 }, (_, i) => accept(body.devToken, PASSWORD, i % 2 ? server : replica)),
      )
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
      const accounts = await server.sql.rows`select id from users where email = ${email}`
      expect(accounts).toHaveLength(1)
    }
  })

  test('an invitation is either accepted or revoked, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const person = await server.person({ email: newAddress() })
      const { body } = await invite(person.email)
      const [taken, back] = await Promise.all([
        accept(body.devToken, undefined, replica),
        revoke(body.invite.id),
      ])
      expect([
        [200, 404],
        [400, 200],
      ]).toContainEqual([taken.status, back.status])
      expect(await staffRoleOf(person.email)).toBe(taken.status === 200 ? 'operator' : undefined)
    }
  })

  test('two invitations to one address leave one', async () => {
    const email = newAddress()
    const replies = await Promise.all([invite(email), invite(email), invite(email)])
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
    expect((await waiting()).filter((each) => each.email === email)).toHaveLength(1)
  })
})

describe('an old invitation mail', () => {
  const remove = (person: Person) => server.call('DELETE', `/admin/operators/${person.userId}`, { as: chief })

  test('is invalid after a grant', async () => {
    const person = await server.person({ email: newAddress() })
    const { body } = await invite(person.email, 'super_admin')
    const grant = { email: person.email, role: 'support' }
    await server.call('POST', '/admin/operators', { as: chief, body: grant })
    expect((await waiting()).map(({ id }) => id)).not.toContain(body.invite.id)
    expect((await accept(body.devToken)).body.code).toBe('invite_invalid')
    expect(await staffRoleOf(person.email)).toBe('support')
  })

  test('is invalid after a removal', async () => {
    const person = await server.person({ email: newAddress() })
    const { body } = await invite(person.email, 'super_admin')
    await server.sql
      .rows`insert into staff (user_id, role, created_at) values (${person.userId}, 'support', now())`
    expect((await remove(person)).status).toBe(200)
    expect((await accept(body.devToken)).body.code).toBe('invite_invalid')
    expect(await staffRoleOf(person.email)).toBeUndefined()
  })
})

test('409 when staff plus invitations reach the limit; an expired invitation does not count', async () => {
  const person = await server.person({ email: newAddress() })
  const now = server.clock.now()
  await server.sql.rows`
    insert into staff_invites (id, email, role, token_hash, created_at, expires_at)
    select 'oin_' || i, 'filler' || i || '@example.com', 'support', sha256(i::text::bytea), ${now}::timestamptz,
           ${now}::timestamptz + interval '1 hour'
    from generate_series(1, 1000) as i`
  const grant = () => server.call('POST', '/admin/operators', { as: chief, body: { email: person.email } })
  expect((await invite(newAddress())).body).toMatchObject({ code: 'limit_reached' })
  expect((await grant()).body).toMatchObject({ code: 'limit_reached' })
  server.clock.advance({ hours: 1 })
  expect([(await invite(newAddress())).status, (await grant()).status]).toEqual([201, 200])
})
