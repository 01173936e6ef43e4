// What is heard of a pull request. Each head is reviewed once: whatever repeats a message, or brings an old one late, starts
// nothing and costs nothing. A newer head ends the review of the older.
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import type { PullMessage } from '../github/webhook-payloads.ts'
import { claimantOf, type Installation } from '../installations/installations-sql.ts'
import {
  insertRun,
  type NewRun,
  type Run,
  type RunId,
  type RunStatus,
  statusOf,
  supersede,
} from '../runs/runs-sql.ts'
import {
  findHead,
  type Heard,
  keepHead,
  keepPull,
  lastEventOf,
  type PullKey,
  takeDelivery,
} from './pulls-sql.ts'
import type { Heard as Result } from './receive.ts'

export const REVIEW = 'review.run'
/** `turn` counts how often GitHub has asked us to come back later. */
export type ReviewPayload = { readonly runId: RunId; readonly turn: number }

const STARTING = new Set(['opened', 'synchronize', 'reopened', 'ready_for_review'])
const TITLE_MAX = 300
/** A review that will say something, or has. What was ended, given up or left out is made anew when there is a reason to. */
const LIVING: ReadonlySet<RunStatus | undefined> = new Set(['queued', 'running', 'completed'])

export async function hearPull(app: App, delivery: string, message: PullMessage): Promise<Result> {
  const isStart = STARTING.has(message.action) && !message.pull_request.draft
  if (!isStart && message.action !== 'closed') return 'ignored'
  const claimant = await app.db.tx('platform', (tx) => claimantOf(tx, message.installation.id))
  if (claimant?.status !== 'active') return 'ignored'
  return app.db.tx(claimant.orgId, async (tx) => {
    const heard = heardFrom(message, claimant, tx.now)
    // Two messages about one pull request are heard one after the other.
    await lockPull(tx, heard)
    if (!(await takeDelivery(tx, delivery))) return 'duplicate'
    return isStart ? start(tx, heard, message) : close(tx, heard)
  })
}

async function start(tx: Tx, heard: Heard, message: PullMessage): Promise<Result> {
  const known = await findHead(tx, heard)
  if (known && heard.eventAt <= known.eventAt) return 'duplicate'
  if (!(await keepPull(tx, heard, true))) return 'ignored'
  // A head that is back, after another or after a closing, is reviewed if its review came to nothing.
  if (known && LIVING.has(await statusOf(tx, heard.orgId, known.runId))) {
    await keepHead(tx, heard, known.runId)
    return 'duplicate'
  }
  await queue(tx, heard, runOf(heard, message))
  return 'queued'
}

export type Shown = { readonly headSha: string; readonly baseSha: string; readonly isOpen: boolean }

/**
 * Ends a review because GitHub itself shows that the pull request has gone on. Two heads of the same second can be told of in
 * the wrong order, and then nobody will tell us of the last one again: so that is reviewed now, unless it is already.
 */
export async function followShown(tx: Tx, run: Run, shown: Shown): Promise<void> {
  const { installationId, orgId, pr } = run
  const key: PullKey = { installationId, orgId, repoId: Number(run.repoId), number: pr }
  await lockPull(tx, key)
  await supersede(tx, orgId, { repoId: key.repoId, pr }, shown.isOpen ? 'newer_head' : 'closed', run.id)
  const eventAt = await lastEventOf(tx, key)
  if (!shown.isOpen || !eventAt) return
  const heard: Heard = { ...key, headSha: shown.headSha, eventAt }
  const known = await findHead(tx, heard)
  if (known && LIVING.has(await statusOf(tx, orgId, known.runId))) return
  if (!(await keepPull(tx, heard, true))) return
  const { repo, title, isFork } = run
  const { repoId } = key
  const { headSha, baseSha } = shown
  // Who brought that head is not told here, so nothing of it is executed.
  const base = { installationId, orgId, repo, repoId, pr, title, isFork, isBot: true }
  await queue(tx, heard, { ...base, id: newId('rvw'), headSha, baseSha })
}

async function queue(tx: Tx, heard: Heard, run: NewRun): Promise<void> {
  await supersede(tx, heard.orgId, run, 'newer_head')
  await insertRun(tx, run)
  await keepHead(tx, heard, run.id)
  const payload: ReviewPayload = { runId: run.id, turn: 1 }
  await enqueue(tx, REVIEW, payload, { org: heard.orgId })
}

const lockPull = (tx: Tx, { installationId, repoId, number }: PullKey): Promise<void> =>
  tx.lock(`pull ${installationId} ${repoId} ${number}`)

async function close(tx: Tx, heard: Heard): Promise<Result> {
  if (!(await keepPull(tx, heard, false))) return 'ignored'
  await supersede(tx, heard.orgId, { repoId: heard.repoId, pr: heard.number }, 'closed')
  return 'noted'
}

function heardFrom(
  message: PullMessage,
  { id, orgId }: Pick<Installation, 'id' | 'orgId'>,
  now: Date,
): Heard {
  return {
    installationId: id,
    orgId,
    repoId: message.repository.id,
    number: message.number,
    headSha: message.pull_request.head.sha,
    eventAt: new Date(message.pull_request.updated_at ?? now),
  }
}

function runOf(heard: Heard, { repository, pull_request: pull, sender }: PullMessage): NewRun {
  return {
    id: newId('rvw'),
    orgId: heard.orgId,
    installationId: heard.installationId,
    repo: repository.full_name,
    repoId: heard.repoId,
    pr: heard.number,
    headSha: heard.headSha,
    baseSha: pull.base?.sha ?? '',
    title: plainLine(pull.title ?? ''),
    // A head whose repository is gone is a stranger's as well.
    isFork: pull.head.repo?.id !== repository.id,
    isBot: pull.user?.type === 'Bot' || sender?.type === 'Bot',
  }
}

const plainLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, TITLE_MAX)
