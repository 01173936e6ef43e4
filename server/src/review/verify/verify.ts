// Verifies findings: by earlier verdicts, else by a model within the budget of the review. Findings without a verdict stay as
// the rules reported them.

import { newNonce } from '../../agent/agent.ts'
import { before } from '../../kernel/clock.ts'
import { chargeabilityNow, findOrg } from '../../orgs/orgs.ts'
import { isLiveSecret, recallVerdicts } from '../findings/corpus.ts'
import type { TrackedFinding } from '../findings/tracked-finding.ts'
import type { ChangeSet } from '../pull/change-set.ts'
import type { ReviewContext, ReviewProblem } from '../runs/review-context.ts'
import { sumOtherRunCosts } from '../runs/runs-sql.ts'
import { reviewSettings } from '../settings.ts'
import { type Batch, createBatches } from './batches.ts'
import type { VerificationState } from './review-turn.ts'
import { problemFor, problemFromError } from './stop-reasons.ts'
import { storeRecalledVerdicts } from './store-verdicts.ts'
import { verifyBatch } from './verify-batch.ts'

const { review_llm_enabled, review_lane_mode } = reviewSettings.settings

/** Stores each verdict immediately. Returns why verification stopped early, or null when it is complete. */
export async function verifyFindings(
  review: ReviewContext,
  changeSet: ChangeSet,
  findings: readonly TrackedFinding[],
): Promise<ReviewProblem | null> {
  const { app, run } = review
  const unjudged = await applyHistory(review, findings)
  // The format alone proves a live secret, and no model should see one.
  const toVerify = mayUseModel(review) ? unjudged.filter((each) => !isLiveSecret(each)) : []
  const state: VerificationState = {
    review,
    nonce: newNonce(),
    files: new Map(changeSet.files.map((file) => [file.path, file])),
    cost: run,
    otherRunsMinor: 0n,
    next: run.turns + 1,
    work: run.id,
  }
  for (const batch of createBatches(toVerify, app.settings.get(review_lane_mode))) {
    await review.throwIfSuperseded()
    const problem = await tryVerifyBatch(state, batch)
    if (problem) return problem
  }
  return null
}

/** Anyone can push to a fork, so forks must not cause model costs. */
const mayUseModel = ({ app, run }: ReviewContext): boolean =>
  app.settings.get(review_llm_enabled) && !run.isFork

/** A note for changes that a model would have verified if they were not from a fork. */
export const forkNotes = ({ app, run }: ReviewContext, unjudged: readonly TrackedFinding[]): string[] =>
  run.isFork && app.settings.get(review_llm_enabled) && unjudged.length > 0
    ? ['This change comes from a fork, so it was reviewed by rules only, without a model.']
    : []

async function applyHistory(
  { app, run }: ReviewContext,
  findings: readonly TrackedFinding[],
): Promise<TrackedFinding[]> {
  return app.db.tx(run.orgId, async (tx) => {
    const recalled = await recallVerdicts(app, tx, run.orgId, findings)
    const decided = findings.filter(({ fingerprint }) => recalled.has(fingerprint))
    if (decided.length > 0) await storeRecalledVerdicts(app, tx, run, decided, recalled)
    return findings.filter(({ fingerprint }) => !recalled.has(fingerprint))
  })
}

async function tryVerifyBatch(state: VerificationState, batch: Batch): Promise<ReviewProblem | null> {
  const { app, run, signal } = state.review
  const since = before(app.clock.now(), { days: 1 })
  const payer = await app.db.tx(run.orgId, async (tx) => {
    state.otherRunsMinor = await sumOtherRunCosts(tx, run, since)
    return findOrg(tx, run.orgId)
  })
  const charge = chargeabilityNow(app, payer)
  if (!charge.chargeable) return problemFor(charge.refusal)
  try {
    await verifyBatch(state, charge.org, batch)
    return null
  } catch (error) {
    signal.throwIfAborted()
    const problem = problemFromError(error)
    if (!problem) throw error
    app.log.warn({ err: error, runId: run.id }, 'review.verification.incomplete')
    return problem
  }
}
