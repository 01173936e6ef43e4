// Whether findings are right: by what was said of their like before, and where that says nothing, by a model. It spends what
// the review may spend and no more, and stops politely: what is not judged stands as the rules found it.
import { newNonce } from '../../agent/agent.ts'
import type { Finding } from '../../catalogue/catalogue.ts'
import { isLiveSecret, recall } from '../corpus.ts'
import type { Review, Trouble } from '../pipeline.ts'
import type { Subject } from '../pull/subject.ts'
import { reviewSettings } from '../settings.ts'
import { type Batch, batchesOf } from './batches.ts'
import { payerOf } from './payer-sql.ts'
import { shownFiles } from './prompt.ts'
import { keepRecalled } from './store.ts'
import { closedTo, troubleFrom, troubleOf } from './troubles.ts'
import { type Judging, judgeBatch } from './turn.ts'

const { review_llm_enabled, review_lane_mode } = reviewSettings.settings

/** Verdicts are kept as they come. Says why it ended before its time; null when nothing is left to ask. */
export async function verify(
  review: Review,
  subject: Subject,
  findings: readonly Finding[],
): Promise<Trouble | null> {
  const { app, run } = review
  const open = await withoutRecalled(review, findings)
  // A secret is proven by its own shape, and no model should see one.
  const asked = app.settings.get(review_llm_enabled) ? open.filter((each) => !isLiveSecret(each)) : []
  const judging: Judging = {
    review,
    nonce: newNonce(),
    files: shownFiles(asked.length > 0 ? subject.files : []),
    spent: run,
    next: run.turns + 1,
  }
  for (const batch of batchesOf(asked, app.settings.get(review_lane_mode))) {
    await review.goOn()
    const trouble = await tryBatch(judging, batch)
    if (trouble) return trouble
  }
  return null
}

async function withoutRecalled({ app, run }: Review, findings: readonly Finding[]): Promise<Finding[]> {
  return app.db.tx(run.orgId, async (tx) => {
    const recalled = await recall(app, tx, run.orgId, findings)
    const known = findings.filter(({ fingerprint }) => recalled.has(fingerprint))
    if (known.length > 0) await keepRecalled(app, tx, run, known, recalled)
    return findings.filter(({ fingerprint }) => !recalled.has(fingerprint))
  })
}

async function tryBatch(judging: Judging, batch: Batch): Promise<Trouble | null> {
  const { app, run, signal } = judging.review
  const payer = await app.db.tx(run.orgId, (tx) => payerOf(tx, run.orgId))
  const closed = closedTo(app, payer)
  if (!payer || closed) return troubleOf(closed ?? 'org_suspended')
  try {
    await judgeBatch(judging, payer, batch)
    return null
  } catch (error) {
    signal.throwIfAborted()
    const trouble = troubleFrom(error)
    if (!trouble) throw error
    app.log.warn({ err: error, runId: run.id }, 'findings of a review were not all verified')
    return trouble
  }
}
