// A review from the change to what is to be said about it. Each step is one function, and hands what it has to the next.
import { type Finding, scan } from '../catalogue/catalogue.ts'
import type { App } from '../platform/app.ts'
import { knownIn } from './findings-sql.ts'
import type { Repository } from './github/repository.ts'
import { byFingerprint } from './keep.ts'
import type { NotReviewed, Subject } from './pull/subject.ts'
import type { Run } from './sql.ts'
import { validate, validationNote } from './validation/validation.ts'
import type { Installation } from './vcs-sql.ts'
import { verify } from './verify/verify.ts'

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
  readonly findings: readonly Finding[]
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
  const trouble = await verify(review, subject, await openAmong(review, scanned.findings))
  await review.goOn()
  const validation = await validate(review, subject)
  return {
    findings: scanned.findings,
    lines: scanned.lines,
    preexisting: scanned.preexisting,
    notReviewed: scanned.notReviewed,
    notes: [...scanned.notes, ...(validation === null ? [] : [validationNote(validation)])],
    validation,
    trouble: scanned.trouble ?? trouble,
  }
}

type Scanned = {
  readonly findings: readonly Finding[]
  readonly lines: number
  readonly preexisting: number
  readonly notes: readonly string[]
  readonly notReviewed: readonly NotReviewed[]
  readonly trouble: Trouble | null
}

async function scanSubject({ signal, deadlineMs }: Review, subject: Subject): Promise<Scanned> {
  const timeoutMs = Math.min(SCAN_MS_MAX, Math.max(1, deadlineMs - performance.now()))
  const report = await scan(subject.files, { changed: subject.added, signal, timeoutMs })
  const findings = report.findings
    .filter(({ ruleId }) => !subject.policy.isOff(ruleId))
    .toSorted((one, other) => rankOf(one) - rankOf(other))
  const left = findings.length - FINDINGS_MAX
  const isLate = report.skipped.some(({ reason }) => reason === 'too_slow')
  return {
    findings: findings.slice(0, FINDINGS_MAX),
    lines: report.lines,
    preexisting: report.preexisting ?? 0,
    notes: left > 0 ? [`${left} further findings were left out.`] : [],
    notReviewed: [...report.skipped],
    trouble: isLate
      ? { reason: 'too_slow', sentence: 'The review ran out of time and covers only a part of the change.' }
      : null,
  }
}

/** Errors before warnings before notes, and of those what is surest. */
const rankOf = ({ severity, confidence }: Finding): number =>
  ['error', 'warn', 'note'].indexOf(severity) * 3 + ['high', 'medium', 'low'].indexOf(confidence)

/** What was judged at an earlier head or attempt keeps that verdict: it is not paid for again. */
async function openAmong({ app, run }: Review, findings: readonly Finding[]): Promise<Finding[]> {
  const known = byFingerprint(await app.db.tx(run.orgId, (tx) => knownIn(tx, run)))
  return findings.filter(({ fingerprint }) => {
    const status = known.get(fingerprint)?.status ?? 'unadjudicated'
    return status === 'unadjudicated'
  })
}
