import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId, type OrgId } from '../kernel/ids.ts'
import type { Actor } from '../platform/http/actor.ts'
import { type AuditEvent, record } from './audit.ts'
import { verifyAll, verifyChain } from './verify/verify.ts'

let fixture: TestDb
beforeAll(async () => {
  fixture = await openTestDb()
})
afterAll(() => fixture.close())

const ada: Actor = {
  via: 'session',
  userId: newId('usr'),
  email: 'ada@example.com',
  orgId: newId('org'),
  role: 'owner',
  scopes: ['*'],
  staffRole: null,
  language: null,
  sessionId: null,
  keyId: null,
  keyLimits: null,
  mfaEnabled: false,
  ssoOrgId: null,
  needsSso: false,
  pendingEmail: null,
  address: '192.0.2.1',
  isAddressRefused: false,
  signedInAt: null,
  secondFactorAt: null,
  heldStaffRole: null,
  org: {
    name: 'Ada',
    type: 'individual',
    tier: 'individual',
    currency: 'NGN',
    suspended: false,
    kycStatus: 'unsubmitted',
    allowedLanes: ['open', 'frontier'],
    allowedModels: null,
    plan: null,
    subscriptionStatus: null,
    residencyRegion: null,
  },
}

const append = (orgId: OrgId | null, fact: Partial<AuditEvent> = {}) =>
  fixture.db.tx(orgId ?? 'platform', (tx) => record(tx, { orgId, actor: ada, action: 'test.did', ...fact }))

type EntryRow = {
  seq: bigint
  hash: string
  prev_hash: string
  created_at: Date
  metadata: Record<string, unknown>
} & Record<string, unknown>
const entriesOf = (orgId: OrgId | null) =>
  fixture.sql.rows<EntryRow>`
    select seq, hash, prev_hash, created_at, actor_kind, actor_user_id, actor_email, action, target, metadata, ip
    from audit_entries where chain = ${orgId ?? 'platform'} order by seq`

describe('an entry', () => {
  test('has actor, action, target, address and time, and links to the previous entry', async () => {
    const orgId = newId('org')
    await append(orgId, { target: 'key_1', ip: '203.0.113.9', metadata: { name: 'deploy' } })
    await append(orgId)
    const [first, second] = await entriesOf(orgId)
    expect(first).toMatchObject({
      seq: 1n,
      prev_hash: '0'.repeat(64),
      actor_kind: 'user',
      actor_user_id: ada.userId,
      actor_email: 'ada@example.com',
      action: 'test.did',
      target: 'key_1',
      metadata: { name: 'deploy' },
      ip: '203.0.113.9',
      created_at: fixture.clock.now(),
    })
    expect(second).toMatchObject({ seq: 2n, prev_hash: first?.hash })
    expect(first?.hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('distinguishes users, keys, staff and the service', async () => {
    const orgId = newId('org')
    await append(orgId, { actor: { ...ada, via: 'key', keyId: 'key_7' } })
    await append(orgId, { as: 'operator' })
    await append(orgId, { actor: { kind: 'system' } })
    await append(orgId, { actor: { kind: 'user', userId: ada.userId, email: ada.email } })
    const rows = await entriesOf(orgId)
    expect(rows.map((row) => row.actor_kind)).toEqual(['key', 'operator', 'system', 'user'])
    expect(rows[0]?.metadata).toEqual({ keyId: 'key_7' })
    expect(rows[2]).toMatchObject({ actor_user_id: null, actor_email: null })
  })

  test('is never older than the previous entry, even if its transaction began earlier', async () => {
    const orgId = newId('org')
    await fixture.db.tx(orgId, async (early) => {
      fixture.clock.advance({ seconds: 5 })
      await append(orgId)
      await record(early, { orgId, actor: ada, action: 'test.late' })
    })
    const [first, second] = await entriesOf(orgId)
    expect(second?.created_at).toEqual(first?.created_at)
  })

  test('is rolled back with its transaction and leaves no gap', async () => {
    const orgId = newId('org')
    const failing = fixture.db.tx(orgId, async (tx) => {
      await record(tx, { orgId, actor: ada, action: 'test.did' })
      throw new Error('the fact failed')
    })
    await expect(failing).rejects.toThrow('the fact failed')
    await append(orgId)
    expect((await entriesOf(orgId)).map((row) => row.seq)).toEqual([1n])
  })

  test('has no line breaks or control characters in its target', async () => {
    const orgId = newId('org')
    await append(orgId, { target: 'a\r\n{"level":"error"}\u0000\u001b[2J' })
    expect((await entriesOf(orgId))[0]?.target).toBe('a  {"level":"error"}  [2J')
  })
})

describe('a change that cannot be recorded', () => {
  test('is rolled back', async () => {
    const orgId = newId('org')
    await fixture.sql.rows`create table public.effects (id int)`
    await fixture.sql.rows`alter table audit_entries add constraint broken check (action <> 'test.broken')`
    try {
      const act = fixture.db.tx(orgId, async (tx) => {
        await tx.rows`insert into public.effects (id) values (1)`
        await record(tx, { orgId, actor: ada, action: 'test.broken' })
      })
      await expect(act).rejects.toThrow('broken')
      expect(await fixture.sql.rows`select id from public.effects`).toEqual([])
    } finally {
      await fixture.sql.rows`alter table audit_entries drop constraint broken`
    }
  })
})

describe('the database', () => {
  const attempts = {
    'update of an entry': (tx: TestDb['sql']) => tx.rows`update audit_entries set action = 'x' where true`,
    'delete of an entry': (tx: TestDb['sql']) => tx.rows`delete from audit_entries where true`,
    'truncation of the entries': (tx: TestDb['sql']) => tx.rows`truncate audit_entries`,
    'update of a head': (tx: TestDb['sql']) => tx.rows`update audit_heads set seq = 0 where true`,
    'delete of a head': (tx: TestDb['sql']) => tx.rows`delete from audit_heads where true`,
    'truncation of the heads': (tx: TestDb['sql']) => tx.rows`truncate audit_heads`,
  }
  test.for(Object.entries(attempts))(
    'refuses the %s to the service and to the owner',
    async ([, attempt]) => {
      const orgId = newId('org')
      await append(orgId)
      await expect(fixture.db.tx(orgId, attempt)).rejects.toThrow('permission denied')
      await expect(attempt(fixture.sql)).rejects.toThrow(/append-only|advances by one/)
    },
  )

  test('does not let the service write a head, and links every inserted entry', async () => {
    const orgId = newId('org')
    const forge = (tx: TestDb['sql']) => tx.rows`
      insert into audit_entries (id, org_id, seq, actor_kind, action, metadata, created_at, prev_hash, hash)
      values (${newId('aud')}, ${orgId}, 77, 'system', 'test.forged', '{}', now(), 'x', 'y')`
    await fixture.db.tx(orgId, forge)
    expect((await entriesOf(orgId))[0]).toMatchObject({ seq: 1n, prev_hash: '0'.repeat(64) })
    const insertHead = (tx: TestDb['sql']) => tx.rows`
      insert into audit_heads (org_id, seq, hash, created_at) values (${newId('org')}, 0, 'x', now())`
    await expect(fixture.db.tx(orgId, insertHead)).rejects.toThrow('permission denied')
  })

  test('hides entries of other organisations and of the platform', async () => {
    const mine = newId('org')
    const theirs = newId('org')
    await append(theirs)
    await append(null)
    await append(mine)
    const seen = await fixture.db.tx(
      mine,
      (tx) => tx.rows<{ org_id: string }>`select org_id from audit_entries`,
    )
    expect(seen).toEqual([{ org_id: mine }])
    const heads = await fixture.db.tx(mine, (tx) => tx.rows<{ chain: string }>`select chain from audit_heads`)
    expect(heads).toEqual([{ chain: mine }])
  })

  test('refuses writes to the chain of another organisation or of the platform', async () => {
    const write = (orgId: OrgId | null) =>
      fixture.db.tx(newId('org'), (tx) => record(tx, { orgId, actor: ada, action: 'test.did' }))
    await expect(write(newId('org'))).rejects.toThrow('row-level security')
    await expect(write(null)).rejects.toThrow('row-level security')
  })
})

test('hundreds of concurrent appends leave each chain linear', async () => {
  // All appends wait for one row per chain, and none may exceed the lock timeout.
  const EACH = rounds(80, 200)
  const orgs = [newId('org'), newId('org'), null]
  await Promise.all(
    Array.from({ length: EACH * 3 }, (_, index) => append(orgs[index % 3] ?? null, { metadata: { index } })),
  )
  for (const orgId of orgs.slice(0, 2)) {
    const rows = await entriesOf(orgId ?? null)
    expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: EACH }, (_, index) => BigInt(index + 1)))
    expect(orgId && (await verifyChain(fixture.db, orgId))).toMatchObject({ ok: true, entries: EACH })
  }
  expect(await verifyAll(fixture.db)).toMatchObject({ ok: true, broken: null })
})

test('concurrent first appends to a new chain succeed', async () => {
  const orgId = newId('org')
  await Promise.all(Array.from({ length: 8 }, () => append(orgId)))
  expect(await verifyChain(fixture.db, orgId)).toMatchObject({ ok: true, entries: 8 })
})
