// How long the turns of a run may be. Estimates and turns go by the same figures, so what was told is what is kept.

import { type ModelRoute, routeFor } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { researchSettings } from '../settings.ts'
import type { Depth, ResearchLaneMode, TurnPurpose } from '../types.ts'

/** In tokens: at most so many are shown and so many written, and below the least nothing of use is. */
export type TurnSize = { readonly prompt: number; readonly output: number; readonly leastOutput: number }

/** The shortest report that is worth a model. */
export const LEAST_REPORT: TurnSize = { prompt: 1_500, output: 500, leastOutput: 500 }
/** The plan of a question of a few lines. A long question makes its prompt longer, up to what `turnSize` says. */
export const SHORT_PLAN: TurnSize = { prompt: 700, output: 500, leastOutput: 200 }

// Whatever 2000 characters are written in.
const QUESTION_TOKENS = 2_500
const REPORT_SIZES: Readonly<Record<Depth, TurnSize>> = {
  quick: { prompt: 6_000, output: 2_000, leastOutput: LEAST_REPORT.output },
  standard: { prompt: 12_000, output: 4_000, leastOutput: LEAST_REPORT.output },
  exhaustive: { prompt: 24_000, output: 8_000, leastOutput: LEAST_REPORT.output },
}
const FIXED_SIZES: Readonly<Record<Exclude<TurnPurpose, 'report' | 'extract'>, TurnSize>> = {
  plan: { ...SHORT_PLAN, prompt: SHORT_PLAN.prompt + QUESTION_TOKENS },
  gap: { prompt: 2_000 + QUESTION_TOKENS, output: 600, leastOutput: 150 },
  repair: { prompt: 6_000, output: 1_500, leastOutput: 150 },
}
// One extraction: what is said around the pages, and what each of them adds.
const EXTRACT_FRAME = 1_500 + QUESTION_TOKENS
const EXTRACT_PAGE = 2_200
const EXTRACT_OUTPUT_PAGE = 700

export const reportSize = (depth: Depth): TurnSize => REPORT_SIZES[depth]
export const fixedSize = (purpose: keyof typeof FIXED_SIZES): TurnSize => FIXED_SIZES[purpose]

/** Of one turn that reads so many pages. */
export const extractSize = (pages: number): TurnSize => ({
  prompt: EXTRACT_FRAME + pages * EXTRACT_PAGE,
  output: pages * EXTRACT_OUTPUT_PAGE,
  leastOutput: 200,
})

const WRITING_PURPOSES: readonly TurnPurpose[] = ['report', 'repair']

export const lanePreference = (laneMode: ResearchLaneMode, purpose: TurnPurpose): { frontier: boolean } => ({
  frontier:
    laneMode === 'frontier' || (laneMode === 'synthesis-frontier' && WRITING_PURPOSES.includes(purpose)),
})

/** Where a turn goes right now. Refuses as metering does. */
export const routeTurn = (
  app: App,
  org: Actor['org'],
  laneMode: ResearchLaneMode,
  purpose: TurnPurpose,
): ModelRoute => routeFor(app, org, lanePreference(laneMode, purpose))

/** What runs that start now go by. */
export const currentLaneMode = (app: App): ResearchLaneMode =>
  app.settings.get(researchSettings.settings.research_lane_mode)
