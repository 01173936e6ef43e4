import { randomBytes } from 'node:crypto'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { record } from '../audit.ts'
import { readAnchor, writeAnchor } from './anchor-store.ts'

const LENGTH = 40

let server: TestServer
let staff: Person
let root: Person
let ada: Person
beforeAll(async () => {
  server = await startTestServer()
  staff = await server.person({ staff: 'support' })
  root = await server.person({ staff: 'super_admin' })
  // The interval of a schedule starts at its first evaluation.
  await server.app.jobs.drain()
})
afterAll(() => server.close())
beforeEach(async () => {
  ada = await server.person()
  await append(ada.orgId, LENGTH)
  await anchor()
})

const append = (orgId: OrgId | null, count: number) =>
  server.app.db.tx('platform', async (tx) => {
    for (let index = 0; index < count; index++)
      await record(tx, { orgId, actor: { kind: 'system' }, action: 'test.did', metadata: { index } })
  })

/** Runs the job when its schedule is due. */
async function anchor(): Promise<void> {
  server.clock.advance({ minutes: 5 })
  await server.app.jobs.drain()
}

const verify = async (as: Person = ada, query: Record<string, string> = {}) =>
  (await server.call('GET', '/audit/verify', { as, query })).body
const anchorOf = (orgId: OrgId) => readAnchor(server.app, orgId)
const loggedLines = (event = 'audit.chain.tampered') => server.logged.filter((line) => line.includes(event))

/** Acts as an attacker with the password of the database owner: disables the triggers first. */
async function tamper(edit: () => Promise<unknown>): Promise<void> {
  await server.sql.rows`alter table audit_entries disable trigger user`
  await server.sql.rows`alter table audit_heads disable trigger user`
  try {
    await edit()
  } finally {
    await server.sql.rows`alter table audit_entries enable trigger user`
    await server.sql.rows`alter table audit_heads enable trigger user`
  }
}

/** Deletes the last entries and resets the head, so that the chain itself is valid. */
const truncate = (orgId: OrgId, left: number) =>
  tamper(async () => {
    await server.sql.rows`delete from audit_entries where chain = ${orgId} and seq > ${left}`
    await server.sql.rows`
      update audit_heads h set seq = e.seq, hash = e.hash from audit_entries e
      where h.chain = ${orgId} and e.chain = ${orgId} and e.seq = ${left}`
    if (left === 0) await server.sql.rows`delete from audit_heads where chain = ${orgId}`
  })

const deleteAnchor = (orgId: OrgId) => server.app.storage.delete(`audit/anchors/${orgId}`)
const accept = (
  orgId: OrgId | null,
  as: Person = root,
  reason = 'Restored from the backup of the morning.',
) => server.call('POST', '/audit/anchors/accept', { as, body: { orgId, reason } })

describe('a chain', () => {
  test('is anchored every five minutes, and is verified against the anchor', async () => {
    const { hash } = await server.sql.one<{ hash: string }>`
      select hash from audit_entries where chain = ${ada.orgId} and seq = ${LENGTH}`
    expect(await anchorOf(ada.orgId)).toMatchObject({ seq: BigInt(LENGTH), hash })
    await append(ada.orgId, 1)
    expect(await verify()).toMatchObject({
      ok: true,
      entries: LENGTH + 1,
      anchor: { state: 'kept', seq: LENGTH, hash },
    })
    await anchor()
    expect(await anchorOf(ada.orgId)).toMatchObject({ seq: BigInt(LENGTH + 1) })
  })

  test('without new entries is not anchored again', async () => {
    const before = await anchorOf(ada.orgId)
    await anchor()
    expect(await anchorOf(ada.orgId)).toEqual(before)
  })

  test('of the platform is anchored', async () => {
    await append(null, 1)
    await anchor()
    expect(await readAnchor(server.app, 'platform')).toMatchObject({ chain: 'platform' })
    expect(await verify(staff, { scope: 'all' })).toMatchObject({ ok: true, anchor: null })
  })
})

describe('an attacker with the password of the database owner', () => {
  test('is detected after deleting the last ten entries and resetting the head', async () => {
    await truncate(ada.orgId, LENGTH - 10)
    const broken = { seq: LENGTH - 9, id: null, reason: 'missing', orgId: ada.orgId }
    expect(await verify()).toMatchObject({ ok: false, entries: LENGTH - 10, broken })
    expect(await verify(staff, { scope: 'all' })).toMatchObject({ ok: false, broken })
    await accept(ada.orgId)
  })

  test('is detected after replacing those entries', async () => {
    await truncate(ada.orgId, LENGTH - 10)
    await append(ada.orgId, 15)
    const { id } = await server.sql.one<{ id: string }>`
      select id from audit_entries where chain = ${ada.orgId} and seq = ${LENGTH}`
    const broken = { seq: LENGTH, id, reason: 'rewritten' }
    expect(await verify()).toMatchObject({ ok: false, entries: LENGTH + 5, broken })
    await accept(ada.orgId)
  })

  test.for([0, 1])('is detected when %i entries are left', async (left) => {
    await truncate(ada.orgId, left)
    const broken = { seq: left + 1, id: null, reason: 'missing', orgId: ada.orgId }
    expect(await verify()).toMatchObject({ ok: false, broken })
    expect(await verify(staff, { scope: 'all' })).toMatchObject({ ok: false, broken })
    await accept(ada.orgId)
  })

  test('is logged by the next job, which keeps the old anchor as proof', async () => {
    const proof = await anchorOf(ada.orgId)
    await truncate(ada.orgId, LENGTH - 10)
    await append(ada.orgId, 1)
    const before = loggedLines().length
    await anchor()
    expect(loggedLines().slice(before).join()).toContain(ada.orgId)
    expect(await anchorOf(ada.orgId)).toEqual(proof)
    await accept(ada.orgId)
  })

  test('is detected at the edited entry, with or without an anchor', async () => {
    const { id } = await server.sql.one<{ id: string }>`
      select id from audit_entries where chain = ${ada.orgId} and seq = 7`
    await tamper(() => server.sql.rows`update audit_entries set target = 'x' where id = ${id}`)
    expect(await verify()).toMatchObject({ ok: false, broken: { seq: 7, id, reason: 'edited' } })
    await tamper(() => server.sql.rows`update audit_entries set target = null where id = ${id}`)
  })
})

describe('an anchor', () => {
  const put = (orgId: OrgId, bytes: Uint8Array) =>
    server.app.storage.put(`audit/anchors/${orgId}`, bytes, { contentType: 'application/json' })

  test('that is lost makes the chain unproven, and is rewritten when the chain grows and is valid', async () => {
    await deleteAnchor(ada.orgId)
    const unproven = [{ orgId: ada.orgId, state: 'lost' }]
    expect(await verify()).toMatchObject({
      ...{ ok: false, entries: LENGTH, broken: null, unproven },
      anchor: { state: 'lost', seq: null },
    })
    expect(await verify(staff, { scope: 'all' })).toMatchObject({ ok: false, broken: null, unproven })
    await append(ada.orgId, 1)
    const before = loggedLines('audit.anchor.lost').length
    await anchor()
    expect(loggedLines('audit.anchor.lost').slice(before).join()).toContain(ada.orgId)
    expect(await verify()).toMatchObject({
      ...{ ok: true, unproven: [] },
      anchor: { state: 'kept', seq: LENGTH + 1 },
    })
  })

  test.for([
    ['lost', () => deleteAnchor(ada.orgId)],
    ['unreadable', () => put(ada.orgId, Buffer.from('rubbish'))],
  ] as const)('that is %s does not hide a truncated chain', async ([, damage]) => {
    const row = () => server.sql.one`select seq, hash from audit_anchors where chain = ${ada.orgId}`
    const proof = await row()
    await truncate(ada.orgId, LENGTH - 10)
    await append(ada.orgId, 1)
    await damage()
    const before = loggedLines().length
    await anchor()
    expect(loggedLines().slice(before).join()).toContain(ada.orgId)
    expect([await row(), typeof (await anchorOf(ada.orgId))]).toEqual([proof, 'string'])
    const broken = { seq: LENGTH - 8, id: null, reason: 'missing', orgId: ada.orgId }
    expect(await verify()).toMatchObject({ ok: false, broken })
    await accept(ada.orgId)
  })

  test('from before the truncation does not hide it', async () => {
    const early = await anchorOf(ada.orgId)
    if (typeof early === 'string') throw new Error('there is no anchor')
    await append(ada.orgId, 10)
    await anchor()
    await truncate(ada.orgId, LENGTH)
    await writeAnchor(server.app, early)
    await anchor()
    const broken = { seq: LENGTH + 1, reason: 'missing' }
    expect(await verify()).toMatchObject({ ok: false, broken, anchor: { state: 'kept', seq: LENGTH } })
    await accept(ada.orgId)
  })

  test.for([
    ['is not ours', () => Buffer.from('{"chain":"x","seq":"1","seal":"AAAAAAAA.AAAA"}')],
    ['is not an anchor', () => Buffer.from('rubbish')],
    ['is too long', () => randomBytes(5_000)],
  ] as const)('that %s is reported as unreadable', async ([, bytes]) => {
    await put(ada.orgId, bytes())
    const unproven = [{ orgId: ada.orgId, state: 'unreadable' }]
    expect(await verify()).toMatchObject({ ok: false, unproven, anchor: { state: 'unreadable' } })
    await accept(ada.orgId)
  })

  test('of another chain does not open', async () => {
    const other = await server.person()
    await writeAnchor(server.app, { chain: other.orgId, seq: 1n, hash: 'x', at: server.clock.now() })
    const found = await server.app.storage.get(`audit/anchors/${other.orgId}`)
    const bytes = Buffer.concat(await Array.fromAsync(found?.stream ?? []))
    await put(ada.orgId, bytes)
    expect(await anchorOf(ada.orgId)).toBe('unreadable')
    await accept(ada.orgId)
    await deleteAnchor(other.orgId)
  })

  test('does not exist before the first run', async () => {
    const fresh = await server.person()
    expect(await verify(fresh)).toMatchObject({ ok: true, anchor: { state: 'none' } })
  })
})

describe('POST /audit/anchors/accept', () => {
  test('accepts a chain after a restore, and records it on that chain', async () => {
    await truncate(ada.orgId, LENGTH - 10)
    expect((await verify()).ok).toBe(false)
    const { status, body } = await accept(ada.orgId)
    expect([status, body]).toEqual([
      200,
      { ok: true, seq: LENGTH - 9, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
    expect(await verify()).toMatchObject({ ok: true, anchor: { state: 'kept', seq: LENGTH - 9 } })
    const [entry] = await server.sql.rows`
      select actor_kind, actor_user_id, metadata from audit_entries
      where chain = ${ada.orgId} and action = 'audit.anchors.accept'`
    expect(entry).toMatchObject({
      ...{ actor_kind: 'operator', actor_user_id: root.userId },
      metadata: {
        reason: 'Restored from the backup of the morning.',
        before: { state: 'kept', seq: LENGTH },
        noted: { seq: LENGTH },
      },
    })
    await append(ada.orgId, 1)
    const before = loggedLines().length
    await anchor()
    expect(loggedLines().slice(before).join()).not.toContain(ada.orgId)
    expect(await anchorOf(ada.orgId)).toMatchObject({ seq: BigInt(LENGTH - 8) })
  })

  test('accepts the platform chain with null', async () => {
    expect((await accept(null)).status).toBe(200)
  })

  test('requires a super admin, an existing chain and a reason', async () => {
    const operator = await server.person({ staff: 'operator' })
    expect(await accept(ada.orgId, operator)).toMatchObject({ status: 403, body: { code: 'staff_only' } })
    expect((await accept(newId('org'))).status).toBe(404)
    expect((await accept('x' as OrgId)).status).toBe(404)
    expect((await accept(ada.orgId, root, ' ')).status).toBe(400)
  })
})
