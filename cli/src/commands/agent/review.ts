// cowrie review scan: rule-based security scan. Free; nothing is stored.
import { join, relative, resolve } from 'node:path'
import type { ScanReport } from '@cowrie/sdk'
import { type Command, type Context, textOf } from '../../command.ts'
import { checkSecrets } from '../../context/secret-check.ts'
import { Failure, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { type ScanFile, scansOf } from '../../review/batches.ts'
import { type Finding, findingsIn, isSarif, mergeLogs } from '../../review/sarif.ts'
import { gatherScanInput, type ScanInput } from '../../review/scan-input.ts'
import { writeAtomically } from '../../system/atomic-write.ts'
import { dim, type Line, red, yellow } from '../../terminal/line.ts'

const SARIF = 'application/sarif+json'
const SEVERITIES = ['error', 'warn', 'note'] as const
const FAIL_ON = [...SEVERITIES, 'never'] as const

export const reviewScan: Command = {
  name: 'review scan',
  usage: '[path …]',
  summary: 'Scan this repository for security problems by rules. Free; nothing is stored.',
  args: { min: 0, max: 100 },
  complete: 'files',
  options: {
    diff: {
      type: 'string',
      placeholder: '<base>',
      summary: 'Report only changes since this branch or commit.',
    },
    staged: { type: 'boolean', summary: 'Report only changes in the git index.' },
    sarif: {
      type: 'string',
      placeholder: '<file>',
      summary: 'Write SARIF 2.1.0 for code scanning to this file; "-" is standard output.',
      complete: 'files',
    },
    'fail-on': {
      type: 'string',
      placeholder: '<severity>',
      summary:
        'Exit with 1 for findings of at least this severity: error, warn, note, never. Default: error.',
      complete: FAIL_ON,
    },
    'allow-secrets': {
      type: 'boolean',
      summary: 'Also send content that looks like a secret. Nothing is stored.',
    },
  },
  async run(context) {
    const { values, args, out } = context
    const failOn = failOnIn(context)
    const base = textOf(values, 'diff')
    if (base !== undefined && values.staged === true)
      throw new UsageError('--diff and --staged cannot be combined.')
    const material = await gatherScanInput(context, args, { base, isStaged: values.staged === true })
    const { files } = await checkSecrets(context, material, '')
    const sarif = textOf(values, 'sarif')
    const scans = scansOf(files)
    if (scans.length > 1)
      out.note(`This takes ${scans.length} scans. Problems that span two scans are not found.`)
    const found =
      sarif === undefined
        ? await scanToReport(context, scans, material)
        : await scanToSarif(context, scans, material, sarif)
    if (found.some(({ severity }) => isAtLeast(severity, failOn))) context.endWith(EXIT.failed)
  },
}

type FailOn = (typeof FAIL_ON)[number]

function failOnIn({ values }: Context): FailOn {
  const given = textOf(values, 'fail-on') ?? 'error'
  const known = FAIL_ON.find((each) => each === given)
  if (!known) throw new UsageError(`--fail-on must be one of ${FAIL_ON.join(', ')}.`)
  return known
}

const isAtLeast = (severity: Finding['severity'], failOn: FailOn): boolean =>
  failOn !== 'never' && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn)

async function scanToReport(
  context: Context,
  scans: readonly ScanFile[][],
  material: ScanInput,
): Promise<Finding[]> {
  const { client, out, signal } = context
  const reports: ScanReport[] = []
  for (const [at, files] of scans.entries()) {
    out.progress(`scanning ${at + 1} of ${scans.length}`)
    const body = await bodyOf(files, material)
    if (body) reports.push(await client.review.scan(body, { signal }))
  }
  out.endProgress()
  const report = withLeftOut(together(reports), material)
  out.result(
    report,
    report.findings.map((found) => lineOf(context, found)),
  )
  const { files, lines, omitted } = report.summary
  showSummary(context, report.findings, `${files} files with ${lines} lines scanned`)
  if (omitted > 0) out.note(`${omitted} more findings are not shown.`)
  if (report.suppressed.length > 0) out.note(`${report.suppressed.length} are suppressed by comments.`)
  showSkipped(context, report.skipped)
  return report.findings
}

async function scanToSarif(
  context: Context,
  scans: readonly ScanFile[][],
  material: ScanInput,
  file: string,
): Promise<Finding[]> {
  const { client, out, signal, paths } = context
  const logs = []
  for (const [at, files] of scans.entries()) {
    out.progress(`scanning ${at + 1} of ${scans.length}`)
    const body = await bodyOf(files, material)
    if (!body) continue
    const answer = await client.request('POST', '/review/scan', { body, headers: { accept: SARIF }, signal })
    const log = answer.json()
    if (!isSarif(log)) throw new Failure('malformed_reply', 'The answer is not a SARIF log.')
    logs.push(log)
  }
  out.endProgress()
  const log = mergeLogs(logs)
  const found = findingsIn(log)
  const text = `${JSON.stringify(log, null, 2)}\n`
  if (file === '-') out.raw(text)
  else {
    await writeAtomically(resolve(paths.cwd, file), text, 0o644)
    out.result(
      { file, findings: found },
      found.map((each) => lineOf(context, each)),
    )
    out.note(`Wrote ${file}.`)
  }
  showSummary(context, found, `${scans.flat().length} files scanned`)
  showSkipped(context, skippedOf(material))
  return found
}

type Skipped = ScanReport['skipped']

const skippedOf = ({ leftOut }: ScanInput): Skipped => leftOut.map(({ path, why }) => ({ path, reason: why }))

const withLeftOut = (report: ScanReport, material: ScanInput): ScanReport => ({
  ...report,
  skipped: [...report.skipped, ...skippedOf(material)],
})

const NAMED_MAX = 20

/** An unscanned file is not a clean file, so it is listed. */
function showSkipped({ out }: Context, skipped: Skipped): void {
  if (skipped.length === 0) return
  out.note(`${skipped.length} ${skipped.length === 1 ? 'file was' : 'files were'} not scanned in full:`)
  for (const { path, reason } of skipped.slice(0, NAMED_MAX))
    out.note(`  ${path}: ${reason.replaceAll('_', ' ')}`)
  if (skipped.length > NAMED_MAX) out.note(`  and ${skipped.length - NAMED_MAX} more; --json lists all`)
}

/** Null when only binary files changed. */
async function bodyOf(files: readonly ScanFile[], { diffOf }: ScanInput) {
  const sent = files.map(({ path, content }) => ({ path, content }))
  if (!diffOf) return { files: sent }
  const diff = await diffOf(files.map(({ path }) => path))
  return diff === '' ? null : { files: sent, diff }
}

function showSummary({ out }: Context, found: readonly Finding[], looked: string): void {
  const counts = SEVERITIES.map(
    (each) => `${found.filter(({ severity }) => severity === each).length} ${each}`,
  )
  out.note(
    found.length === 0
      ? `No findings; ${looked}.`
      : `${found.length} ${found.length === 1 ? 'finding' : 'findings'} (${counts.join(', ')}); ${looked}.`,
  )
}

function lineOf({ paths }: Context, { path, line, severity, ruleId, message }: Finding): Line {
  const root = paths.repository?.root ?? paths.cwd
  const colour = severity === 'error' ? red : severity === 'warn' ? yellow : dim
  return [`${relative(paths.cwd, join(root, path))}:${line} `, colour(severity), ` ${ruleId} ${message}`]
}

function together(reports: readonly ScanReport[]): ScanReport {
  const sum = (of: (report: ScanReport) => number) => reports.reduce((all, report) => all + of(report), 0)
  const severity = (each: Finding['severity']) => sum(({ summary }) => summary.bySeverity[each])
  return {
    findings: reports.flatMap(({ findings }) => findings),
    suppressed: reports.flatMap(({ suppressed }) => suppressed),
    skipped: reports.flatMap(({ skipped }) => skipped),
    partial: reports.flatMap(({ partial }) => partial),
    summary: {
      files: sum(({ summary }) => summary.files),
      lines: sum(({ summary }) => summary.lines),
      findings: sum(({ summary }) => summary.findings),
      bySeverity: { error: severity('error'), warn: severity('warn'), note: severity('note') },
      omitted: sum(({ summary }) => summary.omitted),
    },
  }
}
