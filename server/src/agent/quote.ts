// What a run or a loop would cost, told before it is begun.
import { priceOf, rememberQuote } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { spendable } from '../wallet/wallet.ts'
import { capped } from './budget.ts'
import { possibleLanes } from './lanes.ts'
import { iterationsFor } from './loop/limits.ts'
import { budgetAt, prepare } from './prepare.ts'
import { quotedWork } from './promise.ts'
import type { QuoteRequest } from './schema.ts'

/** Nothing is held by it. The run is kept within `maxMinor` by the same figures, whichever lane then serves it. */
export async function quote(app: App, actor: Actor, body: QuoteRequest) {
  const isLoop = body.maxIters !== undefined || body.sandbox !== undefined
  const iterations = isLoop ? iterationsFor(actor.org.tier, body.maxIters) : undefined
  const prepared = await prepare(app, actor, body, iterations)
  const { route, draft, budget, secrets } = prepared
  const { orgId, userId, org } = actor
  const budgets = possibleLanes(app, org, body, route).map((lane) =>
    capped(budgetAt(priceOf(app, lane, org.currency), prepared, iterations), body.maxMinor),
  )
  const maxMinor = budgets.map((each) => each.maxMinor).reduce(most)
  const minMinor = budgets.map((each) => each.minMinor).reduce(least)
  const funds = await app.db.tx(orgId, async (tx) => {
    await rememberQuote(tx, quotedWork(actor, body, iterations), maxMinor)
    return spendable(tx, orgId, userId)
  })
  return {
    lane: route.lane,
    model: route.model,
    promptTokens: draft.promptTokens,
    minMinor: least(minMinor, maxMinor),
    maxMinor,
    leastMinor: budget.leastMinor,
    balanceMinor: funds.balanceMinor,
    availableMinor: funds.spendableMinor,
    affordable: budget.leastMinor <= least(funds.spendableMinor, budget.maxMinor),
    iterations: iterations ?? 1,
    withheld: [...secrets.withheld],
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b)
