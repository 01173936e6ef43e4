// Receives webhooks of GitLab and Bitbucket: verifies them with the secret of the connection, records each delivery once and
// replies before any work starts.
import { createHash, createHmac } from 'node:crypto'
import { BitbucketPullEvent } from '../../bitbucket/bitbucket.ts'
import { GitlabMergeRequestEvent, GitlabNoteEvent } from '../../gitlab/gitlab.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { answer } from '../../platform/http/answer.ts'
import type { Evidence, Proof, RequestInfo } from '../../platform/http/route.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { secretsEqual, UnsealError } from '../../platform/secrets.ts'
import { type ConnectionForge, openWebhookSecret, repositoryNumber } from '../installations/connections.ts'
import { findWebhook, type Webhook } from '../installations/connections-sql.ts'
import type { WebhookResult } from '../installations/schema.ts'
import { parseReplyCommand } from '../replies/command.ts'
import { REPLY_JOB, type ReplyPayload } from '../replies/reply-payload.ts'
import {
  type HostComment,
  readBitbucketComment,
  readBitbucketPull,
  readGitlabComment,
  readGitlabPull,
} from './connection-payloads.ts'
import { handlePullChange, type PullChange } from './pull-events.ts'
import { recordDelivery } from './pulls-sql.ts'

/** GitLab sends the secret itself. */
export const verifyGitlabToken: Proof = (app, evidence) =>
  verify(app, 'gitlab', evidence, (secret) =>
    secretsEqual(String(evidence.headers['x-gitlab-token'] ?? ''), secret),
  )

/** Bitbucket signs the raw body. */
export const verifyBitbucketSignature: Proof = (app, evidence) =>
  verify(app, 'bitbucket', evidence, (secret) => {
    const expected = `sha256=${createHmac('sha256', secret).update(evidence.raw).digest('hex')}`
    return secretsEqual(String(evidence.headers['x-hub-signature'] ?? ''), expected)
  })

async function verify(
  app: App,
  forge: ConnectionForge,
  { params, address }: Evidence,
  isValid: (secret: string) => boolean,
): Promise<void> {
  const webhook = await app.db.tx('platform', (tx) => findWebhook(tx, forge, params.id ?? ''))
  const secret = webhook && openSecret(app, webhook)
  if (secret && isValid(secret)) return
  app.log.warn({ address, forge }, 'review.webhook.secret_rejected')
  throw new ApiError('invalid_signature')
}

function openSecret(app: App, { id, webhookSealed }: Webhook): string | null {
  try {
    return openWebhookSecret(app, id, webhookSealed)
  } catch (error) {
    if (error instanceof UnsealError) return null
    throw error
  }
}

export async function receiveGitlabWebhook(app: App, id: string, { raw, headers }: RequestInfo) {
  const body = parseBody(raw)
  const sent = headers['idempotency-key'] ?? headers['x-gitlab-event-uuid']
  const pull = GitlabMergeRequestEvent.safeParse(body)
  const note = GitlabNoteEvent.safeParse(body)
  return handle(app, 'gitlab', id, {
    delivery: typeof sent === 'string' ? sent : raw,
    project: String(pull.data?.project.id ?? note.data?.project.id ?? ''),
    change: pull.data ? readGitlabPull(pull.data) : null,
    comment: note.data ? readGitlabComment(note.data) : null,
  })
}

export async function receiveBitbucketWebhook(app: App, id: string, { raw, headers }: RequestInfo) {
  const event = String(headers['x-event-key'] ?? '')
  const { data } = BitbucketPullEvent.safeParse(parseBody(raw))
  return handle(app, 'bitbucket', id, {
    // The headers are not signed.
    delivery: raw,
    project: data?.repository.uuid ?? '',
    change: data ? readBitbucketPull(event, data) : null,
    comment: data && event === 'pullrequest:comment_created' ? readBitbucketComment(data) : null,
  })
}

type HostEvent = {
  /** The same in retries. */
  readonly delivery: string | Buffer | undefined
  readonly project: string
  readonly change: Omit<PullChange, 'repoId' | 'newState'> | null
  readonly comment: HostComment | null
}

/** A webhook can be moved to another repository; events of other repositories are ignored. */
async function handle(
  app: App,
  forge: ConnectionForge,
  id: string,
  { delivery, project, change, comment }: HostEvent,
) {
  const webhook = await app.db.tx('platform', (tx) => findWebhook(tx, forge, id))
  if (webhook?.status !== 'active' || webhook.hostId !== project) return reply('ignored')
  const repoId = repositoryNumber(forge, webhook.hostId)
  if (change) {
    const pull = { ...change, repoId, newState: null }
    return reply(await handlePullChange(app, deliveryId(webhook, delivery ?? ''), webhook, pull))
  }
  return reply(comment ? await handleComment(app, webhook, repoId, comment) : 'ignored')
}

const reply = (result: WebhookResult) =>
  answer(result === 'queued' ? 202 : 200, { ok: true as const, result })

function handleComment(
  app: App,
  webhook: Webhook,
  repoId: number,
  { id, text, ...comment }: HostComment,
): Promise<WebhookResult> {
  const { id: installationId, orgId } = webhook
  const delivery = deliveryId(webhook, `comment ${comment.number} ${id}`)
  const command = parseReplyCommand(text, comment.thread !== null)
  return app.db.tx(orgId, async (tx) => {
    if (command === null) return 'ignored'
    if (!(await recordDelivery(tx, delivery))) return 'duplicate'
    const target = { ...comment, delivery, installationId, repoId }
    const payload: ReplyPayload = { ...target, command, forAgent: null }
    await enqueue(tx, REPLY_JOB, payload, { org: orgId })
    return 'queued'
  })
}

/** Hashed, because several connections can have the same repository, and other hosts could send the same id. */
const deliveryId = ({ id }: Webhook, subject: string | Buffer): string =>
  `${id}-${createHash('sha256').update(subject).digest('hex').slice(0, 48)}`

function parseBody(raw: Buffer | undefined): unknown {
  try {
    return JSON.parse(raw?.toString('utf8') ?? '') as unknown
  } catch (error) {
    throw Object.assign(new ApiError('malformed_json'), { cause: error })
  }
}
