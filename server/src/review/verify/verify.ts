// Whether findings are right: by what was said of their like before, and where that says nothing, by a model. It spends what
// the review may spend and no more, and stops politely: what is not judged stands as the rules found it.

import { newNonce } from '../../agent/agent.ts'
import { before } from '../../kernel/clock.ts'
import { chargeabilityNow, findOrg } from '../../orgs/orgs.ts'
import { isLiveSecret, recall } from '../findings/corpus.ts'
import type { Case } from '../findings/located-finding.ts'
import type { Subject } from '../pull/change-set.ts'
import type { Review, Trouble } from '../runs/pipeline.ts'
import { spentBeside } from '../runs/runs-sql.ts'
import { reviewSettings } from '../settings.ts'
import { type Batch, batchesOf } from './batches.ts'
import { troubleFrom, troubleOf } from './stop-reasons.ts'
import { keepRecalled } from './store-verdicts.ts'
import { type Judging, judgeBatch } from './verify-batch.ts'

const { review_llm_enabled, review_lane_mode } = reviewSettings.settings

/** Verdicts are kept as they come. Says why it ended before its time; null when nothing is left to ask. */
export async function verify(
  review: Review,
  subject: Subject,
  findings: readonly Case[],
): Promise<Trouble | null> {
  const { app, run } = review
  const open = await withoutRecalled(review, findings)
  // A secret is proven by its own shape, and no model should see one.
  const asked = isPaid(review) ? open.filter((each) => !isLiveSecret(each)) : []
  const judging: Judging = {
    review,
    nonce: newNonce(),
    files: new Map(subject.files.map((file) => [file.path, file])),
    spent: run,
    besidesMinor: 0n,
    next: run.turns + 1,
  }
  for (const batch of batchesOf(asked, app.settings.get(review_lane_mode))) {
    await review.goOn()
    const trouble = await tryBatch(judging, batch)
    if (trouble) return trouble
  }
  return null
}

/** Strangers can push as often as they like, so nobody pays for models because of them. */
const isPaid = ({ app, run }: Review): boolean => app.settings.get(review_llm_enabled) && !run.isFork

/** Says so where a model would have been asked. */
export const forkNotes = ({ app, run }: Review, open: readonly Case[]): string[] =>
  run.isFork && app.settings.get(review_llm_enabled) && open.length > 0
    ? ['This change comes from a fork, so it was reviewed by rules alone and no model was asked.']
    : []

async function withoutRecalled({ app, run }: Review, findings: readonly Case[]): Promise<Case[]> {
  return app.db.tx(run.orgId, async (tx) => {
    const recalled = await recall(app, tx, run.orgId, findings)
    const known = findings.filter(({ fingerprint }) => recalled.has(fingerprint))
    if (known.length > 0) await keepRecalled(app, tx, run, known, recalled)
    return findings.filter(({ fingerprint }) => !recalled.has(fingerprint))
  })
}

async function tryBatch(judging: Judging, batch: Batch): Promise<Trouble | null> {
  const { app, run, signal } = judging.review
  const since = before(app.clock.now(), { days: 1 })
  const payer = await app.db.tx(run.orgId, async (tx) => {
    judging.besidesMinor = await spentBeside(tx, run, since)
    return findOrg(tx, run.orgId)
  })
  const charge = chargeabilityNow(app, payer)
  if (!charge.chargeable) return troubleOf(charge.refusal)
  try {
    await judgeBatch(judging, charge.org, batch)
    return null
  } catch (error) {
    signal.throwIfAborted()
    const trouble = troubleFrom(error)
    if (!trouble) throw error
    app.log.warn({ err: error, runId: run.id }, 'review.verification.incomplete')
    return trouble
  }
}
