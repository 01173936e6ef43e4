// A call of the OpenAI-compatible API: the model that serves it, and its limits. Metering holds and settles the money.
import { ApiError } from '../kernel/errors.ts'
import { type MeteredCall, type ModelRoute, routeFor } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { UpstreamFailed } from '../platform/inference/inference.ts'
import type { Media } from './upstream/media.ts'

export type Call = MeteredCall & { readonly media: Media }

/** The output ceiling of a request that sets none. */
export const DEFAULT_OUTPUT = 8_192
export const OUTPUT_MIN = 16
/** The highest ceiling of one call: all of it is held, and the wallet pays for other calls too. */
export const OUTPUT_MAX = 32_768

const FRONTIER = new Set(['frontier', 'cowrie/frontier'])
const OPEN = new Set(['open', 'cowrie/open'])

/** The lane of a model name. Without a frontier model the open lane serves the call, and the reply names that model. */
export function routeTo(app: App, actor: Actor, model: string): ModelRoute {
  if (!FRONTIER.has(model) && !OPEN.has(model)) throw new ApiError('model_not_found', { param: 'model' })
  return routeFor(app, actor.org, { frontier: FRONTIER.has(model) })
}

/**
 * The output ceiling: at most the requested one, the maximum, and the rest of the context window. The prompt estimate is an
 * upper bound, so it never lowers the ceiling below the default.
 */
export function ceilingFor(app: App, asked: number | null | undefined, promptTokens: number): number {
  const window = app.config.upstreamContextTokens
  return Math.min(
    asked ?? DEFAULT_OUTPUT,
    OUTPUT_MAX,
    window,
    Math.max(window - promptTokens, DEFAULT_OUTPUT),
  )
}

/** Where the residency policy allows one model only, an answer of any other model is withheld. */
export function requirePinnedModel(
  app: App,
  { route: { isModelPinned, model } }: Call,
  answered: unknown,
): void {
  if (!isModelPinned || typeof answered !== 'string') return
  if (answered === model || answered.startsWith(`${model}-`)) return
  app.log.error({ asked: model, answered }, 'gateway.residency.wrong_model')
  throw new UpstreamFailed('failed', `model ${answered} answered instead of ${model}`)
}
