// Types that the steps of a review share, and the check that a review is still wanted.

import type { Forge } from '../../forge/forge.ts'
import type { App } from '../../platform/app.ts'
import type { TrackedFinding } from '../findings/tracked-finding.ts'
import type { Installation } from '../installations/installations-sql.ts'
import type { UnreviewedFile } from '../pull/change-set.ts'
import { findRunStatus, type ReviewRun, type ValidationResult } from './runs-sql.ts'

export type ReviewContext = {
  readonly app: App
  readonly run: ReviewRun
  readonly installation: Installation
  readonly forge: Forge
  /** Aborts when this attempt ends, for any reason. */
  readonly signal: AbortSignal
  /** The deadline of the review, in milliseconds of `performance.now()`. */
  readonly deadlineMs: number
  /** Throws `ReviewSuperseded` if a newer head, a closed pull request or a removed installation ended the review. */
  throwIfSuperseded(): Promise<void>
}

/** Why a review is incomplete: a code for lists and a sentence for people. */
export type ReviewProblem = { readonly reason: string; readonly message: string }

export type ReviewResult = {
  readonly findings: readonly TrackedFinding[]
  /** How many files were scanned. */
  readonly files: number
  readonly lines: number
  /** Findings that are unrelated to the change. */
  readonly preexisting: number
  readonly notReviewed: readonly UnreviewedFile[]
  readonly notes: readonly string[]
  readonly validation: ValidationResult | null
  readonly problem: ReviewProblem | null
}

/** The review was superseded: it must not publish or spend anything more. */
export class ReviewSuperseded extends Error {
  constructor() {
    super('the review was superseded')
    this.name = 'ReviewSuperseded'
  }
}

export async function requireRunning(
  app: App,
  { orgId, id }: Pick<ReviewRun, 'orgId' | 'id'>,
): Promise<void> {
  const status = await app.db.tx(orgId, (tx) => findRunStatus(tx, orgId, id))
  if (status !== 'running') throw new ReviewSuperseded()
}
