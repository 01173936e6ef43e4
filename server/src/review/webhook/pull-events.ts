// Handles pull request events. Each head is reviewed once: a repeated or late event starts nothing and costs nothing. A newer
// head supersedes the review of the older one.

import { readHostTime } from '../../forge/forge.ts'
import type { PullRequestPayload } from '../../github/github.ts'
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import type { FindingId } from '../findings/findings-sql.ts'
import { findClaim, type Installation } from '../installations/installations-sql.ts'
import type { WebhookResult } from '../installations/schema.ts'
import type { ReplyTarget } from '../replies/reply-payload.ts'
import {
  findRunStatus,
  insertRun,
  type NewReviewRun,
  type ReviewRun,
  type RunId,
  type RunStatus,
  supersedeRuns,
} from '../runs/runs-sql.ts'
import { PULL_STATE_JOB, type PullStatePayload, pullStateOf } from './pull-state.ts'
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
export type ReviewPayload = {
  readonly runId: RunId
  readonly turn: number
  /** The comment that asked for this review. */
  readonly replyTo?: { readonly target: ReplyTarget; readonly findingId: FindingId | null }
}

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
  const kind = isStart ? 'start' : isClose ? 'close' : 'other'
  return handlePullChange(app, delivery, claim, { kind, ...toPullChange(payload), newState })
}

/** A change of a pull request at any code host. */
export type PullChange = Pick<
  NewReviewRun,
  'repo' | 'repoId' | 'headSha' | 'baseSha' | 'title' | 'isFork' | 'isBot' | 'author'
> & {
  readonly kind: 'start' | 'close' | 'other'
  readonly number: number
  /** The time of the change by the clock of the host; null when it sends none. */
  readonly at: Date | null
  /** For the tasks that opened the pull request. */
  readonly newState: PullStatePayload | null
}

export function handlePullChange(
  app: App,
  delivery: string,
  claim: Pick<Installation, 'id' | 'orgId'>,
  change: PullChange,
): Promise<WebhookResult> {
  return app.db.tx(claim.orgId, async (tx) => {
    const event = toPullEvent(change, claim, tx.now)
    // Serialises events of one pull request.
    await lockPull(tx, event)
    if (!(await recordDelivery(tx, delivery))) return 'duplicate'
    if (change.newState) await enqueue(tx, PULL_STATE_JOB, change.newState, { org: claim.orgId })
    if (change.kind === 'start') return handleStart(tx, event, change)
    return change.kind === 'close' ? handleClose(tx, event) : 'noted'
  })
}

async function handleStart(tx: Tx, event: PullEvent, change: PullChange): Promise<WebhookResult> {
  const known = await findReviewedHead(tx, event)
  if (known && event.eventAt <= known.eventAt) return 'duplicate'
  if (!(await savePullState(tx, event, true))) return 'ignored'
  // A head that returns after another head or after closing is reviewed only if its earlier review did not complete.
  if (known && LIVE_STATUSES.has(await findRunStatus(tx, event.orgId, known.runId))) {
    await saveReviewedHead(tx, event, known.runId)
    return 'duplicate'
  }
  await queueReview(tx, event, toNewRun(event, change))
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
  await queueReview(tx, event, nextRun(run, current))
}

/** The author of another head is unknown here. Treating it as a bot's ensures that its code is never executed. */
function nextRun(run: ReviewRun, { headSha, baseSha }: CurrentHead): NewReviewRun {
  const { installationId, orgId, repo, pr, title, isFork, isBot, author } = run
  const base = { installationId, orgId, repo, repoId: Number(run.repoId), pr, title, isFork, author }
  return { ...base, id: newId('rvw'), headSha, baseSha, isBot: isBot || headSha !== run.headSha }
}

/** Reviews the current head again because a comment asks for it. False when the pull request is not known. */
export async function repeatReview(
  tx: Tx,
  run: ReviewRun,
  current: CurrentHead,
  replyTo: ReviewPayload['replyTo'],
): Promise<boolean> {
  const { installationId, orgId, pr } = run
  const key: PullKey = { installationId, orgId, repoId: Number(run.repoId), number: pr }
  await lockPull(tx, key)
  const eventAt = await findLastEventAt(tx, key)
  if (!eventAt) return false
  const event: PullEvent = { ...key, headSha: current.headSha, eventAt }
  if (!(await savePullState(tx, event, true))) return false
  await queueReview(tx, event, nextRun(run, current), replyTo)
  return true
}

async function queueReview(
  tx: Tx,
  event: PullEvent,
  run: NewReviewRun,
  replyTo?: ReviewPayload['replyTo'],
): Promise<void> {
  await supersedeRuns(tx, event.orgId, run, 'newer_head')
  await insertRun(tx, run)
  await saveReviewedHead(tx, event, run.id)
  const payload: ReviewPayload = { runId: run.id, turn: 1, ...(replyTo && { replyTo }) }
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
  { repoId, number, headSha, at }: PullChange,
  { id, orgId }: Pick<Installation, 'id' | 'orgId'>,
  now: Date,
): PullEvent {
  return { installationId: id, orgId, repoId, number, headSha, eventAt: at ?? now }
}

function toNewRun(
  event: PullEvent,
  { repo, baseSha, title, isFork, isBot, author }: PullChange,
): NewReviewRun {
  const { orgId, installationId, repoId, number: pr, headSha } = event
  const base = { id: newId('rvw'), orgId, installationId, repo, repoId, pr, headSha, baseSha }
  return { ...base, title: sanitizeTitle(title), isFork, isBot, author }
}

function toPullChange({ repository, number, pull_request: pull, sender }: PullRequestPayload) {
  return {
    repo: repository.full_name,
    repoId: repository.id,
    number,
    headSha: pull.head.sha,
    baseSha: pull.base?.sha ?? '',
    title: pull.title ?? '',
    // A head whose repository was deleted counts as a fork.
    isFork: pull.head.repo?.id !== repository.id,
    isBot: pull.user?.type === 'Bot' || sender?.type === 'Bot',
    author: pull.user?.login ?? '',
    at: pull.updated_at ? readHostTime(pull.updated_at) : null,
  }
}

const sanitizeTitle = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, TITLE_MAX)
