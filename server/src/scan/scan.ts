// Scans files on worker threads in batches. With changed lines, only findings that involve them are reported.

import { NOT_REACHED } from '@cowrie/analysis/engine/scan-files.ts'
import { languageOf } from '@cowrie/analysis/engine/skipped-files.ts'
import type { Finding, ScannedFile, ScanReport } from '@cowrie/analysis/report/finding.ts'
import { runTask, TaskTimeout, task } from '../platform/workers/workers.ts'
import type { ScanTaskInput } from './scan-task.ts'

export { ScanFinding, toScanFinding } from './schema.ts'

export type ScanOptions = {
  /** Changed lines by path. Findings that do not involve them are only counted. */
  readonly changed?: ReadonlyMap<string, ReadonlySet<number>> | undefined
  readonly signal?: AbortSignal | undefined
  /** Threads are shared fairly between owners. */
  readonly owner?: string | undefined
  /** For the whole scan. Files that are not scanned in time are skipped as `too_slow`. */
  readonly timeoutMs: number
}

/** A batch has files of one language, so that the analysis can follow calls between them. */
const BATCH_LENGTH_MAX = 1_000_000
const BATCH_FILES_MAX = 400
/** A thread stops by itself shortly before its timeout. */
const SELF_STOP_SHARE = 0.85
const SCAN = task<ScanTaskInput, ScanReport>(new URL('./scan-task.ts', import.meta.url))

/** Two at once: one organisation must not use all threads, but a single slow batch must not block it either. */
const CONCURRENT_BATCHES = 2

export async function scan(files: readonly ScannedFile[], limits: ScanOptions): Promise<ScanReport> {
  const endMs = performance.now() + limits.timeoutMs
  const reports: ScanReport[] = []
  const batches = batchesOf(files)
  const work = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      limits.signal?.throwIfAborted()
      reports.push(await scanBatch(batch, endMs - performance.now(), limits))
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_BATCHES }, work))
  const merged = withFileCounts(mergeReports(reports), files.length)
  return limits.changed ? onlyChanged(merged, limits.changed) : merged
}

/** Lists each skipped file once and does not count it as scanned. */
function withFileCounts(report: ScanReport, files: number): ScanReport {
  const skipped = [...new Map(report.skipped.toReversed().map((each) => [each.path, each])).values()]
  return { ...report, skipped: skipped.sort(byPath), files: files - skipped.length }
}

async function scanBatch(
  files: readonly ScannedFile[],
  leftMs: number,
  { signal, owner }: Pick<ScanOptions, 'signal' | 'owner'>,
): Promise<ScanReport> {
  if (leftMs <= 0) return allSkipped(files)
  const endMs = performance.now() + leftMs
  try {
    const report = await runTask(
      SCAN,
      { files, msMax: leftMs * SELF_STOP_SHARE },
      { timeoutMs: leftMs, signal, owner },
    )
    return await scanRest(files, report, endMs, { signal, owner })
  } catch (error) {
    if (error instanceof TaskTimeout) return allSkipped(files)
    throw error
  }
}

/** Scans the files after one that crashed the parser. Each round has at least one file fewer, so the recursion ends. */
async function scanRest(
  files: readonly ScannedFile[],
  report: ScanReport,
  endMs: number,
  options: Pick<ScanOptions, 'signal' | 'owner'>,
): Promise<ScanReport> {
  const unreached = new Set(
    report.skipped.filter(({ reason }) => reason === NOT_REACHED).map(({ path }) => path),
  )
  if (unreached.size === 0) return report
  const rest = files.filter(({ path }) => unreached.has(path))
  const isScanned = ({ path }: { path: string }) => !unreached.has(path)
  const scanned: ScanReport = {
    ...report,
    findings: report.findings.filter(isScanned),
    suppressed: report.suppressed.filter(isScanned),
    skipped: report.skipped.filter(isScanned),
    files: report.files - rest.length,
    lines: report.lines - rest.reduce((sum, { content }) => sum + content.split('\n').length, 0),
  }
  return mergeReports([scanned, await scanBatch(rest, endMs - performance.now(), options)])
}

const allSkipped = (files: readonly ScannedFile[]): ScanReport => ({
  findings: [],
  suppressed: [],
  skipped: files.map(({ path }) => ({ path, reason: 'too_slow' })),
  files: 0,
  lines: 0,
})

/** By language and path, because related files are usually neighbours. */
export function batchesOf(files: readonly ScannedFile[]): ScannedFile[][] {
  const batches: ScannedFile[][] = []
  for (const sameLanguage of Map.groupBy(files, ({ path }) => languageOf(path)).values()) {
    let batch: ScannedFile[] = []
    let length = 0
    for (const file of sameLanguage.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
      if (
        batch.length > 0 &&
        (length + file.content.length > BATCH_LENGTH_MAX || batch.length >= BATCH_FILES_MAX)
      ) {
        batches.push(batch)
        batch = []
        length = 0
      }
      batch.push(file)
      length += file.content.length
    }
    if (batch.length > 0) batches.push(batch)
  }
  return batches
}

function mergeReports(reports: readonly ScanReport[]): ScanReport {
  const sum = (of: (report: ScanReport) => number) => reports.reduce((total, report) => total + of(report), 0)
  return {
    findings: reports.flatMap(({ findings }) => findings).sort(byLocation),
    suppressed: reports.flatMap(({ suppressed }) => suppressed),
    skipped: reports.flatMap(({ skipped }) => skipped),
    files: sum(({ files }) => files),
    lines: sum(({ lines }) => lines),
  }
}

const byPath = (one: { path: string }, other: { path: string }): number => (one.path < other.path ? -1 : 1)

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
