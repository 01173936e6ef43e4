// Limits of a run by depth and by the settings at its start. They are saved with the run, so later changes do not
// affect it.
import type { App } from '../../platform/app.ts'
import { researchSettings } from '../settings.ts'
import type { Depth } from '../types.ts'

const { settings } = researchSettings

export type RunLimits = {
  readonly passes: number
  readonly subquestions: number
  /** Searches per subquestion in one pass. */
  readonly queriesPerSub: number
  readonly pagesPerPass: number
  readonly pages: number
  readonly wallClockMs: number
  readonly searchConcurrency: number
  readonly searchTimeoutMs: number
  readonly searchDeadlineMs: number
  readonly searchRetries: number
  readonly extractBatch: number
  readonly extractMode: 'model' | 'quote'
  readonly fetchPool: number
}

type DepthLimits = Pick<RunLimits, 'subquestions' | 'queriesPerSub' | 'pagesPerPass' | 'pages'> & {
  passes: number | null
}

/** Null passes: as many as the settings allow. */
const DEPTH_LIMITS: Readonly<Record<Depth, DepthLimits>> = {
  quick: { passes: 1, subquestions: 3, queriesPerSub: 1, pagesPerPass: 6, pages: 6 },
  standard: { passes: 2, subquestions: 5, queriesPerSub: 2, pagesPerPass: 10, pages: 16 },
  exhaustive: { passes: null, subquestions: 8, queriesPerSub: 3, pagesPerPass: 16, pages: 40 },
}

export function limitsFor(app: App, depth: Depth): RunLimits {
  const { passes, ...shape } = DEPTH_LIMITS[depth]
  const passesMax = app.settings.get(settings.research_max_passes)
  return {
    ...shape,
    passes: Math.min(passes ?? passesMax, passesMax),
    wallClockMs: app.settings.get(settings.research_wall_clock_ms),
    searchConcurrency: app.settings.get(settings.research_search_concurrency),
    searchTimeoutMs: app.settings.get(settings.research_search_timeout_ms),
    searchDeadlineMs: app.settings.get(settings.research_search_deadline_ms),
    searchRetries: app.settings.get(settings.research_search_retries),
    extractBatch: app.settings.get(settings.research_extract_batch),
    extractMode: app.settings.get(settings.research_extract_mode),
    fetchPool: app.settings.get(settings.research_fetch_pool),
  }
}
