// Compares the CPU cost of our database driver with the former driver.
import { pathToFileURL } from 'node:url'
import { installPeer } from '../install-peer.ts'
import { start } from '../processes.ts'

export type DriverName = 'ours' | 'former'
export type Round = { readonly cpuMicros: number; readonly wallMicros: number }
export type Workload = {
  readonly name: string
  readonly kind: 'one' | 'transaction'
  readonly connections: number
  readonly callers: number
  readonly operations: number
  /** The most that an operation may cost, relative to the former driver. */
  readonly aim: number
}
export type DriverReport = readonly (Workload & { readonly ours: Round; readonly former: Round })[] | null

/** The part of the former driver's interface that the benchmark uses. */
export type FormerSql = {
  (
    text: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Promise<unknown> & { execute(): Promise<unknown> }
  begin(work: (tx: FormerSql) => Promise<void>): Promise<unknown>
  end(): Promise<void>
}
export type FormerDriver = { (options: object): FormerSql; BigInt: object }

const FORMER = { dependencies: { postgres: '3.4.9' } }
const ROUND_MS = 300_000

const workloads = (scale: number): Workload[] => [
  {
    name: 'one after the other',
    kind: 'one',
    connections: 1,
    callers: 1,
    operations: 4_000 * scale,
    aim: 1.1,
  },
  { name: '64 callers', kind: 'one', connections: 8, callers: 64, operations: 16_000 * scale, aim: 1.25 },
  {
    name: 'transactions',
    kind: 'transaction',
    connections: 8,
    callers: 8,
    operations: 3_000 * scale,
    aim: 0.9,
  },
]

/** Null where the former driver cannot be installed. */
export async function measureDriver(url: string, quick: boolean): Promise<DriverReport> {
  const file = installPeer('cowrie-bench-driver', FORMER, 'postgres/src/index.js')
  if (file === null) return null
  const child = start('driver/driver-process.ts', {
    DATABASE_URL: url,
    FORMER_DRIVER: pathToFileURL(file).href,
  })
  try {
    const report = []
    for (const workload of workloads(quick ? 0.25 : 1)) {
      process.stderr.write(`measuring the driver: ${workload.name} …\n`)
      const rounds = await child.ask<Record<DriverName, Round[]>>(
        { workload, rounds: quick ? 5 : 9 },
        ROUND_MS,
      )
      report.push({ ...workload, ours: median(rounds.ours), former: median(rounds.former) })
    }
    return report
  } finally {
    await child.stop()
  }
}

function median(rounds: readonly Round[]): Round {
  const middle = (of: (round: Round) => number) =>
    rounds.map(of).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0
  return {
    cpuMicros: middle(({ cpuMicros }) => cpuMicros),
    wallMicros: middle(({ wallMicros }) => wallMicros),
  }
}

export function driverText(report: NonNullable<DriverReport>, table: (rows: string[][]) => string): string {
  const rows = report.map(({ name, connections, callers, ours, former, aim }) => {
    const ratio = ours.cpuMicros / former.cpuMicros
    return [
      name,
      String(connections),
      String(callers),
      ours.cpuMicros.toFixed(1),
      former.cpuMicros.toFixed(1),
      ratio.toFixed(2),
      aim.toFixed(2),
      ratio <= aim ? 'reached' : 'missed',
      (ours.wallMicros / former.wallMicros).toFixed(2),
    ]
  })
  const heads = ['database driver', 'connections', 'callers', 'CPU µs', 'former', 'ratio', 'aim', '', 'time']
  return table([heads, ...rows])
}
