// What has to be known before a run costs anything: who answers it, what it will read, what it can cost. A quote stops
// here, and a run goes on from the same figures.
import { type ModelRoute, priceOf, routeFor } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Price } from '../wallet/wallet.ts'
import { type Budget, budgetOf, capped, loopBudget } from './budget.ts'
import { type TurnLimits, turnLimits } from './context.ts'
import { type Difficulty, difficultyOf } from './difficulty.ts'
import { type Nonce, newNonce } from './markers.ts'
import { type Draft, editMessages } from './prompt.ts'
import type { AgentRunRequest } from './schema.ts'

export type Prepared = {
  readonly route: ModelRoute
  readonly limits: TurnLimits
  readonly nonce: Nonce
  readonly draft: Draft
  readonly difficulty: Difficulty
  readonly budget: Budget
}

/** Refuses what no model may or can answer. `iterations` are those of a loop. */
export function prepare(app: App, { org }: Actor, body: AgentRunRequest, iterations?: number): Prepared {
  const files = body.context ?? []
  const difficulty = difficultyOf(body.prompt, files)
  const route = routeFor(app, org, { frontier: body.frontier, difficulty: difficulty.score })
  const limits = turnLimits(app.config.upstreamContextTokens)
  const nonce = newNonce()
  const draft = editMessages(nonce, { prompt: body.prompt, files, retrieved: [] }, limits.promptTokens)
  const price = priceOf(app, route.lane, org.currency)
  const budget = capped(budgetAt(price, { limits, draft }, iterations), body.maxMinor)
  return { route, limits, nonce, draft, difficulty, budget }
}

/** What it can cost at a price. */
export function budgetAt(
  price: Price,
  { limits, draft }: Pick<Prepared, 'limits' | 'draft'>,
  iterations: number | undefined,
): Budget {
  return iterations === undefined
    ? budgetOf(price, limits, draft.promptTokens)
    : loopBudget(price, limits, draft.promptTokens, iterations)
}
