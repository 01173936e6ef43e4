// One attempt at a review. It publishes a result, reports why there is none, or is requeued until GitHub is available.

import {
  createInstallationToken,
  fetchInstallation,
  GithubRateLimit,
  GithubUnavailable,
  hasPermission,
  isRefusal,
  lacksEssentialPermission,
  type Repository,
  tokenPermissions,
} from '../../github/github.ts'
import { present } from '../../kernel/assert.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { findOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import { enqueue, type JobAttempt } from '../../platform/jobs/jobs.ts'
import { findInstallation, type Installation, setGrant } from '../installations/installations-sql.ts'
import { type MovedHead, readChangeSet } from '../pull/change-set.ts'
import { reviewSettings } from '../settings.ts'
import { followCurrentHead, REVIEW_JOB, type ReviewPayload } from '../webhook/pull-events.ts'
import { completeReview, reportIncompleteReview } from './conclude.ts'
import { examineChangeSet } from './pipeline.ts'
import { type ReviewContext, type ReviewProblem, ReviewSuperseded, requireRunning } from './review-context.ts'
import { finishUnpublishedRun, type ReviewRun, requeueRun, startRun } from './runs-sql.ts'

export const ATTEMPTS = 4
/** How often a review is requeued after a rate limit or an outage of GitHub: several hours in total. */
const RETRY_TURNS_MAX = 6
const OUTAGE_BACKOFF_SECONDS = { first: 60, factor: 4, most: 3_600 }
const RECHECK_HEAD_SECONDS = 15

const PROBLEMS = {
  org_suspended: 'This organisation is suspended, so the change was not reviewed. Nothing was charged.',
  github_limited:
    'GitHub limited our requests for too long, so the change was not reviewed. The merge is not blocked.',
  github_unavailable:
    'GitHub was unreachable for hours, so the change was not reviewed. The merge is not blocked.',
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
async function readChangeSetInTime({ run, repository, installation, signal, deadlineMs }: ReviewContext) {
  const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs - performance.now())))
  try {
    return await readChangeSet({ ...repository, signal: AbortSignal.any([signal, deadline]) }, run, {
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
  if (turn === 1) throw new GithubRateLimit(RECHECK_HEAD_SECONDS)
  await app.db.tx(run.orgId, (tx) => followCurrentHead(tx, run, movedTo))
}

async function openReview(
  app: App,
  { run, installation }: LoadedRun,
  signal: AbortSignal,
): Promise<ReviewContext> {
  const { token, installation: current } = await createReviewToken(app, run, installation, signal)
  const repository: Repository = { app, token, name: run.repo, signal }
  const limitMs = app.settings.get(reviewSettings.settings.review_wall_clock_ms)
  return {
    app,
    run,
    installation: current,
    repository,
    signal,
    deadlineMs: performance.now() + limitMs,
    throwIfSuperseded: () => requireRunning(app, run),
  }
}

/** A token for this repository only. GitHub answers 422 if permissions were revoked; then they are fetched again. */
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
      const payload: ReviewPayload = { runId: run.id, turn: turn + 1 }
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
  if (error instanceof GithubRateLimit) return error.retryAfterSeconds
  const { first, factor, most } = OUTAGE_BACKOFF_SECONDS
  return error instanceof GithubUnavailable ? Math.min(most, first * factor ** (turn - 1)) : null
}

function problemReason(error: unknown): keyof typeof PROBLEMS {
  if (error instanceof GithubRateLimit) return 'github_limited'
  return error instanceof GithubUnavailable ? 'github_unavailable' : 'failed'
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
