// What a run or a loop would cost, told before it is begun.
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { spendable } from '../wallet/wallet.ts'
import { iterationsFor } from './loop/limits.ts'
import { prepare } from './prepare.ts'
import type { QuoteRequest } from './schema.ts'

/** Nothing is held by it. The run is kept within `maxMinor` by the same figures. */
export async function quote(app: App, actor: Actor, body: QuoteRequest) {
  const isLoop = body.maxIters !== undefined || body.sandbox !== undefined
  const iterations = isLoop ? iterationsFor(actor.org.tier, body.maxIters) : undefined
  const { route, draft, budget } = prepare(app, actor, body, iterations)
  const { orgId, userId } = actor
  const funds = await app.db.tx(orgId, (tx) => spendable(tx, orgId, userId))
  return {
    lane: route.lane,
    model: route.model,
    promptTokens: draft.promptTokens,
    minMinor: least(budget.minMinor, budget.maxMinor),
    maxMinor: budget.maxMinor,
    leastMinor: budget.leastMinor,
    balanceMinor: funds.balanceMinor,
    availableMinor: funds.spendableMinor,
    affordable: budget.leastMinor <= least(funds.spendableMinor, budget.maxMinor),
    iterations: iterations ?? 1,
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
