// What a run will cost, told before it starts, and what of its budget is kept aside so that there is always a report.
import { costOf, lanesFor, priceOf } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { researchSettings } from '../settings.ts'
import type { Depth, ResearchLaneMode, TurnPurpose } from '../types.ts'
import type { RunLimits } from './run-limits.ts'
import {
  extractSize,
  fixedSize,
  LEAST_REPORT,
  lanePreference,
  reportSize,
  SHORT_PLAN,
  type TurnSize,
} from './turn-lanes-sizes.ts'

type PricedOrg = Actor['org']
type EstimateInput = {
  readonly depth: Depth
  readonly laneMode: ResearchLaneMode
  readonly budgetMinor: bigint
  /** Of the prompt for the plan, where the question is known. */
  readonly planTokens?: number
}

export type ReportReserve = {
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
export const inFlightMax = ({ tier }: Pick<PricedOrg, 'tier'>): number =>
  IN_FLIGHT_OF_TIER[tier] ?? LEAST_IN_FLIGHT

/** What a run may spend at most, and does unless its customer asks for less. */
export const budgetCeiling = (app: App): bigint =>
  BigInt(app.settings.get(researchSettings.settings.research_default_budget_minor))

/** Of a small budget the report gets half at most, and the plan comes first: with nothing found there is nothing to write. */
export function computeReserve(app: App, org: PricedOrg, input: EstimateInput): ReportReserve {
  const { depth, laneMode, budgetMinor, planTokens = SHORT_PLAN.prompt } = input
  const cost = createPricer(app, org, laneMode)
  const leastAsideMinor = cost('report', LEAST_REPORT)
  const planMinor = cost('plan', { ...SHORT_PLAN, prompt: planTokens })
  const wantedMinor = smaller(
    cost('report', reportSize(depth)),
    smaller(budgetMinor / 2n, budgetMinor - planMinor),
  )
  return {
    asideMinor: larger(leastAsideMinor, wantedMinor),
    leastAsideMinor,
    leastRunMinor: leastAsideMinor + planMinor,
  }
}

export function estimateRun(
  app: App,
  org: PricedOrg,
  input: EstimateInput,
  limits: RunLimits,
): DepthEstimate {
  const cost = createPricer(app, org, input.laneMode)
  const worstMinor = listTurns(input.depth, limits).reduce(
    (sum, { purpose, size }) => sum + cost(purpose, size),
    0n,
  )
  const maxMinor = smaller(worstMinor, input.budgetMinor)
  const usualMinor = (worstMinor * USUAL_PERCENT + 99n) / 100n
  return {
    estimateMinor: smaller(usualMinor, maxMinor),
    maxMinor,
    leastMinor: computeReserve(app, org, input).leastRunMinor,
  }
}

// Pages are shorter than they may be, some cannot be read, and answers end before their bound.
const USUAL_PERCENT = 40n

/** Every turn of the longest run that its limits allow. A turn that is asked again is charged once. */
function listTurns(depth: Depth, limits: RunLimits): { purpose: TurnPurpose; size: TurnSize }[] {
  const gaps = Array.from({ length: limits.passes - 1 }, () => ({
    purpose: 'gap' as const,
    size: fixedSize('gap'),
  }))
  return [
    { purpose: 'plan', size: fixedSize('plan') },
    ...splitExtractions(limits).map((pages) => ({ purpose: 'extract' as const, size: extractSize(pages) })),
    ...gaps,
    { purpose: 'report', size: reportSize(depth) },
    { purpose: 'repair', size: fixedSize('repair') },
  ]
}

/** How many pages each of them reads. The last one of every pass may be as good as empty. */
function splitExtractions({ extractMode, extractBatch, passes, pagesPerPass, pages }: RunLimits): number[] {
  if (extractMode === 'quote') return []
  const total = Math.min(pages, passes * pagesPerPass)
  const turns = Math.min(total, Math.floor((total + passes * (extractBatch - 1)) / extractBatch))
  return Array.from({ length: turns }, (_, at) =>
    Math.max(0, Math.min(extractBatch, total - at * extractBatch)),
  )
}

/** On a platform without models it goes by the price of the open lane: a price list needs no model. */
function createPricer(app: App, org: PricedOrg, laneMode: ResearchLaneMode) {
  const hasFrontier = lanesFor(app, org).some(({ lane }) => lane === 'frontier')
  return (purpose: TurnPurpose, { prompt, output }: TurnSize): bigint => {
    const lane = hasFrontier && lanePreference(laneMode, purpose).frontier ? 'frontier' : 'open'
    return costOf(priceOf(app, lane, org.currency), prompt + output)
  }
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
