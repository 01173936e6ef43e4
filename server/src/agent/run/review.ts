// Scans the change of a run with our rules. Reports only problems that the change introduced.

import type { ScannedFile, SkippedFile } from '@cowrie/analysis/report/finding.ts'
import { diffArrays } from 'diff'
import type { App } from '../../platform/app.ts'
import { type ScanFinding, scan, toScanFinding } from '../../scan/scan.ts'
import type { FileEdit } from '../edits/apply/apply.ts'

export type EditReview = {
  /** `unavailable` if the scan failed; the run itself is not affected. */
  readonly status: 'complete' | 'unavailable'
  readonly findings: readonly ScanFinding[]
  /** Changed files that could not be scanned in full, with the reason. */
  readonly skipped?: readonly SkippedFile[]
}

const SCAN_MS = 10_000
const BYTES_MAX = 2 * 1024 * 1024
const FINDINGS_MAX = 50
/** Includes the wait for a worker thread. */
const WHOLE_MS = 20_000
/** Above these limits, everything between the common beginning and end counts as new. */
const LINES_MAX = 2_000
const DIFFERENCES_MAX = 600

/** Null if there is nothing to report. `files` are the original files. Never throws. */
export async function reviewEdits(
  app: Pick<App, 'log'>,
  edits: readonly FileEdit[],
  files: ReadonlyMap<string, string>,
  owner?: string,
): Promise<EditReview | null> {
  const written = edits.filter(({ action }) => action !== 'delete')
  if (written.length === 0) return null
  try {
    const changed = new Map(
      written.map(({ path, content }) => [path, findAddedLines(files.get(path) ?? '', content)]),
    )
    const signal = AbortSignal.timeout(WHOLE_MS)
    const limits = { changed, timeoutMs: SCAN_MS, signal, owner }
    const report = await scan(filesAfterEdits(written, edits, files), limits)
    const findings = report.findings.slice(0, FINDINGS_MAX).map(toScanFinding)
    const skipped = report.skipped.filter(({ path }) => changed.has(path))
    if (findings.length + skipped.length === 0) return null
    return { status: 'complete', findings, ...(skipped.length > 0 && { skipped }) }
  } catch (error) {
    app.log.warn({ err: error }, 'agent.review.failed')
    return { status: 'unavailable', findings: [] }
  }
}

/** The files after the change: the written ones, and as many others as fit. */
function filesAfterEdits(
  written: readonly FileEdit[],
  edits: readonly FileEdit[],
  files: ReadonlyMap<string, string>,
): ScannedFile[] {
  const result: ScannedFile[] = written.map(({ path, content }) => ({ path, content }))
  const touched = new Set(edits.map(({ path }) => path))
  let room = BYTES_MAX - result.reduce((sum, { content }) => sum + content.length, 0)
  for (const [path, content] of files) {
    if (touched.has(path) || content.length > room) continue
    room -= content.length
    result.push({ path, content })
  }
  return result
}

/** The numbers of the lines that the new text adds. */
export function findAddedLines(older: string, newer: string): Set<number> {
  const [before, after] = [older.split('\n'), newer.split('\n')]
  let from = 0
  while (from < after.length && before[from] === after[from]) from++
  let same = 0
  while (same < Math.min(before.length, after.length) - from && before.at(-1 - same) === after.at(-1 - same))
    same++
  const [gone, come] = [before.slice(from, before.length - same), after.slice(from, after.length - same)]
  const all = () => new Set(come.map((_, at) => from + at + 1))
  if (Math.max(gone.length, come.length) > LINES_MAX) return all()
  return diffAddedLines(gone, come, from) ?? all()
}

function diffAddedLines(gone: readonly string[], come: readonly string[], from: number): Set<number> | null {
  const parts = diffArrays([...gone], [...come], { maxEditLength: DIFFERENCES_MAX })
  if (!parts) return null
  const brought = new Set<number>()
  let line = from + 1
  for (const { added, removed, count } of parts) {
    if (removed) continue
    for (let step = 0; step < count; step++, line++) if (added) brought.add(line)
  }
  return brought
}
