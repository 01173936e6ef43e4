import { randomInt } from 'node:crypto'
import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { present } from '../../kernel/assert.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { record } from '../audit.ts'
import { verifyAll, verifyChain } from './verify.ts'

let fixture: TestDb
let orgId: OrgId
beforeAll(async () => {
  fixture = await openTestDb()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  orgId = newId('org')
  await append(orgId, LENGTH)
})

const EDITS_TRIED = rounds(20, 100)
const LENGTH = 40
const NO_ANCHOR = { state: 'none', seq: null, hash: null, at: null }

const append = (chain: OrgId | null, count: number) =>
  fixture.db.tx(chain ?? 'platform', async (tx) => {
    for (let index = 0; index < count; index++)
      await record(tx, {
        orgId: chain,
        actor: { kind: 'system' },
        action: 'test.did',
        target: `thing ${index}`,
        ip: '::1',
        metadata: { index, price: 0.1, words: ['naïve', '😀'] },
      })
  })

/** Acts as an attacker with the password of the database owner: disables the triggers first. */
async function tamper(edit: () => Promise<unknown>): Promise<void> {
  await fixture.sql.rows`alter table audit_entries disable trigger user`
  await fixture.sql.rows`alter table audit_heads disable trigger user`
  try {
    await edit()
  } finally {
    await fixture.sql.rows`alter table audit_entries enable trigger user`
    await fixture.sql.rows`alter table audit_heads enable trigger user`
  }
}

async function idOf(seq: number): Promise<string> {
  return (
    await fixture.sql.one<{
      id: string
    }>`select id from audit_entries where chain = ${orgId} and seq = ${seq}`
  ).id
}

describe('an untouched chain', () => {
  test('verifies, and its head is the last entry', async () => {
    const last = await fixture.sql.one<{ seq: bigint; hash: string }>`
      select seq, hash from audit_entries where chain = ${orgId} order by seq desc limit 1`
    expect(await verifyChain(fixture.db, orgId)).toEqual({
      ok: true,
      entries: LENGTH,
      head: last,
      anchor: NO_ANCHOR,
      broken: null,
      unproven: [],
      nextCursor: null,
    })
  })

  test('verifies before its first entry', async () => {
    expect(await verifyChain(fixture.db, newId('org'))).toEqual({
      ok: true,
      entries: 0,
      head: null,
      anchor: NO_ANCHOR,
      broken: null,
      unproven: [],
      nextCursor: null,
    })
  })

  test('verifies over several pages, including the links between them', async () => {
    const long = newId('org')
    for (const from of [1, 1301, 2601, 3901])
      await fixture.sql.rows`
        insert into audit_entries (id, org_id, actor_kind, action, metadata, created_at)
        select 'aud_' || ${long}::text || n, ${long}, 'system', 'test.did', '{}', now() from generate_series(${from}::int, ${from + 1299}::int) n`
    expect(await verifyChain(fixture.db, long)).toMatchObject({ ok: true, entries: 5_200 })
    await tamper(
      () => fixture.sql.rows`
      update audit_entries e set action = 'test.other',
        hash = audit_hash(row(e.id, e.org_id, e.chain, e.seq, e.actor_kind, e.actor_user_id, e.actor_email, 'test.other',
                              e.target, e.metadata, e.ip, e.created_at, e.prev_hash, e.hash)::audit_entries)
      where chain = ${long} and seq = 5000`,
    )
    expect(await verifyChain(fixture.db, long)).toMatchObject({
      ok: false,
      broken: { seq: 5_000n, id: `aud_${long}5000`, reason: 'edited' },
    })
    await tamper(() => fixture.sql.rows`delete from audit_entries where chain = ${long}`)
    await tamper(() => fixture.sql.rows`delete from audit_heads where chain = ${long}`)
  })

  test('has hashes that do not depend on session settings', async () => {
    const { wrong } = await fixture.db.tx(orgId, async (tx) => {
      await tx.rows`
        select set_config('timezone', 'Africa/Lagos', true), set_config('datestyle', 'German', true),
               set_config('extra_float_digits', '-10', true), set_config('bytea_output', 'escape', true)`
      return tx.one<{
        wrong: bigint
      }>`select count(*) as wrong from audit_entries e where audit_hash(e) <> hash`
    })
    expect(wrong).toBe(0n)
  })
})

describe('an attacker with the password of the database owner', () => {
  const EDITS: Record<string, (seq: number) => Promise<unknown>> = {
    action: (seq) =>
      fixture.sql
        .rows`update audit_entries set action = 'test.never' where chain = ${orgId} and seq = ${seq}`,
    target: (seq) =>
      fixture.sql.rows`update audit_entries set target = null where chain = ${orgId} and seq = ${seq}`,
    metadata: (seq) =>
      fixture.sql
        .rows`update audit_entries set metadata = metadata || '{"price": 0.2}' where chain = ${orgId} and seq = ${seq}`,
    address: (seq) =>
      fixture.sql.rows`update audit_entries set ip = '::2' where chain = ${orgId} and seq = ${seq}`,
    time: (seq) =>
      fixture.sql
        .rows`update audit_entries set created_at = created_at + interval '1 microsecond' where chain = ${orgId} and seq = ${seq}`,
    actor: (seq) =>
      fixture.sql
        .rows`update audit_entries set actor_email = 'eve@example.com' where chain = ${orgId} and seq = ${seq}`,
    id: (seq) =>
      fixture.sql.rows`update audit_entries set id = id || 'x' where chain = ${orgId} and seq = ${seq}`,
    link: (seq) =>
      fixture.sql
        .rows`update audit_entries set prev_hash = repeat('1', 64) where chain = ${orgId} and seq = ${seq}`,
    hash: (seq) =>
      fixture.sql
        .rows`update audit_entries set hash = repeat('1', 64) where chain = ${orgId} and seq = ${seq}`,
  }

  test(`is detected for each of ${EDITS_TRIED} random edits, at the edited entry`, {
    timeout: 240_000,
  }, async () => {
    const kinds = Object.keys(EDITS)
    for (let round = 0; round < EDITS_TRIED; round++) {
      const kind = present(kinds[round % kinds.length], 'a kind of edit')
      const seq = randomInt(1, LENGTH + 1)
      await fixture.sql
        .rows`create table before_edit as select * from audit_entries where chain = ${orgId} and seq = ${seq}`
      await tamper(async () => EDITS[kind]?.(seq))
      const id = await idOf(seq)
      expect(await verifyChain(fixture.db, orgId), `${kind} of ${seq}`).toMatchObject({
        ok: false,
        entries: seq - 1,
        broken: { seq: BigInt(seq), id, reason: 'edited', orgId },
      })
      await tamper(
        () => fixture.sql.rows`
        update audit_entries e set (id, actor_email, action, target, metadata, ip, created_at, prev_hash, hash)
          = (select id, actor_email, action, target, metadata, ip, created_at, prev_hash, hash from before_edit)
        where e.chain = ${orgId} and e.seq = ${seq}`,
      )
      await fixture.sql.rows`drop table before_edit`
    }
    expect(await verifyChain(fixture.db, orgId)).toMatchObject({ ok: true })
  })

  test.for([1, 17, LENGTH])('is detected when entry %i is edited and rehashed', async (seq) => {
    await tamper(async () => {
      await EDITS.action?.(seq)
      await fixture.sql
        .rows`update audit_entries e set hash = audit_hash(e) where chain = ${orgId} and seq = ${seq}`
    })
    expect((await verifyChain(fixture.db, orgId)).broken).toMatchObject({
      seq: BigInt(seq),
      id: await idOf(seq),
      reason: 'edited',
    })
  })

  test.for([1, 17, LENGTH])('is detected when entry %i is deleted', async (seq) => {
    await tamper(() => fixture.sql.rows`delete from audit_entries where chain = ${orgId} and seq = ${seq}`)
    expect((await verifyChain(fixture.db, orgId)).broken).toMatchObject({
      seq: BigInt(seq),
      id: null,
      reason: 'missing',
    })
  })

  test('is detected when the last ten entries are deleted', async () => {
    await tamper(
      () => fixture.sql.rows`delete from audit_entries where chain = ${orgId} and seq > ${LENGTH - 10}`,
    )
    expect(await verifyChain(fixture.db, orgId)).toMatchObject({
      ok: false,
      entries: LENGTH - 10,
      broken: { seq: BigInt(LENGTH - 9), id: null, reason: 'missing' },
    })
  })

  test('is detected when an entry is moved to another chain', async () => {
    const other = newId('org')
    const id = await idOf(5)
    await tamper(
      () => fixture.sql.rows`update audit_entries set org_id = ${other} where chain = ${orgId} and seq = 5`,
    )
    expect((await verifyChain(fixture.db, orgId)).broken).toMatchObject({ seq: 5n, reason: 'missing' })
    expect((await verifyChain(fixture.db, other)).broken).toMatchObject({ seq: 5n, id, reason: 'unexpected' })
    expect((await verifyAll(fixture.db)).broken).toMatchObject({ orgId: other, id })
    await tamper(() => fixture.sql.rows`update audit_entries set org_id = ${orgId} where id = ${id}`)
  })

  test('is detected when an entry is inserted beyond the head', async () => {
    await tamper(
      () => fixture.sql.rows`
      insert into audit_entries (id, org_id, seq, actor_kind, action, metadata, created_at, prev_hash, hash)
      values (${`aud_${orgId}`}, ${orgId}, ${LENGTH + 1}, 'system', 'test.forged', '{}', now(), 'x', 'y')`,
    )
    expect((await verifyChain(fixture.db, orgId)).broken).toMatchObject({
      seq: BigInt(LENGTH + 1),
      id: `aud_${orgId}`,
      reason: 'unexpected',
    })
  })
})

describe('the verification of all chains', () => {
  test('names the organisation of the broken chain, and null for the platform', async () => {
    const own = await openTestDb()
    try {
      const write = (chain: OrgId | null) =>
        own.db.tx('platform', (tx) =>
          record(tx, { orgId: chain, actor: { kind: 'system' }, action: 'test.did' }),
        )
      for (let index = 0; index < 3; index++)
        for (const chain of [null, orgId, newId('org')]) await write(chain)
      expect(await verifyAll(own.db)).toEqual({
        ok: true,
        entries: 9,
        head: null,
        anchor: null,
        broken: null,
        unproven: [],
        nextCursor: null,
      })

      // Two chains per call, continued by cursor.
      const calls = []
      for (let cursor: string | null | undefined; cursor !== null && calls.length < 9; ) {
        const verdict = await verifyAll(own.db, cursor, undefined, 2)
        calls.push([verdict.ok, verdict.entries])
        cursor = verdict.nextCursor
      }
      expect(calls.every(([ok]) => ok)).toBe(true)
      expect(calls.length).toBeGreaterThan(2)
      expect(calls.reduce((sum, [, entries]) => sum + Number(entries), 0)).toBe(9)

      await own.sql.rows`alter table audit_entries disable trigger user`
      await own.sql.rows`update audit_entries set target = 'x' where org_id is null and seq = 2`
      expect((await verifyAll(own.db)).broken).toMatchObject({ seq: 2n, reason: 'edited', orgId: null })
      await own.sql.rows`update audit_entries set target = null where org_id is null and seq = 2`
      await own.sql.rows`update audit_entries set target = 'x' where org_id = ${orgId} and seq = 3`
      expect((await verifyAll(own.db)).broken).toMatchObject({ seq: 3n, reason: 'edited', orgId })
    } finally {
      await own.close()
    }
  })

  test('refuses an invalid cursor', async () => {
    const cursor = Buffer.from(`${orgId}\u001f9999`).toString('base64url')
    await expect(verifyChain(fixture.db, orgId, cursor)).rejects.toMatchObject({ code: 'invalid_fields' })
    await expect(verifyAll(fixture.db, 'rubbish')).rejects.toMatchObject({ code: 'invalid_fields' })
  })

  test('continues from a cursor at the entry where it stopped', async () => {
    const cursor = Buffer.from(`${orgId}\u001f30`).toString('base64url')
    expect(await verifyChain(fixture.db, orgId, cursor)).toMatchObject({ ok: true, entries: LENGTH - 30 })
  })
})
