// Scans the files or the diff of a request. Nothing is stored or charged.
import type { Finding, ScanReport } from '@cowrie/analysis/report/finding.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { TaskTimeout } from '../../platform/workers/workers.ts'
import { loadScanRules, scan, selectFindings, toScanFinding } from '../../scan/scan.ts'
import { readScanInput, type ScanBody, type ScanInput } from './scan-input.ts'

const SCAN_MS = 170_000
/** Includes the wait for a thread. The route's own timeout is a little longer. */
const TOTAL_MS = 175_000
/** The reply says how many findings beyond these limits were left out. */
const FINDINGS_PER_FILE = 50
const FINDINGS_MAX = 2_000
const SUPPRESSED_MAX = 2_000

export async function scanUpload(app: App, actor: Actor, body: ScanBody, disconnected: AbortSignal) {
  return toScanReply(await runScan(app, actor, body, disconnected))
}

export async function scanUploadAsSarif(app: App, actor: Actor, body: ScanBody, disconnected: AbortSignal) {
  const { input, report } = await runScan(app, actor, body, disconnected)
  const { toSarif } = await import('@cowrie/analysis/report/sarif.ts')
  return toSarif({ ...report, skipped: [...input.skipped, ...report.skipped] }, app.config.version)
}

type UploadScan = { readonly input: ScanInput; readonly report: ScanReport; readonly omitted: number }

function runScan(app: App, { orgId }: Actor, body: ScanBody, disconnected: AbortSignal): Promise<UploadScan> {
  return withConcurrencyLimit(app, orgId, async () => {
    const timeout = AbortSignal.timeout(TOTAL_MS)
    const context = { signal: AbortSignal.any([disconnected, timeout]), owner: orgId }
    try {
      const rules = await loadScanRules(app, orgId)
      const input = await readScanInput(body, context)
      return limitFindings(
        input,
        withoutPartial(
          input,
          await scan(input.files, { ...context, ...rules, timeoutMs: SCAN_MS, changed: input.changed }),
        ),
      )
    } catch (error) {
      // A report must not depend on the load, so a scan without time fails and can be repeated.
      throw error instanceof TaskTimeout || (timeout.aborted && error === timeout.reason)
        ? new ApiError('busy')
        : error
    }
  })
}

/** The reply names files that the diff shows in part. Their gaps are not errors of the author. */
function withoutPartial({ partial }: ScanInput, report: ScanReport): ScanReport {
  const paths = new Set(partial)
  const skipped = report.skipped.filter(({ path, reason }) => reason !== 'syntax_errors' || !paths.has(path))
  return { ...report, skipped, files: report.files + report.skipped.length - skipped.length }
}

function limitFindings(input: ScanInput, report: ScanReport): UploadScan {
  const findings = selectFindings(report.findings, { perFile: FINDINGS_PER_FILE, total: FINDINGS_MAX })
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

/** Scans of one organisation that run at once on this replica, because all organisations share its threads. */
const SCANS_PER_ORG_MAX = 4

const runningScans = new WeakMap<App, Map<OrgId, number>>()

async function withConcurrencyLimit<T>(app: App, orgId: OrgId, work: () => Promise<T>): Promise<T> {
  const counts = runningScans.get(app) ?? new Map<OrgId, number>()
  runningScans.set(app, counts)
  const running = counts.get(orgId) ?? 0
  if (running >= SCANS_PER_ORG_MAX)
    throw new ApiError('too_many_attempts', {
      error: `Your organisation already runs ${SCANS_PER_ORG_MAX} scans. Retry when one of them has finished.`,
      retryAfter: 2,
    })
  counts.set(orgId, running + 1)
  try {
    return await work()
  } finally {
    const left = (counts.get(orgId) ?? 1) - 1
    if (left > 0) counts.set(orgId, left)
    else counts.delete(orgId)
  }
}
