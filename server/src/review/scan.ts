// A scan of what a caller sends. Nothing of it is stored, and it costs nothing.
import { type ScanReport, scan, shownFinding, toSarif } from '../catalogue/catalogue.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { TaskTooSlow } from '../platform/workers/workers.ts'
import { asOneOfFew } from './few.ts'
import { type ScanBody, type ScanInput, scanInput } from './scan-input.ts'

const SCAN_MS = 20_000
/** Including the wait for a thread; the route itself gives up a little later. */
const WHOLE_MS = 25_000

export function scanFiles(app: App, { orgId }: Actor, body: ScanBody, gone: AbortSignal) {
  return asOneOfFew(app, orgId, async () => {
    const input = scanInput(body)
    return shown(input, await reportOf(input, gone))
  })
}

export function scanSarif(app: App, { orgId }: Actor, body: ScanBody, gone: AbortSignal) {
  return asOneOfFew(app, orgId, async () =>
    toSarif(await reportOf(scanInput(body), gone), app.config.version),
  )
}

async function reportOf({ files, changed }: ScanInput, gone: AbortSignal): Promise<ScanReport> {
  const late = AbortSignal.timeout(WHOLE_MS)
  const options = { timeoutMs: SCAN_MS, signal: AbortSignal.any([gone, late]) }
  try {
    return await scan(files, changed ? { ...options, changed } : options)
  } catch (error) {
    if (!late.aborted && !(error instanceof TaskTooSlow)) throw error
    const skipped = files.map(({ path }) => ({ path, reason: 'too_slow' }))
    return { findings: [], suppressed: [], skipped, files: 0, lines: 0 }
  }
}

function shown({ partial, skipped }: ScanInput, report: ScanReport) {
  const count = (severity: string) => report.findings.filter((each) => each.severity === severity).length
  return {
    findings: report.findings.map(shownFinding),
    suppressed: report.suppressed.map((each) => ({ ...each })),
    skipped: [...skipped, ...report.skipped].map((each) => ({ ...each })),
    partial: [...partial],
    summary: {
      files: report.files,
      lines: report.lines,
      findings: report.findings.length,
      bySeverity: { error: count('error'), warn: count('warn'), note: count('note') },
    },
  }
}
