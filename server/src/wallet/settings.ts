// The operator settings of wallets.
import type { App } from '../platform/app.ts'
import { minorUnits, oneOf, settings } from '../platform/settings/setting.ts'
import { RATE_CARDS, type RateCardVersion } from './rate-card.ts'

export const pricingHeading = {
  label: 'Pricing',
  blurb: 'Customer prices and our own costs. A change applies to turns that start after it.',
}

export const walletSettings = settings('pricing', pricingHeading, {
  rate_card_version: {
    label: 'Rate card',
    description: 'The conversion from kobo to the other currencies. New rate cards come with a release.',
    type: oneOf(RATE_CARDS),
    default: '2026-11',
    restricted: true,
  },
  default_low_balance_threshold_minor: {
    label: 'Low-balance warning',
    description:
      'Owners and admins get one email when the balance falls below this amount. An organisation can set its own threshold. In kobo; the rate card converts it to other currencies.',
    type: minorUnits({ min: 0, max: 100_000_000_000 }),
    default: 50_000,
  },
})

export const { default_low_balance_threshold_minor: defaultLowBalanceThreshold, rate_card_version } =
  walletSettings.settings

export const currentRateCard = (app: App): RateCardVersion => app.settings.get(rate_card_version)
