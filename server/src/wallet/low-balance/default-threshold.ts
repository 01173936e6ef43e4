// The low-balance threshold of organisations that chose none: the setting is in kobo, wallets are in their own currency.
import { type Currency, currencies } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { fromKobo, type RateCardVersion } from '../rate-card.ts'
import { currentRateCard, defaultLowBalanceThreshold } from '../settings.ts'

export const defaultThreshold = (app: App, currency: Currency): bigint =>
  fromKobo(currentRateCard(app), BigInt(app.settings.get(defaultLowBalanceThreshold)), currency).minor

let last: { rateCard: RateCardVersion; threshold: number; minor: Record<string, bigint> } | undefined

/** For one statement about many wallets. Every paid call asks, so the answer is kept until a setting changes. */
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
