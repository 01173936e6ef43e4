// Settings of the built-in model service and of the model of each lane.
import { oneOf, percent, secret, settings, text, url } from '../platform/settings/setting.ts'

export const inferenceSettings = settings(
  'inference',
  { label: 'Inference', blurb: 'The model service, and the model of each lane.' },
  {
    upstream_base_url: {
      label: 'Address of the model service',
      description:
        'Base URL of an OpenAI-compatible service, for example https://models.example.com/v1. When empty, the development model answers outside production, and production returns 503. Changing the host clears the key, which must then be entered again.',
      type: url(),
      default: '',
      restricted: true,
    },
    upstream_api_key: {
      label: 'Key for the model service',
      description: 'Sent only to the address above. Stored encrypted and shown by its last four characters.',
      type: secret({ sentTo: 'upstream_base_url' }),
      default: '',
      restricted: true,
    },
    upstream_open_model: {
      label: 'Model of the open lane',
      description: 'The model name at the upstream. With a wrong name every request on the lane fails.',
      type: text(),
      default: '',
    },
    upstream_frontier_model: {
      label: 'Model of the frontier lane',
      description:
        'The model name at the upstream. When empty, the open lane serves requests for the frontier lane.',
      type: text(),
      default: '',
    },
    upstream_open_noprc_model: {
      label: 'Model for organisations with a residency region',
      description:
        'The model name at the upstream for organisations whose policy names a region. When empty, their requests are rejected with 451.',
      type: text(),
      default: '',
    },
    inference_escalate_threshold_pct: {
      label: 'When to escalate',
      description:
        'The difficulty in percent from which a task without a lane preference gets the frontier lane. It applies only while direct requests prefer that lane. Policy and price still apply. At 100, almost no task escalates.',
      type: percent(),
      default: 60,
    },
    direct_lane_mode: {
      label: 'Lane of direct requests',
      description:
        'The lane of chat and agent requests without a preference. An unknown stored value counts as open.',
      type: oneOf({
        open: { label: 'Open', note: 'The open lane, unless a request names the frontier lane' },
        frontier: {
          label: 'Frontier',
          note: 'The frontier lane for difficult tasks, if the policy of the organisation allows it; more expensive',
        },
      }),
      default: 'open',
    },
  },
)
