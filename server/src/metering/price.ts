// Token prices. A hold stores a snapshot, so that started work keeps its price.
import type { Currency } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import {
  accruesEveryTurn,
  type ClassPrices,
  currentRateCard,
  maxTurnCost,
  minTurnCost,
  rateOf,
  type TokenPrice,
} from '../wallet/wallet.ts'
import { pricingSettings } from './settings.ts'

export type Lane = TokenPrice['lane']

const { price_open_kobo_per_1m, price_frontier_kobo_per_1m } = pricingSettings.settings
const { cogs_open_kobo_per_1m, cogs_frontier_kobo_per_1m } = pricingSettings.settings
const PRICE_OF_LANE = { open: price_open_kobo_per_1m, frontier: price_frontier_kobo_per_1m }
const OUR_COST_OF_LANE = { open: cogs_open_kobo_per_1m, frontier: cogs_frontier_kobo_per_1m }

/** The current price: of each token class where the model has such prices, otherwise the single price of the lane. */
export function priceOf(
  app: App,
  lane: Lane,
  currency: Currency,
  classPrices: ClassPrices | null = null,
): TokenPrice {
  const rateCard = currentRateCard(app)
  return {
    lane,
    currency,
    koboPer1m: classPrices?.input ?? BigInt(app.settings.get(PRICE_OF_LANE[lane])),
    classes: classPrices,
    rateCard,
    ...rateOf(rateCard, currency),
    accrues: accruesEveryTurn(currency),
  }
}

/** The highest cost of tokens alone: without a cache hit, rounded up once to a minor unit. */
export const costOf = (price: TokenPrice, promptTokens: number, outputTokens = 0): bigint =>
  maxTurnCost(price, 0n, promptTokens, outputTokens)

/** The highest cost of work in several turns. Turns whose charges accrue are rounded up one by one, others once in all. */
export const costOfTurns = (price: TokenPrice, turns: readonly TurnTokens[]): bigint =>
  price.accrues
    ? turns.reduce(
        (sum, { promptTokens, outputTokens }) => sum + costOf(price, promptTokens, outputTokens),
        0n,
      )
    : costOf(price, sumOf(turns, 'promptTokens'), sumOf(turns, 'outputTokens'))

export type TurnTokens = { readonly promptTokens: number; readonly outputTokens: number }

const sumOf = (turns: readonly TurnTokens[], field: keyof TurnTokens): number =>
  turns.reduce((sum, turn) => sum + turn[field], 0)

/** The lowest charge for tokens alone: with the whole prompt in the cheapest class, and what earlier charges may have paid. */
export const minCostOf = (price: TokenPrice, promptTokens: number, outputTokens = 0): bigint =>
  minTurnCost(price, promptTokens, outputTokens)

/** Our own cost of a million tokens, in kobo, from the settings. */
export const ourCostOf = (app: App, lane: Lane): bigint => BigInt(app.settings.get(OUR_COST_OF_LANE[lane]))
