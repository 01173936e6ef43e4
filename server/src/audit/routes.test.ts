import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrgId } from '../kernel/ids.ts'
import { type AuditEvent, record } from './audit.ts'
import { withVerifyLimit } from './verify/verify.ts'

type Entry = {
  id: string
  orgId: string | null
  action: string
  seq: number
  hash: string
  prevHash: string
  createdAt: string
}
type Page = { entries: Entry[]; nextCursor: string | null }

let server: TestServer
let ada: Person
let grace: Person
let staff: Person
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person({ email: 'ada@example.com', type: 'team' })
  grace = await server.person()
  staff = await server.person({ staff: 'support' })
  for (let index = 0; index < 6; index++) {
    await write(ada.orgId, {
      action: index % 2 ? 'keys.create' : 'keys.revoke',
      target: `key_${index}`,
      ip: '203.0.113.5',
    })
    server.clock.advance({ minutes: 1 })
  }
  await write(grace.orgId, { action: 'teams.rename' })
  await write(null, { action: 'settings.set', actor: { kind: 'system' } })
})
afterAll(() => server.close())

const write = (orgId: OrgId | null, fact: Partial<AuditEvent> = {}) =>
  server.app.db.tx('platform', (tx) =>
    record(tx, {
      orgId,
      actor: { kind: 'user', userId: ada.userId, email: ada.email },
      action: 'test.did',
      ...fact,
    }),
  )
const list = (as: { bearer: string }, query: Record<string, string> = {}) =>
  server.call<Page>('GET', '/audit', { as, query })
const keysOf = (page: Page) => page.entries.map((entry) => entry.seq)

test('only staff can read and verify the log of another organisation', async () => {
  const query = { orgId: ada.orgId }
  const shown = await list(staff, query)
  expect(shown.body.entries.length).toBeGreaterThan(5)
  expect(new Set(shown.body.entries.map(({ orgId }) => orgId))).toEqual(new Set([ada.orgId]))
  expect((await server.call('GET', '/audit/verify', { as: staff, query })).body).toMatchObject({ ok: true })
  expect(await list(grace, query)).toMatchObject({ status: 403, body: { code: 'staff_only' } })
})

describe('GET /audit 200', () => {
  test('returns CSV on request, filtered like the list', async () => {
    const query = { action: 'keys.create' }
    const file = await server.call('GET', '/audit', { as: ada, query, headers: { accept: 'text/csv' } })
    expect(file.status).toBe(200)
    expect(file.headers['content-type']).toMatch(/^text\/csv; charset=utf-8/)
    expect(file.headers['content-disposition']).toBe('attachment; filename="audit.csv"')
    const [header, ...rows] = file.text.trimEnd().split('\r\n')
    expect(header).toMatch(/^createdAt,orgId,seq,id,/)
    expect(rows).toHaveLength(3)
    for (const row of rows) expect(row).toContain('keys.create')
  })

  test('shows an owner the log, newest first, with every documented field', async () => {
    const { status, body } = await list(ada)
    expect(status).toBe(200)
    expect(keysOf(body)).toEqual([6, 5, 4, 3, 2, 1])
    expect(body.nextCursor).toBeNull()
    expect(body.entries[0]).toEqual({
      id: expect.stringMatching(/^aud_/),
      orgId: ada.orgId,
      actorUserId: ada.userId,
      actorEmail: ada.email,
      actorKind: 'user',
      action: 'keys.create',
      target: 'key_5',
      metadata: {},
      ip: '203.0.113.5',
      createdAt: expect.stringMatching(/^2026-11-15T09:05/),
      seq: 6,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      prevHash: body.entries[1]?.hash,
    })
  })

  test('shows an admin the same, and another organisation only its own log', async () => {
    const admin = await server.member(ada.orgId, 'admin')
    expect(keysOf((await list(admin)).body)).toHaveLength(6)
    const theirs = (await list(grace)).body.entries
    expect(theirs.map((entry) => [entry.orgId, entry.action])).toEqual([[grace.orgId, 'teams.rename']])
  })

  test('pages without gaps during concurrent writes', async () => {
    const first = (await list(grace, { limit: '1' })).body
    expect(first.nextCursor).toBeNull()
    const seen: number[] = []
    let cursor: string | null = ''
    for (let page = 0; page < 5 && cursor !== null; page++) {
      const { body }: { body: Page } = await list(ada, { limit: '2', ...(cursor && { cursor }) })
      seen.push(...keysOf(body))
      cursor = body.nextCursor
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1])
  })

  test.for([
    [{ action: 'keys.create' }, [6, 4, 2]],
    [{ action: 'keys' }, [6, 5, 4, 3, 2, 1]],
    [{ action: 'keys.' }, [6, 5, 4, 3, 2, 1]],
    [{ action: 'key' }, []],
    [{ actor: 'ADA@example.com' }, [6, 5, 4, 3, 2, 1]],
    [{ actor: 'eve@example.com' }, []],
    [{ from: '2026-11-15T09:02:00Z', to: '2026-11-15T09:04:00Z' }, [4, 3]],
    [{ action: "' or 1=1 --" }, []],
  ] as const)('filters by %j', async ([query, seqs]) => {
    expect(keysOf((await list(ada, query)).body)).toEqual(seqs)
  })

  test('filters by the id of a user', async () => {
    expect(keysOf((await list(ada, { actor: ada.userId })).body)).toHaveLength(6)
    expect(keysOf((await list(ada, { actor: grace.userId })).body)).toEqual([])
  })

  test('shows staff all organisations and the platform with scope=all', async () => {
    const { body } = await list(staff, { scope: 'all', action: 'settings' })
    expect(body.entries.map((entry) => entry.orgId)).toEqual([null])
    const everyone = new Set((await list(staff, { scope: 'all' })).body.entries.map((entry) => entry.orgId))
    expect(everyone).toEqual(new Set([null, ada.orgId, grace.orgId]))
    const paged: string[] = []
    let cursor: string | null = ''
    for (let page = 0; page < 10 && cursor !== null; page++) {
      const { body }: { body: Page } = await list(staff, {
        scope: 'all',
        limit: '3',
        ...(cursor && { cursor }),
      })
      paged.push(...body.entries.map((entry) => entry.id))
      cursor = body.nextCursor
    }
    expect(paged).toEqual((await list(staff, { scope: 'all' })).body.entries.map((entry) => entry.id))
  })
})

describe('GET /audit 400', () => {
  test.for([
    { limit: '0' },
    { limit: '201' },
    { cursor: 'rubbish' },
    { cursor: 'YR9iH2M' },
    { scope: 'mine' },
    { from: 'yesterday' },
  ])('refuses %j', async (query) =>
    expect((await list(ada, query as Record<string, string>)).status).toBe(400),
  )
})

describe('GET /audit 401 and 403', () => {
  test('refuses anonymous callers, plain members and keys', async () => {
    expect((await server.call('GET', '/audit')).status).toBe(401)
    expect((await list(await server.member(ada.orgId, 'member'))).status).toBe(403)
    expect((await list(await server.key(ada, ['keys:manage']))).status).toBe(403)
  })

  test('shows all organisations only to staff, not to owners', async () => {
    const { status, body } = await server.call('GET', '/audit', { as: ada, query: { scope: 'all' } })
    expect([status, body.code]).toEqual([403, 'staff_only'])
  })

  test('treats staff as plain members in an organisation where they are members', async () => {
    const colleague = await server.member(ada.orgId, 'member')
    await server.sql
      .rows`insert into staff (user_id, role, created_at) values (${colleague.userId}, 'support', now())`
    expect((await list(colleague)).status).toBe(403)
    expect((await list(colleague, { scope: 'all' })).status).toBe(200)
  })
})

describe('GET /audit/verify', () => {
  const verify = (as: Person, query: Record<string, string> = {}) =>
    server.call('GET', '/audit/verify', { as, query })

  test('verifies the chain of the organisation, and all chains for staff', async () => {
    const newest = (await list(ada)).body.entries[0]
    expect((await verify(ada)).body).toEqual({
      ok: true,
      entries: 6,
      head: { seq: 6, hash: newest?.hash },
      anchor: { state: 'none', seq: null, hash: null, at: null },
      broken: null,
      unproven: [],
      nextCursor: null,
    })
    expect((await verify(staff, { scope: 'all' })).body).toMatchObject({ ok: true, head: null, broken: null })
    expect((await verify(ada, { scope: 'all' })).status).toBe(403)
    expect((await verify(await server.member(ada.orgId, 'member'))).status).toBe(403)
  })

  test('runs one verification per organisation and two of all chains at a time', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const busy = [ada.orgId, 'all', 'all'].map((chain) => withVerifyLimit(server.app, chain, () => ended))
    const refusal = { status: 429, body: { code: 'too_many_attempts' }, headers: { 'retry-after': '10' } }
    expect(await verify(ada)).toMatchObject(refusal)
    expect(await verify(staff, { scope: 'all' })).toMatchObject(refusal)
    expect((await verify(grace)).status).toBe(200)
    end()
    await Promise.all(busy)
    await expect(
      withVerifyLimit(server.app, ada.orgId, () => Promise.reject(new Error('x'))),
    ).rejects.toThrow('x')
    expect((await verify(ada)).status).toBe(200)
    expect((await verify(staff, { scope: 'all' })).status).toBe(200)
  })

  test('names the edited entry', async () => {
    const victim = await server.person()
    await write(victim.orgId)
    await write(victim.orgId)
    await server.sql.rows`alter table audit_entries disable trigger no_change`
    await server.sql.rows`update audit_entries set target = 'else' where org_id = ${victim.orgId} and seq = 1`
    await server.sql.rows`alter table audit_entries enable trigger no_change`
    const { id } = await server.sql.one<{
      id: string
    }>`select id from audit_entries where org_id = ${victim.orgId} and seq = 1`
    const broken = { seq: 1, id, reason: 'edited', orgId: victim.orgId }
    expect((await verify(victim)).body).toMatchObject({ ok: false, entries: 0, broken })
    expect((await verify(staff, { scope: 'all' })).body).toMatchObject({ ok: false, broken })
  })
})
