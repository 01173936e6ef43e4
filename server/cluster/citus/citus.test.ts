// The wallet on a database with Citus, where it is installed: `../soak` runs the simulation and the chaos on it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { debitOnce, openMinimalApp } from '../../bench/debits/debits.ts'
import { newId, type OrgId } from '../../src/kernel/ids.ts'
import type { App } from '../../src/platform/app.ts'
import { migrate } from '../../src/platform/db/migrations/migrate.ts'
import { faultsOf } from '../../src/platform/db/migrations/migration-rules.ts'
import { readFunctions, readMigrations } from '../../src/platform/db/migrations/sql-files.ts'
import { openPool, type Pool, withPool } from '../../src/platform/db/pool.ts'
import { lockWallet } from '../../src/wallet/balances.ts'
import { applyOp, applyOps, type WalletOp } from '../../src/wallet/ledger/apply-ops.ts'
import { defaultThresholds } from '../../src/wallet/low-balance/default-threshold.ts'
import { moveOne } from './moves.ts'
import { type CitusNode, type CitusNodes, hasCitus, startCitus } from './nodes.ts'

const ORGS = Array.from({ length: 24 }, (_, n) => `org_bench${n + 1}` as OrgId)
const PATIENCE_MS = scaledTimeout(60_000)
const isInstalled = hasCitus()
if (!isInstalled)
  process.stderr.write(
    '\n*** Citus for PostgreSQL 15 is not installed: the tests on Citus did NOT run. ***\n',
  )

const dir = mkdtempSync(join(tmpdir(), 'cowrie-citus-'))
let citus: CitusNodes
let app: App
let owner: Pool
let close: () => Promise<void>

const credit = (org: OrgId, cause: string, amount = 1_000_000n): WalletOp => ({
  kind: 'credit',
  org,
  mid: newId('led'),
  ref: 'test',
  cause,
  source: 'topup',
  amount,
  account: 'clearing:mock',
})

beforeAll(async () => {
  if (!isInstalled) return
  citus = await startCitus({ dir, workers: 2, settings: { fsync: 'off' } })
  await open()
  await app.db.tx('platform', async (tx) => {
    await tx.rows`
      insert into orgs (id, name, type, tier, currency, created_at)
      select id, 'Test', 'individual', 'individual', 'NGN', '2026-11-01' from unnest(${ORGS}::text[]) id`
  })
  await applyOps(
    app.db,
    ORGS.map((org) => credit(org, `first ${org}`)),
    app.clock.now(),
    defaultThresholds(app),
  )
}, 180_000)

afterAll(async () => {
  await closeAll()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
})

async function open(): Promise<void> {
  const { role, isDistributed } = await migrate(citus.coordinator.url)
  expect(isDistributed).toBe(true)
  const opened = openMinimalApp(citus.coordinator.url, role, isDistributed)
  app = opened.app
  owner = openPool(citus.coordinator.adminUrl)
  close = opened.close
}

async function closeAll(): Promise<void> {
  await close?.()
  await owner?.end()
  await citus?.close()
}

const balanceOf = async (org: OrgId): Promise<bigint> => {
  const [row] = await owner.rows<{
    minor: bigint
  }>`select balance_minor as minor from wallets where org_id = ${org}`
  return row?.minor ?? -1n
}

describe.runIf(isInstalled)('wallets on Citus', () => {
  test('are divided between the nodes, with everything that belongs to them', async () => {
    const rows = await owner.rows<{ nodes: number; tables: number }>`
      select count(distinct p.groupid)::int as nodes, count(distinct s.logicalrelid)::int as tables
      from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_partition d using (logicalrelid)
      where d.partmethod = 'h' and d.colocationid = (select colocationid from pg_dist_partition where logicalrelid = 'wallets'::regclass)`
    expect(rows).toEqual([{ nodes: 2, tables: 10 }])
  })

  test('are distributed once, and another start changes nothing', async () => {
    expect(await migrate(citus.coordinator.url)).toMatchObject({ applied: [], isDistributed: true })
  })

  test('a later migration changes divided tables, in several statements', async () => {
    const text = `
      alter table holds add column note text, add column shade text default 'x';
      alter table holds add constraint note_short check (length(note) < 100) not valid;
      create unique index holds_by_note on holds (org_id, note);
      alter table holds validate constraint note_short;
      create table beside (org_id text primary key)`
    const later = { version: 9_999, name: '9999_later.sql', text, checksum: 'later' }
    const migrations = [...readMigrations(), later]
    expect(faultsOf(text).map(({ rule }) => rule)).not.toContain('divided')
    const { applied } = await migrate(citus.coordinator.url, { migrations, functions: readFunctions() })
    expect(applied).toEqual([later.name])
    const [org] = ORGS as [OrgId]
    await expect(
      owner.rows`update holds set note = ${'n'.repeat(100)} where org_id = ${org} and ref is not null`,
    ).resolves.toEqual([])
    await expect(debitOnce(app, 1)).resolves.toBeUndefined()
    await expect(
      owner.rows`update holds set note = ${'n'.repeat(100)} where org_id = ${org}`,
    ).rejects.toThrow('note_short')
  })

  test('a cause is posted once over all wallets', async () => {
    const [one, other] = ORGS as [OrgId, OrgId]
    const post = (org: OrgId) => app.db.tx('platform', (tx) => applyOp(app, tx, credit(org, 'shared cause')))
    const verdicts = [await post(one), await post(one), await post(other)].map(({ verdict }) => verdict)
    expect(verdicts).toEqual(['moved', 'moved_before', 'moved_before'])
  })

  test('a transaction that fails takes its posting back, on the node too', async () => {
    const [org] = ORGS as [OrgId]
    const before = await balanceOf(org)
    const failing = app.db.tx('platform', async (tx) => {
      await applyOp(app, tx, credit(org, 'taken back'))
      throw new Error('after the posting')
    })
    await expect(failing).rejects.toThrow('after the posting')
    expect(await balanceOf(org)).toBe(before)
  })

  test('the coordinator and the node commit together: the node has prepared the posting', async () => {
    const [org] = ORGS as [OrgId]
    await app.db.tx('platform', (tx) => applyOp(app, tx, credit(org, 'two phases')))
    const [row] = await owner.rows<{ count: number }>`
      select count(*)::int as count from movement_causes where cause = 'two phases'`
    expect(row?.count).toBe(1)
    // A commit in two phases leaves its decision at the coordinator until the recovery forgets it.
    const [decisions] = await owner.rows<{
      count: number
    }>`select count(*)::int as count from pg_dist_transaction`
    expect(decisions?.count).toBeGreaterThan(0)
  })

  test(
    'debits lose nothing while shards move between the nodes',
    async () => {
      const random = seeded(7)
      let moves = 0
      let debits = 0
      let isOver = false
      const before = await total()
      const callers = Array.from({ length: 8 }, async (_, n) => {
        for (let wallet = n; !isOver; wallet++) {
          await debitOnce(app, 1 + (wallet % ORGS.length))
          debits++
        }
      })
      for (let n = 0; n < 4; n++) if (await moveOne(citus.coordinator.adminUrl, random)) moves++
      isOver = true
      await Promise.all(callers)
      expect(moves).toBe(4)
      expect(before - (await total())).toBe(60n * BigInt(debits))
    },
    PATIENCE_MS,
  )

  test('the role of the service cannot write money on a node', async () => {
    const [worker] = citus.workers
    await withPool(
      worker?.url ?? '',
      async (sql) => {
        await expect(sql.rows`update wallets set balance_minor = balance_minor + 1`).rejects.toThrow(
          'permission denied',
        )
        await expect(sql.rows`select * from wallets`).resolves.toEqual([])
      },
      { session: { role: 'cowrie_app' } },
    )
  })

  test(
    'a locked wallet does not move before the transaction ends',
    async () => {
      const [org] = ORGS as [OrgId]
      const order: string[] = []
      let moving = Promise.resolve()
      await app.db.tx('platform', async (tx) => {
        await lockWallet(tx, org)
        moving = moveOrg(org).then(() => void order.push('moved'))
        await expect.poll(waitingLocks, { timeout: PATIENCE_MS }).toBeGreaterThan(0)
        order.push('unlocked')
      })
      await moving
      expect(order).toEqual(['unlocked', 'moved'])
    },
    PATIENCE_MS,
  )

  test(
    'a node that is added takes shards, whose wallets are debited there',
    async () => {
      await closeAll()
      citus = await startCitus({ dir, workers: 3, settings: { fsync: 'off' } })
      await open()
      const added = citus.workers[2] as CitusNode
      const shards = await owner.rows<{ id: bigint; host: string; port: number }>`
      select s.shardid as id, n.nodename as host, n.nodeport as port
      from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
      where s.logicalrelid = 'wallets'::regclass order by s.shardid limit 2`
      for (const { id, host, port } of shards)
        await owner.rows`
        select citus_move_shard_placement(${id}, ${host}, ${port}, '127.0.0.1', ${added.port}, shard_transfer_mode => 'block_writes')`
      const before = await total()
      await Promise.all(ORGS.map((_, n) => debitOnce(app, n + 1)))
      expect(before - (await total())).toBe(60n * BigInt(ORGS.length))
      const there = await withPool(
        added.adminUrl,
        (sql) => sql.rows<{ count: number }>`
      select count(*)::int as count from pg_dist_placement p join pg_dist_local_group g using (groupid)
      join pg_dist_shard s using (shardid) where s.logicalrelid = 'wallets'::regclass`,
      )
      expect(there).toEqual([{ count: 2 }])
    },
    PATIENCE_MS,
  )
})

async function moveOrg(org: OrgId): Promise<void> {
  const [shard] = await owner.rows<{ id: bigint; host: string; port: number }>`
    select s.shardid as id, n.nodename as host, n.nodeport as port
    from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
    where s.shardid = get_shard_id_for_distribution_column('wallets', ${org}::text)`
  const to = citus.workers.find(({ port }) => port !== shard?.port)
  if (!shard || !to) throw new Error('the wallet has a shard, and there is another node')
  await owner.rows`
    select citus_move_shard_placement(${shard.id}, ${shard.host}, ${shard.port}, '127.0.0.1', ${to.port}, shard_transfer_mode => 'block_writes')`
}

/** Locks that any node waits for. */
async function waitingLocks(): Promise<number> {
  const counts = await Promise.all(
    [citus.coordinator, ...citus.workers].map(({ adminUrl }) =>
      withPool(
        adminUrl,
        (sql) => sql.rows<{ count: number }>`select count(*)::int as count from pg_locks where not granted`,
      ),
    ),
  )
  return counts.reduce((sum, [row]) => sum + (row?.count ?? 0), 0)
}

async function total(): Promise<bigint> {
  const [row] = await owner.rows<{ minor: bigint }>`select sum(balance_minor)::bigint as minor from wallets`
  return row?.minor ?? 0n
}
