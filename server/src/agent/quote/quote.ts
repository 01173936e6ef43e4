// Quotes the cost of a run or a loop before it starts.
import {
  costOf,
  type LanePreference,
  lanesFor,
  type ModelRoute,
  priceOf,
  routeFor,
  storeQuote,
  usageName,
  usualCostOf,
} from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { readSpendable, type TokenPrice } from '../../wallet/wallet.ts'
import { maxIterationsFor } from '../loop/limits.ts'
import type { QuoteRequest } from '../schema.ts'
import { capBudget, type RunBudget } from './budget.ts'
import { calculateBudget, type PreparedRun, prepareRun } from './prepare.ts'
import { toQuotedWork } from './quote-cap.ts'

/** Holds no money. The run stays within `maxMinor`, on any lane that may serve it. */
export async function quoteRun(app: App, actor: Actor, body: QuoteRequest) {
  const isLoop = body.maxIters !== undefined || body.sandbox !== undefined
  const iterations = isLoop ? maxIterationsFor(actor.org.tier, body.maxIters) : undefined
  const prepared = await prepareRun(app, actor, body, iterations)
  const { route, draft, budget, secrets } = prepared
  const { orgId, userId, org } = actor
  const budgets = listPossiblePrices(app, org, body, route).map((price) =>
    capBudget(calculateBudget(price, prepared, iterations), body.maxMinor),
  )
  const maxMinor = budgets.map((each) => each.maxMinor).reduce(larger)
  const minMinor = smaller(budgets.map((each) => each.minMinor).reduce(smaller), maxMinor)
  const usuallyMinor = await usualCostOfWork(app, actor, prepared, isLoop ? 'loop' : 'run', {
    minMinor,
    maxMinor,
  })
  const funds = await app.db.tx(orgId, async (tx) => {
    await storeQuote(tx, toQuotedWork(actor, body, iterations), maxMinor)
    return readSpendable(tx, orgId, userId, actor.keyId)
  })
  return {
    lane: route.lane,
    model: route.model,
    promptTokens: draft.promptTokens,
    minMinor,
    maxMinor,
    usuallyMinor,
    leastMinor: budget.leastMinor,
    balanceMinor: funds.balanceMinor,
    availableMinor: funds.spendableMinor,
    affordable: budget.leastMinor <= smaller(funds.spendableMinor, budget.maxMinor),
    iterations: iterations ?? 1,
    withheld: [...secrets.withheld],
  }
}

/** The usual cost of comparable work, within the bounds of a quote. Null where too little is comparable. */
export function usualCostOfWork(
  app: App,
  { orgId, org: { currency } }: Pick<Actor, 'orgId' | 'org'>,
  { route, draft, limits }: Pick<PreparedRun, 'route' | 'draft' | 'limits'>,
  kind: 'run' | 'loop',
  { minMinor, maxMinor }: Pick<RunBudget, 'minMinor' | 'maxMinor'>,
) {
  const price = priceOf(app, route.lane, currency, route.classPrices)
  return usualCostOf(app, {
    orgId,
    kind,
    model: usageName(route),
    promptTokens: draft.promptTokens,
    firstTurnMinor: costOf(price, draft.promptTokens, limits.outputTokens),
    minMinor: smaller(minMinor, maxMinor),
    maxMinor,
  })
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

// The highest score: such a task gets the frontier lane if any task does.
const MOST_DIFFICULT = 100

/**
 * The prices of a task: of every lane that may serve it, because the choice may change between the quote and the run.
 * `route` is the current one.
 */
export function listPossiblePrices(
  app: App,
  org: Actor['org'],
  { frontier }: LanePreference,
  route: ModelRoute,
): TokenPrice[] {
  const isOurs =
    frontier === undefined && routeFor(app, org, { difficulty: MOST_DIFFICULT }).lane === 'frontier'
  return isOurs
    ? lanesFor(app, org).map(({ lane }) => priceOf(app, lane, org.currency))
    : [priceOf(app, route.lane, org.currency, route.classPrices)]
}
