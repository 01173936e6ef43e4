// A review from the change to what is to be said about it. Each step is one function, and hands what it has to the next.
import type { Finding, ScanReport } from '@cowrie/analysis/report/finding.ts'
import type { App } from '../../platform/app.ts'
import { scan } from '../../scan/scan.ts'
import { type Case, casesOf } from '../findings/located-finding.ts'
import { openAgain } from '../findings/record-findings.ts'
import { silencedNotes, withoutForeignComments } from '../findings/suppression-comments.ts'
import type { Repository } from '../github/repository.ts'
import type { Installation } from '../installations/installations-sql.ts'
import type { NotReviewed, Subject } from '../pull/change-set.ts'
import { validate, validationNote } from '../validation/validation.ts'
import { forkNotes, verify } from '../verify/verify.ts'
import type { Run } from './runs-sql.ts'
import { unseenSources } from './unreviewed-sources.ts'

/** All that the steps of one review share. */
export type Review = {
  readonly app: App
  readonly run: Run
  readonly installation: Installation
  readonly repository: Repository
  /** Aborts when this attempt is over, whatever ended it. */
  readonly signal: AbortSignal
  /** When a review has to come to its end, by the clock of the process. */
  readonly deadlineMs: number
  /** Throws `Superseded` when a newer head, a closing or a removal has ended this review. Asked before each further step. */
  goOn(): Promise<void>
}

/** Why our own work is incomplete: in one word for lists, and as a sentence for people. */
export type Trouble = { readonly reason: string; readonly sentence: string }

/** What came of running the tests of the project. */
export type Validation = {
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly reason: string | null
  readonly details: object
}

export type Result = {
  readonly findings: readonly Case[]
  /** Those that were looked at. */
  readonly files: number
  readonly lines: number
  /** Findings that the change has nothing to do with. */
  readonly preexisting: number
  readonly notReviewed: readonly NotReviewed[]
  readonly notes: readonly string[]
  readonly validation: Validation | null
  readonly trouble: Trouble | null
}

const SCAN_MS_MAX = 120_000
/** More than anybody reads; what is worst comes first, and how many were left out is said. */
const FINDINGS_MAX = 500

export async function examine(review: Review, subject: Subject): Promise<Result> {
  const scanned = await scanSubject(review, subject)
  await review.goOn()
  const open = await openAmong(review, scanned.findings)
  const trouble = await verify(review, subject, open)
  await review.goOn()
  const validation = await validate(review, subject)
  return {
    ...scanned,
    notes: [
      ...scanned.notes,
      ...forkNotes(review, open),
      ...(validation === null ? [] : [validationNote(validation)]),
    ],
    validation,
    trouble: scanned.trouble ?? trouble,
  }
}

type Scanned = Omit<Result, 'validation'>

async function scanSubject(review: Review, subject: Subject): Promise<Scanned> {
  const report = await reportOn(review, subject)
  const findings = report.findings
    .filter(({ ruleId }) => !subject.policy.isOff(ruleId))
    .toSorted((one, other) => rankOf(one) - rankOf(other))
  const left = findings.length - FINDINGS_MAX
  const unseen = new Set(report.skipped.map(({ path }) => path))
  return {
    findings: casesOf(findings.slice(0, FINDINGS_MAX), subject.files),
    files: subject.files.filter(({ path }) => !unseen.has(path)).length,
    lines: report.lines,
    preexisting: report.preexisting ?? 0,
    notes: [
      ...(left > 0 ? [`${left} further findings were left out.`] : []),
      ...silencedNotes(report.suppressed, subject.added),
    ],
    notReviewed: [...report.skipped],
    trouble: troubleOf(subject, report),
  }
}

function reportOn({ run, signal, deadlineMs }: Review, { files, added }: Subject): Promise<ScanReport> {
  const timeoutMs = Math.min(SCAN_MS_MAX, Math.max(1, deadlineMs - performance.now()))
  const scanned = withoutForeignComments(files, added, run.isFork)
  return scan(scanned, { changed: added, signal, timeoutMs, owner: run.orgId })
}

function troubleOf(subject: Subject, { skipped }: ScanReport): Trouble | null {
  if (skipped.some(({ reason }) => reason === 'too_slow'))
    return {
      reason: 'too_slow',
      sentence: 'The review ran out of time and covers only a part of the change.',
    }
  const unseen = unseenSources([...subject.notReviewed, ...skipped])
  if (unseen.length === 0 && subject.gaps.length === 0) return null
  const sentence = 'Not all of the change could be looked at, so nothing is said about the rest of it.'
  return { reason: 'not_all_reviewed', sentence }
}

/** Errors before warnings before notes, and of those what is surest. */
const rankOf = ({ severity, confidence }: Finding): number =>
  ['error', 'warn', 'note'].indexOf(severity) * 3 + ['high', 'medium', 'low'].indexOf(confidence)

/** What was judged at an earlier head or attempt keeps that verdict while its code is the same: it is not paid for again. */
const openAmong = ({ app, run }: Review, findings: readonly Case[]): Promise<Case[]> =>
  app.db.tx(run.orgId, (tx) => openAgain(app, tx, run, findings))
