// Estimates the cost of a run before it starts, and the part of its budget that is reserved for the report.
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
  /** Tokens of the plan prompt, if the question is known. */
  readonly planTokens?: number
}

export type ReportReserve = {
  /** Reserved for the report from the start. */
  readonly asideMinor: bigint
  /** The smallest reserve that pays for a report by a model. */
  readonly leastAsideMinor: bigint
  /** The smallest budget of a run. */
  readonly leastRunMinor: bigint
}

export type DepthEstimate = {
  /** Cost of a typical run. */
  readonly estimateMinor: bigint
  /** Cost of the longest run at current prices. */
  readonly maxMinor: bigint
  readonly leastMinor: bigint
}

const IN_FLIGHT_OF_TIER: Readonly<Record<string, number>> = { individual: 2, team: 4, enterprise: 8 }
const LEAST_IN_FLIGHT = 2

/** The most concurrent runs of an organisation. */
export const inFlightMax = ({ tier }: Pick<PricedOrg, 'tier'>): number =>
  IN_FLIGHT_OF_TIER[tier] ?? LEAST_IN_FLIGHT

/** The maximum budget of a run, and the default. */
export const budgetCeiling = (app: App): bigint =>
  BigInt(app.settings.get(researchSettings.settings.research_default_budget_minor))

/** The reserve takes at most half of a small budget, after the plan: a run without findings has nothing to report. */
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

// Most pages are shorter than the limit, some cannot be read, and answers end before theirs.
const USUAL_PERCENT = 40n

/** Every turn of the longest run within its limits. A retried turn is charged once. */
function listTurns(depth: Depth, limits: RunLimits): { purpose: TurnPurpose; size: TurnSize }[] {
  const gaps = Array.from({ length: limits.passes - 1 }, () => ({
    purpose: 'gap' as const,
    size: fixedSize('gap'),
  }))
  return [
    { purpose: 'clarify', size: fixedSize('clarify') },
    { purpose: 'plan', size: fixedSize('plan') },
    ...splitExtractions(limits).map((pages) => ({ purpose: 'extract' as const, size: extractSize(pages) })),
    ...gaps,
    { purpose: 'report', size: reportSize(depth) },
    { purpose: 'repair', size: fixedSize('repair') },
  ]
}

/** Pages per extraction. The last extraction of a pass may be nearly empty. */
function splitExtractions({ extractMode, extractBatch, passes, pagesPerPass, pages }: RunLimits): number[] {
  if (extractMode === 'quote') return []
  const total = Math.min(pages, passes * pagesPerPass)
  const turns = Math.min(total, Math.floor((total + passes * (extractBatch - 1)) / extractBatch))
  return Array.from({ length: turns }, (_, at) =>
    Math.max(0, Math.min(extractBatch, total - at * extractBatch)),
  )
}

/** Without models it uses the price of the open lane, because a price list needs no model. */
function createPricer(app: App, org: PricedOrg, laneMode: ResearchLaneMode) {
  const hasFrontier = lanesFor(app, org).some(({ lane }) => lane === 'frontier')
  return (purpose: TurnPurpose, { prompt, output }: TurnSize): bigint => {
    const lane = hasFrontier && lanePreference(laneMode, purpose).frontier ? 'frontier' : 'open'
    return costOf(priceOf(app, lane, org.currency), prompt, output)
  }
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
