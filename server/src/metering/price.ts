// Token prices. A hold stores a snapshot, so that started work keeps its price.
import type { Currency } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import { currentRateCard, rateOf, type TokenPrice, turnCost } from '../wallet/wallet.ts'
import { pricingSettings } from './settings.ts'

export type Lane = TokenPrice['lane']

const { price_open_kobo_per_1m, price_frontier_kobo_per_1m } = pricingSettings.settings
const { cogs_open_kobo_per_1m, cogs_frontier_kobo_per_1m } = pricingSettings.settings
const PRICE_OF_LANE = { open: price_open_kobo_per_1m, frontier: price_frontier_kobo_per_1m }
const OUR_COST_OF_LANE = { open: cogs_open_kobo_per_1m, frontier: cogs_frontier_kobo_per_1m }

/** The current price. */
export function priceOf(app: App, lane: Lane, currency: Currency): TokenPrice {
  const rateCard = currentRateCard(app)
  return {
    lane,
    currency,
    koboPer1m: BigInt(app.settings.get(PRICE_OF_LANE[lane])),
    rateCard,
    ...rateOf(rateCard, currency),
  }
}

/** The cost of tokens alone: the exact product, rounded up once to a minor unit. */
export const costOf = (price: TokenPrice, tokens: number): bigint => turnCost(price, 0n, BigInt(tokens))

/** Our own cost of a million tokens, in kobo, from the settings. */
export const ourCostOf = (app: App, lane: Lane): bigint => BigInt(app.settings.get(OUR_COST_OF_LANE[lane]))
