// What an operator can tune about the platform itself.
import { count, flag, oneOf, type SettingGroup, settings } from './setting.ts'

export const complianceHeading = {
  label: 'Compliance',
  blurb: 'What customers must prove before they spend, and how long their material may be kept.',
}

const platform = settings(
  'platform',
  {
    label: 'Platform',
    blurb: 'Who may come in, whether the service takes work, and how background runs are kept alive.',
  },
  {
    signups_enabled: {
      label: 'New accounts',
      description:
        'Whether strangers may register. Off, existing accounts, invitations and single sign-on still work.',
      type: flag(),
      default: true,
    },
    maintenance_mode: {
      label: 'Maintenance',
      description:
        'On, paid and changing calls of everyone but staff are refused with 503. Reading, signing in and payment notifications go on; work that already runs is finished.',
      type: flag(),
      default: false,
      restricted: true,
    },
    runs_worker_enabled: {
      label: 'Background runs',
      description:
        'Whether research runs are picked up and advanced. Off, new runs wait and running ones stop at their next step; nothing is lost or charged meanwhile.',
      type: flag(),
      default: true,
    },
    runs_lease_seconds: {
      label: 'Lease of a run',
      description:
        'Seconds a worker holds a run before it must renew. Shorter means a faster take-over after a crash, longer survives slow networks and long pauses.',
      type: count({ min: 10, max: 3_600 }),
      default: 60,
    },
    runs_reap_grace_seconds: {
      label: 'Grace before a run is taken over',
      description:
        'Seconds after its lease ran out before another worker takes a run. Zero takes over at once; raise it when workers pause without dying.',
      type: count({ min: 0, max: 3_600 }),
      default: 30,
    },
    idempotency_stale_minutes: {
      label: 'Idempotency key held by a lost call',
      description:
        'Minutes after which a retry may take over an Idempotency-Key whose first call never ended. A take-over never charges twice, but a stream may last 30 minutes: below that a retry can displace a call that is still alive.',
      type: count({ min: 1, max: 1_440 }),
      default: 15,
    },
  },
)

const appearance = settings(
  'appearance',
  { label: 'Appearance', blurb: 'How the app looks to someone who has chosen nothing themselves.' },
  {
    default_skin: {
      label: 'Colours',
      description: 'The colour scheme of the app until a person picks their own.',
      type: oneOf({
        indigo: { label: 'Indigo', note: 'Calm blue; the house colours' },
        kente: { label: 'Kente', note: 'Gold and green on dark cloth' },
        savanna: { label: 'Savanna', note: 'Warm earth and grass' },
        mono: { label: 'Mono', note: 'Black, white and grey; highest contrast' },
      }),
      default: 'indigo',
    },
    default_mode: {
      label: 'Light or dark',
      description: 'Whether the app starts light or dark until a person decides.',
      type: oneOf({
        system: { label: 'As the device', note: 'Follows what the person set on their device' },
        light: { label: 'Light', note: 'Always light' },
        dark: { label: 'Dark', note: 'Always dark' },
      }),
      default: 'system',
    },
    default_layout: {
      label: 'Density',
      description: 'How much space the app leaves between things until a person decides.',
      type: oneOf({
        comfortable: { label: 'Comfortable', note: 'Room to breathe and to touch' },
        compact: { label: 'Compact', note: 'More rows on a screen' },
      }),
      default: 'comfortable',
    },
  },
)

const compliance = settings('compliance', complianceHeading, {
  kyc_required: {
    label: 'Verified businesses only',
    description:
      'On, paid work of team and enterprise organisations is refused until their verification is approved. Turning it on stops every unverified one at once: look at the review queue first.',
    type: flag(),
    default: false,
  },
})

export const platformGroups: readonly SettingGroup[] = [platform, appearance, compliance]

export const {
  signups_enabled: signupsEnabled,
  maintenance_mode: maintenanceMode,
  runs_worker_enabled: runsWorkerEnabled,
  runs_lease_seconds: runsLeaseSeconds,
  runs_reap_grace_seconds: runsReapGraceSeconds,
  idempotency_stale_minutes: idempotencyStaleMinutes,
} = platform.settings
export const {
  default_skin: defaultSkin,
  default_mode: defaultMode,
  default_layout: defaultLayout,
} = appearance.settings
export const { kyc_required: kycRequired } = compliance.settings
