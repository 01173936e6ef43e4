// Settings of the platform itself.
import { count, flag, oneOf, type SettingGroup, settings } from './setting.ts'

export const complianceHeading = {
  label: 'Compliance',
  blurb: 'Required verification, and how long customer data is kept.',
}

const platform = settings(
  'platform',
  {
    label: 'Platform',
    blurb: 'Registration, maintenance mode and background runs.',
  },
  {
    signups_enabled: {
      label: 'New accounts',
      description:
        'Whether new users may register. When off, existing accounts, invitations and single sign-on still work.',
      type: flag(),
      default: true,
    },
    maintenance_mode: {
      label: 'Maintenance',
      description:
        'When on, paid and changing requests of everyone except staff are rejected with 503. Reading, sign-in and payment webhooks still work, and running work is completed.',
      type: flag(),
      default: false,
      restricted: true,
    },
    runs_worker_enabled: {
      label: 'Background runs',
      description:
        'Whether workers process research runs. When off, new runs wait and running ones stop at their next step. Nothing is lost or charged.',
      type: flag(),
      default: true,
    },
    runs_lease_seconds: {
      label: 'Run lease',
      description:
        'Seconds until a worker must renew its lease on a run. A shorter lease recovers faster after a crash. A longer one tolerates slow networks and long pauses.',
      type: count({ min: 10, max: 3_600 }),
      default: 60,
    },
    runs_reap_grace_seconds: {
      label: 'Grace period before a takeover',
      description:
        'Seconds after the end of a lease before another worker takes over the run. Increase it when workers pause without crashing.',
      type: count({ min: 0, max: 3_600 }),
      default: 30,
    },
    idempotency_stale_minutes: {
      label: 'Takeover of idempotency keys',
      description:
        'Minutes after which a retry may take over an Idempotency-Key whose first request never ended. A takeover never charges twice. A stream may last 30 minutes, so a lower value can displace a running call.',
      type: count({ min: 1, max: 1_440 }),
      default: 15,
    },
  },
)

const appearance = settings(
  'appearance',
  { label: 'Appearance', blurb: 'The default look of the app.' },
  {
    default_skin: {
      label: 'Colours',
      description: 'The default colour scheme, until a user chooses one.',
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
      description: 'The default mode, until a user chooses one.',
      type: oneOf({
        system: { label: 'System', note: 'Follows the setting of the device' },
        light: { label: 'Light', note: 'Always light' },
        dark: { label: 'Dark', note: 'Always dark' },
      }),
      default: 'system',
    },
    default_layout: {
      label: 'Density',
      description: 'The default spacing, until a user chooses one.',
      type: oneOf({
        comfortable: { label: 'Comfortable', note: 'More space, larger touch targets' },
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
      'When on, paid work of team and enterprise organisations is rejected until their verification is approved. Turning it on blocks all unverified ones immediately: check the review queue first.',
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
