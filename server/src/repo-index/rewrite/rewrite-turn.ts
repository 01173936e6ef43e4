// The paid turn of a model that rewrites a query. A turn without a usable answer costs nothing.
import { ApiError, type ErrorCode } from '../../kernel/errors.ts'
import {
  costOf,
  type FinishedTurn,
  type ModelRoute,
  priceOf,
  releaseTurn,
  routeToModel,
  runModelTurn,
} from '../../metering/metering.ts'
import { chargeabilityNow } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { estimateMaxPromptTokens, type Message } from '../../platform/inference/inference.ts'
import { releaseByPrefix } from '../../wallet/wallet.ts'
import { parseWords } from './rewrite-prompt.ts'

const OUTPUT_TOKENS = 400
const OUTPUT_TOKENS_MIN = 100
const TIMEOUT_MS = 15_000

export type RewriteTurn = {
  readonly actor: Actor
  readonly once: Once
  readonly requestId: string
  readonly messages: readonly Message[]
  readonly maxMinor: bigint | undefined
  readonly signal: AbortSignal
}

export type Rewritten = { readonly finished: FinishedTurn; readonly words: readonly string[] }
export type RewriteFailure = 'no_model' | 'model_failed' | 'unusable_answer'

/** The checks of a paid route. */
export async function requirePayer(app: App, { org, keyId, keyLimits }: Actor): Promise<void> {
  const charge = chargeabilityNow(app, org)
  if (!charge.chargeable) throw new ApiError(charge.refusal)
  if (keyId !== null && keyLimits && keyLimits.rates.length > 0)
    await app.keyRates.requireTokens(keyId, keyLimits.rates)
}

/** Undefined when no model may read the query. */
export function rewriteRoute(app: App, actor: Actor): ModelRoute | undefined {
  try {
    return routeToModel(app, actor, 'open')
  } catch (error) {
    if (isApiError(error, ROUTE_ERRORS)) return undefined
    throw error
  }
}

export const rewriteMaxCost = (
  app: App,
  { org }: Actor,
  route: ModelRoute,
  messages: readonly Message[],
): bigint =>
  costOf(
    priceOf(app, route.lane, org.currency, route.classPrices),
    estimateMaxPromptTokens(messages),
    OUTPUT_TOKENS,
  )

/** The hold is open when this returns words, and released otherwise. Throws when the caller cannot pay. */
export async function askForWords(
  app: App,
  route: ModelRoute,
  { actor, once, requestId, messages, maxMinor, signal }: RewriteTurn,
): Promise<Rewritten | RewriteFailure> {
  const { orgId, userId, keyId, org } = actor
  try {
    const finished = await runModelTurn(app, {
      ...{ orgId, userId, keyId, currency: org.currency, ref: holdRef(once), source: 'index' },
      ...{ requestId, route, messages, maxMinor, spentMicroKobo: 0n },
      outputCeiling: OUTPUT_TOKENS,
      leastOutput: OUTPUT_TOKENS_MIN,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const words = finished.answer.finish === 'stopped' ? null : parseWords(finished.answer.text)
    if (words) return { finished, words }
    await releaseRewrite(app, finished)
    return finished.answer.finish === 'stopped' ? 'model_failed' : 'unusable_answer'
  } catch (error) {
    if (!isApiError(error, MODEL_ERRORS) && !isTimeout(error)) throw error
    return 'model_failed'
  }
}

/** A hold that cannot be released now expires at its deadline. */
export async function releaseRewrite(app: App, { turn }: FinishedTurn): Promise<void> {
  await releaseTurn(app, turn).catch((error) =>
    app.log.warn({ err: error, holdId: turn.hold.holdId }, 'repo_index.hold.release_failed'),
  )
}

/** Releases the holds that crashed processes left for earlier attempts under the same key. */
export async function releaseEarlierRewrites(app: App, { orgId }: Actor, once: Once): Promise<void> {
  if (once.attempt === 1) return
  await app.db.tx(orgId, (tx) => releaseByPrefix(app, tx, { orgId, prefix: holdPrefix(once) }))
}

const holdPrefix = ({ id }: Once): string => `ixq_${id.slice('idem_'.length)}.`
const holdRef = (once: Once): string => `${holdPrefix(once)}${once.attempt}`

const ROUTE_ERRORS: readonly ErrorCode[] = [
  'inference_not_configured',
  'residency_blocked',
  'model_not_found',
  'model_not_allowed',
]

const MODEL_ERRORS: readonly ErrorCode[] = ['upstream_failed', 'upstream_unavailable', 'upstream_refused']

const isApiError = (error: unknown, codes: readonly ErrorCode[]): boolean =>
  error instanceof ApiError && codes.includes(error.code)

const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError')
