// Chooses the model of a request by preference, policy, residency and configuration.
import { ApiError } from '../kernel/errors.ts'
import { isModelAllowed } from '../kernel/model-patterns.ts'
import {
  type CatalogueModel,
  type CatalogueRoute,
  DEFAULT_PROVIDER_ID,
  findModel,
  hasUpstream,
  inferenceSettings,
  laneRoutes,
  listCatalogue,
  orderRoutes,
  routeKeyOf,
  upstreamTarget,
} from '../models/models.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Target } from '../platform/inference/inference.ts'
import type { ClassPrices } from '../wallet/wallet.ts'
import type { Lane } from './price.ts'
import { frontierThreshold } from './share.ts'

/** The chosen model, decided once before the hold. */
export type ModelRoute = {
  readonly lane: Lane
  /** The name that customers use: a lane, or an id of the catalogue. */
  readonly modelId: string
  /** The name at the provider. */
  readonly model: string
  readonly target: Target
  readonly provider: string
  /** Identifies the route for its circuit breaker. */
  readonly key: string
  /** Only this model may answer. Answers of other models are withheld. */
  readonly isModelPinned: boolean
  /** Prices by token class; null for the single price of the lane. */
  readonly classPrices: ClassPrices | null
  readonly contextTokens: number
  /** The longest answer of the model; null where it is not known. */
  readonly outputTokens: number | null
  /** Further routes, in the order in which they are tried. */
  readonly alternatives: readonly CatalogueRoute[]
}

export type LanePreference = {
  /** True: the frontier lane. False: the open lane. Absent: the platform decides. */
  readonly frontier?: boolean | undefined
  /** The estimated difficulty of the task, 0 to 100. Used only where the platform decides. */
  readonly difficulty?: number
}

const { upstream_open_model, upstream_frontier_model, upstream_open_noprc_model, direct_lane_mode } =
  inferenceSettings.settings
const DEVELOPMENT_MODEL = 'mock-open'
const DEFAULT_PROVIDER = 'default'
/** The most routes that one call tries after the first. */
const ALTERNATIVES_MAX = 3
const NAMES_MAX = 20
const NO_KEY = (): string => ''
const LANE_NAMES = new Map<string, Lane>([
  ['open', 'open'],
  ['cowrie/open', 'open'],
  ['frontier', 'frontier'],
  ['cowrie/frontier', 'frontier'],
])

/**
 * The frontier lane when it is preferred, allowed by policy and configured; otherwise the open lane, so that the higher price
 * is never charged unasked. An organisation with a residency region gets the one model that is cleared for it, or an error.
 */
export function routeFor(
  app: App,
  org: Actor['org'],
  wish: LanePreference,
  stickyKey: () => string = NO_KEY,
): ModelRoute {
  const target = targetOf(app)
  if (org.residencyRegion !== null) {
    const model = app.settings.get(upstream_open_noprc_model)
    if (!model) throw new ApiError('residency_blocked')
    requireLane(org, 'open')
    return { ...laneRoute(app, 'open', model, target), isModelPinned: true }
  }
  const frontier = app.settings.get(upstream_frontier_model)
  const mayFrontier =
    frontier !== '' && org.allowedLanes.includes('frontier') && isModelAllowed(org.allowedModels, 'frontier')
  if (mayFrontier && wantsFrontier(app, wish))
    return withLaneRoutes(app, laneRoute(app, 'frontier', frontier, target), stickyKey)
  const model = app.settings.get(upstream_open_model) || (hasUpstream(app) ? '' : DEVELOPMENT_MODEL)
  if (!model) throw new ApiError('inference_not_configured')
  requireLane(org, 'open')
  return withLaneRoutes(app, laneRoute(app, 'open', model, target), stickyKey)
}

/**
 * The route of a named model: a lane, or a model of the catalogue. Calls with the same sticky key take the same route while
 * it works, so that the provider's prompt cache is used.
 */
export function routeToModel(
  app: App,
  actor: RoutedActor,
  name: string,
  stickyKey: () => string = NO_KEY,
): ModelRoute {
  const lane = LANE_NAMES.get(name)
  if (lane) {
    const route = routeFor(app, actor.org, { frontier: lane === 'frontier' }, stickyKey)
    requireAllowed(actor, route.lane)
    return route
  }
  const model = findModel(app, name)
  if (!model) throw modelNotFound(app, actor)
  requireAllowed(actor, model.id)
  if (!actor.org.allowedLanes.includes(model.lane)) throw modelNotAllowed(model.id)
  const { residencyRegion } = actor.org
  const routes = model.routes.filter(({ region }) => residencyRegion === null || region === residencyRegion)
  const [first, ...alternatives] = orderRoutes(app, routes, routes.length > 1 ? stickyKey() : '')
  if (!first && residencyRegion !== null) throw new ApiError('residency_blocked')
  if (!first)
    throw new ApiError('inference_not_configured', {
      error: `No provider of the model ${model.id} is enabled. Use another model or ask the operator.`,
    })
  return {
    ...fieldsOf(first),
    lane: model.lane,
    modelId: model.id,
    isModelPinned: false,
    classPrices: model.price,
    contextTokens: model.contextTokens,
    outputTokens: model.outputTokens,
    alternatives: alternatives.slice(0, ALTERNATIVES_MAX),
  }
}

/** The part of a caller that decides about models. */
type RoutedActor = Pick<Actor, 'org' | 'keyLimits'>

/** The names of the models that a caller may use now. */
export function modelNames(app: App, actor: RoutedActor): string[] {
  const lanes = lanesFor(app, actor.org).map(({ lane }) => lane)
  return [...lanes.filter((lane) => isAllowed(actor, lane)), ...catalogueFor(app, actor).map(({ id }) => id)]
}

/** The models of the catalogue that a caller may use now. */
export const catalogueFor = (app: App, actor: RoutedActor): CatalogueModel[] =>
  listCatalogue(app).filter(
    ({ id, lane, routes }) =>
      isAllowed(actor, id) &&
      actor.org.allowedLanes.includes(lane) &&
      routes.some(({ region }) => actor.org.residencyRegion === null || region === actor.org.residencyRegion),
  )

/** The route after this one failed; null when none is left. */
export function nextRoute(route: ModelRoute): ModelRoute | null {
  const [next, ...alternatives] = route.alternatives
  return next ? { ...route, ...fieldsOf(next), alternatives } : null
}

/** The model in usage and explanations: an id of the catalogue, or the model that serves a lane. */
export const usageName = ({ classPrices, modelId, model }: ModelRoute): string =>
  classPrices ? modelId : model

/** A route with alternatives is not retried: the next one is tried at once. */
export const retriesOf = ({ alternatives }: ModelRoute): number | undefined =>
  alternatives.length > 0 ? 0 : undefined

const fieldsOf = ({ key, provider, model, target }: CatalogueRoute) => ({ key, provider, model, target })

const isAllowed = ({ org, keyLimits }: RoutedActor, id: string): boolean =>
  isModelAllowed(org.allowedModels, id) && isModelAllowed(keyLimits?.models ?? null, id)

function requireLane({ allowedModels }: Actor['org'], lane: Lane): void {
  if (!isModelAllowed(allowedModels, lane)) throw modelNotAllowed(lane)
}

function requireAllowed(actor: RoutedActor, id: string): void {
  if (!isAllowed(actor, id)) throw modelNotAllowed(id)
}

const modelNotAllowed = (id: string): ApiError =>
  new ApiError('model_not_allowed', {
    error: `The policy of your organisation or of this key does not allow the model ${id}.`,
    param: 'model',
  })

/** Names the models that the caller may use. */
export function modelNotFound(app: App, actor: RoutedActor): ApiError {
  const names = modelNames(app, actor)
  const shown = names.slice(0, NAMES_MAX).join(', ')
  const rest = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : ''
  const error = `There is no such model here. Available: ${shown || 'none'}${rest}.`
  return new ApiError('model_not_found', { error, param: 'model' })
}

/** The route that the settings name: the built-in provider. */
function laneRoute(app: App, lane: Lane, model: string, target: Target): ModelRoute {
  return {
    lane,
    modelId: lane,
    model,
    target,
    provider: DEFAULT_PROVIDER,
    key: routeKeyOf(DEFAULT_PROVIDER_ID, model),
    isModelPinned: false,
    classPrices: null,
    contextTokens: app.config.upstreamContextTokens,
    outputTokens: null,
    alternatives: [],
  }
}

/** Adds the further routes of a lane. The route of the settings comes first while it works. */
function withLaneRoutes(app: App, route: ModelRoute, stickyKey: () => string): ModelRoute {
  const others = laneRoutes(app, route.lane)
  if (others.length === 0) return route
  const { key, provider, target, model } = route
  const first = {
    key,
    provider,
    target,
    model,
    providerId: DEFAULT_PROVIDER_ID,
    region: null,
    priority: -1,
    weight: 1,
  }
  const [best, ...alternatives] = orderRoutes(app, [first, ...others], stickyKey())
  return best ? { ...route, ...fieldsOf(best), alternatives: alternatives.slice(0, ALTERNATIVES_MAX) } : route
}

/** The lanes that an organisation can use now. */
export function lanesFor(app: App, org: Actor['org']): ModelRoute[] {
  const open = tryRoute(app, org, { frontier: false })
  const frontier = tryRoute(app, org, { frontier: true })
  return [open, frontier?.lane === open?.lane ? undefined : frontier].filter((each) => each !== undefined)
}

function tryRoute(app: App, org: Actor['org'], wish: LanePreference): ModelRoute | undefined {
  try {
    return routeFor(app, org, wish)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function wantsFrontier(app: App, { frontier, difficulty = 0 }: LanePreference): boolean {
  if (frontier !== undefined) return frontier
  return app.settings.get(direct_lane_mode) === 'frontier' && difficulty >= frontierThreshold(app)
}

function targetOf(app: App): Target {
  // In production there is no development model: a customer never pays for its answers.
  const target = upstreamTarget(app) ?? app.developmentModel
  if (!target) throw new ApiError('inference_not_configured')
  return target
}
