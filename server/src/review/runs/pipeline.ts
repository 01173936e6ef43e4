// The steps of a review between reading the change and publishing the result: scan, verify, validate.
import { languageOf } from '@cowrie/analysis/engine/skipped-files.ts'
import type { ScanReport } from '@cowrie/analysis/report/finding.ts'
import { loadScanRules, scan, selectFindings, severityRank } from '../../scan/scan.ts'
import { reopenStaleVerdicts } from '../findings/record-findings.ts'
import { disableUntrustedSuppressions, suppressionNotes } from '../findings/suppression-comments.ts'
import { type TrackedFinding, trackFindings } from '../findings/tracked-finding.ts'
import type { ChangeSet, UnreviewedFile } from '../pull/change-set.ts'
import { formatValidation, validateChange } from '../validation/validation.ts'
import { forkNotes, verifyFindings } from '../verify/verify.ts'
import type { ReviewContext, ReviewProblem, ReviewResult } from './review-context.ts'

/** The job is repeated after it. */
const SCAN_MS_MAX = 600_000
/** The most severe findings of each file come first. A note says how many were left out. */
const FINDINGS_MAX = 500

export async function examineChangeSet(review: ReviewContext, changeSet: ChangeSet): Promise<ReviewResult> {
  const scanned = await scanChangeSet(review, changeSet)
  await review.throwIfSuperseded()
  const unjudged = await findUnjudgedIn(review, scanned.findings)
  const problem = await verifyFindings(review, changeSet, unjudged)
  await review.throwIfSuperseded()
  const validation = await validateChange(review, changeSet)
  return {
    ...scanned,
    notes: [
      ...scanned.notes,
      ...forkNotes(review, unjudged),
      ...(validation === null ? [] : [formatValidation(validation)]),
    ],
    validation,
    problem: scanned.problem ?? problem,
  }
}

type ScanOutcome = Omit<ReviewResult, 'validation'>

async function scanChangeSet(review: ReviewContext, changeSet: ChangeSet): Promise<ScanOutcome> {
  const report = await runScan(review, changeSet)
  const findings = report.findings
    .filter(({ ruleId }) => !changeSet.policy.isOff(ruleId))
    .toSorted((one, other) => severityRank(one) - severityRank(other))
  const omitted = findings.length - FINDINGS_MAX
  const skippedPaths = new Set(report.skipped.map(({ path }) => path))
  return {
    findings: trackFindings(selectFindings(findings, { total: FINDINGS_MAX }), changeSet.files),
    files: changeSet.files.filter(({ path }) => !skippedPaths.has(path)).length,
    lines: report.lines,
    preexisting: report.preexisting ?? 0,
    notes: [
      ...(omitted > 0 ? [`${omitted} more findings were left out.`] : []),
      ...suppressionNotes(report.suppressed, changeSet.added),
    ],
    notReviewed: [...report.skipped],
    problem: findCoverageProblem(changeSet, report),
  }
}

async function runScan(
  { app, run, signal, deadlineMs }: ReviewContext,
  { files, added }: ChangeSet,
): Promise<ScanReport> {
  const rules = await loadScanRules(app, run.orgId)
  const timeoutMs = Math.min(SCAN_MS_MAX, Math.max(1, deadlineMs - performance.now()))
  const scanned = disableUntrustedSuppressions(files, added, run.isFork)
  return scan(scanned, { changed: added, signal, timeoutMs, owner: run.orgId, ...rules })
}

function findCoverageProblem(changeSet: ChangeSet, { skipped }: ScanReport): ReviewProblem | null {
  const unreviewed = unreviewedSources([...changeSet.notReviewed, ...skipped])
  if (unreviewed.length === 0 && changeSet.gaps.length === 0) return null
  const message =
    'Some changed files could not be reviewed. They may contain problems that are not listed here.'
  return { reason: 'not_all_reviewed', message }
}

/** A verdict from an earlier head or attempt stays valid while its code is unchanged, so it is not paid for twice. */
const findUnjudgedIn = (
  { app, run }: ReviewContext,
  findings: readonly TrackedFinding[],
): Promise<TrackedFinding[]> => app.db.tx(run.orgId, (tx) => reopenStaleVerdicts(app, tx, run, findings))

/** Third-party code, which is not reviewed. */
const THIRD_PARTY = /(?:^|\/)(?:node_modules|bower_components|site-packages|vendor|third_party)\//
/** Files that the owners exclude, and files without new lines. */
const EXPECTED_REASONS = new Set(['ignored_by_policy', 'deleted', 'renamed', 'only_deleted_lines'])

/**
 * Changed source files in a known language that were scanned only partly or not at all. They keep a review from passing:
 * otherwise a fault could be hidden in a file that the scan skips.
 */
const unreviewedSources = (notReviewed: readonly UnreviewedFile[]): UnreviewedFile[] =>
  notReviewed.filter(
    ({ path, reason }) =>
      !EXPECTED_REASONS.has(reason) && !THIRD_PARTY.test(path) && languageOf(path) !== null,
  )
