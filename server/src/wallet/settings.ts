// What an operator can tune about wallets.
import { minorUnits, settings } from '../platform/settings/setting.ts'

export const pricingHeading = {
  label: 'Pricing',
  blurb: 'What customers pay and what the work costs us. A change applies to turns that start after it.',
}

export const walletSettings = settings('pricing', pricingHeading, {
  default_low_balance_threshold_minor: {
    label: 'Low-balance warning',
    description:
      'Balance below which owner and admins are mailed once, for organisations that chose no threshold of their own. In minor units of their currency.',
    type: minorUnits({ min: 0, max: 100_000_000_000 }),
    default: 50_000,
  },
})

export const { default_low_balance_threshold_minor: defaultLowBalanceThreshold } = walletSettings.settings
