// One attempt at a review. It ends in what it found, in an excuse, or in being put back because GitHub asks us to wait.
import { present } from '../../kernel/assert.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { findOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import { enqueue, type Work } from '../../platform/jobs/jobs.ts'
import { GithubLimited, GithubUnavailable, isRefusal } from '../github/errors.ts'
import { installationOf, installationToken } from '../github/installation.ts'
import { isFatal, may, wantedOf } from '../github/permissions.ts'
import type { Repository } from '../github/repository.ts'
import { findInstallation, type Installation, setGranted } from '../installations/installations-sql.ts'
import { type Elsewhere, subjectOf } from '../pull/change-set.ts'
import { reviewSettings } from '../settings.ts'
import { followShown, REVIEW, type ReviewPayload } from '../webhook/pull-events.ts'
import { conclude, excuse } from './conclude.ts'
import { examine, type Review, type Trouble } from './pipeline.ts'
import { requireRunning, Superseded } from './review-context.ts'
import { beginRun, endUnsaid, putBack, type Run } from './runs-sql.ts'

export const ATTEMPTS = 4
/** How often we come back to GitHub, because it asks for a pause or is away, before we give up: hours in all. */
const TURNS_MAX = 6
const AWAY_SECONDS = { first: 60, factor: 4, most: 3_600 }
const LOOK_AGAIN_SECONDS = 15

const TROUBLES = {
  org_suspended: 'This organisation is suspended, so the change was not reviewed. Nothing was charged.',
  github_limited:
    'GitHub did not let us work for too long, so the change was not reviewed. Nothing is blocked.',
  github_unavailable:
    'GitHub could not be reached for hours, so the change was not reviewed. Nothing is blocked.',
  too_slow: 'The review ran out of time before it had read the change. Nothing is blocked.',
  failed: 'The review could not be completed because of a fault on our side. Nothing is blocked.',
} as const
const troubleOf = (reason: keyof typeof TROUBLES): Trouble => ({ reason, sentence: TROUBLES[reason] })

export async function perform(app: App, work: Work<ReviewPayload>): Promise<void> {
  const orgId = present(work.org, 'a review is an organisation’s')
  const started = await begin(app, orgId, work.payload)
  if (!started) return
  try {
    await attempt(app, started, work)
  } catch (error) {
    if (error instanceof Superseded) return
    if (work.signal.aborted) throw error
    await afterFailure(app, started, work, error)
  }
}

type Started = { readonly run: Run; readonly installation: Installation; readonly isSuspended: boolean }

/** Nothing to do when it is over, or when its installation is gone. */
function begin(app: App, orgId: OrgId, { runId }: ReviewPayload): Promise<Started | null> {
  return app.db.tx(orgId, async (tx) => {
    const run = await beginRun(tx, orgId, runId)
    if (!run) return null
    const installation = await findInstallation(tx, orgId, run.installationId)
    if (installation?.status !== 'active') {
      await endUnsaid(tx, orgId, runId, 'installation_removed')
      return null
    }
    if (isFatal(installation.permissions, installation.events)) {
      await endUnsaid(tx, orgId, runId, 'permissions')
      return null
    }
    const org = await findOrg(tx, orgId)
    return { run, installation, isSuspended: !org || org.suspended }
  })
}

async function attempt(app: App, started: Started, { signal, payload }: Work<ReviewPayload>): Promise<void> {
  const review = await open(app, started, signal)
  if (started.isSuspended) return excuse(review, 'skipped', troubleOf('org_suspended'))
  const subject = await readInTime(review)
  if (subject === 'too_slow') return excuse(review, 'failed', troubleOf('too_slow'))
  if ('elsewhere' in subject) return standAside(app, review.run, subject, payload.turn)
  await review.goOn()
  await conclude(review, subject, await examine(review, subject))
}

/** Reading ends when a review has to; what there is to say after that still can be said. */
async function readInTime({ run, repository, installation, signal, deadlineMs }: Review) {
  const late = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs - performance.now())))
  try {
    return await subjectOf({ ...repository, signal: AbortSignal.any([signal, late]) }, run, {
      contents: may(installation.permissions, 'contents', 'read'),
      pulls: may(installation.permissions, 'pull_requests', 'read'),
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
async function standAside(app: App, run: Run, { elsewhere }: Elsewhere, turn: number): Promise<void> {
  if (turn === 1) throw new GithubLimited(LOOK_AGAIN_SECONDS)
  await app.db.tx(run.orgId, (tx) => followShown(tx, run, elsewhere))
}

async function open(app: App, { run, installation }: Started, signal: AbortSignal): Promise<Review> {
  const { token, installation: current } = await tokenFor(app, run, installation, signal)
  const repository: Repository = { app, token, name: run.repo, signal }
  const wallMs = app.settings.get(reviewSettings.settings.review_wall_clock_ms)
  return {
    app,
    run,
    installation: current,
    repository,
    signal,
    deadlineMs: performance.now() + wallMs,
    goOn: () => requireRunning(app, run),
  }
}

/** For this repository alone. GitHub refuses to give what was taken back since we last heard: then we ask what is left. */
async function tokenFor(app: App, run: Run, installation: Installation, signal: AbortSignal) {
  const externalId = Number(installation.externalId)
  const mint = (granted: Installation['permissions']) =>
    installationToken(
      app,
      externalId,
      { repositoryIds: [Number(run.repoId)], permissions: wantedOf(granted) },
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
    } = await installationOf(app, externalId, signal)
    await app.db.tx(run.orgId, (tx) =>
      setGranted(tx, externalId, { permissions, events, repositorySelection }),
    )
    return { token: await mint(permissions), installation: { ...installation, permissions, events } }
  }
}

async function afterFailure(
  app: App,
  started: Started,
  work: Work<ReviewPayload>,
  error: unknown,
): Promise<void> {
  const { run } = started
  const { turn } = work.payload
  const pauseSeconds = pauseAfter(error, turn)
  if (pauseSeconds !== null && turn < TURNS_MAX) {
    await app.db.tx(run.orgId, async (tx) => {
      await putBack(tx, run.orgId, run.id)
      const payload: ReviewPayload = { runId: run.id, turn: turn + 1 }
      await enqueue(tx, REVIEW, payload, { org: run.orgId, after: { seconds: pauseSeconds } })
    })
    return
  }
  const isLast = work.attempt >= ATTEMPTS || pauseSeconds !== null || isRefusal(error)
  if (!isLast) throw error
  app.log.warn({ err: error, runId: run.id }, 'review.run.failed')
  await giveUp(app, started, work, troubleOf(reasonOf(error)))
}

/** How long to leave GitHub alone: as it asks, or longer each time while it is away. Null when that is not what is wrong. */
function pauseAfter(error: unknown, turn: number): number | null {
  if (error instanceof GithubLimited) return error.retryAfterSeconds
  const { first, factor, most } = AWAY_SECONDS
  return error instanceof GithubUnavailable ? Math.min(most, first * factor ** (turn - 1)) : null
}

function reasonOf(error: unknown): keyof typeof TROUBLES {
  if (error instanceof GithubLimited) return 'github_limited'
  return error instanceof GithubUnavailable ? 'github_unavailable' : 'failed'
}

/** Says so where that is possible; where it is not, the list of reviews says it. */
async function giveUp(
  app: App,
  started: Started,
  { signal }: Work<ReviewPayload>,
  trouble: Trouble,
): Promise<void> {
  const { run } = started
  try {
    await excuse(await open(app, started, signal), 'failed', trouble)
  } catch (error) {
    if (error instanceof Superseded) return
    app.log.warn({ err: error, runId: run.id }, 'review.run.report_failed')
    await app.db.tx(run.orgId, (tx) => endUnsaid(tx, run.orgId, run.id, trouble.reason, 'failed'))
  }
}
