// Runs the same statements through our driver and the former one in turn. Reports the CPU time of each round.
import { openPool } from '../../src/platform/db/pool.ts'
import { answer } from '../processes.ts'
import type { DriverName, FormerDriver, FormerSql, Round, Workload } from './measure.ts'

const { DATABASE_URL = '', FORMER_DRIVER = '' } = process.env
const former = (await import(FORMER_DRIVER)).default as FormerDriver

const ROWS = 1_000
const PREPARE = `
  drop table if exists bench_driver;
  create table bench_driver (id int primary key, name text not null, minor bigint not null, facts jsonb not null, at timestamptz not null);
  insert into bench_driver select n, 'name ' || n, n * 1000, '{"a": 1}', '2026-11-17' from generate_series(1, ${ROWS}) n`

/** One statement, and a transaction as the service uses it: tenant scope, a read, a write. */
type Side = {
  one(id: number): Promise<unknown>
  transaction(id: number): Promise<unknown>
  end(): Promise<void>
}

function openOurs(max: number): Side {
  const sql = openPool(DATABASE_URL, { max })
  return {
    one: (id) => sql.rows`select id, name, minor, facts, at from bench_driver where id = ${id}`,
    transaction: (id) =>
      sql.begin(
        async (tx) => {
          await tx.rows`select id, name, minor, facts, at from bench_driver where id = ${id}`
          await tx.rows`update bench_driver set minor = ${BigInt(id)} where id = ${id}`
        },
        { settings: "set local cowrie.reach = 'org_1'" },
      ),
    end: () => sql.end(),
  }
}

/** As the service used it: the tenant scope is pipelined with the first statement. */
function openFormer(max: number): Side {
  const { searchParams, port, username, pathname } = new URL(DATABASE_URL)
  const host = searchParams.get('host') ?? 'localhost'
  const sql: FormerSql = former({
    host,
    port: Number(port),
    user: username,
    database: pathname.slice(1),
    max,
    types: { bigint: former.BigInt },
    onnotice: () => undefined,
  })
  return {
    one: (id) => sql`select id, name, minor, facts, at from bench_driver where id = ${id}`,
    transaction: (id) =>
      sql.begin(async (tx) => {
        const scoped = tx`select set_config('cowrie.reach', ${'org_1'}, true)`.execute()
        await tx`select id, name, minor, facts, at from bench_driver where id = ${id}`
        await tx`update bench_driver set minor = ${BigInt(id)} where id = ${id}`
        await scoped
      }),
    end: () => sql.end(),
  }
}

async function round(side: Side, { callers, operations, kind }: Workload): Promise<Round> {
  let begun = 0
  const call = async () => {
    while (begun < operations) await side[kind](((begun++ * 7) % ROWS) + 1)
  }
  globalThis.gc?.()
  const [before, began] = [process.cpuUsage(), performance.now()]
  await Promise.all(Array.from({ length: callers }, call))
  const { user, system } = process.cpuUsage(before)
  return {
    cpuMicros: (user + system) / operations,
    wallMicros: ((performance.now() - began) * 1_000) / operations,
  }
}

async function measure(workload: Workload, rounds: number): Promise<Record<DriverName, Round[]>> {
  const sides = { ours: openOurs(workload.connections), former: openFormer(workload.connections) }
  const results: Record<DriverName, Round[]> = { ours: [], former: [] }
  // The first round warms up and does not count.
  for (let n = 0; n <= rounds; n++)
    for (const way of ['former', 'ours'] as const) {
      const result = await round(sides[way], workload)
      if (n > 0) results[way].push(result)
    }
  await Promise.all([sides.ours.end(), sides.former.end()])
  return results
}

answer(async ({ workload, rounds }: { workload: Workload; rounds: number }) => {
  const owner = openPool(DATABASE_URL)
  await owner.unsafe(PREPARE)
  await owner.end()
  return measure(workload, rounds)
})
