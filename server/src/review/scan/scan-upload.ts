// A scan of what a caller sends. Nothing of it is stored, and it costs nothing.
import type { Finding, ScanReport } from '@cowrie/analysis/report/finding.ts'
import { toSarif } from '@cowrie/analysis/report/sarif.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { TaskTimeout } from '../../platform/workers/workers.ts'
import { scan, toScanFinding } from '../../scan/scan.ts'
import { withConcurrencyLimit } from './concurrency-limit.ts'
import { readScanInput, type ScanBody, type ScanInput } from './scan-input.ts'

const SCAN_MS = 20_000
/** Including the wait for a thread; the route itself gives up a little later. */
const TOTAL_MS = 25_000
/** Nobody reads more of one file or at all; how many were left out is said. */
const FINDINGS_PER_FILE = 50
const FINDINGS_MAX = 2_000
const SUPPRESSED_MAX = 2_000

export async function scanUpload(app: App, actor: Actor, body: ScanBody, gone: AbortSignal) {
  return toScanReply(await runScan(app, actor, body, gone))
}

export async function scanUploadAsSarif(app: App, actor: Actor, body: ScanBody, gone: AbortSignal) {
  const { input, report } = await runScan(app, actor, body, gone)
  return toSarif({ ...report, skipped: [...input.skipped, ...report.skipped] }, app.config.version)
}

type UploadScan = { readonly input: ScanInput; readonly report: ScanReport; readonly omitted: number }

function runScan(app: App, { orgId }: Actor, body: ScanBody, gone: AbortSignal): Promise<UploadScan> {
  return withConcurrencyLimit(app, orgId, async () => {
    const late = AbortSignal.timeout(TOTAL_MS)
    const waiting = { signal: AbortSignal.any([gone, late]), owner: orgId }
    try {
      const input = await readScanInput(body, waiting)
      return limitFindings(input, await scanOrSkip(input, waiting, late))
    } catch (error) {
      // Nobody has read what came: there is nothing to name as left out.
      throw late.aborted && error === late.reason ? new ApiError('busy') : error
    }
  })
}

async function scanOrSkip(
  { files, changed }: ScanInput,
  waiting: { readonly signal: AbortSignal; readonly owner: string },
  late: AbortSignal,
): Promise<ScanReport> {
  try {
    return await scan(files, { ...waiting, timeoutMs: SCAN_MS, changed })
  } catch (error) {
    if (!late.aborted && !(error instanceof TaskTimeout)) throw error
    const skipped = files.map(({ path }) => ({ path, reason: 'too_slow' }))
    return { findings: [], suppressed: [], skipped, files: 0, lines: 0 }
  }
}

function limitFindings(input: ScanInput, report: ScanReport): UploadScan {
  const inFile = new Map<string, number>()
  const findings = report.findings
    .filter(({ path }) => {
      const before = inFile.get(path) ?? 0
      inFile.set(path, before + 1)
      return before < FINDINGS_PER_FILE
    })
    .slice(0, FINDINGS_MAX)
  const suppressed = report.suppressed.slice(0, SUPPRESSED_MAX)
  return {
    input,
    report: { ...report, findings, suppressed },
    omitted: report.findings.length - findings.length,
  }
}

function toScanReply({ input, report, omitted }: UploadScan) {
  const { findings } = report
  const count = (severity: Finding['severity']) =>
    findings.filter((each) => each.severity === severity).length
  return {
    findings: findings.map(toScanFinding),
    suppressed: report.suppressed.map((each) => ({ ...each })),
    skipped: [...input.skipped, ...report.skipped].map((each) => ({ ...each })),
    partial: [...input.partial],
    summary: {
      files: report.files,
      lines: report.lines,
      findings: findings.length,
      bySeverity: { error: count('error'), warn: count('warn'), note: count('note') },
      omitted,
    },
  }
}
