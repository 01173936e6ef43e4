// Batches that did not change since an earlier scan of the same organisation are not scanned again.
import { hashOf, ReuseCache } from '@cowrie/analysis/engine/reuse-cache.ts'
import { NOT_REACHED } from '@cowrie/analysis/engine/scan-files.ts'
import type { ScannedFile, ScanReport } from '@cowrie/analysis/report/finding.ts'
import type { ScanTaskInput } from '../scan-task.ts'

/** By characters of the reports as JSON. */
const REPORTS = { sizeMax: 16_000_000, ageMsMax: 15 * 60_000 }

/** Reports of this process. Its code does not change, so neither do the rules of the catalogue. */
const reports = new ReuseCache<ScanReport>(REPORTS)

/** Another attempt may succeed. */
const TRANSIENT: ReadonlySet<string> = new Set([NOT_REACHED, 'no_grammar', 'failed'])

/** The report of an equal earlier batch, or that of `scan`. A batch without an owner is always scanned. */
export async function reuseReport(
  input: ScanTaskInput,
  scan: () => Promise<ScanReport>,
): Promise<ScanReport> {
  if (input.owner === null) return scan()
  const key = batchKey(input.owner, input)
  const known = reports.get(key)
  if (known) return known
  const report = await scan()
  if (!report.skipped.some(({ reason }) => TRANSIENT.has(reason)))
    reports.set(key, report, JSON.stringify(report).length)
  return report
}

/** Everything that the report of a batch depends on. */
function batchKey(
  owner: string,
  { files, resources, shared, builtFiles, customRules, isOnlyCustom }: ScanTaskInput,
): string {
  const textsOf = (all: readonly ScannedFile[]) => [
    String(all.length),
    ...all.flatMap(({ path, content }) => [path, content]),
  ]
  return hashOf([
    owner,
    String(isOnlyCustom),
    JSON.stringify(builtFiles),
    JSON.stringify(customRules),
    ...textsOf(files),
    ...textsOf(resources),
    ...textsOf(shared),
  ])
}
