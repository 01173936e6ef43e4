// What a run will cost, told before it starts, and what of its budget is kept aside so that there is always a report.
import { costOf, lanesFor, priceOf } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { type Purpose, wishFor } from './lanes.ts'
import type { Limits } from './limits.ts'
import { researchSettings } from './settings.ts'
import type { Depth, LaneMode } from './terms.ts'
import { extractSize, fixedSize, LEAST_REPORT, reportSize, SHORT_PLAN, type TurnSize } from './turn-sizes.ts'

type Org = Actor['org']
type Wanted = {
  readonly depth: Depth
  readonly laneMode: LaneMode
  readonly budgetMinor: bigint
  /** Of the prompt for the plan, where the question is known. */
  readonly planTokens?: number
}

export type Aside = {
  /** Kept for the report from the start. */
  readonly asideMinor: bigint
  /** With less than this no model writes it. */
  readonly leastAsideMinor: bigint
  /** A run with less than this is not begun. */
  readonly leastRunMinor: bigint
}

export type DepthEstimate = {
  /** Of a usual run. */
  readonly estimateMinor: bigint
  /** Of the longest that there can be, at the prices of now. */
  readonly maxMinor: bigint
  readonly leastMinor: bigint
}

const IN_FLIGHT_OF_TIER: Readonly<Record<string, number>> = { individual: 2, team: 4, enterprise: 8 }
const LEAST_IN_FLIGHT = 2

/** How many runs an organisation may have under way. */
export const inFlightMax = ({ tier }: Pick<Org, 'tier'>): number => IN_FLIGHT_OF_TIER[tier] ?? LEAST_IN_FLIGHT

/** What a run may spend at most, and does unless its customer asks for less. */
export const budgetCeiling = (app: App): bigint =>
  BigInt(app.settings.get(researchSettings.settings.research_default_budget_minor))

/** Of a small budget the report gets half at most, and the plan comes first: with nothing found there is nothing to write. */
export function asideOf(app: App, org: Org, wanted: Wanted): Aside {
  const { depth, laneMode, budgetMinor, planTokens = SHORT_PLAN.prompt } = wanted
  const cost = costsAt(app, org, laneMode)
  const leastAsideMinor = cost('report', LEAST_REPORT)
  const planMinor = cost('plan', { ...SHORT_PLAN, prompt: planTokens })
  const wantedMinor = least(
    cost('report', reportSize(depth)),
    least(budgetMinor / 2n, budgetMinor - planMinor),
  )
  return {
    asideMinor: most(leastAsideMinor, wantedMinor),
    leastAsideMinor,
    leastRunMinor: leastAsideMinor + planMinor,
  }
}

export function estimateOf(app: App, org: Org, wanted: Wanted, limits: Limits): DepthEstimate {
  const cost = costsAt(app, org, wanted.laneMode)
  const worstMinor = turnsOf(wanted.depth, limits).reduce(
    (sum, { purpose, size }) => sum + cost(purpose, size),
    0n,
  )
  const maxMinor = least(worstMinor, wanted.budgetMinor)
  const usualMinor = (worstMinor * USUAL_PERCENT + 99n) / 100n
  return {
    estimateMinor: least(usualMinor, maxMinor),
    maxMinor,
    leastMinor: asideOf(app, org, wanted).leastRunMinor,
  }
}

// Pages are shorter than they may be, some cannot be read, and answers end before their bound.
const USUAL_PERCENT = 40n

/** Every turn of the longest run that its limits allow. A turn that is asked again is charged once. */
function turnsOf(depth: Depth, limits: Limits): { purpose: Purpose; size: TurnSize }[] {
  const gaps = Array.from({ length: limits.passes - 1 }, () => ({
    purpose: 'gap' as const,
    size: fixedSize('gap'),
  }))
  return [
    { purpose: 'plan', size: fixedSize('plan') },
    ...extractionsOf(limits).map((pages) => ({ purpose: 'extract' as const, size: extractSize(pages) })),
    ...gaps,
    { purpose: 'report', size: reportSize(depth) },
    { purpose: 'repair', size: fixedSize('repair') },
  ]
}

/** How many pages each of them reads. The last one of every pass may be as good as empty. */
function extractionsOf({ extractMode, extractBatch, passes, pagesPerPass, pages }: Limits): number[] {
  if (extractMode === 'quote') return []
  const total = Math.min(pages, passes * pagesPerPass)
  const turns = Math.min(total, Math.floor((total + passes * (extractBatch - 1)) / extractBatch))
  return Array.from({ length: turns }, (_, at) =>
    Math.max(0, Math.min(extractBatch, total - at * extractBatch)),
  )
}

/** On a platform without models it goes by the price of the open lane: a price list needs no model. */
function costsAt(app: App, org: Org, laneMode: LaneMode) {
  const hasFrontier = lanesFor(app, org).some(({ lane }) => lane === 'frontier')
  return (purpose: Purpose, { prompt, output }: TurnSize): bigint => {
    const lane = hasFrontier && wishFor(laneMode, purpose).frontier ? 'frontier' : 'open'
    return costOf(priceOf(app, lane, org.currency), prompt + output)
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b)
