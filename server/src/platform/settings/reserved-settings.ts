// Settings of features that have no routes yet. They are validated and stored like the rest, so that a deployment can be
// prepared for them; nothing reads them, and each says so.
import { complianceHeading } from './platform-settings.ts'
import {
  count,
  flag,
  megabytes,
  milliseconds,
  minorUnits,
  oneOf,
  type SettingGroup,
  secret,
  settings,
  text,
  url,
} from './setting.ts'

const unread = (description: string): string => `${description} Nothing reads this setting yet.`

const collections = settings(
  'collections',
  {
    label: 'Collections',
    blurb: 'Taking payments on behalf of customers. Not built yet: nothing reads these.',
  },
  {
    collections_mode: {
      label: 'Collections',
      description: unread(
        "Whether organisations may collect their own customers' payments, and with real money or not.",
      ),
      type: oneOf({
        off: { label: 'Off', note: 'Nobody collects' },
        test: { label: 'Test', note: 'Against the rails’ test systems only' },
        live: { label: 'Live', note: 'Real money' },
      }),
      default: 'off',
      restricted: true,
    },
    collections_take_rate_bps: {
      label: 'Our share of collections',
      description: unread('Hundredths of a percent that the platform keeps of each collected payment.'),
      type: count({ min: 0, max: 5_000 }),
      default: 150,
      restricted: true,
    },
  },
)

const build = settings(
  'build',
  { label: 'Build', blurb: 'The app builder. Not built yet: nothing reads these.' },
  {
    build_default_view: {
      label: 'First view',
      description: unread('What a person sees first when they open a build.'),
      type: oneOf({
        preview: { label: 'Preview', note: 'The running app' },
        code: { label: 'Code', note: 'The files' },
        split: { label: 'Split', note: 'Both side by side' },
      }),
      default: 'preview',
    },
    build_image_price_minor: {
      label: 'Price of an image',
      description: unread('Charged for each generated image.'),
      type: minorUnits({ min: 0, max: 100_000_000 }),
      default: 5_000,
    },
    build_image_cogs_minor: {
      label: 'Cost of an image',
      description: unread('What a generated image costs us; for margins only.'),
      type: minorUnits({ min: 0, max: 100_000_000 }),
      default: 2_500,
    },
    build_preview_ttl_hours: {
      label: 'Life of a preview',
      description: unread('Hours after which an unvisited preview is taken down.'),
      type: count({ min: 1, max: 720 }),
      default: 72,
    },
    build_no_progress_rounds: {
      label: 'Rounds without progress',
      description: unread('A build that gets no further for this many rounds stops and says so.'),
      type: count({ min: 1, max: 20 }),
      default: 3,
    },
    build_turn_ceiling_multiple: {
      label: 'Ceiling of turns',
      description: unread('How many times its planned turns a build may take before it is stopped.'),
      type: count({ min: 1, max: 20 }),
      default: 3,
    },
    build_reload_activity_window_ms: {
      label: 'Quiet time before a reload',
      description: unread('A preview reloads by itself only when nobody has touched it for this long.'),
      type: milliseconds({ min: 1_000, max: 600_000 }),
      default: 30_000,
    },
  },
)

const apps = settings(
  'apps',
  { label: 'Apps', blurb: 'Limits of apps that customers publish. Not built yet: nothing reads these.' },
  {
    app_builds_per_day: {
      label: 'Builds a day',
      description: unread('Per app. Zero stops all builds.'),
      type: count({ min: 0, max: 10_000 }),
      default: 20,
    },
    app_auth_emails_per_day: {
      label: 'Sign-in mails a day',
      description: unread('Per app, against apps that are used to send mail to strangers.'),
      type: count({ min: 0, max: 100_000 }),
      default: 200,
    },
    app_records_per_app: {
      label: 'Records of an app',
      description: unread('How many rows an app may keep.'),
      type: count({ min: 0, max: 10_000_000 }),
      default: 10_000,
    },
  },
)

const image = settings(
  'image',
  { label: 'Images', blurb: 'Where images are generated. Not built yet: nothing reads these.' },
  {
    image_model_provider: {
      label: 'Image provider',
      description: unread('Which kind of service generates images.'),
      type: oneOf({
        none: { label: 'None', note: 'No images' },
        openai: { label: 'OpenAI', note: 'Its public API' },
        compatible: { label: 'Compatible', note: 'Another service that speaks the same API' },
      }),
      default: 'none',
    },
    image_model_base_url: {
      label: 'Address of the image service',
      description: unread(
        'Its base URL. Moving it to another host empties the key, which must then be entered again.',
      ),
      type: url(),
      default: '',
      restricted: true,
    },
    image_model_api_key: {
      label: 'Key for the image service',
      description: unread('Stored encrypted and shown by its last four characters.'),
      type: secret({ sentTo: 'image_model_base_url' }),
      default: '',
      restricted: true,
    },
    image_model: {
      label: 'Image model',
      description: unread('The name of the model as the image service knows it.'),
      type: text(),
      default: '',
    },
  },
)

const retention = settings('compliance', complianceHeading, {
  recording_retention_max_days: {
    label: 'Longest life of a recording',
    description: unread(
      'Days after which recordings are deleted whatever a customer chose. Zero keeps none.',
    ),
    type: count({ min: 0, max: 3_650 }),
    default: 90,
  },
})

const vapt = settings(
  'vapt',
  {
    label: 'Security testing',
    blurb: 'Vulnerability assessment of uploaded code. Not built yet: nothing reads these.',
  },
  {
    vapt_enabled: {
      label: 'Security testing',
      description: unread('Whether customers may start assessments.'),
      type: flag(),
      default: false,
    },
    vapt_lane_mode: {
      label: 'Model lanes',
      description: unread(
        'Which turns of an assessment may use the frontier lane. An unknown stored value counts as open.',
      ),
      type: oneOf({
        open: { label: 'Open', note: 'Every turn on the open lane' },
        'verify-frontier': { label: 'Verify on frontier', note: 'Only the turns that confirm a finding' },
        frontier: { label: 'Frontier', note: 'Every turn, where the organisation’s policy allows' },
      }),
      default: 'open',
    },
    vapt_default_budget_minor: {
      label: 'Budget of an assessment',
      description: unread('What an assessment may spend unless the customer sets less.'),
      type: minorUnits({ min: 0, max: 100_000_000 }),
      default: 50_000,
    },
    vapt_max_archive_mb: {
      label: 'Largest archive',
      description: unread('Uploads above this size are refused.'),
      type: megabytes({ min: 1, max: 2_000 }),
      default: 50,
    },
  },
)

const agent = settings(
  'agent',
  { label: 'Agent sessions', blurb: 'Long-lived agent sessions. Not built yet: nothing reads these.' },
  {
    agent_sessions_enabled: {
      label: 'Agent sessions',
      description: unread('Whether an agent may keep a workspace between requests.'),
      type: flag(),
      default: false,
    },
    agent_session_max_turns: {
      label: 'Turns of a session',
      description: unread('A session that reaches this ends and keeps its work.'),
      type: count({ min: 1, max: 1_000 }),
      default: 50,
    },
  },
)

const events = settings(
  'events',
  { label: 'Events', blurb: 'Selling tickets. Not built yet: nothing reads these.' },
  {
    events_take_rate_bps: {
      label: 'Our share of tickets',
      description: unread('Hundredths of a percent that the platform keeps of each ticket sold.'),
      type: count({ min: 0, max: 5_000 }),
      default: 300,
    },
    tickets_member_wallet_pay: {
      label: 'Tickets from the wallet',
      description: unread('Whether members may pay for tickets with their organisation’s balance.'),
      type: flag(),
      default: false,
    },
    events_ticket_hold_minutes: {
      label: 'Held tickets',
      description: unread('Minutes a chosen ticket stays reserved while its buyer pays.'),
      type: count({ min: 1, max: 1_440 }),
      default: 15,
    },
  },
)

export const reservedGroups: readonly SettingGroup[] = [
  collections,
  build,
  apps,
  image,
  retention,
  vapt,
  agent,
  events,
]
