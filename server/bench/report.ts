// Prints the figures of all benchmarks.
import { cpus } from 'node:os'
import { type ParsingReport, parsingText } from './analysis/parsing.ts'
import type { ScanBenchReport } from './analysis/scan.ts'
import { scanText } from './analysis/scan-report.ts'
import { type IndexReport, indexText } from './code-index/measure.ts'
import type { DebitReport } from './debits/measure.ts'
import { type DriverReport, driverText } from './driver/measure.ts'
import type { GatewayReport } from './gateway/measure.ts'
import { gatewayText } from './gateway/report.ts'
import type { Comparison } from './http/scenarios.ts'
import { STREAMS, type StreamComparison } from './http/streams.ts'
import type { ResearchBenchReport } from './research/measure.ts'
import { researchText } from './research/report.ts'
import type { RetrievalReport } from './retrieval/measure.ts'
import { retrievalText } from './retrieval/report.ts'
import type { Start } from './starts.ts'
import { type SteadyReport, steadyText } from './steady.ts'
import { type TasksReport, tasksText } from './tasks/measure.ts'
import { type UsageReport, usageText } from './usage/measure.ts'

export type Memory = { name: string; oursBytes: number; bareBytes: number }
export type Report = {
  at: string
  comparisons: Comparison[]
  debits: DebitReport | null
  driver: DriverReport
  gateway: GatewayReport | null
  streams: StreamComparison | null
  steady: SteadyReport | null
  usage: UsageReport | null
  index: IndexReport | null
  research: ResearchBenchReport | null
  retrieval: RetrievalReport | null
  scan: ScanBenchReport | null
  parsing: ParsingReport | null
  tasks: TasksReport | null
  memory: Memory[]
  starts: Start[]
}

export function reportText(report: Report): string {
  const {
    comparisons,
    debits,
    driver,
    gateway,
    streams,
    steady,
    usage,
    index,
    research,
    retrieval,
    scan,
    parsing,
    tasks,
    memory,
    starts,
  } = report
  const sections = [
    `Node.js ${process.version} on ${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}`,
  ]
  if (comparisons.length > 0) sections.push(requestTable(comparisons), targetLines(comparisons))
  if (debits) sections.push(debitTable(debits), debitTargets(debits), growthTable(debits))
  if (driver) sections.push(driverText(driver, table))
  if (gateway) sections.push(gatewayText(gateway, table))
  if (streams) sections.push(streamTable(streams))
  if (steady) sections.push(steadyText(steady, table))
  if (usage) sections.push(usageText(usage, table))
  if (index) sections.push(indexText(index, table))
  if (research) sections.push(researchText(research, table))
  if (retrieval) sections.push(retrievalText(retrieval, table))
  if (scan) sections.push(scanText(scan, table))
  if (parsing) sections.push(parsingText(parsing, table))
  if (tasks) sections.push(tasksText(tasks, table))
  if (memory.length > 0) sections.push(memoryTable(memory))
  if (starts.length > 0) sections.push(startTable(starts))
  return `${sections.join('\n\n')}\n`
}

const requestTable = (comparisons: Comparison[]): string =>
  table([
    [
      'request',
      'against bare',
      'req/s',
      'bare',
      'ratio',
      'p50 ms',
      'bare',
      'p99 ms',
      'bare',
      'CPU µs',
      'bare',
      'ratio',
      'database µs',
      'bare',
    ],
    ...comparisons.map(({ what, against, ours, bare, ratio }) => [
      what,
      against,
      whole(ours.perSecond),
      whole(bare.perSecond),
      ratio.rate.toFixed(2),
      ours.p50Ms.toFixed(1),
      bare.p50Ms.toFixed(1),
      ours.p99Ms.toFixed(1),
      bare.p99Ms.toFixed(1),
      whole(ours.cpuMicros),
      whole(bare.cpuMicros),
      ratio.cpu.toFixed(2),
      Number.isNaN(ours.databaseMicros) ? '' : whole(ours.databaseMicros),
      Number.isNaN(bare.databaseMicros) ? '' : whole(bare.databaseMicros),
    ]),
  ])

/** If the load generator is the bottleneck, the rate ratio is meaningless. So both ratios must reach the target. */
function targetLines(comparisons: Comparison[]): string {
  return comparisons
    .flatMap(({ what, against, aim, ratio }) => {
      if (aim === null) return []
      const verdict = Math.min(ratio.rate, ratio.cpu) >= aim ? 'ok   ' : 'miss '
      return [
        `${verdict}  ${what} against ${against}: ${ratio.rate.toFixed(2)} by rate, ${ratio.cpu.toFixed(2)} by CPU, target ${aim}`,
      ]
    })
    .join('\n')
}

const debitTable = ({ lines }: DebitReport): string =>
  table([
    ['debits (reserve + settle)', 'per second', 'best pgbench', 'ratio', 'which'],
    ...lines.map(({ what, perSecond, best, ratio }) => [
      what,
      whole(perSecond),
      best ? whole(best.perSecond) : '',
      ratio?.toFixed(2) ?? '',
      best?.which ?? 'pgbench is not installed',
    ]),
  ])

const debitTargets = ({ lines }: DebitReport): string =>
  lines
    .flatMap(({ what, ratio, aim }) =>
      aim === null || ratio === null
        ? []
        : [`${ratio >= aim ? 'ok   ' : 'miss '}  debits, ${what}: ${ratio.toFixed(2)}, target ${aim}`],
    )
    .join('\n')

const growthTable = ({ growth }: DebitReport): string =>
  table([
    ['rows in the ledger', 'debits per second', 'of the first'],
    ...growth.map(({ rows, perSecond }) => [
      String(rows),
      whole(perSecond),
      (perSecond / (growth[0]?.perSecond ?? Number.NaN)).toFixed(2),
    ]),
  ])

const streamTable = ({ ours, bare, ratio }: StreamComparison): string =>
  table([
    [`${STREAMS} event streams`, 'ours', 'bare', 'ratio'],
    ['frames/s', whole(ours.perSecond), whole(bare.perSecond), ratio.rate.toFixed(2)],
    ['CPU µs per frame', ours.cpuMicros.toFixed(1), bare.cpuMicros.toFixed(1), ratio.cpu.toFixed(2)],
    ['kB held per open stream', whole(ours.kilobytesPerStream), whole(bare.kilobytesPerStream), ''],
    ['RSS growth, MB', megabytes(ours.rssGrowthBytes), megabytes(bare.rssGrowthBytes), ''],
  ])

const memoryTable = (memory: Memory[]): string =>
  table([
    ['memory (RSS), MB', 'ours', 'bare', 'ours/bare'],
    ...memory.map(({ name, oursBytes, bareBytes }) => [
      name,
      megabytes(oursBytes),
      megabytes(bareBytes),
      (oursBytes / bareBytes).toFixed(2),
    ]),
  ])

const startTable = (starts: Start[]): string =>
  table([
    ['start to first 200, ms', 'ours', 'bare', 'ours/bare'],
    ...starts.map(({ name, ms, bareMs, timesBare }) => [
      name,
      whole(ms),
      whole(bareMs),
      timesBare.toFixed(2),
    ]),
  ])

function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const isNumber = (column: number) => /^[\d.\s-]*$/.test(rows[1]?.[column] ?? '')
  const lines = rows.map((row) =>
    row
      .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  return [lines[0], '─'.repeat(Math.max(...lines.map((line) => line.length))), ...lines.slice(1)].join('\n')
}

const whole = (value: number): string => String(Math.round(value))
const megabytes = (bytes: number): string => whole(bytes / 1024 / 1024)
