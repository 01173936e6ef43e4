// One attempt at a review. It ends in what it found, in an excuse, or in being put back because GitHub asks us to wait.
import { present } from '../../kernel/assert.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { findOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import { enqueue, type JobAttempt } from '../../platform/jobs/jobs.ts'
import { GithubRateLimit, GithubUnavailable, isRefusal } from '../github/errors.ts'
import { createInstallationToken, fetchInstallation } from '../github/installation.ts'
import { hasPermission, isFatal, tokenPermissions } from '../github/permissions.ts'
import type { Repository } from '../github/repository.ts'
import { findInstallation, type Installation, setGrant } from '../installations/installations-sql.ts'
import { type MovedHead, readChangeSet } from '../pull/change-set.ts'
import { reviewSettings } from '../settings.ts'
import { followCurrentHead, REVIEW_JOB, type ReviewPayload } from '../webhook/pull-events.ts'
import { completeReview, reportIncompleteReview } from './conclude.ts'
import { examineChangeSet, type ReviewContext, type ReviewProblem } from './pipeline.ts'
import { ReviewSuperseded, requireRunning } from './review-context.ts'
import { finishUnpublishedRun, type ReviewRun, requeueRun, startRun } from './runs-sql.ts'

export const ATTEMPTS = 4
/** How often we come back to GitHub, because it asks for a pause or is away, before we give up: hours in all. */
const RETRY_TURNS_MAX = 6
const OUTAGE_BACKOFF_SECONDS = { first: 60, factor: 4, most: 3_600 }
const RECHECK_HEAD_SECONDS = 15

const PROBLEMS = {
  org_suspended: 'This organisation is suspended, so the change was not reviewed. Nothing was charged.',
  github_limited:
    'GitHub did not let us work for too long, so the change was not reviewed. Nothing is blocked.',
  github_unavailable:
    'GitHub could not be reached for hours, so the change was not reviewed. Nothing is blocked.',
  too_slow: 'The review ran out of time before it had read the change. Nothing is blocked.',
  failed: 'The review could not be completed because of a fault on our side. Nothing is blocked.',
} as const
const problemFor = (reason: keyof typeof PROBLEMS): ReviewProblem => ({ reason, sentence: PROBLEMS[reason] })

export async function runReview(app: App, work: JobAttempt<ReviewPayload>): Promise<void> {
  const orgId = present(work.org, 'a review is an organisation’s')
  const started = await loadRun(app, orgId, work.payload)
  if (!started) return
  try {
    await attemptReview(app, started, work)
  } catch (error) {
    if (error instanceof ReviewSuperseded) return
    if (work.signal.aborted) throw error
    await handleFailure(app, started, work, error)
  }
}

type LoadedRun = {
  readonly run: ReviewRun
  readonly installation: Installation
  readonly isSuspended: boolean
}

/** Nothing to do when it is over, or when its installation is gone. */
function loadRun(app: App, orgId: OrgId, { runId }: ReviewPayload): Promise<LoadedRun | null> {
  return app.db.tx(orgId, async (tx) => {
    const run = await startRun(tx, orgId, runId)
    if (!run) return null
    const installation = await findInstallation(tx, orgId, run.installationId)
    if (installation?.status !== 'active') {
      await finishUnpublishedRun(tx, orgId, runId, 'installation_removed')
      return null
    }
    if (isFatal(installation.permissions, installation.events)) {
      await finishUnpublishedRun(tx, orgId, runId, 'permissions')
      return null
    }
    const org = await findOrg(tx, orgId)
    return { run, installation, isSuspended: !org || org.suspended }
  })
}

async function attemptReview(
  app: App,
  started: LoadedRun,
  { signal, payload }: JobAttempt<ReviewPayload>,
): Promise<void> {
  const review = await openReview(app, started, signal)
  if (started.isSuspended) return reportIncompleteReview(review, 'skipped', problemFor('org_suspended'))
  const subject = await readChangeSetInTime(review)
  if (subject === 'too_slow') return reportIncompleteReview(review, 'failed', problemFor('too_slow'))
  if ('movedTo' in subject) return followNewHead(app, review.run, subject, payload.turn)
  await review.throwIfSuperseded()
  await completeReview(review, subject, await examineChangeSet(review, subject))
}

/** Reading ends when a review has to; what there is to say after that still can be said. */
async function readChangeSetInTime({ run, repository, installation, signal, deadlineMs }: ReviewContext) {
  const late = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs - performance.now())))
  try {
    return await readChangeSet({ ...repository, signal: AbortSignal.any([signal, late]) }, run, {
      contents: hasPermission(installation.permissions, 'contents', 'read'),
      pulls: hasPermission(installation.permissions, 'pull_requests', 'read'),
    })
  } catch (error) {
    if (late.aborted && !signal.aborted) return 'too_slow'
    throw error
  }
}

/**
 * GitHub shows another head than the one we were told of. Either the message about it is on its way and ends this review, or
 * what GitHub shows is a little old: so we look once more before we believe it.
 */
async function followNewHead(
  app: App,
  run: ReviewRun,
  { movedTo }: MovedHead,
  turn: number,
): Promise<void> {
  if (turn === 1) throw new GithubRateLimit(RECHECK_HEAD_SECONDS)
  await app.db.tx(run.orgId, (tx) => followCurrentHead(tx, run, elsewhere))
}

async function openReview(
  app: App,
  { run, installation }: LoadedRun,
  signal: AbortSignal,
): Promise<ReviewContext> {
  const { token, installation: current } = await createReviewToken(app, run, installation, signal)
  const repository: Repository = { app, token, name: run.repo, signal }
  const wallMs = app.settings.get(reviewSettings.settings.review_wall_clock_ms)
  return {
    app,
    run,
    installation: current,
    repository,
    signal,
    deadlineMs: performance.now() + wallMs,
    throwIfSuperseded: () => requireRunning(app, run),
  }
}

/** For this repository alone. GitHub refuses to give what was taken back since we last heard: then we ask what is left. */
async function createReviewToken(app: App, run: ReviewRun, installation: Installation, signal: AbortSignal) {
  const externalId = Number(installation.externalId)
  const mint = (granted: Installation['permissions']) =>
    createInstallationToken(
      app,
      externalId,
      { repositoryIds: [Number(run.repoId)], permissions: tokenPermissions(granted) },
      signal,
    )
  try {
    return { token: await mint(installation.permissions), installation }
  } catch (error) {
    if (!isRefusal(error, 422)) throw error
    const {
      permissions,
      events,
      repository_selection: repositorySelection,
    } = await fetchInstallation(app, externalId, signal)
    await app.db.tx(run.orgId, (tx) => setGrant(tx, externalId, { permissions, events, repositorySelection }))
    return { token: await mint(permissions), installation: { ...installation, permissions, events } }
  }
}

async function handleFailure(
  app: App,
  started: LoadedRun,
  work: JobAttempt<ReviewPayload>,
  error: unknown,
): Promise<void> {
  const { run } = started
  const { turn } = work.payload
  const pauseSeconds = retryDelaySeconds(error, turn)
  if (pauseSeconds !== null && turn < RETRY_TURNS_MAX) {
    await app.db.tx(run.orgId, async (tx) => {
      await requeueRun(tx, run.orgId, run.id)
      const payload: ReviewPayload = { runId: run.id, turn: turn + 1 }
      await enqueue(tx, REVIEW_JOB, payload, { org: run.orgId, after: { seconds: pauseSeconds } })
    })
    return
  }
  const isLast = work.attempt >= ATTEMPTS || pauseSeconds !== null || isRefusal(error)
  if (!isLast) throw error
  app.log.warn({ err: error, runId: run.id }, 'review.run.failed')
  await reportFailure(app, started, work, problemFor(problemReason(error)))
}

/** How long to leave GitHub alone: as it asks, or longer each time while it is away. Null when that is not what is wrong. */
function retryDelaySeconds(error: unknown, turn: number): number | null {
  if (error instanceof GithubRateLimit) return error.retryAfterSeconds
  const { first, factor, most } = OUTAGE_BACKOFF_SECONDS
  return error instanceof GithubUnavailable ? Math.min(most, first * factor ** (turn - 1)) : null
}

function problemReason(error: unknown): keyof typeof PROBLEMS {
  if (error instanceof GithubRateLimit) return 'github_limited'
  return error instanceof GithubUnavailable ? 'github_unavailable' : 'failed'
}

/** Says so where that is possible; where it is not, the list of reviews says it. */
async function reportFailure(
  app: App,
  started: LoadedRun,
  { signal }: JobAttempt<ReviewPayload>,
  trouble: ReviewProblem,
): Promise<void> {
  const { run } = started
  try {
    await reportIncompleteReview(await openReview(app, started, signal), 'failed', trouble)
  } catch (error) {
    if (error instanceof ReviewSuperseded) return
    app.log.warn({ err: error, runId: run.id }, 'review.run.report_failed')
    await app.db.tx(run.orgId, (tx) => finishUnpublishedRun(tx, run.orgId, run.id, trouble.reason, 'failed'))
  }
}
