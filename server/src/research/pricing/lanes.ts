// Which turns of a run go to the frontier lane. What that lane is, and whether there is one, is metering's to say.
import { type ModelRoute, routeFor } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { researchSettings } from '../settings.ts'
import type { ResearchLaneMode } from '../types.ts'

export type Purpose = 'plan' | 'extract' | 'gap' | 'report' | 'repair'

const WRITING_PURPOSES: readonly Purpose[] = ['report', 'repair']

export const lanePreference = (laneMode: ResearchLaneMode, purpose: Purpose): { frontier: boolean } => ({
  frontier:
    laneMode === 'frontier' || (laneMode === 'synthesis-frontier' && WRITING_PURPOSES.includes(purpose)),
})

/** Where a turn goes right now. Refuses as metering does. */
export const routeTurn = (
  app: App,
  org: Actor['org'],
  laneMode: ResearchLaneMode,
  purpose: Purpose,
): ModelRoute => routeFor(app, org, lanePreference(laneMode, purpose))

/** What runs that start now go by. */
export const currentLaneMode = (app: App): ResearchLaneMode =>
  app.settings.get(researchSettings.settings.research_lane_mode)
