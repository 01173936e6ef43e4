// The threshold of organisations that chose none. The setting is in kobo and is converted to the currency of the wallet.
import { type Currency, currencies } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { fromKobo, type RateCardVersion } from '../rate-card.ts'
import { currentRateCard, defaultLowBalanceThreshold } from '../settings.ts'

export const defaultThreshold = (app: App, currency: Currency): bigint =>
  fromKobo(currentRateCard(app), BigInt(app.settings.get(defaultLowBalanceThreshold)), currency).minor

let last: { rateCard: RateCardVersion; threshold: number; minor: Record<string, bigint> } | undefined

/** The default by currency, for a statement on many wallets. Cached until a setting changes, because every paid call needs it. */
export function defaultThresholds(app: App): Record<string, bigint> {
  const rateCard = currentRateCard(app)
  const threshold = app.settings.get(defaultLowBalanceThreshold)
  if (last?.rateCard !== rateCard || last.threshold !== threshold) {
    const minor = Object.fromEntries(
      currencies.map((currency) => [currency, defaultThreshold(app, currency)]),
    )
    last = { rateCard, threshold, minor }
  }
  return last.minor
}
