// The low-balance threshold of organisations that chose none: the setting is in kobo, wallets are in their own currency.
import { type Currency, currencies } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import { fromKobo } from './rate-card.ts'
import { defaultLowBalanceThreshold, rateCardNow } from './settings.ts'

export const lowDefaultOf = (app: App, currency: Currency): bigint =>
  fromKobo(rateCardNow(app), BigInt(app.settings.get(defaultLowBalanceThreshold)), currency).minor

/** For one statement about many wallets. */
export const lowDefaultsOf = (app: App): Record<string, bigint> =>
  Object.fromEntries(currencies.map((currency) => [currency, lowDefaultOf(app, currency)]))
