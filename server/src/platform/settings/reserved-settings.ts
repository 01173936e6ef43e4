// Settings of features without routes. They are validated and stored like the others, so that a deployment can be prepared.
// Nothing reads them, and each description states that.
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
    blurb: 'Payment collection on behalf of customers. Not available yet: these settings have no effect.',
  },
  {
    collections_mode: {
      label: 'Collections',
      description: unread(
        'Whether organisations may collect payments of their customers, in test or live mode.',
      ),
      type: oneOf({
        off: { label: 'Off', note: 'Nobody collects' },
        test: { label: 'Test', note: 'Only the test systems of the payment providers' },
        live: { label: 'Live', note: 'Real money' },
      }),
      default: 'off',
      restricted: true,
    },
    collections_take_rate_bps: {
      label: 'Platform share of collections',
      description: unread('Hundredths of a percent that the platform keeps of each collected payment.'),
      type: count({ min: 0, max: 5_000 }),
      default: 150,
      restricted: true,
    },
  },
)

const build = settings(
  'build',
  { label: 'Build', blurb: 'The app builder. Not available yet: these settings have no effect.' },
  {
    build_default_view: {
      label: 'First view',
      description: unread('The first view of a build.'),
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
      description: unread('Our cost of a generated image, for margins only.'),
      type: minorUnits({ min: 0, max: 100_000_000 }),
      default: 2_500,
    },
    build_preview_ttl_hours: {
      label: 'Preview lifetime',
      description: unread('Hours after which an unused preview is removed.'),
      type: count({ min: 1, max: 720 }),
      default: 72,
    },
    build_no_progress_rounds: {
      label: 'Rounds without progress',
      description: unread('A build stops after this many rounds without progress.'),
      type: count({ min: 1, max: 20 }),
      default: 3,
    },
    build_turn_ceiling_multiple: {
      label: 'Turn limit factor',
      description: unread('A build stops when its turns exceed the planned turns by this factor.'),
      type: count({ min: 1, max: 20 }),
      default: 3,
    },
    build_reload_activity_window_ms: {
      label: 'Idle time before a reload',
      description: unread('A preview reloads automatically after this idle time.'),
      type: milliseconds({ min: 1_000, max: 600_000 }),
      default: 30_000,
    },
  },
)

const apps = settings(
  'apps',
  { label: 'Apps', blurb: 'Limits of published apps. Not available yet: these settings have no effect.' },
  {
    app_builds_per_day: {
      label: 'Builds per day',
      description: unread('Per app. Zero stops all builds.'),
      type: count({ min: 0, max: 10_000 }),
      default: 20,
    },
    app_auth_emails_per_day: {
      label: 'Sign-in mails per day',
      description: unread('Per app. Limits apps that are misused to send mail.'),
      type: count({ min: 0, max: 100_000 }),
      default: 200,
    },
    app_records_per_app: {
      label: 'Records per app',
      description: unread('The maximum number of rows of an app.'),
      type: count({ min: 0, max: 10_000_000 }),
      default: 10_000,
    },
  },
)

const image = settings(
  'image',
  { label: 'Images', blurb: 'The image service. Not available yet: these settings have no effect.' },
  {
    image_model_provider: {
      label: 'Image provider',
      description: unread('The type of the image service.'),
      type: oneOf({
        none: { label: 'None', note: 'No images' },
        openai: { label: 'OpenAI', note: 'Its public API' },
        compatible: { label: 'Compatible', note: 'Another service with the same API' },
      }),
      default: 'none',
    },
    image_model_base_url: {
      label: 'Address of the image service',
      description: unread(
        'The base URL. Changing the host clears the key, which must then be entered again.',
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
      description: unread('The model name at the image service.'),
      type: text(),
      default: '',
    },
  },
)

const retention = settings('compliance', complianceHeading, {
  recording_retention_max_days: {
    label: 'Maximum age of recordings',
    description: unread(
      'Days after which recordings are deleted, regardless of the choice of the customer. Zero keeps none.',
    ),
    type: count({ min: 0, max: 3_650 }),
    default: 90,
  },
})

const vapt = settings(
  'vapt',
  {
    label: 'Security testing',
    blurb: 'Vulnerability assessment of uploaded code. Not available yet: these settings have no effect.',
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
      description: unread('The default spending limit of an assessment. A customer may set a lower one.'),
      type: minorUnits({ min: 0, max: 100_000_000 }),
      default: 50_000,
    },
    vapt_max_archive_mb: {
      label: 'Largest archive',
      description: unread('Uploads above this size are rejected.'),
      type: megabytes({ min: 1, max: 2_000 }),
      default: 50,
    },
  },
)

const agent = settings(
  'agent',
  {
    label: 'Agent sessions',
    blurb: 'Long-lived agent sessions. Not available yet: these settings have no effect.',
  },
  {
    agent_sessions_enabled: {
      label: 'Agent sessions',
      description: unread('Whether an agent may keep a workspace between requests.'),
      type: flag(),
      default: false,
    },
    agent_session_max_turns: {
      label: 'Turns per session',
      description: unread('A session ends at this number of turns and keeps its work.'),
      type: count({ min: 1, max: 1_000 }),
      default: 50,
    },
  },
)

const events = settings(
  'events',
  { label: 'Events', blurb: 'Ticket sales. Not available yet: these settings have no effect.' },
  {
    events_take_rate_bps: {
      label: 'Platform share of tickets',
      description: unread('Hundredths of a percent that the platform keeps of each ticket sold.'),
      type: count({ min: 0, max: 5_000 }),
      default: 300,
    },
    tickets_member_wallet_pay: {
      label: 'Tickets paid from the wallet',
      description: unread('Whether members may pay for tickets with their organisation’s balance.'),
      type: flag(),
      default: false,
    },
    events_ticket_hold_minutes: {
      label: 'Held tickets',
      description: unread('Minutes that a ticket stays reserved during the payment.'),
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
