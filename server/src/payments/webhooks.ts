// The doors that providers knock at. Each shows where it comes from before anything is read or stored.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import { answer } from '../platform/http/answer.ts'
import { inRanges, type Ranges } from '../platform/http/client-address.ts'
import type { Evidence, Proof, RequestInfo } from '../platform/http/route.ts'
import { sameSecret } from '../platform/secrets.ts'
import { keepMessage } from './events.ts'
import { paymentOfToken, railOfToken } from './rail-token.ts'
import type { OpenRail, RailName } from './rails/rail.ts'
import { openRail, providers } from './rails.ts'

/** A provider that signs, at its own address: the key must be set, the address listed, the signature right. */
export const proveCard: Proof = (app, evidence) => {
  const rail = openRail(app, 'paystack')
  if (!rail) throw new ApiError('not_configured')
  requireListed(app, 'paystack', evidence.address)
  requireGenuine(app, rail, evidence)
}

/** A provider that signs nothing: the address must be listed, and the secret be in the query. */
export const proveToken =
  (rail: 'daraja' | 'momo'): Proof =>
  (app, evidence) => {
    const { mpesa, momo } = app.config.webhookTokens
    const token = rail === 'daraja' ? mpesa : momo
    if (token === null) throw new ApiError('not_configured')
    requireListed(app, rail, evidence.address)
    const given = evidence.query.token
    if (typeof given !== 'string' || !sameSecret(given, token)) {
      app.metrics.payment(rail, 'wrong_token')
      throw new ApiError('wrong_secret')
    }
    const open = openRail(app, rail)
    if (open) requireGenuine(app, open, evidence)
  }

/** Any provider at the address that only it was told. What is no such address does not exist. */
export const proveAlias: Proof = (app, evidence) => {
  const { mpesa, momo } = app.config.webhookTokens
  const isAwaited = mpesa !== null || momo !== null || providers.some(({ name }) => openRail(app, name))
  if (!isAwaited) throw new ApiError('not_configured')
  const name = railOfToken(app, evidence.params.token ?? '')
  if (!name) throw new ApiError('not_found')
  requireListed(app, name, evidence.address)
  const rail = openRail(app, name)
  if (rail) requireGenuine(app, rail, evidence)
}

/** Keeps what came and says what the provider wants to hear. Nothing is looked up before the answer. */
export async function receive(
  app: App,
  name: RailName,
  { raw, headers, address }: RequestInfo,
  payment: string | null = null,
) {
  const rail = openRail(app, name)
  const message = { raw: raw ?? Buffer.alloc(0), headers }
  const heard = rail ? rail.hear(message) : null
  if (heard === 'forged') throw new ApiError('invalid_signature')
  if (name !== 'ozow' && !isJson(message.raw)) throw new ApiError('malformed_json')
  await keepMessage(app, name, heard, { raw: message.raw, address, payment })
  return acknowledge(rail)
}

export function receiveAlias(app: App, token: string, request: RequestInfo) {
  const name = railOfToken(app, token)
  if (!name) throw new ApiError('not_found')
  return receive(app, name, request, paymentOfToken(app, token))
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

function acknowledge(rail: OpenRail | null) {
  const words = rail?.acknowledgement
  if (!words) return { ok: true as const }
  if (words.contentType === 'application/json') return JSON.parse(words.text) as Record<string, unknown>
  return answer(200, words.text, { 'content-type': words.contentType })
}

// Those who sign nothing are known by where they come from, as far as that is published.
function requireListed(
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

function requireGenuine({ log, metrics }: App, rail: OpenRail, { raw, headers, address }: Evidence): void {
  if (rail.hear({ raw, headers }) !== 'forged') return
  metrics.payment(rail.name, 'forged')
  log.warn({ rail: rail.name, address }, 'a notification with a wrong signature was refused')
  throw new ApiError('invalid_signature')
}
