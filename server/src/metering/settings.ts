// Settings of prices.
import { minorUnits, percent, settings } from '../platform/settings/setting.ts'
import { pricingHeading } from '../wallet/wallet.ts'

const KOBO_PER_MILLION = { min: 0, max: 1_000_000_000 }

export const pricingSettings = settings('pricing', pricingHeading, {
  price_open_kobo_per_1m: {
    label: 'Price of the open lane',
    description:
      'Kobo per million tokens. Other currencies follow by the rate card. Turns that were already reserved settle at the price they were quoted. Zero gives the lane away.',
    type: minorUnits(KOBO_PER_MILLION),
    default: 90_000,
    restricted: true,
  },
  price_frontier_kobo_per_1m: {
    label: 'Price of the frontier lane',
    description:
      'Kobo per million tokens. Other currencies follow by the rate card. Turns that were already reserved settle at the price they were quoted. Zero gives the lane away.',
    type: minorUnits(KOBO_PER_MILLION),
    default: 1_500_000,
    restricted: true,
  },
  frontier_target_pct: {
    label: 'Planned share of the frontier lane',
    description:
      'The planned share of tokens on the frontier lane. Above it, tasks without a lane preference need a higher difficulty to get the lane. Below it, a lower one is enough. A request that names a lane always gets it.',
    type: percent(),
    default: 10,
  },
  cogs_open_kobo_per_1m: {
    label: 'Our cost of the open lane',
    description:
      'Kobo per million tokens that the upstream bills us. Used only for margins, never for charges.',
    type: minorUnits(KOBO_PER_MILLION),
    default: 45_000,
    restricted: true,
  },
  cogs_frontier_kobo_per_1m: {
    label: 'Our cost of the frontier lane',
    description:
      'Kobo per million tokens that the upstream bills us. Used only for margins, never for charges.',
    type: minorUnits(KOBO_PER_MILLION),
    default: 1_100_000,
    restricted: true,
  },
})
