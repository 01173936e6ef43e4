// Scans files on worker threads in batches. With changed lines, only findings that involve them are reported.

import type { AdvisoryIndex } from '@cowrie/analysis/advisories/osv.ts'
import type { CustomRule } from '@cowrie/analysis/custom/custom-rule.ts'
import { findBuiltFiles } from '@cowrie/analysis/engine/built-files.ts'
import { NOT_REACHED } from '@cowrie/analysis/engine/scan-files.ts'
import type { Finding, ScannedFile, ScanReport } from '@cowrie/analysis/report/finding.ts'
import { runTask, TaskTimeout, task } from '../platform/workers/workers.ts'
import { findVulnerable } from './advisories/find-vulnerable.ts'
import { type Batch, batchesOf, byPath } from './batches/batches.ts'
import { reuseReport } from './batches/reuse-reports.ts'
import { withSharedCode } from './batches/shared-code.ts'
import type { ScanTaskInput } from './scan-task.ts'

export { loadScanRules } from './load-scan-rules.ts'
export { ScanFinding, SentFiles, toScanFinding } from './schema.ts'
export { selectFindings, severityRank } from './select-findings.ts'

export type ScanOptions = {
  /** Changed lines by path. Findings that do not involve them are only counted. */
  readonly changed?: ReadonlyMap<string, ReadonlySet<number>> | undefined
  readonly signal?: AbortSignal | undefined
  /** The rules of the organisation, used besides the catalogue, or instead of it. */
  readonly customRules?: readonly CustomRule[] | undefined
  readonly isOnlyCustom?: boolean | undefined
  /** Advisories about packages; null without any. */
  readonly advisories?: AdvisoryIndex | null | undefined
  /** Threads are shared fairly between owners. */
  readonly owner?: string | undefined
  /**
   * For the whole scan, which then throws `TaskTimeout`. The report itself never depends on time: steps limit
   * the work on a file.
   */
  readonly timeoutMs: number
}

type BatchOptions = Omit<ScanOptions, 'changed' | 'timeoutMs' | 'advisories'> & {
  readonly built?: ReadonlySet<string>
}

const SCAN = task<ScanTaskInput, ScanReport>(new URL('./scan-task.ts', import.meta.url))

/** Two at once: one organisation must not use all threads, but a single slow batch must not block it either. */
const CONCURRENT_BATCHES = 2

export async function scan(files: readonly ScannedFile[], limits: ScanOptions): Promise<ScanReport> {
  const endMs = performance.now() + limits.timeoutMs
  const reports: ScanReport[] = []
  const batches = await withSharedCode(batchesOf(files), limits)
  const built = findBuiltFiles(files, limits.changed !== undefined)
  const work = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      limits.signal?.throwIfAborted()
      reports.push(await scanBatch(batch, endMs - performance.now(), { ...limits, built }))
    }
  }
  const vulnerable = limits.advisories ? findVulnerable(files, limits.advisories, limits) : null
  const [dependencies] = await Promise.all([vulnerable, ...Array.from({ length: CONCURRENT_BATCHES }, work)])
  if (dependencies) reports.push(dependencies)
  const merged = withFileCounts(mergeReports(reports), files.length)
  return limits.changed ? onlyChanged(merged, limits.changed) : merged
}

/** Lists each skipped file once and does not count it as scanned. */
function withFileCounts(report: ScanReport, files: number): ScanReport {
  const skipped = [...new Map(report.skipped.toReversed().map((each) => [each.path, each])).values()]
  return { ...report, skipped: skipped.sort(byPath), files: files - skipped.length }
}

async function scanBatch(batch: Batch, leftMs: number, options: BatchOptions): Promise<ScanReport> {
  const { files, resources, shared } = batch
  const { signal, owner } = options
  if (leftMs <= 0) throw new TaskTimeout()
  const endMs = performance.now() + leftMs
  const input: ScanTaskInput = {
    files,
    resources,
    shared,
    builtFiles: [...files, ...shared, ...resources].flatMap(({ path }) =>
      options.built?.has(path) ? [path] : [],
    ),
    customRules: options.customRules ?? [],
    isOnlyCustom: options.isOnlyCustom ?? false,
    owner: owner ?? null,
  }
  return reuseReport(input, async () => {
    // The first path tells the batches of a project apart.
    const near = owner && `${owner} ${files[0]?.path}`
    const report = await runTask(SCAN, input, { timeoutMs: leftMs, signal, owner, near })
    return scanRest(batch, report, endMs, options)
  })
}

/** Scans the files after one that crashed the parser. Each round has at least one file fewer, so the recursion ends. */
async function scanRest(
  batch: Batch,
  report: ScanReport,
  endMs: number,
  options: BatchOptions,
): Promise<ScanReport> {
  const unreached = new Set(
    report.skipped.filter(({ reason }) => reason === NOT_REACHED).map(({ path }) => path),
  )
  if (unreached.size === 0) return report
  const rest = batch.files.filter(({ path }) => unreached.has(path))
  const isScanned = ({ path }: { path: string }) => !unreached.has(path)
  const scanned: ScanReport = {
    ...report,
    findings: report.findings.filter(isScanned),
    suppressed: report.suppressed.filter(isScanned),
    skipped: report.skipped.filter(isScanned),
    files: report.files - rest.length,
    lines: report.lines - rest.reduce((sum, { content }) => sum + content.split('\n').length, 0),
  }
  return mergeReports([
    scanned,
    await scanBatch({ ...batch, files: rest }, endMs - performance.now(), options),
  ])
}

function mergeReports(reports: readonly ScanReport[]): ScanReport {
  const sum = (of: (report: ScanReport) => number) => reports.reduce((total, report) => total + of(report), 0)
  return {
    findings: withoutRepeats(reports.flatMap(({ findings }) => findings)).sort(byLocation),
    suppressed: reports.flatMap(({ suppressed }) => suppressed),
    skipped: reports.flatMap(({ skipped }) => skipped),
    files: sum(({ files }) => files),
    lines: sum(({ lines }) => lines),
  }
}

/** Several batches can find the same fault in the code they share. */
const withoutRepeats = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.toReversed().map((each) => [each.fingerprint, each])).values(),
]

function byLocation(one: Finding, other: Finding): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1
  return one.line - other.line || (one.ruleId < other.ruleId ? -1 : 1)
}

function onlyChanged(report: ScanReport, changed: ReadonlyMap<string, ReadonlySet<number>>): ScanReport {
  const isChanged = (path: string, line: number) => changed.get(path)?.has(line) ?? false
  const findings = report.findings.filter(
    ({ path, line, flow }) =>
      isChanged(path, line) || flow.some((step) => isChanged(step.path, step.at.line)),
  )
  return { ...report, findings, preexisting: report.findings.length - findings.length }
}
