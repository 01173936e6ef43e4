// What a message would cost, before it is sent: from the same window and the same ceiling as the message itself.
import { costOf, priceOf } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { promptTokensOf } from '../platform/inference/inference.ts'
import { spendable } from '../wallet/wallet.ts'
import { type Ask, readSaid, routeOf, windowFor } from './conversation.ts'
import { OUTPUT_TOKENS_LEAST, outputCeiling } from './limits.ts'
import type { ThreadId } from './sql.ts'
import { threadOf } from './threads.ts'

export async function quoteMessage(app: App, actor: Actor, thread: ThreadId, ask: Ask) {
  const { lane, model } = routeOf(app, actor, ask)
  const { mode, said, funds } = await app.db.tx(actor.orgId, async (tx) => ({
    mode: (await threadOf(tx, actor, thread)).mode,
    said: await readSaid(app, tx, thread),
    funds: await spendable(tx, actor.orgId, actor.userId),
  }))
  const { messages, promptTokens } = windowFor(app, mode, ask.prompt, said)
  const price = priceOf(app, lane, actor.org.currency)
  const worstMinor = costOf(price, promptTokens + outputCeiling(app.config.upstreamContextTokens))
  const leastMinor = costOf(price, promptTokens + OUTPUT_TOKENS_LEAST)
  const maxMinor = lower(worstMinor, ask.maxMinor ?? worstMinor)
  return {
    lane,
    model,
    promptTokens,
    minMinor: lower(maxMinor, costOf(price, promptTokensOf(messages) + 1)),
    maxMinor,
    balanceMinor: funds.balanceMinor,
    affordable: maxMinor >= leastMinor && funds.spendableMinor >= leastMinor,
  }
}

const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other)
