// Quotes the cost of a message. It uses the same context and output limit as the message, and the prices of all lanes that
// may serve it.
import { listPossiblePrices } from '../../agent/agent.ts'
import {
  costOf,
  minCostOf,
  priceOf,
  type QuotedWork,
  storeQuote,
  usageName,
  usualCostOf,
} from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { estimateMinPromptTokens } from '../../platform/inference/inference.ts'
import { readSpendable } from '../../wallet/wallet.ts'
import { buildContext, chooseRoute, type MessageInput, readHistory } from '../context/build-context.ts'
import { OUTPUT_TOKENS_MIN, outputCeiling } from '../limits.ts'
import { getThread } from '../threads/threads.ts'
import type { ThreadId } from '../threads/threads-sql.ts'

export async function quoteMessage(app: App, actor: Actor, thread: ThreadId, input: MessageInput) {
  const route = chooseRoute(app, actor, input)
  const { lane, model } = route
  const { mode, history, funds } = await app.db.tx(actor.orgId, async (tx) => ({
    mode: (await getThread(tx, actor, thread)).mode,
    history: await readHistory(app, tx, thread),
    funds: await readSpendable(tx, actor.orgId, actor.userId, actor.keyId),
  }))
  const { messages, promptTokens, withheld } = await buildContext(app, actor, mode, input, history)
  const { currency } = actor.org
  const prices = listPossiblePrices(app, actor.org, input, route)
  const price = priceOf(app, lane, currency, route.classPrices)
  const ceiling = outputCeiling(app.config.upstreamContextTokens)
  const worstMinor = prices.map((each) => costOf(each, promptTokens, ceiling)).reduce(higher)
  const leastMinor = costOf(price, promptTokens, OUTPUT_TOKENS_MIN)
  const maxMinor = lower(worstMinor, input.maxMinor ?? worstMinor)
  const shortPrompt = estimateMinPromptTokens(messages)
  const minMinor = prices.map((each) => minCostOf(each, shortPrompt, 1)).reduce(lower, maxMinor)
  const firstTurnMinor = costOf(price, promptTokens, ceiling)
  await app.db.tx(actor.orgId, (tx) => storeQuote(tx, messageQuoteSubject(actor, thread, input), maxMinor))
  return {
    lane,
    model,
    promptTokens,
    minMinor,
    maxMinor,
    usuallyMinor: await usualCostOf(app, {
      orgId: actor.orgId,
      kind: 'message',
      model: usageName(route),
      promptTokens,
      firstTurnMinor,
      minMinor,
      maxMinor,
    }),
    balanceMinor: funds.balanceMinor,
    affordable: maxMinor >= leastMinor && funds.spendableMinor >= leastMinor,
    withheld: [...withheld],
  }
}

/** A quote limits the cost of the same message for an hour, even if prices rise. */
export const messageQuoteSubject = (
  { orgId, userId }: Actor,
  thread: ThreadId,
  { prompt, repo, frontier, allowSecrets }: MessageInput,
): QuotedWork => ({
  orgId,
  userId,
  kind: 'message',
  work: { thread, prompt, repo, frontier, ...(allowSecrets && { allowSecrets }) },
})

const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other)
