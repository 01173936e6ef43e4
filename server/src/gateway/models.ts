// The models that a caller can use now: the lanes, and those of the catalogue that its policy and its key allow.
import {
  catalogueFor,
  costOf,
  type Lane,
  lanesFor,
  modelNames,
  modelNotFound,
  priceOf,
} from '../metering/metering.ts'
import { type CatalogueModel, findModel } from '../models/models.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { ClassPrices } from '../wallet/wallet.ts'
import { OUTPUT_MAX } from './gateway.ts'

/** The creation time that clients expect, in seconds. */
export const SINCE = Date.UTC(2026, 10, 1) / 1000
const PER_TOKENS = 1_000_000
const TITLES = { open: 'Open lane', frontier: 'Frontier lane' }

export type AvailableModel = Pick<
  CatalogueModel,
  'id' | 'title' | 'lane' | 'contextTokens' | 'outputTokens'
> & {
  /** Null for a lane, whose model the operator may change. */
  readonly capabilities: CatalogueModel['capabilities'] | null
  /** Null for a lane, which has one price. */
  readonly price: ClassPrices | null
}

export function availableModels(app: App, actor: Actor): AvailableModel[] {
  const names = new Set(modelNames(app, actor))
  const lanes = lanesFor(app, actor.org).map(({ lane }) => laneModel(app, lane))
  return [...lanes.filter(({ id }) => names.has(id)), ...catalogueFor(app, actor)]
}

const laneModel = (app: App, lane: Lane): AvailableModel => ({
  id: lane,
  title: TITLES[lane],
  lane,
  contextTokens: app.config.upstreamContextTokens,
  outputTokens: OUTPUT_MAX,
  capabilities: null,
  price: null,
})

/** The model by its id or an alias. Throws an error that names the available ids. */
export function findAvailable(app: App, actor: Actor, name: string): AvailableModel {
  const models = availableModels(app, actor)
  const found =
    models.find(({ id }) => name === id || name === `cowrie/${id}`) ??
    models.find(({ id }) => id === findModel(app, name)?.id)
  if (!found) throw modelNotFound(app, actor)
  return found
}

export function listModels(app: App, actor: Actor) {
  return {
    object: 'list' as const,
    data: availableModels(app, actor).map((model) => modelOf(app, actor, model)),
  }
}

export const oneModel = (app: App, actor: Actor, name: string) => ({
  ...modelOf(app, actor, findAvailable(app, actor, name)),
  id: name,
})

function modelOf(app: App, { org: { currency } }: Actor, model: AvailableModel) {
  const { id, title, lane, contextTokens, outputTokens, capabilities, price } = model
  const minor = (kobo: bigint | undefined): bigint => {
    const each =
      kobo === undefined ? null : { input: kobo, output: kobo, cachedInput: kobo, cacheWrite: kobo }
    return costOf(priceOf(app, lane, currency, each), PER_TOKENS)
  }
  const prices = {
    input: minor(price?.input),
    output: minor(price?.output),
    cached_input: minor(price?.cachedInput),
    cache_write: minor(price?.cacheWrite),
  }
  return {
    id,
    object: 'model' as const,
    created: SINCE,
    owned_by: 'cowrie',
    context_window: contextTokens,
    currency,
    price_per_1m_minor: Object.values(prices).reduce((most, each) => (each > most ? each : most)),
    title,
    lane,
    max_output_tokens: outputTokens,
    capabilities: capabilities && [...capabilities],
    price: prices,
  }
}
