// The doors that providers knock at. Each shows where it comes from before anything is read or stored.
import { ApiError } from '../../../kernel/errors.ts'
import type { App } from '../../../platform/app.ts'
import { answer } from '../../../platform/http/answer.ts'
import { inRanges, type Ranges } from '../../../platform/http/client-address.ts'
import type { Evidence, Proof, RequestInfo } from '../../../platform/http/route.ts'
import { sameSecret } from '../../../platform/secrets.ts'
import { type Account, accountsOf, providers } from '../../rails/accounts.ts'
import type { RailName, WebhookEvent, WebhookRequest } from '../../rails/rail.ts'
import { storeEvent } from './events.ts'
import { paymentOfToken, railOfToken } from './webhook-url.ts'

/** A provider that signs, at its own address: the key must be set, the address listed, the signature right. */
export const authenticateCard: Proof = (app, evidence) => {
  if (accountsOf(app, 'paystack').length === 0) throw new ApiError('not_configured')
  requireAllowedAddress(app, 'paystack', evidence.address)
  requireValidSignature(app, 'paystack', evidence)
}

/** A provider that signs nothing: the address must be listed, and the secret be in the query. */
export const authenticateToken =
  (rail: 'daraja' | 'momo'): Proof =>
  (app, evidence) => {
    const { mpesa, momo } = app.config.webhookTokens
    const token = rail === 'daraja' ? mpesa : momo
    if (token === null) throw new ApiError('not_configured')
    requireAllowedAddress(app, rail, evidence.address)
    const given = evidence.query.token
    if (typeof given !== 'string' || !sameSecret(given, token)) {
      app.metrics.payment(rail, 'wrong_token')
      throw new ApiError('wrong_secret')
    }
    requireValidSignature(app, rail, evidence)
  }

/** Any provider at the address that only it was told. What is no such address does not exist. */
export const authenticateUrl: Proof = (app, evidence) => {
  const { mpesa, momo } = app.config.webhookTokens
  const isAwaited =
    mpesa !== null || momo !== null || providers.some(({ name }) => accountsOf(app, name).length > 0)
  if (!isAwaited) throw new ApiError('not_configured')
  const name = railOfToken(app, evidence.params.token ?? '')
  if (!name) throw new ApiError('not_found')
  requireAllowedAddress(app, name, evidence.address)
  requireValidSignature(app, name, evidence)
}

/** Keeps what came and says what the provider wants to hear. Nothing is looked up before the answer. */
export async function receiveWebhook(
  app: App,
  name: RailName,
  { raw, headers, address }: RequestInfo,
  payment: string | null = null,
) {
  const accounts = accountsOf(app, name)
  const message = { raw: raw ?? Buffer.alloc(0), headers }
  const heard = parseWith(accounts, message)
  if (heard === 'forged') throw new ApiError('invalid_signature')
  if (name !== 'ozow' && !isJson(message.raw)) throw new ApiError('malformed_json')
  await storeEvent(app, name, heard, { raw: message.raw, address, payment })
  return acknowledge(accounts)
}

export function receiveAtUrl(app: App, token: string, request: RequestInfo) {
  const name = railOfToken(app, token)
  if (!name) throw new ApiError('not_found')
  return receiveWebhook(app, name, request, paymentOfToken(app, token))
}

/** Ozow posts forms. What another sends and nobody can read is a fault on the way, and worth its sending again. */
function isJson(raw: Buffer): boolean {
  try {
    JSON.parse(raw.toString('utf8'))
    return true
  } catch {
    return false
  }
}

/** Each account has a key of its own, and a message does not say which of them it is for. Null without accounts. */
function parseWith(accounts: readonly Account[], message: WebhookRequest): WebhookEvent | null {
  const heard = accounts.map((account) => account.parseWebhook(message))
  return (
    heard.find((each) => each !== 'forged' && each !== 'nothing') ??
    heard.find((each) => each !== 'forged') ??
    heard[0] ??
    null
  )
}

function acknowledge([rail]: readonly Account[]) {
  const words = rail?.acknowledgement
  if (!words) return { ok: true as const }
  if (words.contentType === 'application/json') return JSON.parse(words.text) as Record<string, unknown>
  return answer(200, words.text, { 'content-type': words.contentType })
}

// Those who sign nothing are known by where they come from, as far as that is published.
function requireAllowedAddress(
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
  log.warn({ rail, address }, 'a notification came from an address that is not listed')
  throw new ApiError('unlisted_address')
}

function requireValidSignature(app: App, rail: RailName, { raw, headers, address }: Evidence): void {
  if (parseWith(accountsOf(app, rail), { raw, headers }) !== 'forged') return
  app.metrics.payment(rail, 'forged')
  app.log.warn({ rail, address }, 'a notification with a wrong signature was refused')
  throw new ApiError('invalid_signature')
}
