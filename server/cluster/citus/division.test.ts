// A database with organisations is divided later, and brought back to plain PostgreSQL, as docs/scale.md describes.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMinimalApp } from '../../bench/debits/debits.ts'
import { type KeyId, newId, type OrgId, type UserId } from '../../src/kernel/ids.ts'
import type { App } from '../../src/platform/app.ts'
import { withDatabase } from '../../src/platform/db/connection-url.ts'
import { migrate } from '../../src/platform/db/migrations/migrate.ts'
import { withPool } from '../../src/platform/db/pool.ts'
import { reserve, settle } from '../../src/wallet/holds/holds.ts'
import { applyOps, type WalletOp } from '../../src/wallet/ledger/apply-ops.ts'
import { defaultThresholds } from '../../src/wallet/low-balance/default-threshold.ts'
import { runChecks, trialBalance, walletChecks } from '../../src/wallet/wallet.ts'
import { type CitusNodes, hasCitus, joinNodes, startCitus } from './nodes.ts'

const PATIENCE_MS = scaledTimeout(120_000)
const ORGS = Array.from({ length: 12 }, (_, n) => `org_late${n + 1}` as OrgId)
const [ORG] = ORGS as [OrgId]
/** Those that only a divided database has, and those that every database fills itself. */
const NOT_COPIED = [
  ...['member_caps', 'key_limits', 'trial_ends', 'movement_causes', 'citus_commits'],
  ...['schema_migrations', 'sql_functions'],
]
const isInstalled = hasCitus()
if (!isInstalled)
  process.stderr.write(
    '\n*** Citus for PostgreSQL 15 is not installed: the tests of dividing a database did NOT run. ***\n',
  )

const dir = mkdtempSync(join(tmpdir(), 'cowrie-division-'))
let citus: CitusNodes

beforeAll(async () => {
  if (isInstalled) citus = await startCitus({ dir, workers: 2, settings: { fsync: 'off' } })
}, 180_000)

afterAll(async () => {
  await citus?.close()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
})

const urlOf = (database: string) => withDatabase(citus.coordinator.url, database)
const adminUrlOf = (database: string) => withDatabase(citus.coordinator.adminUrl, database)

async function withApp<T>(database: string, work: (app: App) => Promise<T>): Promise<T> {
  const { role, isDistributed } = await migrate(urlOf(database))
  const { app, close } = openMinimalApp(urlOf(database), role, isDistributed)
  try {
    return await work(app)
  } finally {
    await close()
  }
}

const credit = (org: OrgId): WalletOp => ({
  kind: 'credit',
  org,
  mid: newId('led'),
  ref: 'test',
  cause: `before ${org}`,
  source: 'topup',
  amount: 10_000n,
  account: 'clearing:mock',
})

const hold = (app: App, ref: string, amountMinor: bigint) =>
  reserve(app, {
    orgId: ORG,
    userId: 'usr_late' as UserId,
    keyId: 'key_late' as KeyId,
    ref,
    source: 'agent',
    amountMinor,
    terms: { lane: 'open' },
    deadline: new Date(Date.now() + 3_600_000),
  })

/** The division and the copy change none of these. */
const readMoney = (database: string) =>
  withPool(adminUrlOf(database), async (sql) => {
    const wallets = await sql.rows`
      select org_id, balance_minor, held_minor, seq, encode(head, 'hex') as head from wallets order by org_id`
    const counts = await sql.rows`
      select (select count(*) from movements) as movements, (select count(*) from holds) as holds,
             (select count(*) from key_spend) as key_days, (select count(*) from member_months) as months`
    return { wallets, counts }
  })

const failedChecks = async (app: App) => [
  ...(await runChecks(app, walletChecks)).filter(({ ok }) => !ok).map(({ name }) => name),
  ...(await trialBalance(app)).filter(({ ok }) => !ok).map(({ currency }) => currency),
]

describe.runIf(isInstalled)('a database with organisations', () => {
  test(
    'is divided later, with all its money and limits, and leaves no rows on the coordinator',
    async () => {
      for (const { adminUrl } of [citus.coordinator, ...citus.workers])
        await withPool(adminUrl, (sql) => sql.unsafe('create database late owner cowrie'))
      await migrate(urlOf('late'))
      await withPool(adminUrlOf('late'), async (sql) => {
        await sql.rows`
          insert into orgs (id, name, type, tier, currency, created_at)
          select id, 'Late', 'individual', 'individual', 'NGN', '2026-11-01' from unnest(${ORGS}::text[]) id`
        await sql.rows`insert into users (id, email, created_at) values ('usr_late', 'late@example.com', '2026-11-01')`
        await sql.rows`
          insert into api_keys (id, org_id, user_id, name, scopes, prefix, hash, created_at, budget_minor, budget_period)
          values ('key_late', ${ORG}, 'usr_late', 'Late', '{chat}', 'cwk_late', sha256('late'), '2026-11-01', 500, 'month')`
      })
      await withApp('late', async (app) => {
        expect(app.db.shards).toBeNull()
        await applyOps(app.db, ORGS.map(credit), app.clock.now(), defaultThresholds(app))
        const held = await hold(app, 'before', 100n)
        if (!held.ok) throw new Error('the budget is 500')
        await settle(app, { orgId: ORG, holdId: held.hold.holdId, amountMinor: 60n, usage: null })
        await hold(app, 'open before', 40n)
      })
      const before = await readMoney('late')
      await joinNodes(citus, 'late')
      await withApp('late', async (app) => {
        expect(app.db.shards).not.toBeNull()
        expect(await readMoney('late')).toEqual(before)
        const [left] = await withPool(
          adminUrlOf('late'),
          (sql) => sql.rows<{ bytes: bigint }>`
            select sum(pg_relation_size(logicalrelid))::bigint as bytes from pg_dist_partition where partmethod = 'h'`,
        )
        expect(left?.bytes).toBe(0n)
        expect(await hold(app, 'too much', 500n)).toMatchObject({ ok: false, reason: 'key_budget' })
        expect(await hold(app, 'after', 400n)).toMatchObject({ ok: true })
        expect(await failedChecks(app)).toEqual([])
      })
    },
    PATIENCE_MS,
  )

  test(
    'goes back to plain PostgreSQL by a copy of its rows',
    async () => {
      await withPool(citus.coordinator.adminUrl, (sql) => sql.unsafe('create database back owner cowrie'))
      await migrate(urlOf('back'))
      // A new installation has a few rows, which the copy brings too.
      await withPool(adminUrlOf('back'), async (sql) => {
        const tables = await sql.rows<{ name: string }>`
          select relname as name from pg_class
          where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all (${NOT_COPIED}::text[])`
        await sql.unsafe('set session_replication_role = replica')
        await sql.unsafe(`truncate ${tables.map(({ name }) => name).join(', ')}`)
      })
      const dump = execFileSync(
        '/usr/lib/postgresql/15/bin/pg_dump',
        [
          ...['--data-only', '--disable-triggers', '--schema=public'],
          ...NOT_COPIED.map((table) => `--exclude-table=${table}`),
          adminUrlOf('late'),
        ],
        { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 100_000_000 },
      )
      execFileSync(
        '/usr/lib/postgresql/15/bin/psql',
        ['-qX', '--single-transaction', '-v', 'ON_ERROR_STOP=1', adminUrlOf('back')],
        { input: dump, stdio: ['pipe', 'pipe', 'pipe'] },
      )
      expect(await readMoney('back')).toEqual(await readMoney('late'))
      await withApp('back', async (app) => {
        expect(app.db.shards).toBeNull()
        expect(await failedChecks(app)).toEqual([])
        expect(await hold(app, 'back', 1n)).toMatchObject({ ok: false, reason: 'key_budget' })
      })
    },
    PATIENCE_MS,
  )
})
