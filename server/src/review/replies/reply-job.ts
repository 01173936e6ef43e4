// Answers comments to the review bot: explains a finding, dismisses it, reviews the change again or summarises it. Each comment is
// answered once. People without write access get no answer.
import { type Access, type CommentAuthor, type Forge, ForgeRefusal } from '../../forge/forge.ts'
import { present } from '../../kernel/assert.ts'
import { before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { enqueue, type JobAttempt, job } from '../../platform/jobs/jobs.ts'
import { dismissFinding } from '../findings/findings.ts'
import { findFinding, findStoredFindings, type ListedFinding, wasFoundIn } from '../findings/findings-sql.ts'
import { findInstallation } from '../installations/installations-sql.ts'
import { openForge } from '../installations/open-forge.ts'
import { findingUrl, findMarkers, hiddenText } from '../publish/format.ts'
import { markerFor } from '../publish/marker.ts'
import { POLICY_BYTES_MAX, POLICY_PATH, type PolicyFile, parsePolicyFile } from '../pull/repo-policy.ts'
import { countRuns, findLatestRun, type LatestRun } from '../runs/runs-sql.ts'
import { COMMENT_JOB } from '../webhook/comment-payload.ts'
import { repeatReview } from '../webhook/pull-events.ts'
import type { ReplyCommand } from './command.ts'
import { REPLY_JOB, type ReplyPayload, type ReplyTarget } from './reply-payload.ts'
import { explainFinding, REPLIES, reviewedAgain } from './reply-texts.ts'
import { summarizePull } from './summary.ts'

const ATTEMPTS = 6

export const replyJob = job<ReplyPayload>(REPLY_JOB, {
  pool: 'review',
  perOrg: 2,
  attempts: ATTEMPTS,
  backoff: { firstMs: 10_000, maxMs: 600_000 },
  timeoutMs: 300_000,
  run: answer,
})

type Conversation = {
  readonly app: App
  readonly orgId: OrgId
  readonly forge: Forge
  readonly target: ReplyTarget
  readonly signal: AbortSignal
  readonly run: LatestRun
}

async function answer(app: App, { org, payload, signal }: JobAttempt<ReplyPayload>): Promise<void> {
  const orgId = present(org, 'a reply job has an organisation')
  const opened = await openConversation(app, orgId, payload, signal)
  if (opened === 'for_agent') return passToAgent(app, orgId, payload)
  if (opened === null) return
  try {
    if ('reviewed' in payload) await publishOnce(opened, await textAfterReview(opened, payload.reviewed))
    else await handleCommand(opened, payload)
  } catch (error) {
    if (!(error instanceof ForgeRefusal)) throw error
    app.log.warn({ err: error, delivery: payload.delivery }, 'review.reply.refused')
  }
}

/** Null if the bot must not answer. */
async function openConversation(
  app: App,
  orgId: OrgId,
  payload: ReplyPayload,
  signal: AbortSignal,
): Promise<Conversation | 'for_agent' | null> {
  const found = await app.db.tx(orgId, async (tx) => ({
    installation: await findInstallation(tx, orgId, payload.installationId),
    run: await findLatestRun(tx, orgId, payload),
  }))
  const { installation, run } = found
  if (installation?.status !== 'active') return null
  if (!run) return 'for_agent'
  if (!installation.threadReplies) return null
  try {
    const { forge } = await openForge(app, installation, run, signal)
    return { app, orgId, forge, target: payload, signal, run }
  } catch (error) {
    if (!(error instanceof ForgeRefusal)) throw error
    app.log.warn({ err: error, delivery: payload.delivery }, 'review.reply.refused')
    return null
  }
}

async function passToAgent(app: App, orgId: OrgId, payload: ReplyPayload): Promise<void> {
  const comment = 'forAgent' in payload ? payload.forAgent : null
  if (comment) await app.db.tx(orgId, (tx) => enqueue(tx, COMMENT_JOB, comment, { org: orgId }))
}

type CommandPayload = Extract<ReplyPayload, { readonly command: ReplyCommand }>

async function handleCommand(conversation: Conversation, payload: CommandPayload): Promise<void> {
  const { app, orgId, forge } = conversation
  const { command, author, thread } = payload
  const finding = thread === null ? null : await findOfThread(conversation, thread)
  if (thread !== null && !finding) return passToAgent(app, orgId, payload)
  const access = await forge.accessOf(author)
  if (!mayWrite(access) || (await isAnswered(conversation))) return
  if (command.kind === 'summary')
    return summarizePull(conversation, (text) => publishOnce(conversation, text))
  const text = await answerText(conversation, payload, finding, access)
  if (text !== null) await publishOnce(conversation, text)
}

const mayWrite = (access: Access): boolean => access === 'write' || access === 'admin'

/** Null when the answer follows after the review. */
async function answerText(
  conversation: Conversation,
  { command, author }: CommandPayload,
  finding: ListedFinding | null,
  access: Access,
): Promise<string | null> {
  const { app } = conversation
  if (command.kind === 'recheck') return recheck(conversation, finding)
  if (!finding) return null
  if (command.kind === 'explain') return explainFinding(finding, findingUrl(app.config.baseUrl, finding.id))
  return command.kind === 'dismiss'
    ? dismiss(conversation, { finding, reason: command.reason, author, access })
    : null
}

/** The finding whose comment started the thread. Its marker is keyed, so it cannot be forged. */
async function findOfThread(
  { app, orgId, forge, run, target }: Conversation,
  thread: string,
): Promise<ListedFinding | null> {
  const [first = ''] = await forge.readThread(target.number, thread)
  const markers = new Set(findMarkers(first))
  if (markers.size === 0) return null
  return app.db.tx(orgId, async (tx) => {
    const stored = await findStoredFindings(tx, run)
    const match = stored.find(({ fingerprint }) => markers.has(markerFor(app, run, fingerprint)))
    return match ? ((await findFinding(tx, orgId, match.id)) ?? null) : null
  })
}

type Dismissal = {
  readonly finding: ListedFinding
  readonly reason: string
  readonly author: CommentAuthor
  readonly access: Access
}

const REASON_MIN = 5

/** The policy of the default branch decides who may dismiss. The head is reviewed again, so that its check is current. */
async function dismiss(
  conversation: Conversation,
  { finding, reason, author, access }: Dismissal,
): Promise<string> {
  const { app, orgId, forge, run } = conversation
  const { dismiss: allowed, authorMayDismiss } = await readReplyPolicy(conversation)
  if (allowed === 'off') return REPLIES.dismissOff
  if (allowed === 'admin' && access !== 'admin') return REPLIES.adminsOnly
  if (!authorMayDismiss && author.id === run.author) return REPLIES.notByAuthor
  if (reason.length < REASON_MIN) return REPLIES.reasonMissing
  try {
    await dismissFinding(app, orgId, finding.id, { login: author.name, host: forge.kind, reason })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'wallet_full') return REPLIES.walletFull
    throw error
  }
  const repeated = await repeat(conversation, null)
  return REPLIES.dismissed(author.name, reason, repeated === 'tooMany')
}

async function readReplyPolicy({ forge, target }: Conversation): Promise<PolicyFile['replies']> {
  const { defaultBranch } = await forge.fetchPull(target.number)
  const text = await forge.fetchFile(POLICY_PATH, defaultBranch, POLICY_BYTES_MAX)
  const file = text === null ? null : parsePolicyFile(text)
  // An invalid policy may have meant to forbid it.
  if (text !== null && file === null) return { dismiss: 'off', authorMayDismiss: false }
  return file?.replies ?? { dismiss: 'write', authorMayDismiss: true }
}

async function recheck(conversation: Conversation, finding: ListedFinding | null): Promise<string | null> {
  const { target } = conversation
  const result = await repeat(conversation, { target, findingId: finding?.id ?? null })
  return result === 'started' ? null : REPLIES[result]
}

type Repeated = 'started' | 'underWay' | 'closed' | 'tooMany'

/** Comments can start this many reviews of a pull request within an hour, pushes included. */
const HOURLY_MAX = 20

/** A review of the current head that is under way is not repeated. */
async function repeat(
  { app, orgId, forge, target, run }: Conversation,
  replyTo: Parameters<typeof repeatReview>[3] | null,
): Promise<Repeated> {
  const current = await forge.fetchPull(target.number)
  if (!current.isOpen) return 'closed'
  return app.db.tx(orgId, async (tx) => {
    const latest = await findLatestRun(tx, orgId, target)
    const isUnderWay = latest?.status === 'queued' || latest?.status === 'running'
    if (isUnderWay && latest.headSha === current.headSha && replyTo) return 'underWay'
    const since = before(tx.now, { hours: 1 })
    if ((await countRuns(tx, orgId, target, since)) >= HOURLY_MAX) return 'tooMany'
    return (await repeatReview(tx, latest ?? run, current, replyTo ?? undefined)) ? 'started' : 'closed'
  })
}

async function textAfterReview(
  { app, orgId, run }: Conversation,
  { runId, findingId }: Extract<ReplyPayload, { readonly reviewed: object }>['reviewed'],
): Promise<string> {
  const isFound =
    findingId !== null && (await app.db.tx(orgId, (tx) => wasFoundIn(tx, orgId, findingId, runId)))
  const finding =
    findingId === null ? null : await app.db.tx(orgId, (tx) => findFinding(tx, orgId, findingId))
  return reviewedAgain(run, finding ?? null, isFound, app.config.baseUrl)
}

const markOf = ({ forge, target }: Conversation): string =>
  hiddenText(`cowrie:reply=${target.delivery}${'reviewed' in target ? '-reviewed' : ''}`, forge.kind)

async function isAnswered(conversation: Conversation): Promise<boolean> {
  const { forge, target } = conversation
  const texts =
    target.thread === null
      ? await forge.listCommentBodies(target.number, 'conversation')
      : await forge.readThread(target.number, target.thread)
  return texts.some((text) => text.includes(markOf(conversation)))
}

/** True when the text was posted now. */
async function publishOnce(conversation: Conversation, text: string): Promise<boolean> {
  const { forge, target } = conversation
  if (await isAnswered(conversation)) return false
  const body = `${text}\n\n${markOf(conversation)}`
  if (target.thread === null) await forge.publishComment(target.number, body)
  else await forge.replyInThread(target.number, target.thread, body)
  return true
}
