// What is heard of a pull request. Each head is reviewed once: whatever repeats a message, or brings an old one late, starts
// nothing and costs nothing. A newer head ends the review of the older.
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import type { PullRequestPayload } from '../github/webhook-payloads.ts'
import { findClaim, type Installation } from '../installations/installations-sql.ts'
import {
  findRunStatus,
  insertRun,
  type NewReviewRun,
  type ReviewRun,
  type RunId,
  type RunStatus,
  supersedeRuns,
} from '../runs/runs-sql.ts'
import {
  findLastEventAt,
  findReviewedHead,
  type PullEvent,
  type PullKey,
  recordDelivery,
  savePullState,
  saveReviewedHead,
} from './pulls-sql.ts'
import type { WebhookResult as Result } from './receive.ts'

export const REVIEW_JOB = 'review.run'
/** `turn` counts how often GitHub has asked us to come back later. */
export type ReviewPayload = { readonly runId: RunId; readonly turn: number }

const START_ACTIONS = new Set(['opened', 'synchronize', 'reopened', 'ready_for_review'])
const TITLE_MAX = 300
/** A review that will say something, or has. What was ended, given up or left out is made anew when there is a reason to. */
const LIVE_STATUSES: ReadonlySet<RunStatus | undefined> = new Set(['queued', 'running', 'completed'])

export async function handlePullEvent(
  app: App,
  delivery: string,
  message: PullRequestPayload,
): Promise<Result> {
  const isStart = START_ACTIONS.has(message.action) && !message.pull_request.draft
  if (!isStart && message.action !== 'closed') return 'ignored'
  const claimant = await app.db.tx('platform', (tx) => findClaim(tx, message.installation.id))
  if (claimant?.status !== 'active') return 'ignored'
  return app.db.tx(claimant.orgId, async (tx) => {
    const heard = toPullEvent(message, claimant, tx.now)
    // Two messages about one pull request are heard one after the other.
    await lockPull(tx, heard)
    if (!(await recordDelivery(tx, delivery))) return 'duplicate'
    return isStart ? handleStart(tx, heard, message) : handleClose(tx, heard)
  })
}

async function handleStart(tx: Tx, heard: PullEvent, message: PullRequestPayload): Promise<Result> {
  const known = await findReviewedHead(tx, heard)
  if (known && heard.eventAt <= known.eventAt) return 'duplicate'
  if (!(await savePullState(tx, heard, true))) return 'ignored'
  // A head that is back, after another or after a closing, is reviewed if its review came to nothing.
  if (known && LIVE_STATUSES.has(await findRunStatus(tx, heard.orgId, known.runId))) {
    await saveReviewedHead(tx, heard, known.runId)
    return 'duplicate'
  }
  await queueReview(tx, heard, toNewRun(heard, message))
  return 'queued'
}

export type CurrentHead = { readonly headSha: string; readonly baseSha: string; readonly isOpen: boolean }

/**
 * Ends a review because GitHub itself shows that the pull request has gone on. Two heads of the same second can be told of in
 * the wrong order, and then nobody will tell us of the last one again: so that is reviewed now, unless it is already.
 */
export async function followCurrentHead(tx: Tx, run: ReviewRun, shown: CurrentHead): Promise<void> {
  const { installationId, orgId, pr } = run
  const key: PullKey = { installationId, orgId, repoId: Number(run.repoId), number: pr }
  await lockPull(tx, key)
  await supersedeRuns(tx, orgId, { repoId: key.repoId, pr }, shown.isOpen ? 'newer_head' : 'closed', run.id)
  const eventAt = await findLastEventAt(tx, key)
  if (!shown.isOpen || !eventAt) return
  const heard: PullEvent = { ...key, headSha: shown.headSha, eventAt }
  const known = await findReviewedHead(tx, heard)
  if (known && LIVE_STATUSES.has(await findRunStatus(tx, orgId, known.runId))) return
  if (!(await savePullState(tx, heard, true))) return
  const { repo, title, isFork } = run
  const { repoId } = key
  const { headSha, baseSha } = shown
  // Who brought that head is not told here, so nothing of it is executed.
  const base = { installationId, orgId, repo, repoId, pr, title, isFork, isBot: true }
  await queueReview(tx, heard, { ...base, id: newId('rvw'), headSha, baseSha })
}

async function queueReview(tx: Tx, heard: PullEvent, run: NewReviewRun): Promise<void> {
  await supersedeRuns(tx, heard.orgId, run, 'newer_head')
  await insertRun(tx, run)
  await saveReviewedHead(tx, heard, run.id)
  const payload: ReviewPayload = { runId: run.id, turn: 1 }
  await enqueue(tx, REVIEW_JOB, payload, { org: heard.orgId })
}

const lockPull = (tx: Tx, { installationId, repoId, number }: PullKey): Promise<void> =>
  tx.lock(`pull ${installationId} ${repoId} ${number}`)

async function handleClose(tx: Tx, heard: PullEvent): Promise<Result> {
  if (!(await savePullState(tx, heard, false))) return 'ignored'
  await supersedeRuns(tx, heard.orgId, { repoId: heard.repoId, pr: heard.number }, 'closed')
  return 'noted'
}

function toPullEvent(
  message: PullRequestPayload,
  { id, orgId }: Pick<Installation, 'id' | 'orgId'>,
  now: Date,
): PullEvent {
  return {
    installationId: id,
    orgId,
    repoId: message.repository.id,
    number: message.number,
    headSha: message.pull_request.head.sha,
    eventAt: new Date(message.pull_request.updated_at ?? now),
  }
}

function toNewRun(
  heard: PullEvent,
  { repository, pull_request: pull, sender }: PullRequestPayload,
): NewReviewRun {
  return {
    id: newId('rvw'),
    orgId: heard.orgId,
    installationId: heard.installationId,
    repo: repository.full_name,
    repoId: heard.repoId,
    pr: heard.number,
    headSha: heard.headSha,
    baseSha: pull.base?.sha ?? '',
    title: sanitizeTitle(pull.title ?? ''),
    // A head whose repository is gone is a stranger's as well.
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
