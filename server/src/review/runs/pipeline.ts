// A review from the change to what is to be said about it. Each step is one function, and hands what it has to the next.
import type { Finding, ScanReport } from '@cowrie/analysis/report/finding.ts'
import type { App } from '../../platform/app.ts'
import { scan } from '../../scan/scan.ts'
import { type LocatedFinding, locateFindings } from '../findings/located-finding.ts'
import { reopenStaleVerdicts } from '../findings/record-findings.ts'
import { disableUntrustedSuppressions, suppressionNotes } from '../findings/suppression-comments.ts'
import type { Repository } from '../github/repository.ts'
import type { Installation } from '../installations/installations-sql.ts'
import type { ChangeSet, UnreviewedFile } from '../pull/change-set.ts'
import { formatValidation, validateChange } from '../validation/validation.ts'
import { forkNotes, verifyFindings } from '../verify/verify.ts'
import type { ReviewRun } from './runs-sql.ts'
import { unreviewedSources } from './unreviewed-sources.ts'

/** All that the steps of one review share. */
export type ReviewContext = {
  readonly app: App
  readonly run: ReviewRun
  readonly installation: Installation
  readonly repository: Repository
  /** Aborts when this attempt is over, whatever ended it. */
  readonly signal: AbortSignal
  /** When a review has to come to its end, by the clock of the process. */
  readonly deadlineMs: number
  /** Throws `Superseded` when a newer head, a closing or a removal has ended this review. Asked before each further step. */
  throwIfSuperseded(): Promise<void>
}

/** Why our own work is incomplete: in one word for lists, and as a sentence for people. */
export type ReviewProblem = { readonly reason: string; readonly sentence: string }

/** What came of running the tests of the project. */
export type ValidationResult = {
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly reason: string | null
  readonly details: object
}

export type ReviewResult = {
  readonly findings: readonly LocatedFinding[]
  /** Those that were looked at. */
  readonly files: number
  readonly lines: number
  /** Findings that the change has nothing to do with. */
  readonly preexisting: number
  readonly notReviewed: readonly UnreviewedFile[]
  readonly notes: readonly string[]
  readonly validation: ValidationResult | null
  readonly trouble: ReviewProblem | null
}

const SCAN_MS_MAX = 120_000
/** More than anybody reads; what is worst comes first, and how many were left out is said. */
const FINDINGS_MAX = 500

export async function examineChangeSet(review: ReviewContext, subject: ChangeSet): Promise<ReviewResult> {
  const scanned = await scanChangeSet(review, subject)
  await review.throwIfSuperseded()
  const open = await findUnjudgedIn(review, scanned.findings)
  const trouble = await verifyFindings(review, subject, open)
  await review.throwIfSuperseded()
  const validation = await validateChange(review, subject)
  return {
    ...scanned,
    notes: [
      ...scanned.notes,
      ...forkNotes(review, open),
      ...(validation === null ? [] : [formatValidation(validation)]),
    ],
    validation,
    trouble: scanned.trouble ?? trouble,
  }
}

type ScanOutcome = Omit<ReviewResult, 'validation'>

async function scanChangeSet(review: ReviewContext, subject: ChangeSet): Promise<ScanOutcome> {
  const report = await runScan(review, subject)
  const findings = report.findings
    .filter(({ ruleId }) => !subject.policy.isOff(ruleId))
    .toSorted((one, other) => severityRank(one) - severityRank(other))
  const left = findings.length - FINDINGS_MAX
  const unseen = new Set(report.skipped.map(({ path }) => path))
  return {
    findings: locateFindings(findings.slice(0, FINDINGS_MAX), subject.files),
    files: subject.files.filter(({ path }) => !unseen.has(path)).length,
    lines: report.lines,
    preexisting: report.preexisting ?? 0,
    notes: [
      ...(left > 0 ? [`${left} further findings were left out.`] : []),
      ...suppressionNotes(report.suppressed, subject.added),
    ],
    notReviewed: [...report.skipped],
    trouble: findCoverageProblem(subject, report),
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

function findCoverageProblem(subject: ChangeSet, { skipped }: ScanReport): ReviewProblem | null {
  if (skipped.some(({ reason }) => reason === 'too_slow'))
    return {
      reason: 'too_slow',
      sentence: 'The review ran out of time and covers only a part of the change.',
    }
  const unseen = unreviewedSources([...subject.notReviewed, ...skipped])
  if (unseen.length === 0 && subject.gaps.length === 0) return null
  const sentence = 'Not all of the change could be looked at, so nothing is said about the rest of it.'
  return { reason: 'not_all_reviewed', sentence }
}

/** Errors before warnings before notes, and of those what is surest. */
const severityRank = ({ severity, confidence }: Finding): number =>
  ['error', 'warn', 'note'].indexOf(severity) * 3 + ['high', 'medium', 'low'].indexOf(confidence)

/** What was judged at an earlier head or attempt keeps that verdict while its code is the same: it is not paid for again. */
const findUnjudgedIn = (
  { app, run }: ReviewContext,
  findings: readonly LocatedFinding[],
): Promise<LocatedFinding[]> => app.db.tx(run.orgId, (tx) => reopenStaleVerdicts(app, tx, run, findings))
