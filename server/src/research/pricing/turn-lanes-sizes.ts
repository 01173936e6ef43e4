// Purpose, lane and token sizes of model turns. Estimates and turns use the same figures, so a turn never exceeds its
// estimate.

import { type ModelRoute, routeFor } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { researchSettings } from '../settings.ts'
import type { Depth, ResearchLaneMode, TurnPurpose } from '../types.ts'

/** Token limits. Below `leastOutput` an answer is useless. */
export type TurnSize = { readonly prompt: number; readonly output: number; readonly leastOutput: number }

/** The smallest report that a model writes. */
export const LEAST_REPORT: TurnSize = { prompt: 1_500, output: 500, leastOutput: 500 }
/** The plan of a short question. A long question has a larger prompt, up to `fixedSize`. */
export const SHORT_PLAN: TurnSize = { prompt: 700, output: 500, leastOutput: 200 }

// Upper bound for 2000 characters in any script.
const QUESTION_TOKENS = 2_500
const REPORT_SIZES: Readonly<Record<Depth, TurnSize>> = {
  quick: { prompt: 6_000, output: 2_000, leastOutput: LEAST_REPORT.output },
  standard: { prompt: 12_000, output: 4_000, leastOutput: LEAST_REPORT.output },
  exhaustive: { prompt: 24_000, output: 8_000, leastOutput: LEAST_REPORT.output },
}
const FIXED_SIZES: Readonly<Record<Exclude<TurnPurpose, 'report' | 'extract'>, TurnSize>> = {
  clarify: { prompt: 500 + QUESTION_TOKENS, output: 300, leastOutput: 80 },
  plan: { ...SHORT_PLAN, prompt: SHORT_PLAN.prompt + QUESTION_TOKENS },
  gap: { prompt: 2_000 + QUESTION_TOKENS, output: 600, leastOutput: 150 },
  repair: { prompt: 6_000, output: 1_500, leastOutput: 150 },
}
// Extraction: tokens around the pages, and tokens per page.
const EXTRACT_FRAME = 1_500 + QUESTION_TOKENS
const EXTRACT_PAGE = 2_200
const EXTRACT_OUTPUT_PAGE = 700

export const reportSize = (depth: Depth): TurnSize => REPORT_SIZES[depth]
export const fixedSize = (purpose: keyof typeof FIXED_SIZES): TurnSize => FIXED_SIZES[purpose]

/** The size of a turn that reads this many pages. */
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

/** The current route of a turn. Throws the errors of metering. */
export const routeTurn = (
  app: App,
  org: Actor['org'],
  laneMode: ResearchLaneMode,
  purpose: TurnPurpose,
): ModelRoute => routeFor(app, org, lanePreference(laneMode, purpose))

/** The lane mode of runs that start now. */
export const currentLaneMode = (app: App): ResearchLaneMode =>
  app.settings.get(researchSettings.settings.research_lane_mode)
