// One attempt at a review. It publishes a result, reports why there is none, or is requeued until GitHub is available.

import { ForgeRateLimit, ForgeUnavailable, isRefusal } from '../../forge/forge.ts'
import { hasPermission, lacksEssentialPermission } from '../../github/github.ts'
import { present } from '../../kernel/assert.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { findOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import { enqueue, type JobAttempt } from '../../platform/jobs/jobs.ts'
import { findInstallation, type Installation } from '../installations/installations-sql.ts'
import { openForge } from '../installations/open-forge.ts'
import { type MovedHead, readChangeSet } from '../pull/change-set.ts'
import { REPLY_JOB, type ReplyPayload } from '../replies/reply-payload.ts'
import { reviewSettings } from '../settings.ts'
import { followCurrentHead, REVIEW_JOB, type ReviewPayload } from '../webhook/pull-events.ts'
import { completeReview, reportIncompleteReview } from './conclude.ts'
import { examineChangeSet } from './pipeline.ts'
import { type ReviewContext, type ReviewProblem, ReviewSuperseded, requireRunning } from './review-context.ts'
import { findRunStatus, finishUnpublishedRun, type ReviewRun, requeueRun, startRun } from './runs-sql.ts'

export const ATTEMPTS = 4
/** How often a review is requeued after a rate limit or an outage of GitHub: several hours in total. */
const RETRY_TURNS_MAX = 6
const OUTAGE_BACKOFF_SECONDS = { first: 60, factor: 4, most: 3_600 }
const RECHECK_HEAD_SECONDS = 15

const PROBLEMS = {
  org_suspended: 'This organisation is suspended, so the change was not reviewed. Nothing was charged.',
  github_limited:
    'The code host limited our requests for too long, so the change was not reviewed. The merge is not blocked.',
  github_unavailable:
    'The code host was unreachable for hours, so the change was not reviewed. The merge is not blocked.',
  token_rejected:
    'The code host refused the token of the connection, so the change was not reviewed. Connect the repository again.',
  too_slow: 'The review ran out of time while reading the change. The merge is not blocked.',
  failed: 'The review failed because of an error in Cowrie. The merge is not blocked.',
} as const
const problemFor = (reason: keyof typeof PROBLEMS): ReviewProblem => ({ reason, message: PROBLEMS[reason] })

export async function runReview(app: App, job: JobAttempt<ReviewPayload>): Promise<void> {
  const orgId = present(job.org, 'a review job has an organisation')
  const loaded = await loadRun(app, orgId, job.payload)
  if (!loaded) return
  try {
    await attemptReview(app, loaded, job)
  } catch (error) {
    if (error instanceof ReviewSuperseded) return
    if (job.signal.aborted) throw error
    await handleFailure(app, loaded, job, error)
  }
  await answerComment(app, orgId, job.payload)
}

/** The comment that asked for the review is answered when it has ended. */
async function answerComment(app: App, orgId: OrgId, { runId, replyTo }: ReviewPayload): Promise<void> {
  if (!replyTo) return
  const { target, findingId } = replyTo
  await app.db.tx(orgId, async (tx) => {
    const status = await findRunStatus(tx, orgId, runId)
    if (status === 'queued' || status === 'running' || status === 'superseded') return
    const payload: ReplyPayload = { ...target, reviewed: { runId, findingId } }
    await enqueue(tx, REPLY_JOB, payload, { org: orgId })
  })
}

type LoadedRun = {
  readonly run: ReviewRun
  readonly installation: Installation
  readonly isSuspended: boolean
}

/** Null when the run has ended, or its installation cannot be used. */
function loadRun(app: App, orgId: OrgId, { runId }: ReviewPayload): Promise<LoadedRun | null> {
  return app.db.tx(orgId, async (tx) => {
    const run = await startRun(tx, orgId, runId)
    if (!run) return null
    const installation = await findInstallation(tx, orgId, run.installationId)
    if (installation?.status !== 'active') {
      await finishUnpublishedRun(tx, orgId, runId, 'installation_removed')
      return null
    }
    if (lacksEssentialPermission(installation.permissions, installation.events)) {
      await finishUnpublishedRun(tx, orgId, runId, 'permissions')
      return null
    }
    const org = await findOrg(tx, orgId)
    return { run, installation, isSuspended: !org || org.suspended }
  })
}

async function attemptReview(
  app: App,
  loaded: LoadedRun,
  { signal, payload }: JobAttempt<ReviewPayload>,
): Promise<void> {
  const review = await openReview(app, loaded, signal)
  if (loaded.isSuspended) return reportIncompleteReview(review, 'skipped', problemFor('org_suspended'))
  const changeSet = await readChangeSetInTime(review)
  if (changeSet === 'too_slow') return reportIncompleteReview(review, 'failed', problemFor('too_slow'))
  if ('movedTo' in changeSet) return followNewHead(app, review.run, changeSet, payload.turn)
  await review.throwIfSuperseded()
  await completeReview(review, changeSet, await examineChangeSet(review, changeSet))
}

/** Only reading stops at the deadline. The result can still be published afterwards. */
async function readChangeSetInTime({ run, forge, installation, signal, deadlineMs }: ReviewContext) {
  const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs - performance.now())))
  const either = AbortSignal.any([signal, deadline])
  try {
    return await readChangeSet(forge.withSignal(either), run, {
      signal: either,
      contents: hasPermission(installation.permissions, 'contents', 'read'),
      pulls: hasPermission(installation.permissions, 'pull_requests', 'read'),
    })
  } catch (error) {
    if (deadline.aborted && !signal.aborted) return 'too_slow'
    throw error
  }
}

/**
 * GitHub shows another head than the webhook named. Either the webhook for the new head is on its way, or GitHub's answer is
 * stale. The first time, the review is requeued and checks the head again.
 */
async function followNewHead(app: App, run: ReviewRun, { movedTo }: MovedHead, turn: number): Promise<void> {
  if (turn === 1) throw new ForgeRateLimit('The host', RECHECK_HEAD_SECONDS)
  await app.db.tx(run.orgId, (tx) => followCurrentHead(tx, run, movedTo))
}

async function openReview(
  app: App,
  { run, installation }: LoadedRun,
  signal: AbortSignal,
): Promise<ReviewContext> {
  const { forge, installation: current } = await openForge(app, installation, run, signal)
  // The webhooks of GitLab do not name the base.
  const baseSha = run.baseSha === '' ? (await forge.fetchPull(run.pr)).baseSha : run.baseSha
  const limitMs = app.settings.get(reviewSettings.settings.review_wall_clock_ms)
  return {
    app,
    run: { ...run, baseSha },
    installation: current,
    forge,
    signal,
    deadlineMs: performance.now() + limitMs,
    throwIfSuperseded: () => requireRunning(app, run),
  }
}

async function handleFailure(
  app: App,
  loaded: LoadedRun,
  job: JobAttempt<ReviewPayload>,
  error: unknown,
): Promise<void> {
  const { run } = loaded
  const { turn } = job.payload
  const delaySeconds = retryDelaySeconds(error, turn)
  if (delaySeconds !== null && turn < RETRY_TURNS_MAX) {
    await app.db.tx(run.orgId, async (tx) => {
      await requeueRun(tx, run.orgId, run.id)
      const payload: ReviewPayload = { ...job.payload, turn: turn + 1 }
      await enqueue(tx, REVIEW_JOB, payload, { org: run.orgId, after: { seconds: delaySeconds } })
    })
    return
  }
  const isLast = job.attempt >= ATTEMPTS || delaySeconds !== null || isRefusal(error)
  if (!isLast) throw error
  app.log.warn({ err: error, runId: run.id }, 'review.run.failed')
  await reportFailure(app, loaded, job, problemFor(problemReason(error)))
}

/** The delay that GitHub asks for, or exponential backoff during an outage. Null for other errors. */
function retryDelaySeconds(error: unknown, turn: number): number | null {
  if (error instanceof ForgeRateLimit) return error.retryAfterSeconds
  const { first, factor, most } = OUTAGE_BACKOFF_SECONDS
  return error instanceof ForgeUnavailable ? Math.min(most, first * factor ** (turn - 1)) : null
}

function problemReason(error: unknown): keyof typeof PROBLEMS {
  if (error instanceof ForgeRateLimit) return 'github_limited'
  if (isRefusal(error, 401)) return 'token_rejected'
  return error instanceof ForgeUnavailable ? 'github_unavailable' : 'failed'
}

/** Publishes the problem on GitHub. If that fails, only the list of reviews shows it. */
async function reportFailure(
  app: App,
  loaded: LoadedRun,
  { signal }: JobAttempt<ReviewPayload>,
  problem: ReviewProblem,
): Promise<void> {
  const { run } = loaded
  try {
    await reportIncompleteReview(await openReview(app, loaded, signal), 'failed', problem)
  } catch (error) {
    if (error instanceof ReviewSuperseded) return
    app.log.warn({ err: error, runId: run.id }, 'review.run.report_failed')
    await app.db.tx(run.orgId, (tx) => finishUnpublishedRun(tx, run.orgId, run.id, problem.reason, 'failed'))
  }
}
