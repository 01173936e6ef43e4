// Receives GitHub webhooks: verifies the signature, records each delivery once and replies before any work starts.
import { createHmac } from 'node:crypto'
import { InstallationPayload, PullRequestPayload } from '../../github/github.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { answer } from '../../platform/http/answer.ts'
import type { Evidence, Proof, RequestInfo } from '../../platform/http/route.ts'
import { secretsEqual } from '../../platform/secrets.ts'
import type { WebhookResult } from '../installations/schema.ts'
import { handleCommentEvent } from './comment-events.ts'
import { handleInstallationEvent } from './installation-events.ts'
import { handlePullEvent } from './pull-events.ts'

/** Verifies the SHA-256 signature of the raw body. GitHub's older SHA-1 signature is not accepted. */
export const verifyGithubSignature: Proof = (app, { raw, headers, address }: Evidence) => {
  const { github } = app.config
  if (!github) throw new ApiError('not_configured')
  const signature = headers['x-hub-signature-256']
  const expected = `sha256=${createHmac('sha256', github.webhookSecret).update(raw).digest('hex')}`
  if (typeof signature === 'string' && secretsEqual(signature, expected)) return
  app.log.warn({ address }, 'review.webhook.signature_rejected')
  throw new ApiError('invalid_signature')
}

export async function receiveWebhook(app: App, { raw, headers }: RequestInfo) {
  const event = headers['x-github-event']
  const delivery = headers['x-github-delivery']
  if (typeof event !== 'string' || typeof delivery !== 'string' || !/^[\w-]{1,100}$/.test(delivery))
    throw new ApiError('bad_request', {
      error: 'The headers X-GitHub-Event and X-GitHub-Delivery are missing or invalid.',
    })
  const result = await handleEvent(app, event, delivery, parseBody(raw))
  return answer(result === 'queued' ? 202 : 200, { ok: true, result })
}

/** Ignores unknown kinds of events, and payloads without the required fields. */
async function handleEvent(app: App, event: string, delivery: string, body: unknown): Promise<WebhookResult> {
  if (event === 'pull_request') {
    const payload = PullRequestPayload.safeParse(body)
    return payload.success ? handlePullEvent(app, delivery, payload.data) : 'ignored'
  }
  if (event === 'issue_comment' || event === 'pull_request_review_comment')
    return handleCommentEvent(app, delivery, event, body)
  if (event === 'installation' || event === 'installation_repositories') {
    const payload = InstallationPayload.safeParse(body)
    return payload.success ? handleInstallationEvent(app, delivery, event, payload.data) : 'ignored'
  }
  return 'ignored'
}

function parseBody(raw: Buffer | undefined): unknown {
  try {
    return JSON.parse(raw?.toString('utf8') ?? '') as unknown
  } catch (error) {
    throw Object.assign(new ApiError('malformed_json'), { cause: error })
  }
}
