// Scans files on threads, a batch at a time, and tells of the lines that were changed where the caller says which.

import { NOT_REACHED } from '@cowrie/analysis/engine/scan-files.ts'
import { languageOf } from '@cowrie/analysis/engine/skipped-files.ts'
import type { Finding, ScannedFile, ScanReport } from '@cowrie/analysis/report/finding.ts'
import { runTask, TaskTimeout, task } from '../platform/workers/workers.ts'
import type { ScanInput } from './scan-task.ts'

export { ScanFinding, toScanFinding } from './schema.ts'

export type ScanOptions = {
  /** By path, the lines that are new or other than before. Findings that have nothing to do with them are only counted. */
  readonly changed?: ReadonlyMap<string, ReadonlySet<number>> | undefined
  readonly signal?: AbortSignal | undefined
  /** For whom: threads take turns by it. */
  readonly owner?: string | undefined
  /** For all of it. Files that are not reached by then are left out as `too_slow`. */
  readonly timeoutMs: number
}

/** Files of one language are gone through together up to here, so that calls between them are followed. */
const BATCH_LENGTH_MAX = 1_000_000
const BATCH_FILES_MAX = 400
/** A thread ends by itself a little before it is ended. */
const SELF_STOP_SHARE = 0.85
const SCAN = task<ScanInput, ScanReport>(new URL('./scan-task.ts', import.meta.url))

/** Two at once: one organisation must not keep all threads, and one thread must not keep an organisation waiting. */
const BATCHES_AT_ONCE = 2

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
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, work))
  const whole = withFileCounts(mergeReports(reports), files.length)
  return limits.changed ? onlyChanged(whole, limits.changed) : whole
}

/** A file is told of as left out once, and then not as one that was looked at. */
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

/** Goes on behind a file on which the parser broke: at least one file fewer each time, so it ends. */
async function scanRest(
  files: readonly ScannedFile[],
  report: ScanReport,
  endMs: number,
  how: Pick<ScanOptions, 'signal' | 'owner'>,
): Promise<ScanReport> {
  const left = new Set(report.skipped.filter(({ reason }) => reason === NOT_REACHED).map(({ path }) => path))
  if (left.size === 0) return report
  const rest = files.filter(({ path }) => left.has(path))
  const isDone = ({ path }: { path: string }) => !left.has(path)
  const done: ScanReport = {
    ...report,
    findings: report.findings.filter(isDone),
    suppressed: report.suppressed.filter(isDone),
    skipped: report.skipped.filter(isDone),
    files: report.files - rest.length,
    lines: report.lines - rest.reduce((sum, { content }) => sum + content.split('\n').length, 0),
  }
  return mergeReports([done, await scanBatch(rest, endMs - performance.now(), how)])
}

const allSkipped = (files: readonly ScannedFile[]): ScanReport => ({
  findings: [],
  suppressed: [],
  skipped: files.map(({ path }) => ({ path, reason: 'too_slow' })),
  files: 0,
  lines: 0,
})

/** By language and in the order of their paths: what belongs together is mostly side by side. */
export function batchesOf(files: readonly ScannedFile[]): ScannedFile[][] {
  const batches: ScannedFile[][] = []
  for (const own of Map.groupBy(files, ({ path }) => languageOf(path)).values()) {
    let batch: ScannedFile[] = []
    let length = 0
    for (const file of own.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
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
