// Authenticates and stores provider webhooks. Authentication comes before any other processing.
import { ApiError } from '../../../kernel/errors.ts'
import type { App } from '../../../platform/app.ts'
import { inRanges, type Ranges } from '../../../platform/http/access/client-address.ts'
import { answer } from '../../../platform/http/answer.ts'
import type { Evidence, Proof, RequestInfo } from '../../../platform/http/route.ts'
import { secretsEqual } from '../../../platform/secrets.ts'
import type { RailName } from '../../channels.ts'
import { type Account, accountsOf, providers } from '../../rails/accounts.ts'
import type { WebhookEvent, WebhookRequest } from '../../rails/rail.ts'
import { storeEvent } from './events.ts'
import { paymentOfToken, railOfToken } from './webhook-url.ts'

/** The card provider signs its webhooks: requires a configured key, an allowed address and a valid signature. */
export const authenticateCard: Proof = (app, evidence) => {
  if (accountsOf(app, 'paystack').length === 0) throw new ApiError('not_configured')
  requireAllowedAddress(app, 'paystack', evidence.address)
  requireValidSignature(app, 'paystack', evidence)
}

/** Providers without signatures: requires an allowed address and the secret in the query. */
export const authenticateToken =
  (rail: 'daraja' | 'momo'): Proof =>
  (app, evidence) => {
    const { mpesa, momo } = app.config.webhookTokens
    const token = rail === 'daraja' ? mpesa : momo
    if (token === null) throw new ApiError('not_configured')
    requireAllowedAddress(app, rail, evidence.address)
    const given = evidence.query.token
    if (typeof given !== 'string' || !secretsEqual(given, token)) {
      app.metrics.payment(rail, 'wrong_token')
      throw new ApiError('wrong_secret')
    }
    requireValidSignature(app, rail, evidence)
  }

/** Any provider at its secret URL. An unknown URL is `not_found`. */
export const authenticateUrl: Proof = (app, evidence) => {
  const { mpesa, momo } = app.config.webhookTokens
  const isConfigured =
    mpesa !== null || momo !== null || providers.some(({ name }) => accountsOf(app, name).length > 0)
  if (!isConfigured) throw new ApiError('not_configured')
  const name = railOfToken(app, evidence.params.token ?? '')
  if (!name) throw new ApiError('not_found')
  requireAllowedAddress(app, name, evidence.address)
  requireValidSignature(app, name, evidence)
}

/** Stores the event and acknowledges it as the provider requires. A job processes it later. */
export async function receiveWebhook(
  app: App,
  name: RailName,
  { raw, headers, address }: RequestInfo,
  payment: string | null = null,
) {
  const accounts = accountsOf(app, name)
  const webhook = { raw: raw ?? Buffer.alloc(0), headers, receivedAt: app.clock.now() }
  const event = parseWith(accounts, webhook)
  if (event === 'forged') throw new ApiError('invalid_signature')
  if (name !== 'ozow' && !isJson(webhook.raw)) throw new ApiError('malformed_json')
  await storeEvent(app, name, event, { raw: webhook.raw, address, payment })
  return acknowledge(accounts)
}

export function receiveAtUrl(app: App, token: string, request: RequestInfo) {
  const name = railOfToken(app, token)
  if (!name) throw new ApiError('not_found')
  return receiveWebhook(app, name, request, paymentOfToken(app, token))
}

/** Ozow posts forms. Invalid JSON from another provider is a transmission error, so the provider must retry. */
function isJson(raw: Buffer): boolean {
  try {
    JSON.parse(raw.toString('utf8'))
    return true
  } catch {
    return false
  }
}

/** A webhook does not name its account, so each account's key is tried. Null without accounts. */
function parseWith(accounts: readonly Account[], webhook: WebhookRequest): WebhookEvent | null {
  const events = accounts.map((account) => account.parseWebhook(webhook))
  return (
    events.find((each) => each !== 'forged' && each !== 'nothing') ??
    events.find((each) => each !== 'forged') ??
    events[0] ??
    null
  )
}

function acknowledge([rail]: readonly Account[]) {
  const reply = rail?.acknowledgement
  if (!reply) return { ok: true as const }
  if (reply.contentType === 'application/json') return JSON.parse(reply.text) as Record<string, unknown>
  return answer(200, reply.text, { 'content-type': reply.contentType })
}

// The providers that publish the addresses of their webhooks.
export function requireAllowedAddress(
  { config: { webhookRanges }, log, metrics }: App,
  rail: RailName,
  address: string,
): void {
  const lists: Partial<Record<RailName, Ranges>> = {
    paystack: webhookRanges.card,
    daraja: webhookRanges.mpesa,
    momo: webhookRanges.momo,
  }
  const ranges = lists[rail]
  if (!ranges || inRanges(address, ranges)) return
  metrics.payment(rail, 'unlisted_address')
  log.warn({ rail, address }, 'payments.webhook.address_not_allowed')
  throw new ApiError('unlisted_address')
}

function requireValidSignature(app: App, rail: RailName, { raw, headers, address }: Evidence): void {
  const webhook = { raw, headers, receivedAt: app.clock.now() }
  if (parseWith(accountsOf(app, rail), webhook) !== 'forged') return
  app.metrics.payment(rail, 'forged')
  app.log.warn({ rail, address }, 'payments.webhook.invalid_signature')
  throw new ApiError('invalid_signature')
}
