// Which turns of a run go to the frontier lane. What that lane is, and whether there is one, is metering's to say.
import { type ModelRoute, routeFor } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { researchSettings } from './settings.ts'
import type { LaneMode } from './terms.ts'

export type Purpose = 'plan' | 'extract' | 'gap' | 'report' | 'repair'

const WRITING: readonly Purpose[] = ['report', 'repair']

export const wishFor = (laneMode: LaneMode, purpose: Purpose): { frontier: boolean } => ({
  frontier: laneMode === 'frontier' || (laneMode === 'synthesis-frontier' && WRITING.includes(purpose)),
})

/** Where a turn goes right now. Refuses as metering does. */
export const routeOf = (app: App, org: Actor['org'], laneMode: LaneMode, purpose: Purpose): ModelRoute =>
  routeFor(app, org, wishFor(laneMode, purpose))

/** What runs that start now go by. */
export const laneModeNow = (app: App): LaneMode =>
  app.settings.get(researchSettings.settings.research_lane_mode)
