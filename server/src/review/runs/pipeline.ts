// The steps of a review between reading the change and publishing the result: scan, verify, validate.
import { languageOf } from '@cowrie/analysis/engine/skipped-files.ts'
import type { Finding, ScanReport } from '@cowrie/analysis/report/finding.ts'
import { scan } from '../../scan/scan.ts'
import { reopenStaleVerdicts } from '../findings/record-findings.ts'
import { disableUntrustedSuppressions, suppressionNotes } from '../findings/suppression-comments.ts'
import { type TrackedFinding, trackFindings } from '../findings/tracked-finding.ts'
import type { ChangeSet, UnreviewedFile } from '../pull/change-set.ts'
import { formatValidation, validateChange } from '../validation/validation.ts'
import { forkNotes, verifyFindings } from '../verify/verify.ts'
import type { ReviewContext, ReviewProblem, ReviewResult } from './review-context.ts'

const SCAN_MS_MAX = 120_000
/** The most severe findings come first. A note says how many were left out. */
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
    findings: trackFindings(findings.slice(0, FINDINGS_MAX), changeSet.files),
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

function runScan(
  { run, signal, deadlineMs }: ReviewContext,
  { files, added }: ChangeSet,
): Promise<ScanReport> {
  const timeoutMs = Math.min(SCAN_MS_MAX, Math.max(1, deadlineMs - performance.now()))
  const scanned = disableUntrustedSuppressions(files, added, run.isFork)
  return scan(scanned, { changed: added, signal, timeoutMs, owner: run.orgId })
}

function findCoverageProblem(changeSet: ChangeSet, { skipped }: ScanReport): ReviewProblem | null {
  if (skipped.some(({ reason }) => reason === 'too_slow'))
    return {
      reason: 'too_slow',
      message: 'The review ran out of time and covers only part of the change.',
    }
  const unreviewed = unreviewedSources([...changeSet.notReviewed, ...skipped])
  if (unreviewed.length === 0 && changeSet.gaps.length === 0) return null
  const message =
    'Some changed files could not be reviewed. They may contain problems that are not listed here.'
  return { reason: 'not_all_reviewed', message }
}

/** Orders by severity, then by confidence. */
const severityRank = ({ severity, confidence }: Finding): number =>
  ['error', 'warn', 'note'].indexOf(severity) * 3 + ['high', 'medium', 'low'].indexOf(confidence)

/** A verdict from an earlier head or attempt stays valid while its code is unchanged, so it is not paid for twice. */
const findUnjudgedIn = (
  { app, run }: ReviewContext,
  findings: readonly TrackedFinding[],
): Promise<TrackedFinding[]> => app.db.tx(run.orgId, (tx) => reopenStaleVerdicts(app, tx, run, findings))

/** Third-party code, which is not reviewed. */
const THIRD_PARTY = /(?:^|\/)(?:node_modules|bower_components|vendor|third_party)\//
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
