import { openTestDb, type TestDb } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { json } from './tx.ts'

let own: TestDb
const ours = 'org_ours' as OrgId
const theirs = 'org_theirs' as OrgId

beforeAll(async () => {
  own = await openTestDb()
  await own.sql.rows`create table notes (org_id text not null, note text not null, minor bigint, facts jsonb)`
  await own.sql.rows`call enable_tenant_rls('notes')`
  await own.sql.rows`create table records (note text not null)`
  await own.sql.rows`call make_append_only('records')`
})
afterAll(() => own.close())

describe('a transaction', () => {
  test('rolls back work that fails', async () => {
    const failing = own.db.tx(ours, async (tx) => {
      await tx.rows`insert into notes (org_id, note) values (${ours}, 'lost')`
      throw new ApiError('forbidden')
    })
    await expect(failing).rejects.toMatchObject({ code: 'forbidden' })
    expect(await own.sql.rows`select note from notes where note = 'lost'`).toEqual([])
  })

  test('runs afterCommit actions only after the commit, and not after a rollback', async () => {
    const seen: string[] = []
    await own.db.tx(ours, async (tx) => {
      tx.afterCommit(() => seen.push('kept'))
      seen.push('working')
    })
    await own.db
      .tx(ours, async (tx) => {
        tx.afterCommit(() => seen.push('rolled back'))
        throw new Error('no')
      })
      .catch(() => undefined)
    expect(seen).toEqual(['working', 'kept'])
  })

  test('has one time, taken from the given clock', async () => {
    const [first, second] = await own.db.tx(ours, async (tx) => [tx.now, (await tx.rows`select 1`) && tx.now])
    expect(first).toEqual(own.clock.now())
    expect(second).toBe(first)
  })

  test('is retried after a deadlock', async () => {
    await own.sql.rows`create table pair (id int primary key, hits int not null)`
    await own.sql.rows`insert into pair values (1, 0), (2, 0)`
    await own.sql.rows`grant all on pair to cowrie_app`
    const bump = (first: number, second: number) =>
      own.db.tx(ours, async (tx) => {
        await tx.rows`update pair set hits = hits + 1 where id = ${first}`
        await tx.rows`select pg_sleep(0.05)`
        await tx.rows`update pair set hits = hits + 1 where id = ${second}`
      })
    await Promise.all([bump(1, 2), bump(2, 1)])
    expect(await own.sql.rows`select hits from pair order by id`).toEqual([{ hits: 2 }, { hits: 2 }])
  })

  test('transfers 64-bit integers, times, bytes, arrays and JSON without loss', async () => {
    const row = await own.db.tx(
      ours,
      (tx) => tx.one<Record<string, unknown>>`
      select ${9223372036854775807n}::bigint as most, ${new Date('2026-02-28T23:59:59.999Z')}::timestamptz as at,
             ${Buffer.from([0, 255])}::bytea as bytes, ${['a', 'b']}::text[] as words, ${[]}::text[] as none,
             ${json({ amountMinor: 9007199254740993n })}::jsonb as facts`,
    )
    expect(row).toEqual({
      most: 9223372036854775807n,
      at: new Date('2026-02-28T23:59:59.999Z'),
      bytes: Buffer.from([0, 255]),
      words: ['a', 'b'],
      none: [],
      facts: { amountMinor: 9007199254740993n },
    })
  })
})

test('arrays are transferred completely, also with the first statement of a pool', async () => {
  const words = ['plain', 'with "quotes"', 'back\\slash', '{braces},', '', 'NULL', 'ünï']
  const fresh = own.openReplica()
  expect(await fresh.direct.rows`select ${words}::text[] as words`).toEqual([{ words }])
  expect(
    await fresh.direct
      .rows`select ${[1n, 2n]}::bigint[] as numbers, (${['a', null]}::text[])[2] is null as empty, ${[own.clock.now()]}::timestamptz[] as times, ${[Buffer.from([0, 34, 92])]}::bytea[] as bytes`,
  ).toEqual([{ numbers: [1n, 2n], empty: true, times: [own.clock.now()], bytes: [Buffer.from([0, 34, 92])] }])
})

describe('row-level security', () => {
  test('shows an organisation only its own rows', async () => {
    await own.db.tx(theirs, (tx) => tx.rows`insert into notes (org_id, note) values (${theirs}, 'secret')`)
    await own.db.tx(ours, (tx) => tx.rows`insert into notes (org_id, note) values (${ours}, 'mine')`)
    expect(await own.db.tx(ours, (tx) => tx.rows`select note from notes`)).toEqual([{ note: 'mine' }])
  })

  test('rejects a row for another organisation', async () => {
    const forged = own.db.tx(
      ours,
      (tx) => tx.rows`insert into notes (org_id, note) values (${theirs}, 'forged')`,
    )
    await expect(forged).rejects.toThrow(/row-level security/)
  })

  test('shows no rows to a statement without a tenant scope', async () => {
    expect(await own.db.direct.rows`select note from notes`).toEqual([])
  })

  test('does not leave the tenant scope on a pooled connection', async () => {
    for (let i = 0; i < 40; i++) {
      await own.db.tx(theirs, (tx) => tx.rows`select note from notes`)
      expect(await own.db.direct.rows`select note from notes`).toEqual([])
    }
  })

  test('applies to the working role, which is neither owner nor superuser', async () => {
    const [role] = await own.db.direct.rows`
      select current_user as name, rolsuper, rolbypassrls from pg_roles where rolname = current_user`
    expect(role).toEqual({ name: 'cowrie_app', rolsuper: false, rolbypassrls: false })
  })
})

test('an append-only table rejects updates and deletes even of its owner', async () => {
  await own.db.direct.rows`insert into records values ('fact')`
  await expect(own.sql.rows`update records set note = 'other'`).rejects.toThrow(/append-only/)
  await expect(own.sql.rows`delete from records`).rejects.toThrow(/append-only/)
  await expect(own.sql.rows`truncate records`).rejects.toThrow(/append-only/)
  await expect(own.db.direct.rows`delete from records`).rejects.toThrow(/permission denied/)
})

test('a statement that exceeds its timeout fails with busy', async () => {
  const slow = own.db.tx('platform', async (tx) => {
    await tx.rows`select set_config('statement_timeout', '50', true)`
    await tx.rows`select pg_sleep(5)`
  })
  await expect(slow).rejects.toMatchObject({ code: 'busy', status: 503 })
})

test('a notification that a replica sends after its commit reaches all replicas', async () => {
  const heard: string[] = []
  const other = own.openReplica()
  const undo = [own.db, other].map((db) => db.listen('topic', (id) => id && heard.push(id)))
  await expect
    .poll(async () => {
      await own.db.tx('platform', async (tx) => tx.notify('topic', 'thing_1'))
      return heard.length
    })
    .toBeGreaterThanOrEqual(2)
  expect(new Set(heard)).toEqual(new Set(['thing_1']))
  for (const stop of undo) stop()
})
