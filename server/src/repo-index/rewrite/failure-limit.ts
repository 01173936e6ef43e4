// Limits rewrites that fail. They are free for the caller, and each costs us a call of the model.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { type AttemptLimit, countAttempt, uncountAttempt } from '../../platform/attempts/attempts.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { RewriteFailure, Rewritten } from './rewrite-turn.ts'

/** Per organisation and hour. */
export const FAILED_REWRITES_MAX = 30
const FAILURE_LIMIT: AttemptLimit = {
  name: 'index.rewrite_failed',
  most: FAILED_REWRITES_MAX,
  withinSeconds: 3_600,
}

/** Running rewrites are counted too, and most of them succeed within seconds. */
const RETRY_SECONDS_MAX = 60

/** Counts a rewrite before it starts, and takes it back unless it fails, so that concurrent failures stay within the limit. */
export async function withFailureLimit(
  app: App,
  { orgId }: Actor,
  rewrite: () => Promise<Rewritten | RewriteFailure>,
): Promise<Rewritten | RewriteFailure> {
  // Without it the rewrite counts as a failure. The reply that was paid must not fail for that.
  const uncount = () =>
    uncountAttempt(app, app.db.direct, FAILURE_LIMIT, orgId).catch((error) =>
      app.log.warn({ err: error, orgId }, 'repo_index.rewrite.uncount_failed'),
    )
  const { allowed, retryAfter } = await countAttempt(app, app.db.direct, FAILURE_LIMIT, orgId)
  if (!allowed) {
    await uncount()
    const error = `${FAILED_REWRITES_MAX} rewritten searches failed within an hour or are still running. Wait for the time in Retry-After, or search without \`rewrite\`.`
    throw new ApiError('too_many_attempts', { error, retryAfter: Math.min(retryAfter, RETRY_SECONDS_MAX) })
  }
  try {
    const rewritten = await rewrite()
    if (typeof rewritten !== 'string') await uncount()
    return rewritten
  } catch (error) {
    // The model was not asked: the caller cannot pay, or set a lower limit.
    if (error instanceof ApiError && error.status === 402) await uncount()
    throw error
  }
}
