// The models of the OpenAI-compatible API: the lanes that this organisation can use now.
import { ApiError } from '../kernel/errors.ts'
import { costOf, type Lane, lanesFor, priceOf } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'

/** The creation time that clients expect, in seconds. */
const SINCE = Date.UTC(2026, 10, 1) / 1000
const PER_TOKENS = 1_000_000

export function listModels(app: App, actor: Actor) {
  return {
    object: 'list' as const,
    data: lanesFor(app, actor.org).map(({ lane }) => modelOf(app, actor, lane)),
  }
}

export function oneModel(app: App, actor: Actor, id: string) {
  const found = listModels(app, actor).data.find((model) => id === model.id || id === `cowrie/${model.id}`)
  if (!found) throw new ApiError('model_not_found', { param: 'model' })
  return { ...found, id }
}

function modelOf(app: App, { org: { currency } }: Actor, lane: Lane) {
  return {
    id: lane as string,
    object: 'model' as const,
    created: SINCE,
    owned_by: 'cowrie',
    context_window: app.config.upstreamContextTokens,
    currency,
    price_per_1m_minor: costOf(priceOf(app, lane, currency), PER_TOKENS),
  }
}
