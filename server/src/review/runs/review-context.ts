// Whether a review goes on. Somebody else may have ended it since its last step.
import type { App } from '../../platform/app.ts'
import { findRunStatus, type ReviewRun } from './runs-sql.ts'

/** A newer head, a closing or a removal has ended this review: nothing more is said or spent. */
export class ReviewSuperseded extends Error {
  constructor() {
    super('the review was superseded')
    this.name = 'Superseded'
  }
}

export async function requireRunning(
  app: App,
  { orgId, id }: Pick<ReviewRun, 'orgId' | 'id'>,
): Promise<void> {
  const status = await app.db.tx(orgId, (tx) => findRunStatus(tx, orgId, id))
  if (status !== 'running') throw new ReviewSuperseded()
}
