// Compares debits with pgbench: alternating rounds in the same run, on the same database server.
import { DisciplinedClock } from '../../src/kernel/clock.ts'
import { openDb } from '../../src/platform/db/open-db.ts'
import type { Sql } from '../../src/platform/db/tx.ts'
import { byKey, type Caller, post } from '../http/requests.ts'
import { type MeasurePlan, measure, median, type Server } from '../http/rounds.ts'
import type { BenchProcess } from '../processes.ts'
import { debit, openMinimalApp, WALLETS } from './debits.ts'
import { findPgbench, pgbench, type Script } from './pgbench.ts'
import { byFunction, byHand } from './pgbench-scripts.ts'
import { countPostings, growLedger, seedWallets } from './sql.ts'

export type DebitLine = {
  what: string
  perSecond: number
  /** The best pgbench run of the same round, with its name. Null if pgbench is not available. */
  best: { perSecond: number; which: string } | null
  ratio: number | null
  aim: number | null
}
export type Growth = { rows: number; perSecond: number }[]
export type DebitReport = { lines: DebitLine[]; growth: Growth }

const CALLERS = 64
const ROWS_FEW = 10_000
const ROWS_MANY = 5_000_000

export type DebitBench = {
  url: string
  ours: Server
  load: BenchProcess
  callers: Caller[]
  plan: MeasurePlan
  quick: boolean
}

export async function measureDebits({
  url,
  ours,
  load,
  callers,
  plan,
  quick,
}: DebitBench): Promise<DebitReport> {
  const owner = openDb(url, { clock: new DisciplinedClock(), max: 2, statementTimeoutMs: 1_200_000 })
  const bare = openMinimalApp(url)
  const program = findPgbench()
  if (!program)
    process.stderr.write('pgbench is not installed and could not be installed: debits are not compared.\n')
  const seconds = Math.max(1, Math.round(plan.roundMs / 1_000))
  const best = async (wallets: number, clients: number[]): Promise<DebitLine['best']> =>
    program ? bestOf(program, url, [byHand(wallets), byFunction(wallets)], clients, seconds) : null
  try {
    await seedWallets(owner.direct, WALLETS)
    const through = (wallets: number, clients: number) => debit(bare.app, wallets, clients, seconds * 1_000)
    const at = (rows: number) =>
      measureAt(owner.direct, rows, async () => (await through(WALLETS, CALLERS)).perSecond)
    const few = await at(ROWS_FEW)
    const lines: DebitLine[] = []
    for (const [what, wallets, clients, aim] of [
      [`${WALLETS} wallets, ${CALLERS} callers`, WALLETS, [8, 16, 64], 2],
      [`one hot wallet, ${CALLERS} callers`, 1, [1, 4, 16, 64], 6],
      ['a single caller', WALLETS, [1], 0.7],
    ] as const) {
      process.stderr.write(`measuring debits: ${what} …\n`)
      const callersHere = what === 'a single caller' ? 1 : CALLERS
      const mine: number[] = []
      const theirs: DebitLine['best'][] = []
      for (let round = 0; round < plan.rounds; round++) {
        mine.push((await through(wallets, callersHere)).perSecond)
        theirs.push(await best(wallets, [...clients]))
      }
      lines.push(lineOf(what, mine, theirs, aim))
      if (callersHere > 1) lines.push(await overHttp(`${what}, over HTTP`, wallets, theirs))
    }
    return { lines, growth: [few, await at(quick ? 20 * ROWS_FEW : ROWS_MANY)] }
  } finally {
    await bare.close()
    await owner.close()
  }

  async function overHttp(what: string, wallets: number, theirs: DebitLine['best'][]): Promise<DebitLine> {
    const caller = callers[0] as Caller
    const requests = Array.from({ length: wallets }, (_, i) =>
      post('/bench/debit', byKey(caller), { wallet: i + 1 }),
    )
    const [rounds = []] = await measure(load, [{ server: ours, requests }], plan)
    return lineOf(
      what,
      rounds.map(({ perSecond }) => perSecond),
      theirs,
      null,
    )
  }
}

function lineOf(what: string, mine: number[], theirs: DebitLine['best'][], aim: number | null): DebitLine {
  const perSecond = median(mine)
  const known = theirs.flatMap((each) => (each ? [each] : [])).toSorted((a, b) => b.perSecond - a.perSecond)
  const best = known[0] ?? null
  return { what, perSecond, best, ratio: best && perSecond / best.perSecond, aim }
}

async function bestOf(program: string, url: string, scripts: Script[], clients: number[], seconds: number) {
  let best = { perSecond: 0, which: '' }
  for (const script of scripts)
    for (const count of clients) {
      const perSecond = await pgbench(program, url, script, count, seconds)
      if (perSecond > best.perSecond) best = { perSecond, which: `${script.name}, ${count} clients` }
    }
  return best
}

/** Measures the load after the ledger has grown to `rows` rows. */
async function measureAt(owner: Sql, rows: number, run: () => Promise<number>): Promise<Growth[number]> {
  process.stderr.write(`growing the ledger to ${rows} rows …\n`)
  await growLedger(owner, WALLETS, rows)
  await run()
  const before = await countPostings(owner)
  const rounds = [await run(), await run(), await run()]
  return { rows: before, perSecond: median(rounds) }
}
