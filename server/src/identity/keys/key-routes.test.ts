import {
  type Person,
  startTestServer,
  type TestRequest,
  type TestServer,
} from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES } from '../../platform/http/actor.ts'

type Listed = { id: string; name: string; prefix: string; lastUsedAt: string | null } & Record<
  string,
  unknown
>
type Page = { keys: Listed[]; nextCursor: string | null }
type Made = { id: string; key: string; prefix: string; scopes: string[]; expiresAt: string | null }
type By = { bearer: string }

const NO_LIMITS = {
  ...{ budgetMinor: null, budgetPeriod: 'total', models: null, requestsPerMinute: null },
  ...{ tokensPerMinute: null, allowedAddresses: null, spentMinor: 0n, budgetLeftMinor: null },
}

let server: TestServer
let replica: TestServer
let owner: Person
let admin: Person
let member: Person
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
  owner = await server.person({ type: 'team', email: 'owner@example.com' })
  admin = await server.member(owner.orgId, 'admin')
  member = await server.member(owner.orgId, 'member')
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

const list = (as: By, query: Record<string, string> = {}) =>
  server.call<Page>('GET', '/auth/keys', { as, query })
const create = (as: By, body: object = { name: 'a key' }) =>
  server.call<Made & { code?: string; fields?: object[] }>('POST', '/auth/keys', { as, body })
const revoke = (as: By, id: string, on = server) => on.call('DELETE', `/auth/keys/${id}`, { as })
const idsSeenBy = async (as: By) => (await list(as, { limit: '200' })).body.keys.map(({ id }) => id)
const works = async (key: string, on = server) =>
  (await on.call('GET', '/me', { as: { bearer: key } })).status
const trail = () =>
  server.sql.rows<{ action: string; target: string; metadata: Record<string, unknown>; actor_kind: string }>`
    select action, target, metadata, actor_kind from audit_entries
    where org_id = ${owner.orgId} and action like 'keys.%' order by seq desc`

describe('POST /auth/keys 200', () => {
  test('shows the key once; by default it has no scope and no expiry', async () => {
    const { status, body } = await create(member, { name: 'laptop' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^csk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/),
      prefix: body.key.slice(0, 12),
      name: 'laptop',
      scopes: [],
      expiresAt: null,
      ...NO_LIMITS,
    })
    const me = await server.call('GET', '/me', { as: { bearer: body.key } })
    expect(me.body).toMatchObject({ userId: member.userId, orgId: owner.orgId, scopes: [], role: 'member' })
  })

  test('stores the key nowhere: not in the list, the tables, the audit log or the log', async () => {
    const { body } = await create(owner, { name: 'secret', scopes: ['agent:run'] })
    await works(body.key)
    await revoke(member, body.id)
    const kept = await server.sql.rows`
      select row_to_json(k)::text as text from api_keys k union all
      select row_to_json(a)::text from audit_entries a union all select row_to_json(j)::text from jobs j`
    const everything = JSON.stringify([kept, (await list(owner)).body, server.logged])
    expect(everything).toContain(body.id)
    expect(everything).not.toContain(body.key)
    expect(everything).not.toContain(body.key.slice(13))
  })

  test('writes an audit event with the scopes of the key', async () => {
    const { body } = await create(owner, {
      name: 'traced',
      scopes: ['wallet:read', 'agent:run', 'wallet:read'],
      expiresInDays: 1,
    })
    expect(body.scopes).toEqual(['wallet:read', 'agent:run'])
    expect((await trail())[0]).toEqual({
      action: 'keys.create',
      target: body.id,
      metadata: { name: 'traced', scopes: ['wallet:read', 'agent:run'], expiresAt: body.expiresAt },
      actor_kind: 'user',
    })
  })

  test('a user grants any scope, a key only its own scopes', async () => {
    const all = await create(member, { name: 'all', scopes: SCOPES })
    expect(all.status).toBe(200)
    const key = await server.key(member, ['keys:manage', 'wallet:read'])
    const made = await create(key, { name: 'made by a key', scopes: ['wallet:read', 'keys:manage'] })
    expect(made.status).toBe(200)
    expect((await trail())[0]).toMatchObject({ actor_kind: 'key', metadata: { keyId: key.id } })
    const child = await server.call('GET', '/me', { as: { bearer: made.body.key } })
    expect(child.body).toMatchObject({ userId: member.userId, scopes: ['wallet:read', 'keys:manage'] })
  })

  test.for([{ expiresInDays: 2 }, { expiresAt: '2026-11-17T09:00:00.000Z' }])(
    'a key with %o works until that instant and not a millisecond longer',
    async (end) => {
      const own = await startTestServer()
      try {
        const person = await own.person()
        const { body } = await own.call<Made>('POST', '/auth/keys', {
          as: person,
          body: { name: 'x', ...end },
        })
        expect(body.expiresAt).toBe('2026-11-17T09:00:00.000Z')
        const status = async () => (await own.call('GET', '/me', { as: { bearer: body.key } })).status
        own.clock.advance({ days: 2, ms: -1 })
        expect(await status()).toBe(200)
        own.clock.advance({ ms: 1 })
        expect(await status()).toBe(401)
      } finally {
        await own.close()
      }
    },
  )
})

test('a key cannot create a key that expires later than itself', async () => {
  const ends = new Date(server.clock.now().getTime() + 86_400_000)
  const { body: parent } = await create(member, { name: 'a day', scopes: ['keys:manage'], expiresInDays: 1 })
  for (const wanted of [{}, { expiresInDays: 30 }]) {
    const { body } = await create({ bearer: parent.key }, { name: 'longer', ...wanted })
    expect(new Date(String(body.expiresAt))).toEqual(ends)
  }
})

test('401 when the session ended while the call waited, and no key is created', async () => {
  const { email, userId } = await server.person()
  const visitor = server.visitor()
  await visitor.call('POST', '/auth/dev-login', { body: { email } })
  let waiting: Promise<{ status: number }> | undefined
  await server.app.db.tx('platform', async (tx) => {
    await tx.rows`update sessions set revoked_at = ${tx.now} where user_id = ${userId}`
    waiting = visitor.call('POST', '/auth/keys', { body: { name: 'too late' } })
    await expect
      .poll(
        () =>
          server.sql
            .rows`select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      .toHaveLength(1)
  })
  expect((await waiting)?.status).toBe(401)
  expect(await server.sql.rows`select id from api_keys where user_id = ${userId}`).toEqual([])
})

test('the membership is locked before the session, as when both end, so there is no deadlock', async () => {
  const { email, userId } = await server.person()
  const visitor = server.visitor()
  await visitor.call('POST', '/auth/dev-login', { body: { email } })
  let waiting: Promise<{ status: number }> | undefined
  await server.app.db.tx('platform', async (tx) => {
    await tx.rows`select role from memberships where user_id = ${userId} for update`
    waiting = visitor.call('POST', '/auth/keys', { body: { name: 'in order' } })
    await expect
      .poll(
        () =>
          server.sql
            .rows`select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      .toHaveLength(1)
    const free = await tx.rows`select id from sessions where user_id = ${userId} for update skip locked`
    expect(free).toHaveLength(1)
  })
  expect((await waiting)?.status).toBe(200)
})

describe('POST /auth/keys refused', () => {
  test.for([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'x', scopes: ['*'] }, 'scopes.0'],
    [{ name: 'x', scopes: ['agent:run', 'operator'] }, 'scopes.1'],
    [{ name: 'x', scopes: 'agent:run' }, 'scopes'],
    [{ name: 'x', expiresInDays: 0 }, 'expiresInDays'],
    [{ name: 'x', expiresInDays: 367 }, 'expiresInDays'],
    [{ name: 'x', expiresInDays: 1.5 }, 'expiresInDays'],
    [{ name: 'x', expiresAt: '2026-11-15T09:00:00.000Z' }, 'expiresAt'],
    [{ name: 'x', expiresAt: '2027-11-17T09:00:00.000Z' }, 'expiresAt'],
    [{ name: 'x', expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ name: 'x', expiresInDays: 1, expiresAt: '2026-11-16T09:00:00.000Z' }, 'expiresAt'],
  ] as const)('400 for %o', async ([body, path]) => {
    const reply = await create(owner, body)
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_fields', fields: [{ path }] } })
  })

  test('403 for a key without keys:manage, and for a scope that the key does not have', async () => {
    const lesser = await server.key(
      owner,
      SCOPES.filter((scope) => scope !== 'keys:manage'),
    )
    expect((await create(lesser)).body).toMatchObject({ code: 'insufficient_scope' })
    const manager = await server.key(owner, ['keys:manage'])
    const before = await idsSeenBy(owner)
    const reply = await create(manager, { name: 'x', scopes: ['keys:manage', 'agent:run'] })
    expect(reply).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(reply.text).toContain('agent:run')
    expect(await idsSeenBy(owner)).toEqual(before)
  })

  test('409 at fifty valid keys, also for concurrent calls on two replicas', async () => {
    const person = await server.person()
    const expired = await create(person, { name: 'old', expiresInDays: 1 })
    const revoked = await create(person, { name: 'revoked' })
    await revoke(person, revoked.body.id)
    const ask: TestRequest = { as: person, body: { name: 'many' } }
    await server.sql.rows`update api_keys set expires_at = created_at where id = ${expired.body.id}`
    for (let i = 0; i < 45; i++) await create(person)
    const rush = await Promise.all(
      Array.from({ length: 12 }, (_, i) => [server, replica][i % 2]?.call('POST', '/auth/keys', ask)),
    )
    const statuses = rush.map((reply) => reply?.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.filter((status) => status === 409)).toHaveLength(7)
    expect((await create(person)).body).toMatchObject({ code: 'limit_reached' })
    const [first] = await idsSeenBy(person)
    await revoke(person, first ?? '')
    expect((await create(person)).status).toBe(200)
  })
})

describe('GET /auth/keys 200', () => {
  test('shows members their own keys, owners and admins all keys of the organisation, and no keys of another one', async () => {
    const team = await server.person({ type: 'team' })
    const chief = await server.member(team.orgId, 'admin')
    const worker = await server.member(team.orgId, 'member')
    const [a, b, c] = [await create(team), await create(chief), await create(worker)].map(
      (reply) => reply.body.id,
    )
    expect(await idsSeenBy(team)).toEqual([c, b, a])
    expect(await idsSeenBy(chief)).toEqual([c, b, a])
    expect(await idsSeenBy(worker)).toEqual([c])
    expect(await idsSeenBy(owner)).not.toContain(a)
    const { body } = await list(chief)
    expect(body.keys[0]).toEqual({
      id: c,
      name: 'a key',
      scopes: [],
      prefix: expect.stringMatching(/^csk_\w{8}$/),
      createdAt: server.clock.now().toISOString(),
      lastUsedAt: null,
      expiresAt: null,
      createdBy: { userId: worker.userId, email: worker.email },
      ...NO_LIMITS,
    })
  })

  test('a key of an owner sees only that owner’s keys', async () => {
    const key = await server.key(owner, [])
    await create(member)
    const seen = (await list(key, { limit: '200' })).body.keys
    expect(seen.length).toBeGreaterThan(0)
    for (const each of seen) expect(each.createdBy).toMatchObject({ userId: owner.userId })
    expect(seen.map(({ id }) => id)).toContain(key.id)
  })

  test('shows when a key was last used', async () => {
    const { body } = await create(owner)
    await works(body.key)
    const lastUsedAt = async () => (await list(owner)).body.keys.find(({ id }) => id === body.id)?.lastUsedAt
    await expect.poll(lastUsedAt).toBe(server.clock.now().toISOString())
  })

  test('comes in pages that neither skip nor repeat', async () => {
    const person = await server.person()
    for (let i = 0; i < 5; i++) await create(person)
    const whole = await idsSeenBy(person)
    const seen: string[] = []
    let cursor: string | null = null
    for (let pages = 0; pages < 5; pages++) {
      const { body }: { body: Page } = await list(person, { limit: '2', ...(cursor && { cursor }) })
      seen.push(...body.keys.map(({ id }) => id))
      cursor = body.nextCursor
      if (cursor === null) break
    }
    expect(seen).toEqual(whole)
    expect(cursor).toBeNull()
    expect((await list(person, { limit: '201' })).status).toBe(400)
  })
})

describe('DELETE /auth/keys/{id} 200', () => {
  test('revokes the key at once on every replica, removes it from the list and writes an audit event', async () => {
    const { body } = await create(member, { name: 'to go' })
    expect([await works(body.key), await works(body.key, replica)]).toEqual([200, 200])
    expect(await revoke(member, body.id)).toMatchObject({ status: 200, body: { ok: true } })
    expect([await works(body.key), await works(body.key, replica)]).toEqual([401, 401])
    expect(await idsSeenBy(member)).not.toContain(body.id)
    expect((await trail())[0]).toMatchObject({
      action: 'keys.revoke',
      target: body.id,
      metadata: { name: 'to go', holder: member.userId },
    })
  })

  test('an admin revokes the key of another user, who is notified by mail', async () => {
    const { body } = await create(member, { name: '<b>deploy evil.example' })
    expect((await revoke(admin, body.id)).status).toBe(200)
    await server.app.jobs.drain()
    const outbox = await server.call<{ mails: { subject: string; text: string; html: string }[] }>(
      'GET',
      '/dev/outbox',
      { query: { to: member.email } },
    )
    expect(outbox.body.mails).toHaveLength(1)
    const [mail] = outbox.body.mails
    expect(mail?.text).toContain(
      `${admin.email} revoked your API key "<b>deploy evil example" (${body.prefix}…)`,
    )
    expect(mail?.text).toContain('http://cowrie.test/app/keys')
    expect(mail?.text).not.toContain(body.key)
    expect(mail?.html).not.toContain('<b>deploy')
  })

  test('a key without any scope revokes itself', async () => {
    const key = await server.key(member, [])
    expect((await revoke(key, key.id)).status).toBe(200)
    expect(await works(key.bearer)).toBe(401)
  })

  test('a key revokes its holder’s other keys, whatever its scopes', async () => {
    const lesser = await server.key(member, [])
    const other = await server.key(member, ['agent:run'])
    expect((await revoke(lesser, other.id)).status).toBe(200)
    expect([await works(other.bearer), await works(lesser.bearer)]).toEqual([401, 200])
  })

  test('concurrent calls revoke it once', async () => {
    const { body } = await create(owner)
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => revoke(owner, body.id, i % 2 ? server : replica)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)])
  })
})

describe('DELETE /auth/keys/{id} 404', () => {
  test('is the same reply for unknown, foreign and revoked keys', async () => {
    const ofOwner = await server.key(owner, [])
    const gone = await server.key(member, [])
    await revoke(member, gone.id)
    const manager = await server.key(owner, ['keys:manage'])
    const ofMember = await server.key(member, [])
    const stranger = await server.person()
    const replies = [
      await revoke(member, 'key_00000000000000000000000000'),
      await revoke(member, 'nonsense'),
      await revoke(member, ofOwner.id),
      await revoke(member, gone.id),
      await revoke(stranger, ofOwner.id),
      // A key sees only the keys of its user, even if that is an owner.
      await revoke(manager, ofMember.id),
    ]
    const bodies = replies.map(({ status, body: { requestId: _, ...body } }) => ({ status, ...body }))
    expect(bodies).toEqual(Array(6).fill({ status: 404, code: 'not_found', error: expect.any(String) }))
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect([await works(ofOwner.bearer), await works(ofMember.bearer)]).toEqual([200, 200])
  })
})

test('a key stops with the membership of its user and gets 401', async () => {
  const leaver = await server.member(owner.orgId, 'member')
  const { body } = await create(leaver, { name: 'x', scopes: ['agent:run'] })
  expect(await works(body.key)).toBe(200)
  await server.sql.rows`delete from memberships where user_id = ${leaver.userId}`
  expect([await works(body.key), await works(body.key, replica)]).toEqual([401, 401])
})
