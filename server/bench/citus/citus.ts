// `npm run bench:citus`: what a debit costs on plain PostgreSQL and on Citus with one, two and three workers. All servers share this
// machine, so that only processor time and transactions count, not debits per second. A debit is a reserve and a settlement.
//   --debits n     default 20000
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type CitusNode, startCitus, startPlain } from '../../cluster/citus/nodes.ts'
import { newId, type OrgId } from '../../src/kernel/ids.ts'
import type { App } from '../../src/platform/app.ts'
import { migrate } from '../../src/platform/db/migrations/migrate.ts'
import { withPool } from '../../src/platform/db/pool.ts'
import { applyOps, type WalletOp } from '../../src/wallet/ledger/apply-ops.ts'
import { defaultThresholds } from '../../src/wallet/low-balance/default-threshold.ts'
import { debitOnce, openMinimalApp, WALLETS } from '../debits/debits.ts'

const CALLERS = 64
const WARM_UP = 2_000
const ROUNDS = 3
const TICK_MICROS = 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

const { values } = parseArgs({ options: { debits: { type: 'string', default: '20000' } } })
const debits = Number(values.debits)

type Node = Pick<CitusNode, 'name' | 'url' | 'pid'>
type Work = { readonly cpuMicros: number; readonly transactions: number }
type Line = { readonly name: string; readonly nodes: readonly (Work & { readonly node: string })[] }

const lines: Line[] = []
const plain = await measurePlain()
for (const workers of [1, 2, 3]) await measureCitus(workers)
for (const { name, nodes } of lines) {
  const total = nodes.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0)
  process.stdout.write(
    `${name}: ${total.toFixed(0)} µs a debit, ${(total / plain).toFixed(2)} times plain PostgreSQL\n`,
  )
  for (const { node, cpuMicros, transactions } of nodes)
    process.stdout.write(
      `  ${node}: ${cpuMicros.toFixed(0)} µs, ${transactions.toFixed(2)} transactions a debit\n`,
    )
}

async function measurePlain(): Promise<number> {
  return inFolder(async (dir) => {
    const server = await startPlain(join(dir, 'plain'))
    try {
      const line = await measureOn('plain PostgreSQL', [server])
      return line.nodes.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0)
    } finally {
      await server.stop()
    }
  })
}

async function measureCitus(workers: number): Promise<void> {
  await inFolder(async (dir) => {
    const citus = await startCitus({ dir, workers })
    try {
      await measureOn(`Citus with ${workers} ${workers === 1 ? 'worker' : 'workers'}`, [
        citus.coordinator,
        ...citus.workers,
      ])
    } finally {
      await citus.close()
    }
  })
}

async function measureOn(name: string, nodes: readonly Node[]): Promise<Line> {
  const url = (nodes[0] as Node).url
  const { role, isDistributed } = await migrate(url)
  const { app, close } = openMinimalApp(url, role, isDistributed)
  try {
    await seed(app)
    await run(app, WARM_UP)
    const rounds: Work[][] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = await Promise.all(nodes.map(workOf))
      await run(app, debits)
      const after = await Promise.all(nodes.map(workOf))
      rounds.push(
        after.map(({ cpuMicros, transactions }, n) => ({
          cpuMicros: (cpuMicros - (before[n] as Work).cpuMicros) / debits,
          transactions: (transactions - (before[n] as Work).transactions) / debits,
        })),
      )
    }
    const line = {
      name,
      nodes: nodes.map(({ name: node }, n) => {
        const sorted = rounds.map((round) => round[n] as Work).toSorted((a, b) => a.cpuMicros - b.cpuMicros)
        return { node, ...(sorted[Math.floor(ROUNDS / 2)] as Work) }
      }),
    }
    lines.push(line)
    return line
  } finally {
    await close()
  }
}

async function seed(app: App): Promise<void> {
  const orgs = Array.from({ length: WALLETS }, (_, n) => `org_bench${n + 1}` as OrgId)
  await app.db.tx('platform', async (tx) => {
    await tx.rows`
      insert into orgs (id, name, type, tier, currency, created_at)
      select id, 'Bench', 'individual', 'individual', 'NGN', '2026-11-01' from unnest(${orgs}::text[]) id`
  })
  const credits: WalletOp[] = orgs.map((org) => ({
    kind: 'credit',
    org,
    mid: newId('led'),
    ref: 'bench',
    cause: `bench ${org}`,
    source: 'topup',
    amount: 1_000_000_000_000n,
    account: 'clearing:mock',
  }))
  await applyOps(app.db, credits, app.clock.now(), defaultThresholds(app))
}

async function run(app: App, total: number): Promise<void> {
  let left = total
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (left-- > 0) await debitOnce(app, 1 + Math.floor(Math.random() * WALLETS))
    }),
  )
}

/** The processor time of a server with all of its processes, also those that have ended, and its committed transactions. */
async function workOf({ url, pid }: Node): Promise<Work> {
  const [{ count } = { count: 0 }] = await withPool(
    url,
    (sql) => sql.rows<{ count: number }>`
    select sum(xact_commit)::float8 as count from pg_stat_database`,
  )
  const own = statOf(pid)
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid)
  const ticks = (own?.ended ?? 0) + [own, ...children].reduce((sum, stat) => sum + (stat?.ticks ?? 0), 0)
  return { cpuMicros: ticks * TICK_MICROS, transactions: count }
}

function statOf(pid: number): { parent: number; ticks: number; ended: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const at = (n: number) => fields[n - 3] ?? 0
    return { parent: at(4), ticks: at(14) + at(15), ended: at(16) + at(17) }
  } catch {
    return null
  }
}

async function inFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'cowrie-citus-'))
  try {
    return await work(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}
