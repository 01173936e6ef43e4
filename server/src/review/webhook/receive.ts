// The door that GitHub knocks at: proven, noted once, and answered before any work begins.
import { createHmac } from 'node:crypto'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { answer } from '../../platform/http/answer.ts'
import type { Evidence, Proof, RequestInfo } from '../../platform/http/route.ts'
import { secretsEqual } from '../../platform/secrets.ts'
import { InstallationPayload, PullRequestPayload } from '../github/webhook-payloads.ts'
import { handleInstallationEvent } from './installation-events.ts'
import { handlePullEvent } from './pull-events.ts'

/** What became of a message. */
export type WebhookResult = 'queued' | 'noted' | 'ignored' | 'duplicate'

/** The signature over the bytes as they came. GitHub's older one, by SHA-1, proves nothing any more. */
export const verifyGithubSignature: Proof = (app, { raw, headers, address }: Evidence) => {
  const { github } = app.config
  if (!github) throw new ApiError('not_configured')
  const given = headers['x-hub-signature-256']
  const expected = `sha256=${createHmac('sha256', github.webhookSecret).update(raw).digest('hex')}`
  if (typeof given === 'string' && secretsEqual(given, expected)) return
  app.log.warn({ address }, 'review.webhook.signature_rejected')
  throw new ApiError('invalid_signature')
}

export async function receiveWebhook(app: App, { raw, headers }: RequestInfo) {
  const event = headers['x-github-event']
  const delivery = headers['x-github-delivery']
  if (typeof event !== 'string' || typeof delivery !== 'string' || !/^[\w-]{1,100}$/.test(delivery))
    throw new ApiError('bad_request', { error: 'X-GitHub-Event and X-GitHub-Delivery are missing.' })
  const result = await handleEvent(app, event, delivery, parseBody(raw))
  return answer(result === 'queued' ? 202 : 200, { ok: true, result })
}

/** A message of a kind that we do not act upon, or that has not what we need, is none of ours. */
async function handleEvent(app: App, event: string, delivery: string, body: unknown): Promise<WebhookResult> {
  if (event === 'pull_request') {
    const message = PullRequestPayload.safeParse(body)
    return message.success ? handlePullEvent(app, delivery, message.data) : 'ignored'
  }
  if (event === 'installation' || event === 'installation_repositories') {
    const message = InstallationPayload.safeParse(body)
    return message.success ? handleInstallationEvent(app, delivery, event, message.data) : 'ignored'
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
