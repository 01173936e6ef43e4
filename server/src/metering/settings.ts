// Settings of prices and of the models of each lane.
import { minorUnits, oneOf, percent, secret, settings, text, url } from '../platform/settings/setting.ts'
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
      'The share of tokens the business plans to see on the frontier lane. While it has more, tasks whose lane is left to us must look more difficult before they get it, and less difficult while it has less. Who asks for a lane gets it all the same.',
    type: percent(),
    default: 10,
  },
  cogs_open_kobo_per_1m: {
    label: 'Our cost of the open lane',
    description:
      'Kobo per million tokens that the upstream bills us. For margins only; no customer is charged by it.',
    type: minorUnits(KOBO_PER_MILLION),
    default: 45_000,
    restricted: true,
  },
  cogs_frontier_kobo_per_1m: {
    label: 'Our cost of the frontier lane',
    description:
      'Kobo per million tokens that the upstream bills us. For margins only; no customer is charged by it.',
    type: minorUnits(KOBO_PER_MILLION),
    default: 1_100_000,
    restricted: true,
  },
})

export const inferenceSettings = settings(
  'inference',
  { label: 'Inference', blurb: 'Where the models are and which one serves which lane.' },
  {
    upstream_base_url: {
      label: 'Address of the model service',
      description:
        'Base URL of an OpenAI-compatible service, for example https://models.example.com/v1. Empty means no upstream: the development model outside production, 503 in it. Moving it to another host empties the key, which must then be entered again.',
      type: url(),
      default: '',
      restricted: true,
    },
    upstream_api_key: {
      label: 'Key for the model service',
      description:
        'Sent to the address above and nowhere else. Stored encrypted and shown by its last four characters.',
      type: secret({ sentTo: 'upstream_base_url' }),
      default: '',
      restricted: true,
    },
    upstream_open_model: {
      label: 'Model of the open lane',
      description: 'Its name as the upstream knows it. A wrong name fails every request on the lane.',
      type: text(),
      default: '',
    },
    upstream_frontier_model: {
      label: 'Model of the frontier lane',
      description:
        'Its name as the upstream knows it. Empty: requests for the frontier lane are served on the open lane.',
      type: text(),
      default: '',
    },
    upstream_open_noprc_model: {
      label: 'Model for organisations with a residency region',
      description:
        'Serves organisations whose policy names a region. Its name as the upstream knows it. Empty: their requests are refused with 451.',
      type: text(),
      default: '',
    },
    inference_escalate_threshold_pct: {
      label: 'When to escalate',
      description:
        'How difficult a task must look, in percent, before a caller that left the choice to us gets the frontier lane. It only counts while direct requests prefer that lane; policy and price still apply, and 100 practically never escalates.',
      type: percent(),
      default: 60,
    },
    direct_lane_mode: {
      label: 'Lane of direct requests',
      description:
        'The lane of chat and agent requests that name none. An unknown stored value counts as open.',
      type: oneOf({
        open: { label: 'Open', note: 'The open lane unless a request asks for frontier' },
        frontier: {
          label: 'Frontier',
          note: 'The frontier lane for tasks that look difficult enough, where the organisation’s policy allows; dearer',
        },
      }),
      default: 'open',
    },
  },
)
