// What an operator can tune about wallets.
import type { App } from '../platform/app.ts'
import { minorUnits, oneOf, settings } from '../platform/settings/setting.ts'
import { RATE_CARDS, type RateCardVersion } from './rate-card.ts'

export const pricingHeading = {
  label: 'Pricing',
  blurb: 'What customers pay and what the work costs us. A change applies to turns that start after it.',
}

export const walletSettings = settings('pricing', pricingHeading, {
  rate_card_version: {
    label: 'Rate card',
    description:
      'Which conversion from kobo to the other currencies is in force. New cards arrive with a release.',
    type: oneOf(RATE_CARDS),
    default: '2026-11',
    restricted: true,
  },
  default_low_balance_threshold_minor: {
    label: 'Low-balance warning',
    description:
      'Balance below which owner and admins are mailed once, for organisations that chose no threshold of their own. In kobo; other currencies follow by the rate card.',
    type: minorUnits({ min: 0, max: 100_000_000_000 }),
    default: 50_000,
  },
})

export const { default_low_balance_threshold_minor: defaultLowBalanceThreshold, rate_card_version } =
  walletSettings.settings

/** The conversion in force. */
export const currentRateCard = (app: App): RateCardVersion => app.settings.get(rate_card_version)
