// The markers of our comments.
import type { App } from '../../platform/app.ts'
import type { ReviewRun } from '../runs/runs-sql.ts'

/** Keyed with our secret: a forged marker could otherwise keep a finding from being published. */
export const markerFor = (
  { secrets }: App,
  { repoId, pr }: Pick<ReviewRun, 'repoId' | 'pr'>,
  subject: string,
): string => secrets.digest(`${repoId} ${pr} ${subject}`, 'review marker').slice(0, 40)
