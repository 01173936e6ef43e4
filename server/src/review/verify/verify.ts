// Whether findings are right: by what was said of their like before, and where that says nothing, by a model. It spends what
// the review may spend and no more, and stops politely: what is not judged stands as the rules found it.

import { newNonce } from '../../agent/agent.ts'
import { before } from '../../kernel/clock.ts'
import { chargeabilityNow, findOrg } from '../../orgs/orgs.ts'
import { isLiveSecret, recallVerdicts } from '../findings/corpus.ts'
import type { LocatedFinding } from '../findings/located-finding.ts'
import type { ChangeSet } from '../pull/change-set.ts'
import type { ReviewContext, ReviewProblem } from '../runs/review-context.ts'
import { sumOtherRunCosts } from '../runs/runs-sql.ts'
import { reviewSettings } from '../settings.ts'
import { type Batch, createBatches } from './batches.ts'
import { problemFor, problemFromError } from './stop-reasons.ts'
import { storeRecalledVerdicts } from './store-verdicts.ts'
import { type VerificationState, verifyBatch } from './verify-batch.ts'

const { review_llm_enabled, review_lane_mode } = reviewSettings.settings

/** Verdicts are kept as they come. Says why it ended before its time; null when nothing is left to ask. */
export async function verifyFindings(
  review: ReviewContext,
  changeSet: ChangeSet,
  findings: readonly LocatedFinding[],
): Promise<ReviewProblem | null> {
  const { app, run } = review
  const open = await applyHistory(review, findings)
  // A secret is proven by its own shape, and no model should see one.
  const asked = mayUseModel(review) ? open.filter((each) => !isLiveSecret(each)) : []
  const state: VerificationState = {
    review,
    nonce: newNonce(),
    files: new Map(changeSet.files.map((file) => [file.path, file])),
    spent: run,
    otherRunsMinor: 0n,
    next: run.turns + 1,
  }
  for (const batch of createBatches(asked, app.settings.get(review_lane_mode))) {
    await review.throwIfSuperseded()
    const problem = await tryVerifyBatch(state, batch)
    if (problem) return problem
  }
  return null
}

/** Strangers can push as often as they like, so nobody pays for models because of them. */
const mayUseModel = ({ app, run }: ReviewContext): boolean =>
  app.settings.get(review_llm_enabled) && !run.isFork

/** Says so where a model would have been asked. */
export const forkNotes = ({ app, run }: ReviewContext, open: readonly LocatedFinding[]): string[] =>
  run.isFork && app.settings.get(review_llm_enabled) && open.length > 0
    ? ['This change comes from a fork, so it was reviewed by rules alone and no model was asked.']
    : []

async function applyHistory(
  { app, run }: ReviewContext,
  findings: readonly LocatedFinding[],
): Promise<LocatedFinding[]> {
  return app.db.tx(run.orgId, async (tx) => {
    const recalled = await recallVerdicts(app, tx, run.orgId, findings)
    const known = findings.filter(({ fingerprint }) => recalled.has(fingerprint))
    if (known.length > 0) await storeRecalledVerdicts(app, tx, run, known, recalled)
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
