// Which model serves a request. The whole decision is here: what was asked, what policy and residency allow, what there is.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Target } from '../platform/inference/inference.ts'
import type { Lane } from './price.ts'
import { inferenceSettings } from './settings.ts'
import { frontierThreshold } from './share.ts'

/** Where a request goes, decided once before anything is reserved. */
export type ModelRoute = {
  readonly lane: Lane
  readonly model: string
  readonly target: Target
  /** Only this model may answer: anything else is withheld. */
  readonly isBound: boolean
}

export type LanePreference = {
  /** True: the frontier lane, please. False: never. Absent: as the platform sees fit. */
  readonly frontier?: boolean | undefined
  /** How difficult the task looks, 0 to 100; only asked where the choice is ours. */
  readonly difficulty?: number
}

const {
  upstream_base_url,
  upstream_api_key,
  upstream_open_model,
  upstream_frontier_model,
  upstream_open_noprc_model,
  direct_lane_mode,
} = inferenceSettings.settings
const DEVELOPMENT_MODEL = 'mock-open'

/**
 * The frontier lane when it is wished, policy allows it and there is a model for it; otherwise the open one, which is
 * always there: nobody pays the dearer price without having asked for it. An organisation that is bound to a region is served by the one model that is cleared for it, or not at all.
 */
export function routeFor(app: App, org: Actor['org'], wish: LanePreference): ModelRoute {
  const target = targetOf(app)
  if (org.residencyRegion !== null) {
    const model = app.settings.get(upstream_open_noprc_model)
    if (!model) throw new ApiError('residency_blocked')
    return { lane: 'open', model, target, isBound: true }
  }
  const frontier = app.settings.get(upstream_frontier_model)
  const mayFrontier = frontier !== '' && org.allowedLanes.includes('frontier')
  if (mayFrontier && wantsFrontier(app, wish))
    return { lane: 'frontier', model: frontier, target, isBound: false }
  const model = app.settings.get(upstream_open_model) || (hasUpstream(app) ? '' : DEVELOPMENT_MODEL)
  if (!model) throw new ApiError('inference_not_configured')
  return { lane: 'open', model, target, isBound: false }
}

/** The lanes an organisation could use right now, for those who ask before they choose. */
export function lanesFor(app: App, org: Actor['org']): ModelRoute[] {
  const open = tryRoute(app, org, { frontier: false })
  const frontier = tryRoute(app, org, { frontier: true })
  return [open, frontier?.lane === open?.lane ? undefined : frontier].filter((each) => each !== undefined)
}

/** Whether a model service is set up. Without one the development model answers outside production. */
export const hasUpstream = (app: App): boolean => app.settings.get(upstream_base_url) !== ''

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

/** The model service that is set up; null when there is none. */
export function upstreamTarget(app: App): Target | null {
  const baseUrl = app.settings.get(upstream_base_url).replace(/\/+$/, '')
  return baseUrl === '' ? null : { baseUrl, apiKey: app.settings.get(upstream_api_key) }
}

function targetOf(app: App): Target {
  // In production there is no development model: a customer never pays for its answers.
  const target = upstreamTarget(app) ?? app.developmentModel
  if (!target) throw new ApiError('inference_not_configured')
  return target
}
