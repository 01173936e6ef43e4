// Finds dependencies with known faults in the files of a scan.
import { type FoundDependency, isDependencyFile } from '@cowrie/analysis/advisories/dependencies.ts'
import { advisoryFindings } from '@cowrie/analysis/advisories/findings.ts'
import type { AdvisoryIndex } from '@cowrie/analysis/advisories/osv.ts'
import type { Finding, ScannedFile } from '@cowrie/analysis/report/finding.ts'
import { runTask, task } from '../../platform/workers/workers.ts'

const DEPENDENCIES = task<{ readonly files: readonly ScannedFile[] }, FoundDependency[]>(
  new URL('./dependencies-task.ts', import.meta.url),
)
/** The scan is repeated after it, so it is far above what the largest files take. */
const TIMEOUT_MS = 60_000

export async function findVulnerable(
  files: readonly ScannedFile[],
  index: AdvisoryIndex,
  limits: { readonly signal?: AbortSignal | undefined; readonly owner?: string | undefined },
): Promise<readonly Finding[]> {
  const own = files.filter(({ path }) => isDependencyFile(path))
  if (own.length === 0) return []
  const found = await runTask(DEPENDENCIES, { files: own }, { ...limits, timeoutMs: TIMEOUT_MS })
  return advisoryFindings(found, index)
}
