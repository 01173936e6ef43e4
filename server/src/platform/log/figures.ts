// Gauges that describe data in the database: queues, holds, payments, checks. Each module declares its own. They are read when
// Prometheus scrapes, at most once in ten seconds, each in a read-only transaction with a time limit.
import type { Clock } from '../../kernel/clock.ts'
import type { Db, Tx } from '../db/tx.ts'
import type { Log } from './log.ts'

/** The metric without the prefix `cowrie_`, its value, and its labels. Labels have few values: never the id of a customer. */
export type Figure = readonly [metric: string, value: number, labels?: Readonly<Record<string, string>>]

export type FigureSource = {
  /** The label of its failed reads. */
  readonly name: string
  /** The meaning of each metric. */
  readonly metrics: Readonly<Record<string, string>>
  /** Reads with platform scope. Every statement uses an index or a limit, because it runs while customers wait. */
  read(tx: Tx): Promise<readonly Figure[]>
}

export type Figures = {
  /** In the text format of Prometheus. Metrics of a failed read are absent, so an old value never looks current. */
  exposition(): Promise<string>
}

/** The largest number that a count of rows reports: reading on would only cost time. */
export const COUNTED_MAX = 10_000

const FRESH_MS = 10_000
/** Shorter than the time that the processes of a replica give each other to print. */
const BUDGET_MS = 1_500
const SERIES_MAX = 500
const FAILED = 'cowrie_figures_read_failed_total'

export function createFigures(
  { db, clock, log }: { db: Pick<Db, 'tx'>; clock: Clock; log: Log },
  sources: readonly FigureSource[],
  budgetMs = BUDGET_MS,
): Figures {
  const failures = new Map(sources.map(({ name }) => [name, 0]))
  let cached: { readonly atMs: number; readonly text: Promise<string> } | null = null

  async function readAll(): Promise<string> {
    const endAtMs = performance.now() + budgetMs
    const printed: string[] = []
    // One after the other, so that a scrape uses one connection of the pool.
    for (const source of sources) printed.push(await readOne(source, endAtMs))
    return printed.join('')
  }

  async function readOne(source: FigureSource, endAtMs: number): Promise<string> {
    try {
      const figures = await within(endAtMs, (leftMs) => db.tx('platform', (tx) => read(tx, source, leftMs)))
      return print(source, figures)
    } catch (error) {
      failures.set(source.name, (failures.get(source.name) ?? 0) + 1)
      log.warn({ err: error, source: source.name }, 'metrics.figures.read_failed')
      return print(source, [])
    }
  }

  return {
    async exposition() {
      const atMs = clock.now().getTime()
      if (!cached || Math.abs(atMs - cached.atMs) >= FRESH_MS) cached = { atMs, text: readAll() }
      const text = await cached.text
      const failed = [...failures].map(([source, count]) => `${FAILED}{source="${source}"} ${count}\n`)
      return `${text}# HELP ${FAILED} Reads of figures from the database that failed, by source.\n# TYPE ${FAILED} counter\n${failed.join('')}`
    },
  }
}

async function read(tx: Tx, source: FigureSource, timeoutMs: number): Promise<readonly Figure[]> {
  await tx.rows`
    select set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('transaction_read_only', 'on', true)`
  return source.read(tx)
}

/** Fails when the time is over. The statement that is left behind ends by its own timeout. */
async function within<T>(endAtMs: number, work: (leftMs: number) => Promise<T>): Promise<T> {
  const leftMs = Math.ceil(endAtMs - performance.now())
  if (leftMs <= 0) throw new Error('the time for reading figures is over')
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no figures within ${leftMs} ms`)), leftMs)
  try {
    return await Promise.race([work(leftMs), late])
  } finally {
    clearTimeout(timer)
  }
}

function print({ metrics }: FigureSource, figures: readonly Figure[]): string {
  return Object.entries(metrics)
    .map(([name, help]) => {
      const series = figures
        .filter(([metric]) => metric === name)
        .slice(0, SERIES_MAX)
        .map(([, value, labels = {}]) => `cowrie_${name}${labelsOf(labels)} ${value}\n`)
      return `# HELP cowrie_${name} ${help}\n# TYPE cowrie_${name} gauge\n${series.join('')}`
    })
    .join('')
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** Prometheus counts time in seconds. */
export const inSeconds = (instant: Date): number => instant.getTime() / 1000

/** Seconds since an instant, never negative; 0 for none, which means that nothing waits. */
export const ageSeconds = (now: Date, since: Date | null): number =>
  since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1000)
