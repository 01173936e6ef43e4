// Checks that a fix removes its finding and adds no other, by scanning the changed files with the fix applied.
import type { Finding, ScannedFile, ScanReport } from '@cowrie/analysis/report/finding.ts'
import { TaskTimeout } from '../../platform/workers/workers.ts'
import { loadScanRules, scan } from '../../scan/scan.ts'
import type { ReviewContext } from '../runs/review-context.ts'

const SCAN_MS_MAX = 60_000

/** Scans all changed files, so that findings that cross files are seen. Null if there is no time left. */
export async function scanAll(
  { app, run, signal, deadlineMs }: ReviewContext,
  files: readonly ScannedFile[],
): Promise<ScanReport | null> {
  const timeoutMs = Math.min(SCAN_MS_MAX, Math.max(1, deadlineMs - performance.now()))
  try {
    const rules = await loadScanRules(app, run.orgId)
    return await scan(files, { signal, timeoutMs, owner: run.orgId, ...rules })
  } catch (error) {
    if (error instanceof TaskTimeout) return null
    throw error
  }
}

/** A suppressed finding, or a file that could not be scanned, does not count as fixed. */
export function isRemoved(finding: Finding, before: ScanReport, after: ScanReport): boolean {
  const [older, newer] = [countFingerprints(before), countFingerprints(after)]
  const isGone = (newer.get(finding.fingerprint) ?? 0) < (older.get(finding.fingerprint) ?? 0)
  const addsNone = [...newer].every(([fingerprint, count]) => count <= (older.get(fingerprint) ?? 0))
  const skipsNone = after.skipped.length <= before.skipped.length
  return isGone && addsNone && skipsNone && after.suppressed.length <= before.suppressed.length
}

function countFingerprints({ findings }: ScanReport): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { fingerprint } of findings) counts.set(fingerprint, (counts.get(fingerprint) ?? 0) + 1)
  return counts
}
