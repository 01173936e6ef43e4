// Finds dependencies with known faults in the files of a scan.
import { type DependencyReport, isDependencyFile } from '@cowrie/analysis/advisories/dependencies.ts'
import { advisoryFindings } from '@cowrie/analysis/advisories/findings.ts'
import type { AdvisoryIndex } from '@cowrie/analysis/advisories/osv.ts'
import type { ScannedFile, ScanReport } from '@cowrie/analysis/report/finding.ts'
import { runTask, task } from '../../platform/workers/workers.ts'

const DEPENDENCIES = task<{ readonly files: readonly ScannedFile[] }, DependencyReport>(
  new URL('./dependencies-task.ts', import.meta.url),
)
/** The scan is repeated after it, so it is far above what the largest files take. */
const TIMEOUT_MS = 60_000

export async function findVulnerable(
  files: readonly ScannedFile[],
  index: AdvisoryIndex,
  limits: { readonly signal?: AbortSignal | undefined; readonly owner?: string | undefined },
): Promise<ScanReport> {
  const own = files.filter(({ path }) => isDependencyFile(path))
  if (own.length === 0) return toReport([], [])
  const task = { ...limits, timeoutMs: TIMEOUT_MS }
  const { dependencies, unreadable } = await runTask(DEPENDENCIES, { files: own }, task)
  return toReport(advisoryFindings(dependencies, index), unreadable)
}

/** The language rules count the files. */
const toReport = (findings: ScanReport['findings'], skipped: DependencyReport['unreadable']): ScanReport => ({
  findings,
  suppressed: [],
  skipped,
  files: 0,
  lines: 0,
})
