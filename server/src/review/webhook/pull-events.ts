// Handles pull request events. Each head is reviewed once: a repeated or late event starts nothing and costs nothing. A newer
// head supersedes the review of the older one.

import type { PullRequestPayload } from '../../github/github.ts'
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { findClaim, type Installation } from '../installations/installations-sql.ts'
import type { WebhookResult } from '../installations/schema.ts'
import {
  findRunStatus,
  insertRun,
  type NewReviewRun,
  type ReviewRun,
  type RunId,
  type RunStatus,
  supersedeRuns,
} from '../runs/runs-sql.ts'
import { PULL_STATE_JOB, pullStateOf } from './pull-state.ts'
import {
  findLastEventAt,
  findReviewedHead,
  type PullEvent,
  type PullKey,
  recordDelivery,
  savePullState,
  saveReviewedHead,
} from './pulls-sql.ts'

export const REVIEW_JOB = 'review.run'
/** `turn` counts the attempts: the first is 1, and a rate limit, an outage or a moved head adds one. */
export type ReviewPayload = { readonly runId: RunId; readonly turn: number }

const START_ACTIONS = new Set(['opened', 'synchronize', 'reopened', 'ready_for_review'])
const TITLE_MAX = 300
/** Statuses of reviews that publish a result. A head whose review ended otherwise can be reviewed again. */
const LIVE_STATUSES: ReadonlySet<RunStatus | undefined> = new Set(['queued', 'running', 'completed'])

export async function handlePullEvent(
  app: App,
  delivery: string,
  payload: PullRequestPayload,
): Promise<WebhookResult> {
  const isStart = START_ACTIONS.has(payload.action) && !payload.pull_request.draft
  const isClose = payload.action === 'closed'
  const newState = pullStateOf(payload, app.clock.now())
  if (!isStart && newState === null) return 'ignored'
  const claim = await app.db.tx('platform', (tx) => findClaim(tx, payload.installation.id))
  if (claim?.status !== 'active') return 'ignored'
  return app.db.tx(claim.orgId, async (tx) => {
    const event = toPullEvent(payload, claim, tx.now)
    // Serialises events of one pull request.
    await lockPull(tx, event)
    if (!(await recordDelivery(tx, delivery))) return 'duplicate'
    if (newState) await enqueue(tx, PULL_STATE_JOB, newState, { org: claim.orgId })
    if (isStart) return handleStart(tx, event, payload)
    return isClose ? handleClose(tx, event) : 'noted'
  })
}

async function handleStart(tx: Tx, event: PullEvent, payload: PullRequestPayload): Promise<WebhookResult> {
  const known = await findReviewedHead(tx, event)
  if (known && event.eventAt <= known.eventAt) return 'duplicate'
  if (!(await savePullState(tx, event, true))) return 'ignored'
  // A head that returns after another head or after closing is reviewed only if its earlier review did not complete.
  if (known && LIVE_STATUSES.has(await findRunStatus(tx, event.orgId, known.runId))) {
    await saveReviewedHead(tx, event, known.runId)
    return 'duplicate'
  }
  await queueReview(tx, event, toNewRun(event, payload))
  return 'queued'
}

export type CurrentHead = { readonly headSha: string; readonly baseSha: string; readonly isOpen: boolean }

/**
 * Ends a review because GitHub shows another head or a closed pull request. Events for two heads of the same second can arrive
 * in the wrong order, and no further event follows. So the current head is reviewed now, unless it already is.
 */
export async function followCurrentHead(tx: Tx, run: ReviewRun, current: CurrentHead): Promise<void> {
  const { installationId, orgId, pr } = run
  const key: PullKey = { installationId, orgId, repoId: Number(run.repoId), number: pr }
  await lockPull(tx, key)
  await supersedeRuns(tx, orgId, { repoId: key.repoId, pr }, current.isOpen ? 'newer_head' : 'closed', run.id)
  const eventAt = await findLastEventAt(tx, key)
  if (!current.isOpen || !eventAt) return
  const event: PullEvent = { ...key, headSha: current.headSha, eventAt }
  const known = await findReviewedHead(tx, event)
  if (known && LIVE_STATUSES.has(await findRunStatus(tx, orgId, known.runId))) return
  if (!(await savePullState(tx, event, true))) return
  const { repo, title, isFork } = run
  const { repoId } = key
  const { headSha, baseSha } = current
  // The author of this head is unknown here. Treating it as a bot's ensures that its code is never executed.
  const base = { installationId, orgId, repo, repoId, pr, title, isFork, isBot: true }
  await queueReview(tx, event, { ...base, id: newId('rvw'), headSha, baseSha })
}

async function queueReview(tx: Tx, event: PullEvent, run: NewReviewRun): Promise<void> {
  await supersedeRuns(tx, event.orgId, run, 'newer_head')
  await insertRun(tx, run)
  await saveReviewedHead(tx, event, run.id)
  const payload: ReviewPayload = { runId: run.id, turn: 1 }
  await enqueue(tx, REVIEW_JOB, payload, { org: event.orgId })
}

const lockPull = (tx: Tx, { installationId, repoId, number }: PullKey): Promise<void> =>
  tx.lock(`pull ${installationId} ${repoId} ${number}`)

async function handleClose(tx: Tx, event: PullEvent): Promise<WebhookResult> {
  if (!(await savePullState(tx, event, false))) return 'ignored'
  await supersedeRuns(tx, event.orgId, { repoId: event.repoId, pr: event.number }, 'closed')
  return 'noted'
}

function toPullEvent(
  payload: PullRequestPayload,
  { id, orgId }: Pick<Installation, 'id' | 'orgId'>,
  now: Date,
): PullEvent {
  return {
    installationId: id,
    orgId,
    repoId: payload.repository.id,
    number: payload.number,
    headSha: payload.pull_request.head.sha,
    eventAt: new Date(payload.pull_request.updated_at ?? now),
  }
}

function toNewRun(
  event: PullEvent,
  { repository, pull_request: pull, sender }: PullRequestPayload,
): NewReviewRun {
  return {
    id: newId('rvw'),
    orgId: event.orgId,
    installationId: event.installationId,
    repo: repository.full_name,
    repoId: event.repoId,
    pr: event.number,
    headSha: event.headSha,
    baseSha: pull.base?.sha ?? '',
    title: sanitizeTitle(pull.title ?? ''),
    // A head whose repository was deleted counts as a fork.
    isFork: pull.head.repo?.id !== repository.id,
    isBot: pull.user?.type === 'Bot' || sender?.type === 'Bot',
  }
}

const sanitizeTitle = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, TITLE_MAX)
