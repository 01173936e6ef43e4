// Chooses the model of a request by preference, policy, residency and configuration.
import { ApiError } from '../kernel/errors.ts'
import { hasUpstream, inferenceSettings, upstreamTarget } from '../models/models.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Target } from '../platform/inference/inference.ts'
import type { Lane } from './price.ts'
import { frontierThreshold } from './share.ts'

/** The chosen model, decided once before the hold. */
export type ModelRoute = {
  readonly lane: Lane
  readonly model: string
  readonly target: Target
  /** Only this model may answer. Answers of other models are withheld. */
  readonly isModelPinned: boolean
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

/**
 * The frontier lane when it is preferred, allowed by policy and configured; otherwise the open lane, so that the higher price
 * is never charged unasked. An organisation with a residency region gets the one model that is cleared for it, or an error.
 */
export function routeFor(app: App, org: Actor['org'], wish: LanePreference): ModelRoute {
  const target = targetOf(app)
  if (org.residencyRegion !== null) {
    const model = app.settings.get(upstream_open_noprc_model)
    if (!model) throw new ApiError('residency_blocked')
    return { lane: 'open', model, target, isModelPinned: true }
  }
  const frontier = app.settings.get(upstream_frontier_model)
  const mayFrontier = frontier !== '' && org.allowedLanes.includes('frontier')
  if (mayFrontier && wantsFrontier(app, wish))
    return { lane: 'frontier', model: frontier, target, isModelPinned: false }
  const model = app.settings.get(upstream_open_model) || (hasUpstream(app) ? '' : DEVELOPMENT_MODEL)
  if (!model) throw new ApiError('inference_not_configured')
  return { lane: 'open', model, target, isModelPinned: false }
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
